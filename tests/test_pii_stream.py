"""Pieces do not matter, and what was promised early holds."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routekit import PatternPiiClassifier
from routekit.errors import UsageError
from routekit.interfaces import IncrementalClassifier
from routekit.pii.classifier import BLOCK, FIRST_BLOCK, LEFT, RIGHT
from routekit.pii.context import AFTER, BEFORE
from routekit.pii.internet import _PATH
from routekit.prediction import Prediction

PII = PatternPiiClassifier()
SNIPPETS = (
    "my card is 4111 1111 1111 1111, ",
    "mail\u200b me: ann.lee@example.org ",
    "call +44 20 7946 0958 or 415-555-2671 x12 ",
    "IBAN DE89 3704 0044 0532 0130 00\n",
    "ssn 536\u201390\u20134399 ",
    "see https://example.org/" + "path/" * 30 + " ",
    "电话13812345678 ",
    "2001:db8::1 10.1.2.3 ",
    "lorem ipsum dolor ",
    "9" * 70,
    "-",
)


@st.composite
def long_texts(draw: st.DrawFn) -> str:
    """Texts of several blocks with findings at and around the seams."""
    filler = draw(st.sampled_from(["word ", "x", "1 ", "\u200b", "字"]))
    text = ""
    for snippet in draw(st.lists(st.sampled_from(SNIPPETS), min_size=1, max_size=12)):
        gap = draw(st.sampled_from([0, 3, 100, FIRST_BLOCK - 40, BLOCK]))
        text += filler * (gap // len(filler)) + snippet
    return text


def read(text: str, cuts: list[int]) -> tuple[Prediction, list[dict[str, float]]]:
    stream = PII.open()
    bounds = []
    for start, end in pairwise([0, *sorted(min(c, len(text)) for c in cuts), len(text)]):
        stream.feed(text[start:end])
        bounds.append(dict(stream.lower_bound()))
    return stream.finish(), bounds


@settings(max_examples=60, deadline=None)
@given(long_texts(), st.lists(st.integers(0, 4 * BLOCK), max_size=8))
def test_pieces_do_not_change_the_prediction(text: str, cuts: list[int]) -> None:
    whole = PII.classify([text])[0]
    pieces, bounds = read(text, cuts)
    assert pieces == whole
    for bound in bounds:
        assert all(p <= whole.probabilities[label] for label, p in bound.items())


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(SNIPPETS), max_size=8))
def test_single_characters_do_not_change_the_prediction(snippets: list[str]) -> None:
    text = "".join(snippets)
    assert read(text, list(range(len(text))))[0] == PII.classify([text])[0]


@settings(max_examples=25, deadline=None)
@given(long_texts(), long_texts())
def test_bound_holds_whatever_follows(text: str, more: str) -> None:
    stream = PII.open()
    stream.feed(text)
    bound = dict(stream.lower_bound())
    assert all(p <= PII.classify([text + more])[0].probabilities[label] for label, p in bound.items())


def test_bound_is_published_before_the_end() -> None:
    stream = PII.open()
    stream.feed("my card is 4111 1111 1111 1111. " + "word " * (FIRST_BLOCK // 4))
    assert stream.lower_bound()["CREDIT_CARD"] > 0.9


@pytest.mark.parametrize("shift", range(-40, 8, 3))
def test_finding_at_a_seam_is_not_lost(shift: int) -> None:
    text = "a " * ((FIRST_BLOCK + shift) // 2) + "my card is 4111 1111 1111 1111 " + "b " * BLOCK
    assert [s.label for s in PII.classify([text])[0].spans] == ["CREDIT_CARD"]


def test_stream_keeps_only_a_bounded_tail() -> None:
    stream = PII.open()
    for _ in range(50):
        stream.feed("some words and 12 numbers " * 400)
        assert len(stream._buffer) + sum(map(len, stream._pieces)) <= BLOCK + LEFT + RIGHT + 26 * 400


def test_block_margins_exceed_what_a_match_may_see() -> None:
    longest = int(_PATH.pattern.rpartition("{0,")[2].partition("}")[0])
    assert longest + 255 + AFTER < RIGHT
    assert BEFORE + 64 < LEFT


def test_feed_after_finish_is_refused() -> None:
    stream = PII.open()
    assert isinstance(stream, IncrementalClassifier)
    assert stream.finish() == stream.finish()
    with pytest.raises(UsageError):
        stream.feed("x")
