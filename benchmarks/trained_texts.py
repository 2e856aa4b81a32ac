"""Labelled texts for encoders that are trained for a measurement, and the ones kept apart to measure with."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SIGNALS = ("jailbreak", "domain")


class Labelled(NamedTuple):
    text: str
    label: str


class Split(NamedTuple):
    """Texts of `training` and of `held_out` have none in common."""

    training: list[Labelled]
    held_out: list[Labelled]


def split(data: Path, signal: str, *, n_held_out: int = 1000, seed: int = 0) -> Split:
    """Read one signal's texts from ``../shared/data``, shuffled; what carries two labels is left out.

    Jailbreak keeps to the sets' own validation files; domain, which has none, holds out a random part.
    """
    if signal == "domain":
        rows = _shuffled(_read(data / "mmlu/all.jsonl"), seed)
        return Split(rows[n_held_out:], rows[:n_held_out])
    training, validation = (
        _shuffled([row for name in ("slabs", "neuralchemy") for row in _binary(data / name / f"{part}.jsonl")], seed)
        for part in ("train", "validation")
    )
    seen = {row.text for row in training}
    return Split(training, [row for row in validation if row.text not in seen][:n_held_out])


def _shuffled(rows: list[Labelled], seed: int) -> list[Labelled]:
    labels: dict[str, set[str]] = {}
    for row in rows:
        labels.setdefault(row.text, set()).add(row.label)
    kept = [Labelled(text, *own) for text, own in labels.items() if len(own) == 1]
    random.Random(seed).shuffle(kept)
    return kept


def _binary(path: Path) -> Iterator[Labelled]:
    return (Labelled(row.text, "jailbreak" if row.label == "1" else "benign") for row in _read(path))


def _read(path: Path) -> list[Labelled]:
    with path.open(encoding="utf-8") as lines:  # splitlines would also cut at U+2028, which JSON allows in strings
        return [Labelled(row["text"], str(row["label"])) for row in map(json.loads, lines)]
