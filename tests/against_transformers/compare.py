"""Export small random encoders with transformers and hold OnnxClassifier's answers to transformers' own.

Needs torch, transformers, onnxscript; see README.md beside this file. Prints one line per export and exits with 1 if a
probability differs by more than the stated error, or if not one graph of a kind loads.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found]
import transformers  # type: ignore[import-not-found]
from tokenizers import Tokenizer

from routekit import ModelFormatError, OnnxClassifier

sys.path.insert(0, str(Path(__file__).parents[1]))
import tiny_tokenizers

#: Allowed |difference of P|: rounding of another order of summation in float32, and of the format in float16.
ALLOWED = {"float32": 2e-5, "float16": 2e-2}
LABELS = {"sequence": ("benign", "jailbreak", "other"), "token": ("O", "B-PERSON", "I-PERSON")}
FAMILY = {"bert": "wordpiece", "distilbert": "wordpiece", "roberta": "byte_bpe", "deberta-v2": "unigram"}
TEXTS = (
    *tiny_tokenizers.SENTENCES,
    "",
    "a",
    " \n\t ",
    "word " * 60,
    "naïve café Ω≈ç√ 日本語テキスト 🙂",
    "0" * 90,  # a longer word is one unknown token to transformers, and read in parts by routekit
)


def config_of(kind: str, vocab_size: int, pad_id: int, task: str) -> Any:
    """Return a small configuration of one architecture."""
    labels = LABELS[task]
    size: dict[str, Any] = {
        "vocab_size": vocab_size,
        "hidden_size": 32,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": 260,
        "pad_token_id": pad_id,
        "id2label": dict(enumerate(labels)),
        "label2id": {label: i for i, label in enumerate(labels)},
        "initializer_range": 0.3,
    }
    if kind == "distilbert":
        names = {"hidden_size": "dim", "num_hidden_layers": "n_layers", "num_attention_heads": "n_heads"}
        size = {names.get(key, key): value for key, value in size.items()} | {"hidden_dim": 64}
    if kind == "modernbert":
        size |= {"local_attention": 16, "bos_token_id": 0, "eos_token_id": 2, "cls_token_id": 0, "sep_token_id": 2}
        size |= {"initializer_cutoff_factor": 3.0}
    if kind == "deberta-v2":
        size |= {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_buckets": 16}
        size |= {"norm_rel_ebd": "layer_norm", "share_att_key": True, "position_biased_input": False}
    return transformers.AutoConfig.for_model(kind, **size)


def make(kind: str, task: str, folder: Path) -> Any:
    """Write tokenizer.json and config.json and return the random model."""
    torch.manual_seed(0)
    folder.mkdir(parents=True)
    tokenizer = Tokenizer.from_file(str(tiny_tokenizers.save(FAMILY.get(kind, "byte_bpe"), folder)))
    pad = next(i for name in ("[PAD]", "<pad>") if (i := tokenizer.token_to_id(name)) is not None)
    config = config_of(kind, tokenizer.get_vocab_size(), pad, task)
    auto = "AutoModelForSequenceClassification" if task == "sequence" else "AutoModelForTokenClassification"
    model = getattr(transformers, auto).from_config(config).eval()
    for name, weight in model.named_parameters():
        if name.endswith("bias"):
            torch.nn.init.normal_(weight, std=0.3)
    model.config.save_pretrained(folder)
    return model


def export(model: Any, kind: str, path: Path, exporter: str) -> None:
    """Export with dynamic batch and sequence axes."""
    ids = torch.tensor([[0, 5, 6, 2], [0, 7, 2, 1]])
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    if kind == "bert":
        inputs["token_type_ids"] = torch.zeros_like(ids)
    names = list(inputs)
    common: dict[str, Any] = {"input_names": names, "output_names": ["logits"], "opset_version": 18}
    if exporter == "torchscript":
        axes = {name: {0: "batch", 1: "sequence"} for name in names}
        torch.onnx.export(model, (), str(path), kwargs=inputs, dynamic_axes=axes, dynamo=False, **common)
    else:
        batch, sequence = torch.export.Dim("batch"), torch.export.Dim("sequence")
        shapes = {name: {0: batch, 1: sequence} for name in names}
        torch.onnx.export(model, (), str(path), kwargs=inputs, dynamic_shapes=shapes, dynamo=True, **common)


def reference(model: Any, classifier: OnnxClassifier, text: str, kind: str) -> np.ndarray[Any, Any]:
    """Return transformers' own probabilities of one text: (n_labels,), or (n_tokens, n_labels)."""
    encoding = classifier.tokenizer.encode(text)
    ids = np.concatenate([classifier.tokenizer.prefix, encoding.input_ids, classifier.tokenizer.suffix])
    fast = transformers.PreTrainedTokenizerFast(tokenizer_file=str(classifier._directory.tokenizer))
    theirs = fast(text)["input_ids"]
    # The one intended difference: words unknown to WordPiece are read in parts.
    assert theirs == ids.tolist() or classifier.tokenizer.token_id("[UNK]") in theirs, "tokenized otherwise"
    rows = torch.tensor(ids)[None]
    more = {"token_type_ids": torch.zeros_like(rows)} if kind == "bert" else {}
    with torch.no_grad():
        logits = model(input_ids=rows, attention_mask=torch.ones_like(rows), **more).logits[0].double()
    return np.asarray(logits.softmax(-1))


def difference(model: Any, classifier: OnnxClassifier, kind: str, task: str) -> float:
    """Return the largest |difference of P| over all texts, classified in one batch."""
    worst = 0.0
    for text, prediction in zip(TEXTS, classifier.classify(TEXTS), strict=True):
        expected = reference(model, classifier, text, kind)
        if task == "token":
            inner = expected[len(classifier.tokenizer.prefix) : len(expected) - len(classifier.tokenizer.suffix)]
            person = inner[:, 1:].sum(-1).max(initial=0.0)
            worst = max(worst, abs(prediction.probabilities["PERSON"] - person))
        else:
            pairs = zip(LABELS[task], expected, strict=True)
            worst = max(worst, *(abs(prediction.probabilities[label] - p) for label, p in pairs))
    return worst


def main() -> int:
    """Compare every architecture, task, exporter and precision."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=None, help="keep the exports here")
    out = arguments.parse_args().out or Path(tempfile.mkdtemp())
    failed = 0
    for kind in ("bert", "distilbert", "roberta", "deberta-v2", "modernbert"):
        for task in LABELS:
            for exporter in ("torchscript", "dynamo"):
                for dtype in ("float32", "float16"):
                    folder = out / f"{kind}-{task}-{exporter}-{dtype}"
                    failed += _compare(kind, task, exporter, dtype, folder)
    return int(failed > 0)


def _compare(kind: str, task: str, exporter: str, dtype: str, folder: Path) -> bool:
    model = make(kind, task, folder)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            export(model.to(getattr(torch, dtype)), kind, folder / "model.onnx", exporter)
    except Exception as error:
        print(f"{folder.name:44} not exported: {type(error).__name__}")
        return False
    try:
        classifier = OnnxClassifier.from_dir(folder, signal="jailbreak", n_threads=1, max_tokens=250)
    except ModelFormatError as error:
        print(f"{folder.name:44} not loaded: {str(error)[:150]}")
        return dtype == "float32"
    worst = difference(model.float(), classifier, kind, task)
    print(f"{folder.name:44} max |dP| {worst:.1e} {'ok' if worst <= ALLOWED[dtype] else 'TOO MUCH'}")
    return worst > ALLOWED[dtype]


if __name__ == "__main__":
    sys.exit(main())
