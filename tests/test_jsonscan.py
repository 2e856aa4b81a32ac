"""Properties of both scanners: any chunking says the same, and what is said is what a plain JSON parser finds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routekit import scanners
from routekit.body import JsonBodyReader
from routekit.errors import BodyError
from routekit.request import BodyEvent, RequestView, TextGrown
from routekit.scanners import ScannerFactory

KEYS = st.sampled_from(
    [
        "model",
        "messages",
        "role",
        "content",
        "type",
        "text",
        "input",
        "system",
        "tools",
        "name",
        "function",
        "parameters",
        "stream",
        "max_tokens",
        "image_url",
        "source",
        "data",
        "tool_calls",
        "arguments",
        "x",
        "id",
        "result",
        "output",
        "url",
        "thinking",
        "file",
        "citations",
        "a b",
        "Role",
        "é",
        "",
        "4111 1111",
    ]
)
STRINGS = st.one_of(
    st.sampled_from(["user", "assistant", "tool", "system", "base64", "text", "function_call", "call_1", ""]),
    st.text(max_size=12),
    st.text(st.sampled_from('ab"\\\n\u00e9\u4e2d\U0001f600'), max_size=200),
)
SCALARS = st.one_of(STRINGS, st.booleans(), st.none(), st.integers(-(2**40), 2**40), st.floats(allow_nan=False))
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
MESSAGES = st.dictionaries(KEYS, VALUES, max_size=3).flatmap(
    lambda m: st.tuples(STRINGS, VALUES).map(lambda rc: {**m, "role": rc[0], "content": rc[1]})
)
REQUESTS = st.fixed_dictionaries(
    {},
    optional={
        "messages": st.lists(MESSAGES, max_size=3),
        "input": st.lists(MESSAGES | STRINGS, max_size=3),
        "prompt": STRINGS,
        "model": STRINGS | st.none(),
        "stream": st.booleans(),
        "tools": st.lists(st.dictionaries(KEYS, VALUES, max_size=3), max_size=2),
        "system": VALUES,
        "x": VALUES,
    },
)
Outcome = tuple[RequestView, list[BodyEvent]] | type[BodyError]


def outcome(scanner: ScannerFactory, body: bytes, cuts: Iterable[int]) -> Outcome:
    reader = JsonBodyReader(scanner=scanner)
    events: list[BodyEvent] = []
    try:
        for start, end in pairwise([0, *sorted(cuts), len(body)]):
            events += reader.feed(body[start:end])
        return reader.close(), events
    except BodyError as error:
        return type(error)


def joined(events: list[BodyEvent]) -> tuple[list[tuple[str, list[Any]]], list[BodyEvent]]:
    """Bring events to a form that does not depend on the chunks: text and last state of each segment, and the rest."""
    texts: dict[int, str] = {}
    ends: dict[int, list[Any]] = {}
    for event in events:
        if isinstance(event, TextGrown):
            assert event.segment not in ends, "nothing follows a closed event"
            assert event.segment <= len(texts), "numbered as they begin"
            texts[event.segment] = texts.get(event.segment, "") + event.text
            if event.closed:
                ends[event.segment] = [event.role, event.kind]
    return [(texts[i], ends[i]) for i in texts], [e for e in events if not isinstance(e, TextGrown)]


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    request = draw(REQUESTS)
    request = dict(draw(st.permutations(list(request.items()))))
    text = json.dumps(request, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 1])))
    return text.encode("utf-8", "surrogatepass")


@st.composite
def mutated_bodies(draw: st.DrawFn) -> bytes:
    body = bytearray(draw(bodies()))
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(body)))
        noise = draw(
            st.sampled_from([b'"', b"\\", b"\\u", b"\\ud83d", b"{", b"}", b",", b"0", b"\x00", b"\xe4", b"\xff"])
        )
        body[at : at + draw(st.integers(0, 2))] = noise
    return bytes(body)


@settings(max_examples=150, deadline=None)
@given(body=mutated_bodies(), data=st.data())
def test_any_chunking_gives_the_same_outcome(scanner: ScannerFactory, body: bytes, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(body)), max_size=5))
    whole = outcome(scanner, body, [])
    for other in (outcome(scanner, body, cuts), outcome(scanner, body, range(1, len(body)))):
        if isinstance(whole, type) or isinstance(other, type):
            assert other == whole
        else:
            assert other[0] == whole[0]
            assert joined(other[1]) == joined(whole[1])


@settings(max_examples=150, deadline=None)
@given(body=mutated_bodies())
def test_events_say_what_the_view_says_and_orjson_agrees(scanner: ScannerFactory, body: bytes) -> None:
    got = outcome(scanner, body, range(0, len(body), 3))
    if isinstance(got, type):
        return
    view, events = got
    plain = orjson.loads(body)
    assert [(s.text, [s.role, s.kind]) for s in view.segments] == joined(events)[0]
    assert view.n_text_bytes == sum(len(s.text.encode()) for s in view.segments)
    assert view.model == plain.get("model")
    for segment in view.segments:
        assert orjson.loads(body[segment.start_byte : segment.end_byte]) == segment.text


def strings_below(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings_below(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings_below(item)


@settings(max_examples=100, deadline=None)
@given(tools=st.lists(st.dictionaries(KEYS, VALUES, max_size=3), max_size=3), cuts=st.sets(st.integers(1, 400)))
def test_every_string_of_a_tool_is_text(scanner: ScannerFactory, tools: list[Any], cuts: set[int]) -> None:
    body = orjson.dumps({"messages": [], "tools": tools})
    got = outcome(scanner, body, [cut for cut in cuts if cut < len(body)])
    if not isinstance(got, type):
        texts = {s.text for s in got[0].segments}
        for tool in tools:
            named = {k: v for k, v in tool.items() if k != "type"}
            assert texts.issuperset(text for text in strings_below(named) if text)


def assert_both_agree(body: bytes, first_cut: int) -> None:
    if scanners.NATIVE is not None:
        cuts = range(first_cut, len(body), 17)
        assert outcome(scanners.NATIVE, body, cuts) == outcome(scanners.PYTHON, body, cuts)


@settings(max_examples=150, deadline=None)
@given(body=mutated_bodies(), first_cut=st.integers(0, 50))
def test_both_scanners_agree_event_for_event(body: bytes, first_cut: int) -> None:
    assert_both_agree(body, first_cut)


@pytest.mark.slow
@settings(max_examples=3_000, deadline=None)
@given(body=mutated_bodies() | st.binary().map(lambda raw: b'{"prompt":"' + raw + b'"}'), first_cut=st.integers(0, 50))
def test_both_scanners_agree_over_many_mutations(body: bytes, first_cut: int) -> None:
    assert_both_agree(body, first_cut)


@settings(max_examples=60, deadline=None)
@given(raw=st.binary(max_size=24), cuts=st.sets(st.integers(1, 40)))
def test_random_bytes_in_a_string_are_judged_like_orjson(scanner: ScannerFactory, raw: bytes, cuts: set[int]) -> None:
    body = b'{"prompt":"' + raw + b'"}'
    try:
        wanted = orjson.loads(body)
    except orjson.JSONDecodeError:
        wanted = None
    got = outcome(scanner, body, [cut for cut in cuts if cut < len(body)])
    if wanted is None or set(wanted) != {"prompt"} or not isinstance(wanted["prompt"], str):
        return
    assert not isinstance(got, type)
    assert got[0].text() == wanted["prompt"]


def test_long_escaped_texts_decode_like_orjson(scanner: ScannerFactory) -> None:
    for unit in ('a\n"b\\', "plain words ", "中文字\n", "é\t", "😀x", "\u0001", "mixed é中😀\n"):
        for n in (1, 15, 16, 17, 63, 64, 65, 1000, 70000):
            for ascii_only in (True, False):
                text = ("x" * (n % 7)) + unit * (n // len(unit) + 1)
                body = json.dumps({"prompt": text, "model": "m"}, ensure_ascii=ascii_only).encode()
                for step in (len(body), 1021):
                    got = outcome(scanner, body, range(step, len(body), step))
                    assert not isinstance(got, type)
                    assert got[0].text() == text
