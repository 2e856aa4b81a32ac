"""The text of a scope comes in blocks that do not depend on the chunks."""

from __future__ import annotations

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from routekit.body import JsonBodyReader
from routekit.request import Scope, TextGrown
from routekit.scope_text import BLOCK_CHARACTERS, ScopeText, blocks_of
from routekit.testing import chunked

TEXTS = st.sampled_from(["", "a", "\n", "é😀", "b" * 255, "c" * 256, "d" * 4095, "e" * 4096, "f" * 9000])


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    said = []
    for _ in range(draw(st.integers(0, 4))):
        role = draw(st.sampled_from(["system", "user", "assistant", "tool"]))
        parts = [{"type": "text", "text": draw(TEXTS)} for _ in range(draw(st.integers(1, 3)))]
        content = parts if draw(st.booleans()) else draw(TEXTS)
        said.append({"role": role, "content": content} if draw(st.booleans()) else {"content": content, "role": role})
    keys: list[tuple[str, object]] = [("messages", said), ("model", "auto"), ("system", draw(TEXTS))]
    return orjson.dumps(dict(draw(st.permutations(keys[: draw(st.integers(1, 2))]))))


@settings(max_examples=150, deadline=None)
@given(
    bodies(), st.lists(st.integers(1, 5000), min_size=1, max_size=4), st.sampled_from(["all", "user", "user_and_tools"])
)
def test_blocks_are_those_of_the_whole_request(body: bytes, sizes: list[int], scope: Scope) -> None:
    reader, text = JsonBodyReader("openai-chat"), ScopeText(scope)
    for chunk in chunked(body, sizes):
        for event in reader.feed(chunk):
            if isinstance(event, TextGrown):
                text.push(event)
    view = reader.close()
    expected = blocks_of(view.select(scope))
    assert "".join(expected) == view.text(scope)
    assert text.blocks == expected[: len(text.blocks)]
    assert len(expected) - len(text.blocks) <= 1, "only the rest that is too short to be a block is held back"


def test_text_of_an_unknown_role_waits_and_what_follows_waits_too() -> None:
    text = ScopeText("user")
    text.push(TextGrown(0, None, None, "x" * 300, False))
    text.push(TextGrown(1, "user", "text", "y" * 300, True))
    assert text.blocks == []
    text.push(TextGrown(0, "assistant", "text", "", True))
    assert text.blocks == ["y" * 300]


def test_scope_of_all_does_not_wait_for_the_role() -> None:
    text = ScopeText("all")
    text.push(TextGrown(0, None, None, "x" * 5000, False))
    assert text.blocks == ["x" * BLOCK_CHARACTERS]
    text.push(TextGrown(1, None, None, "y" * 300, False))
    text.push(TextGrown(0, "user", "text", "", True))
    assert text.blocks[1:] == ["x" * (5000 - BLOCK_CHARACTERS)]
