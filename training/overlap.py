"""Tells whether a text equals, or nearly equals, one of those that must not be trained on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from zlib import crc32

from corpus import read

#: Words of a shingle; texts that share more than half of the shorter one's shingles are nearly equal.
N_WORDS = 8
SHARED = 0.5


def plain(text: str) -> str:
    """Give the words of a text in lower case, one space apart: what punctuation and layout do not change."""
    return " ".join(re.findall(r"\w+", text.lower())) or text


class Known:
    """Texts, by their words and their shingles.

    Parameters
    ----------
    texts
        Nothing that nearly equals one of these passes.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._whole: set[str] = set()
        self._sizes: list[int] = []
        self._owners: dict[int, list[int]] = {}
        for text in texts:
            self.add(text)

    @classmethod
    def measured(cls, out: Path) -> Known:
        """Know the texts of the sets that only measure, which `benchmarks/quality_collect.py` wrote into a folder."""
        return cls(row["text"] for row in read(out / "unseen.jsonl"))

    def add(self, text: str, wholly: bool = False) -> None:
        """Add a text; if `wholly`, only its equal does not pass."""
        self._whole.add(plain(text))
        if not wholly:
            shingles = set(_shingles(text))
            for shingle in shingles:
                self._owners.setdefault(shingle, []).append(len(self._sizes))
            self._sizes.append(len(shingles))

    def meets(self, text: str) -> bool:
        """Tell whether the text is one of these, or nearly one."""
        if plain(text) in self._whole:
            return True
        shingles = set(_shingles(text))
        shared = Counter(owner for shingle in shingles for owner in self._owners.get(shingle, ()))
        return any(n > SHARED * min(len(shingles), self._sizes[owner]) for owner, n in shared.items())


def _shingles(text: str) -> Iterator[int]:
    words = plain(text).split()
    for start in range(len(words) - N_WORDS + 1):
        yield crc32(" ".join(words[start : start + N_WORDS]).encode("utf-8", "surrogatepass"))
