"""Linear layers of a graph in whole numbers of 8 or 16 bits, by routekit's op or (8 bits) by stock ops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from routekit.attention import DOMAIN
from routekit.graph.onnx_graph import OnnxGraph
from routekit.graph.whole_numbers import MAX_DEPTH, ROTATED, SMALLEST_ROW, WholeWeights, hadamard, limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: A product with fewer outputs than this share of its inputs is a classifier's head: it costs nothing, and one large
#: weight of a label would round its other weights to zero.
_HEAD_SHARE = 1 / 8


def quantize_linear_layers(model: onnx.ModelProto, bits: int = 8, *, with_op: bool) -> onnx.ModelProto:
    """Quantise every product with a constant weight; attention and classifier heads are left in floating point.

    Parameters
    ----------
    bits
        8, or 16, for which there are no stock ops: without the op the layers stay as they are.
    with_op
        True for ``routekit::QuantizedLinear``, False for stock ops that compute the same, but for rounding.
    """
    if bits == 16 and not with_op:
        return model
    graph = OnnxGraph(model)
    stock = _StockOps(graph)
    for layer in _linear_layers(graph):
        whole = WholeWeights.of(layer.weights, bits)
        product = _own_op(graph, layer.x, whole) if with_op else stock.product(layer.x, whole)
        graph.replace(layer.output, graph.add("Add", [product, layer.bias]) if layer.bias else product)
    return graph.finish()


@dataclass(frozen=True, slots=True)
class _Layer:
    """x times weights [depth, columns], and a bias or an empty name."""

    x: str
    weights: NDArray[Any]
    bias: str
    output: str


def _linear_layers(graph: OnnxGraph) -> list[_Layer]:
    found = []
    for node in graph.graph.node:
        if node.op_type not in ("MatMul", "Gemm") or node.domain not in ("", "ai.onnx"):
            continue
        tensor = graph.weight(node.input[1])
        if tensor is None or tensor.data_type != TensorProto.FLOAT or len(tensor.dims) != 2 or _is_odd(node):
            continue
        weights = numpy_helper.to_array(tensor)
        if any(a.name == "transB" and a.i for a in node.attribute):
            weights = weights.T
        if min(weights.shape) >= _HEAD_SHARE * max(weights.shape) and len(weights) <= MAX_DEPTH:
            bias = node.input[2] if len(node.input) > 2 else ""
            found.append(_Layer(node.input[0], weights, bias, node.output[0]))
    return [layer for layer in found if layer.output not in graph.outputs]


def _is_odd(node: onnx.NodeProto) -> bool:
    """Say whether a Gemm does more than a linear layer: a transposed input, or factors."""
    values = {a.name: a.i if a.name == "transA" else a.f for a in node.attribute}
    return bool(values.get("transA", 0)) or values.get("alpha", 1.0) != 1.0 or values.get("beta", 1.0) != 1.0


def _own_op(graph: OnnxGraph, x: str, whole: WholeWeights) -> str:
    graph.require(DOMAIN, 1)
    inputs = [x, graph.initializer(whole.packed()), graph.initializer(whole.scales)]
    return graph.add("QuantizedLinear", inputs, domain=DOMAIN, bits=whole.bits)


class _StockOps:
    """The same arithmetic from stock ops; products of one tensor share its quantisation."""

    def __init__(self, graph: OnnxGraph) -> None:
        self._graph = graph
        self._quantised: dict[str, tuple[str, str]] = {}

    def product(self, x: str, whole: WholeWeights) -> str:
        g = self._graph
        if x not in self._quantised:
            self._quantised[x] = self._rows(x, len(whole.numbers))
        numbers, row_scales = self._quantised[x]
        weights = g.initializer((whole.numbers + 128).astype(np.uint8))
        middle = g.initializer(np.array(128, np.uint8))
        sums = g.add("Cast", [g.add("MatMulInteger", [numbers, weights, middle, middle])], to=TensorProto.FLOAT)
        return g.add("Mul", [g.add("Mul", [sums, g.initializer(whole.scales)]), row_scales])

    def _rows(self, x: str, depth: int) -> tuple[str, str]:
        """Give the rows of a tensor as bytes around 128, and the scale of each, [.., 1]."""
        g = self._graph
        turned = self._rotated(x, depth)
        axis = [g.initializer(np.array([-1], np.int64))] if g.opset >= 18 else []
        given: dict[str, Any] = {} if axis else {"axes": [-1]}
        largest = g.add("ReduceMax", [g.add("Abs", [turned]), *axis], keepdims=1, **given)
        largest = g.add("Max", [largest, g.initializer(np.array(SMALLEST_ROW, np.float32))])
        most = g.initializer(np.array(limit(depth, 8), np.float32))
        factored = g.add("Mul", [turned, g.add("Div", [most, largest])])
        one, middle = g.initializer(np.array(1, np.float32)), g.initializer(np.array(128, np.uint8))
        return g.add("QuantizeLinear", [factored, one, middle]), g.add("Div", [largest, most])

    def _rotated(self, x: str, depth: int) -> str:
        g = self._graph
        whole = depth // ROTATED * ROTATED
        eight = g.initializer(np.array(8, np.float32))
        if whole == 0:
            return g.add("Mul", [x, eight])
        shape = g.add("Shape", [x])
        blocked = self._with_end(shape, [whole // ROTATED, ROTATED])
        blocks = g.add("Reshape", [x if whole == depth else self._slice(x, 0, whole), blocked])
        turned = g.add("MatMul", [blocks, g.initializer(hadamard().astype(np.float32))])
        if whole == depth:
            return g.add("Reshape", [turned, shape])
        flat = g.add("Reshape", [turned, self._with_end(shape, [whole])])
        return g.add("Concat", [flat, g.add("Mul", [self._slice(x, whole, depth), eight])], axis=-1)

    def _with_end(self, shape: str, end: list[int]) -> str:
        """Give a shape whose last size is replaced."""
        g = self._graph
        first, last = (g.initializer(np.array([value], np.int64)) for value in (0, -1))
        return g.add("Concat", [g.add("Slice", [shape, first, last]), g.initializer(np.array(end, np.int64))], axis=0)

    def _slice(self, x: str, start: int, stop: int) -> str:
        bounds = [self._graph.initializer(np.array([value], np.int64)) for value in (start, stop, -1)]
        return self._graph.add("Slice", [x, *bounds])
