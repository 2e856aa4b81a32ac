"""Rows for the token head that finds persons, organisations, places and the like, each with its source.

``../shared/data`` gives tweets and synthetic documents, `collect_entities.py` texts of public sets,
`token_templates.py`, `token_social.py`, `token_wire.py`, `token_persons.py` and `token_nobody.py` the rest, with the
names of `people.py` and `further_names.py`. Held out are whole sources that measure; and of those trained on, some
tweets and articles, templates and exam questions.

What counts as a person: a name as written, without title. No person: an account name (``@name``), a group, a product;
and in exams and textbooks those who are talked about, such as Kant or Newton: a mention there is no personal datum.
"""

from __future__ import annotations

import json
import random
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import further_names
import people
import token_nobody
import token_persons
import token_social
import token_templates
import token_wire
from corpus import HELD_SOURCES, exam_cuts, passages, read
from corpus import Row as TextRow
from detokenise import Mark, joined
from token_writer import drawn

LABELS = ("PERSON", "ORGANIZATION", "GPE", "STREET_ADDRESS", "NRP", "TITLE", "DATE_TIME", "AGE")
UNDATED = tuple(label for label in LABELS if label != "DATE_TIME")
NAMED = ("PERSON", "ORGANIZATION", "GPE")
#: One template in so many, one synthetic document in so many (by template), is never trained on.
HELD_OUT = 8
#: Of sets of tweets and articles that are trained on, one row in so many is not: thresholds are set on those.
HELD_ROWS = 10
_HELD_IN_PART = ("btc/", "wnut17/", "wikigold")
#: One row of other people's text in so many is given other names.
RENAMED = 3
#: So many copies of each row with new names, of the sets nearest to what people write: seen once, a head of this size
#: finds but two thirds of the names even in tweets that it was trained on.
COPIES = 2
_COPIED = (*_HELD_IN_PART, "gum_interview")
#: Sets of tweets that are only measured on.
HELD_TWEETS = ("btc/e", "btc/h")
_TWEETS = ("wnut17/wnut17train", "btc/a", "btc/b", "btc/f", *HELD_TWEETS)
_TWEET_NAMES = {
    "PER": "PERSON",
    "person": "PERSON",
    "ORG": "ORGANIZATION",
    "corporation": "ORGANIZATION",
    "group": "ORGANIZATION",
    "LOC": "GPE",
    "location": "GPE",
}
#: Exam domains in which a full name is some person of a case, not somebody of general knowledge.
_CASES = frozenset({"law", "business", "health", "math"})
#: Passages of each source and language, where not 120: these two have dozens of languages.
_N_PASSAGES = {"tldr-pages/tldr": 40, "dair-ai/Prompt-Engineering-Guide": 40}
#: How documents are asked about.
_ASKED = (
    "Summarize this:\n{}",
    "Translate into French: {}",
    'What does this mean? "{}"',
    "{}\n\nRewrite the text above in one sentence.",
    "Fix the grammar: {}",
    "Context:\n{}\n\nQuestion: what happened?",
    "> {}",
)


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One text with its labelled spans.

    Attributes
    ----------
    text
        As a user would write it.
    spans
        (start, end, label), half-open, ascending, without overlap.
    source
        Where the text comes from.
    is_held_out
        Never trained on.
    labels
        What the source annotates; of the other labels the row says nothing.
    """

    text: str
    spans: tuple[Mark, ...]
    source: str
    is_held_out: bool
    labels: tuple[str, ...] = LABELS


def rows(shared: Path, extra: Path, seed: int = 1) -> Iterator[TokenRow]:
    """Give all rows in a random order, those for training varied in case, length and wording around them.

    Parameters
    ----------
    shared
        Folder that holds ``data``.
    extra
        What `collect.py` and `collect_entities.py` wrote; what is missing there is left out.
    seed
        Of the templates, the variation and the order.
    """
    found = [*_tweets(shared / "data"), *_synthetic(shared / "data"), *_public(extra), *_written(seed)]
    found += [*_exams(shared / "data"), *_other_text(shared / "data", extra, seed)]
    rng = random.Random(seed)
    rng.shuffle(found)
    clean = {row.text: row for row in found if row.text.strip()}
    clean.update({row.text: row for row in found if row.is_held_out and row.text.strip()})
    held = {_words(row.text) for row in clean.values() if row.is_held_out} - {""}
    previous: dict[str, TokenRow] = {}
    for row in clean.values():
        if row.is_held_out:
            yield row
            continue
        if _words(row.text) in held:
            continue
        before = previous.get(row.source)
        yield varied(row, before, rng)
        for n in range(COPIES if row.source.startswith(_COPIED) else 0):
            yield replace(varied(renamed(row, rng), before, rng), source=f"{row.source}, copy {n + 1}")
        previous[row.source] = row


def _words(text: str) -> str:
    """Give a text without case, marks, links and account names: what is alike in these says the same."""
    return re.sub(r"\W+", " ", re.sub(r"https?\S+|@\w+", "", text.lower())).strip()


def _tweets(data: Path) -> Iterator[TokenRow]:
    for name in _TWEETS:
        for row in read(data / f"{name}.jsonl"):
            text, spans = joined(row["tokens"], row["tags"], _TWEET_NAMES)
            yield TokenRow(text, spans, name, name in HELD_TWEETS or _is_held(text, name), NAMED)


def _is_held(text: str, source: str) -> bool:
    return source.startswith(_HELD_IN_PART) and zlib.crc32(text.lower().encode()) % HELD_ROWS == 0


def _synthetic(data: Path) -> Iterator[TokenRow]:
    for row in read(data / "presidio_synth/all.jsonl"):
        marks: Any = row["spans"]
        spans = ((start, end, label) for start, end, label in marks if label in LABELS)
        yield TokenRow(row["text"], tuple(sorted(spans)), "presidio_synth", int(row["template"]) % HELD_OUT == 0)


def _public(extra: Path) -> Iterator[TokenRow]:
    path = extra / "entities.jsonl"
    for line in path.open(encoding="utf-8") if path.exists() else ():
        row = json.loads(line)
        spans = tuple((start, end, label) for start, end, label in row["spans"])
        is_held_out = row["measures"] or _is_held(row["text"], row["source"])
        yield TokenRow(row["text"], spans, row["source"], is_held_out, tuple(row["labels"]))


def _written(seed: int) -> Iterator[TokenRow]:
    rng = random.Random(seed)
    kinds = (
        ("requests", token_templates.REQUESTS, 5000, LABELS),
        ("letters", token_templates.LETTERS, 2000, LABELS),
        ("chats", token_templates.CHATS, 2200, LABELS),
        ("forms", token_templates.FORMS, 2200, LABELS),
        ("machine", token_templates.MACHINE, 2200, LABELS),
        ("news", token_templates.NEWS, 5000, LABELS),
        ("cases", token_templates.CASES, 400, LABELS),
        ("nothing", token_templates.NOTHING, 6000, UNDATED),
        ("social", token_social.SOCIAL, 6000, NAMED[:1]),
        ("wire", token_wire.WIRE, 4000, NAMED[:1]),
        ("nobody", token_wire.NOBODY, 4000, NAMED[:1]),
        # Last, so that what is drawn for the kinds above stays as it was.
        ("nobody", token_nobody.NOBODY, 10_000, NAMED[:1]),
        ("wire", token_persons.WIRE, 6000, NAMED[:1]),
        ("social", token_persons.SOCIAL, 6000, NAMED[:1]),
    )
    for kind, templates, n, labels in kinds:
        held = set(templates[HELD_OUT - 1 :: HELD_OUT])
        for template, text, spans in drawn(templates, n, rng):
            marks = tuple(span for span in spans if span[2] in labels)
            yield TokenRow(text, marks, f"written/{kind}", template in held, labels)


def _exams(data: Path) -> Iterator[TokenRow]:
    """Exam questions without persons, but for the full names of cases."""
    for row in read(data / "mmlu/all.jsonl"):
        is_held_out = TextRow(row["text"], row["label"], "mmlu", group=row["question"]).is_held_out
        cuts = list(exam_cuts(row["text"], row["question"]))
        text = cuts[0] if is_held_out else cuts[zlib.crc32(row["text"].encode()) % len(cuts)]
        names = tuple(full_names(text)) if row["label"] in _CASES else ()
        yield TokenRow(text, names, "mmlu", is_held_out, NAMED[:1])


_FULL_NAME = re.compile(r"\b([A-Z]\w+) (?:[A-Z]\. )?([A-Z][a-z]\w+)\b")
_NO_FAMILY = frozenset(
    "County City University Street Court Act Island River Corporation Company Inc State College".split()
)


def full_names(text: str) -> Iterator[Mark]:
    """Find a given name of our lists with a capitalised word after it, which is no common ending of a place or firm.

    Examples
    --------
    >>> list(full_names("Priya Nair moved to James City."))
    [(0, 10, 'PERSON')]
    """
    for match in _FULL_NAME.finditer(text):
        if match[1] in people.ALL_GIVEN and match[2] not in _NO_FAMILY:
            yield match.start(), match.end(), "PERSON"


def _other_text(data: Path, extra: Path, seed: int) -> Iterator[TokenRow]:
    """Code and documentation in many languages, without rows in which a given name of our lists stands."""
    for row in list(read(data / "cyberseceval_code/all.jsonl"))[::2]:
        yield from _nameless(row["text"], "cyberseceval_code", False)
    if not (extra / "passages.jsonl").exists():
        return
    by_kind: dict[tuple[str, str], list[TextRow]] = {}
    for passage in passages(extra):
        if not passage.source.startswith("anthropics"):
            by_kind.setdefault((passage.source, passage.language.split("_")[0]), []).append(passage)
    rng = random.Random(seed)
    for (source, _), many in by_kind.items():
        for passage in rng.sample(many, min(len(many), _N_PASSAGES.get(source, 120))):
            yield from _nameless(passage.text[:1500], source, source in HELD_SOURCES)


def _nameless(text: str, source: str, is_held_out: bool) -> Iterable[TokenRow]:
    if not people.ALL_GIVEN.intersection(re.findall(r"\w+", text)):
        yield TokenRow(text, (), source, is_held_out, NAMED[:1])


def varied(row: TokenRow, other: TokenRow | None, rng: random.Random) -> TokenRow:
    """Write a row as part of a longer text, inside a request, in lower case or in capitals, or leave it as it is.

    Persons in the texts of others get new names at times, so that what stands around a name tells it, too.
    """
    if not row.source.startswith("written") and rng.randrange(RENAMED) == 0:
        row = renamed(row, rng)
    draw = rng.random()
    if other is not None and other.labels == row.labels and draw < 0.15 and len(row.text) + len(other.text) < 1500:
        return _cased(_appended(row, rng.choice((" ", "\n", "\n\n")), other), rng)
    if draw < 0.25:
        before, after = rng.choice(_ASKED).split("{}")
        row = _appended(replace(row, text=before, spans=()), "", row)
        row = replace(row, text=row.text + after)
    return _cased(row, rng)


def renamed(row: TokenRow, rng: random.Random) -> TokenRow:
    """Give the persons of a row new names of one word or of two, as theirs have, and in their case.

    Examples
    --------
    >>> row = TokenRow("ann and Bo Lee", ((0, 3, "PERSON"), (8, 14, "PERSON")), "a", False)
    >>> renamed(row, random.Random(1)).text
    'bopha and Dov Lomidze'
    """
    text, spans, at = "", [], 0
    for start, end, label in row.spans:
        old = row.text[start:end]
        new = old if label != "PERSON" else _like(old, rng)
        text += row.text[at:start] + new
        spans.append((len(text) - len(new), len(text), label))
        at = end
    return replace(row, text=text + row.text[at:], spans=tuple(spans))


def _like(old: str, rng: random.Random) -> str:
    if rng.randrange(3):
        pair, words = people.pair, (people.given_name, people.family_name)
    else:
        pair, words = further_names.pair, (further_names.given, further_names.family)
    new = pair(rng) if " " in old else rng.choice(words)(rng)
    return new.lower() if old.islower() else new.upper() if old.isupper() and len(old) > 2 else new


def _appended(row: TokenRow, between: str, other: TokenRow) -> TokenRow:
    at = len(row.text) + len(between)
    moved = tuple((start + at, end + at, label) for start, end, label in other.spans)
    return replace(row, text=f"{row.text}{between}{other.text}", spans=row.spans + moved)


def _cased(row: TokenRow, rng: random.Random) -> TokenRow:
    draw = rng.random()
    text = row.text.lower() if draw < 0.14 else row.text.upper() if draw < 0.17 else row.text
    return replace(row, text=text) if len(text) == len(row.text) else row
