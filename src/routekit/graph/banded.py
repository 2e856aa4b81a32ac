"""A window of attention from stock ops: blocks of queries against their own block of keys and its two neighbours.

With a block of C = max(window) queries, every visible key lies in three blocks. Scores are [.., n_blocks, C, 3C]
instead of [.., S, S], so memory and work are linear in the sequence length S.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from routekit.graph.attention_blocks import AttentionBlock
from routekit.graph.masks import MaskForm
from routekit.graph.replacement import PaddingBias, Replacement, keys

if TYPE_CHECKING:
    from routekit.graph.onnx_graph import OnnxGraph

#: Hides a key; two of them still add up to a float32.
_HIDDEN = -1e9


class Banded:
    """Replaces windowed blocks; what depends on the sequence length alone is built once a graph."""

    def __init__(self, graph: OnnxGraph, token_input: str, bias: PaddingBias) -> None:
        self._graph = graph
        self._tokens = token_input
        self._padding = bias
        self._shared: dict[tuple[int, int, bool], tuple[str, str, str, str]] = {}

    def replace(self, block: AttentionBlock, form: MaskForm) -> Replacement:
        g, size = self._graph, max(form.window_left, form.window_right, 1)
        length, query_pads, key_pads, bias = self._prepare(form, size)
        queries = self._blocks(g.add("Pad", [block.q, query_pads]), size, form.head_dim)
        k = self._neighbours(self._blocks(g.add("Pad", [keys(g, block), key_pads]), size, form.head_dim), 2, 3)
        v = self._neighbours(self._blocks(g.add("Pad", [block.v, key_pads]), size, form.head_dim), 2, 3)
        scale = g.initializer(np.array(block.scale or form.head_dim**-0.5, form.dtype))
        scores = g.add("MatMul", [g.add("Mul", [queries, scale]), g.add("Transpose", [k], perm=[0, 1, 2, 4, 3])])
        weights = g.add("Softmax", [g.add("Add", [scores, bias])], axis=-1)
        flat = g.add("Reshape", [g.add("MatMul", [weights, v]), self._int([0, 0, -1, form.head_dim])])
        output = g.add("Slice", [flat, self._int([0]), length, self._int([2])])
        g.replace(block.output, output)
        return Replacement("banded stock ops", output)

    def _prepare(self, form: MaskForm, size: int) -> tuple[str, str, str, str]:
        """Give the length, the paddings to whole blocks of queries and of keys, and the bias of the band."""
        key = (form.window_left, form.window_right, form.padding)
        if key not in self._shared:
            g = self._graph
            length = g.add("Gather", [g.add("Shape", [self._tokens]), self._int([1])], axis=0)
            block = self._int([size])
            tail = g.add("Mod", [g.add("Sub", [block, g.add("Mod", [length, block])]), block])
            after = g.add("Add", [tail, block])
            query_pads = g.add("Concat", [self._int([0] * 6), tail, self._int([0])], axis=0)
            key_pads = g.add("Concat", [self._int([0, 0, size, 0, 0, 0]), after, self._int([0])], axis=0)
            self._shared[key] = (length, query_pads, key_pads, self._bias(form, size, length, after))
        return self._shared[key]

    def _bias(self, form: MaskForm, size: int, length: str, after: str) -> str:
        """Give the bias [batch or 1, 1, n_blocks, size, 3 size]: the band, the ends of the text, the padding."""
        g, dtype = self._graph, form.dtype
        if form.padding:
            rows = self._padding.rows(dtype, _HIDDEN)
        else:
            zeros = g.add("Concat", [self._int([1]), length], axis=0)
            rows = g.add("Expand", [g.initializer(np.zeros((1, 1), dtype)), zeros])
        pads = g.add("Concat", [self._int([0, size, 0]), after], axis=0)
        padded = g.add("Pad", [rows, pads, g.initializer(np.array(_HIDDEN, dtype))])
        blocks = g.add("Reshape", [padded, self._int([0, 1, -1, 1, size])])
        distance = np.arange(3 * size) - size - np.arange(size)[:, None]
        seen = (distance >= -form.window_left) & (distance <= form.window_right)
        band = g.initializer(np.where(seen, 0, _HIDDEN).astype(dtype))
        return g.add("Add", [self._neighbours(blocks, 2, 4), band])

    def _blocks(self, tensor: str, size: int, head_dim: int) -> str:
        return self._graph.add("Reshape", [tensor, self._int([0, 0, -1, size, head_dim])])

    def _neighbours(self, tensor: str, block_axis: int, key_axis: int) -> str:
        """Lay each block of keys beside the one before and the one after it."""
        axis = self._int([block_axis])
        ends = ((0, -2), (1, -1), (2, 2**62))
        parts = [self._graph.add("Slice", [tensor, self._int([a]), self._int([b]), axis]) for a, b in ends]
        return self._graph.add("Concat", parts, axis=key_axis)

    def _int(self, values: list[int]) -> str:
        return self._graph.initializer(np.array(values, np.int64))


def fits(form: MaskForm) -> bool:
    """Say whether a mask is a window on both sides, in float32 (the hidden score overflows half precision)."""
    dtype: np.dtype[Any] = form.dtype
    return form.window_left >= 0 and form.window_right >= 0 and dtype == np.float32
