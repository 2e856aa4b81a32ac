"""Make the tiny real exports that the graph tests stand on: random weights, real architectures, real exporters.

Needs torch 2.13, transformers (5.x, or 4.57 for the files ending in ``_tf4``), onnxscript. Not part of the tests:

    python tests/exports/make.py OUT_DIR [--suffix _tf4]
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import tempfile
import warnings
from pathlib import Path

import onnx
import torch  # type: ignore[import-not-found]
import transformers  # type: ignore[import-not-found]

HIDDEN = {
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "vocab_size": 48,
}
OLD = transformers.__version__.startswith("4.")


def make_config(architecture: str) -> transformers.PretrainedConfig:
    """Give a configuration with every feature of the architecture and as few weights as possible."""
    if architecture == "modernbert":
        extra = {"reference_compile": False} if OLD else {}
        return transformers.ModernBertConfig(
            max_position_embeddings=4096, global_attn_every_n_layers=3, local_attention=32, num_labels=3,
            pad_token_id=0, bos_token_id=2, eos_token_id=1, cls_token_id=1, sep_token_id=1, classifier_pooling="mean",
            **HIDDEN, **extra,
        )  # fmt: skip
    if architecture == "deberta":
        return transformers.DebertaV2Config(
            max_position_embeddings=128, relative_attention=True, position_buckets=16, norm_rel_ebd="layer_norm",
            share_att_key=True, pos_att_type=["p2c", "c2p"], position_biased_input=False, type_vocab_size=0,
            pooler_hidden_size=16, num_labels=3, **HIDDEN,
        )  # fmt: skip
    return transformers.BertConfig(max_position_embeddings=160, num_labels=3, **HIDDEN)


CLASSES = {
    ("modernbert", "seq"): "ModernBertForSequenceClassification",
    ("modernbert", "tok"): "ModernBertForTokenClassification",
    ("bert", "seq"): "BertForSequenceClassification",
    ("deberta", "seq"): "DebertaV2ForSequenceClassification",
}


class Logits(torch.nn.Module):  # type: ignore[misc]
    """The graph that classifiers are exported with: ids and mask in, logits out."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        return self.model(input_ids=input_ids, attention_mask=attention_mask).logits


def build(architecture: str, task: str, attention: str, half: bool) -> Logits:
    torch.manual_seed(0)
    model_class = getattr(transformers, CLASSES[architecture, task])
    config = make_config(architecture)
    model = (
        model_class(config)
        if architecture == "deberta"
        else model_class._from_config(config, attn_implementation=attention)
    )
    with torch.no_grad():  # the usual initialisation is so small that attention would be flat
        for name, weight in model.named_parameters():
            if weight.ndim == 2 and "embed" not in name:
                weight.mul_(6.0)
            weight.copy_(weight.bfloat16().float())  # half of the bits are zero: the files compress well
    logits: Logits = Logits(model.half() if half else model).eval()
    return logits


def export(model: Logits, path: Path, exporter: str, opset: int | None) -> None:
    ids = torch.randint(5, 48, (2, 100))
    mask = torch.ones_like(ids)
    mask[1, 80:] = 0
    options: dict[str, object] = {"input_names": ["input_ids", "attention_mask"], "output_names": ["logits"]}
    if opset:
        options["opset_version"] = opset
    axes = {0: "batch", 1: "sequence"}
    if exporter == "torchscript":
        dynamic = dict.fromkeys(("input_ids", "attention_mask", "logits"), axes)
        torch.onnx.export(model, (ids, mask), str(path), dynamo=False, dynamic_axes=dynamic, **options)
    else:
        dims = {name: dict.fromkeys((0, 1), torch.export.Dim.DYNAMIC) for name in ("input_ids", "attention_mask")}
        torch.onnx.export(
            model, (ids, mask), str(path), dynamo=True, dynamic_shapes=dims, external_data=False, **options
        )


def slim(path: Path) -> bytes:
    """Drop stack traces and other notes that exporters leave at every node."""
    model = onnx.load(path)
    for item in (
        *model.graph.node,
        *model.graph.value_info,
        *model.graph.input,
        *model.graph.output,
        model,
        model.graph,
    ):
        item.doc_string = ""
        if hasattr(item, "metadata_props"):
            del item.metadata_props[:]
    del model.functions[:]
    return bytes(model.SerializeToString())


def jobs() -> list[tuple[str, str, str, str, bool, int | None]]:
    rows: list[tuple[str, str, str, str, bool, int | None]] = []
    for exporter, attention in itertools.product(("torchscript", "dynamo"), ("eager", "sdpa")):
        rows.append(("modernbert", "tok" if attention == "eager" else "seq", attention, exporter, False, None))
    rows.append(("bert", "seq", "eager", "torchscript", False, None))
    rows.append(("bert", "seq", "sdpa", "dynamo", False, None))
    if not OLD:
        rows.append(("bert", "seq", "sdpa", "torchscript", False, None))
        rows.append(("deberta", "seq", "eager", "torchscript", False, None))
        rows.append(("modernbert", "seq", "sdpa", "torchscript", False, 17))
        rows.append(("modernbert", "seq", "sdpa", "dynamo", False, 23))
        rows.append(("modernbert", "seq", "sdpa", "dynamo", True, None))
        rows.append(("modernbert", "seq", "sdpa", "torchscript", True, None))  # ONNX Runtime refuses to load it
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--suffix", default="")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for architecture, task, attention, exporter, half, opset in jobs():
        name = (
            f"{architecture}_{task}_{attention}_{exporter}"
            + ("_fp16" if half else "")
            + (f"_op{opset}" if opset else "")
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.onnx"
            try:
                with torch.no_grad():
                    export(build(architecture, task, attention, half), path, exporter, opset)
            except Exception as error:
                print("failed", name, type(error).__name__, str(error)[:200])
                continue
            packed = gzip.compress(slim(path), 9, mtime=0)
            (arguments.out / f"{name}{arguments.suffix}.onnx.gz").write_bytes(packed)
            print(name + arguments.suffix, path.stat().st_size, len(packed))


if __name__ == "__main__":
    main()
