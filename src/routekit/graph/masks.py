"""Reading an attention mask by running it: a window, padding, both, or something that must be left alone.

Exports build masks in dozens of ways, one for all layers or one a layer, as numbers or as truth values. Instead of
matching each, the graph is run on short inputs with the masks as outputs, and the numbers are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from routekit.errors import ModelFormatError
from routekit.graph.attention_blocks import AttentionBlock
from routekit.graph.probing import GraphSession, Probes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from routekit.graph.onnx_graph import OnnxGraph

    Array = NDArray[Any]

#: An additive mask of this (BERT's own number) or less hides a key; above it must be zero.
_HIDDEN = -1e4
_MAX_WINDOW = 2048
_COMPARISONS = {"Less", "LessOrEqual", "Greater", "GreaterOrEqual"}


@dataclass(frozen=True, slots=True)
class MaskForm:
    """What a mask lets a query see.

    Attributes
    ----------
    window_left, window_right
        Keys visible before and after the query; -1 is all.
    padding
        True when the attention_mask input hides keys.
    dtype, n_heads, head_dim
        Of the queries.
    """

    window_left: int
    window_right: int
    padding: bool
    dtype: np.dtype[Any]
    n_heads: int
    head_dim: int


class _Unreadable(Exception):
    """Carries the reason why a mask is not a window and padding."""


def read_masks(graph: OnnxGraph, blocks: Sequence[AttentionBlock], probes: Probes) -> list[MaskForm | str]:
    """Read the mask of each block: its form, or the reason why the block must be left alone.

    Raises
    ------
    ModelFormatError
        If the graph cannot be run at all.
    """
    masks = sorted({block.mask for block in blocks if block.mask is not None})
    session = GraphSession(graph.model, extra_outputs=[*masks, *sorted({block.q for block in blocks})])
    length = min(_probe_length(graph, masks), probes.max_length)
    try:
        full = session.run(probes.full(1, length, seed=1))
        padded_feeds, padded = _run_padded(session, probes, length)
    except Exception as error:
        raise ModelFormatError(f"the graph fails on {length} random tokens: {str(error)[:300]}") from None
    pad = None if probes.mask is None else padded_feeds[probes.mask] != 0
    return [_read(block, full, padded, pad, length) for block in blocks]


def _run_padded(session: GraphSession, probes: Probes, length: int) -> tuple[dict[str, Array], dict[str, Array]]:
    """Run a padded batch of two; of one where the graph itself cannot run two (some native exports)."""
    try:
        feeds = probes.padded(2, length, seed=2)
        return feeds, session.run(feeds)
    except Exception:  # whatever the runtime raises: the next line decides
        feeds = probes.padded(1, length, seed=2)
        return feeds, session.run(feeds)


def _probe_length(graph: OnnxGraph, masks: Sequence[str]) -> int:
    """Choose a length that is longer than any distance that the masks compare with."""
    seen: set[str] = set()
    wanted = list(masks)
    distances = [32]
    while wanted:
        name = wanted.pop()
        node = graph.producer(name)
        if node is None or name in seen:
            continue
        seen.add(name)
        if node.op_type in _COMPARISONS:
            values = [graph.constant(operand) for operand in node.input]
            distances += [abs(int(value.reshape(()))) for value in values if value is not None and value.size == 1]
        wanted.extend(node.input)
    return min(max(d for d in distances if d <= _MAX_WINDOW), _MAX_WINDOW) + 41


def _read(
    block: AttentionBlock, full: dict[str, Array], padded: dict[str, Array], pad: Array | None, length: int
) -> MaskForm | str:
    q = full[block.q]
    shape: tuple[int, ...] = q.shape
    if len(shape) != 4 or shape[2] != length:
        return f"queries have shape {shape}; expected [batch, heads, {length}, head_dim]"
    try:
        left, right, hides = (-1, -1, False) if block.mask is None else _window(full, padded, block.mask, pad, length)
    except _Unreadable as reason:
        return str(reason)
    if block.causal:
        right = 0 if right < 0 else min(right, 0)
    return MaskForm(left, right, hides, q.dtype, n_heads=shape[1], head_dim=shape[3])


def _window(
    full: dict[str, Array], padded: dict[str, Array], mask: str, pad: Array | None, length: int
) -> tuple[int, int, bool]:
    visible = _visible(full[mask], length)[0]  # (queries, keys)
    distance = np.arange(length) - np.arange(length)[:, None]
    left, right = _reach(-distance[visible], length), _reach(distance[visible], length)
    band = ((left < 0) | (distance >= -left)) & ((right < 0) | (distance <= right))
    if not np.array_equal(visible, band):
        raise _Unreadable("without padding, the mask is neither a window nor all keys")
    seen = _visible(padded[mask], length)
    if pad is None or np.array_equal(seen, np.broadcast_to(band, seen.shape)):
        return left, right, False
    for row, keys in enumerate(pad):
        expected = band & keys
        rows = keys & expected.any(axis=1)  # what padded queries see is nobody's business
        if not np.array_equal(seen[min(row, len(seen) - 1)][rows], expected[rows]):
            raise _Unreadable("with padding, the mask depends on more than the attention_mask input")
    return left, right, True


def _visible(mask: Array, length: int) -> Array:
    """Give the keys that queries see, shape (batch, queries, keys), bool."""
    if mask.ndim < 2 or mask.shape[-1] not in (1, length):
        raise _Unreadable(f"the mask has shape {mask.shape}")
    four = mask.reshape((1,) * (4 - mask.ndim) + mask.shape)
    if np.any(four != four[:, :1]):
        raise _Unreadable("the mask differs between heads")
    plane: Array = np.broadcast_to(four[:, 0], (len(four), length, length))
    if plane.dtype == np.bool_:
        return plane
    hidden = plane <= _HIDDEN
    if np.any(np.abs(np.where(hidden, 0, plane)) > 1e-6):
        raise _Unreadable("scores get an additive bias that is no mask (relative positions)")
    return ~hidden


def _reach(distances: Array, length: int) -> int:
    """Give the farthest distance that is seen; -1 when it is as far as the input goes."""
    farthest = int(distances.max(initial=0))
    return -1 if farthest >= length - 1 else farthest
