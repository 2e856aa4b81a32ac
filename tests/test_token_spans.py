"""From labels of tokens to spans of text."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.embedded.pii import _spans as pii_spans
from routekit.long_text import Reading, read_all
from routekit.tensors import Encoding
from routekit.token_spans import TokenScheme, TokenVotes

BIO = ["O", "B-P", "I-P", "B-E", "I-E"]
BIOES = ["O", "B-P", "I-P", "E-P", "S-P"]
BILOU = ["O", "B_P", "I_P", "L_P", "U_P"]


def encoding(text: str, pieces: list[str]) -> Encoding:
    offsets, at = [], 0
    for piece in pieces:
        at = text.index(piece, at)
        offsets.append((at, at + len(piece)))
        at += len(piece)
    return Encoding(np.arange(len(pieces)), np.array(offsets, dtype=np.int64).reshape(-1, 2))


def spans(text: str, tagged: list[tuple[str, str]], labels: list[str], threshold: float = 0.5) -> list[tuple[str, str]]:
    reading = read_all(encoding(text, [piece for piece, _ in tagged]), 100, 50)
    votes = TokenVotes(text, reading, TokenScheme.of(labels), threshold)
    rows = np.full((len(tagged), len(labels)), 0.1 / (len(labels) - 1))
    for i, (_, tag) in enumerate(tagged):
        rows[i, labels.index(tag)] = 0.9
    votes.add(0, rows)
    return [(text[span.start : span.end], span.label) for span in votes.spans()]


@pytest.mark.parametrize(
    ("labels", "tags", "expected"),
    [
        (BIO, ["B-P", "I-P", "O", "B-E"], ["Anna Smith", "x"]),
        (BIO, ["B-P", "B-P", "O", "O"], ["Anna", "Smith"]),
        (BIO, ["I-P", "I-P", "O", "O"], ["Anna Smith"]),
        (BIO, ["B-P", "I-E", "O", "O"], ["Anna", "Smith"]),
        (BIOES, ["B-P", "E-P", "O", "S-P"], ["Anna Smith", "x"]),
        (BIOES, ["S-P", "S-P", "O", "O"], ["Anna", "Smith"]),
        (BIOES, ["E-P", "I-P", "O", "O"], ["Anna", "Smith"]),
        (BILOU, ["B_P", "L_P", "U_P", "U_P"], ["Anna Smith", "met", "x"]),
        (["O", "P"], ["P", "P", "O", "P"], ["Anna Smith", "x"]),
    ],
)
def test_spans_follow_the_scheme(labels: list[str], tags: list[str], expected: list[str]) -> None:
    text = "Anna Smith met x"
    found = spans(text, list(zip(text.split(), tags, strict=True)), labels)
    assert [part for part, _ in found] == expected


@pytest.mark.parametrize("tags", [["B-P", "O", "O"], ["O", "I-P", "O"], ["O", "O", "B-P"], ["B-P", "I-P", "I-P"]])
def test_parts_of_a_word_become_the_whole_word(tags: list[str]) -> None:
    tagged = list(zip(["Wolf", "gang", "er"], tags, strict=True))
    assert spans("see Wolfganger, now", tagged, BIO) == [("Wolfganger", "P")]


def test_words_end_at_punctuation_and_between_ideographs() -> None:
    assert spans("(Anna)", [("(", "O"), ("Anna", "B-P"), (")", "O")], BIO) == [("Anna", "P")]
    assert spans("我叫安娜", [("我", "O"), ("叫", "O"), ("安", "B-P"), ("娜", "I-P")], BIO) == [("安娜", "P")]
    assert spans("이름은 안나", [("이름", "B-P"), ("은", "O"), ("안나", "O")], BIO) == [("이름은", "P")]


def test_spaces_that_tokens_carry_are_trimmed() -> None:
    assert spans("my Anna \n", [("my", "O"), (" Anna \n", "B-P")], BIO) == [("Anna", "P")]
    assert spans("a  b", [("a", "O"), ("  ", "B-P"), ("b", "O")], BIO) == []


def test_threshold_decides_what_a_span_is() -> None:
    assert spans("Anna", [("Anna", "B-P")], BIO, threshold=0.95) == []
    assert spans("Anna", [("Anna", "B-P")], BIO, threshold=0.9) == [("Anna", "P")]


def test_a_name_takes_in_weaker_words_beside_it() -> None:
    text = "Anna Smith met Bo"
    labels = ["O", "B-PERSON", "I-PERSON"]
    votes = TokenVotes(text, read_all(encoding(text, text.split()), 10, 5), TokenScheme.of(labels), 0.5)
    votes.add(0, np.array([[0.2, 0.8, 0.0], [0.7, 0.0, 0.3], [0.9, 0.1, 0.0], [0.6, 0.4, 0.0]]))
    assert [text[span.start : span.end] for span in votes.spans()] == ["Anna"]
    assert [text[span.start : span.end] for span in votes.spans(0.25)] == ["Anna Smith", "Bo"]
    assert [text[span.start : span.end] for span in pii_spans(text, votes, 0.5)] == ["Anna Smith"]


def test_probability_of_an_entity_sums_its_prefixes() -> None:
    votes = TokenVotes("Anna", read_all(encoding("Anna", ["Anna"]), 10, 5), TokenScheme.of(BIO), 0.5)
    votes.add(0, np.array([[0.3, 0.35, 0.3, 0.03, 0.02]]))
    assert votes.probabilities() == pytest.approx({"P": 0.65, "E": 0.05, "O": 0.35})
    (span,) = votes.spans()
    assert (span.start, span.end, span.label) == (0, 4, "P")
    assert span.probability == votes.probabilities()["P"]


def test_nothing_read_is_outside() -> None:
    votes = TokenVotes("", read_all(encoding("", []), 10, 5), TokenScheme.of(BIO), 0.5)
    votes.add(0, np.zeros((0, 5)))
    assert votes.probabilities() == {"P": 0.0, "E": 0.0, "O": 1.0}
    assert votes.spans() == ()


@given(
    n_tokens=st.integers(1, 60),
    size=st.integers(1, 20),
    seed=st.integers(0, 1000),
    order=st.randoms(use_true_random=False),
)
def test_windows_agree_with_one_pass_in_any_order(n_tokens: int, size: int, seed: int, order: object) -> None:
    """When windows see the same probabilities, seams do not show, whatever order they come in."""
    text = " ".join(f"w{i}" for i in range(n_tokens))
    rows = np.random.default_rng(seed).dirichlet(np.full(5, 0.3), n_tokens)
    whole = encoding(text, text.split())
    results = []
    for reading in (read_all(whole, n_tokens, 1), read_all(whole, size, max(1, size // 2))):
        votes = TokenVotes(text, reading, TokenScheme.of(BIO), 0.5)
        numbers = list(range(len(reading.windows)))
        order.shuffle(numbers)  # type: ignore[attr-defined]
        for number in numbers:
            votes.add(number, rows[reading.windows[number]])
        results.append((votes.spans(), votes.probabilities()))
    assert results[0] == results[1]


@given(tags=st.lists(st.sampled_from(BIO), max_size=30))
def test_spans_are_disjoint_ascending_and_as_sure_as_the_label(tags: list[str]) -> None:
    text = " ".join("x" * 3 for _ in tags)
    reading: Reading = read_all(encoding(text, text.split()), 100, 50)
    votes = TokenVotes(text, reading, TokenScheme.of(BIO), 0.5)
    rows = np.eye(5)[[BIO.index(tag) for tag in tags]].reshape(-1, 5)
    votes.add(0, rows)
    found = votes.spans()
    assert all(a.end < b.start for a, b in pairwise(found))
    for entity in ("P", "E"):
        best = max((span.probability for span in found if span.label == entity), default=0.0)
        assert best == votes.probabilities()[entity]
    hits = sum(span.end - span.start + 1 for span in found) // 4
    assert hits == sum(tag != "O" for tag in tags)
