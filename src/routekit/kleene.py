"""Kleene logic over sets of results, in integers.

A condition comes to true, to false, or stays unknown because a signal FAILED; an unknown result carries the failed
signal's `on_error`, and of several the strictest counts. The possible results are a chain,

    true < unknown(skip) < unknown(rule) < ... < unknown(block) < false,

in which AND is the maximum; NOT swaps the two ends and OR follows by De Morgan. A *set* of possible results is an
integer with one bit per result, and AND of two sets is the set of all pairwise maxima: every member of either set that
is not below the larger of the two minima. A finished signal has one bit, an unread one several, and the same four
functions therefore serve the final evaluation, early stopping and lazy evaluation. The set is exact as long as no
signal that is still open occurs twice in the condition, else it may be too large, never too small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import TypeAlias

from routekit.expressions import Comparison, Expression

#: A set of possible results; bit 0 is true, the top bit of its `Chain` is false.
Results: TypeAlias = int
#: Reads the results of all comparisons, gives those of one condition.
Test: TypeAlias = Callable[[Sequence[Results]], Results]

TRUE: Results = 1


@dataclass(frozen=True, slots=True)
class Chain:
    """The results that are possible under one policy.

    Attributes
    ----------
    remedies
        What `on_error` may say, from lenient to strict: ``"skip"``, names of rules, ``"block"``.
    false
        The result false.
    passing
        The results that pass a rule: false, and unknown where failures are skipped.
    """

    remedies: tuple[str, ...]
    false: Results = field(init=False)
    passing: Results = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "false", 2 << len(self.remedies))
        object.__setattr__(self, "passing", self.false | self.unknown("skip"))

    def unknown(self, remedy: str) -> Results:
        """Give the result of a condition that a failure with this remedy left unknown."""
        return 2 << self.remedies.index(remedy)

    def remedies_in(self, results: Results) -> list[str]:
        """List the remedies of the unknown results in a set, from lenient to strict."""
        return [remedy for i, remedy in enumerate(self.remedies) if results & (2 << i)]

    def negated(self, results: Results) -> Results:
        """Swap true and false."""
        ends = TRUE | self.false
        swapped = (self.false if results & TRUE else 0) | (TRUE if results & self.false else 0)
        return (results & ~ends) | swapped

    def compiled(self, expression: Expression, index: Mapping[Comparison, int]) -> Condition:
        """Turn a condition into functions of the results of its comparisons, which lie at `index`."""
        if expression.test is not None:
            return Condition(itemgetter(index[expression.test]), expression.test.signal)
        parts = tuple(self.compiled(part, index) for part in expression.parts)
        tests = tuple(part.test for part in parts)
        if expression.op == "all":
            return Condition(partial(self._all, tests), parts=parts)
        if expression.op == "not":
            return Condition(partial(self._not, tests[0]), parts=parts)
        return Condition(partial(self._any, tests), parts=parts)

    def _all(self, tests: Sequence[Test], results: Sequence[Results]) -> Results:
        """Combine by `conjunction`, but stop at what is false: most conditions of most requests are."""
        false, union, low = self.false, TRUE, TRUE
        for test in tests:
            possible = test(results)
            if possible == false:
                return false
            union |= possible
            low = max(low, possible & -possible)
        return union & -low

    def _any(self, tests: Sequence[Test], results: Sequence[Results]) -> Results:
        open_parts = []
        for test in tests:
            possible = test(results)
            if possible == TRUE:
                return TRUE
            if possible != self.false:
                open_parts.append(self.negated(possible))
        return self.negated(conjunction(open_parts)) if open_parts else self.false

    def _not(self, test: Test, results: Sequence[Results]) -> Results:
        return self.negated(test(results))


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A compiled condition.

    Attributes
    ----------
    test
        Its possible results, from those of all comparisons.
    signal
        Key of the signal it compares; None for a combination of `parts`.
    """

    test: Test
    signal: str | None = None
    parts: tuple[Condition, ...] = ()

    def wanted(self, results: Sequence[Results]) -> Iterator[str]:
        """Walk over the open signals that the result still depends on."""
        if not settled(self.test(results)):
            if self.signal is not None:
                yield self.signal
            for part in self.parts:
                yield from part.wanted(results)


def conjunction(sets: Sequence[Results]) -> Results:
    """Give every result that AND can come to, one being drawn from each set.

    Examples
    --------
    >>> conjunction([0b1001, 0b0100])  # {true, false} AND {unknown} is {unknown, false}
    12
    """
    union = low = TRUE  # the empty conjunction; true is neutral
    for results in sets:
        union |= results
        low = max(low, results & -results)
    return union & -low


def settled(results: Results) -> bool:
    """Say whether only one result is left."""
    return not results & (results - 1)
