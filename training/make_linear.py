"""Makes the embedded linear models, jailbreak and domain, from data.

    python training/make_linear.py --shared ../shared --extra EXTRA [--only NAME]

EXTRA is what `collect.py` wrote. Some minutes on one core; seeded, so the same inputs give the same models.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus import ATTACK, BENIGN, DOMAINS, Row, attack_rows, domain_weights, passages, subject_rows
from fit import (
    Floats,
    Ints,
    Rows,
    balance,
    common_keys,
    cut,
    fit_sigmoid,
    fit_softmax,
    highest_window,
    quantized,
    text_keys,
    token_weights,
)
from requests_of_length import benign_requests, n_units
from routekit.linear import LinearClassifier
from routekit.ngrams import Keys
from routekit.weights import FORMAT

OUT = Path(__file__).parents[1] / "src" / "routekit" / "embedded"

#: Sources left out together when a model is measured on sources it has not seen; written rows are always trained on.
FOLDS = (
    {"slabs"},
    {"neuralchemy"},
    {"hackaprompt", "cyberseceval_code", "dair-ai"},
    {"yanismiraoui", "python", "rust-lang-de", "rust-lang-ru", "tldr-pages"},
    {"in_the_wild", "awesome_prompts", "self_instruct"},
    {"gptfuzzer", "mmlu", "gsm8k", "anthropics", "books"},
)
ATTACK_KINDS = ("word", "pair", "triple", "stem", "skip")
DOMAIN_KINDS = ("word", "pair", "stem")
#: Windows that the weights are fitted on: the shorter ones teach what is telling on its own.
FITTED_SIZES = (16, 64)
#: Windows that are read, one from every token on, and the log-odds by which each size must be plainer: the highest of
#: many short windows is high by chance.
SIZES = (8, 16, 32, 160)
MARGINS = (0.3, 0.2, 0.1, 0.0)
#: A text shorter than the largest window is also read as a whole, and there its smaller windows must be plainer by this
#: much more: a larger margin loses attacks hidden in short texts, a smaller one attacks of unseen sources (README.md).
SHORT_MARGIN = 2.5
DOMAIN_TOKENS = 256
#: A feature counts when so many texts have it.
LEAST_TEXTS = 3
LEAST_TEXTS_DOMAIN = 2
#: Lengths at which thresholds hold, in thousands of tokens of a language model; ours are words, about 3/4 of them.
LENGTHS_K = (1, 4, 16, 64, 128)
WORDS_PER_TOKEN = 0.75
N_REQUESTS = 300
#: Single texts of up to so many words have thresholds of their own: most requests are far shorter than 1K tokens.
SHORT_WORDS = (64, SIZES[-1] - 1)
FALSE_POSITIVES = 0.01


def attack_weights(rows: list[Row], windows: Rows, chosen: NDArray[np.bool_]) -> Floats:
    """Every text counts by the root of its number of windows, every source at most as 3000 rows, attacks half."""
    owner = windows.owner[chosen]
    weights = 1.0 / np.sqrt(np.bincount(owner)[owner])
    weights *= balance([(rows[i].source, rows[i].label) for i in owner], 3000)
    positive = np.array([rows[i].label == ATTACK for i in owner])
    weights[positive] *= 0.5 * weights[~positive].sum() / weights[positive].sum()
    return weights


def fit_attacks(
    rows: list[Row], windows: Rows, chosen: NDArray[np.bool_], l2: float, n_steps: int
) -> tuple[Any, float]:
    labels = np.array([row.label == ATTACK for row in rows], dtype=np.int64)[windows.owner[chosen]]
    weights = attack_weights(rows, windows, chosen)
    table, bias = fit_softmax(windows.matrix[chosen], labels, weights, 2, l2, n_steps)
    return table, float(bias[0])


def unseen_peaks(rows: list[Row], keys: list[Keys], windows: Rows, l2: float) -> Floats:
    """Score every text by a model that has not seen its source; its highest window counts, as in the library."""
    sources = np.array([row.source for row in rows])
    best = np.full(len(rows), -np.inf)
    for fold in FOLDS:
        out = np.isin(sources, list(fold))
        table, bias = fit_attacks(rows, windows, ~out[windows.owner], l2, n_steps=25)
        for i in np.flatnonzero(out):
            best[i] = highest_window(token_weights(keys[i], table)[:, 0], SIZES, MARGINS, SHORT_MARGIN) + bias
        print(f"left out {sorted(fold)}", flush=True)
    return best


def calibration(rows: list[Row], best: Floats) -> tuple[float, float]:
    """Fit one sigmoid on the scores that decide, of unseen sources; sources and both labels weigh alike."""
    is_attack = np.array([row.label == ATTACK for row in rows])
    known = np.isfinite(best)
    weights = balance([(rows[i].source, rows[i].label) for i in np.flatnonzero(known)], 1000)
    labels = is_attack[known]
    weights[labels] *= weights[~labels].sum() / weights[labels].sum()
    return fit_sigmoid(best[known], labels, weights)


def save(
    name: str, table: NDArray[np.int8], kinds: tuple[str, ...], reading: dict[str, Any], card: dict[str, Any]
) -> Path:
    settings = {"format": FORMAT, "name": name, "kinds": kinds, "reading": reading, "card": card}
    path = OUT / f"{name}.npz"
    raw = np.frombuffer(json.dumps(settings).encode(), dtype=np.uint8)
    np.savez_compressed(path, table=table, settings=raw)
    print(f"{path.name}: {path.stat().st_size} bytes, {np.count_nonzero(table)} weights")
    return path


def make_jailbreak(shared: Path, extra: list[Row], l2: float = 1e-5, n_bits: int = 21) -> None:
    rows = [row for row in attack_rows(shared, extra) if not row.is_held_out]
    print(f"{len(rows)} texts", flush=True)
    keys = [text_keys(row.text, ATTACK_KINDS) for row in rows]
    common = common_keys(keys, LEAST_TEXTS)
    windows = cut(keys, common, FITTED_SIZES, n_bits, most=12)
    print(f"{windows.matrix.shape[0]} windows, {windows.matrix.nnz} features, {len(common)} kinds of them", flush=True)
    unseen = unseen_peaks(rows, keys, windows, l2)
    slope, offset = calibration(rows, unseen)
    table, bias = fit_attacks(rows, windows, np.ones(len(windows.owner), dtype=np.bool_), l2, n_steps=60)
    small, step = quantized(table)
    scales = [
        {"n_tokens": size, "slope": slope * step, "bias": slope * (bias - margin) + offset}
        for size, margin in zip(SIZES, MARGINS, strict=True)
    ]
    reading = {
        "kind": "peak",
        "labels": [BENIGN, ATTACK],
        "scales": scales,
        "thresholds": [[None, 0.5]],
        "short_margin": slope * SHORT_MARGIN,
    }
    card = {"sources": counts(rows), "unseen": unseen_scores(rows, unseen)}
    classifier = LinearClassifier.from_file(save("jailbreak", small, ATTACK_KINDS, reading, card))
    reading["thresholds"] = thresholds(classifier, shared, extra, rows)
    save("jailbreak", small, ATTACK_KINDS, reading, card)


def unseen_scores(rows: list[Row], best: Floats) -> dict[str, float]:
    """Area under the curve and hits at 1 % false positives, each source unseen."""
    known = np.isfinite(best)
    is_attack = np.array([row.label == ATTACK for row in rows])
    negative = best[known & ~is_attack]
    at = float(np.quantile(negative, 1 - FALSE_POSITIVES))
    found = {"pooled": area(best[known & is_attack], negative)}
    for source in sorted({rows[i].source for i in np.flatnonzero(known & is_attack)}):
        mine = best[known & is_attack & np.array([row.source == source for row in rows])]
        found[source] = area(mine, negative)
        found[f"{source}, hits at 1 % false positives"] = round(float((mine > at).mean()), 4)
    print(found)
    return found


def area(positive: Floats, negative: Floats) -> float:
    """Area under the ROC curve."""
    order = np.sort(negative)
    below = (np.searchsorted(order, positive, "left") + np.searchsorted(order, positive, "right")) / 2
    return round(float(below.mean() / len(order)), 4)


def thresholds(
    classifier: LinearClassifier, shared: Path, extra: list[Row], rows: list[Row]
) -> list[list[float | None]]:
    """Thresholds by length with 1 % false positives a request, on benign text kept for this and nothing else."""
    trained = {row.text for row in rows}
    extra = [row for row in extra if row.sets_thresholds]
    pool = [
        row for row in attack_rows(shared, extra) if row.sets_thresholds and row.is_held_out and row.label == BENIGN
    ]
    found = short_thresholds(classifier, pool)
    at = float(found[-1][1] or 0.0)
    pool += [Row(row.text, BENIGN, row.source, row.language) for row in extra if row.text not in trained]
    for length in LENGTHS_K:
        n_words = int(1000 * length * WORDS_PER_TOKEN)
        probabilities = [
            prediction.probabilities[ATTACK]
            for text in benign_requests(pool, n_words, N_REQUESTS if length > 1 else 4000, seed=length)
            if n_units(text) > SHORT_WORDS[-1]
            for prediction in classifier.classify([text])
        ]
        at = max(at, float(np.quantile(probabilities, 1 - FALSE_POSITIVES)))
        print(f"up to {length}K tokens: threshold {at:.4f}", flush=True)
        found.append([n_words if length != LENGTHS_K[-1] else None, round(at, 4)])
    return found


def short_thresholds(classifier: LinearClassifier, pool: list[Row]) -> list[list[float | None]]:
    """Thresholds for single held-out texts, families of sources weighing alike; never under 0.5."""
    found: list[list[float | None]] = []
    at = 0.5
    for shortest, limit in zip((0, *SHORT_WORDS), SHORT_WORDS, strict=False):
        rows = [row for row in pool if shortest < n_units(row.text) <= limit]
        scores = np.array([p.probabilities[ATTACK] for p in classifier.classify([row.text for row in rows])])
        weights = balance([row.source for row in rows], 50)
        order = np.argsort(-scores)
        above = np.cumsum(weights[order]) / weights.sum()
        at = max(at, float(scores[order][np.searchsorted(above, FALSE_POSITIVES)]))
        print(f"up to {limit} words: threshold {at:.4f}", flush=True)
        found.append([limit, round(at, 4)])
    return found


def counts(rows: list[Row]) -> dict[str, int]:
    names = [row.source for row in rows]
    return {name: names.count(name) for name in sorted(set(names))}


def make_domain(rows: list[Row], l2: float = 1e-5, n_bits: int = 19) -> None:
    train = [row for row in rows if not row.is_held_out]
    held = [row for row in rows if row.is_held_out]
    keys = [text_keys(row.text, DOMAIN_KINDS) for row in train]
    common = common_keys(keys, LEAST_TEXTS_DOMAIN)
    windows = cut(keys, common, (DOMAIN_TOKENS,), n_bits, most=2)
    labels = np.array([DOMAINS.index(row.label) for row in train])[windows.owner]
    weights = np.array(domain_weights(train))[windows.owner]
    table, biases = fit_softmax(windows.matrix, labels, weights / weights.mean(), len(DOMAINS), l2, n_steps=40)
    small, step = quantized(table)
    tested = cut([text_keys(row.text, DOMAIN_KINDS) for row in held], common, (DOMAIN_TOKENS,), n_bits, most=1)
    truth = np.array([DOMAINS.index(row.label) for row in held])[tested.owner]
    scores = tested.matrix @ (small * step).astype(np.float32)
    slope = softmax_slope(scores, np.asarray(biases), truth)
    accuracy = float(((slope * scores + biases).argmax(axis=1) == truth).mean())
    reading = {
        "kind": "pool",
        "labels": DOMAINS,
        "slope": slope * step,
        "biases": [round(float(b), 5) for b in biases],
        "most_tokens": DOMAIN_TOKENS,
        "threshold": 0.5,
        "window_tokens": 32,
    }
    print(f"held-out accuracy {accuracy:.4f}, slope {slope:.3f}")
    save("domain", small, DOMAIN_KINDS, reading, {"sources": counts(train), "held-out accuracy": round(accuracy, 4)})


def softmax_slope(scores: Floats, biases: Floats, truth: Ints) -> float:
    """Find the factor on the scores that makes the held-out probabilities likeliest."""

    def loss(slope: float) -> float:
        logits = slope * scores + biases
        logits = logits - logits.max(axis=1, keepdims=True)
        return float((np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(len(truth)), truth]).mean())

    grid = np.linspace(0.3, 2.0, 35)
    return float(grid[np.argmin([loss(slope) for slope in grid])])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--extra", type=Path, required=True)
    parser.add_argument("--only", choices=("jailbreak", "domain"))
    arguments = parser.parse_args()
    extra = passages(arguments.extra)
    if arguments.only != "domain":
        make_jailbreak(arguments.shared, extra)
    if arguments.only != "jailbreak":
        make_domain(list(dict.fromkeys(subject_rows(arguments.shared, arguments.extra))))


if __name__ == "__main__":
    main()
