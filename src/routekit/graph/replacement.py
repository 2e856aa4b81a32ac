"""What an attention block is replaced by: the op that is fastest on the target, or stock ops where ours is absent.

``flash``
    ``routekit::FlashAttention``: any window, padding as a ``[batch, 1, 1, keys]`` bias, linear memory.
``stock``
    No native library. A window becomes a banded product of stock ops (linear memory, padding included); global layers
    become ONNX Runtime's fused MultiHeadAttention, whose fast path takes no mask: where a batch is padded the dense
    path of the same op runs instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from routekit.graph.attention_blocks import AttentionBlock
from routekit.graph.masks import MaskForm

if TYPE_CHECKING:
    from routekit.graph.onnx_graph import OnnxGraph

_BHSD = [0, 2, 1, 3]


class PaddingBias:
    """Builds, once a graph, the additive bias that hides padded keys: 0, or the lowest number; ``[batch, keys]``."""

    def __init__(self, graph: OnnxGraph, mask_input: str | None) -> None:
        self._graph = graph
        self.mask_input = mask_input
        self._made: dict[tuple[str, float], str] = {}

    def rows(self, dtype: np.dtype[Any], hidden: float) -> str:
        """Give the bias as ``[batch, keys]``."""
        key = (dtype.str, hidden)
        if key not in self._made:
            g = self._graph
            assert self.mask_input is not None  # noqa: S101 - a block whose mask hides padding has a mask input
            padded = g.add("Not", [g.add("Cast", [self.mask_input], to=TensorProto.BOOL)])
            bias = [g.initializer(np.array(value, dtype)) for value in (hidden, 0.0)]
            self._made[key] = g.add("Where", [padded, *bias])
        return self._made[key]

    def broadcast(self, dtype: np.dtype[Any]) -> str:
        """Give the bias as ``[batch, 1, 1, keys]``, the lowest number of `dtype` where a key is hidden."""
        lowest = float(np.finfo(dtype).min)
        key = (dtype.str + "4", lowest)
        if key not in self._made:
            axes = self._graph.initializer(np.array([1, 2], np.int64))
            self._made[key] = self._graph.add("Unsqueeze", [self.rows(dtype, lowest), axes])
        return self._made[key]


@dataclass(frozen=True, slots=True)
class Replacement:
    """What computes a block now, and the tensor ``[batch, heads, queries, head_dim]`` that took its place."""

    op: str
    output: str


def flash(graph: OnnxGraph, block: AttentionBlock, form: MaskForm, bias: PaddingBias) -> Replacement:
    """Replace a block by our op."""
    from routekit.attention import DOMAIN

    graph.require(DOMAIN, 1)
    inputs = [block.q, keys(graph, block), block.v]
    if form.padding:
        inputs.append(bias.broadcast(form.dtype))
    output = graph.add(
        "FlashAttention",
        inputs,
        domain=DOMAIN,
        scale=block.scale,
        window_left=form.window_left,
        window_right=form.window_right,
        allow_bf16=0,
    )
    graph.replace(block.output, output)
    return Replacement(f"{DOMAIN}::FlashAttention", output)


def allow_bf16(model: onnx.ModelProto) -> None:
    """Let our op multiply in bfloat16 wherever it stands in a graph."""
    from routekit.attention import DOMAIN

    for node in model.graph.node:
        if node.domain == DOMAIN and node.op_type == "FlashAttention":
            next(a for a in node.attribute if a.name == "allow_bf16").i = 1


def fused(graph: OnnxGraph, block: AttentionBlock, form: MaskForm, mask_input: str | None) -> Replacement:
    """Replace a global block by ONNX Runtime's fused op, without a mask whenever no row of the batch is padded."""
    graph.require("com.microsoft", 1)
    merged = [_merged(graph, tensor, form) for tensor in (block.q, keys(graph, block), block.v)]
    attributes = {"num_heads": form.n_heads, "scale": block.scale or float(form.head_dim**-0.5)}
    if not form.padding:
        output = graph.add("MultiHeadAttention", merged, domain="com.microsoft", **attributes)
    else:
        output = _fused_if_unpadded(graph, merged, str(mask_input), attributes)
    heads = graph.initializer(np.array([0, 0, form.n_heads, form.head_dim], np.int64))
    split = graph.add("Transpose", [graph.add("Reshape", [output, heads])], perm=_BHSD)
    graph.replace(block.output, split)
    return Replacement("com.microsoft::MultiHeadAttention", split)


def _fused_if_unpadded(graph: OnnxGraph, merged: list[str], mask_input: str, attributes: dict[str, Any]) -> str:
    mask = graph.add("Cast", [mask_input], to=TensorProto.INT32)
    full = graph.add("Cast", [graph.add("ReduceMin", [mask], keepdims=0)], to=TensorProto.BOOL)
    branches = []
    for name, inputs in (("then", merged), ("else", [*merged, "", mask])):
        out = f"{mask}_{name}_out"
        node = helper.make_node("MultiHeadAttention", inputs, [out], domain="com.microsoft", **attributes)
        branches.append(helper.make_graph([node], name, [], [onnx.ValueInfoProto(name=out)]))
    return graph.add("If", [full], then_branch=branches[0], else_branch=branches[1])


def _merged(graph: OnnxGraph, tensor: str, form: MaskForm) -> str:
    """Turn [batch, heads, sequence, head_dim] into [batch, sequence, hidden]."""
    hidden = graph.initializer(np.array([0, 0, form.n_heads * form.head_dim], np.int64))
    return graph.add("Reshape", [graph.add("Transpose", [tensor], perm=_BHSD), hidden])


def keys(graph: OnnxGraph, block: AttentionBlock) -> str:
    """Give K as [batch, heads, sequence, head_dim]."""
    return block.k if block.k_layout is None else graph.add("Transpose", [block.k], perm=list(block.k_layout))
