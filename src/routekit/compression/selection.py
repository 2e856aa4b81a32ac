"""Which units are kept: flagged ones, then the edges, then by score, until the tokens are spent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from routekit.compression.budget import TokenCounter
from routekit.compression.duplicates import Redundancy
from routekit.compression.units import cluster_start
from routekit.request import SEAM

if TYPE_CHECKING:
    from routekit.compression.analysis import Analysis

#: The edges of a text may take this share of the budget; past that they compete by score.
EDGE_SHARE: Final = 0.125
#: A window shorter than this many tokens says nothing.
MIN_WINDOW_TOKENS: Final = 8

Range = tuple[int, int]


class Selection:
    """Takes units until a budget is spent; a unit that no longer fits is cut to a window, and that ends it."""

    def __init__(self, analysis: Analysis, counter: TokenCounter, max_tokens: int) -> None:
        self._text, self._bounds = analysis.text, analysis.bounds.tolist()
        self._counter, self._max_tokens = counter, max_tokens
        self._left = max_tokens - counter.overhead
        self._taken: dict[int, Range] = {}  # in the order of taking
        self._redundancy = Redundancy(analysis.matrix)

    def take_flagged(
        self, units: Iterable[int], focus: Mapping[int, int], context: Mapping[int, Range], share: float
    ) -> None:
        """Take flagged units, however alike, up to a share of the budget.

        A unit cut to a window is cut to what was flagged in it.
        """
        kept_back = int(self._left * (1.0 - share))
        self._left -= kept_back
        for unit in units:
            if self._left <= 0:
                break
            self._take(unit, focus[unit])
            self._take_context(context[unit])
        self._left += kept_back

    def take_edges(self, units: Iterable[int]) -> None:
        """Take units that fit whole into the edges' share."""
        allowed = int(self._left * EDGE_SHARE)
        for unit in units:
            if unit in self._taken or self._redundancy.repeats(unit):
                continue
            cost = self._cost(unit)
            if cost <= allowed:
                allowed -= cost
                self._take(unit)

    def take_best(self, units: Iterable[tuple[int, Range]]) -> None:
        """Take units in the given order, each with its context; none that repeats a taken one."""
        for unit, context in units:
            if self._left <= 0:
                return
            if unit not in self._taken and not self._redundancy.repeats(unit):
                self._take(unit)
                self._take_context(context)

    def take_around(self, units: Sequence[int]) -> None:
        """Spend what is left on the surroundings of units, the nearest first, repetitions or not."""
        n_units = len(self._bounds) - 1
        for distance in range(1, n_units if units else 0):
            for near in (unit + side * distance for unit in units for side in (1, -1)):
                if self._left <= 0:
                    return
                if 0 <= near < n_units:
                    self._take(near)

    def _take_context(self, units: Range) -> None:
        """Take what a score depends on, the nearest first, as far as the units fit whole."""
        for unit in range(units[1] - 1, units[0] - 1, -1):
            if unit not in self._taken:
                if self._cost(unit) > self._left:
                    return
                self._take(unit)

    def result(self) -> tuple[str, tuple[Range, ...], int]:
        """Return the kept text, its ranges and its tokens, counted after joining; what was taken last gives way."""
        while True:
            spans = self._spans()
            text = SEAM.join(self._text[a:b] for a, b in spans)
            n_tokens = self._counter.total(text)
            if n_tokens <= self._max_tokens:
                return text, spans, n_tokens
            self._give_back(n_tokens - self._max_tokens)

    def _cost(self, unit: int) -> int:
        """Count a unit and what joins it to the text: the white space next to a taken one, or a seam."""
        start, end = self._stripped(unit)
        n_tokens = self._counter.cost(start, end)
        if not self._taken or start == end:
            return n_tokens
        before, after = unit - 1 in self._taken, unit + 1 in self._taken
        n_tokens += self._counter.cost(self._stripped(unit - 1)[1], start) if before else 0
        n_tokens += self._counter.cost(end, self._stripped(unit + 1)[0]) if after else 0
        return n_tokens + (not before and not after)

    def _stripped(self, unit: int) -> Range:
        start, end = self._bounds[unit], self._bounds[unit + 1]
        text = self._text[start:end].rstrip()
        return (start + len(text) - len(text.lstrip()), start + len(text)) if text else (start, start)

    def _take(self, unit: int, focus: int = -1) -> None:
        if unit in self._taken:
            return
        start, end = self._bounds[unit], self._bounds[unit + 1]
        cost = self._cost(unit)
        if cost > self._left:
            start = max(start, focus)
            end = self._window_end(start, end, self._left - 1)
            self._left = 0
            if end == start:
                return
        self._left -= min(cost, self._left)
        self._taken[unit] = (start, end)
        self._redundancy.take(unit)

    def _window_end(self, start: int, end: int, n_tokens: int) -> int:
        """Cut a range to a window of at most `n_tokens`, at a space if one is near; `start` if that says nothing."""
        if n_tokens < MIN_WINDOW_TOKENS:
            return start
        cut = self._counter.fit(start, end, n_tokens)
        if cut in (start, end):
            return cut
        space = self._text.rfind(" ", start + (cut - start) // 2, cut)
        return space if space > start else cluster_start(self._text, cut, start)

    def _give_back(self, n_tokens: int) -> None:
        unit, (start, end) = self._taken.popitem()
        cut = self._window_end(start, end, self._counter.cost(start, end) - n_tokens)
        if start < cut < end:
            self._taken[unit] = (start, cut)

    def _spans(self) -> tuple[Range, ...]:
        """Merge what touches and strip white space at the ends of every run."""
        runs: list[Range] = []
        for start, end in sorted(self._taken.values()):
            if runs and runs[-1][1] == start:
                runs[-1] = (runs[-1][0], end)
            else:
                runs.append((start, end))
        return stripped(self._text, runs)


def stripped(text: str, ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Take white space off both ends of every range, and ranges away that hold nothing else.

    Examples
    --------
    >>> stripped("a b  c", [(0, 2), (3, 5), (4, 6)])
    ((0, 1), (5, 6))
    """
    trimmed = ((b - len(text[a:b].lstrip()), a + len(text[a:b].rstrip())) for a, b in ranges)
    return tuple((a, b) for a, b in trimmed if a < b)


def edge_order(n_units: int, keep_first: int, keep_last: int) -> list[int]:
    """Alternate between the first and the last units, outermost first.

    Examples
    --------
    >>> edge_order(10, 3, 2)
    [0, 9, 1, 8, 2]
    """
    first = range(min(keep_first, n_units))
    last = range(n_units - 1, max(n_units - 1 - keep_last, -1), -1)
    order: dict[int, None] = {}
    for at in range(max(len(first), len(last))):
        order.update(dict.fromkeys([*first[at : at + 1], *last[at : at + 1]]))
    return list(order)


def remainder(ranges: Iterable[Range], kept: Iterable[Range]) -> tuple[Range, ...]:
    """Subtract kept ranges from others; both ascending and disjoint. What touches is merged.

    Examples
    --------
    >>> remainder([(0, 10), (10, 20)], [(5, 8)])
    ((0, 5), (8, 20))
    """
    left: list[Range] = []
    kept = list(kept)
    at = 0
    for start, end in ranges:
        while at < len(kept) and kept[at][1] <= start:
            at += 1
        ahead = at
        while ahead < len(kept) and kept[ahead][0] < end:
            _append(left, start, kept[ahead][0])
            start = max(start, kept[ahead][1])
            ahead += 1
        _append(left, start, end)
    return tuple(left)


def _append(ranges: list[Range], start: int, end: int) -> None:
    if end <= start:
        return
    if ranges and ranges[-1][1] == start:
        ranges[-1] = (ranges[-1][0], end)
    else:
        ranges.append((start, end))
