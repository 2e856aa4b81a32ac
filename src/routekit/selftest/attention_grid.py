"""The attention op against the float64 reference: a grid of shapes, and rows of very long texts.

The bound: an op may err by twice what the plain computation in the same precision errs, both measured against float64,
and by one rounding of the largest value. Every case runs twice and must give the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from routekit.attention import attention_reference
from routekit.errors import BackendUnavailable
from routekit.selftest.one_op import OpSessions

if TYPE_CHECKING:
    from routekit.execution_provider import Provider
    from routekit.tensors import FloatArray, IntArray

#: What is added to the scores. ``"padding"``: [batch, 1, 1, keys], the ends of rows hidden; ``"empty row"``: the same
#: with all keys of the last row of the batch hidden; ``"full"``: random numbers for every batch, head, query and key,
#: a third of them hidden.
Bias: TypeAlias = Literal["none", "padding", "empty row", "full"]
Window: TypeAlias = tuple[int, int]

HEAD_DIMS = (32, 64, 128)
_BIASES: tuple[Bias, ...] = ("none", "padding", "empty row", "full")
_OPEN: Window = (-1, -1)
#: (queries, keys): below, at and over the 128 queries and 64 keys of a block, and more of one than of the other.
_SIZES = ((1, 1), (5, 5), (128, 128), (131, 197), (197, 70))
_WINDOWS: tuple[Window, ...] = (_OPEN, (64, 64), (0, 0), (20, -1))
_QUICK_SIZES, _QUICK_WINDOWS = ((5, 5), (70, 131)), (_OPEN, (20, 20))
_N_SAMPLED_QUERIES = 24
#: Factor of the queries of long texts: with flat weights the mean over thousands of values would hide any fault.
_SHARPNESS = 4


@dataclass(frozen=True, slots=True)
class AttentionCase:
    """One problem for the op; `window` is (left, right), -1 for open; of a sampled case some queries are checked."""

    batch: int
    heads: int
    queries: int
    keys: int
    head_dim: int
    window: Window
    bias: Bias
    sampled: bool = False

    def __str__(self) -> str:
        shape = f"{self.batch}x{self.heads}x{self.queries}x{self.keys}x{self.head_dim}"
        return f"{shape}, window {self.window[0]}/{self.window[1]}, bias {self.bias}"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of a case; `reason` says why it failed and is empty when it passed."""

    case: str
    error: float
    allowed: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GridResult:
    """All cases in one number: `worst` is the case whose error is the largest share of what is allowed."""

    n_cases: int
    worst: CaseResult
    failures: tuple[CaseResult, ...]


def attention_cases(long_lengths: Sequence[int], *, quick: bool) -> Iterator[AttentionCase]:
    """Yield the grid, smallest first, then one long text per length with a window and one without."""
    sizes, windows = (_QUICK_SIZES, _QUICK_WINDOWS) if quick else (_SIZES, _WINDOWS)
    shapes = ((1, 2), (3, 1))
    for i, ((queries, keys), head_dim, window, bias) in enumerate(product(sizes, HEAD_DIMS, windows, _BIASES)):
        yield AttentionCase(*shapes[i % len(shapes)], queries, keys, head_dim, window, bias)
    for length, window in product(long_lengths, ((64, 64), _OPEN)):
        yield AttentionCase(1, 2, length, length, 64, window, "padding", sampled=True)


def check_attention(provider: Provider, dtype: str, cases: Sequence[AttentionCase]) -> GridResult:
    """Run every case on a provider.

    Raises
    ------
    BackendUnavailable
        If the provider, or the op on it, is not there.
    """
    sessions = OpSessions(provider, dtype)
    results = [_checked(sessions, case, np.dtype(dtype), seed) for seed, case in enumerate(cases)]
    worst = max(results, key=lambda result: result.error / result.allowed if result.allowed else 0.0)
    return GridResult(len(results), worst, tuple(result for result in results if result.reason))


def _checked(sessions: OpSessions, case: AttentionCase, dtype: np.dtype[np.floating], seed: int) -> CaseResult:
    feeds = _feeds(case, dtype, np.random.default_rng(seed))
    try:
        out, again = (sessions.run(feeds, case.window) for _ in range(2))
    except BackendUnavailable:
        raise
    except Exception as error:  # the runtime's exceptions have no common type; the case failed, others may pass
        return CaseResult(str(case), 0.0, 0.0, ascii(" ".join(str(error).split())[:300])[1:-1])
    if out.shape != feeds["q"].shape or out.dtype != dtype:
        return CaseResult(str(case), 0.0, 0.0, f"the output is {out.dtype} {out.shape}; expected that of Q")
    rows = _rows(case)
    exact = _expected(case, feeds, rows, np.dtype(np.float64))
    plain = _expected(case, feeds, rows, dtype)
    allowed = 2 * _distance(plain, exact) + float(np.finfo(dtype).eps) * float(np.abs(feeds["v"]).max(initial=1.0))
    return _judged(case, _distance(out[:, :, rows], exact), allowed, repeats=np.array_equal(out, again))


def _judged(case: AttentionCase, error: float, allowed: float, *, repeats: bool) -> CaseResult:
    if not error <= allowed:  # not a number is no error within the bound either
        return CaseResult(str(case), error, allowed, f"error {error:.2e}, allowed {allowed:.2e}")
    return CaseResult(str(case), error, allowed, "" if repeats else "two runs differ")


def _distance(a: FloatArray, b: FloatArray) -> float:
    return float(np.abs(a.astype(np.float64) - b).max(initial=0.0))


def _feeds(case: AttentionCase, dtype: np.dtype[np.floating], rng: np.random.Generator) -> dict[str, FloatArray]:
    q = (case.batch, case.heads, case.queries, case.head_dim)
    kv = (case.batch, case.heads, case.keys, case.head_dim)
    feeds = {name: _normal(rng, shape, dtype) for name, shape in (("q", q), ("k", kv), ("v", kv))}
    if case.sampled:
        feeds["q"] *= dtype.type(_SHARPNESS)
    if case.bias != "none":
        feeds["bias"] = _bias(case, dtype, rng)
    return feeds


def _normal(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[np.floating]) -> FloatArray:
    return rng.standard_normal(shape, dtype=np.float32).astype(dtype)


def _bias(case: AttentionCase, dtype: np.dtype[np.floating], rng: np.random.Generator) -> FloatArray:
    if case.bias == "full":
        bias = _normal(rng, (case.batch, case.heads, case.queries, case.keys), dtype)
        bias[rng.random(bias.shape) < 1 / 3] = -np.inf
        return bias
    n_kept = rng.integers(1, case.keys + 1, (case.batch, 1, 1, 1))
    if case.bias == "empty row":
        n_kept[-1] = 0
    return np.where(np.arange(case.keys) < n_kept, 0, -np.inf).astype(dtype)


def _rows(case: AttentionCase) -> IntArray:
    """Give the queries that are checked: all, or some of a long text with both its ends."""
    n = _N_SAMPLED_QUERIES if case.sampled else case.queries
    return np.unique(np.linspace(0, case.queries - 1, min(n, case.queries)).astype(np.int64))


def _expected(
    case: AttentionCase, feeds: dict[str, FloatArray], rows: IntArray, dtype: np.dtype[np.floating]
) -> FloatArray:
    """Compute the rows that are checked; the window becomes a bias, since the rows are not consecutive."""
    inputs = {name: array.astype(dtype) for name, array in feeds.items()}
    distance = np.arange(case.keys) - rows[:, None]
    left, right = case.window
    is_seen = ((left < 0) | (distance >= -left)) & ((right < 0) | (distance <= right))
    bias = inputs.get("bias", np.zeros((1, 1, 1, case.keys), dtype))
    shown = bias if bias.shape[2] == 1 else bias[:, :, rows]
    window = np.where(is_seen, shown, dtype.type(-np.inf))
    return attention_reference(inputs["q"][:, :, rows], inputs["k"], inputs["v"], window)
