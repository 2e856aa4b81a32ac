"""Find candidates in one block of folded text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from routekit.pii.context import ContextWords, Near
from routekit.pii.fold import Fold, to_bytes
from routekit.pii.groups import GLUE, LETTERS, MAX_LENGTH, Groups, split
from routekit.pii.recogniser import ALONE, CROWDED, DOUBTED, REFUSED, WHOLE_TEXT, WITH_CONTEXT, Strength
from routekit.pii.shapes import Automaton, compile_shapes, parse
from routekit.pii.table import FINDERS, RECOGNISERS, WORD_FINDERS
from routekit.pii.words import CONTEXT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Words: TypeAlias = NDArray[np.uint64]

_Table: TypeAlias = Mapping[Strength, float]

_NO_GLUE = str.maketrans("", "", GLUE.replace("x", ""))
_CURRENCY = frozenset("$€£¥₹+")
#: Glue that makes what it joins one larger token, before and after a match.
_JOINS_LEFT = np.isin(np.arange(len(GLUE) + 1), [GLUE.index(c) + 1 for c in "-./_x"])
_JOINS_RIGHT = np.isin(np.arange(len(GLUE) + 1), [GLUE.index(c) + 1 for c in "-._"])
#: P without a context word, by how much speaks against a match: nothing, something, a table all around it.
_BY_DOUBT: tuple[_Table, ...] = (ALONE, DOUBTED, REFUSED)
_EXTENSION = GLUE.index("x") + 1
#: Characters that `Recogniser.before` may look at.
_JUST_BEFORE = 32


class Candidate(NamedTuple):
    """A possible piece of personal data: character range in the folded text, row of the table, P."""

    start: int
    end: int
    rank: int
    label: str
    probability: float


class _Block(NamedTuple):
    """Where candidates are wanted; `filled` is the range of a text that is one number, if it may be."""

    low: int
    high: int
    filled: tuple[int, int]


class Scanner:
    """All recognisers, ready to run; immutable after construction, so threads may share it."""

    __slots__ = (
        "_any_context",
        "_automaton",
        "_best",
        "_deny",
        "_masks",
        "_rows",
        "_words",
    )

    def __init__(self) -> None:
        self._words = ContextWords(CONTEXT)
        self._deny = np.uint64(self._words.mask(("not_personal",)))
        written = [(rank, parse(shape)) for rank, row in enumerate(RECOGNISERS) for shape in row.shapes]
        self._automaton: Automaton = compile_shapes([shape for _, shape in written])
        accepts = self._automaton.accepts
        self._rows = tuple(tuple(dict.fromkeys(written[i][0] for i in state)) for state in accepts)
        self._masks = tuple(self._words.mask(row.context) for row in RECOGNISERS)
        self._any_context = np.array(
            [reduce(or_, (self._masks[rank] for rank in ranks), 0) for ranks in self._rows], dtype=np.uint64
        )
        self._best = np.array([max((RECOGNISERS[rank].strength for rank in ranks), default=0) for ranks in self._rows])

    def scan(self, text: str, low: int, high: int, *, is_whole: bool = False) -> list[Candidate]:
        """Return the candidates that start in ``[low, high)``, unordered; text around it is context.

        `is_whole` says that nothing comes before or after: a number that is all of the text needs no context word.
        """
        raw = to_bytes(text)
        groups = split(raw)
        near = self._words.find(text, raw, groups)
        block = _Block(low, high, _filled(text) if is_whole else (-1, -1))
        return [*self._written(text, groups, near, block), *self._found(text, near, block)]

    def _written(self, text: str, groups: Groups, near: Near, block: _Block) -> Iterator[Candidate]:
        begin, last, state = self._automaton.run(groups)
        if not len(begin):
            return
        start, end = groups.start[begin], groups.end[last]
        kept = (start >= block.low) & (start < block.high) & self._stands_alone(groups, begin, last)
        begin, last, state, start, end = (a[kept] for a in (begin, last, state, start, end))
        context = near.masks(start, end)
        crowding = self._crowding(groups, begin, last)
        doubts = np.maximum(crowding, context & self._deny != 0)
        least = Strength.LIKELY + doubts
        least[(start == block.filled[0]) & (end == block.filled[1])] = Strength.POSSIBLE
        worth = (context & self._any_context[state] != 0) | (self._best[state] >= least)
        extended = groups.glue[last] == _EXTENSION
        columns = (a[worth].tolist() for a in (start, end, state, context, crowding, doubts, extended))
        for first, stop, number, mask, n_beside, n_doubts, is_extended in zip(*columns, strict=True):
            if text[first - 1 : first] not in _CURRENCY:
                alone = WHOLE_TEXT if (first, stop) == block.filled else _BY_DOUBT[n_doubts]
                odds = (CROWDED if n_beside else WITH_CONTEXT, alone)
                yield from self._check(text, first, stop, self._rows[number], mask, odds, is_extended)

    def _check(
        self,
        text: str,
        start: int,
        end: int,
        ranks: tuple[int, ...],
        near: int,
        odds: tuple[_Table, _Table],
        extended: bool,
    ) -> Iterator[Candidate]:
        """Run the checks of the rows that a stretch has the shape of."""
        told, alone = odds
        whole = text[start:end]
        bare = whole.translate(_NO_GLUE)
        upper = bare.upper()
        for rank in ranks:
            row = RECOGNISERS[rank]
            probability = (told if near & self._masks[rank] else alone)[row.strength]
            if not probability or (extended and not row.tail):
                continue
            if row.before and not row.before.search(text[max(0, start - _JUST_BEFORE) : start]):
                continue
            if row.check(whole.upper() if row.with_glue else bare if row.keep_case else upper):
                tail = row.tail.match(text, end) if row.tail else None
                yield Candidate(start, tail.end() if tail else end, rank, row.label, probability)

    def _stands_alone(self, groups: Groups, begin: Ints, last: Ints) -> NDArray[np.bool_]:
        """Say which matches are no part of a longer token such as a UUID, a path or a version."""
        before = np.concatenate((np.zeros(1, np.uint8), groups.glue))[begin]
        after = groups.glue[last]
        next_is_word = np.append(groups.code, np.int16(0))[last + 1] // (MAX_LENGTH + 1) == LETTERS
        joined: NDArray[np.bool_] = _JOINS_LEFT[before] | (_JOINS_RIGHT[after] & ~next_is_word)
        for glue in ":/":
            number = GLUE.index(glue) + 1
            joined |= ((before == number) | (after == number)) & _contains(groups, begin, last, number)
        return ~joined

    def _crowding(self, groups: Groups, begin: Ints, last: Ints) -> Ints:
        """Say on how many sides a match that is written with spaces has more numbers: rows of a table do on both."""
        space = GLUE.index(" ") + 1
        is_number = np.append(groups.code // (MAX_LENGTH + 1) != LETTERS, False)
        to_next = np.append(groups.glue == space, False)
        left = is_number[begin - 1] & to_next[begin - 1]
        right = is_number[last + 1] & to_next[last]
        sides: Ints = (left.astype(np.int64) + right) * _contains(groups, begin, last, space)
        return sides

    def _found(self, text: str, near: Near, block: _Block) -> Iterator[Candidate]:
        found = [hit for needle, find in FINDERS if needle in text for hit in find(text)]
        for name, find_at in WORD_FINDERS:
            found += [hit for position in near.positions(self._words.mask((name,))) for hit in find_at(text, position)]
        found = [hit for hit in found if block.low <= hit[0] < block.high]
        if not found:
            return
        masks = near.masks(np.array([f[0] for f in found]), np.array([f[1] for f in found])).tolist()
        for (start, end, row), mask in zip(found, masks, strict=True):
            own = self._words.mask(row.context)
            probability = (WITH_CONTEXT if mask & own else ALONE)[row.strength]
            if probability:
                yield Candidate(start, end, len(RECOGNISERS), row.label, probability)


def _contains(groups: Groups, begin: Ints, last: Ints, glue: int) -> NDArray[np.bool_]:
    """Say which matches have this glue inside."""
    n_before = np.concatenate(([0], np.cumsum(groups.glue == glue)))
    inside: NDArray[np.bool_] = n_before[last] > n_before[begin]
    return inside


def _filled(text: str) -> tuple[int, int]:
    """Return the range of a text without the white space and punctuation around it."""
    start = len(text) - len(text.lstrip(" \n\t\r\"'(:"))
    return start, len(text.rstrip(" \n\t\r\"').,!?"))


@cache
def scanner() -> Scanner:
    """Return the one scanner of this process: its tables depend on nothing but the code."""
    return Scanner()


def warm_up() -> None:
    """Build all tables now, so that no request waits for them."""
    scanner().scan("\u00e9", 0, 1)
    Fold().feed("\u00e9")
