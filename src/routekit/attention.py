"""The attention op that routekit ships for ONNX Runtime: where its library is, and what it computes.

The op is ``routekit::FlashAttention`` (domain ``"routekit"``, version 1). Inputs are Q ``[batch, heads, queries,
head_dim]``, K and V ``[batch, heads, keys, head_dim]`` and, optionally, a bias that is added to the scores, ``[batch or
1, heads or 1, queries or 1, keys]``; the output has the shape of Q. Attributes: ``scale`` (0, the default: 1 /
sqrt(head_dim)), ``window_left`` and ``window_right`` (-1, the default: open), ``allow_bf16`` (1: products may use
bfloat16 where the processor multiplies it faster). `attention_reference` says the rest.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from routekit.errors import BackendUnavailable, UsageError

if TYPE_CHECKING:
    from routekit.tensors import FloatArray

__all__ = ["DOMAIN", "attention_reference", "library_path", "register_attention"]

DOMAIN = "routekit"

_LIBRARY = Path(__file__).parent / "native" / "librk_flash_attention.so"
#: Times log2(e), what lies below this is minus infinity in float32: such a bias masks its key.
_MASKED = -np.finfo(np.float32).max / np.log2(np.e)


class SessionOptions(Protocol):
    """The part of ``onnxruntime.SessionOptions`` that registration needs."""

    def register_custom_ops_library(self, path: str, /) -> None: ...


def library_path() -> Path | None:
    """Find the op's library; None when the package was installed without a compiler.

    Examples
    --------
    >>> path = library_path()
    >>> path is None or path.name
    'librk_flash_attention.so'
    """
    return _LIBRARY if _LIBRARY.is_file() else None


def register_attention(options: SessionOptions) -> Path:
    """Make ``routekit::FlashAttention`` known to the sessions made with these options.

    Returns
    -------
    The library that was registered.

    Raises
    ------
    BackendUnavailable
        If the library is absent, or this ONNX Runtime refuses it.
    """
    path = library_path()
    if path is None:
        raise BackendUnavailable(
            f"{_LIBRARY.name} is not installed: routekit was built without a C++ compiler. "
            "Remedy: install GCC 12 or Clang and reinstall routekit, or use a graph without routekit::FlashAttention"
        )
    try:
        options.register_custom_ops_library(str(path))
    except Exception as error:  # the runtime's own exception types are not importable without importing it
        raise BackendUnavailable(f"onnxruntime refused {_LIBRARY.name}: {error}") from error
    return path


def attention_reference(
    q: FloatArray,
    k: FloatArray,
    v: FloatArray,
    bias: FloatArray | None = None,
    *,
    scale: float = 0.0,
    window_left: int = -1,
    window_right: int = -1,
) -> FloatArray:
    """Compute what the op computes, the plain way and in the precision of `q`: its oracle in tests and self-tests.

    Key j is visible to query i when ``i - window_left <= j <= i + window_right``; -1 leaves that side open. A bias of
    minus infinity, or so low that it stands for it (-2.36e38 and below, such as float32's lowest number), masks its
    key. A row that sees no key is zero. (A softmax over rows that are masked with a finite number throughout would
    weigh all keys alike.)

    Parameters
    ----------
    q
        shape (batch, heads, queries, head_dim).
    k, v
        shape (batch, heads, keys, head_dim).
    bias
        shape (batch or 1, heads or 1, queries or 1, keys).
    scale
        0 stands for 1 / sqrt(head_dim).
    window_left, window_right
        Keys; -1 is open.

    Returns
    -------
    shape (batch, heads, queries, head_dim), dtype of `q`. Memory is quadratic in the sequence length.

    Raises
    ------
    UsageError
        If the shapes do not fit.

    Examples
    --------
    Query 0 sees key 0 only, and key 1 is masked for query 1:

    >>> q = k = np.zeros((1, 1, 2, 1))
    >>> v = np.array([1.0, 3.0]).reshape(1, 1, 2, 1)
    >>> attention_reference(q, k, v, window_right=0).ravel().tolist()
    [1.0, 2.0]
    >>> attention_reference(q, k, v, np.array([0.0, -np.inf]).reshape(1, 1, 1, 2)).ravel().tolist()
    [1.0, 1.0]
    """
    if q.ndim != 4 or k.shape != v.shape or (*k.shape[:2], *k.shape[3:]) != (*q.shape[:2], *q.shape[3:]):
        raise UsageError(f"Q is {q.shape}, K is {k.shape}, V is {v.shape}; allowed: 4-D, K and V as Q but for the keys")
    factor = scale or 1.0 / np.sqrt(max(1, q.shape[3]))
    scores = (q @ k.swapaxes(-1, -2)) * q.dtype.type(factor)
    if bias is not None:
        scores = np.where(bias <= _MASKED, -np.inf, scores + bias)
    scores = np.where(_visible(q.shape[2], k.shape[2], window_left, window_right), scores, -np.inf)
    highest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - np.where(highest == -np.inf, 0.0, highest)).astype(q.dtype)
    total = weights.sum(axis=-1, keepdims=True)
    out: FloatArray = (weights / np.where(total == 0, 1, total)) @ v
    return out


def _visible(
    n_queries: int, n_keys: int, window_left: int, window_right: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    distance = np.arange(n_keys) - np.arange(n_queries)[:, None]  # (queries, keys)
    return ((window_left < 0) | (distance >= -window_left)) & ((window_right < 0) | (distance <= window_right))
