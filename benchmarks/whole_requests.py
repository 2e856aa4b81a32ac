"""A whole request through the linear tier: jailbreak, domain and PII over all of its text, 1K to 1M tokens.

    python benchmarks/whole_requests.py

`after the last byte` is the CPU time from the last chunk of 16 KiB to the decision, `streamed` all of it chunk by
chunk, `at once` one `route` of the whole body. Tokens are counted as four bytes. Memory is the peak of a process of
its own that only routes such requests; `growth` compares the cost of a token with that at 16K. Medians.
"""

from __future__ import annotations

import json
import pydoc_data.topics
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import routekit as rk
from record import save
from routekit.embedded import NAMES, load

CHUNK_BYTES = 16384
LENGTHS = (1, 4, 16, 64, 256, 1024)  # thousands of tokens
TEXTS = ("english", "chinese", "code")


def policy() -> rk.Policy:
    """Read all three classifiers to their ends: no rule of these can be decided early by a benign text."""
    jailbreak, pii, domain = rk.signal("jailbreak"), rk.signal("pii"), rk.signal("domain")
    return rk.Policy(
        rules=[
            rk.Rule("block-jailbreak", when=jailbreak.fires(), then=rk.Block(403)),
            rk.Rule("pii-stays-home", when=pii.any_of("CREDIT_CARD", "US_SSN"), then=rk.RouteTo("onprem")),
            rk.Rule("math", when=domain["math"] >= 0.6, then=rk.RouteTo("qwen-math")),
        ],
        default=rk.RouteTo("general"),
    )


def linear_router() -> rk.PolicyRouter:
    """Route by the linear tier, whether the encoder behind it is installed or not."""
    return rk.PolicyRouter(policy(), classifiers=[load(name, "linear") for name in NAMES])


def text(kind: str, n_bytes: int) -> str:
    if kind == "english":
        unit = "\n\n".join(pydoc_data.topics.topics.values())
    elif kind == "code":
        import argparse
        import inspect

        unit = inspect.getsource(argparse)
    else:
        unit = "今天天气很好，我们去公园散步，看见许多人在湖边钓鱼。请把这份报告翻译成英文，并总结主要内容。" * 20
    data = (unit * (n_bytes // len(unit.encode()) + 1)).encode()[:n_bytes]
    return data.decode(errors="ignore")


def body(kind: str, n_kilotokens: int) -> bytes:
    content = text(kind, n_kilotokens * 1024 * 4)
    return json.dumps(
        {"messages": [{"role": "user", "content": content}], "model": "auto"}, ensure_ascii=False
    ).encode()


def streamed(router: rk.PolicyRouter, data: bytes) -> tuple[float, float]:
    """Give the CPU seconds of the whole stream, and of what follows the arrival of its last chunk."""
    chunks = [data[i : i + CHUNK_BYTES] for i in range(0, len(data), CHUNK_BYTES)]
    begin = time.process_time()
    stream = router.open()
    for chunk in chunks[:-1]:
        stream.feed(chunk)
    last = time.process_time()
    stream.feed(chunks[-1])
    stream.finish()
    end = time.process_time()
    return end - begin, end - last


def median(run: Callable[[], float], n: int) -> float:
    return statistics.median(run() for _ in range(n))


def measure(kind: str, n_kilotokens: int) -> dict[str, float]:
    router, data = linear_router(), body(kind, n_kilotokens)
    router.warm_up()
    n_runs = 15 if n_kilotokens <= 64 else 3
    pairs = [streamed(router, data) for _ in range(n_runs)]

    def at_once() -> float:
        begin = time.process_time()
        router.route(data)
        return time.process_time() - begin

    return {
        "after_last_byte_ms": 1e3 * statistics.median(last for _, last in pairs),
        "streamed_ms": 1e3 * statistics.median(whole for whole, _ in pairs),
        "at_once_ms": 1e3 * median(at_once, n_runs),
        "peak_mb": peak_mb(kind, n_kilotokens),
    }


def peak_mb(kind: str, n_kilotokens: int) -> float:
    """Route twice in a fresh process and read the peak of its resident memory."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from whole_requests import body, linear_router\n"
        "router = linear_router()\n"
        "data = body(sys.argv[2], int(sys.argv[3]))\n"
        "router.route(data); router.route(data)\n"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])\n"
    )
    here = __file__.rsplit("/", 1)[0]
    command = [sys.executable, "-c", code, here, kind, str(n_kilotokens)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) / 1024


def main() -> None:
    rows = []
    for kind in TEXTS:
        table = {n: measure(kind, n) for n in LENGTHS}
        for n, row in table.items():
            row["growth"] = (row["at_once_ms"] / n) / (table[16]["at_once_ms"] / 16)
            rows.append({"text": kind, "n_kilotokens": n, **row})
            print(kind, f"{n:5}K", " ".join(f"{key}={value:.2f}" for key, value in row.items()), flush=True)
    save("whole_requests", {"chunk_bytes": CHUNK_BYTES, "rows": rows})


if __name__ == "__main__":
    main()
