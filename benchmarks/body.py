"""Read and rewrite a request body: the body reader beside parsing, changing and dumping the whole body.

Every contender gets the same body and must give the bytes with another model; the reader also decodes all texts into
segments and gets the body in chunks. CPU time of this thread, contenders interleaved, medians. Ratios are medians of
the ratios within a round, so that a slow moment of the machine hits both sides.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import orjson

import record
from routekit import scanners
from routekit.body import JsonBodyReader
from routekit.scanners import ScannerFactory

SEED = 20260731
N_ROUNDS = 41
MODEL = "qwen-small"
PEER = "orjson loads + set + dumps"
KIB = 1024
WORDS = [
    "the",
    "a",
    "of",
    "to",
    "and",
    "in",
    "that",
    "it",
    "is",
    "was",
    "for",
    "on",
    "are",
    "with",
    "as",
    "his",
    "they",
    "at",
    "be",
    "this",
    "have",
    "from",
    "or",
    "one",
    "had",
    "by",
    "word",
    "but",
    "not",
    "what",
    "all",
    "were",
    "we",
    "when",
    "your",
    "can",
    "said",
    "there",
    "use",
    "an",
    "each",
    "which",
    "she",
    "do",
    "how",
    "their",
    "if",
    "will",
    "up",
    "other",
    "about",
    "out",
    "many",
    "then",
    "them",
    "these",
    "so",
    "some",
    "her",
    "would",
    "make",
    "like",
    "him",
    "into",
    "time",
    "has",
    "look",
    "two",
    "more",
    "write",
    "go",
    "see",
    "number",
    "no",
    "way",
    "could",
    "people",
    "my",
    "than",
    "first",
    "water",
    "been",
    "call",
    "who",
    "oil",
    "its",
    "now",
    "find",
    "long",
    "down",
    "day",
    "did",
    "get",
    "come",
    "made",
    "may",
    "part",
    "request",
    "model",
    "router",
    "context",
]
CHINESE = [
    "请求",
    "模型",
    "路由",
    "上下文",
    "的",
    "是",
    "在",
    "我们",
    "可以",
    "读取",
    "文本",
    "然后",
    "决定",
    "😀",
    "“引号”",
]


def prose(rng: random.Random, n_bytes: int, share_chinese: float) -> str:
    """Write words in lines of about 80 characters, one word in forty quoted."""
    lines: list[str] = []
    line: list[str] = []
    n_written = 0
    while n_written < n_bytes:
        word = rng.choice(CHINESE if rng.random() < share_chinese else WORDS)
        line.append(f'"{word}"' if rng.random() < 1 / 40 else word)
        n_written += len(word.encode()) + 1
        if sum(map(len, line)) > 65:
            lines.append(" ".join(line))
            line = []
    return "\n".join([*lines, " ".join(line)])


def chat(n_bytes: int, n_messages: int, *, model_last: bool, share_chinese: float = 0.0) -> bytes:
    """Make a chat completion of a size, the model first or last among the keys."""
    rng = random.Random(SEED)
    per_message = n_bytes // n_messages - 40
    texts = [prose(rng, per_message, share_chinese) for _ in range(n_messages)]
    messages = [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(texts)]
    model, rest = {"model": "auto"}, {"temperature": 0.2, "messages": messages, "stream": True}
    return orjson.dumps({**rest, **model} if model_last else {**model, **rest})


def parse_set_dump(loads: Callable[[bytes], dict[str, object]], dumps: Callable[..., object], body: bytes) -> object:
    request = loads(body)
    request["model"] = MODEL
    return dumps(request)


def read_and_rewrite(scanner: ScannerFactory, chunks: list[bytes]) -> list[memoryview]:
    reader = JsonBodyReader(scanner=scanner)
    for chunk in chunks:
        reader.feed(chunk)
    reader.close()
    return reader.rewrite(model=MODEL)


def cpu_us(call: Callable[[], object], n_calls: int) -> float:
    start = time.thread_time_ns()
    for _ in range(n_calls):
        call()
    return (time.thread_time_ns() - start) / n_calls / 1000


def after_last_chunk_us(scanner: ScannerFactory, chunks: list[bytes]) -> float:
    reader = JsonBodyReader(scanner=scanner)
    for chunk in chunks[:-1]:
        reader.feed(chunk)
    start = time.thread_time_ns()
    reader.feed(chunks[-1])
    reader.close()
    reader.rewrite(model=MODEL)
    return (time.thread_time_ns() - start) / 1000


def contenders(body: bytes) -> dict[str, Callable[[], object]]:
    """Name what is timed; the peer first."""
    found: dict[str, Callable[[], object]] = {
        PEER: partial(parse_set_dump, orjson.loads, orjson.dumps, body),
        "orjson loads only": partial(orjson.loads, body),
        "json loads + set + dumps": partial(parse_set_dump, json.loads, json.dumps, body),
    }
    if find_spec("msgspec"):
        import msgspec

        found["msgspec decode + set + encode"] = partial(
            parse_set_dump, msgspec.json.Decoder(dict[str, object]).decode, msgspec.json.Encoder().encode, body
        )
    for name, scanner in (("native", scanners.NATIVE), ("python", scanners.PYTHON)):
        if scanner is not None:
            for size in (16, 1):
                found[f"{name} reader, {size} KiB chunks"] = partial(read_and_rewrite, scanner, split(body, size * KIB))
    return found


def split(body: bytes, size: int) -> list[bytes]:
    return [body[i : i + size] for i in range(0, len(body), size)]


def measure(body: bytes) -> dict[str, dict[str, float]]:
    """Time every contender on one body: microseconds of CPU, and the ratio to the peer of the same round."""
    calls = contenders(body)
    n_calls = {name: max(1, int(4000 / max(cpu_us(call, 2), 1))) for name, call in calls.items()}
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(N_ROUNDS):
        for name, call in calls.items():
            times[name].append(cpu_us(call, n_calls[name]))
    table = {
        name: {
            "us": round(statistics.median(column), 1),
            "ratio": round(statistics.median(a / b for a, b in zip(column, times[PEER], strict=True)), 3),
        }
        for name, column in times.items()
    }
    if scanners.NATIVE is not None:
        chunks = split(body, 16 * KIB)
        rest = [after_last_chunk_us(scanners.NATIVE, chunks) for _ in range(N_ROUNDS)]
        total = table["native reader, 16 KiB chunks"]["us"]
        table["native reader, after the last 16 KiB chunk came"] = {
            "us": round(statistics.median(rest), 1),
            "share_of_total": round(statistics.median(rest) / total, 3),
        }
    return table


def main() -> None:
    workloads = {
        "64 KiB, 20 messages, model first": chat(64 * KIB, 20, model_last=False),
        "64 KiB, 20 messages, model last": chat(64 * KIB, 20, model_last=True),
        "64 KiB, 1 message, model last": chat(64 * KIB, 1, model_last=True),
        "64 KiB, 20 messages, a third Chinese, model last": chat(64 * KIB, 20, model_last=True, share_chinese=1 / 3),
        "1 MiB, 40 messages, model first": chat(KIB * KIB, 40, model_last=False),
        "1 MiB, 40 messages, model last": chat(KIB * KIB, 40, model_last=True),
        "1 MiB, 1 message, model last": chat(KIB * KIB, 1, model_last=True),
        "1 MiB, 40 messages, a third Chinese, model last": chat(KIB * KIB, 40, model_last=True, share_chinese=1 / 3),
    }
    results: dict[str, object] = {}
    for name, body in workloads.items():
        table = measure(body)
        results[name] = {"bytes": len(body), **table}
        print(f"\n{name} ({len(body)} bytes)")
        for row, figures in table.items():
            print(f"  {row:50}" + "".join(f"{key:>16} {value:9}" for key, value in figures.items()))
    record.save("body", results, ("orjson", "msgspec", "numpy"))


if __name__ == "__main__":
    main()
