"""Draws training examples for the encoder, one window each: endless, seeded streams of the three tasks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import encoder_attack_pairs as attack_pairs
import encoder_decoys as decoys
import encoder_decoys_technical as technical
import encoder_foreign as foreign
import encoder_foreign_pairs as foreign_pairs
import encoder_languages as languages
import encoder_orders as orders
import encoder_persuasion as persuasion
import encoder_requests as requests
from corpus import ATTACK, DOMAINS, HELD_SOURCES, Row, _family, domain_weights, read
from encoder_disguises import vary
from encoder_documents import document, sentences
from encoder_packages import HELD_PACKAGES
from fit import balance
from grammar import _fill
from routekit.embedded.letter_case import letter_case
from routekit.tokenization import JsonTokenizer
from token_rows import TokenRow

Ids: TypeAlias = NDArray[np.int64]
#: Content tokens of the longest window; [CLS] and [SEP] are added to them.
CONTENT_TOKENS = 126
#: From one window of a long text to the next: five windows hold 512 tokens, and 28 tokens lie in two.
STRIDE_TOKENS = 98
#: A source counts for at most so many rows.
MOST_ROWS = 2000
#: Exams name researchers and thinkers, who are no persons to protect: they count so much more for the token head.
EXAMS = 3.0
#: How much a label counts beside the answer of a larger model.
LABEL_SHARE = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """One window with its special tokens.

    Attributes
    ----------
    target
        A class, a chance for each class, or a class for each token: -100 at special tokens.
    unsaid
        Columns of the token head that stand for O as well here, since the row's source does not annotate them.
    """

    ids: Ids
    cases: Ids
    target: int | tuple[float, ...] | Ids
    unsaid: tuple[int, ...] = ()


class Coder:
    """Turns texts into windows with the tokenizer that ships."""

    def __init__(self, path: Path) -> None:
        self._tokenizer = JsonTokenizer(path)

    def encode(self, text: str) -> tuple[Ids, Ids, Ids]:
        """Give ids, letter cases and offsets of all content tokens."""
        coded = self._tokenizer.encode(text)
        offsets = np.asarray(coded.offsets)
        cases = np.array([letter_case(text[a:b]) for a, b in offsets.tolist()], dtype=np.int64)
        return np.asarray(coded.input_ids), cases, offsets

    def window(
        self,
        ids: Ids,
        cases: Ids,
        start: int,
        stop: int,
        target: int | tuple[float, ...] | Ids,
        unsaid: tuple[int, ...] = (),
    ) -> Window:
        """Frame tokens start to stop; a target for each token gets none at the special tokens."""
        before, after = self._tokenizer.prefix, self._tokenizer.suffix
        zero = np.zeros(1, dtype=np.int64)
        if isinstance(target, np.ndarray):
            target = np.concatenate((zero - 100, target[start:stop], zero - 100))
        framed = np.concatenate((before, ids[start:stop], after))
        return Window(framed, np.concatenate((zero, cases[start:stop], zero)), target, unsaid)


def part(n_tokens: int, rng: random.Random) -> tuple[int, int]:
    """Choose a window of a text: whole if it fits, else often the first, sometimes a shorter one."""
    length = CONTENT_TOKENS if rng.random() < 0.7 else rng.randint(40, CONTENT_TOKENS)
    if n_tokens <= length:
        return 0, n_tokens
    start = 0 if rng.random() < 0.4 else rng.randint(0, n_tokens - length)
    return start, start + length


class Weighted:
    """Draws rows so that no group counts for more than so many of them."""

    def __init__(self, rows: Sequence[Row], groups: Sequence[object], at_most: int) -> None:
        self.rows = rows
        self._cumulative = list(accumulate(balance(groups, at_most).tolist()))

    def draw(self, rng: random.Random) -> Row:
        return rng.choices(self.rows, cum_weights=self._cumulative)[0]


@dataclass(frozen=True, slots=True)
class Taught:
    """A text and the chance of each domain."""

    text: str
    source: str
    chances: tuple[float, ...]


def taught_texts(path: Path) -> list[Taught]:
    """Read what `domain_labels.py` wrote; a label counts for `LABEL_SHARE`, what the larger model says for the rest."""
    texts = []
    for row in read(path):
        chances = np.asarray(row["chances"])
        chances /= chances.sum()
        if row["label"]:
            chances *= 1 - LABEL_SHARE
            chances[DOMAINS.index(row["label"])] += LABEL_SHARE
        texts.append(Taught(row["text"], row["source"], tuple(chances.tolist())))
    return texts


def usable(rows: Sequence[Row], left_out: frozenset[str]) -> list[Row]:
    """Drop what is held out, and whole sources that this run has to leave unseen."""
    return [
        row
        for row in rows
        if not row.is_held_out
        and row.source not in HELD_SOURCES
        and not {row.source, _family(row.source)} & left_out
        and row.source.removeprefix("packages/") not in HELD_PACKAGES
    ]


class JailbreakExamples:
    """Labelled texts, documents with a foreign line, and requests that are none of an attacker's business."""

    def __init__(self, attacks: Sequence[Row], passages: Sequence[Row], asked: Sequence[Row]) -> None:
        by_label = {label: [row for row in attacks if (row.label == ATTACK) == label] for label in (True, False)}
        self._rows = {label: Weighted(rows, [r.source for r in rows], MOST_ROWS) for label, rows in by_label.items()}
        short = [row for row in by_label[True] if len(row.text) < 350]
        self._short = Weighted(short, [row.source for row in short], 1000)
        self._passages = Weighted(passages, [row.source for row in passages], MOST_ROWS)
        self._asked = Weighted(asked, [(row.source, row.label) for row in asked], 300)

    def draw(self, rng: random.Random) -> tuple[str, bool, str]:
        """Give a text, whether it is an attack, and the foreign line in it, if any."""
        chance = rng.random()
        if chance < 0.39:
            label = rng.random() < 0.5
            text = self._rows[label].draw(rng).text if rng.random() < 0.82 else _foreign(label, rng)
            return vary(text, rng, strong=0.1, mild=0.15), label, ""
        if chance < 0.6:
            return self.document(rng)
        if chance < 0.64:
            return *_framed(rng), ""
        if chance < 0.78:
            label = rng.random() < 0.6
            kind = rng.choice((persuasion, attack_pairs))
            return vary((kind.attack if label else kind.twin)(rng), rng, strong=0.05, mild=0.15), label, ""
        return self._harmless(rng), False, ""

    def document(self, rng: random.Random) -> tuple[str, bool, str]:
        """Give a document, whether its foreign line is an attack or an order, and that line."""
        label = rng.random() < 0.55
        passage = self._passages.draw(rng)
        line = self._foreign(rng) if label else self._own(rng)
        line = vary(line, rng, strong=0.06, mild=0.1)
        text = document(_some_words(passage.text, rng), line, rng, is_code=passage.language == "code")
        return _asked_about(text, rng) if rng.random() < 0.25 else text, label, line

    def _foreign(self, rng: random.Random) -> str:
        if rng.random() < 0.06:
            return _foreign(True, rng)
        if rng.random() < 0.45:
            return _fill(rng.choice(orders.INJECTED), orders.SLOTS, rng)
        if rng.random() < 0.75:
            return self._short.draw(rng).text
        parts = sentences(self._rows[True].draw(rng).text)
        at = rng.randrange(len(parts))
        return " ".join(parts[at : at + rng.randint(2, 4)])[:400]

    def _own(self, rng: random.Random) -> str:
        if rng.random() < 0.5:
            return _fill(rng.choice(orders.ASIDES), orders.SLOTS, rng)
        return rng.choice(sentences(self._passages.draw(rng).text))[:300]

    def _harmless(self, rng: random.Random) -> str:
        chance = rng.random()
        if chance < 0.14:
            return vary(languages.request(rng), rng, strong=0.1, mild=0.1)
        if chance < 0.6:
            kind = decoys if rng.random() < 0.55 else technical
            return vary(kind.decoy(rng), rng, strong=0.05, mild=0.15)
        if chance < 0.72:
            return vary(_fill(rng.choice(requests.CONSTRAINED), requests.SLOTS, rng), rng, strong=0.1, mild=0.2)
        if chance < 0.81:
            return vary(_fill(rng.choice(orders.REQUESTS), orders.SLOTS, rng), rng, strong=0.1, mild=0.2)
        if chance < 0.9:
            return vary(self._asked.draw(rng).text, rng, strong=0.1, mild=0.1)
        return vary(self._passages.draw(rng).text, rng, strong=0.1, mild=0.1)


def _foreign(label: bool, rng: random.Random) -> str:
    """Give an attack in another language, or a harmless text in the same words."""
    if not label:
        return foreign_pairs.twin(rng)
    return foreign.attack(rng) if rng.random() < 0.35 else foreign_pairs.attack(rng)


def _framed(rng: random.Random) -> tuple[str, bool]:
    """Give a deed in a scene, alone, or with a meaningless suffix: an attack if harmful and not alone."""
    is_harmful = rng.random() < 0.6
    kind = rng.choices((requests.FRAMED, requests.PLAIN), (0.6, 0.4))[0]
    template = rng.choice(kind).replace("{deed}", "{harmful}" if is_harmful else "{harmless}")
    text = _fill(template, requests.SLOTS, rng)
    has_junk = rng.random() < (0.4 if kind is requests.PLAIN else 0.1)
    if has_junk:
        text += " " + requests.junk(rng)
    is_attack = is_harmful and (kind is requests.FRAMED or has_junk)
    return vary(text, rng, strong=0.05, mild=0.15), is_attack


def _some_words(text: str, rng: random.Random) -> str:
    """Keep 5 to 75 words, lines intact."""
    kept: list[str] = []
    room = rng.randint(5, 75)
    for line in text.split("\n"):
        kept.append(" ".join(line.split(" ")[:room]) if "  " not in line else line[: 6 * room])
        room -= len(line.split())
        if room <= 0:
            break
    return "\n".join(kept)[:700]


def _asked_about(text: str, rng: random.Random) -> str:
    if rng.random() < 0.5:
        return f"{_fill(rng.choice(orders.BEFORE), orders.SLOTS, rng)}{rng.choice((chr(10), '  ', chr(10) * 2))}{text}"
    return f"{text}\n\n{_fill(rng.choice(orders.AFTER), orders.SLOTS, rng)}"


def jailbreak_windows(examples: JailbreakExamples, coder: Coder, rng: random.Random) -> Iterator[Window]:
    while True:
        text, label, line = examples.draw(rng)
        ids, cases, offsets = coder.encode(text[:8000])
        start, stop = part(len(ids), rng)
        if line and len(ids) > CONTENT_TOKENS:
            start, stop = _around(text, line, offsets, rng)
        yield coder.window(ids, cases, start, stop, int(label))


def _around(text: str, line: str, offsets: Ids, rng: random.Random) -> tuple[int, int]:
    """Choose a full window that holds the line, or its first part."""
    at = max(0, text.find(line[:40]))
    first, last = np.searchsorted(offsets[:, 0], (at, at + len(line)))
    lowest, highest = max(0, int(last) - CONTENT_TOKENS), min(int(first), len(offsets) - CONTENT_TOKENS)
    start = rng.randint(lowest, highest) if lowest < highest else max(0, highest)
    return start, start + CONTENT_TOKENS


def domain_windows(rows: Sequence[Row], coder: Coder, rng: random.Random) -> Iterator[Window]:
    cumulative = list(accumulate(domain_weights(rows)))
    while True:
        row = rng.choices(rows, cum_weights=cumulative)[0]
        ids, cases, _ = coder.encode(vary(row.text[:8000], rng, strong=0, mild=0.15))
        yield coder.window(ids, cases, *part(len(ids), rng), DOMAINS.index(row.label))


def taught_windows(texts: Sequence[Taught], coder: Coder, rng: random.Random) -> Iterator[Window]:
    """Give texts that a larger model has read, each once before any comes again, with what it says of them."""
    while True:
        for text in rng.sample(texts, len(texts)):
            ids, cases, _ = coder.encode(vary(text.text[:8000], rng, strong=0, mild=0.15))
            yield coder.window(ids, cases, 0, min(len(ids), CONTENT_TOKENS), text.chances)


def token_labels(spans: Sequence[tuple[int, int, str]], offsets: Ids, labels: Sequence[str]) -> Ids:
    """Label each token O, B- or I- by the span that it lies in."""
    target = np.zeros(len(offsets), dtype=np.int64)
    for start, end, name in spans:
        inside = np.flatnonzero((offsets[:, 0] < end) & (offsets[:, 1] > start))
        if f"B-{name}" in labels and len(inside):
            target[inside] = labels.index(f"I-{name}")
            target[inside[0]] = labels.index(f"B-{name}")
    return target


def token_windows(
    rows: Sequence[TokenRow], labels: Sequence[str], coder: Coder, rng: random.Random
) -> Iterator[Window]:
    weights = balance([row.source for row in rows], 2000)
    weights[np.array([row.source == "mmlu" for row in rows])] *= EXAMS
    cumulative = list(accumulate(weights.tolist()))
    while True:
        row = rng.choices(rows, cum_weights=cumulative)[0]
        ids, cases, offsets = coder.encode(row.text)
        if not len(ids):
            continue
        unsaid = tuple(i for i, label in enumerate(labels) if label != "O" and label[2:] not in row.labels)
        yield coder.window(ids, cases, *part(len(ids), rng), token_labels(row.spans, offsets, labels), unsaid)


def batches(windows: Iterator[Window], n_tokens: int, n_sorted: int = 256) -> Iterator[list[Window]]:
    """Give batches of windows of similar lengths, at most so many tokens with the padding."""
    rng = random.Random(0)
    while True:
        drawn = sorted((next(windows) for _ in range(n_sorted)), key=lambda window: len(window.ids))
        groups: list[list[Window]] = [[]]
        for window in drawn:
            if groups[-1] and (len(groups[-1]) + 1) * len(window.ids) > n_tokens:
                groups.append([])
            groups[-1].append(window)
        rng.shuffle(groups)
        yield from groups
