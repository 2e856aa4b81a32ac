"""Find candidates in one block of folded text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from routekit.pii.context import ContextWords, Near
from routekit.pii.fold import to_bytes
from routekit.pii.groups import GLUE, MAX_LENGTH, Groups, split
from routekit.pii.recogniser import ALONE, WITH_CONTEXT, Recogniser, Strength
from routekit.pii.shapes import Automaton, compile_shapes, parse
from routekit.pii.table import FINDERS, RECOGNISERS
from routekit.pii.words import CONTEXT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Words: TypeAlias = NDArray[np.uint64]

_NO_GLUE = str.maketrans("", "", GLUE.replace("x", ""))
_CURRENCY = frozenset("$€£¥₹+")
#: Glue that makes what it joins one larger token, before and after a match.
_JOINS_LEFT = frozenset(GLUE.index(c) + 1 for c in "-./_x")
_JOINS_RIGHT = frozenset(GLUE.index(c) + 1 for c in "-._")
_EXTENSION = GLUE.index("x") + 1


class Candidate(NamedTuple):
    """A possible piece of personal data: character range in the folded text, row of the table, P."""

    start: int
    end: int
    rank: int
    label: str
    probability: float


class Scanner:
    """All recognisers, ready to run; immutable after construction, so threads may share it."""

    __slots__ = ("_automaton", "_deny", "_masks", "_need", "_own_colon", "_own_slash", "_own_space", "_rows", "_words")

    def __init__(self) -> None:
        self._words = ContextWords(CONTEXT)
        self._deny = self._words.mask(("not_personal",))
        written = [(rank, parse(shape)) for rank, row in enumerate(RECOGNISERS) for shape in row.shapes]
        self._automaton: Automaton = compile_shapes([shape for _, shape in written])
        accepts = self._automaton.accepts
        self._rows = tuple(tuple(dict.fromkeys(written[i][0] for i in state)) for state in accepts)
        self._masks = tuple(self._words.mask(row.context) for row in RECOGNISERS)
        self._need = np.array([self._needed(ranks) for ranks in self._rows], dtype=np.uint64)
        own = [frozenset().union(*(written[i][1].glue for i in state)) for state in accepts]
        self._own_space, self._own_colon, self._own_slash = (
            np.array([GLUE.index(c) + 1 in glue for glue in own]) for c in " :/"
        )

    def _needed(self, ranks: tuple[int, ...]) -> int:
        """Give the context one of whose words must be near, 0 if a row can do without."""
        if any(RECOGNISERS[rank].strength for rank in ranks):
            return 0
        return reduce(or_, (self._masks[rank] for rank in ranks), 0)

    def scan(self, text: str, low: int, high: int) -> list[Candidate]:
        """Return the candidates that start in ``[low, high)``, unordered; text around it is context."""
        raw = to_bytes(text)
        groups = split(raw)
        near = self._words.find(text, raw, groups)
        return [*self._written(text, groups, near, low, high), *self._found(text, near, low, high)]

    def _written(self, text: str, groups: Groups, near: Near, low: int, high: int) -> Iterator[Candidate]:
        begin, last, state = self._automaton.run(groups)
        start, end = groups.start[begin], groups.end[last]
        alone = (start >= low) & (start < high) & self._stands_alone(groups, begin, last, state)
        begin, last, state, start, end = (a[alone] for a in (begin, last, state, start, end))
        context = near.masks(start, end)
        enough = (self._need[state] == 0) | (context & self._need[state] != 0)
        crowded = self._crowded(groups, begin, last, state)
        extended = groups.glue[last] == _EXTENSION
        columns = (a[enough].tolist() for a in (start, end, state, context, crowded, extended))
        for first, stop, number, mask, is_crowded, is_extended in zip(*columns, strict=True):
            if text[first - 1 : first] not in _CURRENCY:
                yield from self._check(text, first, stop, number, mask, is_crowded, is_extended)

    def _check(
        self, text: str, start: int, end: int, state: int, mask: int, crowded: bool, extended: bool
    ) -> Iterator[Candidate]:
        whole = text[start:end]
        bare = whole.translate(_NO_GLUE)
        upper = bare.upper()
        for rank in self._rows[state]:
            row = RECOGNISERS[rank]
            probability = self._probability(row, mask, self._masks[rank], crowded)
            seen = whole.upper() if row.with_glue else bare if row.keep_case else upper
            if probability and (row.tail or not extended) and row.check(seen):
                tail = row.tail.match(text, end) if row.tail else None
                yield Candidate(start, tail.end() if tail else end, rank, row.label, probability)

    def _probability(self, row: Recogniser, near: int, own: int, crowded: bool) -> float:
        if near & own:
            return WITH_CONTEXT[row.strength]
        doubtful = crowded or bool(near & self._deny)
        return ALONE[Strength(max(row.strength - doubtful, 0))]

    def _stands_alone(self, groups: Groups, begin: Ints, last: Ints, state: Ints) -> NDArray[np.bool_]:
        """Say which matches are no part of a longer token such as a UUID, a path or a version."""
        before = np.concatenate((np.zeros(1, np.uint8), groups.glue))[begin]
        after = groups.glue[last]
        next_code = np.append(groups.code, np.int16(0))[last + 1] // (MAX_LENGTH + 1)
        joined_left = _is_in(before, _JOINS_LEFT) | (self._own_colon[state] & (before == GLUE.index(":") + 1))
        joined_right = _is_in(after, _JOINS_RIGHT) & (next_code != 1)
        own = (self._own_colon[state] & (after == GLUE.index(":") + 1)) | (
            self._own_slash[state] & (after == GLUE.index("/") + 1)
        )
        alone: NDArray[np.bool_] = ~(joined_left | joined_right | own)
        return alone

    def _crowded(self, groups: Groups, begin: Ints, last: Ints, state: Ints) -> NDArray[np.bool_]:
        """Say which matches, written with spaces, have more digits beside them: rows of a table do."""
        space = GLUE.index(" ") + 1
        is_digits = groups.code <= MAX_LENGTH
        left = (
            np.concatenate(([False], is_digits[:-1] & (groups.glue[:-1] == space)))[begin] if len(begin) else begin > 0
        )
        right = np.append(is_digits[1:] & (groups.glue[:-1] == space), False)[last] if len(begin) else left
        return self._own_space[state] & (left | right)

    def _found(self, text: str, near: Near, low: int, high: int) -> Iterator[Candidate]:
        found = [hit for needle, find in FINDERS if needle in text for hit in find(text) if low <= hit[0] < high]
        if not found:
            return
        masks = near.masks(np.array([f[0] for f in found]), np.array([f[1] for f in found])).tolist()
        for (start, end, row), mask in zip(found, masks, strict=True):
            probability = self._probability(row, mask, self._words.mask(row.context), crowded=False)
            if probability:
                yield Candidate(start, end, len(RECOGNISERS), row.label, probability)


def _is_in(values: NDArray[np.uint8], allowed: frozenset[int]) -> NDArray[np.bool_]:
    table = np.zeros(len(GLUE) + 1, dtype=bool)
    table[list(allowed)] = True
    return table[values]


@cache
def scanner() -> Scanner:
    """Return the one scanner of this process: its tables depend on nothing but the code."""
    return Scanner()
