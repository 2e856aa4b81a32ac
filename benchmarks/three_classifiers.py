"""Three encoder classifiers over one request of 8K tokens: stock sessions on the whole text against routekit.

    python benchmarks/make_encoder.py encoder.onnx          # in an environment with torch and transformers
    python benchmarks/three_classifiers.py encoder.onnx [--tokens 8192] [--peer-python PYTHON]

Stock: the graph as exported, three times one after the other on the whole text (measured once, counted three times: the
sessions are equal). routekit: text compressed to 512 tokens, tokenised once, three rewritten int8 graphs. The rows in
between tell apart what cutting the text gains and what the code gains, and show stock and OpenVINO sessions on the same
512 tokens. Weights are random, so no verdict is compared here. CPU seconds, one thread, from processes of their own.
"""

from __future__ import annotations

import argparse
import json
import pydoc_data.topics
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

import routekit as rk
from encoders import CHILD
from record import save
from routekit.graph import rewrite

N_CLASSIFIERS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--tokens", type=int, default=8192)
    parser.add_argument("--peer-python")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(arguments, Path(folder))
    save("three_classifiers", {"unit": "CPU seconds, one thread", "n_tokens": arguments.tokens, "rows": rows},
         ["numpy", "onnxruntime", "tokenizers"])  # fmt: skip


def measure(arguments: argparse.Namespace, folder: Path) -> dict[str, dict[str, float]]:
    tokenizer = train_tokenizer()
    text = english(tokenizer, arguments.tokens)
    fast = folder / "model.onnx"
    print(rewrite(arguments.encoder, fast, precision="int8"))
    rows = {"routekit, 512 tokens": routekit_request(folder, tokenizer, text)}
    stock = [("stock, whole text", arguments.tokens, sys.executable, "onnxruntime")]
    stock.append(("stock, 512 tokens", 512, sys.executable, "onnxruntime"))
    if arguments.peer_python:
        stock.append(("openvino bf16, 512 tokens", 512, arguments.peer_python, "openvino_bf16"))
    for name, length, python, engine in stock:
        single = in_child(python, engine, arguments.encoder, length, folder)
        rows[name] = {"seconds": N_CLASSIFIERS * single["seconds"], "peak_mb": single["peak_mb"]}
    base = rows["stock, whole text"]["seconds"]
    for name, row in rows.items():
        row["speedup"] = base / row["seconds"]
        print(f"{name:28} {row['seconds']:8.3f} s  {row['speedup']:7.1f}x")
    return rows


def train_tokenizer() -> Tokenizer:
    """Train byte-level BPE on the interpreter's own documentation, so that nothing has to be downloaded."""
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel()
    special = ["[PAD]", "[SEP]", "[CLS]", "[UNK]"]
    trainer = trainers.BpeTrainer(vocab_size=8192, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(pydoc_data.topics.topics.values(), trainer)
    # The encoder knows 32,768 tokens, more than this text can teach: the rest are never used.
    tokenizer.add_special_tokens([f"[unused{i}]" for i in range(32768 - tokenizer.get_vocab_size())])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 1)]
    )
    return tokenizer


def english(tokenizer: Tokenizer, n_tokens: int) -> str:
    """Give a text of about that many tokens."""
    whole = "\n\n".join(pydoc_data.topics.topics.values())
    offsets = tokenizer.encode(whole).offsets
    return whole[: offsets[n_tokens - 2][1]]


def routekit_request(folder: Path, tokenizer: Tokenizer, text: str) -> dict[str, float]:
    """Time compression, tokenisation and three classifiers, as a router runs them."""
    tokenizer.save(str(folder / "tokenizer.json"))
    labels = {str(i): name for i, name in enumerate(("safe", "unsure", "hit"))}
    config = {"model_type": "modernbert", "id2label": labels, "num_labels": 3, "pad_token_id": 0, "vocab_size": 32768}
    (folder / "config.json").write_text(json.dumps(config))
    classifiers = [
        rk.OnnxClassifier.from_dir(
            folder, "cpu", f"signal{i}", long_text="compress", max_tokens=512, n_threads=1, positive=["hit"]
        )
        for i in range(N_CLASSIFIERS)
    ]
    seconds = []
    for _ in range(5):
        begin = time.process_time()
        with rk.sharing_work():
            predictions = [classifier.classify([text])[0] for classifier in classifiers]
        seconds.append(time.process_time() - begin)
    read = max(prediction.n_tokens for prediction in predictions)
    return {"seconds": statistics.median(seconds), "n_tokens_read": read}


def in_child(python: str, engine: str, graph: Path, length: int, folder: Path) -> dict[str, float]:
    command = [
        python,
        "-c",
        CHILD,
        engine,
        str(graph),
        str(length),
        "1" if length > 4096 else "3",
        str(folder / "out.npy"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    main()
