"""A compressed text in a notebook: what was kept, and how much was left out where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from routekit.markup import text_html

if TYPE_CHECKING:
    from routekit.tensors import CompressedText

#: Characters that are shown: more make a page that no browser scrolls well.
MAX_SHOWN = 100_000


def compressed_html(compressed: CompressedText) -> str:
    """Show the counts and the kept text, with the size of each gap; everything is escaped."""
    counted = "exact" if compressed.exact else "bounded"
    head = f"<p><b>{compressed.n_tokens_after}</b> of {compressed.n_tokens_before} tokens ({counted})"
    flagged = sum(end - start for start, end in compressed.overflow)
    head += f", {flagged} flagged characters left over</p>" if flagged else "</p>"
    return f'{head}<div style="white-space:pre-wrap;font-family:monospace">{"".join(_pieces(compressed))}</div>'


def _pieces(compressed: CompressedText) -> Iterator[str]:
    """Walk over the kept ranges, which a seam of one character joins, and the gaps between them."""
    text, spans = compressed.text, compressed.spans
    lengths = [end - start for start, end in spans]
    if sum(lengths) + max(0, len(spans) - 1) != len(text):
        yield text_html(text[:MAX_SHOWN])  # somebody else's compressor, which rewrites
        return
    at = end_before = 0
    for (start, end), length in zip(spans, lengths, strict=True):
        if at >= MAX_SHOWN:
            yield f"<small>... {len(text) - at} more characters are kept</small>"
            return
        if start > end_before:
            yield f"<small>[{start - end_before} characters left out]</small>\n"
        yield text_html(text[at : at + length]) + "\n"
        at, end_before = at + length + 1, end
