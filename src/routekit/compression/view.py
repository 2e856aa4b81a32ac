"""Compression in a notebook: one function, and a result that shows what was kept and what was dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from routekit.compression.compressor import ExtractiveCompressor
from routekit.compression.profiles import Profile
from routekit.interfaces import Tokenizer
from routekit.markup import plain_html, text_html
from routekit.tensors import CompressedText, WindowScores

#: More sentences than this make a page that no browser scrolls well.
MAX_SHOWN = 2000

_STYLE = {
    "kept": "background:rgba(46,160,67,.25)",
    "part": "background:rgba(210,153,34,.25)",
    "dropped": "opacity:.55",
}


@dataclass(frozen=True, slots=True)
class Compression:
    """A compressed text beside its original; a notebook shows it as coloured sentences with their scores.

    Attributes
    ----------
    original
        The text that was compressed.
    result
        What became of it.
    """

    original: str = field(repr=False)
    result: CompressedText

    @property
    def text(self) -> str:
        """The kept text."""
        return self.result.text

    def _repr_html_(self) -> str:
        result = self.result
        counted = "exact" if result.exact else "bounded"
        head = (
            f"<p><b>{result.n_tokens_after}</b> of {result.n_tokens_before} tokens ({counted}), "
            f"{len(result.spans)} ranges kept, {len(result.overflow)} flagged ranges left over</p>"
        )
        return f'{head}<div style="white-space:pre-wrap;font-family:monospace">{"".join(self._sentences())}</div>'

    def _sentences(self) -> Iterator[str]:
        sentences, scores = self.result.sentences or (), self.result.scores or {}
        for i, (start, end) in enumerate(sentences[:MAX_SHOWN]):
            fate = self._fate(start, end)
            title = ", ".join(f"{plain_html(name)} {values[i]:.3f}" for name, values in scores.items())
            sentence = text_html(self.original[start:end])
            yield f'<span title="{fate}: {title}" style="{_STYLE[fate]}">{sentence}</span>'
        if len(sentences) > MAX_SHOWN:
            yield f"<em>… {len(sentences) - MAX_SHOWN} more sentences</em>"

    def _fate(self, start: int, end: int) -> str:
        stripped = len(self.original[start:end].strip())
        kept = sum(max(0, min(end, b) - max(start, a)) for a, b in self.result.spans)
        return "dropped" if not kept else "kept" if kept >= stripped else "part"


def compress(
    text: str,
    max_tokens: int = 512,
    *,
    profile: str | Profile = "default",
    weights: Mapping[str, float] | None = None,
    scores: WindowScores | Sequence[WindowScores] | None = None,
    tokenizer: Tokenizer | None = None,
) -> Compression:
    """Compress one text and keep all scores, for a look at what a compressor does.

    Parameters and errors are those of `ExtractiveCompressor` and its ``compress``.

    Examples
    --------
    >>> compression = compress("One thing. Another thing. " * 30 + "The last thing.", max_tokens=24)
    >>> compression.text
    'One thing. Another\\nThe last thing.'
    >>> len(compression.result.sentences)
    61
    """
    compressor = ExtractiveCompressor(profile, weights=weights, return_scores=True)
    return Compression(text, compressor.compress(text, max_tokens, scores=scores, tokenizer=tokenizer))
