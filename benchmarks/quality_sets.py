"""The texts that `quality.py` scores, by signal and difficulty, each set sampled with a seed."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

from corpus import ATTACK, BENIGN, HELD_SOURCES, Row, attack_rows, domain_rows, passages, read, terms

#: Texts of one set at most.
AT_MOST = 300


@dataclass(frozen=True, slots=True)
class Unseen:
    """One text of a public set that nothing was trained on."""

    set: str
    label: str
    kind: str
    text: str


@dataclass(frozen=True)
class Sets:
    """Everything that is measured on, read once."""

    shared: Path
    extra: Path

    @cached_property
    def passages(self) -> list[Row]:
        return passages(self.extra)

    @cached_property
    def unseen(self) -> list[Unseen]:
        """Texts of `quality_collect.py`."""
        with (self.extra / "unseen.jsonl").open(encoding="utf-8") as lines:
            return [Unseen(**json.loads(line)) for line in lines]

    @cached_property
    def held(self) -> list[Row]:
        """Rows of known sources that nothing was trained on and that set no threshold."""
        rows = (row for row in attack_rows(self.shared, self.passages) if row.is_held_out)
        return [row for row in rows if row.label == ATTACK or not row.sets_thresholds]

    @cached_property
    def domain_held(self) -> list[Row]:
        rows = domain_rows(self.shared, self.passages, terms(self.extra))
        return [row for row in rows if row.is_held_out]

    @cached_property
    def fresh(self) -> list[Row]:
        """Passages of sources that nothing was trained on."""
        return [row for row in self.passages if row.source in HELD_SOURCES]

    @cached_property
    def documents(self) -> list[dict[str, str]]:
        """Tables and code, never trained on."""
        return list(read(self.shared / "data/bipia/contexts.jsonl"))

    @cached_property
    def orders(self) -> list[str]:
        """Orders that are attacks only where they do not belong."""
        return [row["text"] for row in read(self.shared / "data/bipia/attacks.jsonl")]

    def of(self, name: str, label: str | None = None, kind: str | None = None) -> list[str]:
        """Give the texts of one public set."""
        return [
            row.text
            for row in self.unseen
            if row.set == name and label in (None, row.label) and kind in (None, row.kind)
        ]

    def kinds(self, name: str) -> list[str]:
        return sorted({row.kind for row in self.unseen if row.set == name})


def some(texts: Iterable[str], n: int = AT_MOST, seed: int = 1) -> list[str]:
    """Sample at most n texts."""
    many = list(dict.fromkeys(texts))
    return many if len(many) <= n else random.Random(seed).sample(many, n)


def unseen_attacks(sets: Sets) -> dict[str, list[str]]:
    names = ("tensor_trust", "spikee", "jailbreakbench")
    return {
        f"{name}, {kind}" if kind else name: some(sets.of(name, ATTACK, kind))
        for name in names
        for kind in sets.kinds(name)
    }


def unseen_benign(sets: Sets) -> dict[str, list[str]]:
    """Harmless texts of sources never seen; each weighs as it is long."""
    found = {name: some(sets.of(name, BENIGN)) for name in ("ifeval", "mt_bench", "notinject", "xstest", "mgsm")}
    for source in sorted({row.source for row in sets.fresh}):
        found[source] = some((row.text for row in sets.fresh if row.source == source), 100)
    found["bipia contexts"] = some((row["context"] for row in sets.documents), 150)
    return found


def held_by_source(sets: Sets, label: str) -> dict[str, list[str]]:
    sources = sorted({row.source for row in sets.held if row.label == label})
    return {
        source: some(row.text for row in sets.held if row.label == label and row.source == source) for source in sources
    }


def plain_attacks(sets: Sets) -> list[str]:
    """Attacks of known sources that nothing was trained on, short enough to hide."""
    return [
        row.text
        for row in sets.held
        if row.label == ATTACK and row.source in ("slabs", "hackaprompt") and len(row.text) < 500
    ]
