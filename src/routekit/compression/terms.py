"""Terms of each unit: lower-cased words, and pairs of neighbouring characters where a script has no spaces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from routekit import characters as ch
from routekit.compiled import CompiledText, compiled_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from routekit.tensors import FloatArray, IntArray

_SPACED: Final = (ch.LOWER, ch.UPPER, ch.LETTER, ch.DIGIT)
_UNSPACED: Final = (ch.IDEOGRAPH, ch.UNMARKED)


class UnitTerms(NamedTuple):
    """Rows of some units: how many entries each has, the entries' term numbers and their counts."""

    sizes: IntArray
    terms: NDArray[np.int32]
    counts: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class TermMatrix:
    """How often each unit uses each term: compressed sparse rows.

    Attributes
    ----------
    starts
        shape (n_units + 1,), int64: row `i` is the entries ``[starts[i], starts[i + 1])``.
    terms
        shape (n_entries,), int32: term numbers, in order of first appearance in the text; distinct within a row.
    counts
        shape (n_entries,), int32.
    n_terms
        Distinct terms of the whole text.
    """

    starts: IntArray
    terms: NDArray[np.int32]
    counts: NDArray[np.int32]
    n_terms: int

    @classmethod
    def of(cls, rows: Sequence[UnitTerms], n_terms: int) -> TermMatrix:
        """Join the rows of all units of a text."""
        sizes = np.concatenate([np.zeros(1, np.int64), *(part.sizes for part in rows)])
        terms = np.concatenate([np.zeros(0, np.int32), *(part.terms for part in rows)])
        counts = np.concatenate([np.zeros(0, np.int32), *(part.counts for part in rows)])
        return cls(np.cumsum(sizes), terms, counts, n_terms)

    @property
    def n_units(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def rows(self) -> IntArray:
        """Row of every entry, shape (n_entries,)."""
        return np.repeat(np.arange(self.n_units), np.diff(self.starts))

    @cached_property
    def n_units_with_term(self) -> IntArray:
        """Count the units that have each term, shape (n_terms,)."""
        return np.bincount(self.terms, minlength=self.n_terms)

    @cached_property
    def frequencies(self) -> FloatArray:
        """Share of the unit's terms that an entry makes up, shape (n_entries,), in (0, 1]."""
        return self.counts / self.row_sums(self.counts)[self.rows]

    @cached_property
    def norms(self) -> FloatArray:
        """Euclidean length of each row of `frequencies`, shape (n_units,)."""
        return np.sqrt(self.row_sums(self.frequencies**2))

    def row_sums(self, entries: FloatArray | NDArray[np.int32]) -> FloatArray:
        return _sums(self.rows, entries, self.n_units)

    def term_sums(self, entries: FloatArray) -> FloatArray:
        return _sums(self.terms, entries, self.n_terms)


def _sums(bins: NDArray[np.integer], entries: NDArray[np.generic], n_bins: int) -> FloatArray:
    sums: FloatArray = np.bincount(bins, weights=entries, minlength=n_bins).astype(np.float64, copy=False)
    return sums


@cache
def _words() -> re.Pattern[str]:
    spaced, unspaced, mark = (ch.character_class(*kinds) for kinds in (_SPACED, _UNSPACED, (ch.MARK,)))
    return re.compile(f"([{unspaced}][{unspaced}{mark}]*)|[{spaced}{mark}]+")


def fold(text: str) -> str:
    """Lower-case a text one character for one, so that offsets stay.

    Examples
    --------
    >>> fold("İΣ")
    'iσ'
    """
    return text.replace("\u0130", "i").replace("\u03a3", "\u03c3").lower()


def unit_terms(unit: str) -> list[str]:
    """List the terms of a folded unit in order.

    Examples
    --------
    >>> unit_terms("it's 机器学习")
    ['it', 's', '机器', '器学', '学习']
    """
    terms: list[str] = []
    for match in _words().finditer(unit):
        word = match.group()
        if match.group(1) is None or len(word) == 1:
            terms.append(word)
        else:
            terms.extend(word[i : i + 2] for i in range(len(word) - 1))
    return terms


class PythonVocabulary:
    """Numbers terms in order of first appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, text: str, starts: IntArray, end: int) -> UnitTerms:
        """Count the terms of more units: `starts` ascending, the last unit ends at `end`."""
        folded, numbers, bounds = fold(text), self._numbers, [*starts.tolist(), end]
        sizes: list[int] = []
        terms: list[int] = []
        counts: list[int] = []
        for a, b in pairwise(bounds):
            row: dict[int, int] = {}
            for term in unit_terms(folded[a:b]):
                number = numbers.setdefault(term, len(numbers))
                row[number] = row.get(number, 0) + 1
            sizes.append(len(row))
            terms.extend(row)
            counts.extend(row.values())
        return UnitTerms(np.array(sizes, np.int64), np.array(terms, np.int32), np.array(counts, np.int32))


class NativeVocabulary:
    """Does what `PythonVocabulary` does, compiled."""

    def __init__(self, compiled: CompiledText) -> None:
        self._numbers = compiled.Vocabulary()

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, text: str, starts: IntArray, end: int) -> UnitTerms:
        """Count the terms of more units: `starts` ascending, the last unit ends at `end`."""
        sizes, terms, counts = self._numbers.add(text, ch.kind_table(), starts.tobytes(), end)
        return UnitTerms(
            np.frombuffer(sizes, np.int64), np.frombuffer(terms, np.int32), np.frombuffer(counts, np.int32)
        )


def new_vocabulary() -> PythonVocabulary | NativeVocabulary:
    """Return an empty vocabulary, compiled where there is one."""
    compiled = compiled_text()
    return PythonVocabulary() if compiled is None else NativeVocabulary(compiled)
