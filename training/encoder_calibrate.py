"""Fills ``encoder.json``: how the two tiers join, when the first one settles a text, and the thresholds.

    python training/encoder_calibrate.py --shared ../shared --extra EXTRA --unseen UNSEEN [--folder FOLDER]

UNSEEN is what `encoder_unseen.py` wrote. The rule is fitted on sources that the scoring models have not seen, and on
documents with a foreign line, of which those have none: drawn from rows kept out of training, scored by the models that
ship. Thresholds are set on half of the rows kept out of training, and on harmless text of sources left out. Prints all
that it decides on.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import encoder_pii_thresholds
from corpus import BENIGN, HELD_SOURCES, Row, _family, attack_rows, collected, passages, subject_rows
from encoder_examples import JailbreakExamples
from encoder_folds import FOLDS
from encoder_held import held_attacks, held_code
from fit import Floats, balance, fit_sigmoid
from make_linear import FALSE_POSITIVES, LENGTHS_K, WORDS_PER_TOKEN, area
from requests_of_length import benign_requests
from routekit.embedded.domain import DomainCascade
from routekit.embedded.encoder import Encoder
from routekit.embedded.jailbreak import JailbreakCascade
from routekit.linear import LinearClassifier

EMBEDDED = Path(__file__).parents[1] / "src" / "routekit" / "embedded"
MAX_LINEAR = 20.0
#: Log-odds of the encoder are cut here: smoothed labels end its margins near 4.4, so that little is cut.
CLIP = 4.0
#: Weights of the linear tier beside the encoder that are tried. Log loss alone asks for 0.75, which costs a quarter of
#: the attacks in documents: to the linear tier many are plainly harmless.
RATIOS = (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0)
DOCUMENTS = "documents"
#: Texts of up to so many words have thresholds of their own.
SHORT_WORDS = (32, 128)
N_REQUESTS = 200
#: Documents drawn, about half of them with an attack or an order in them.
N_DOCUMENTS = 1500
#: Share of verdicts that may change because the first tier settles a text alone, above and below together.
SETTLE_LOSS = 0.002
#: Share of the attacks that both tiers find which a glance may lose, alone and in documents. Of sources that nothing
#: was trained on it loses several times as many: 1 % of them where 0.24 % of these were lost, 5 % where it was 0.6 %.
DOUBT_LOSS = 0.002
#: Accuracy that the first tier may cost where it settles a subject alone: on exams of other authors it costs more.
DOMAIN_LOSS = 0.0005


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """Texts scored by both tiers as trained without their sources; the glance of those that ship, or infinite doubt."""

    source: NDArray[np.str_]
    is_attack: NDArray[np.bool_]
    linear: Floats
    margin: Floats
    doubt: Floats

    @property
    def weights(self) -> Floats:
        """Sources and both labels weigh alike."""
        weights = balance(list(zip(self.source, self.is_attack, strict=True)), 1000)
        weights[self.is_attack] *= weights[~self.is_attack].sum() / weights[self.is_attack].sum()
        return weights


def left_out(folder: Path) -> LeftOut:
    """Join the encoders' scores with the linear ones by the texts' checksums, and keep them in one file."""
    with np.load(folder / "linear.npz") as stored:
        linear = dict(zip(stored["crc"].tolist(), stored["log_odds"].tolist(), strict=True))
    parts: dict[str, list[Any]] = {"crc": [], "source": [], "label": [], "margin": []}
    for fold in range(len(FOLDS)):
        with np.load(folder / f"fold{fold}.npz") as stored:
            for name, values in parts.items():
                values.append(stored[name])
    crc, source, label, margin = (np.concatenate(values) for values in parts.values())
    scores = np.array([linear.get(int(value), np.nan) for value in crc])
    np.savez_compressed(folder / "left_out.npz", source=source, is_attack=label, linear=scores, margin=margin)
    known = np.isfinite(scores)
    doubt = np.full(known.sum(), np.inf)
    return LeftOut(source[known], label[known], scores[known], margin[known].astype(np.float64), doubt)


def with_documents(rows: LeftOut, cascade: JailbreakCascade, shared: Path, extra: list[Row]) -> LeftOut:
    """Add documents with a foreign line, made of rows that nothing was trained on."""
    known = [row for row in attack_rows(shared, extra) if row.is_held_out and row.sets_thresholds]
    families = {_family(source) for source in {row.source for row in extra}}
    hosts = [row for row in known if row.label == BENIGN and row.source in families] + held_code()
    examples, rng = JailbreakExamples(known, hosts, hosts), random.Random(7)
    drawn = [examples.document(rng) for _ in range(N_DOCUMENTS)]
    raw = cascade.raw_scores([text for text, _, _ in drawn])
    return LeftOut(
        np.append(rows.source, np.repeat(DOCUMENTS, len(drawn))),
        np.append(rows.is_attack, [is_attack for _, is_attack, _ in drawn]),
        np.append(rows.linear, [score.linear for score in raw]),
        np.append(rows.margin, [score.margin for score in raw]),
        np.append(rows.doubt, [score.doubt for score in raw]),
    )


def fit_rule(rows: LeftOut) -> dict[str, Any]:
    """Fit the encoder's own sigmoid, choose the weight of the linear tier beside it, and fit a sigmoid on the sum."""
    labels = rows.is_attack.astype(np.int64)
    slope, bias = fit_sigmoid(rows.margin, labels, rows.weights)
    linear = np.clip(rows.linear, -MAX_LINEAR, MAX_LINEAR)
    encoder = np.clip(slope * rows.margin + bias, -CLIP, CLIP)
    found = {ratio: recalls(rows, ratio * linear + encoder) for ratio in RATIOS}
    print("weight of the linear tier: recall of unseen sources, in documents", found)
    ratio = max(RATIOS, key=lambda value: sum(found[value]))
    scale, offset = fit_sigmoid(ratio * linear + encoder, labels, rows.weights)
    combine = {"linear": scale * ratio, "encoder": scale, "bias": offset, "clip": CLIP}
    rule = {"slope": slope, "bias": bias}
    return {
        **{name: round(value, 5) for name, value in rule.items()},
        "combine": {name: round(value, 5) for name, value in combine.items()},
    }


def recalls(rows: LeftOut, scores: Floats) -> tuple[float, float]:
    """Share of attacks of unseen sources, and in documents, over a threshold for harmless text of unseen sources."""
    in_document = rows.source == DOCUMENTS
    harmless, attacks = ~rows.is_attack & ~in_document, rows.is_attack & ~in_document
    at = _quantile(scores[harmless], balance(rows.source[harmless].tolist(), 500), FALSE_POSITIVES)
    weights = balance(rows.source[attacks].tolist(), 500)
    unseen = float(np.average(scores[attacks] > at, weights=weights))
    return round(unseen, 3), round(float((scores[in_document & rows.is_attack] > at).mean()), 3)


def joined(rule: dict[str, Any], linear: Floats, margin: Floats) -> Floats:
    """Log-odds of both tiers."""
    combine = rule["combine"]
    encoder = np.clip(rule["slope"] * margin + rule["bias"], -combine["clip"], combine["clip"])
    return np.asarray(
        combine["linear"] * np.clip(linear, -MAX_LINEAR, MAX_LINEAR) + combine["encoder"] * encoder + combine["bias"]
    )


def settled(rule: dict[str, Any], linear: Floats, margin: Floats) -> Floats:
    """Log-odds as the library gives them: the encoder counts as firm where the first tier settles a text."""
    below, above = rule["settle"]["below"], rule["settle"]["above"]
    margin = np.where(linear < (-math.inf if below is None else below), -1e6, margin)
    return joined(rule, linear, np.where(linear > (math.inf if above is None else above), 1e6, margin))


def settle(rule: dict[str, Any], linear: Floats, margin: Floats, at: Floats, weights: Floats) -> dict[str, Any]:
    """Settle as much as changes at most half of `SETTLE_LOSS` of the verdicts on either side."""
    full = joined(rule, linear, margin) >= at
    low = joined(rule, linear, np.full_like(margin, -1e6)) >= at
    high = joined(rule, linear, np.full_like(margin, 1e6)) >= at
    share = weights / weights.sum()
    order = np.argsort(linear)
    from_below = np.cumsum((share * (full != low))[order])
    n_below = int(np.searchsorted(from_below, SETTLE_LOSS / 2, "right"))
    down = order[::-1]
    from_above = np.cumsum((share * (full != high))[down])
    n_above = int(np.searchsorted(from_above, SETTLE_LOSS / 2, "right"))
    below = float(linear[order[min(n_below, len(order) - 1)]]) if n_below else None
    above = float(linear[down[min(n_above, len(order) - 1)]]) if n_above else None
    if below is not None and above is not None and below > above:
        below = above = (below + above) / 2
    shares = (share[order[:n_below]].sum(), share[down[:n_above]].sum())
    print(f"settled below {below} ({shares[0]:.3f} of texts), above {above} ({shares[1]:.3f})")
    return {"below": _rounded(below, math.floor), "above": _rounded(above, math.ceil), "doubt": None}


def clear(
    rule: dict[str, Any], cascade: JailbreakCascade, rows: LeftOut, attacks: list[Row], harmless: Scored
) -> float | None:
    """Set the bound under which a glance clears a text; print which share of harmless texts it does, by source."""
    single = score(cascade, [(row.text, row.source) for row in attacks])
    found = settled(rule, single.linear, single.margin) >= at_least(rule, single.words)
    in_document = rows.is_attack & (rows.source == DOCUMENTS)
    hidden = rows.doubt[in_document]
    at = at_least(rule, np.full(len(hidden), SHORT_WORDS[-1]))
    hidden = hidden[settled(rule, rows.linear[in_document], rows.margin[in_document]) >= at]
    bound = min(
        -_quantile(-single.doubt[found], single.weights[found], DOUBT_LOSS),
        -_quantile(-hidden, np.ones(len(hidden)), DOUBT_LOSS),
    )
    for name, scores, source in (("lost", single.doubt[found], single.source[found]), ("lost", hidden, None)):
        _print_shares(name, scores < bound, source)
    _print_shares("cleared", harmless.doubt < bound, harmless.source)
    return _rounded(bound, math.floor) if math.isfinite(bound) else None


def _print_shares(name: str, chosen: NDArray[np.bool_], source: NDArray[np.str_] | None) -> None:
    groups = {DOCUMENTS: chosen} if source is None else {str(s): chosen[source == s] for s in np.unique(source)}
    print(f"a glance, {name}:", {group: (round(float(of.mean()), 3), len(of)) for group, of in groups.items()})


def at_least(rule: dict[str, Any], words: NDArray[np.int64]) -> Floats:
    """Log-odds from which a text of so many words is a hit."""
    logits = np.array([math.log(p / (1 - p)) for _, p in rule["thresholds"]])
    limits = np.array([limit or np.inf for limit, _ in rule["thresholds"]])
    return np.asarray(logits[np.searchsorted(limits, words)])


def _rounded(value: float | None, towards: Any) -> float | None:
    return None if value is None else towards(value * 1000) / 1000


def report(name: str, rows: LeftOut, scores: Floats) -> None:
    negative = scores[~rows.is_attack]
    at = float(np.quantile(negative, 1 - FALSE_POSITIVES))
    found = {"pooled": (area(scores[rows.is_attack], negative), round(float((scores[rows.is_attack] > at).mean()), 3))}
    for source in np.unique(rows.source[rows.is_attack]):
        mine = scores[rows.is_attack & (rows.source == source)]
        found[str(source)] = (area(mine, negative), round(float((mine > at).mean()), 3))
    print(f"{name}: area, recall at 1 %", found)
    fires = {
        str(s): round(float((scores[~rows.is_attack & (rows.source == s)] > at).mean()), 4)
        for s in np.unique(rows.source[~rows.is_attack])
    }
    print("  benign over that threshold", fires)


def benign_texts(shared: Path, extra: list[Row]) -> dict[int | None, list[tuple[str, str]]]:
    """Harmless texts by the words that their threshold holds up to, each with its source; none was trained on."""
    trained = {row.text for row in attack_rows(shared, extra)}
    mine = [row for row in extra if row.sets_thresholds]
    rows = [r for r in attack_rows(shared, mine) if r.sets_thresholds and r.is_held_out and r.label == BENIGN]
    rows += held_code()
    found: dict[int | None, list[tuple[str, str]]] = {None: [(row.text, row.source) for row in rows]}
    pool = rows + [r for r in mine if r.text not in trained and r.source not in HELD_SOURCES]
    for length in LENGTHS_K:
        n_words = int(1000 * length * WORDS_PER_TOKEN)
        n = 4 * N_REQUESTS if length == 1 else N_REQUESTS
        found[n_words] = [(text, "") for text in benign_requests(pool, n_words, n, seed=length)]
    return found


def thresholds(rule: dict[str, Any], scored: dict[int | None, Scored], rows: LeftOut) -> list[list[Any]]:
    """Give P with 1 % false positives by length: single texts up to `SHORT_WORDS`, then requests of each length."""
    found: list[list[Any]] = []
    harmless = ~rows.is_attack
    unseen = 1 / (1 + np.exp(-settled(rule, rows.linear[harmless], rows.margin[harmless])))
    at = max(0.5, _quantile(unseen, balance(rows.source[harmless].tolist(), 500), FALSE_POSITIVES))
    print(f"{FALSE_POSITIVES} of harmless texts of unseen sources lie over {at:.4f}")
    short = scored[None]
    p = 1 / (1 + np.exp(-settled(rule, short.linear, short.margin)))
    for shortest, limit in zip((0, *SHORT_WORDS), SHORT_WORDS, strict=False):
        chosen = (short.words > shortest) & (short.words <= limit)
        at = max(at, _quantile(p[chosen], short.weights[chosen]))
        found.append([limit, _up(at)])
    for limit in sorted(key for key in scored if key is not None):
        of = scored[limit]
        at = max(at, _quantile(1 / (1 + np.exp(-settled(rule, of.linear, of.margin))), of.weights))
        found.append([limit, _up(at)])
    found[-1][0] = None
    print("thresholds", found)
    return found


def _quantile(p: Floats, weights: Floats, share: float = FALSE_POSITIVES) -> float:
    order = np.argsort(-p)
    above = np.cumsum(weights[order]) / weights.sum()
    return float(p[order][np.searchsorted(above, share)])


def _up(p: float) -> float:
    return min(math.ceil(p * 10_000) / 10_000, 0.9999)


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Texts scored by what ships; sources weigh alike."""

    source: NDArray[np.str_]
    weights: Floats
    linear: Floats
    margin: Floats
    words: NDArray[np.int64]
    doubt: Floats


def score(cascade: JailbreakCascade, texts: list[tuple[str, str]]) -> Scored:
    raw = cascade.raw_scores([text for text, _ in texts])
    return Scored(
        np.array([source for _, source in texts]),
        balance([source for _, source in texts], 60) if texts[0][1] else np.ones(len(texts)),
        np.array([r.linear for r in raw]),
        np.array([r.margin for r in raw]),
        np.array([r.n_words for r in raw]),
        np.array([r.doubt for r in raw]),
    )


def jailbreak(
    said: dict[str, Any],
    cascade: JailbreakCascade,
    rows: LeftOut,
    shared: Path,
    extra: list[Row],
    prompts: list[Row],
) -> None:
    rows = with_documents(rows, cascade, shared, extra)
    rule = fit_rule(rows)
    rule["settle"] = {"below": None, "above": None, "doubt": None}
    encoder_only = rule["slope"] * rows.margin + rule["bias"]
    for name, scores in (
        ("linear", rows.linear),
        ("encoder", encoder_only),
        ("both", joined(rule, rows.linear, rows.margin)),
    ):
        report(name, rows, scores)
    scored = {limit: score(cascade, texts) for limit, texts in benign_texts(shared, extra).items()}
    rule["thresholds"] = thresholds(rule, scored, rows)
    single = scored[None]
    half = rows.weights.sum() / 2
    rule["settle"] = settle(
        rule,
        np.concatenate((single.linear, rows.linear)),
        np.concatenate((single.margin, rows.margin)),
        np.concatenate((at_least(rule, single.words), at_least(rule, np.full(len(rows.linear), SHORT_WORDS[-1])))),
        np.concatenate((single.weights * half / single.weights.sum(), rows.weights / 2)),
    )
    rule["thresholds"] = thresholds(rule, scored, rows)
    rule["settle"]["doubt"] = clear(rule, cascade, rows, held_attacks(shared, extra, prompts), single)
    said["jailbreak"] = rule


def domain(said: dict[str, Any], cascade: DomainCascade, rows: list[Row]) -> None:
    """Fit temperature and weight of the linear tier on held-out rows; sources weigh alike."""
    held = [row for row in rows if row.is_held_out and row.sets_thresholds]
    held = held[:: max(1, len(held) // 4000)]
    linear, encoder = cascade.raw_logits([row.text for row in held])
    truth = np.array([cascade.labels.index(row.label) for row in held])
    weights = balance([row.source for row in held], 400)

    def mixed(values: Floats) -> Floats:
        logits = encoder / abs(values[0]) + abs(values[1]) * linear
        logits = logits - logits.max(axis=1, keepdims=True)
        return np.asarray(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)))

    def loss(values: Floats) -> float:
        return float(-(weights * mixed(values)[np.arange(len(truth)), truth]).sum() / weights.sum())

    best = np.abs(minimize(loss, np.array([1.0, 0.5]), method="Nelder-Mead").x)
    right = mixed(best).argmax(1) == truth
    alone = linear.argmax(1) == truth
    for name, hits in (("linear", alone), ("encoder", encoder.argmax(1) == truth), ("both", right)):
        print(f"domain, held-out rows, {name}: {np.average(hits, weights=weights):.4f}")
    surest = np.exp(linear.max(1))
    order = np.argsort(-surest)
    cost = np.cumsum((weights * (right.astype(float) - alone))[order]) / weights.sum()
    too_much = np.flatnonzero(np.maximum.accumulate(cost) > DOMAIN_LOSS)
    n = int(too_much[0]) if len(too_much) else len(order)
    at = float(surest[order[max(0, n - 1)]])
    print(f"domain settled from {at:.4f}: {n / len(order):.3f} of texts")
    said["domain"] = {
        "temperature": round(float(best[0]), 4),
        "linear": round(float(best[1]), 4),
        "settle": round(at, 4) if n else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--extra", type=Path, required=True)
    parser.add_argument("--unseen", type=Path, required=True)
    parser.add_argument("--folder", type=Path, default=EMBEDDED / "encoder")
    parser.add_argument("--only", choices=("jailbreak", "domain", "pii"))
    arguments = parser.parse_args()
    path = arguments.folder / "encoder.json"
    said = json.loads(path.read_text())
    extra = passages(arguments.extra)
    first, second = (LinearClassifier.from_file(EMBEDDED / f"{name}.npz") for name in ("jailbreak", "domain"))
    encoder = Encoder(arguments.folder, screens=(first, second), n_threads=1)
    if arguments.only in (None, "jailbreak"):
        unseen, prompts = left_out(arguments.unseen), collected(arguments.extra, "prompts")
        jailbreak(said, JailbreakCascade(first, encoder), unseen, arguments.shared, extra, prompts)
    if arguments.only in (None, "domain"):
        domain(said, DomainCascade(second, encoder), subject_rows(arguments.shared, arguments.extra))
    if arguments.only in (None, "pii"):
        said["pii"]["thresholds"] = encoder_pii_thresholds.find(encoder, arguments.shared, arguments.extra)
    path.write_text(json.dumps(said, indent=1) + "\n")


if __name__ == "__main__":
    main()
