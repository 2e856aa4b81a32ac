"""Tables of the PII signal: written forms, names in unseen news and social text, and names seen where there are none.

A span counts as found when start, end and label are those of the truth, titles before a name left out of both, as sets
differ in that; "overlapping" asks for one common character and the same label. Spans in account names and hashtags
count neither way.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

import numpy as np
from numpy.typing import NDArray

from corpus import Row
from detokenise import Mark
from everyday import EVERYDAY, TRIGGERS
from people import is_title
from pii import rows as stored_rows
from quality_measures import share, spans_f1
from quality_sets import Sets, some
from quality_tiers import Tier
from routekit.prediction import Span
from token_rows import LABELS, TokenRow, rows

#: Types with a written form of their own.
WRITTEN = (
    "CREDIT_CARD", "DOMAIN_NAME", "EMAIL_ADDRESS", "IBAN_CODE", "IP_ADDRESS", "PHONE_NUMBER", "US_SSN",
)  # fmt: skip
SETS = {
    "news: Wikinews (GUM)": ("gum_news",),
    "news: tweets of newspapers (BTC g)": ("btc_g",),
    "social: tweets (BTC h, e)": ("btc/h", "btc/e"),
    "social: WNUT-17 test": ("wnut17_test",),
    "social: WNUT-17 dev": ("wnut17_dev",),
    "presidio templates, held out": ("presidio_synth",),
    "own templates, held out": (
        "written/requests",
        "written/letters",
        "written/chats",
        "written/forms",
        "written/machine",
    ),
}
AT_MOST = 700
Counts = NDArray[np.int64]


def tables(tier: Tier, sets: Sets) -> dict[str, Any]:
    held = [row for row in rows(sets.shared, sets.extra) if row.is_held_out]
    return {
        "written forms": written_forms(tier, sets),
        "names": names(tier, held),
        "documents without names": nameless(tier, sets, held),
    }


def written_forms(tier: Tier, sets: Sets) -> dict[str, Any]:
    """Overlapping spans in all synthetic documents, which no recogniser was trained on."""
    documents = list(stored_rows(sets.shared / "data", "presidio_synth/all"))
    found = list(map(_as_marks, tier.entities([str(row["text"]) for row in documents])))
    truth = [tuple(map(tuple, row["spans"])) for row in documents]  # type: ignore[call-overload]
    by_label = {
        label: np.array(
            [counts(spans, marks, label, is_exact=False) for spans, marks in zip(found, truth, strict=True)]
        )
        for label in WRITTEN
    }
    return {
        "all": spans_f1(np.sum([*by_label.values()], axis=0)),
        **{label: spans_f1(c) for label, c in by_label.items()},
    }


def names(tier: Tier, held: Sequence[TokenRow]) -> dict[str, Any]:
    results: dict[str, Any] = {}
    persons: dict[str, list[tuple[Counts, Counts]]] = {"news": [], "social": []}
    for title, sources in SETS.items():
        texts = {row.text: row for row in held if row.source in sources}
        chosen = [texts[text] for text in some(texts, AT_MOST)]
        found = [comparable(row.text, spans) for row, spans in zip(chosen, _marks(tier, chosen), strict=True)]
        truth = [comparable(row.text, row.spans) for row in chosen]
        results[title] = {}
        for label in sorted({label for row in chosen for label in row.labels}, key=LABELS.index):
            both = _counted(found, truth, label)
            results[title][label] = _both(*both)
            if label == "PERSON" and title.split(":")[0] in persons:
                persons[title.split(":")[0]].append(both)
    pooled = {f"PERSON, unseen {kind}": many for kind, many in persons.items()}
    pooled["PERSON, unseen news and social text"] = [*persons["news"], *persons["social"]]
    return {
        **{title: _both(*map(np.concatenate, zip(*many, strict=True))) for title, many in pooled.items()},
        **results,
    }


def _counted(found: Sequence[list[Mark]], truth: Sequence[list[Mark]], label: str) -> tuple[Counts, Counts]:
    """Hits, false and missed spans of each text, exactly and by overlap; shape (n_texts, 3)."""
    exact, loose = (
        np.array([counts(some, true, label, is_exact=e) for some, true in zip(found, truth, strict=True)])
        for e in (True, False)
    )
    return exact, loose


def _both(exact: Counts, loose: Counts) -> dict[str, Any]:
    return {**spans_f1(exact), "f1_overlapping": spans_f1(loose)["f1"]}


def _marks(tier: Tier, chosen: Sequence[TokenRow]) -> list[list[Mark]]:
    return [_as_marks(spans) for spans in tier.entities([row.text for row in chosen])]


def _as_marks(spans: Iterable[Span]) -> list[Mark]:
    return [(span.start, span.end, span.label) for span in spans]


def comparable(text: str, marks: Iterable[Mark]) -> list[Mark]:
    """Drop spans in account names and hashtags, and cut titles off the front of persons."""
    kept = []
    for start, end, label in marks:
        if text[max(0, start - 1) : start + 1].strip()[:1] in ("@", "#"):
            continue
        words = list(re.finditer(r"\S+", text[start:end])) if label == "PERSON" else []
        names = [word for word in words if not is_title(word[0])]
        if names or label != "PERSON":
            kept.append((start + (names[0].start() if names else 0), end, label))
    return kept


def counts(found: Iterable[Mark], truth: Iterable[Mark], label: str, *, is_exact: bool) -> tuple[int, int, int]:
    """Hits, false and missed spans of one label."""
    mine = [(start, end) for start, end, kind in found if kind == label]
    true = [(start, end) for start, end, kind in truth if kind == label]
    if is_exact:
        hits = len(set(mine) & set(true))
        return hits, len(mine) - hits, len(true) - hits
    seen = sum(any(a < d and c < b for c, d in mine) for a, b in true)
    right = sum(any(a < d and c < b for c, d in true) for a, b in mine)
    return seen, len(mine) - right, len(true) - seen


def nameless(tier: Tier, sets: Sets, held: Sequence[TokenRow]) -> dict[str, Any]:
    """Share of documents with a PERSON: false ones in held-out exams, any in texts that name nobody."""
    exams = [row for row in held if row.source == "mmlu" and not Row(row.text, "", "mmlu").sets_thresholds]
    found = tier.entities([row.text for row in exams])
    persons = [[span for span in spans if span.label == "PERSON"] for spans in found]
    false = [[span for span in spans if not _meets(span, row.spans)] for row, spans in zip(exams, persons, strict=True)]
    data = sets.shared / "data"
    others = {
        "code requests": some((str(row["text"]) for row in stored_rows(data, "cyberseceval_code/all")), 200),
        "documentation in Italian, Polish and Turkish": some(
            (row.text for row in sets.fresh if row.source.startswith("python")), 200
        ),
        "instructions (IFEval), some of which name people": some(sets.of("ifeval"), 200),
        "everyday requests, some of which name people": [*EVERYDAY, *TRIGGERS],
        "harmless templates, held out": [row.text for row in held if row.source == "written/nothing"][:200],
    }  # fmt: skip
    return {
        "exams (MMLU), false": share(sum(map(bool, false)), len(exams)),
        "exams (MMLU), any": share(sum(map(bool, persons)), len(exams)),
        **{name: _any_person(tier, texts) for name, texts in others.items()},
    }


def _meets(span: Span, marks: Iterable[Mark]) -> bool:
    return any(start < span.end and span.start < end for start, end, _ in marks)


def _any_person(tier: Tier, texts: Sequence[str]) -> dict[str, Any]:
    found = tier.entities(texts)
    return share(sum(any(span.label == "PERSON" for span in spans) for spans in found), len(texts))
