"""Harmless text that is no prose: logs, dumps, tables, code, and one word over and over."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable

_LATIN = """
lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna
aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat
"""
_WORDS = ("a1", "the", "test", "ok", "rules", "password", "prompt", "x", "buffalo", "no", "yes", "ha", "0")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def _hex_line(rng: random.Random) -> str:
    return f"{rng.getrandbits(32):08x}  " + " ".join(f"{byte:02x}" for byte in rng.randbytes(16))


def _log_line(rng: random.Random) -> str:
    time = f"2026-03-{rng.randint(1, 28):02d}T10:{rng.randint(0, 59):02d}:07Z {rng.choice(('INFO', 'WARN'))}"
    return f"{time} worker[{rng.randint(9, 99)}] request id={rng.getrandbits(48):012x} took {rng.randint(1, 900)} ms"


def _script(rng: random.Random) -> str:
    call = rng.choice(("map", "filter", "call"))
    return f"function {rng.choice('abcdef')}(x){{return x.{call}(e=>e.{rng.choice('ntrk')}+{rng.randint(0, 99)})}};"


def _numbers(rng: random.Random) -> str:
    return " | ".join(f"{rng.random() * 1000:.2f}" for _ in range(6))


#: Makes about so many words of each kind.
_MAKERS: dict[str, Callable[[random.Random, int], str]] = {
    "one word": lambda rng, n: " ".join([rng.choice(_WORDS)] * n),
    "one phrase": lambda rng, n: " ".join(rng.sample(_WORDS, 3) * (n // 3)),
    "random word": lambda rng, n: " ".join(["".join(rng.choices(_LETTERS, k=rng.randint(2, 9)))] * n),
    "random words": lambda rng, n: " ".join("".join(rng.choices(_LETTERS, k=rng.randint(2, 9))) for _ in range(n)),
    "base64": lambda rng, n: base64.b64encode(rng.randbytes(3 * n)).decode(),
    "hex dump": lambda rng, n: "\n".join(_hex_line(rng) for _ in range(n // 16 + 1)),
    "log": lambda rng, n: "\n".join(_log_line(rng) for _ in range(n // 12 + 1)),
    "minified script": lambda rng, n: "".join(_script(rng) for _ in range(n // 8 + 1)),
    "numbers": lambda rng, n: "\n".join(_numbers(rng) for _ in range(n // 6 + 1)),
    "latin": lambda rng, n: " ".join(rng.choices(_LATIN.split(), k=n)),
}


def machine_text(seed: int = 11, n_each: int = 40) -> dict[str, list[str]]:
    """Give harmless text that repeats itself or is no language: by kind, 20 to 600 words each."""
    rng = random.Random(seed)
    return {kind: [make(rng, rng.choice((20, 60, 200, 600))) for _ in range(n_each)] for kind, make in _MAKERS.items()}
