"""A tiny encoder with the three heads of the embedded one and random weights, in a folder as it ships.

``python tests/embedded_encoder.py FOLDER`` writes it, to look at.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import onnx
from onnx import TensorProto, helper
from tokenizers import Tokenizer

import tiny_tokenizers
from encoder_models import EncoderShape, Graph, bert_layers
from routekit.embedded import load

PII = ("O", "B-PERSON", "I-PERSON", "B-ORGANIZATION", "I-ORGANIZATION", "B-DATE_TIME", "I-DATE_TIME")
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def settings(**changes: Any) -> dict[str, Any]:
    """Give a valid ``encoder.json``; `changes` replace whole sections."""
    domains = list(load("domain", tier="linear").labels)
    return {
        "format": 1,
        "window_tokens": 32,
        "stride_tokens": 24,
        "labels": {"jailbreak": ["benign", "jailbreak"], "domain": domains[::-1]},
        "jailbreak": {
            "slope": 1.0,
            "bias": 0.0,
            "combine": {"linear": 1.0, "encoder": 0.5, "bias": 0.0, "clip": 4.0},
            "thresholds": [[64, 0.5], [None, 0.9]],
            "settle": {"below": -4.0, "above": 6.0, "doubt": None},
        },
        "domain": {"temperature": 1.0, "linear": 1.0, "settle": 0.98},
        "pii": {"labels": list(PII), "thresholds": {"PERSON": 0.3, "ORGANIZATION": None, "DATE_TIME": 0.4}},
        **changes,
    }


def graph(vocab_size: int, n_domains: int, *, seed: int = 0, hidden: int = 32, n_layers: int = 2) -> onnx.ModelProto:
    """Build the encoder and its heads."""
    shape = EncoderShape("bert", "token", hidden, n_layers, vocab_size=vocab_size, n_positions=128)
    g = Graph(shape, seed)
    x = bert_layers(g, n_kinds=4)
    first = g.op("Gather", x, g.constant(0), axis=1)
    outputs = {"jailbreak": g.linear(first, hidden, 2), "domain": g.linear(first, hidden, n_domains)}
    model = g.model(g.linear(x, hidden, len(PII)), INPUTS, name="pii")
    for name, output in outputs.items():
        model.graph.node.append(helper.make_node("Identity", [output], [name]))
        model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", f"{name}_labels"]))
    onnx.checker.check_model(model)
    return model


def save(folder: Path, *, seed: int = 0, **changes: Any) -> Path:
    """Write ``encoder.onnx``, ``tokenizer.json`` and ``encoder.json`` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    said = settings(**changes)
    vocabulary = Tokenizer.from_file(str(tiny_tokenizers.save("wordpiece", folder))).get_vocab()
    onnx.save(graph(max(vocabulary.values()) + 1, len(said["labels"]["domain"]), seed=seed), folder / "encoder.onnx")
    (folder / "encoder.json").write_text(json.dumps(said))
    return folder


if __name__ == "__main__":
    print(save(Path(sys.argv[1])))
