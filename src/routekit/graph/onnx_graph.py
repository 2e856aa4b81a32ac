"""An ONNX graph that can be walked and edited: producers, consumers, constants, new nodes, what is dead."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

#: Ops whose value is worth computing while the graph is read, when all their inputs are constants. A scale of
#: 1 / sqrt(head_dim) is such a chain in some exports.
_FOLDED = {
    "Add",
    "Cast",
    "Div",
    "Identity",
    "Mul",
    "Pow",
    "Reciprocal",
    "Reshape",
    "Sqrt",
    "Squeeze",
    "Sub",
    "Unsqueeze",
}
_MAX_FOLDED_SIZE = 64


class OnnxGraph:
    """A model under the knife. Nodes are added with `add`, uses are moved with `replace`, `finish` cleans up."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.model = model
        self.graph = model.graph
        self._initializers = {tensor.name: tensor for tensor in self.graph.initializer}
        self._producers = {name: node for node in self.graph.node for name in node.output if name}
        self._consumers: dict[str, list[onnx.NodeProto]] = defaultdict(list)
        self._n_new = 0
        for node in self.graph.node:
            for name in _inputs(node):
                self._consumers[name].append(node)

    @property
    def outputs(self) -> set[str]:
        return {value.name for value in self.graph.output}

    @property
    def inputs(self) -> dict[str, onnx.ValueInfoProto]:
        """Give the inputs that a caller must feed."""
        return {value.name: value for value in self.graph.input if value.name not in self._initializers}

    def producer(self, name: str) -> onnx.NodeProto | None:
        return self._producers.get(name)

    def consumers(self, name: str) -> list[onnx.NodeProto]:
        return self._consumers.get(name, [])

    def constant(self, name: str) -> Array | None:
        """Give the value of a tensor that no input can change; None for anything else, or anything large."""
        if name in self._initializers:
            tensor = self._initializers[name]
            small = int(np.prod(tensor.dims)) <= _MAX_FOLDED_SIZE and not tensor.external_data
            return numpy_helper.to_array(tensor) if small else None
        node = self._producers.get(name)
        if node is None:
            return None
        if node.op_type == "Constant":
            return _constant_value(node)
        return self._fold(node) if node.op_type in _FOLDED else None

    def _fold(self, node: onnx.NodeProto) -> Array | None:
        values = [self.constant(name) for name in node.input if name]
        if any(value is None for value in values):
            return None
        from onnx.reference import ReferenceEvaluator

        names = [f"x{i}" for i in range(len(values))]
        inner = onnx.NodeProto()
        inner.CopyFrom(node)
        del inner.input[:]
        inner.input.extend(names)
        feeds = dict(zip(names, values, strict=True))
        results: Any = ReferenceEvaluator(inner, opsets=dict(self._opsets())).run(None, feeds)
        return np.asarray(results[0])

    def _opsets(self) -> Iterator[tuple[str, int]]:
        return ((entry.domain, entry.version) for entry in self.model.opset_import)

    @property
    def opset(self) -> int:
        return next(version for domain, version in self._opsets() if domain in ("", "ai.onnx"))

    def require(self, domain: str, version: int) -> None:
        """Import an opset domain once."""
        if all(entry.domain != domain for entry in self.model.opset_import):
            self.model.opset_import.append(helper.make_opsetid(domain, version))

    def initializer(self, value: Array) -> str:
        """Add a constant tensor; give its name."""
        tensor = numpy_helper.from_array(np.asarray(value), self._fresh("constant"))
        self.graph.initializer.append(tensor)
        self._initializers[tensor.name] = tensor
        return tensor.name

    def weight(self, name: str) -> onnx.TensorProto | None:
        """Give the tensor behind a name when it is an initializer."""
        return self._initializers.get(name)

    def add(self, op_type: str, inputs: Sequence[str], *, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output; give the output's name."""
        output = self._fresh(op_type)
        node = helper.make_node(op_type, list(inputs), [output], name=output, domain=domain, **attributes)
        self.graph.node.append(node)
        self._producers[output] = node
        for name in _inputs(node):
            self._consumers[name].append(node)
        return output

    def replace(self, old: str, new: str) -> None:
        """Let every use of one tensor, graph outputs aside, read another."""
        for node in self._consumers.pop(old, []):
            for i, name in enumerate(node.input):
                if name == old:
                    node.input[i] = new
            self._consumers[new].append(node)

    def _fresh(self, stem: str) -> str:
        name = ""
        while not name or name in self._initializers or name in self._producers:  # of an earlier edit
            self._n_new += 1
            name = f"routekit_{stem}_{self._n_new}"
        return name

    def finish(self) -> onnx.ModelProto:
        """Drop what no output needs and put the rest in an order that can be run."""
        kept = self._live_nodes()
        ordered = _sorted_nodes(kept, {*self._initializers, *(value.name for value in self.graph.input), ""})
        used = {name for node in ordered for name in _inputs(node)} | self.outputs
        initializers = [tensor for tensor in self.graph.initializer if tensor.name in used]
        for field, values in ((self.graph.node, ordered), (self.graph.initializer, initializers)):
            del field[:]
            field.extend(values)
        del self.graph.value_info[:]  # shapes of tensors that may be gone; runtimes infer them anew
        return self.model

    def _live_nodes(self) -> list[onnx.NodeProto]:
        live: set[str] = set()
        wanted = list(self.outputs)
        while wanted:
            node = self._producers.get(wanted.pop())
            if node is not None and node.output[0] not in live:
                live.update(name for name in node.output if name)
                wanted.extend(_inputs(node))
        return [node for node in self.graph.node if node.output and node.output[0] in live]


def _constant_value(node: onnx.NodeProto) -> Array | None:
    attribute = node.attribute[0]
    if attribute.name == "value":
        return numpy_helper.to_array(attribute.t) if np.prod(attribute.t.dims) <= _MAX_FOLDED_SIZE else None
    return np.asarray(helper.get_attribute_value(attribute))


def _inputs(node: onnx.NodeProto) -> list[str]:
    """Give all tensors a node reads, those that its subgraphs take from outside included."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            names.extend(_captured(attribute.g))
    return names


def _captured(graph: onnx.GraphProto) -> list[str]:
    inner = {name for node in graph.node for name in node.output} | {value.name for value in graph.input}
    inner |= {tensor.name for tensor in graph.initializer}
    read = [name for node in graph.node for name in _inputs(node)] + [value.name for value in graph.output]
    return [name for name in read if name not in inner]


def _sorted_nodes(nodes: list[onnx.NodeProto], available: set[str]) -> list[onnx.NodeProto]:
    """Order nodes so that each comes after what it reads (Kahn's algorithm, stable)."""
    waiting: dict[str, list[int]] = defaultdict(list)
    missing = []
    for i, node in enumerate(nodes):
        names = {name for name in _inputs(node) if name not in available}
        missing.append(len(names))
        for name in names:
            waiting[name].append(i)
    ready = [i for i, count in enumerate(missing) if count == 0]
    ordered = []
    for i in ready:  # grows while it is walked
        ordered.append(nodes[i])
        for name in nodes[i].output:
            for j in waiting.pop(name, []):
                missing[j] -= 1
                if missing[j] == 0:
                    ready.append(j)
    return ordered
