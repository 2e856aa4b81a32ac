"""What an evaluation costs beside routing, what a replay saves, and what memory a long log takes.

    python benchmarks/evaluate.py --shared ../shared

Requests are labelled prompts of neuralchemy/validation and mmlu, judged by the embedded classifiers. Times are CPU time
of this process for one request, medians over rounds; the peer of a replay is routing all requests again. Memory is the
peak of Python's allocations while a log of so many rows, made as it is read, is evaluated with a checkpoint.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import routekit as rk
from record import save
from routekit.evaluate import Evaluation, compare, evaluate, sweep, with_threshold
from routekit.testing import FakeClassifier, chat

N_ROUNDS = 3
POLICY = rk.Policy(
    [
        rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403)),
        rk.Rule("math", rk.signal("domain") == "math", rk.RouteTo("qwen-math")),
    ],
    rk.RouteTo("general"),
)
OTHER = with_threshold(POLICY, "jailbreak", 0.8)


def labelled(shared: Path) -> list[dict[str, object]]:
    """Prompts with labels: every attack and benign one of a validation set, and one exam question in sixty."""
    safety = (shared / "data" / "neuralchemy" / "validation.jsonl").read_text(encoding="utf-8").splitlines()
    exams = (shared / "data" / "mmlu" / "all.jsonl").read_text(encoding="utf-8").splitlines()[::60]
    rows: list[dict[str, object]] = []
    for line in safety:
        row = json.loads(line)
        rows.append({"text": row["text"], "labels": {"jailbreak": row["label"]}})
    for line in exams:
        row = json.loads(line)
        rows.append({"text": row["text"], "labels": {"jailbreak": 0, "domain": row["label"]}})
    return rows


def microseconds(call: Callable[[], object], n_rows: int) -> float:
    """Median over rounds of the CPU time for one row."""
    rounds = []
    for _ in range(N_ROUNDS):
        begun = time.process_time()
        call()
        rounds.append(1e6 * (time.process_time() - begun) / n_rows)
    return statistics.median(rounds)


def times(rows: list[dict[str, object]], folder: Path) -> dict[str, float]:
    router, other = rk.PolicyRouter(POLICY), rk.PolicyRouter(OTHER)
    router.warm_up()
    bodies = [chat(str(row["text"])) for row in rows]
    evaluation = evaluate(router, rows)
    evaluation.save(folder / "saved.jsonl")
    loaded = Evaluation.load(folder / "saved.jsonl")

    def checkpointed() -> Evaluation:
        (folder / "checkpoint.jsonl").unlink(missing_ok=True)
        return evaluate(router, rows, checkpoint=folder / "checkpoint.jsonl")

    calls: dict[str, Callable[[], object]] = {
        "route": lambda: [router.route(body) for body in bodies],
        "evaluate": lambda: evaluate(router, rows),
        "evaluate_with_checkpoint": checkpointed,
        "report": lambda: Evaluation(evaluation.provenance, tuple(evaluation.entries)).summary,
        "route_again": lambda: [other.route(body) for body in bodies],
        "replay": lambda: list(evaluation.replay(OTHER).rows),
        "replay_from_file": lambda: list(loaded.replay(OTHER).rows),
        "compare": lambda: compare(evaluation, OTHER),
        "sweep_19_thresholds": lambda: sweep(evaluation, "jailbreak"),
    }
    found = {f"{name}_us": microseconds(call, len(rows)) for name, call in calls.items()}
    return found | {"n_rows": len(rows), "bytes_a_row": (folder / "saved.jsonl").stat().st_size / len(rows)}


def peak_megabytes(n_rows: int, folder: Path) -> float:
    """Evaluate a log that is made while it is read; give the peak of allocated memory."""

    def log() -> Iterator[object]:
        for i in range(n_rows):
            yield {"id": str(i), "text": "Tell me about it. " * 200 + str(i), "labels": {"jailbreak": i % 7 == 0}}

    fakes = [FakeClassifier("jailbreak", {"7": 0.95})]
    fakes[0].classify = lambda texts: [rk.Prediction("none", {"jailbreak": 0.1, "none": 0.9})] * len(texts)  # type: ignore[method-assign]
    policy = rk.Policy(POLICY.rules[:1], POLICY.default)
    tracemalloc.start()
    evaluation = evaluate(policy, log(), classifiers=fakes, checkpoint=folder / f"{n_rows}.jsonl")
    assert evaluation.n_requests == n_rows
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return peak


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        figures = times(labelled(options.shared), Path(name))
        figures |= {f"peak_megabytes_{n}_rows": peak_megabytes(n, Path(name)) for n in (500, 5_000)}
    for key, value in figures.items():
        print(f"{key:<32}{value:12.2f}")
    print(save("evaluate", figures))


if __name__ == "__main__":
    main()
