"""How well scores tell two classes apart, with intervals: what every table of `quality.py` is made of.

Intervals are 95 %: Wilson's for shares, the percentiles of 300 stratified bootstrap samples for the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
N_SAMPLES = 300
N_BINS = 10


def share(n_hits: int, n: int, z: float = 1.96) -> dict[str, Any]:
    """Give a share with its interval.

    Examples
    --------
    >>> share(1, 4)
    {'value': 0.25, 'low': 0.0456, 'high': 0.6994, 'n': 4}
    """
    if n == 0:
        return {"value": None, "n": 0}
    value, square = n_hits / n, z * z / n
    middle = (value + square / 2) / (1 + square)
    half = z * math.sqrt(value * (1 - value) / n + square / (4 * n)) / (1 + square)
    return {**_rounded(value, max(0.0, middle - half), min(1.0, middle + half)), "n": n}


def separation(attacks: Floats, benign: Floats, threshold: float = 0.5) -> dict[str, Any]:
    """Measure P of attacks against P of harmless texts.

    Returns
    -------
    ``auc``; ``recall_at_1`` and ``recall_at_5``, the share of attacks over the P that so many per cent of the harmless
    texts reach; ``f1`` at a threshold; ``ece``, the expected calibration error over ten bins; both classes weigh alike
    in the last two.
    """
    rng = np.random.default_rng(1)
    measures: dict[str, Callable[[Floats, Floats], float]] = {
        "auc": area,
        "recall_at_1": lambda a, b: recall_at(a, b, 0.01),
        "recall_at_5": lambda a, b: recall_at(a, b, 0.05),
        "f1": lambda a, b: f1(a, b, threshold),
        "ece": calibration_error,
    }
    drawn: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(N_SAMPLES):
        some, others = rng.choice(attacks, len(attacks)), rng.choice(benign, len(benign))
        for name, measure in measures.items():
            drawn[name].append(measure(some, others))
    found: dict[str, Any] = {name: _between(measures[name](attacks, benign), drawn[name]) for name in measures}
    return {**found, "n_attacks": len(attacks), "n_benign": len(benign)}


def area(positive: Floats, negative: Floats) -> float:
    """Area under the ROC curve.

    Examples
    --------
    >>> area(np.array([0.9, 0.4]), np.array([0.1, 0.4]))
    0.875
    """
    order = np.sort(negative)
    below = (np.searchsorted(order, positive, "left") + np.searchsorted(order, positive, "right")) / 2
    return float(below.mean() / len(order))


def recall_at(positive: Floats, negative: Floats, false_positives: float) -> float:
    """Share of positives above the score that at most this share of the negatives exceed."""
    n_allowed = int(false_positives * len(negative))
    return float((positive > np.sort(negative)[len(negative) - 1 - n_allowed]).mean())


def f1(positive: Floats, negative: Floats, threshold: float) -> float:
    found, false = float((positive >= threshold).mean()), float((negative >= threshold).mean())
    return 2 * found / (1 + found + false)


def calibration_error(positive: Floats, negative: Floats) -> float:
    """Mean distance of P from the share of positives over equally wide bins, both classes weighing alike."""
    scores = np.concatenate([positive, negative])
    weights = np.concatenate([np.full(len(positive), 0.5 / len(positive)), np.full(len(negative), 0.5 / len(negative))])
    labels = np.arange(len(scores)) < len(positive)
    bins = np.minimum((scores * N_BINS).astype(int), N_BINS - 1)
    told = np.bincount(bins, weights * scores, N_BINS)
    true = np.bincount(bins, weights * labels, N_BINS)
    return float(np.abs(told - true).sum())


def accuracy(predicted: Sequence[str], truth: Sequence[str], sure: Sequence[float]) -> dict[str, Any]:
    """Share of right labels, the calibration error of P of the chosen one, and macro F1 where there are several."""
    right = np.array([p == t for p, t in zip(predicted, truth, strict=True)])
    chosen = np.asarray(sure)
    rng = np.random.default_rng(1)
    pairs = np.array([predicted, truth])
    samples = [rng.integers(0, len(truth), len(truth)) for _ in range(N_SAMPLES // 3)]
    found: dict[str, Any] = {
        **share(int(right.sum()), len(right)),
        "ece": _between(_top_error(chosen, right), [_top_error(chosen[sample], right[sample]) for sample in samples]),
    }
    if len(set(truth)) > 1:
        found["macro_f1"] = _between(macro_f1(pairs), [macro_f1(pairs[:, sample]) for sample in samples])
    return found


def macro_f1(pairs: NDArray[np.str_]) -> float:
    """Mean F1 over the labels in the second row, the truth."""
    scores = []
    for label in np.unique(pairs[1]):
        hits, n = ((pairs[0] == label) & (pairs[1] == label)).sum(), (pairs == label).sum()
        scores.append(2 * hits / n)
    return float(np.mean(scores))


def _top_error(sure: Floats, right: NDArray[np.bool_]) -> float:
    bins = np.minimum((sure * N_BINS).astype(int), N_BINS - 1)
    return float(np.abs(np.bincount(bins, sure, N_BINS) - np.bincount(bins, right, N_BINS)).sum() / len(sure))


def spans_f1(counts: NDArray[np.int64]) -> dict[str, Any]:
    """Precision, recall and F1 from hits, false and missed spans of each text, shape (n_texts, 3)."""
    rng = np.random.default_rng(1)
    drawn = [_f1_of(counts[rng.integers(0, len(counts), len(counts))].sum(axis=0)) for _ in range(N_SAMPLES)]
    hits, false, missed = (int(total) for total in counts.sum(axis=0))
    return {
        "f1": _between(_f1_of(counts.sum(axis=0)), drawn),
        "precision": round(hits / max(1, hits + false), 4),
        "recall": round(hits / max(1, hits + missed), 4),
        "n_spans": hits + missed,
        "n_texts": len(counts),
    }


def _f1_of(total: NDArray[np.int64]) -> float:
    return float(2 * total[0] / max(1, 2 * total[0] + total[1] + total[2]))


def _between(value: float, drawn: Sequence[float]) -> dict[str, float]:
    low, high = np.percentile(drawn, (2.5, 97.5))
    return _rounded(value, float(low), float(high))


def _rounded(value: float, low: float, high: float) -> dict[str, float]:
    return {"value": round(value, 4), "low": round(low, 4), "high": round(high, 4)}
