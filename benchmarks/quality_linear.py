"""Quality of the embedded jailbreak and domain models: seen and unseen sources, benign text by length and language.

    python benchmarks/quality_linear.py --shared ../shared --extra EXTRA

EXTRA is what training/collect.py wrote. Held-out rows were never trained on, and the benign ones measured here set no
threshold; scores on sources that a model has not seen come from the models that the training fits without them.
Intervals are 95 % (Wilson).
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

import numpy as np

from corpus import ATTACK, BENIGN, HELD_SOURCES, Row, attack_rows, domain_rows, passages, read, terms
from disguises import DISGUISES, FOREIGN, PLAIN
from everyday import EVERYDAY, TRIGGERS
from machine_text import machine_text
from make_linear import LENGTHS_K, WORDS_PER_TOKEN, area
from record import save
from requests_of_length import benign_requests
from routekit.embedded import load


def evasions() -> dict[str, list[str]]:
    """Sixteen attacks, by disguise."""
    hidden = {name: [disguise(text) for text in PLAIN] for name, disguise in DISGUISES.items()}
    return {"other languages": list(FOREIGN), **hidden}


def interval(n_hits: int, n: int, z: float = 1.96) -> dict[str, Any]:
    """Share with its 95 % interval."""
    if n == 0:
        return {"share": None, "n": 0}
    share, square = n_hits / n, z * z / n
    middle = (share + square / 2) / (1 + square)
    half = z * math.sqrt(share * (1 - share) / n + square / (4 * n)) / (1 + square)
    return {"share": round(share, 4), "low": round(max(0.0, middle - half), 4), "high": round(middle + half, 4), "n": n}


def fired(texts: Sequence[str]) -> dict[str, Any]:
    predictions = load("jailbreak", "linear").classify(texts)
    return interval(sum(p.label == ATTACK for p in predictions), len(texts))


def probabilities(texts: Sequence[str]) -> np.ndarray[Any, Any]:
    return np.array([p.probabilities[ATTACK] for p in load("jailbreak", "linear").classify(texts)])


def by(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row.text)
    return dict(sorted(found.items()))


def jailbreak(shared: Path, extra: list[Row]) -> dict[str, Any]:
    rows = attack_rows(shared, extra)
    held = [row for row in rows if row.is_held_out]
    attacks = [row for row in held if row.label == ATTACK]
    benign = [row for row in held if row.label == BENIGN and not row.sets_thresholds]
    trained = {row.text for row in rows}
    fresh = [row for row in extra if row.text not in trained and not row.sets_thresholds]
    return {
        "held-out rows, area under the curve": area(
            probabilities([row.text for row in attacks]), probabilities([row.text for row in benign])
        ),
        "held-out attacks found, by source": {k: fired(v) for k, v in by(attacks, lambda row: row.source).items()},
        "held-out benign that fires, by source": {k: fired(v) for k, v in by(benign, lambda row: row.source).items()},
        "sources never seen": load("jailbreak", "linear").weights.card["unseen"],
        "benign with trigger words that fires": fired(TRIGGERS),
        "everyday requests that fire": fired(EVERYDAY),
        "attacks in disguise found, by disguise": {k: fired(v) for k, v in evasions().items()},
        "machine-made text that fires, by kind": {k: fired(v) for k, v in machine_text().items()},
        "benign passages that fire, by language": by_language(fresh),
        "benign requests that fire, by thousand tokens": by_length(fresh),
        "benign documents of a set never seen that fire": fired(documents(shared)),
        "injections into documents": injections(shared),
        "held-out attacks found in benign requests, by thousand tokens": hidden_by_length(shared, fresh),
    }


def by_language(rows: list[Row]) -> dict[str, Any]:
    rng = random.Random(3)
    languages = by(rows, lambda row: row.language.split("_")[0].split("-")[0])
    return {k: fired(rng.sample(v, min(len(v), 2000))) for k, v in languages.items() if len(v) >= 100}


def by_length(rows: list[Row]) -> dict[str, Any]:
    unseen = [row for row in rows if row.source in HELD_SOURCES]
    found: dict[str, Any] = {}
    for name, pool in (("sources seen in part", rows), ("sources never seen", unseen)):
        for length in LENGTHS_K:
            n_words = int(1000 * length * WORDS_PER_TOKEN)
            texts = list(benign_requests(pool, n_words, 600 if length <= 16 else 200, seed=1000 + length))
            found[f"{length}K, {name}"] = fired(texts)
    return found


def documents(shared: Path) -> list[str]:
    return [row["context"] for row in read(shared / "data/bipia/contexts.jsonl")]


def injections(shared: Path) -> dict[str, Any]:
    """Indirect injection: harmless-looking orders, and plain attacks, in the middle of documents never seen."""
    rng = random.Random(5)
    contexts = documents(shared)
    orders = [row["text"] for row in read(shared / "data/bipia/attacks.jsonl")]
    plain = plain_attacks(shared)
    clean = probabilities(contexts)
    found: dict[str, Any] = {}
    for name, pool in (("orders of bipia", orders), ("held-out attacks of slabs and hackaprompt", plain)):
        hidden = [hide(rng.choice(pool), context, rng) for context in contexts]
        found[name] = {"area under the curve": area(probabilities(hidden), clean), "found": fired(hidden)}
    return found


def plain_attacks(shared: Path) -> list[str]:
    rows = (row for row in attack_rows(shared, []) if row.source in ("slabs", "hackaprompt"))
    return [row.text for row in rows if row.is_held_out and row.label == ATTACK]


def hidden_by_length(shared: Path, rows: list[Row]) -> dict[str, Any]:
    rng = random.Random(9)
    attacks = plain_attacks(shared)
    found: dict[str, Any] = {}
    for length in LENGTHS_K:
        n_words = int(1000 * length * WORDS_PER_TOKEN)
        texts = benign_requests(rows, n_words, 400 if length <= 16 else 100, seed=2000 + length)
        found[f"{length}K"] = fired([hide(rng.choice(attacks), text, rng) for text in texts])
    return found


def hide(attack: str, document: str, rng: random.Random) -> str:
    lines = document.split("\n")
    at = rng.randint(0, len(lines))
    return "\n".join((*lines[:at], attack, *lines[at:]))


def domain(shared: Path, extra: list[Row], asked: list[Row]) -> dict[str, Any]:
    held = [row for row in domain_rows(shared, extra, asked) if row.is_held_out]
    sources = {source: [row for row in held if row.source == source] for source in sorted({r.source for r in held})}
    bench = [Row(r["text"], r["label"], "sr_domain") for r in read(shared / "data/sr_domain/bench.jsonl")]
    unseen = [row for row in extra if row.source in HELD_SOURCES and row.label]
    found = {f"held-out rows of {source}": accuracy(rows) for source, rows in sources.items()}
    found["sr_domain, not trained on (its errors suggested glossary entries)"] = accuracy(bench)
    for source, texts in by(unseen, lambda row: row.source).items():
        label = next(row.label for row in unseen if row.source == source)
        found[f"{source}, never seen"] = accuracy([Row(text, label, source) for text in texts[:3000]])
    return found


def accuracy(rows: list[Row]) -> dict[str, Any]:
    labels = [p.label for p in load("domain", "linear").classify([row.text for row in rows])]
    right = [label == row.label for label, row in zip(labels, rows, strict=True)]
    return {**interval(sum(right), len(right)), "macro F1": round(macro_f1(labels, [row.label for row in rows]), 4)}


def macro_f1(predicted: Sequence[str], truth: Sequence[str]) -> float:
    scores = []
    for label in sorted(set(truth)):
        hits = sum(p == t == label for p, t in zip(predicted, truth, strict=True))
        scores.append(2 * hits / max(1, predicted.count(label) + truth.count(label)))
    return sum(scores) / len(scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--extra", type=Path, required=True)
    arguments = parser.parse_args()
    extra = passages(arguments.extra)
    results = {
        "jailbreak": jailbreak(arguments.shared, extra),
        "domain": domain(arguments.shared, extra, terms(arguments.extra)),
    }
    print(json.dumps(results, indent=1))
    sys.argv[1:] = []  # the folders of this machine are nobody's business
    save("quality_linear", results, ("numpy", "scipy"))


if __name__ == "__main__":
    main()
