"""Redaction changes what is found and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit import PatternPiiClassifier, redact
from routekit.errors import UsageError
from routekit.prediction import Span

PII = PatternPiiClassifier()
PARTS = st.sampled_from(
    [
        "Dear Ann, ",
        "ann@example.org",
        " 4111 1111 1111 1111 ",
        "ssn 536-90-4399; ",
        "https://example.org/x ",
        "é字\u200b",
        "\n",
    ]
)


@given(st.lists(PARTS, max_size=10).map(" ".join))
def test_redaction_leaves_nothing_to_find_and_is_idempotent(text: str) -> None:
    once = redact(text, PII.classify([text])[0].spans)
    assert PII.classify([once])[0].spans == ()
    assert redact(once, PII.classify([once])[0].spans) == once


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=6))
def test_text_outside_the_spans_is_kept(text: str, ranges: list[tuple[int, int]]) -> None:
    spans = [Span(start, start + n, "X") for start, n in ranges if start + n <= len(text)]
    masked = redact(text, spans, mask="\x00")
    hidden = {i for span in spans for i in range(span.start, span.end)}
    assert masked.replace("\x00", "") == "".join(c for i, c in enumerate(text) if i not in hidden and c != "\x00")


def test_labels_choose_what_is_masked() -> None:
    text = "ann@example.org 4111 1111 1111 1111"
    spans = PII.classify([text])[0].spans
    assert redact(text, spans, ["CREDIT_CARD"]) == "ann@example.org [CREDIT_CARD]"
    assert redact(text, spans, mask="#") == "# #"


def test_overlapping_spans_are_masked_once_under_the_likeliest() -> None:
    assert redact("abcdef", [Span(0, 3, "A", 0.6), Span(2, 5, "B", 0.9)]) == "[B]f"


def test_mask_is_no_format_string() -> None:
    assert redact("ab", [Span(0, 1, "X")], mask="{label.__class__}{0}") == "{label.__class__}{0}b"


@pytest.mark.parametrize("span", [Span(0, 9, "X"), Span(-1, 1, "X"), Span(2, 2, "X")])
def test_span_of_another_text_is_refused(span: Span) -> None:
    with pytest.raises(UsageError) as error:
        redact("secret", [span])
    assert "secret" not in str(error.value)
