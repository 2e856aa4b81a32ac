"""Exports a trained encoder to the three files that ship, with int8 weights and one activation scale for each token.

    python training/encoder_export.py RUN --out src/routekit/embedded/encoder

A scale for the whole product, as dynamic quantisation has it, lets one text coarsen the numbers of another in the same
batch. Here a token's vector is divided by its own largest value before it is rounded, with stock operators only, so a
row's result does not depend on its neighbours. Channels that are large in all tokens are divided beforehand by a factor
that the layer before absorbs (as in SmoothQuant, Xiao et al. 2023, arXiv:2211.10438). The word table is int8 too, with
a scale for each word. The texts that channels are measured on are templates of this project.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
import torch  # type: ignore[import-not-found]
from onnx import TensorProto, helper, numpy_helper

import attacks
import encoder_orders
import encoder_requests
import grammar
from corpus import ATTACK, BENIGN, DOMAINS
from encoder_examples import CONTENT_TOKENS, Coder
from encoder_model import Encoder, new_encoder

WINDOW_TOKENS, STRIDE_TOKENS = 128, 98
OPSET = 17
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUTS = ("jailbreak", "domain", "pii")
#: Smaller rows are all zeros to int8.
TINY = 1e-6
#: What a GELU gives is above this; its many channels around 0 would only grow where they are negative.
GELU_FLOOR = -0.2


def load(run: Path) -> tuple[Encoder, list[str]]:
    """Read a run of `encoder_train.py`: the model, in float, and the labels of its token head."""
    stored = torch.load(run / "weights.pt", weights_only=True)
    n_words = stored["state"]["bert.embeddings.word_embeddings.weight"].shape[0]
    model = new_encoder(range(n_words), len(stored["pii_labels"]), attention="eager")
    model.load_state_dict(stored["state"])
    return model.eval(), stored["pii_labels"]


def export_float(model: torch.nn.Module, path: Path) -> None:
    ids = torch.randint(1000, 20000, (2, 48))
    mask = torch.ones_like(ids)
    mask[1, 30:] = 0
    axes: dict[str, dict[int, str]] = {name: {0: "batch", 1: "sequence"} for name in (*INPUTS, "pii")}
    axes |= {name: {0: "batch"} for name in ("jailbreak", "domain")}
    with torch.no_grad():
        torch.onnx.export(
            model, (ids, mask, torch.zeros_like(ids)), str(path), dynamo=False, input_names=list(INPUTS),
            output_names=list(OUTPUTS), dynamic_axes=axes, opset_version=OPSET,
        )  # fmt: skip


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
        if len(shape) == 2 and min(shape) >= 64:
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
        elif table is not None and table.ndim == 2 and len(table) > 1000:
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


def sample_batches(coder: Coder, n: int = 96, seed: int = 1) -> list[dict[str, Any]]:
    """Feed templates of every kind, in batches of one: attacks, requests, documents' orders, questions."""
    texts = grammar.sample(attacks.TEMPLATES, attacks.SLOTS, n // 3, seed)
    texts += grammar.sample(encoder_requests.CONSTRAINED, encoder_requests.SLOTS, n // 3, seed)
    texts += grammar.sample(encoder_orders.REQUESTS, encoder_orders.SLOTS, n // 3, seed)
    coded = (coder.encode(text)[:2] for text in texts)
    windows = [coder.window(ids, cases, 0, min(len(ids), CONTENT_TOKENS), 0) for ids, cases in coded]
    return [dict(zip(INPUTS, (w.ids[None], np.ones_like(w.ids)[None], w.cases[None]), strict=True)) for w in windows]


def placeholder(pii_labels: Sequence[str]) -> dict[str, Any]:
    """Give settings that decide nothing yet: `encoder_calibrate.py` fills them."""
    entities = sorted({label[2:] for label in pii_labels if label != "O"})
    return {
        "format": 1,
        "window_tokens": WINDOW_TOKENS,
        "stride_tokens": STRIDE_TOKENS,
        "labels": {"jailbreak": [BENIGN, ATTACK], "domain": list(DOMAINS)},
        "jailbreak": {
            "slope": 1.0,
            "bias": 0.0,
            "combine": {"linear": 1.0, "encoder": 1.0, "bias": 0.0, "clip": 5.0},
            "thresholds": [[None, 0.9]],
            "settle": {"below": None, "above": None},
        },
        "domain": {"temperature": 1.0, "linear": 1.0, "settle": None},
        "pii": {"labels": list(pii_labels), "thresholds": dict.fromkeys(entities)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    model, labels = load(arguments.run)
    plain = arguments.run / "float.onnx"
    export_float(model, plain)
    batches = sample_batches(Coder(arguments.run / "tokenizer.json"))
    onnx.save(quantized(onnx.load(plain), batches), arguments.out / "encoder.onnx")
    shutil.copy(arguments.run / "tokenizer.json", arguments.out / "tokenizer.json")
    settings = arguments.out / "encoder.json"
    if not settings.exists():
        settings.write_text(json.dumps(placeholder(labels), indent=1) + "\n")
    for path in sorted(arguments.out.iterdir()):
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
