"""The comparisons of a policy, grouped so that learning a signal's state costs little however many ask for it.

Orderings of one number are sorted by threshold: those that hold, those that may and those that cannot are three
stretches, found by bisection. Equalities of one value are looked up in a table.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from routekit.expressions import Comparison, Op, Scalar
from routekit.kleene import TRUE, Results
from routekit.states import ClassifierTraits, State, Value, truth

_ORDERINGS = (">=", ">", "<=", "<")
_Group: TypeAlias = "tuple[str, str | None, Op]"


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """Comparisons of one signal (and label) by one operator, which lie side by side in a request's results.

    Attributes
    ----------
    start
        Index of the first.
    thresholds
        Of an ordering, ascending; else empty.
    holding
        Of equalities of a text or flag: value -> which hold; None where `truth` has to be asked for each.
    open
        What a comparison can come to before anything is known.
    """

    comparisons: tuple[Comparison, ...]
    start: int
    thresholds: tuple[float, ...]
    holding: Mapping[Scalar, tuple[int, ...]] | None
    open: Results
    failed: Results
    false: Results

    def results(self, state: State, traits: ClassifierTraits | None) -> list[Results]:
        """Give what each comparison can still come to."""
        unknown = self.open if state.failed is None else self.failed
        if self.thresholds:
            return self._ordered(*state.span(self.comparisons[0].label, traits), unknown)
        if self.holding is not None and isinstance(state, Value) and state.final:
            return self._looked_up(state.value)
        held = (truth(test, state, traits) for test in self.comparisons)
        return [unknown if h is None else TRUE if h else self.false for h in held]

    def _looked_up(self, value: Scalar | None) -> list[Results]:
        results = [self.false] * len(self.comparisons)
        if self.holding is not None and value is not None:
            for i in self.holding.get(value, ()):
                results[i] = TRUE
        return results

    def _ordered(self, low: float, high: float, unknown: Results) -> list[Results]:
        op, thresholds, n = self.comparisons[0].op, self.thresholds, len(self.thresholds)
        if low != low:
            return [self.false] * n
        if op in (">=", ">"):
            cut = bisect_right if op == ">=" else bisect_left
            n_true, n_possible = cut(thresholds, low), cut(thresholds, high)
            return [TRUE] * n_true + [unknown] * (n_possible - n_true) + [self.false] * (n - n_possible)
        cut = bisect_left if op == "<=" else bisect_right
        n_false, n_open = cut(thresholds, low), cut(thresholds, high)
        return [self.false] * n_false + [unknown] * (n_open - n_false) + [TRUE] * (n - n_open)


def grouped(comparisons: Iterable[Comparison]) -> list[tuple[Comparison, ...]]:
    """Group distinct comparisons by signal, label and operator; orderings ascend by threshold.

    >>> from routekit.expressions import signal
    >>> tests = [t for e in (signal("a") >= 0.9, signal("b").fires(), signal("a") >= 0.5) for t in e.comparisons()]
    >>> [[str(test) for test in group] for group in grouped(tests)]
    [['a >= 0.5', 'a >= 0.9'], ['b.fires()']]
    """
    groups: dict[_Group, list[Comparison]] = {}
    for test in dict.fromkeys(comparisons):
        groups.setdefault((test.signal, test.label, test.op), []).append(test)
    return [tuple(sorted(group, key=_threshold) if group[0].op in _ORDERINGS else group) for group in groups.values()]


def thresholds_of(group: Sequence[Comparison]) -> tuple[float, ...]:
    """Return the thresholds of an ordering, nothing for another operator."""
    return tuple(map(_threshold, group)) if group[0].op in _ORDERINGS else ()


def holding_of(group: Sequence[Comparison]) -> dict[Scalar, tuple[int, ...]] | None:
    """Index equalities by value; None if some compare numbers, which equal texts that spell them."""
    if group[0].op != "in":
        return None
    holding: dict[Scalar, tuple[int, ...]] = {}
    for i, test in enumerate(group):
        for value in test.operand if isinstance(test.operand, tuple) else ():
            if not isinstance(value, str):
                return None
            holding[value] = (*holding.get(value, ()), i)
    return holding


def _threshold(test: Comparison) -> float:
    return test.operand if isinstance(test.operand, (int, float)) else 0.0
