"""A measured share with the interval that the number of requests allows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Two-sided 95 %.
Z = 1.959963984540054
#: Draws and seed of a bootstrap: enough for the third digit, and the same every time.
N_DRAWS, SEED = 2000, 20_260_101


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval.

    Attributes
    ----------
    n
        Requests that it was measured on.

    Examples
    --------
    >>> print(proportion(19, 20))
    0.950 (0.764 to 0.991)
    """

    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"

    def to_dict(self) -> dict[str, float]:
        """Give the four fields, JSON-ready."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.n}


def proportion(k: int, n: int) -> Estimate | None:
    """Estimate a share from k hits among n, with the interval of Wilson; None without requests.

    Examples
    --------
    >>> estimate = proportion(0, 10)
    >>> estimate.value, estimate.low, round(estimate.high, 4)
    (0.0, 0.0, 0.2775)

    References
    ----------
    Wilson 1927; recommended over the normal approximation by Brown, Cai and DasGupta 2001.
    """
    if n == 0:
        return None
    share, z2 = k / n, Z * Z
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # The formula touches 0 and 1 exactly; rounding must not leave the value outside its own interval.
    low = 0.0 if k == 0 else max(0.0, min(share, centre - half))
    high = 1.0 if k == n else min(1.0, max(share, centre + half))
    return Estimate(share, low, high, n)


def paired_difference(n_gained: int, n_lost: int, n: int) -> Estimate | None:
    """Estimate ``(gained - lost) / n``, the change of a share measured twice on the same requests.

    Examples
    --------
    >>> print(paired_difference(12, 2, 100))
    0.100 (0.026 to 0.170)

    References
    ----------
    The adjusted interval of Agresti and Min 2005: half a request is added to each of the four cells.
    """
    if n == 0:
        return None
    total, gained, lost = n + 2, n_gained + 0.5, n_lost + 0.5
    centre = (gained - lost) / total
    half = Z * math.sqrt(max(0.0, gained + lost - (gained - lost) ** 2 / total)) / total
    value = (n_gained - n_lost) / n
    return Estimate(value, max(-1.0, min(value, centre - half)), min(1.0, max(value, centre + half)), n)


def mcnemar(n_gained: int, n_lost: int) -> float:
    """Give the probability of a change at least this one-sided if gains and losses were equally likely: exact.

    Examples
    --------
    >>> mcnemar(0, 0), mcnemar(5, 0), round(mcnemar(12, 2), 4)
    (1.0, 0.0625, 0.0129)

    References
    ----------
    McNemar 1947; the exact form is the two-sided binomial test.
    """
    n, fewer = n_gained + n_lost, min(n_gained, n_lost)
    if n_gained == n_lost:
        return 1.0
    logs = np.array([math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(fewer + 1)])
    return min(1.0, 2 * float(np.exp(logs - n * math.log(2)).sum()))


def f1_score(tp: int, fp: int, fn: int, tn: int) -> Estimate | None:
    """Estimate F1 with a bootstrap over the four cells; None where nothing is positive by either side."""
    if tp + fp + fn == 0:
        return None
    n = tp + fp + fn + tn
    draws = np.random.default_rng(SEED).multinomial(n, np.array([tp, fp, fn, tn]) / n, size=N_DRAWS)
    hits, misses = 2 * draws[:, 0], draws[:, 1] + draws[:, 2]
    scores = np.divide(hits, hits + misses, out=np.zeros(N_DRAWS), where=hits + misses > 0)
    value = 2 * tp / (2 * tp + fp + fn)
    low, high = np.quantile(scores, [0.025, 0.975]).tolist()
    return Estimate(value, min(value, low), max(value, high), n)


def auc(scores: NDArray[np.float64], truth: NDArray[np.bool_]) -> Estimate | None:
    """Estimate the area under the ROC curve; ties count half. None unless both classes occur.

    Parameters
    ----------
    scores, truth
        shape (n,).

    Examples
    --------
    >>> print(auc(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True])))
    0.750 (0.227 to 0.967)

    References
    ----------
    The interval is method 5 of Newcombe 2006, which, unlike DeLong's, does not shrink to a point at 0 and 1.
    """
    positive, negative = scores[truth], scores[~truth]
    m, n = positive.size, negative.size
    if not m or not n:
        return None
    ascending = np.sort(negative)
    below = np.searchsorted(ascending, positive, "left") + np.searchsorted(ascending, positive, "right")
    value = float(below.sum()) / (2 * m * n)
    return Estimate(value, _auc_end(value, 0.0, m, n), _auc_end(value, 1.0, m, n), m + n)


def _auc_end(value: float, end: float, m: int, n: int) -> float:
    """Find the area furthest towards `end` from which the measured one is no more than Z deviations away."""
    inside, outside = value, end
    for _ in range(60):
        middle = (inside + outside) / 2
        if abs(value - middle) <= Z * math.sqrt(_auc_variance(middle, m, n)):
            inside = middle
        else:
            outside = middle
    return inside


def _auc_variance(area: float, m: int, n: int) -> float:
    spread = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) * (1 + ((m + n) / 2 - 1) * spread) / (m * n)
