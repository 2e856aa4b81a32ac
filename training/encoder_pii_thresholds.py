"""Sets the thresholds of the token head, label by label, on rows that it was not trained on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import token_rows
from corpus import Row as TextRow
from routekit.embedded.encoder import Encoder
from routekit.embedded.pii import PiiCascade
from routekit.embedded.whole_names import PERSON
from routekit.pii import PatternPiiClassifier
from routekit.prediction import Span
from routekit.shared_work import sharing_work

STEPS = (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98)
#: A label is off where no threshold reaches this precision.
LEAST_PRECISION = 0.7
#: Rows of each source.
MOST_ROWS = 150
#: Sources that tell for persons, as what is written by people differs from templates, and rows of each.
NAMING = ("btc/a", "btc/b", "btc/f", "wnut17/wnut17train", "wikigold")
MOST_NAMING_ROWS, MOST_EXAMS = 400, 800
#: Whole sources that measure: they set nothing.
MEASURED = frozenset(("btc/e", "btc/h", "btc_g", "gum_news", "wnut17_dev", "wnut17_test"))
#: Of exam questions with no person in them, at most this share may be said to name one.
EXAM_FALSE_PERSONS = 0.015
#: F1 that differs by less than that is the same.
AS_GOOD = 0.005
#: Off: right in 37 and 60 % of what they found in news and social text of unseen sources, whatever templates promise.
OFF = ("ORGANIZATION", "GPE")
#: (label, hit or false or missed) -> how often; for persons also as spans that match from end to end.
Tally = Counter[tuple[str, str]]


def find(encoder: Encoder, shared: Path, extra: Path) -> dict[str, float | None]:
    """Give for each label the threshold of the best F1 among those precise enough, or None.

    Persons are counted where people write, in exact spans, and bound by what they cost in exams.
    """
    rows = _rows(shared, extra)
    found: dict[float, Tally] = {step: Counter() for step in STEPS}
    exams: Counter[float] = Counter()
    n_exams = 0
    cascade = PiiCascade(PatternPiiClassifier(), encoder)
    for row in rows:
        is_clean = row.source == "mmlu" and not row.spans
        n_exams += is_clean
        with sharing_work():
            for step in STEPS:
                spans = cascade.raw_entities(row.text, step, OFF)
                found[step].update(_counts(row, spans))
                if row.source in NAMING:
                    found[step].update(_exact(row, spans))
                exams[step] += is_clean and any(span.label == PERSON for span in spans)
    labels = {label[2:] for label in encoder.settings.pii_labels if label != "O"}
    print("exam questions with a false person", {step: f"{exams[step]} of {n_exams}" for step in STEPS})
    few = {step for step in STEPS if exams[step] <= EXAM_FALSE_PERSONS * n_exams}
    return {label: _best(label, found) if label != PERSON else _person(found, few) for label in sorted(labels)}


def _rows(shared: Path, extra: Path) -> list[token_rows.TokenRow]:
    most = {"mmlu": MOST_EXAMS, **dict.fromkeys(NAMING, MOST_NAMING_ROWS)}
    taken: Counter[str] = Counter()
    kept = []
    for row in token_rows.rows(shared, extra):
        sets_thresholds = TextRow(row.text, "", row.source).sets_thresholds or row.source != "mmlu"
        if row.is_held_out and sets_thresholds and row.source not in MEASURED and len(row.text) < 3000:
            taken[row.source] += 1
            if taken[row.source] <= most.get(row.source, MOST_ROWS):
                kept.append(row)
    print("PII thresholds on", dict(taken))
    return kept


def _counts(row: token_rows.TokenRow, spans: Sequence[Span]) -> Tally:
    """Count hits, false alarms and misses of the labels that the row's source annotates."""
    counts: Tally = Counter()
    mine = [span for span in spans if span.label in row.labels]
    for span in mine:
        is_hit = any(label == span.label and s < span.end and span.start < e for s, e, label in row.spans)
        counts[span.label, "hit" if is_hit else "false"] += 1
    for start, end, label in row.spans:
        counts[label, "missed"] += not any(s.label == label and s.start < end and start < s.end for s in mine)
    return counts


def _exact(row: token_rows.TokenRow, spans: Sequence[Span]) -> Tally:
    mine = {(span.start, span.end) for span in spans if span.label == PERSON}
    true = {(start, end) for start, end, label in row.spans if label == PERSON}
    hits = len(mine & true)
    return Counter(
        {("exact", "hit"): hits, ("exact", "false"): len(mine) - hits, ("exact", "missed"): len(true) - hits}
    )


def _person(found: dict[float, Tally], allowed: set[float]) -> float | None:
    """Give the lowest of those allowed that are about as good as the best: a head is less sure of what it never saw.

    Each counts with its neighbours, from which it differs by chance.
    """
    steps = sorted(found)
    around = {step: [found[s] for s in steps[max(0, i - 1) : i + 2]] for i, step in enumerate(steps)}
    scores = {step: _precision_and_f1(sum(around[step], Counter()), "exact")[1] for step in steps}
    shown = {step: tuple(round(x, 3) for x in _precision_and_f1(found[step], "exact")) for step in steps}
    print(f"{PERSON}: precision and F1 of exact spans in {', '.join(NAMING)}: {shown}; allowed {sorted(allowed)}")
    best = max((scores[step] for step in allowed), default=0.0)
    return min((step for step in allowed if scores[step] >= best - AS_GOOD), default=None)


def _best(label: str, found: dict[float, Tally]) -> float | None:
    best, at = 0.0, None
    for step, counts in found.items():
        precision, f1 = _precision_and_f1(counts, label)
        if precision >= LEAST_PRECISION and f1 > best and label not in OFF:
            best, at = f1, step
    shown = {s: (c[label, "hit"], c[label, "false"], c[label, "missed"]) for s, c in found.items()}
    print(f"{label}: {at}, F1 {best:.3f}; hit, false, missed: {shown}", flush=True)
    return at


def _precision_and_f1(counts: Tally, label: str) -> tuple[float, float]:
    hits, false, missed = (counts[label, kind] for kind in ("hit", "false", "missed"))
    return hits / max(hits + false, 1), 2 * hits / max(2 * hits + false + missed, 1)
