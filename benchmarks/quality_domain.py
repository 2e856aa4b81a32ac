"""Tables of the domain signal: exams held out and unseen, textbooks never seen, short questions."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

from corpus import read
from quality_measures import accuracy
from quality_sets import Sets
from quality_tiers import Tier

AT_MOST = 800


def tables(tier: Tier, sets: Sets) -> dict[str, Any]:
    return {name: _accuracy(tier, rows) for name, rows in texts(sets).items()}


def texts(sets: Sets) -> dict[str, list[tuple[str, str]]]:
    """Pairs of text and label, by set."""
    asked = [(row["text"], row["label"]) for row in read(sets.shared / "data/sr_domain/bench.jsonl")]
    pro = [(row.text, row.label) for row in sets.unseen if row.set == "mmlu_pro"]
    found = {"sr_domain, short questions": asked, "MMLU-Pro without MMLU, never seen": pro}
    for source in ("mmlu", "terms", "books", "glossary"):
        found[f"{source}, held out"] = _pairs(row for row in sets.domain_held if row.source == source)
    for source in sorted({row.source for row in sets.fresh if row.label}):
        found[f"{source}, never seen"] = _pairs(row for row in sets.fresh if row.source == source)
    return {name: random.Random(1).sample(many, min(len(many), AT_MOST)) for name, many in found.items()}


def _pairs(rows: Any) -> list[tuple[str, str]]:
    return [(row.text, row.label) for row in rows]


def _accuracy(tier: Tier, rows: Sequence[tuple[str, str]]) -> dict[str, Any]:
    labels, sure = tier.domains([text for text, _ in rows])
    return accuracy(labels, [label for _, label in rows], sure)
