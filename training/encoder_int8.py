"""Rounds an encoder's graph to int8 with one activation scale for each token, in operators that stock ONNX Runtime has.

A scale for a whole product, as dynamic quantisation has it, lets one text coarsen the numbers of another in the same
batch. Here each token's vector is divided by its own largest value before it is rounded, so that a row's result does
not depend on its neighbours. Channels that are large in all tokens are evened out beforehand, and the weights that read
them take the factor (SmoothQuant, Xiao et al. 2023, arXiv:2211.10438). The word table has a scale for each word.

`routekit.graph.quantized` rotates rows instead, which any encoder can have without texts to measure on: more exact, and
1.7 times as slow for an encoder of this size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
from onnx import TensorProto, helper, numpy_helper

#: Smaller rows are all zeros to int8.
TINY = 1e-6
#: What a GELU gives is above this; its many channels around 0 would only grow where they are negative.
GELU_FLOOR = -0.2
#: Products with fewer rows or columns are heads; tables with fewer rows are positions and cases.
LEAST_WIDTH, LEAST_WORDS = 64, 1000


class Graph:
    """An ONNX graph under change: nodes in order, constants by name."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.model = model
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        self.nodes: list[onnx.NodeProto] = []

    def constant(self, name: str, value: Any) -> str:
        self.constants[name] = np.asarray(value)
        return name

    def add(self, kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name=output, **attributes))
        return output

    def finish(self) -> onnx.ModelProto:
        graph = self.model.graph
        used = {name for node in self.nodes for name in node.input}
        tensors = [numpy_helper.from_array(v, n) for n, v in self.constants.items() if n in used]
        del graph.node[:], graph.initializer[:]
        graph.node.extend(self.nodes)
        graph.initializer.extend(tensors)
        self.model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
        onnx.checker.check_model(self.model)
        return self.model


def read_products(model: onnx.ModelProto) -> dict[str, list[onnx.NodeProto]]:
    """Group the products of the body that have a constant weight by what they multiply."""
    weights = {tensor.name: tuple(tensor.dims) for tensor in model.graph.initializer}
    found: dict[str, list[onnx.NodeProto]] = {}
    for node in model.graph.node:
        shape = weights.get(node.input[1], ()) if node.op_type == "MatMul" else ()
        if len(shape) == 2 and min(shape) >= LEAST_WIDTH:
            found.setdefault(node.input[0], []).append(node)
    return found


def seen_values(model: onnx.ModelProto, names: Sequence[str], batches: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Give what these tensors hold for some texts, shape (n_tokens, n_channels) each."""
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    session = onnxruntime.InferenceSession(watched.SerializeToString(), providers=["CPUExecutionProvider"])
    runs = [session.run(list(names), batch) for batch in batches]
    return {name: np.concatenate([run[i][0] for run in runs]) for i, name in enumerate(names)}


def quantized(model: onnx.ModelProto, batches: Sequence[dict[str, Any]]) -> onnx.ModelProto:
    """Quantise the linear layers of the body and the word table; heads and attention stay in float."""
    graph = Graph(model)
    products = read_products(model)
    seen = seen_values(model, list(products), batches)
    done = {node.output[0] for nodes in products.values() for node in nodes}
    for node in list(model.graph.node):
        table = graph.constants.get(node.input[0]) if node.op_type == "Gather" else None
        if node.output[0] in done:
            source = node.input[0]
            if source in products:
                _round(graph, source, products.pop(source), seen[source])
            _product(graph, node)
        elif table is not None and table.ndim == 2 and len(table) > LEAST_WORDS:
            _lookup(graph, node, table)
        else:
            graph.nodes.append(node)
    return graph.finish()


def _round(graph: Graph, source: str, readers: Sequence[onnx.NodeProto], seen: Any) -> None:
    """Even out the channels of a tensor, divide each token by its largest value, and round; scale the weights back."""
    weights = [graph.constants[node.input[1]] for node in readers]
    largest = np.max([np.abs(weight).max(1) for weight in weights], axis=0)
    factors = np.sqrt(np.maximum(np.abs(seen).max(0), 1e-3) / np.maximum(largest, 1e-3)).astype(np.float32)
    factors = np.ones_like(factors) if seen.min() > GELU_FLOOR else factors / np.exp(np.log(factors).mean())
    for node, weight in zip(readers, weights, strict=True):
        graph.constants[node.input[1]] = weight * factors[:, None]
    zero = zero_point(seen / factors)
    graph.constant(f"{source}.zero", np.uint8(zero))
    graph.constant(f"{source}.step", np.float32(1 / (255 - zero)))
    graph.constant("q.tiny", np.float32(TINY))
    graph.constant(f"{source}.factors", 1 / factors)
    even = graph.add("Mul", [source, f"{source}.factors"], f"{source}.even")
    size = graph.add("Abs", [even], f"{source}.abs")
    peak = graph.add("ReduceMax", [size], f"{source}.max", axes=[-1], keepdims=1)
    graph.add("Max", [peak, "q.tiny"], f"{source}.range")
    unit = graph.add("Div", [even, f"{source}.range"], f"{source}.over")
    graph.add("QuantizeLinear", [unit, f"{source}.step", f"{source}.zero"], f"{source}.int8")


def zero_point(values: Any) -> int:
    """Leave to negative values what they need: little after a GELU, which the positive ones then use."""
    lowest = float((-values.min(1) / np.abs(values).max(1)).max())
    return min(128, 1 + int(np.ceil(255 * lowest / (1 + lowest))))


def _product(graph: Graph, node: onnx.NodeProto) -> None:
    """y = (int8 @ W8) * (token's range * column's scale)."""
    source, name, weight = node.input[0], node.output[0], graph.constants[node.input[1]]
    scales = np.maximum(np.abs(weight).max(0), TINY).astype(np.float32) / 127
    graph.constant(f"{name}.weight", np.clip(np.rint(weight / scales), -127, 127).astype(np.int8))
    graph.constant(f"{name}.scales", scales)
    graph.constant(f"{name}.zeros", np.zeros(len(scales), np.int8))
    step, zero = f"{source}.step", f"{source}.zero"
    inputs = [f"{source}.int8", f"{name}.weight", step, f"{name}.scales", zero, f"{name}.zeros"]
    unit = graph.add("MatMulIntegerToFloat", inputs, f"{name}.unit", domain="com.microsoft")
    graph.add("Mul", [unit, f"{source}.range"], name)


def _lookup(graph: Graph, node: onnx.NodeProto, table: Any) -> None:
    name = node.output[0]
    scales = np.maximum(np.abs(table).max(1, keepdims=True), TINY).astype(np.float32) / 127
    graph.constant(f"{name}.table", np.clip(np.rint(table / scales), -127, 127).astype(np.int8))
    graph.constant(f"{name}.scales", scales)
    rows = graph.add("Gather", [f"{name}.table", node.input[1]], f"{name}.rows")
    cast = graph.add("Cast", [rows], f"{name}.cast", to=TensorProto.FLOAT)
    scale = graph.add("Gather", [f"{name}.scales", node.input[1]], f"{name}.scale")
    graph.add("Mul", [cast, scale], name)
