"""Time and memory of the embedded jailbreak and domain models against the length of the text, 1K to 1M tokens.

    python benchmarks/screen.py

Seeded texts in English, Chinese, code and base64; four bytes count as a token. CPU time of one thread, median of
repeats; peak memory of a fresh process that reads the longest text; slope of a straight line fitted to time and size.
"""

from __future__ import annotations

import base64
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from record import save
from routekit.embedded import LINEAR, LinearName, load

K_TOKENS = (1, 4, 16, 64, 256, 1000)
BYTES_PER_TOKEN = 4


def english(n_bytes: int, rng: random.Random) -> str:
    syllables = ["ta", "re", "mi", "con", "der", "ing", "the", "of", "an", "pro", "ver", "ly", "sta", "ment", "ous"]
    words = ["".join(rng.choices(syllables, k=rng.randint(1, 3))) for _ in range(5000)]
    return " ".join(rng.choices(words, k=n_bytes // 5))[:n_bytes]


def chinese(n_bytes: int, rng: random.Random) -> str:
    return "".join(chr(rng.randint(0x4E00, 0x5E00)) if rng.random() < 0.93 else "，" for _ in range(n_bytes // 3))


def code(n_bytes: int, rng: random.Random) -> str:
    names = [f"{rng.choice('abcxyz')}_{word}" for word in english(20_000, rng).split()]
    lines = (
        f"    {rng.choice(names)} = {rng.choice(names)}[{rng.randint(0, 99)}].{rng.choice(names)}(x, y)  # {i}\n"
        for i in range(n_bytes // 40)
    )
    return "".join(lines)[:n_bytes]


def base64_text(n_bytes: int, rng: random.Random) -> str:
    return base64.b64encode(rng.randbytes(n_bytes * 3 // 4)).decode()[:n_bytes]


KINDS: dict[str, Callable[[int, random.Random], str]] = {
    "english": english,
    "chinese": chinese,
    "code": code,
    "base64": base64_text,
}


def cpu_ms(call: Callable[[], object], n_repeats: int) -> float:
    """Median CPU milliseconds of this thread."""
    times = []
    for _ in range(n_repeats):
        started = time.thread_time()
        call()
        times.append(time.thread_time() - started)
    return statistics.median(times) * 1000


def read_ms(name: LinearName, text: str, n_repeats: int) -> float:
    """CPU milliseconds to predict a text that comes at once."""
    model = load(name, "linear")
    model.classify(["warm up"])
    return cpu_ms(lambda: model.classify([text]), n_repeats)


def after_last_byte(name: LinearName, text: str, n_pieces: int = 4) -> float:
    """CPU milliseconds from the last piece of a text that arrives in pieces to the prediction."""
    size = len(text) // n_pieces + 1
    times = []
    for _ in range(7):
        scan = load(name, "linear").open()
        for at in range(0, len(text) - size, size):
            scan.feed(text[at : at + size])
        started = time.thread_time()
        scan.feed(text[len(text) - size :])
        scan.finish()
        times.append(time.thread_time() - started)
    return statistics.median(times) * 1000


def peak_mb(kind: str) -> float:
    """Peak resident MB of a whole process, interpreter and text included, that reads 1M tokens with both models."""
    done = subprocess.run([sys.executable, __file__, "--memory", kind], capture_output=True, text=True, check=True)
    return float(done.stdout)


def measure_memory(kind: str) -> float:
    piece = KINDS[kind](65_536, random.Random(1))
    text = piece * (1_000_000 * BYTES_PER_TOKEN // 65_536)
    for name in LINEAR:
        load(name, "linear").classify([text])
    # Not getrusage: its peak is inherited from the process that started this one.
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def main() -> None:
    results: dict[str, object] = {}
    print(f"{'':10}{'':10}" + "".join(f"{k:>9}K" for k in K_TOKENS) + "  exponent   MB")
    for kind, make in KINDS.items():
        texts = [make(k * 1000 * BYTES_PER_TOKEN, random.Random(k)) for k in K_TOKENS]
        memory = peak_mb(kind)
        for name in LINEAR:
            took = [read_ms(name, text, 15 if k < 100 else 3) for k, text in zip(K_TOKENS, texts, strict=True)]
            exponent = float(np.polyfit(np.log(K_TOKENS[2:]), np.log(took[2:]), 1)[0])
            results[f"{kind}, {name}"] = {
                "ms": dict(zip(map(str, K_TOKENS), (round(t, 3) for t in took), strict=True)),
                "exponent of length, 16K to 1M": round(exponent, 3),
                "ms after the last quarter of 16K tokens": round(after_last_byte(name, texts[2]), 3),
                "peak resident MB of the process at 1M tokens, both models": round(memory, 1),
            }
            print(f"{kind:10}{name:10}" + "".join(f"{t:10.2f}" for t in took) + f"{exponent:10.2f}{memory:6.0f}")
    save("screen", results, ("numpy",))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        print(measure_memory(sys.argv[2]))
    else:
        main()
