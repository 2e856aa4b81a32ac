"""Writes an int8 encoder as two graphs on one file of weights: in stock operators, and with native ones in their place.

    python training/encoder_fused.py encoder.onnx --out src/routekit/embedded/encoder

``encoder.onnx`` is what `encoder_int8.quantized` makes; files of the same names in OUT are replaced. The weights lie as
``routekit::EncoderLayer`` (native/ck_fa) reads them, mapped and in place; the stock graph puts them back in rows when
it is loaded. Where routekit's library is installed, both graphs are run, and must agree.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from routekit.attention import DOMAIN, library_path, register_attention
from routekit.onnx_file import read_onnx_summary

STOCK, FUSED, WEIGHTS = "encoder.onnx", "encoder_fused.onnx", "encoder.weights"
#: Columns and rows of the weights that lie together.
PANEL, STEP = 16, 4
#: Larger tensors go to the file of weights; they begin at lines of the cache.
SHARED_BYTES, ALIGNED = 16384, 64
#: By this much logits of both graphs may differ (root mean square): another last bit of a sum turns a number by a step
#: here and there, which other tokens see in the next layer. A graph that is put together wrongly differs by 1.
ALLOWED = 0.1


def packed(weights: Any) -> Any:
    """Lay out weights of shape (depth, columns) as the op reads them: (columns / 16, depth / 4, 16, 4)."""
    depth, columns = weights.shape
    steps = weights.reshape(depth // STEP, STEP, columns // PANEL, PANEL)
    return np.ascontiguousarray(steps.transpose(2, 0, 3, 1))


@dataclass(frozen=True)
class Product:
    """One rounded product of a graph, by the names of its tensors.

    Attributes
    ----------
    source, output
        The tensor that is rounded, and the product after its bias.
    """

    source: str
    weights: str
    scales: str
    bias: str
    output: str


class Quantised:
    """A graph that `encoder_int8.quantized` made: its tensors, and who makes and reads them."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.model = model
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        self.makers = {name: node for node in model.graph.node for name in node.output}
        for node in model.graph.node:
            if node.op_type == "Constant":
                self.constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)

    def of_kind(self, kind: str) -> list[onnx.NodeProto]:
        return [node for node in self.model.graph.node if node.op_type == kind]

    def reader(self, name: str, kind: str) -> onnx.NodeProto:
        return next(node for node in self.of_kind(kind) if name in node.input)

    def products(self) -> list[Product]:
        """Give them in order: of each layer queries, keys, values, output, up and down."""
        return [self._product(node) for node in self.of_kind("MatMulIntegerToFloat")]

    def _product(self, node: onnx.NodeProto) -> Product:
        add = self.reader(self.reader(node.output[0], "Mul").output[0], "Add")
        (bias,) = (name for name in add.input if name in self.constants)
        return Product(node.input[0].removesuffix(".int8"), node.input[1], node.input[3], bias, add.output[0])

    def n_heads(self, hidden: int) -> int:
        """Tell it from the factor of the scores, 1 / sqrt(head_dim)."""
        scores = next(node for node in self.of_kind("Softmax") if self.makers[node.input[0]].op_type == "Add")
        scaled = next(
            node
            for name in self.makers[scores.input[0]].input
            if (node := self.makers.get(name)) is not None and node.op_type == "Mul"
        )
        (factor,) = (self.constants[name] for name in scaled.input if name in self.constants)
        return round(hidden * float(factor) ** 2)


class Files:
    """Puts tensors into graphs: small ones inside, large ones once into a file that all graphs share."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._places: dict[str, int] = {}

    def tensors(self, constants: Iterable[tuple[str, Any]]) -> list[onnx.TensorProto]:
        return [self._tensor(name, value) for name, value in constants]

    def joined(self, name: str, parts: Sequence[tuple[str, Any]]) -> onnx.TensorProto:
        """Give one tensor that is several shared ones, along the first axis; they lie behind each other."""
        places = [self._place(part, value) for part, value in parts]
        sizes = [value.nbytes for _, value in parts]
        assert all(places[i] + sizes[i] == places[i + 1] for i in range(len(parts) - 1)), "parts lie apart"
        first = parts[0][1]
        shape = (sum(len(value) for _, value in parts), *first.shape[1:])
        return self._external(name, shape, first.dtype, places[0], sum(sizes))

    def _tensor(self, name: str, value: Any) -> onnx.TensorProto:
        if value.nbytes < SHARED_BYTES:
            return numpy_helper.from_array(value, name)
        return self._external(name, value.shape, value.dtype, self._place(name, value), value.nbytes)

    def _place(self, name: str, value: Any) -> int:
        if name not in self._places:
            self.data += bytes(-len(self.data) % ALIGNED)
            self._places[name] = len(self.data)
            self.data += value.tobytes()
        return self._places[name]

    @staticmethod
    def _external(name: str, shape: Sequence[int], dtype: Any, offset: int, n_bytes: int) -> onnx.TensorProto:
        tensor = TensorProto(name=name, dims=shape, data_type=helper.np_dtype_to_tensor_dtype(dtype))
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", WEIGHTS), ("offset", offset), ("length", n_bytes)):
            tensor.external_data.add(key=key, value=str(value))
        return tensor


def with_nodes(model: onnx.ModelProto, nodes: Sequence[onnx.NodeProto]) -> onnx.ModelProto:
    """Give a model with the inputs and outputs of another, these nodes as far as its outputs need them, no tensors."""
    needed = {output.name for output in model.graph.output}
    kept: list[onnx.NodeProto] = []
    for node in reversed(nodes):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    new = onnx.ModelProto()
    new.CopyFrom(model)
    del new.graph.node[:], new.graph.initializer[:], new.graph.value_info[:]
    new.graph.node.extend(reversed(kept))
    return new


def _add_tensors(model: onnx.ModelProto, tensors: Iterable[onnx.TensorProto]) -> onnx.ModelProto:
    used = {name for node in model.graph.node for name in node.input}
    model.graph.initializer.extend(tensor for tensor in tensors if tensor.name in used)
    return model


def stock_graph(graph: Quantised, files: Files) -> onnx.ModelProto:
    """Give the graph as it is, but for weights that lie packed: it puts them into rows again."""
    weights = {product.weights for product in graph.products()}
    constants = {tensor.name: graph.constants[tensor.name] for tensor in graph.model.graph.initializer}
    nodes = []
    for name in sorted(weights):
        constants[f"{name}.shape"] = np.array(constants[name].shape, np.int64)
        constants[f"{name}.packed"] = packed(constants.pop(name))
        nodes.append(helper.make_node("Transpose", [f"{name}.packed"], [f"{name}.steps"], perm=[1, 3, 0, 2]))
        nodes.append(helper.make_node("Reshape", [f"{name}.steps", f"{name}.shape"], [name]))
    model = with_nodes(graph.model, [*nodes, *graph.model.graph.node])
    return _add_tensors(model, files.tensors(constants.items()))


class FusedGraph:
    """The same encoder with one node for each layer."""

    def __init__(self, graph: Quantised, files: Files) -> None:
        self._graph, self._files = graph, files
        self._tensors: list[onnx.TensorProto] = []

    def model(self) -> onnx.ModelProto:
        products, (first, *norms) = self._graph.products(), self._graph.of_kind("LayerNormalization")
        new = [self._input(first)]
        for i in range(len(norms) // 2):
            new.append(self._layer(i, products[6 * i : 6 * i + 6], norms[2 * i : 2 * i + 2]))
        by_output = {node.output[0]: node for node in new}
        nodes = [by_output.get(node.output[0], node) for node in self._graph.model.graph.node]
        model = with_nodes(self._graph.model, nodes)
        model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
        constants = {t.name: self._graph.constants[t.name] for t in self._graph.model.graph.initializer}
        used = {name for node in model.graph.node for name in node.input}
        plain = self._files.tensors((name, value) for name, value in constants.items() if name in used)
        return _add_tensors(model, [*plain, *self._tensors])

    def _layer(self, i: int, products: Sequence[Product], norms: Sequence[onnx.NodeProto]) -> onnx.NodeProto:
        groups = {"qkv": products[:3], "out": products[3:4], "up": products[4:5], "down": products[5:]}
        inputs = [products[0].source, "attention_mask"]
        for name, group in groups.items():
            inputs += self._product(f"layer.{i}.{name}", group)
        for norm in norms:
            inputs += norm.input[1:]
        zeros = {f"zero_{name}": int(self._zero(group[0])) for name, group in groups.items()}
        heads = self._graph.n_heads(len(self._graph.constants[norms[0].input[1]]))
        said: dict[str, Any] = {"heads": heads, "epsilon": _epsilon(norms[0]), **zeros}
        return helper.make_node("EncoderLayer", inputs, [norms[1].output[0]], f"layer.{i}", domain=DOMAIN, **said)

    def _input(self, norm: onnx.NodeProto) -> onnx.NodeProto:
        """Add up a word, a kind and a place for each token, and normalise; words are looked up as before."""
        parts = self._parts(norm.input[0])
        (word,) = (part for part in parts if part.op_type == "Mul")
        (kind,) = (part for part in parts if "token_type_ids" in part.input)
        (place,) = (part for part in parts if part.op_type == "Gather" and part is not kind)
        cast, scale = (self._graph.makers[name] for name in word.input)
        inputs = [cast.input[0], scale.output[0], "token_type_ids", kind.input[0], place.input[0], *norm.input[1:]]
        said: dict[str, Any] = {"epsilon": _epsilon(norm)}
        return helper.make_node("EncoderInput", inputs, [norm.output[0]], "input", domain=DOMAIN, **said)

    def _parts(self, name: str) -> list[onnx.NodeProto]:
        """Give what is added up in a tensor."""
        node = self._graph.makers[name]
        return [part for given in node.input for part in self._parts(given)] if node.op_type == "Add" else [node]

    def _zero(self, product: Product) -> Any:
        return self._graph.constants[f"{product.source}.zero"]

    def _product(self, name: str, group: Sequence[Product]) -> list[str]:
        """Add the tensors of products that read the same, side by side."""
        constants = self._graph.constants
        parts = [(f"{product.weights}.packed", packed(constants[product.weights])) for product in group]
        sums = np.concatenate([constants[product.weights].sum(0, dtype=np.int64) for product in group])
        columns = {
            "starts": (-int(self._zero(group[0])) * sums).astype(np.int32),
            "scales": np.concatenate([constants[p.scales] for p in group]) * constants[f"{group[0].source}.step"],
            "bias": np.concatenate([constants[p.bias] for p in group]),
        }
        self._tensors.append(self._files.joined(f"{name}.weights", parts))
        self._tensors += self._files.tensors((f"{name}.{key}", value) for key, value in columns.items())
        factors = f"{group[0].source}.factors"
        self._tensors.append(numpy_helper.from_array(constants[factors], f"{name}.factors"))
        return [f"{name}.{part}" for part in ("weights", "starts", "scales", "bias", "factors")]


def _epsilon(norm: onnx.NodeProto) -> float:
    return float(next(attribute.f for attribute in norm.attribute if attribute.name == "epsilon"))


def save(model: onnx.ModelProto, folder: Path) -> None:
    """Write both graphs and their weights; check that they agree, where the native one can run."""
    graph, files = Quantised(model), Files()
    for product in graph.products():  # in this order, so that queries, keys and values lie side by side
        files.tensors([(f"{product.weights}.packed", packed(graph.constants[product.weights]))])
    graphs = {STOCK: stock_graph(graph, files), FUSED: FusedGraph(graph, files).model()}
    (folder / WEIGHTS).write_bytes(files.data)
    for name, made in graphs.items():
        onnx.save(made, folder / name)
    print(agreement(folder))


def agreement(folder: Path, seed: int = 1) -> str:
    """Run both graphs on random tokens; say how much their logits differ, which must be little."""
    try:
        stock, fused = (session(folder / name) for name in (STOCK, FUSED))
    except Exception as error:  # no library, or a processor that it does not serve
        return f"{FUSED} cannot run here and was not checked: {error}"
    rng, n_ids = np.random.default_rng(seed), read_onnx_summary(folder / STOCK).n_embeddings
    worst = 0.0
    for lengths in ([128], [2], [60, 31, 9]):
        mask = (np.arange(max(lengths)) < np.array(lengths)[:, None]).astype(np.int64)
        ids = rng.integers(0, n_ids, mask.shape) * mask
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": rng.integers(0, 4, mask.shape)}
        logits = zip(stock.run(None, feeds), fused.run(None, feeds), strict=True)
        worst = max(worst, *(_difference(one, other, mask) for one, other in logits))
    assert worst < ALLOWED, f"the logits of {FUSED} differ from those of {STOCK} by {worst:.3f}"
    return f"the logits of {FUSED} differ from those of {STOCK} by {worst:.4f}"


def _difference(one: Any, other: Any, mask: Any) -> float:
    difference = (one - other)[mask > 0] if one.ndim == 3 else one - other
    return float(np.sqrt(np.mean(difference**2)))


def session(path: Path) -> Any:
    """Open a graph with routekit's operators, where they are installed."""
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    if library_path() is not None:
        register_attention(options)
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    save(onnx.load(arguments.encoder), arguments.out)


if __name__ == "__main__":
    main()
