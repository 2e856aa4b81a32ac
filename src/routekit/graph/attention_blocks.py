"""Finding attention in an export by its structure: softmax((scale Q) K^T + mask) V, whatever the nodes are called.

Exporters differ in where the scale sits (before or after the product, on one factor or both, as a constant or as a
chain of Sqrt and Div), in how K is transposed, in casts, and in what guards a softmax against rows that see nothing.
All of that is walked through here; what a mask means is read elsewhere, by running it (`routekit.graph.masks`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import onnx

    from routekit.graph.onnx_graph import OnnxGraph

#: Ops between softmax and the product with V that change no value that counts.
_TRANSPARENT = {"Cast", "Dropout", "Identity"}


@dataclass(frozen=True, slots=True)
class AttentionBlock:
    """One attention layer; tensors by name.

    Attributes
    ----------
    layer
        Running number of the softmax or attention node.
    q, v
        ``[batch, heads, sequence, head_dim]``.
    k
        As `q` when `k_layout` is None, else what becomes that by the permutation `k_layout`.
    mask
        Added to the scores (from a native op: or boolean), broadcast to ``[batch, heads, queries, keys]``; or None.
    output
        ``[batch, heads, queries, head_dim]``.
    """

    layer: int
    q: str
    k: str
    k_layout: tuple[int, int, int, int] | None
    v: str
    mask: str | None
    scale: float
    causal: bool
    output: str


@dataclass(frozen=True, slots=True)
class Unmatched:
    """An attention-like layer that is left alone, and why."""

    layer: int
    reason: str


class _NoMatch(Exception):
    """Raised inside the matcher with the reason why a softmax is not a block it knows."""


def find_blocks(graph: OnnxGraph) -> list[AttentionBlock | Unmatched]:
    """Find every attention layer, in the order of the graph."""
    found: list[AttentionBlock | Unmatched] = []
    for node in graph.graph.node:
        if node.op_type not in ("Softmax", "Attention") or node.domain not in ("", "ai.onnx"):
            continue
        try:
            block = (
                _native(graph, node, len(found)) if node.op_type == "Attention" else _spelled(graph, node, len(found))
            )
        except _NoMatch as reason:
            found.append(Unmatched(len(found), str(reason)))
        else:
            if block is not None:
                found.append(block)
    return found


def _native(graph: OnnxGraph, node: onnx.NodeProto, layer: int) -> AttentionBlock:
    """Match the Attention op of opset 23 with 4-D inputs."""
    attributes = {a.name: a for a in node.attribute}
    for name in ("q_num_heads", "kv_num_heads", "softcap", "qk_matmul_output_mode"):
        if name in attributes and (attributes[name].i or attributes[name].f):
            raise _NoMatch(f"native Attention with {name} is not supported")
    if len([name for name in node.input if name]) > 4 or len([name for name in node.output if name]) > 1:
        raise _NoMatch("native Attention with a key/value cache is not supported")
    mask = node.input[3] if len(node.input) > 3 and node.input[3] else None
    scale = attributes["scale"].f if "scale" in attributes else 0.0
    causal = bool("is_causal" in attributes and attributes["is_causal"].i)
    q, k, v = node.input[:3]
    return AttentionBlock(layer, q, k, None, v, mask, scale, causal, node.output[0])


def _spelled(graph: OnnxGraph, softmax: onnx.NodeProto, layer: int) -> AttentionBlock | None:
    """Match softmax(Q K^T + mask) V; None when no product follows, so that it is no attention at all."""
    product = _product_with_values(graph, softmax)
    if product is None:
        return None
    scores, mask = _scores_and_mask(graph, softmax.input[0])
    tensor, scale = _strip_scale(graph, scores)
    matmul = graph.producer(tensor)
    if matmul is None or matmul.op_type != "MatMul":
        raise _NoMatch(f"scores come from {_op(matmul)}, not from one product Q K^T (relative positions?)")
    q, q_scale = _strip_scale(graph, matmul.input[0])
    k_transposed, k_scale = _strip_scale(graph, matmul.input[1])
    k, layout = _untransposed(graph, k_transposed)
    scale *= q_scale * k_scale
    return AttentionBlock(layer, q, k, layout, product.input[1], mask, scale, causal=False, output=product.output[0])


def _product_with_values(graph: OnnxGraph, softmax: onnx.NodeProto) -> onnx.NodeProto | None:
    tensor = softmax.output[0]
    while True:
        uses = [node for node in graph.consumers(tensor) if node.op_type not in ("IsNaN", "Shape")]
        if len(uses) != 1 or tensor in graph.outputs:
            if any(node.op_type == "MatMul" for node in uses):
                raise _NoMatch("attention weights are used elsewhere in the graph, or are an output of it")
            return None
        node = uses[0]
        if node.op_type == "MatMul":
            return node if node.input[0] == tensor else None
        if node.op_type == "Where" and not _guards_nan(graph, node, tensor):
            raise _NoMatch("attention weights are masked after the softmax (DeBERTa's disentangled attention)")
        if node.op_type not in (*_TRANSPARENT, "Reshape", "Where"):
            return None
        tensor = node.output[0]


def _guards_nan(graph: OnnxGraph, node: onnx.NodeProto, tensor: str) -> bool:
    """Say whether a node is Where(IsNaN(p), 0, p)."""
    if node.op_type != "Where" or node.input[2] != tensor:
        return False
    test, zero = graph.producer(node.input[0]), graph.constant(node.input[1])
    return test is not None and test.op_type == "IsNaN" and zero is not None and not np.any(zero)


def _scores_and_mask(graph: OnnxGraph, tensor: str) -> tuple[str, str | None]:
    node = graph.producer(tensor)
    while node is not None and node.op_type in _TRANSPARENT:
        tensor = node.input[0]
        node = graph.producer(tensor)
    if node is None or node.op_type != "Add":
        return tensor, None
    sides = [name for name in node.input if _op(graph.producer(_strip_scale(graph, name)[0])) == "MatMul"]
    if len(sides) != 1:
        raise _NoMatch("scores are a sum of several products (relative positions)")
    mask = node.input[1] if node.input[0] == sides[0] else node.input[0]
    return sides[0], mask


def _strip_scale(graph: OnnxGraph, tensor: str) -> tuple[str, float]:
    """Walk up through products with, and divisions by, a constant scalar, and through casts between them."""
    scale = 1.0
    while (node := graph.producer(tensor)) is not None:
        if node.op_type == "Mul":
            factors = [(i, graph.constant(name)) for i, name in enumerate(node.input)]
            scalar = next(((i, c) for i, c in factors if c is not None and c.size == 1), None)
            if scalar is None:
                break
            scale *= float(scalar[1].reshape(()))
            tensor = node.input[1 - scalar[0]]
        elif node.op_type == "Div" and (divisor := graph.constant(node.input[1])) is not None and divisor.size == 1:
            scale /= float(divisor.reshape(()))
            tensor = node.input[0]
        else:
            break
    return tensor, scale


def _untransposed(graph: OnnxGraph, tensor: str) -> tuple[str, tuple[int, int, int, int] | None]:
    """Find K behind K^T; the permutation that still has to be applied to what is found, None if it is K as it is."""
    node = graph.producer(tensor)
    permutation = _permutation(node)
    if permutation == (0, 1, 3, 2):
        return node.input[0], None  # type: ignore[union-attr]
    if permutation is not None and len(permutation) == 4:
        heads, swapped = permutation, (0, 1, 3, 2)
        return node.input[0], tuple(heads[i] for i in swapped)  # type: ignore[union-attr,return-value]
    inner = _flattened_transpose(graph, node)
    return (inner, None) if inner is not None else (tensor, (0, 1, 3, 2))


def _flattened_transpose(graph: OnnxGraph, node: onnx.NodeProto | None) -> str | None:
    """See through Reshape(Transpose[0, 2, 1](Reshape(K))): the same transposition with batch and heads folded."""
    if node is None or node.op_type != "Reshape":
        return None
    transpose = graph.producer(node.input[0])
    if _permutation(transpose) != (0, 2, 1):
        return None
    fold = graph.producer(transpose.input[0])  # type: ignore[union-attr]
    return fold.input[0] if fold is not None and fold.op_type == "Reshape" else None


def _permutation(node: onnx.NodeProto | None) -> tuple[int, ...] | None:
    if node is None or node.op_type != "Transpose":
        return None
    return next((tuple(a.ints) for a in node.attribute if a.name == "perm"), None)


def _op(node: onnx.NodeProto | None) -> str:
    return "an input" if node is None else node.op_type
