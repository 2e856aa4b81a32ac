"""The embedded encoder by native operators beside the same one by stock operators, in turns, on one thread.

    python benchmarks/fused_encoder.py

`windows` is the graph alone, on as many windows of so many tokens; 5 x 128 is what 512 tokens of text come to. `texts`
is all that it takes to judge a text by jailbreak and domain, where the encoder has to read. Medians of CPU time, in
milliseconds. Memory is the peak of a process of its own that does so with 16K tokens.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from embedded_speed import Tiers
from record import save
from routekit.embedded import ENCODER
from routekit.embedded.encoder import CPU, GRAPHS
from routekit.ort_session import OrtEncoder, load_encoder
from routekit.shared_work import sharing_work
from routekit.tensors import ModelFiles, TokenBatch

FUSED, STOCK = GRAPHS
WINDOWS = ((1, 16), (1, 64), (1, 128), (5, 128), (16, 32))
TEXTS = (128, 512, 2048, 16_384)
BATCH_ROWS = 4  # of windows of 128 tokens
REPEATS = 31


def in_turns(runs: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Time several functions one after the other, over and over; give the median of each, and by how much one gains."""
    spent: dict[str, list[float]] = {name: [] for name in runs}
    for i in range(REPEATS + 2):
        for name, run in runs.items():
            began = time.process_time()
            run()
            if i >= 2:
                spent[name].append(1000 * (time.process_time() - began))
    medians = {name: statistics.median(times) for name, times in spent.items()}
    return {**{name: round(value, 2) for name, value in medians.items()}, "ratio": round(_ratio(medians), 2)}


def _ratio(medians: Mapping[str, float]) -> float:
    return medians["stock"] / medians["native"]


def windows(n_rows: int, n_tokens: int) -> list[TokenBatch]:
    """Give random tokens in the batches that the encoder would make of them."""
    rng = np.random.default_rng(n_tokens)
    sizes = [BATCH_ROWS] * (n_rows // BATCH_ROWS) + [n_rows % BATCH_ROWS] if n_tokens == 128 else [n_rows]
    shapes = [(size, n_tokens) for size in sizes if size]
    return [
        TokenBatch(rng.integers(0, 20_000, shape), np.ones(shape, np.int64), rng.integers(0, 4, shape))
        for shape in shapes
    ]


def opened(graph: str) -> OrtEncoder:
    options = {"n_threads": 1, "heads": ("jailbreak", "domain", "pii")}
    return load_encoder(ModelFiles(ENCODER, (ENCODER / graph,), options), CPU)


def run_all(encoder: OrtEncoder, batches: list[TokenBatch]) -> None:
    for batch in batches:
        encoder.run_heads(batch)


def judge(tiers: Tiers, text: str) -> None:
    with sharing_work():
        for classifier in (tiers.jailbreak, tiers.domain):
            classifier.classify([text])


def peak(folder: Path) -> float:
    """Measure the peak megabytes of a process that judges 16K tokens."""
    command = [sys.executable, __file__, str(folder)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _peak_here(folder: Path) -> float:
    tiers = Tiers(folder)
    judge(tiers, tiers.text(16_384))
    status = Path("/proc/self/status").read_text()
    return round(int(status.split("VmHWM:")[1].split()[0]) / 1024, 1)


def main() -> None:
    if len(sys.argv) > 1:
        print(_peak_here(Path(sys.argv[1])))
        return
    graphs = {"native": opened(FUSED), "stock": opened(STOCK)}
    alone = {}
    for n_rows, n_tokens in WINDOWS:
        batches = windows(n_rows, n_tokens)
        alone[f"{n_rows} x {n_tokens}"] = in_turns({name: partial(run_all, e, batches) for name, e in graphs.items()})
    with TemporaryDirectory() as temporary:
        stock = Path(shutil.copytree(ENCODER, Path(temporary) / "stock", ignore=shutil.ignore_patterns(FUSED)))
        folders = {"native": ENCODER, "stock": stock}
        tiers = {name: Tiers(folder) for name, folder in folders.items()}
        texts = {n: tiers["native"].text(n) for n in TEXTS}
        whole = {
            f"{n} tokens": in_turns({name: partial(judge, tier, text) for name, tier in tiers.items()})
            for n, text in texts.items()
        }
        megabytes = {name: peak(folder) for name, folder in folders.items()}
    results = {"windows": alone, "texts": whole, "megabytes at 16K tokens": megabytes}
    print(save("encoder_fused", results, ["numpy", "onnxruntime", "tokenizers"]).read_text())


if __name__ == "__main__":
    main()
