"""Keywords: whole words, whatever their case, width or disguise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.keyword_sets import KeywordSet


@pytest.mark.parametrize(
    ("keyword", "text", "found"),
    [
        ("cat", "a cat.", True),
        ("cat", "scatter", False),
        ("cat", "cat's", True),
        ("CAT", "my cAt", True),
        ("cat", "cat_food", False),
        ("Acme Corp", "ask acme\n\t corp today", True),
        ("Acme Corp", "ask acme the corp", False),
        ("C++", "in C++ it is", True),
        ("C++", "C+++", True),
        ("straße", "in der STRASSE", True),
        ("机密", "这是机密文件", True),
        ("ความลับ", "นี่คือความลับนะ", True),
        ("secret", "se\u200bcr\u00adet", True),
        ("secret", "ｓｅｃｒｅｔ", True),
        ("ignore", "", False),
        ("été", "e\u0301te\u0301", True),
        ("...", "wait...", True),
    ],
)
def test_keyword_is_found_as_a_whole_word(keyword: str, text: str, found: bool) -> None:
    assert KeywordSet.of([keyword]).found_in(text) is found


@given(st.text(max_size=30), st.text(max_size=30))
def test_keyword_between_spaces_is_always_found(before: str, after: str) -> None:
    assert KeywordSet.of(["acme corp"]).found_in(f"{before} Acme Corp {after}")


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=4))
def test_any_text_and_any_keywords_can_be_searched(text: str, words: list[str]) -> None:
    assert KeywordSet.of(words).found_in(text) in (True, False)


def test_many_keywords_in_a_long_text_end() -> None:
    keywords = KeywordSet.of([f"customer {i}" for i in range(20_000)])
    assert not keywords.found_in("customer of nothing " * 50_000)  # a quadratic search would take minutes
