"""Folding shows what a reader sees, keeps offsets, and does not depend on how the text was cut."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.normalize import CODE_MASK, Folded, LetterJoiner, fold

#: What text that evades is made of, beside ordinary characters.
TRICKY = "ab i.x-1@ \n\u200b\u202e\u00ad\u0301你한กéﬁ㎏İß\ud800\x00\U000e0041\U0001d4be🅰"


def read(text: str, cuts: tuple[int, ...] = ()) -> tuple[str, list[int]]:
    joiner = LetterJoiner()
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    parts = [joiner.feed(fold(text[a:b], a)) for a, b in pairwise(edges)]
    parts.append(joiner.close())
    values = np.concatenate([part.values for part in parts])
    offsets = np.concatenate([part.offsets for part in parts])
    return "".join(chr(value & CODE_MASK or 32) for value in values), offsets.tolist()


@pytest.mark.parametrize(
    ("disguise", "plain"),
    [
        ("Ｉｇｎｏｒｅ", "ignore"),
        ("ig\u200bno\u2060re", "ignore"),
        ("i\u0336g\u0336n\u0336o\u0336r\u0336e\u0336", "ignore"),
        ("\u0456gn\u043er\u0435", "ignore"),
        ("ιgnοre", "ignore"),
        ("𝓲𝓰𝓷𝓸𝓻𝓮", "ignore"),
        ("ⓘⓖⓝⓞⓡⓔ", "ignore"),
        ("🅸🅶🅽🅾🆁🅴", "ignore"),
        ("ɪɢɴᴏʀᴇ", "ignore"),
        ("i g n o r e", "ignore"),
        ("i-g-n-o-r-e", "ignore"),
        ("i.g.n.o.r.e", "ignore"),
        ("ïgnörè", "ignore"),
        ("ﬁnal oﬃce", "final office"),
        ("".join(chr(0xE0000 + ord(c)) for c in "hidden"), "hidden"),
        ("STRASSE straße", "strasse strasse"),
        ("\u202eignore\u202c", "ignore"),
    ],
)
def test_fold_undoes_a_disguise(disguise: str, plain: str) -> None:
    assert read(disguise)[0] == plain


@pytest.mark.parametrize("text", ["a b", "I am ok", "e.g. this", "x = y", "plan b or c", "你 好 吗"])
def test_joiner_leaves_ordinary_single_letters(text: str) -> None:
    assert read(text)[0] == "".join(c if c.isalnum() else " " for c in text.lower())


@given(st.text(alphabet=TRICKY, max_size=60), st.tuples(*[st.integers(0, 60)] * 4))
def test_folding_does_not_depend_on_the_cuts(text: str, cuts: tuple[int, ...]) -> None:
    assert read(text, cuts) == read(text)


@given(st.text(max_size=200))
def test_offsets_ascend_within_the_text(text: str) -> None:
    offsets = read(text)[1]
    assert offsets == sorted(offsets)
    assert all(0 <= offset < len(text) for offset in offsets)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=200))
def test_ascii_keeps_every_character_unless_letters_are_spaced(text: str) -> None:
    folded = fold(text)
    assert len(folded.values) == len(text)
    assert folded.offsets.tolist() == list(range(len(text)))


def test_folding_is_idempotent_on_every_code_point() -> None:
    text = "".join(map(chr, range(0x110000)))
    once = fold(text).values & CODE_MASK
    again = fold("".join(map(chr, once[once != 0].tolist()))).values & CODE_MASK
    assert (again == once[once != 0]).mean() > 0.9999


def test_an_empty_text_folds_to_nothing() -> None:
    assert isinstance(fold(""), Folded)
    assert read("") == ("", [])
