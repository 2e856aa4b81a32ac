"""One request of three classifiers, body to rewritten body, in each of the stages of `benchmarks/run_all.py`.

    python benchmarks/request_stages.py FOLDER STAGE N_TOKENS N_RUNS [N_CONCURRENT]

FOLDER is made by `run_all.py`: one subfolder for each graph (stock, fp32, int16, int8). Prints JSON: median CPU seconds
of a request, those after its last byte, and the peak of this process's memory; with N_CONCURRENT the latencies of so
many requests that come at once, in seconds of the clock. One core.
"""

from __future__ import annotations

import asyncio
import json
import os
import pydoc_data.topics
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

import routekit as rk
from routekit.embedded import Tier, load
from routekit.interfaces import Classifier

SIGNALS = ("jailbreak", "pii", "domain")
CHUNK_BYTES = 16384
#: Longest text that a graph reads at once: what the base encoder's positions allow.
MAX_TOKENS = 32768


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds of one request: all of them, and those after the last byte of its body."""

    seconds: float
    after_last_byte: float


#: Judges a body once.
Run = Callable[[bytes], Cost]


def whole(folder: Path, graph: str) -> Run:
    """Parse, run one classifier over the whole text, count it three times, write the body again."""
    classifier = _encoder(folder / graph, "jailbreak", long_text="refuse", max_tokens=MAX_TOKENS)
    return _parsed(lambda text: classifier.classify([text]), n_times=len(SIGNALS))


def truncated(folder: Path, graph: str) -> Run:
    """As `whole`, but of the first 512 tokens: what is usual."""
    classifier = _encoder(folder / graph, "jailbreak", long_text="refuse")
    size = 512 - classifier.tokenizer.n_special_tokens

    def classify(text: str) -> object:
        offsets = classifier.tokenizer.encode(text).offsets
        return classifier.classify([text[: offsets[min(size, len(offsets)) - 1, 1]]])

    return _parsed(classify, n_times=len(SIGNALS))


def compressed(folder: Path, graph: str) -> Run:
    """Parse, cut the text to 512 tokens for each classifier by its own screen, run three classifiers, write."""
    classifiers = cut_encoders(folder / graph)

    def classify(text: str) -> object:
        with rk.sharing_work():
            return [classifier.classify([text]) for classifier in classifiers]

    return _parsed(classify, n_times=1)


def streamed(classifiers: Sequence[Classifier], *, names: bool = False) -> Run:
    """Read the body as it arrives, in chunks of 16 KiB, and replace its model."""
    router = rk.PolicyRouter(policy(classifiers, names=names), classifiers=classifiers)
    router.warm_up()

    def run(body: bytes) -> Cost:
        chunks = [body[i : i + CHUNK_BYTES] for i in range(0, len(body), CHUNK_BYTES)]
        stream, begin = router.open(), time.process_time()
        for chunk in chunks[:-1]:
            stream.feed(chunk)
        last = time.process_time()
        stream.feed(chunks[-1])
        b"".join(stream.rewrite(stream.finish()))
        end = time.process_time()
        return Cost(end - begin, end - last)

    return run


def _parsed(classify: Callable[[str], object], n_times: int) -> Run:
    def run(body: bytes) -> Cost:
        begin = time.process_time()
        request = json.loads(body)
        parsed = time.process_time()
        classify(request["messages"][0]["content"])
        judged = time.process_time()
        request["model"] = "general"
        json.dumps(request)
        seconds = time.process_time() - begin + (n_times - 1) * (judged - parsed)
        return Cost(seconds, seconds)

    return run


def policy(classifiers: Sequence[Classifier], *, names: bool = False) -> rk.Policy:
    """Ask all classifiers to their ends: no verdict but certainty decides, and none is certain.

    `names` also asks, without deciding by it, for people, whom no pattern finds.
    """
    rules = [rk.Rule(f"block-{c.name}", _certain(c), rk.Block(403)) for c in classifiers]
    watch = rk.Rule("names", rk.signal("pii").any_of("PERSON"), rk.Block(403), shadow=True)
    return rk.Policy([watch, *rules] if names else rules, default=rk.RouteTo("general"))


def _certain(classifier: Classifier) -> rk.Expression:
    if "CREDIT_CARD" in classifier.labels:
        return rk.signal(classifier.name).any_of("CREDIT_CARD")
    return rk.signal(classifier.name)[classifier.labels[-1]] >= 1.0


def _encoder(folder: Path, signal: str, **settings: object) -> rk.OnnxClassifier:
    return rk.OnnxClassifier.from_dir(folder, "cpu", signal, n_threads=1, positive=["hit"], **settings)  # type: ignore[arg-type]


def cut_encoders(folder: Path) -> list[rk.OnnxClassifier]:
    """Load three encoders of 512 tokens, each behind its signal's screen; they share a tokenizer."""
    made: list[rk.OnnxClassifier] = []
    for signal in SIGNALS:
        own = made[0].tokenizer if made else None
        made.append(_encoder(folder, signal, long_text="compress", screens=[load(signal, "linear")], tokenizer=own))
    return made


def shipped(folder: Path) -> Run:
    """Let the encoder that ships read all of the text, for all three heads at once."""
    from whole_encoder import classifiers

    return streamed(classifiers(), names=True)


def embedded(tier: Tier, pii: Tier) -> list[Classifier]:
    """Load the classifiers that ship; without names to look for, a router takes PII of the linear tier by itself."""
    return [load(signal, pii if signal == "pii" else tier) for signal in SIGNALS]


#: Stage -> what a process has to load for it.
STAGES: dict[str, Callable[[Path], Run]] = {
    "stock": lambda folder: whole(folder, "stock"),
    "fp32": lambda folder: whole(folder, "fp32"),
    "int16": lambda folder: whole(folder, "int16"),
    "int8": lambda folder: whole(folder, "int8"),
    "stock, first 512": lambda folder: truncated(folder, "stock"),
    "stock, compressed": lambda folder: compressed(folder, "stock"),
    "int8, compressed": lambda folder: compressed(folder, "int8"),
    "int8, compressed, streamed": lambda folder: streamed(cut_encoders(folder / "int8")),
    "encoder that ships, whole text": shipped,
    "cascade, names too": lambda folder: streamed(embedded("cascade", "cascade"), names=True),
    "cascade": lambda folder: streamed(embedded("cascade", "linear")),
    "linear": lambda folder: streamed(embedded("linear", "linear")),
}

#: Stages that also run many requests at once.
CONCURRENT: dict[str, Callable[[Path], Sequence[Classifier]]] = {
    "stock, first 512": lambda folder: [_encoder(folder / "stock", signal) for signal in SIGNALS],
    "int8, compressed, streamed": lambda folder: cut_encoders(folder / "int8"),
    "cascade": lambda folder: embedded("cascade", "linear"),
    "linear": lambda folder: embedded("linear", "linear"),
}


def english(folder: Path, n_tokens: int) -> str:
    """Give documentation of the interpreter, of so many tokens with special ones."""
    unit = "\n\n".join(pydoc_data.topics.topics.values())
    text = (unit * (8 * n_tokens // len(unit) + 1))[: 8 * n_tokens]
    return text[: Tokenizer.from_file(str(folder / "stock" / "tokenizer.json")).encode(text).offsets[n_tokens - 2][1]]


def body_of(text: str) -> bytes:
    return json.dumps({"messages": [{"role": "user", "content": text}], "model": "auto"}).encode()


def alone(run: Run, body: bytes, n_runs: int) -> dict[str, float]:
    costs = [run(body) for _ in range(n_runs)]
    return {
        "seconds": statistics.median(cost.seconds for cost in costs),
        "after_last_byte_seconds": statistics.median(cost.after_last_byte for cost in costs),
        "peak_mb": _peak_mb(),
    }


async def together(classifiers: Sequence[Classifier], body: bytes, n_runs: int, n_requests: int) -> dict[str, float]:
    """Send requests at once, `n_runs` times over; one thread computes, so the last one waits for all.

    Nothing is batched: on a CPU that gains nothing here, and all requests of a batch would wait for its last one.
    """
    router = rk.PolicyRouter(policy(classifiers), classifiers=classifiers)
    latencies: list[float] = []

    async def one(arouter: rk.AsyncRouter) -> None:
        begin = time.perf_counter()
        await arouter.route(body)
        latencies.append(time.perf_counter() - begin)

    async with rk.AsyncRouter(router, n_threads=1, max_batch=1) as arouter:
        await arouter.warm_up()
        begin = time.perf_counter()
        for _ in range(n_runs):
            await asyncio.gather(*(one(arouter) for _ in range(n_requests)))
        elapsed = time.perf_counter() - begin
    return {
        "median_seconds": statistics.median(latencies),
        "longest_seconds": max(latencies),
        "requests_per_second": n_runs * n_requests / elapsed,
        "peak_mb": _peak_mb(),
    }


def _peak_mb() -> float:
    """Peak resident memory of this process; ru_maxrss would be the parent's, which outlives exec."""
    status = Path("/proc/self/status")
    return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024 if status.exists() else float("nan")


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    folder, stage, n_tokens, n_runs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    body = body_of(english(folder, n_tokens))
    if len(sys.argv) > 5:
        found = asyncio.run(together(CONCURRENT[stage](folder), body, n_runs, int(sys.argv[5])))
    else:
        run = STAGES[stage](folder)
        if n_runs > 1:
            run(body)
        found = alone(run, body, n_runs)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
