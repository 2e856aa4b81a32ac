"""Sets the thresholds of the token head, label by label, on rows that it was not trained on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import token_rows
from corpus import Row as TextRow
from routekit.embedded.encoder import Encoder
from routekit.embedded.pii import PiiCascade
from routekit.pii import PatternPiiClassifier
from routekit.prediction import Span
from routekit.shared_work import sharing_work

STEPS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98)
#: A label is off where no threshold reaches this precision.
LEAST_PRECISION = 0.7
#: Rows of each source.
MOST_ROWS = 150
#: Whole sources that measure: they set nothing.
MEASURED = ("btc", "gum_news", "wnut17")
#: Of exam questions with no person in them, at most this share may be said to name one.
EXAM_FALSE_PERSONS = 0.018
#: Off: right in 37 and 60 % of what they found in news and social text of unseen sources, whatever templates promise.
OFF = ("ORGANIZATION", "GPE")


def find(encoder: Encoder, shared: Path, extra: Path) -> dict[str, float | None]:
    """Give for each label the threshold of the best F1 among those precise enough, or None."""
    rows = _rows(shared, extra)
    found: dict[float, Counter[tuple[str, str]]] = {step: Counter() for step in STEPS}
    exams: Counter[float] = Counter()
    n_exams = 0
    cascade = PiiCascade(PatternPiiClassifier(), encoder)
    for row in rows:
        is_clean = row.source == "mmlu" and not row.spans
        n_exams += is_clean
        with sharing_work():
            for step in STEPS:
                spans = cascade.raw_entities(row.text, step)
                found[step].update(_counts(row, spans))
                exams[step] += is_clean and any(span.label == "PERSON" for span in spans)
    labels = {label[2:] for label in encoder.settings.pii_labels if label != "O"}
    return {label: _best(label, found, exams, n_exams) for label in sorted(labels)}


def _rows(shared: Path, extra: Path) -> list[token_rows.TokenRow]:
    taken: Counter[str] = Counter()
    kept = []
    for row in token_rows.rows(shared, extra):
        sets_thresholds = TextRow(row.text, "", row.source).sets_thresholds or row.source != "mmlu"
        if row.is_held_out and sets_thresholds and not row.source.startswith(MEASURED) and len(row.text) < 3000:
            taken[row.source] += 1
            if taken[row.source] <= MOST_ROWS * (4 if row.source == "mmlu" else 1):
                kept.append(row)
    print("PII thresholds on", dict(taken))
    return kept


def _counts(row: token_rows.TokenRow, spans: Sequence[Span]) -> Counter[tuple[str, str]]:
    """Count hits, false alarms and misses of the labels that the row's source annotates."""
    counts: Counter[tuple[str, str]] = Counter()
    mine = [span for span in spans if span.label in row.labels]
    for span in mine:
        is_hit = any(label == span.label and s < span.end and span.start < e for s, e, label in row.spans)
        counts[span.label, "hit" if is_hit else "false"] += 1
    for start, end, label in row.spans:
        counts[label, "missed"] += not any(s.label == label and s.start < end and start < s.end for s in mine)
    return counts


def _best(
    label: str, found: dict[float, Counter[tuple[str, str]]], exams: Counter[float], n_exams: int
) -> float | None:
    best, at = 0.0, None
    for step, counts in found.items():
        hits, false, missed = (counts[label, kind] for kind in ("hit", "false", "missed"))
        if not hits:
            continue
        precision, f1 = hits / (hits + false), 2 * hits / (2 * hits + false + missed)
        too_many = label == "PERSON" and exams[step] > EXAM_FALSE_PERSONS * n_exams
        if precision >= LEAST_PRECISION and f1 > best and not too_many and label not in OFF:
            best, at = f1, step
    shown = {s: (c[label, "hit"], c[label, "false"], c[label, "missed"]) for s, c in found.items()}
    print(f"{label}: {at}, F1 {best:.3f}; hit, false, missed: {shown}", flush=True)
    if label == "PERSON":
        print("exam questions with a false person", {s: f"{exams[s]} of {n_exams}" for s in STEPS})
    return at
