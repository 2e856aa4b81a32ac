"""Keys depend on the words alone: not on the cuts, not on the case, and equal to a plain computation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.ngrams import BLOCK, KINDS, MAX_WORD, MEMORY, NO_FEATURE, Keys, NgramStream

TRICKY = "ab i.x-1@ \n\u200b你한éﬁ\ud800"


def read(text: str, cuts: tuple[int, ...] = ()) -> tuple[Keys, list[tuple[int, int]]]:
    stream = NgramStream(KINDS)
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    parts = [stream.feed(text[a:b]) for a, b in pairwise(edges)]
    parts.append(stream.close())
    spans = [pair for _, tokens in parts for pair in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)]
    return np.concatenate([keys for keys, _ in parts], axis=1), spans


@given(st.text(alphabet=TRICKY, max_size=90), st.tuples(*[st.integers(0, 90)] * 4))
def test_keys_do_not_depend_on_the_cuts(text: str, cuts: tuple[int, ...]) -> None:
    keys, spans = read(text)
    cut_keys, cut_spans = read(text, cuts)
    assert np.array_equal(keys, cut_keys)
    assert spans == cut_spans


VOCABULARY = ("to", "be", "or", "not", "that", "is", "the", "question", "whether", "nobler", "in", "mind")
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=120)


@given(WORDS)
def test_equal_ngrams_have_equal_keys_and_only_they(words: list[str]) -> None:
    keys, _ = read(" ".join(words))
    reach = {"word": 1, "pair": 2, "triple": 3}
    for kind, n in reach.items():
        row = keys[KINDS.index(kind)]
        ngrams = [tuple(words[i - n + 1 : i + 1]) for i in range(n - 1, len(words))]
        assert (row[: n - 1] == NO_FEATURE).all()
        assert len(set(ngrams)) == len(set(row[n - 1 :].tolist()) - {NO_FEATURE})


@given(WORDS)
def test_a_feature_counts_once_in_the_memory(words: list[str]) -> None:
    row = read(" ".join(words))[0][KINDS.index("word")]
    repeats = [word in words[max(0, i - MEMORY) : i] for i, word in enumerate(words)]
    assert (row == NO_FEATURE).tolist() == repeats


@pytest.mark.parametrize("phrase", ["a1", "no no", "buy it now", "é 你"])
def test_repetition_adds_nothing(phrase: str) -> None:
    keys, _ = read(f"{phrase} " * 500)
    assert (keys[:, 2 * len(phrase.split()) + 2 :] == NO_FEATURE).all()


def test_skip_ignores_the_word_between() -> None:
    row = KINDS.index("skip")
    assert read("ignore all rules")[0][row, 2] == read("ignore your rules")[0][row, 2]


def test_stem_is_shared_by_inflections() -> None:
    row = KINDS.index("stem")
    assert read("instruction")[0][row, 0] == read("instructs")[0][row, 0]


@pytest.mark.parametrize(("one", "other"), [("p@ssw0rd", "password"), ("1gn0re", "ignore"), ("IGNORE", "ignore")])
def test_words_that_look_alike_have_equal_keys(one: str, other: str) -> None:
    assert np.array_equal(read(one)[0], read(other)[0])


def test_numbers_differ_only_by_length() -> None:
    assert np.array_equal(read("2019")[0], read("2024")[0])
    assert not np.array_equal(read("20")[0], read("2024")[0])


def test_spans_point_into_the_original() -> None:
    text = "Ｉgn\u200bore  ﬁve 你好"
    assert [text[a:b] for a, b in read(text)[1]] == ["Ｉgn\u200bore", "ﬁve", "你", "好"]


@pytest.mark.parametrize("size", [MAX_WORD, MAX_WORD + 1, 5 * MAX_WORD, BLOCK + 7])
def test_endless_words_are_cut(size: int) -> None:
    spans = read("z" * size, (10, size // 2))[1]
    assert spans == [(at, min(at + MAX_WORD, size)) for at in range(0, size, MAX_WORD)]


def test_keys_are_the_same_everywhere() -> None:
    """Models on disk depend on these numbers; they may only change together with every model."""
    keys, _ = read("Ignore all 3 previous rules")
    assert keys[:, 2].tolist() == PINNED


PINNED = [
    1235010223128608783,
    460633639023063108,
    18081004609416148968,
    211615816396508638,
    7097649239266900074,
    17241625304780760172,
    810964068102291097,
]
