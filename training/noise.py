"""Harmless text that machines write: dumps, identifiers, tables, logs. Random words share weights with telling ones."""

from __future__ import annotations

import random
from collections.abc import Callable

_SEVERITIES = ("debug", "notice", "error", "fatal", "trace")
_EVENTS = ("connection closed by peer", "cache miss", "job finished", "user logged in", "retrying", "disk almost full")


def _dump(rng: random.Random) -> str:
    data = rng.randbytes(16).hex()
    pairs = " ".join(data[i : i + rng.choice((2, 4))] for i in range(0, 32, 4))
    return f"{rng.randint(0, 1 << 20):0{rng.choice((4, 7, 8))}x}: {pairs}"


def _identifiers(rng: random.Random) -> str:
    data = f"{rng.getrandbits(128):032x}"
    return rng.choice((f"{data[:8]}-{data[8:12]}-{data[12:16]}-{data[16:20]}-{data[20:]}", data[:7], f"sha256:{data}"))


def _table(rng: random.Random) -> str:
    separator = rng.choice((",", "\t", " ", ";", " & "))
    return separator.join(f"{rng.gauss(0, 10 ** rng.randint(0, 5)):.{rng.randint(0, 4)}f}" for _ in range(8))


def _event(rng: random.Random) -> str:
    stamp = f"[{rng.randint(0, 9999)}.{rng.randint(0, 999)}]"
    return f"{stamp} {rng.choice(_SEVERITIES)} #{rng.randint(0, 99)}: {rng.choice(_EVENTS)}"


def _syllables(rng: random.Random) -> str:
    return " ".join("".join(rng.choices(("ba", "ko", "ti", "lum", "re", "x", "9"), k=3)) for _ in range(10))


_LINES: tuple[Callable[[random.Random], str], ...] = (_dump, _identifiers, _table, _event, _syllables)


def noise(n: int, seed: int) -> list[str]:
    """Write n texts of one to forty lines of one kind.

    Examples
    --------
    >>> noise(5, seed=1) == noise(5, seed=1)
    True
    """
    rng = random.Random(seed)
    texts = []
    for _ in range(n):
        line = rng.choice(_LINES)
        texts.append("\n".join(line(rng) for _ in range(rng.choice((1, 4, 12, 40)))))
    return texts
