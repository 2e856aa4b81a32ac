"""Exports a trained encoder to the files that ship, with int8 weights and one activation scale for each token.

    python training/encoder_export.py RUN --out src/routekit/embedded/encoder

RUN is what `encoder_train.py` wrote. The texts on which the channels of activations are measured are templates of this
project.
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
import torch  # type: ignore[import-not-found]

import attacks
import encoder_fused
import encoder_orders
import encoder_requests
import grammar
from corpus import ATTACK, BENIGN, DOMAINS
from encoder_examples import CONTENT_TOKENS, STRIDE_TOKENS, Coder
from encoder_int8 import quantized
from encoder_model import Encoder, new_encoder

OPSET = 17
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUTS = ("jailbreak", "domain", "pii")


def load(run: Path) -> tuple[Encoder, list[str]]:
    """Read a run of `encoder_train.py`: the model, in float, and the labels of its token head."""
    stored = torch.load(run / "weights.pt", weights_only=True)
    n_words = stored["state"]["bert.embeddings.word_embeddings.weight"].shape[0]
    model = new_encoder(range(n_words), len(stored["pii_labels"]))
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
        "window_tokens": CONTENT_TOKENS + 2,
        "stride_tokens": STRIDE_TOKENS,
        "labels": {"jailbreak": [BENIGN, ATTACK], "domain": list(DOMAINS)},
        "jailbreak": {
            "slope": 1.0,
            "bias": 0.0,
            "combine": {"linear": 1.0, "encoder": 1.0, "bias": 0.0, "clip": 5.0},
            "thresholds": [[None, 0.9]],
            "settle": {"below": None, "above": None, "doubt": None},
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
    encoder_fused.save(quantized(onnx.load(plain), batches), arguments.out)
    shutil.copy(arguments.run / "tokenizer.json", arguments.out / "tokenizer.json")
    settings = arguments.out / "encoder.json"
    if not settings.exists():
        settings.write_text(json.dumps(placeholder(labels), indent=1) + "\n")
    for path in sorted(arguments.out.iterdir()):
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
