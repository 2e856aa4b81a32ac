"""A name is one span, and so is an address: token heads tend to cut them between their words, and to join lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from routekit.prediction import Span

PERSON, ADDRESS = "PERSON", "STREET_ADDRESS"
#: What may stand between two parts of one span.
_GAPS = {PERSON: (" ", "-"), ADDRESS: (" ", ",", ", ")}
_REST_OF_WORD = re.compile(r"(?:-\w+)+")
_COMMA = re.compile(r" *, *")


def whole_names(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Join spans of persons that one blank or hyphen parts, stretch them over a hyphenated word, and cut lists.

    Spans of addresses are joined over a blank or a comma. A name with one comma, such as ``Lee, Ann``, stays whole,
    unless it is part of a longer list.

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
        if last and last.label == span.label and text[last.end : span.start] in _GAPS.get(span.label, ()):
            probability = max(last.probability, span.probability)
            found[-1] = replace(last, end=span.end, probability=probability)
        else:
            found.append(span)
    ends = [*(span.start for span in found[1:]), len(text)]
    whole = (_stretched(text, span, end) for span, end in zip(found, ends, strict=False))
    return tuple(part for span in whole for part in _listed(text, span))


def _listed(text: str, span: Span) -> Iterator[Span]:
    commas = [match.span() for match in _COMMA.finditer(text, span.start, span.end)]
    in_list = len(commas) > 1 or text[max(0, span.start - 2) : span.start] == ", " or text.startswith(", ", span.end)
    if span.label != PERSON or not commas or not in_list:
        yield span
        return
    starts, ends = [span.start, *(end for _, end in commas)], [*(start for start, _ in commas), span.end]
    yield from (replace(span, start=a, end=b) for a, b in zip(starts, ends, strict=True) if a < b)


def _stretched(text: str, span: Span, limit: int) -> Span:
    rest = _REST_OF_WORD.match(text, span.end, limit) if span.label == PERSON else None
    return replace(span, end=rest.end()) if rest else span
