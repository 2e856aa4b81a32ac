"""A person's name is one span: token heads tend to cut it between its words and at a hyphen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from routekit.prediction import Span

PERSON = "PERSON"
_REST_OF_WORD = re.compile(r"(?:-\w+)+")


def whole_names(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Join spans of persons that one blank or hyphen parts, and stretch them over a hyphenated word.

    Parameters
    ----------
    spans
        Ascending, disjoint; spans of other labels stay as they are, and nothing is stretched into them.

    Examples
    --------
    >>> text = "Cheng Chung-tai wrote"
    >>> [text[s.start : s.end] for s in whole_names(text, [Span(0, 5, "PERSON", 0.7), Span(6, 11, "PERSON", 0.9)])]
    ['Cheng Chung-tai']
    """
    found: list[Span] = []
    for span in spans:
        last = found[-1] if found else None
        if last and last.label == span.label == PERSON and text[last.end : span.start] in (" ", "-"):
            probability = max(last.probability, span.probability)
            found[-1] = replace(last, end=span.end, probability=probability)
        else:
            found.append(span)
    ends = [*(span.start for span in found[1:]), len(text)]
    return tuple(_stretched(text, span, end) for span, end in zip(found, ends, strict=False))


def _stretched(text: str, span: Span, limit: int) -> Span:
    rest = _REST_OF_WORD.match(text, span.end, limit) if span.label == PERSON else None
    return replace(span, end=rest.end()) if rest else span
