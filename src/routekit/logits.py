"""Raw outputs of a graph to probabilities: shapes checked, float64, stable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from routekit.errors import InferenceError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from routekit.tensors import FloatArray


def sequence_logits(raw: NDArray[Any], n_rows: int, n_labels: int) -> NDArray[Any]:
    """Bring the output of a sequence classifier to (n_rows, n_labels); axes of length 1 are dropped.

    Raises
    ------
    InferenceError
        If the shape cannot mean that.

    Examples
    --------
    >>> sequence_logits(np.zeros((2, 1, 3), np.float16), 2, 3).shape
    (2, 3)
    """
    if _wide(raw.shape[:-1]) != _wide((n_rows,)) or raw.shape[-1:] != (n_labels,):
        raise InferenceError(f"output has shape {raw.shape}; expected ({n_rows}, {n_labels}): (batch, labels)")
    return raw.reshape(n_rows, n_labels)


def token_logits(raw: NDArray[Any], n_rows: int, n_tokens: int, n_labels: int) -> NDArray[Any]:
    """Bring the output of a token classifier, 2-D to 4-D, to (n_rows, n_tokens, n_labels).

    Raises
    ------
    InferenceError
        If the shape cannot mean that.

    Examples
    --------
    >>> token_logits(np.zeros((1, 2, 5, 3)), 2, 5, 3).shape, token_logits(np.zeros((10, 3)), 2, 5, 3).shape
    ((2, 5, 3), (2, 5, 3))
    """
    allowed = (_wide((n_rows, n_tokens)), _wide((n_rows * n_tokens,)))
    if not 2 <= raw.ndim <= 4 or raw.shape[-1] != n_labels or _wide(raw.shape[:-1]) not in allowed:
        expected = f"({n_rows}, {n_tokens}, {n_labels}): (batch, tokens, labels)"
        raise InferenceError(f"output has shape {raw.shape}; expected {expected}")
    return raw.reshape(n_rows, n_tokens, n_labels)


def probabilities(logits: NDArray[Any], *, multi_label: bool) -> FloatArray:
    """Turn logits into P(label) along the last axis: softmax, or sigmoid when labels do not exclude each other.

    Returns
    -------
    float64, same shape, in [0, 1].

    Raises
    ------
    InferenceError
        If a logit is NaN or infinite.

    Examples
    --------
    >>> probabilities(np.array([[1e4, 0.0]], np.float32), multi_label=False).tolist()
    [[1.0, 0.0]]
    >>> probabilities(np.array([[0.0, -1e4]], np.float32), multi_label=True).tolist()
    [[0.5, 0.0]]
    """
    x = logits.astype(np.float64)
    n_bad = x.size - int(np.count_nonzero(np.isfinite(x)))
    if n_bad:
        raise InferenceError(
            f"{n_bad} of {x.size} logits are NaN or infinite; are the weights damaged, or float16 ones?"
        )
    if multi_label:
        small = np.exp(-np.abs(x))
        return np.where(x >= 0, 1 / (1 + small), small / (1 + small))
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _wide(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for n in shape if n != 1)
