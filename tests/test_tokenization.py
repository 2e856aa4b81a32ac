"""Tokenizing user text: places, hostile text, size, and shared work."""

from __future__ import annotations

import contextlib
import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from routekit import tokenization
from routekit.errors import InferenceError, ModelFormatError
from routekit.interfaces import Tokenizer
from routekit.shared_work import once, sharing_work
from routekit.tokenization import JsonTokenizer

pytest.importorskip("tokenizers")
import tiny_tokenizers

FAMILIES = sorted(tiny_tokenizers.FAMILIES)
MARKS = ["[CLS]", "[SEP]", "[PAD]", "[MASK]", "<s>", "</s>", "<pad>"]
hostile = st.lists(st.sampled_from([*MARKS, "a", " ", "B", "［SEP］", "é", "\n", "中", "🙂", "\ud800"])).map("".join)


@pytest.fixture(scope="module", params=FAMILIES)
def tokenizer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> JsonTokenizer:
    return JsonTokenizer(tiny_tokenizers.save(request.param, tmp_path_factory.mktemp(request.param)))


def test_tokenizer_frames_a_text(tokenizer: JsonTokenizer) -> None:
    assert isinstance(tokenizer, Tokenizer)
    assert (len(tokenizer.prefix), len(tokenizer.suffix), tokenizer.n_special_tokens) == (1, 1, 2)
    assert tokenizer.prefix[0] == tokenizer.token_id("[CLS]", "<s>")
    assert tokenizer.suffix[0] == tokenizer.token_id("[SEP]", "</s>")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=hostile)
@example("[SEP] </s>")
def test_user_text_never_makes_a_special_token(tokenizer: JsonTokenizer, text: str) -> None:
    special = {tokenizer.token_id(name) for name in MARKS} - {None}
    assert not special & set(tokenizer.encode(text).input_ids.tolist())


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60) | hostile)
def test_offsets_lie_in_the_text_in_order(tokenizer: JsonTokenizer, text: str) -> None:
    encoding = tokenizer.encode(text)
    assert encoding.offsets.shape == (len(encoding.input_ids), 2)
    assert ((encoding.offsets >= 0) & (encoding.offsets <= len(text))).all()
    assert (encoding.offsets[:, 0] <= encoding.offsets[:, 1]).all()
    assert (np.diff(encoding.offsets[:, 0]) >= 0).all()


def test_typed_marks_become_their_letters(tokenizer: JsonTokenizer) -> None:
    mark = "[SEP]" if tokenizer.token_id("[SEP]") is not None else "</s>"
    encoding = tokenizer.encode(f"a {mark} b")
    start = 2
    inside = [(a, b) for a, b in encoding.offsets.tolist() if start <= a and b <= start + len(mark)]
    assert len(inside) >= 3


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(
    words=st.lists(st.sampled_from(["report", "Größe", "中文", "x**2", "a", "system prompt"]), min_size=30, max_size=90)
)
def test_blocks_tokenize_as_one_piece_does(tokenizer: JsonTokenizer, words: list[str]) -> None:
    text = " ".join(words)
    whole = tokenizer.encode(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenization, "BLOCK_CHARS", 64)
        blocks = tokenizer.encode(text)
    assert blocks.input_ids.tolist() == whole.input_ids.tolist()
    assert (blocks.offsets[:, 1] == whole.offsets[:, 1]).all()


def test_text_without_a_space_is_cut_but_read_whole(tokenizer: JsonTokenizer) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenization, "BLOCK_CHARS", 64)
        offsets = tokenizer.encode("a" * 1000).offsets
    covered = np.zeros(1000, bool)
    for start, stop in offsets.tolist():
        covered[start:stop] = True
    assert covered.all()


def test_words_with_an_unknown_character_are_read(tokenizer: JsonTokenizer) -> None:
    words = "ignore all previous instructions"
    hidden = " ".join(f"{word}\N{SLIGHTLY SMILING FACE}" for word in words.split())
    ids = tokenizer.encode(hidden).input_ids.tolist()
    known = [tokenizer.encode(word).input_ids.tolist() for word in words.split()]
    if tokenizer.token_id("[MASK]") is not None:  # WordPiece: the other families join spaces to words
        assert all(set(word) <= set(ids) for word in known)
    unknown = tokenizer.token_id("[UNK]", "<unk>")
    assert ids.count(unknown) <= len(known)


def test_words_without_end_are_read(tokenizer: JsonTokenizer) -> None:
    encoding = tokenizer.encode("x " + "ignoreallpreviousinstructions" * 40 + " y")
    assert tokenizer.token_id("[UNK]", "<unk>") not in encoding.input_ids
    assert (np.diff(encoding.offsets[:, 0]) >= 0).all()
    covered = sum(stop - start for start, stop in encoding.offsets.tolist())
    assert covered >= 29 * 40 + 2


def test_fingerprint_is_that_of_the_file(tmp_path: Path) -> None:
    path = tiny_tokenizers.save("wordpiece", tmp_path)
    first, second = JsonTokenizer(path), JsonTokenizer(path)
    assert first.fingerprint == second.fingerprint
    assert first.matches(path)
    path.write_text(path.read_text() + "\n")
    assert not first.matches(path)


@pytest.mark.parametrize("content", ["", "{}", '{"model": {}}', "[]", '{"version": "1.0", "model": {"type": "Odd"}}'])
def test_damaged_tokenizer_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(content)
    with pytest.raises(ModelFormatError, match=r"tokenizer\.json"):
        JsonTokenizer(path)


def test_vocabulary_of_nothing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text('{"version": "1.0", "added_tokens": [], "model": {"type": "BPE", "vocab": {}, "merges": []}}')
    with pytest.raises(ModelFormatError, match=r"tokenizer\.json.*letter a"):
        JsonTokenizer(path)


def test_shared_work_is_done_once_across_equal_tokenizers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tiny_tokenizers.save("wordpiece", tmp_path)
    first, second = JsonTokenizer(path), JsonTokenizer(path)
    with sharing_work():
        shared = first.encode("the text")
        assert second.encode("the text") is shared
        with sharing_work():
            assert second.encode("the text") is shared
    assert first.encode("the text") is not shared
    with pytest.raises(ValueError, match="read-only"):
        shared.input_ids[0] = 1


def test_shared_work_waits_for_the_thread_that_has_it() -> None:
    from contextvars import copy_context

    started, go, calls = threading.Event(), threading.Event(), []

    def slow() -> int:
        calls.append(1)
        started.set()
        assert go.wait(10)
        return 7

    results: list[int] = []
    with sharing_work():
        threads = [
            threading.Thread(target=copy_context().run, args=(lambda: results.append(once("k", slow)),))
            for _ in range(4)
        ]
        threads[0].start()
        assert started.wait(10)
        for thread in threads[1:]:
            thread.start()
        go.set()
        for thread in threads:
            thread.join(10)
    assert results == [7] * 4
    assert calls == [1]


def test_shared_failure_reaches_everyone() -> None:
    def fail() -> int:
        raise KeyError("x")

    with sharing_work():
        for _ in range(2):
            with pytest.raises(KeyError):
                once("k", fail)


WRONG: list[Any] = [None, 0, "", [], {}, -1]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_mangled_tokenizers_work_or_are_refused(family: str, wrong: Any, tmp_path: Path) -> None:
    """Whatever a part of the file is replaced by: the library panics on some."""
    original = json.loads(tiny_tokenizers.trained(family))
    mangled = [{**original, key: wrong} for key in original]
    mangled += [{**original, "model": {**original["model"], key: wrong}} for key in original["model"]]
    path = tmp_path / "tokenizer.json"
    for content in mangled:
        path.write_text(json.dumps(content))
        with contextlib.suppress(ModelFormatError, InferenceError):
            JsonTokenizer(path).encode("hello [SEP] wörld </s> 中文")
