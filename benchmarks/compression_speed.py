"""CPU time of compression by stage, length and script; the published algorithm's numpy form runs beside it.

usage: python benchmarks/compression_speed.py SHARED_FOLDER
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import record
from compression_texts import load_corpus, paragraphs
from routekit import ExtractiveCompressor
from routekit.compiled import compiled_text
from routekit.compression.analysis import Analysis
from routekit.compression.compressor import unit_scores
from routekit.compression.profiles import Profile
from routekit.compression.scorers import novelty, position, textrank, tfidf
from routekit.compression.terms import TermMatrix, new_vocabulary
from routekit.compression.units import cut_units
from routekit.embedded import load
from routekit.pii import PatternPiiClassifier
from routekit.sentences import sentence_starts

LENGTHS = (1000, 4000, 16000, 64000, 256000, 1000000)
MAX_TOKENS = 512
REPEATS = 15


def milliseconds(call: Callable[[], object], repeats: int) -> float:
    """Median CPU time of one call."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        call()
        times.append(time.process_time() - started)
    return statistics.median(times) * 1e3


def stages(text: str, repeats: int) -> dict[str, float]:
    """Time each stage on its own; they overlap a little with what `compress` shares between them."""
    starts = sentence_starts(text)
    units = cut_units(text, starts, len(text))
    vocabulary = new_vocabulary()
    rows = vocabulary.add(text, units, len(text))

    def matrix() -> TermMatrix:  # fresh: its derived arrays are computed once and kept
        return TermMatrix.of([rows], len(vocabulary))

    bounds = np.append(units, len(text))
    calls: dict[str, Callable[[], object]] = {
        "sentences": lambda: sentence_starts(text),
        "units": lambda: cut_units(text, starts, len(text)),
        "terms": lambda: new_vocabulary().add(text, units, len(text)),
        "textrank": lambda: textrank(matrix()),
        "tfidf": lambda: tfidf(matrix()),
        "novelty": lambda: novelty(matrix()),
        "position": lambda: position(len(units)),
        "all scores": lambda: unit_scores(Analysis(text, bounds, matrix()), (), Profile()),
        "compress": lambda: ExtractiveCompressor().compress(text, MAX_TOKENS),
    }
    return {name: round(milliseconds(call, repeats), 3) for name, call in calls.items()}


def tail_of_a_stream(text: str, piece: int = 16384) -> float:
    """CPU milliseconds left after the last piece arrived, when the text comes in pieces."""
    stream = ExtractiveCompressor().open(MAX_TOKENS)
    for at in range(0, len(text), piece):
        stream.feed(text[at : at + piece])
    started = time.process_time()
    stream.finish()
    return (time.process_time() - started) * 1e3


def with_screens(text: str, repeats: int) -> float:
    """CPU milliseconds of compression when three screens have scored the text; their own time is not in it."""
    scores = [
        screen(text)
        for screen in (
            load("jailbreak", "linear").screen,
            load("domain", "linear").screen,
            PatternPiiClassifier().screen,
        )
    ]
    return milliseconds(lambda: ExtractiveCompressor().compress(text, MAX_TOKENS, scores=scores), repeats)


def without_compiled_code(text: str) -> float:
    """CPU milliseconds of the Python path, once."""
    with (
        patch("routekit.sentences.compiled_text", lambda: None),
        patch("routekit.compression.terms.compiled_text", lambda: None),
    ):
        return milliseconds(lambda: ExtractiveCompressor().compress(text, MAX_TOKENS), 3)


def prototype(shared: Path) -> Callable[[str], object] | None:
    """The published scores in numpy and scipy, no cap on sentences; None where it or scipy is missing."""
    path = shared / "prototypes/compression/textrank_proto.py"
    if not path.exists() or importlib.util.find_spec("scipy") is None:
        return None
    spec = importlib.util.spec_from_file_location("textrank_proto", path)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda text: module.compress(text, budget=MAX_TOKENS, cap=None)


def texts(shared: Path) -> dict[str, Callable[[int], str]]:
    corpus, rng = load_corpus(shared / "data"), random.Random(5)

    def english(n_tokens: int) -> str:
        return "\n\n".join(paragraphs(corpus.benign["english"], 4 * n_tokens, rng))

    def chinese(n_tokens: int) -> str:
        return "\n".join(paragraphs(corpus.benign["chinese"], n_tokens, rng))

    def random_chinese(n_tokens: int) -> str:  # no term twice, if it can help it: the worst for the term table
        return "".join(chr(rng.randint(0x4E00, 0x9FA5)) if i % 25 else "。" for i in range(n_tokens))

    return {"english": english, "chinese": chinese, "chinese, random characters": random_chinese}


def measure(shared: Path, lengths: Sequence[int]) -> dict[str, Any]:
    peer = prototype(shared)
    results: dict[str, Any] = {}
    for name, make in texts(shared).items():
        for n_tokens in lengths:
            text = make(n_tokens)
            repeats = REPEATS if n_tokens < 200000 else 3
            row = stages(text, repeats)
            row["stream, after the last byte"] = round(
                statistics.median(tail_of_a_stream(text) for _ in range(repeats)), 3
            )
            if n_tokens <= 64000:
                row["compress, pure Python"] = round(without_compiled_code(text), 2)
                if peer is not None:
                    row["prototype"] = round(milliseconds(lambda text=text: peer(text), 5), 2)  # type: ignore[misc]
            results.setdefault(name, {})[n_tokens] = row
            print(f"{name:28} {n_tokens:8}  " + "  ".join(f"{k} {v:g}" for k, v in row.items()), flush=True)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--longest", type=int, default=LENGTHS[-1], help="longest text, in tokens")
    args = parser.parse_args()
    results = measure(args.shared, [n for n in LENGTHS if n <= args.longest])
    compiled = compiled_text() is not None
    print(record.save("compression_speed", {"compiled": compiled, "cpu_ms": results}, ("numpy", "scipy")))


if __name__ == "__main__":
    main()
