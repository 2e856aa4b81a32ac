"""Proving a rewrite: both graphs on the same inputs, short, long, padded, and a text alone and beside others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from routekit.errors import ModelFormatError
from routekit.graph.probing import GraphSession, Probes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Feeds = dict[str, Array]


@dataclass(frozen=True, slots=True)
class Proof:
    """How far two graphs are apart over `n_probes` inputs; what could not be compared stands in `notes`.

    Attributes
    ----------
    max_error
        Largest absolute difference in any graph output.
    max_layer_error
        Largest absolute difference in any pair of inner tensors, as a share of the largest value there.
    """

    max_error: float
    max_layer_error: float
    n_probes: int
    notes: tuple[str, ...]


def compare(
    original: GraphSession,
    rewritten: GraphSession,
    probes: Probes,
    *,
    layers: Mapping[str, str] = MappingProxyType({}),
    window: int = 0,
    seed: int = 0,
) -> Proof:
    """Run both graphs and compare what they say about real (unpadded) tokens.

    A model whose logits hardly depend on its attention would agree with anything, so the output of every attention
    layer is compared too.

    Parameters
    ----------
    layers
        Tensors of the original (outputs of its session) and their counterparts, ``[batch, heads, sequence, head_dim]``.
    window
        The widest window that was read, in keys; inputs are made longer than it on both sides.

    Raises
    ------
    ModelFormatError
        If the rewritten graph fails where the original runs, or gives another shape or NaN.
    """
    worst, worst_layer, n_compared, notes = 0.0, 0.0, 0, []
    for feeds in _inputs(probes, window, seed):
        shape = feeds[probes.ids].shape
        try:
            expected = original.run(feeds)
        except Exception:  # the original's own limits are not the rewrite's
            notes.append(f"not compared at batch {shape[0]}, {shape[1]} tokens: the original itself fails there")
            continue
        actual = _run(rewritten, feeds, shape)
        real = None if probes.mask is None else feeds[probes.mask] != 0
        for name in expected.keys() - layers.keys():
            worst = max(worst, _difference(name, expected[name], actual.get(name), real, token_axis=1))
        for name, counterpart in layers.items():
            gap = _difference(name, expected[name], actual[counterpart], real, token_axis=2)
            worst_layer = max(worst_layer, gap / (float(np.abs(expected[name]).max(initial=0.0)) or 1.0))
        n_compared += 1
    if n_compared == 0:
        raise ModelFormatError("the original graph ran on none of the inputs of the proof")
    return Proof(worst, worst_layer, n_compared, tuple(dict.fromkeys(notes)))


def _inputs(probes: Probes, window: int, seed: int) -> list[Feeds]:
    long = min(3 * max(window, 16) + 131, probes.max_length)
    shapes = [(1, 1), (1, 7), (1, long), (2, min(77, long)), (3, long)]
    plain = [probes.full(n, length, seed + i) for i, (n, length) in enumerate(shapes)]
    return plain + [probes.padded(n, length, seed + 10 + i) for i, (n, length) in enumerate(shapes[1:])]


def _run(session: GraphSession, feeds: Feeds, shape: tuple[int, ...]) -> dict[str, Array]:
    try:
        return session.run(feeds)
    except Exception as error:
        raise ModelFormatError(f"the rewritten graph fails on shape {shape}: {str(error)[:300]}") from None


def _difference(name: str, expected: Array, actual: Array | None, real: Array | None, *, token_axis: int) -> float:
    """Give the largest difference at real tokens; `token_axis` is where a tensor of more than two axes counts them."""
    if actual is None or actual.shape != expected.shape:
        raise ModelFormatError(f"{name} has shape {getattr(actual, 'shape', None)}, not {expected.shape}")
    gap = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    if real is not None and gap.ndim > 2 and gap.shape[token_axis] == real.shape[1]:
        gap = np.moveaxis(gap, token_axis, 1)[real]  # padded tokens carry no meaning
    elif not np.isfinite(expected).all():
        raise ModelFormatError(f"{name} of the original graph is not finite on random tokens")
    if np.isnan(gap).any():
        raise ModelFormatError(f"{name} of the rewritten graph has NaN where the original has none")
    return float(gap.max(initial=0.0))
