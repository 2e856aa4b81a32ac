"""Fits linear models on hashed n-grams with SciPy: sparse rows of windows, logistic and softmax regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.optimize import minimize

from routekit.ngrams import NO_FEATURE, Keys, NgramStream
from routekit.readings import FEWEST_TOKENS

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


def text_keys(text: str, kinds: Sequence[str]) -> Keys:
    """Feature keys of a text, shape (n_kinds, n_tokens)."""
    stream = NgramStream(kinds)
    keys, _ = stream.feed(text)
    whole: Keys = np.concatenate((keys, stream.close()[0]), axis=1)
    return whole


def token_weights(keys: Keys, table: Any) -> Floats:
    """Sum the weights of the features that end at each token, shape (n_tokens, n_labels)."""
    n_bits = len(table).bit_length() - 1
    weights: Floats = table[(keys >> np.uint64(64 - n_bits)).view(np.int64)].sum(axis=0, dtype=np.float64)
    return weights


def highest_window(weights: Floats, sizes: Sequence[int], margins: Sequence[float], short_margin: float) -> float:
    """Score a text by its highest window, without the bias, as `routekit.readings.Peak` does.

    Parameters
    ----------
    weights
        One for each token.
    margins
        Taken off the windows of each size.
    short_margin
        Taken off all windows but the largest, too, in a text shorter than that.
    """
    n_tokens, largest = len(weights), sizes[-1]
    sums = np.concatenate(([0.0], np.cumsum(weights)))
    best = -np.inf
    for size, margin in zip(sizes, margins, strict=True):
        if size <= n_tokens or size == largest:
            width = min(size, n_tokens)
            highest = float((sums[width:] - sums[: n_tokens - width + 1]).max()) / max(width, FEWEST_TOKENS) ** 0.5
            best = max(best, highest - margin - (short_margin if size < largest and n_tokens < largest else 0.0))
    return best


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Windows of texts as sparse rows.

    Attributes
    ----------
    matrix
        shape (n_windows, 2**n_bits): counts over the root of the number of tokens.
    owner
        shape (n_windows,): the text that each one comes from.
    size
        shape (n_windows,): the window size it was cut with.
    """

    matrix: Any
    owner: Ints
    size: Ints


def common_keys(keys: Sequence[Keys], least: int) -> Keys:
    """Give the keys that at least so many texts have, ascending; rarer features say nothing of the next text."""
    found, n_texts = np.unique(np.concatenate([np.unique(text) for text in keys]), return_counts=True)
    common: Keys = found[(n_texts >= least) & (found != NO_FEATURE)]
    return common


def cut(keys: Sequence[Keys], common: Keys, sizes: Sequence[int], n_bits: int, *, most: int, seed: int = 0) -> Rows:
    """Cut texts into windows with half overlap, of each size at most `most` for a text, drawn at random.

    Only common features are kept; a column is a row of the model's table.
    """
    rng = np.random.default_rng(seed)
    columns, counts, values, owner, size = [], [0], [], [], []
    for index, text in enumerate(keys):
        place = np.minimum(np.searchsorted(common, text), len(common) - 1)
        is_common = common[place] == text
        buckets = (text >> np.uint64(64 - n_bits)).astype(np.int32)
        n_tokens = text.shape[1]
        for width in (width for width in sizes if width < n_tokens or width == sizes[-1]):
            starts = np.arange(0, max(1, n_tokens - width // 2), width // 2)
            for start in starts if len(starts) <= most else np.sort(rng.choice(starts, most, replace=False)):
                window = slice(start, start + width)
                columns.append(buckets[:, window][is_common[:, window]])
                counts.append(len(columns[-1]))
                values.append(1.0 / np.sqrt(max(buckets[:, window].shape[1], FEWEST_TOKENS)))
                owner.append(index)
                size.append(width)
    data = np.repeat(np.asarray(values, np.float32), counts[1:])
    shape = (len(owner), 1 << n_bits)
    matrix = sp.csr_matrix((data, np.concatenate(columns), np.cumsum(counts)), shape=shape)
    return Rows(matrix, np.asarray(owner), np.asarray(size))


def fit_softmax(
    matrix: Any, labels: Ints, weights: Floats, n_labels: int, l2: float, n_steps: int
) -> tuple[Any, Floats]:
    """Fit a table (2**n_bits, n_labels) and a bias by L-BFGS; two labels need one column only."""
    columns = np.unique(matrix.indices)
    kept = matrix[:, columns].astype(np.float32)
    transposed = kept.T.tocsr()
    n_out = 1 if n_labels == 2 else n_labels
    share = (weights / weights.sum()).astype(np.float32)[:, None]
    truth = np.zeros((len(labels), n_labels), np.float32)
    truth[np.arange(len(labels)), labels] = 1

    def loss(flat: Floats) -> tuple[float, Floats]:
        table = flat.reshape(len(columns) + 1, n_out).astype(np.float32)
        logits = kept @ table[:-1] + table[-1]
        if n_out == 1:
            logits = np.hstack((np.zeros_like(logits), logits))
        logits -= logits.max(axis=1, keepdims=True)
        log_sum = np.log(np.exp(logits).sum(axis=1, keepdims=True))
        value = -(share * truth * (logits - log_sum)).sum() + 0.5 * l2 * (table[:-1] ** 2).sum()
        slope = (share * (np.exp(logits - log_sum) - truth))[:, -n_out:]
        gradient = np.vstack((transposed @ slope + l2 * table[:-1], slope.sum(axis=0, keepdims=True)))
        return float(value), gradient.ravel().astype(np.float64)

    start = np.zeros((len(columns) + 1) * n_out)
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": n_steps, "maxcor": 5}).x
    table = np.zeros((matrix.shape[1], n_out), np.float32)
    table[columns] = best.reshape(-1, n_out)[:-1]
    return table, best.reshape(-1, n_out)[-1]


def fit_sigmoid(scores: Floats, labels: Ints, weights: Floats) -> tuple[float, float]:
    """Fit P = sigmoid(slope * score + bias), Platt's calibration; the slope never falls below 0."""

    def loss(pair: Floats) -> float:
        logits = abs(pair[0]) * scores + pair[1]
        return float((weights * np.logaddexp(0, np.where(labels, -logits, logits))).sum() / weights.sum())

    slope, bias = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x
    return abs(float(slope)), float(bias)


def balance(groups: Sequence[object], at_most: int) -> Floats:
    """Weigh rows so that a group counts for at most so many of them."""
    _, group, sizes = np.unique([str(g) for g in groups], return_inverse=True, return_counts=True)
    return np.minimum(1.0, at_most / sizes)[group]


def quantized(table: Any, clip: float = 0.9995) -> tuple[NDArray[np.int8], float]:
    """Round a table to int8; return it and what one step is worth. Rare extreme weights are clipped."""
    magnitudes = np.abs(table[table != 0])
    step = float(np.quantile(magnitudes, clip)) / 127
    rounded = np.clip(np.rint(table / step), -127, 127).astype(np.int8)
    rounded[0] = 0
    return rounded, step
