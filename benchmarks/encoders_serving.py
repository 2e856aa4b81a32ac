"""Serving encoders: does concurrency cost throughput, what does shared tokenization save, how fast does a model load.

    python benchmarks/encoders_serving.py [--requests 200] [--skip-base]

Random weights: BERT of 6 layers, 384 wide, and of 3 layers, 192 wide, for serving; of 12 layers, 768 wide (85 million
weights), for the load time.
Serial and concurrent requests alternate in rounds within one run, so that both meet the same neighbours on the machine;
ratios are medians over rounds.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import record
from encoder_models import save
from routekit import OnnxClassifier, classify_side_by_side, sharing_work
from tiny_tokenizers import SENTENCES

N_ROUNDS = 3


def texts_of(classifier: OnnxClassifier, n: int, n_tokens: int, seed: int = 0) -> list[str]:
    """Make `n` different texts of `n_tokens` tokens, special ones included, or one or two fewer."""
    rng, made = random.Random(seed), []
    words = " ".join(SENTENCES).split()
    for _ in range(n):
        text = " ".join(rng.choice(words) for _ in range(n_tokens))
        stop = classifier.tokenizer.encode(text).offsets[n_tokens - 3, 1]
        made.append(text[:stop])
    return made


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall and CPU seconds of this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def at_once(classifier: OnnxClassifier, texts: Sequence[str]) -> None:
    """Send every text from a thread of its own, all released together."""
    gate = threading.Barrier(len(texts))

    def request(text: str) -> None:
        gate.wait()
        classifier.classify([text])

    threads = [threading.Thread(target=request, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def serving(folder: Path, n_requests: int, n_rounds: int) -> dict[str, Any]:
    """Compare serial, concurrent and batched requests of 512 tokens, one thread in a run."""
    classifier = OnnxClassifier.from_dir(folder, n_threads=1)
    texts = texts_of(classifier, n_requests, 512)
    classifier.classify(texts[:2])
    arms: dict[str, Callable[[], object]] = {
        "serial": lambda: [classifier.classify([text]) for text in texts],
        "concurrent": lambda: at_once(classifier, texts),
        "one call": lambda: classifier.classify(texts),
    }
    rounds = [{name: timed(work) for name, work in arms.items()} for _ in range(n_rounds)]
    result: dict[str, Any] = {"requests at once": len(texts)}
    for name in arms:
        result[f"{name}: requests per second"] = len(texts) / median(r[name][0] for r in rounds)
        result[f"{name}: CPU ms per request"] = 1e3 * median(r[name][1] for r in rounds) / len(texts)
        result[f"{name}: throughput, serial = 1"] = median(r["serial"][0] / r[name][0] for r in rounds)
        result[f"{name}: CPU, serial = 1"] = median(r[name][1] / r["serial"][1] for r in rounds)
    return result


def heads(folders: Sequence[Path], n_tokens: int) -> dict[str, Any]:
    """Compare three heads on one text: each on its own, sharing the tokenization, side by side on two threads."""
    classifiers = [OnnxClassifier.from_dir(f, n_threads=1) for f in folders]
    (text,) = texts_of(classifiers[0], 1, n_tokens)

    def alone() -> None:
        for classifier in classifiers:
            classifier.classify([text])

    def sharing() -> None:
        with sharing_work():
            alone()

    arms: dict[str, Callable[[], object]] = {
        "alone": alone,
        "sharing": sharing,
        "side by side": lambda: classify_side_by_side(classifiers, [text], n_threads=2),
        "tokenizing once": lambda: classifiers[0].tokenizer.encode(text),
    }
    rounds = [{name: timed(work) for name, work in arms.items()} for _ in range(5 * N_ROUNDS)]
    result: dict[str, Any] = {"tokens": n_tokens}
    for name in arms:
        result[f"{name}: wall ms"] = 1e3 * median(r[name][0] for r in rounds)
        result[f"{name}: CPU ms"] = 1e3 * median(r[name][1] for r in rounds)
    result["CPU saved by sharing, ms"] = 1e3 * median(r["alone"][1] - r["sharing"][1] for r in rounds)
    return result


def loading(folder: Path) -> dict[str, Any]:
    """Time `from_dir`, first run included."""
    seconds = [timed(lambda: OnnxClassifier.from_dir(folder, n_threads=1)) for _ in range(N_ROUNDS)]
    size = (folder / "model.onnx").stat().st_size
    return {"graph_bytes": size, "wall s": median(s[0] for s in seconds), "CPU s": median(s[1] for s in seconds)}


def main() -> None:
    """Run everything, print it and save it."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--requests", type=int, default=200)
    arguments.add_argument("--skip-base", action="store_true")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as made:
        root = Path(made)
        small: dict[str, Any] = {"hidden": 384, "n_layers": 6, "n_heads": 12, "n_positions": 512}
        less = {**small, "hidden": 192, "n_layers": 3, "n_heads": 6}
        folder = save(root / "small", "bert", **small)
        tiny = [save(root / f"tiny{i}", "bert", seed=i, n_positions=512) for i in range(3)]
        results = {
            "serving (192 wide, 3 layers), 512 tokens": serving(save(root / "less", "bert", **less), given.requests, 5),
            "serving (384 wide, 6 layers), 512 tokens": serving(folder, given.requests, N_ROUNDS),
            "three tiny heads (32 wide, 2 layers), 512 tokens": heads(tiny, 512),
            "three tiny heads (32 wide, 2 layers), 8192 tokens": heads(tiny, 8192),
            "load, small": loading(folder),
        }
        if not given.skip_base:
            base: dict[str, Any] = {"hidden": 768, "n_layers": 12, "n_heads": 12, "n_positions": 512}
            results["load, base"] = loading(save(root / "base", "bert", **base))
    results = {"load average": dict(zip(("1 min", "5 min", "15 min"), os.getloadavg(), strict=True)), **results}
    for title, figures in results.items():
        print(f"\n{title}")
        for name, value in figures.items():
            print(f"  {name:45} {value:>14,.3f}")
    record.save("encoders_serving", results, ("onnxruntime", "tokenizers", "numpy"))


if __name__ == "__main__":
    main()
