"""How windows make a verdict: by the highest one (`Peak`) or by all of them together (`Pool`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

#: Shorter texts are scored as if they had this many tokens: two words prove little.
FEWEST_TOKENS = 4


@dataclass(frozen=True, slots=True)
class Scale:
    """Windows of one size and the sigmoid that turns their scores into probabilities."""

    n_tokens: int
    slope: float
    bias: float

    def logits(self, sums: NDArray[np.int64], n_tokens: int) -> NDArray[np.float64]:
        """Log-odds of windows of `n_tokens`, which is less than the size only in a shorter text."""
        scores = sums.astype(np.float64) / math.sqrt(max(n_tokens, FEWEST_TOKENS))
        logits: NDArray[np.float64] = self.slope * scores + self.bias
        return logits


@dataclass(frozen=True, slots=True)
class Peak:
    """Reads the highest window, over windows of several sizes.

    A text shorter than the largest size is one window of that size; its smaller windows count less.

    Attributes
    ----------
    labels
        The negative label, then the positive one.
    scales
        Ascending by size.
    thresholds
        ``(n_tokens, threshold)`` ascending in both: a text of up to n_tokens is positive from this P on.
    short_margin
        Log-odds by which a window must be plainer in a text shorter than the largest size, at least 0: read as a whole,
        such a text tells more than its plainest words do.

    Examples
    --------
    >>> peak = Peak(("benign", "jailbreak"), (Scale(16, 1.0, 0.0),), ((1000, 0.5), (math.inf, 0.9)), 2.0)
    >>> peak.threshold, peak.threshold_at(300)
    (0.9, 0.5)
    """

    labels: tuple[str, str]
    scales: tuple[Scale, ...]
    thresholds: tuple[tuple[float, float], ...]
    short_margin: float = 0.0

    @property
    def threshold(self) -> float:
        """The largest threshold: from here on a text of any length is positive."""
        return self.thresholds[-1][1]

    def threshold_at(self, n_tokens: int) -> float:
        """Threshold for a text of so many tokens."""
        return next(threshold for limit, threshold in self.thresholds if n_tokens <= limit)

    def window_threshold(self, n_tokens: int) -> float:
        """P from which a window of such a text is worth a second look: the threshold of a text not much longer."""
        return self.threshold_at(min(n_tokens, self.scales[-1].n_tokens))

    def margin(self, scale: Scale, n_tokens: int) -> float:
        """Log-odds to take off windows of a size in a text of so many tokens; never more when the text grows."""
        return self.short_margin if scale.n_tokens < self.scales[-1].n_tokens > n_tokens else 0.0


@dataclass(frozen=True, slots=True)
class Pool:
    """Reads the whole text: a softmax over the mean weights, as sure as `most_tokens` tokens can make it.

    Attributes
    ----------
    slope, biases
        Calibration: multiplies the scores; is added for each label.
    threshold
        Probability from which the likeliest label can be trusted.
    window_tokens
        Size of the windows that a screen scores.
    """

    labels: tuple[str, ...]
    slope: float
    biases: tuple[float, ...]
    most_tokens: int
    threshold: float
    window_tokens: int

    def probabilities(self, sums: NDArray[np.int64], n_tokens: NDArray[np.int64]) -> NDArray[np.float64]:
        """P(label), shape (n, n_labels), for sums of that shape over n_tokens of shape (n,)."""
        counts = np.maximum(n_tokens, FEWEST_TOKENS)
        sureness = np.sqrt(np.minimum(counts, self.most_tokens)) / counts
        logits = self.slope * sums * sureness[:, None] + np.asarray(self.biases)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
        return shares


Reading: TypeAlias = Union[Peak, Pool]


def sigmoid(logit: float) -> float:
    """Turn log-odds into a probability, never quite 0 or 1."""
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, logit))))


def sigmoids(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn log-odds into probabilities, as `sigmoid` does."""
    shares: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(logits, -50.0, 50.0)))
    return shares
