"""What screens say about units: a score each, and the order in which flagged units are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from routekit.errors import UsageError, quoted
from routekit.tensors import WindowScores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from routekit.compression.analysis import Analysis
    from routekit.tensors import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ScreenedUnits:
    """One screen's view of the units.

    Attributes
    ----------
    scores
        shape (n_units,), in [0, 1]: the highest of the windows that overlap the unit, 0 where there is none. A window
        that reaches only in part into a unit counts by the root of that part, so that a sentence next to the telling
        one does not take its place.
    flagged
        shape (n_units,), bool: a window at or over the threshold overlaps the unit.
    focus
        shape (n_units,), int64: where the highest flagged window begins, -1 where there is none.
    context
        shape (n_units, 2), int64: range of the units before the unit's highest window that its score depends on.
    """

    name: str
    threshold: float
    scores: FloatArray
    flagged: NDArray[np.bool_]
    focus: IntArray
    context: IntArray

    @property
    def flags(self) -> bool:
        """Whether this screen can flag text, not only rank it."""
        return self.threshold < np.inf

    def before(self, unit: int) -> tuple[int, int]:
        """Give the context of a unit."""
        return int(self.context[unit, 0]), int(self.context[unit, 1])


def screen_units(screen: WindowScores, bounds: IntArray) -> ScreenedUnits:
    """Carry the scores of windows over to the units they overlap.

    Raises
    ------
    UsageError
        If the arrays do not fit each other or the text.
    """
    spans, window_scores, contexts = _checked(screen, int(bounds[-1]))
    first = np.searchsorted(bounds, spans[:, 0], side="right") - 1
    last = np.searchsorted(bounds, spans[:, 1], side="left")
    n_units = len(bounds) - 1
    scores = np.zeros(n_units)
    widths = last - first
    offsets = np.arange(widths.sum()) - np.repeat(np.cumsum(widths) - widths, widths)
    units = np.repeat(first, widths) + offsets
    shares = _shares(bounds, units, np.repeat(spans, widths, axis=0))
    in_units = np.repeat(window_scores, widths) * np.sqrt(shares)
    np.maximum.at(scores, units, in_units)
    is_highest = in_units == scores[units]
    context = np.full((n_units, 2), n_units)
    reached = np.stack((np.searchsorted(bounds, contexts, side="right") - 1, first), axis=1)
    np.minimum.at(context, units[is_highest], np.repeat(reached, widths, axis=0)[is_highest])
    focus = np.full(n_units, -1, np.int64)
    over = np.flatnonzero(window_scores >= screen.threshold)
    for window in over[np.argsort(window_scores[over], kind="stable")].tolist():
        focus[first[window] : last[window]] = spans[window, 0]
    return ScreenedUnits(screen.name, screen.threshold, scores, focus >= 0, focus, context)


def _shares(bounds: IntArray, units: IntArray, spans: IntArray) -> FloatArray:
    """Return how much of the shorter of a unit and a window lies in the other, shape (n,), in (0, 1]."""
    starts, ends = bounds[units], bounds[units + 1]
    common = np.minimum(ends, spans[:, 1]) - np.maximum(starts, spans[:, 0])
    shares: FloatArray = common / np.minimum(ends - starts, spans[:, 1] - spans[:, 0])
    return shares


def _checked(screen: WindowScores, n_characters: int) -> tuple[IntArray, FloatArray, IntArray]:
    spans, scores = np.asarray(screen.spans, np.int64), np.asarray(screen.scores, np.float64)
    name = quoted(screen.name)
    if spans.size == 0 and scores.size == 0:
        return np.zeros((0, 2), np.int64), np.zeros(0), np.zeros(0, np.int64)
    if spans.ndim != 2 or spans.shape[1] != 2 or scores.shape != spans.shape[:1]:
        raise UsageError(f"screen {name}: spans {spans.shape} and scores {scores.shape}; allowed: (n, 2) and (n,)")
    if spans.min() < 0 or spans.max() > n_characters or (spans[:, 1] < spans[:, 0]).any():
        raise UsageError(f"screen {name}: spans reach outside the text of {n_characters} characters; screen this text")
    if not isinstance(screen.threshold, Real) or np.isnan(screen.threshold):
        raise UsageError(f"screen {name}: its threshold is no number; allowed: a number, infinity for one that ranks")
    if not np.isfinite(scores).all():
        raise UsageError(f"screen {name}: scores hold NaN or infinity; allowed: numbers in [0, 1]")
    contexts = spans[:, 0] if screen.contexts is None else np.asarray(screen.contexts, np.int64)
    if contexts.shape != scores.shape or contexts.min() < 0 or (contexts > spans[:, 0]).any():
        raise UsageError(f"screen {name}: contexts {contexts.shape}; allowed: for each window 0 to its start")
    filled = spans[:, 1] > spans[:, 0]
    return spans[filled], scores[filled], contexts[filled]


def fair_order(channels: Sequence[tuple[FloatArray, float]]) -> list[tuple[int, int]]:
    """Order units so that every channel gets its share of any prefix, its own highest scores first.

    Parameters
    ----------
    channels
        Scores of all units, shape (n_units,), with a weight of at least 0; -inf keeps a unit out of a channel.

    Returns
    -------
    units that some channel wants, once each, with the number of the channel that proposes it. A unit that is k-th in a
    channel of weight w is due at (k - 1) / w, and comes when it is due first, so the highest of each channel come
    before all others. Adding scores up instead would let a channel that likes everything drown the others.

    Examples
    --------
    >>> fair_order([(np.array([0.9, 0.8, 0.7, 0.0]), 1.0), (np.array([0.1, 0.1, 0.1, 0.5]), 1.0)])
    [(0, 0), (3, 1), (1, 0), (2, 0)]
    """
    due = np.full(len(channels[0][0]) if channels else 0, np.inf)
    channel = np.zeros(len(due), np.int64)
    for number, (scores, weight) in enumerate(channels):
        wanted = np.argsort(-scores, kind="stable")[: np.isfinite(scores).sum() if weight else 0]
        ranks = np.arange(len(wanted)) / (weight or 1.0)
        sooner = ranks < due[wanted]
        due[wanted[sooner]], channel[wanted[sooner]] = ranks[sooner], number
    order = np.argsort(due, kind="stable")[: np.isfinite(due).sum()]
    return list(zip(order.tolist(), channel[order].tolist(), strict=True))


def flagged_order(screens: Sequence[ScreenedUnits], analysis: Analysis) -> list[int]:
    """Order the flagged units: each screen's highest first, the screens in turn, so that none crowds out another.

    A unit that repeats an earlier one in between the same neighbours is left out: it was read there, seams included.
    """
    flagged = [(np.where(screen.flagged, screen.scores, -np.inf), 1.0) for screen in screens]
    order = [unit for unit, _ in fair_order(flagged)]
    fresh = set(_first_in_context(sorted(order), analysis))
    return [unit for unit in order if unit in fresh]


def _first_in_context(units: list[int], analysis: Analysis) -> list[int]:
    bounds, text = analysis.bounds.tolist(), analysis.text
    n_units = len(bounds) - 1

    def content(unit: int) -> str:
        return text[bounds[unit] : bounds[unit + 1]].strip() if 0 <= unit < n_units else ""

    seen: dict[tuple[str, str, str], int] = {}
    for unit in units:
        seen.setdefault((content(unit - 1), content(unit), content(unit + 1)), unit)
    return list(seen.values())
