"""Labels of tokens to stretches of text: BIO, BIOES and BILOU prefixes, parts of words, overlapping windows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from routekit.prediction import Span

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from routekit.long_text import Reading
    from routekit.tensors import FloatArray, IntArray

OUTSIDE = "O"
_PREFIXED = re.compile(r"([BIMELSU])[-_](.+)", re.DOTALL)
#: Scripts that set no space between words: there, neighbouring letters are no sign of one word.
_SPACELESS = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0xABFF),
    (0xF900, 0xFAFF),
    (0x20000, 1 << 21),
)


@dataclass(frozen=True, slots=True, eq=False)
class TokenScheme:
    """What the columns of a token classifier mean.

    Attributes
    ----------
    entities
        Labels without prefix and without O, in order of first appearance.
    columns
        shape (n_labels, n_entities), float64: 1 where a column belongs to an entity.
    first, last
        The same, only for columns that begin (B, S, U) or end (E, L, S, U) an entity.
    """

    entities: tuple[str, ...]
    columns: FloatArray
    first: FloatArray
    last: FloatArray

    @classmethod
    def of(cls, labels: Sequence[str]) -> TokenScheme:
        """Read the scheme off the labels; labels without a prefix name entities directly.

        Examples
        --------
        >>> TokenScheme.of(["O", "B-EMAIL", "I-EMAIL", "B-PERSON"]).entities
        ('EMAIL', 'PERSON')
        """
        parts = [_split(label, _all_prefixed(labels)) for label in labels]
        entities = tuple(dict.fromkeys(entity for _, entity in parts if entity != OUTSIDE))
        columns = np.array([[float(entity == e) for e in entities] for _, entity in parts]).reshape(len(parts), -1)
        first, last = (np.array([[float(prefix in roles)] for prefix, _ in parts]) for roles in ("BSU", "ELSU"))
        return cls(entities, columns, columns * first, columns * last)


def _all_prefixed(labels: Sequence[str]) -> bool:
    return all(label == OUTSIDE or _PREFIXED.fullmatch(label) for label in labels)


def _split(label: str, prefixed: bool) -> tuple[str, str]:
    match = _PREFIXED.fullmatch(label) if prefixed else None
    return (match[1], match[2]) if match else ("I", label)


class TokenVotes:
    """Collects the windows of one text and finds its spans.

    Where windows overlap, a token is judged by the window in which it stands furthest from an edge. Per token only
    the likeliest entity is kept, so that a text of a million tokens takes some 20 MB.

    Parameters
    ----------
    threshold
        P(entity) from which a token belongs to a span.
    """

    def __init__(self, text: str, reading: Reading, scheme: TokenScheme, threshold: float) -> None:
        n_tokens = len(reading.encoding.input_ids)
        self._text, self._reading, self._scheme, self._threshold = text, reading, scheme, threshold
        self._owner = _owners(reading.windows, n_tokens)
        self._entity = np.zeros(n_tokens, dtype=np.int32)
        self._probability = np.zeros(n_tokens)
        self._begins = np.zeros(n_tokens, dtype=bool)
        self._ends = np.zeros(n_tokens, dtype=bool)
        self._best = np.zeros(len(scheme.entities))

    def add(self, window: int, per_label: FloatArray) -> None:
        """Take the probabilities of one window, shape (tokens in the window, n_labels)."""
        tokens = self._reading.windows[window]
        own = self._owner[tokens] == window
        if not own.any():
            return
        tokens, per_label = tokens[own], per_label[own]
        per_entity = np.minimum(per_label @ self._scheme.columns, 1.0)  # (tokens, entities)
        rows, entity = np.arange(len(tokens)), per_entity.argmax(axis=1)
        half = per_entity[rows, entity] / 2
        self._entity[tokens], self._probability[tokens] = entity, per_entity[rows, entity]
        self._begins[tokens] = (per_label @ self._scheme.first)[rows, entity] > half
        self._ends[tokens] = (per_label @ self._scheme.last)[rows, entity] > half
        np.maximum(self._best, per_entity.max(axis=0), out=self._best)

    def probabilities(self) -> dict[str, float]:
        """Return P(entity): that of its likeliest token; P(O): that no entity is there at all."""
        best = dict(zip(self._scheme.entities, self._best.tolist(), strict=True))
        return {**best, OUTSIDE: 1.0 - max(best.values(), default=0.0)}

    def spans(self, threshold: float | None = None) -> tuple[Span, ...]:
        """Return the spans, ascending: neighbouring words of one entity, as characters of the text.

        Parameters
        ----------
        threshold
            P(entity) from which a token belongs to a span, if not that of the votes.
        """
        found: list[_Word] = []
        for word in self._words(self._threshold if threshold is None else threshold):
            if found and found[-1].joins(word):
                found[-1] = found[-1].with_next(word)
            else:
                found.append(word)
        return tuple(span for word in found if (span := self._span(word)).start < span.end)

    def _words(self, threshold: float) -> Iterator[_Word]:
        done = 0
        for hit in np.flatnonzero(self._probability >= threshold).tolist():
            if hit < done:
                continue
            first, done = self._word_bounds(hit, done)
            yield self._word(first, done, threshold)

    def _word_bounds(self, token: int, floor: int) -> tuple[int, int]:
        first, stop, offsets = token, token + 1, self._reading.encoding.offsets
        while first > floor and _same_word(self._text, offsets[first - 1], offsets[first]):
            first -= 1
        while stop < len(offsets) and _same_word(self._text, offsets[stop - 1], offsets[stop]):
            stop += 1
        return first, stop

    def _word(self, first: int, stop: int, threshold: float) -> _Word:
        """Label a word by its surest token: models are often trained on one token of a word only."""
        surest = first + int(self._probability[first:stop].argmax())
        entity = int(self._entity[surest])
        same = first + np.flatnonzero(
            (self._entity[first:stop] == entity) & (self._probability[first:stop] >= threshold)
        )
        begins, ends = bool(self._begins[same[0]]), bool(self._ends[same[-1]])
        return _Word(first, stop, entity, float(self._probability[surest]), begins, ends)

    def _span(self, word: _Word) -> Span:
        offsets = self._reading.encoding.offsets
        start, end = int(offsets[word.first, 0]), int(offsets[word.stop - 1, 1])
        while start < end and self._text[start].isspace():
            start += 1
        while end > start and self._text[end - 1].isspace():
            end -= 1
        return Span(start, end, self._scheme.entities[word.entity], word.probability)


@dataclass(frozen=True, slots=True)
class _Word:
    """Tokens ``[first, stop)`` of one entity; `begins` and `ends` keep it apart from its neighbours."""

    first: int
    stop: int
    entity: int
    probability: float
    begins: bool
    ends: bool

    def joins(self, word: _Word) -> bool:
        return self.stop == word.first and self.entity == word.entity and not (self.ends or word.begins)

    def with_next(self, word: _Word) -> _Word:
        probability = max(self.probability, word.probability)
        return _Word(self.first, word.stop, self.entity, probability, self.begins, word.ends)


def _owners(windows: Sequence[IntArray], n_tokens: int) -> NDArray[np.int32]:
    """Give each token the window in which it stands furthest from an edge, the earlier one of equals."""
    owner, depth = np.full(n_tokens, -1, dtype=np.int32), np.full(n_tokens, -1, dtype=np.int32)
    for number, tokens in enumerate(windows):
        place = np.arange(len(tokens))
        margin = np.minimum(place, len(tokens) - 1 - place)
        better = tokens[margin > depth[tokens]]
        owner[better], depth[better] = number, margin[margin > depth[tokens]]
    return owner


def _same_word(text: str, before: IntArray, after: IntArray) -> bool:
    """Say whether a token continues the word of the one before it."""
    end, start = int(before[1]), int(after[0])
    if start < end:  # two tokens of one character
        return True
    return end == start and 0 < start < len(text) and _is_word_inside(text[start - 1], text[start])


def _is_word_inside(left: str, right: str) -> bool:
    if not (left.isalnum() and right.isalnum()):
        return False
    pair = left + right
    return pair.isascii() or not any(low <= ord(c) <= high for low, high in _SPACELESS for c in pair)
