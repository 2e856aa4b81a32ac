"""The reader's contract: events as soon as the bytes allow, typed errors, limits, any bytes-like chunk."""

from __future__ import annotations

import array
import gc
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.body import JsonBodyReader, read_request
from routekit.errors import (
    BodyError,
    BodyTimeout,
    BodyTooLarge,
    ConfigError,
    MalformedBody,
    RoutekitError,
    UnsupportedBody,
    UsageError,
)
from routekit.request import BodyComplete, BodyEvent, ModelFound, StreamFound, TextGrown
from routekit.scanners import ScannerFactory

BODY = b'{"model":"auto","stream":true,"messages":[{"role":"user","content":"Hello"}]}'


def _events(scanner: ScannerFactory, *chunks: bytes) -> list[tuple[BodyEvent, ...]]:
    reader = JsonBodyReader(scanner=scanner)
    return [reader.feed(chunk) for chunk in chunks]


def test_events_come_in_the_order_of_the_bytes(scanner: ScannerFactory) -> None:
    assert _events(scanner, BODY) == [
        (ModelFound("auto"), StreamFound(True), TextGrown(0, "user", "text", "Hello", True), BodyComplete())
    ]


def test_text_grows_inside_an_open_string_by_whole_characters(scanner: ScannerFactory) -> None:
    start = b'{"messages":[{"role":"user","content":"a'
    pieces = ["中".encode()[:1], "中".encode()[1:], b"\\", b"n\\ud83", b"d\\ude00z", b'"']
    grown = [(e.text, e.closed) for es in _events(scanner, start, *pieces) for e in es if isinstance(e, TextGrown)]
    assert grown == [("a", False), ("中", False), ("\n", False), ("😀z", False), ("", True)]


def test_text_before_its_role_is_closed_once_the_role_is_known(scanner: ScannerFactory) -> None:
    events = _events(scanner, b'{"messages":[{"content":"hi"', b',"role":"tool"', b"}]}")
    assert events[0] == (TextGrown(0, None, None, "hi", False),)
    assert events[1] == (TextGrown(0, "tool", "tool_result", "", True),)


def test_text_without_a_role_is_closed_with_its_message(scanner: ScannerFactory) -> None:
    events = _events(scanner, b'{"messages":[{"content":["hi","there"]', b"}", b"]}")
    assert [e.closed for e in events[0] if isinstance(e, TextGrown)] == [False, False]
    assert events[1] == (TextGrown(0, "user", "text", "", True), TextGrown(1, "user", "text", "", True))


def test_empty_strings_are_no_segments(scanner: ScannerFactory) -> None:
    reader = JsonBodyReader(scanner=scanner)
    reader.feed(b'{"messages":[{"role":"user","content":""},{"role":"user","content":"x"}]}')
    assert [(s.text, s.turn) for s in reader.close().segments] == [("x", 1)]


def test_byte_ranges_hold_the_string_with_its_quotes(scanner: ScannerFactory) -> None:
    reader = JsonBodyReader(scanner=scanner)
    reader.feed(BODY)
    (segment,) = reader.close().segments
    assert BODY[segment.start_byte : segment.end_byte] == b'"Hello"'


@pytest.mark.parametrize(
    "wrap",
    [
        bytes,
        bytearray,
        memoryview,
        lambda b: memoryview(bytearray(b)),
        lambda b: np.frombuffer(b, np.uint8),
        lambda b: memoryview(array.array("B", b)),
        lambda b: memoryview(np.repeat(np.frombuffer(b, np.uint8), 2).data)[::2],
        lambda b: memoryview(b).cast("c"),
    ],
)
def test_any_bytes_like_chunk_is_read(scanner: ScannerFactory, wrap: Callable[[bytes], memoryview]) -> None:
    reader = JsonBodyReader(scanner=scanner)
    for start in range(0, len(BODY), 7):
        reader.feed(wrap(BODY[start : start + 7]))
    reader.feed(wrap(b""))
    assert reader.close().text() == "Hello"
    assert b"".join(reader.rewrite()) == BODY


def test_wider_items_count_as_their_bytes(scanner: ScannerFactory) -> None:
    padded = BODY + b" " * (-len(BODY) % 4)
    reader = JsonBodyReader(scanner=scanner)
    reader.feed(memoryview(padded).cast("I"))
    reader.close()
    assert b"".join(reader.rewrite()) == padded


@pytest.mark.parametrize("n_padding", [0, 5000])
def test_chunks_may_change_after_they_were_fed(scanner: ScannerFactory, n_padding: int) -> None:
    chunk = bytearray(BODY + b" " * n_padding)
    reader = JsonBodyReader(scanner=scanner)
    reader.feed(chunk)
    chunk[:] = bytes(len(chunk))
    chunk.clear()
    assert reader.close().text() == "Hello"
    assert b"".join(reader.rewrite()).rstrip() == BODY


def test_views_over_immutable_bytes_may_be_released(scanner: ScannerFactory) -> None:
    view = memoryview(BODY + b" " * 5000)
    reader = JsonBodyReader(scanner=scanner)
    reader.feed(view)
    view.release()
    reader.close()
    assert b"".join(reader.rewrite()).rstrip() == BODY


def test_large_immutable_chunks_are_kept_by_reference(scanner: ScannerFactory) -> None:
    chunk = BODY + b" " * 5000
    reader = JsonBodyReader(scanner=scanner)
    reader.feed(chunk)
    reader.close()
    assert [view.obj is chunk for view in reader.rewrite()] == [True]


def _released() -> memoryview:
    view = memoryview(b"{}")
    view.release()
    return view


@pytest.mark.parametrize("chunk", ["{}", None, 3, ["{}"], _released()])
def test_what_is_not_bytes_like_is_a_usage_error_and_no_failure(scanner: ScannerFactory, chunk: object) -> None:
    reader = JsonBodyReader(scanner=scanner)
    with pytest.raises(UsageError):
        reader.feed(chunk)  # type: ignore[arg-type]  # that is what is tested
    reader.feed(BODY)
    assert reader.close().model == "auto"


def test_calls_out_of_order_are_usage_errors(scanner: ScannerFactory) -> None:
    reader = JsonBodyReader(scanner=scanner)
    with pytest.raises(UsageError, match="close"):
        reader.rewrite(model="m")
    reader.feed(BODY)
    with pytest.raises(UsageError, match="close"):
        reader.rewrite(model="m")
    view = reader.close()
    assert reader.close() is view
    with pytest.raises(UsageError, match="close"):
        reader.feed(b"")


@pytest.mark.parametrize("call", [lambda r: r.feed(b" "), lambda r: r.close(), lambda r: r.rewrite(model="m")])
def test_a_failed_reader_stays_failed(scanner: ScannerFactory, call: Callable[[JsonBodyReader], object]) -> None:
    reader = JsonBodyReader(scanner=scanner)
    with pytest.raises(MalformedBody) as first:
        reader.feed(b'{"a":}')
    with pytest.raises(MalformedBody) as again:
        call(reader)
    assert str(again.value) == str(first.value)


def test_failure_at_the_end_stays_too(scanner: ScannerFactory) -> None:
    reader = JsonBodyReader(scanner=scanner)
    reader.feed(BODY[:-1])
    for _ in range(2):
        with pytest.raises(MalformedBody, match="closing brace"):
            reader.close()
    with pytest.raises(MalformedBody):
        reader.feed(b"}")


@pytest.mark.parametrize(
    ("limits", "error"),
    [
        ({"max_bytes": len(BODY) - 1}, BodyTooLarge),
        ({"max_depth": 2}, BodyTooLarge),
        ({"max_segments": 0}, ConfigError),
        ({"max_bytes": 0}, ConfigError),
        ({"max_depth": 0}, ConfigError),
        ({"max_depth": 1025}, ConfigError),
        ({"max_depth": True}, ConfigError),
        ({"max_bytes": 2**70}, ConfigError),
        ({"max_bytes": 1.5}, ConfigError),
        ({"deadline": float("nan")}, ConfigError),
        ({"max_bytes": len(BODY), "max_depth": 3, "max_segments": 1}, None),
    ],
)
def test_limits_hold_to_the_byte(
    scanner: ScannerFactory, limits: dict[str, Any], error: type[RoutekitError] | None
) -> None:
    def read() -> None:
        reader = JsonBodyReader(scanner=scanner, **limits)
        for byte in BODY:
            reader.feed(bytes([byte]))
        reader.close()

    if error is None:
        read()
    else:
        with pytest.raises(error):
            read()


def test_more_segments_than_allowed_are_too_large(scanner: ScannerFactory) -> None:
    reader = JsonBodyReader(max_segments=2, scanner=scanner)
    with pytest.raises(BodyTooLarge, match="max_segments"):
        reader.feed(b'{"prompt":["a","b","c"]}')


def test_the_deadline_is_compared_with_the_callers_clock_only(scanner: ScannerFactory) -> None:
    reader = JsonBodyReader(deadline=10.0, scanner=scanner)
    reader.feed(BODY[:20], now=10.0)
    reader.feed(BODY[20:30])
    with pytest.raises(BodyTimeout) as caught:
        reader.feed(BODY[30:], now=10.5)
    assert caught.value.status_hint == 408
    with pytest.raises(BodyTimeout):
        reader.close()


@pytest.mark.parametrize("body", [BODY, b"{]", BODY[:-1]])
def test_a_finished_reader_is_in_no_reference_cycle(scanner: ScannerFactory, body: bytes) -> None:
    reader = JsonBodyReader(scanner=scanner)
    with suppress(MalformedBody):
        reader.feed(body)
        reader.close()
    dead = weakref.ref(reader)
    gc.disable()
    try:
        del reader
        assert dead() is None
    finally:
        gc.enable()


CANARY = "sk-canary-7f3a"


@pytest.mark.parametrize(
    "body",
    [
        '{"messages":[{"role":"user","content":"%s\\x"}]}',
        '{"messages":[{"role":"user","content":"%s\\ud800"}]}',
        '{"messages":[{"role":"user","content":"%s"}',
        '{"messages":[{"role":"user","content":"%s"}],"x":01}',
        '{"messages":{"%s":1}}',
        '{"x":"%s"}',
    ],
)
def test_errors_carry_no_text_of_the_request(scanner: ScannerFactory, body: str) -> None:
    reader = JsonBodyReader(scanner=scanner)

    def read() -> None:
        for byte in (body % CANARY).encode():
            reader.feed(bytes([byte]))
        reader.close()

    with pytest.raises(BodyError) as caught:
        read()
    seen: BaseException | None = caught.value
    while seen is not None:
        assert CANARY not in str(seen)
        assert CANARY not in repr(seen.__dict__)
        seen = seen.__cause__ or seen.__context__


def test_a_mapping_reads_like_its_json() -> None:
    request = {"model": "m", "messages": [{"role": "user", "content": "é"}], "max_tokens": 5}
    view = read_request(request)
    reader = JsonBodyReader()
    reader.feed(b'{"model":"m","messages":[{"role":"user","content":"\xc3\xa9"}],"max_tokens":5}')
    assert view.text() == reader.close().text()
    assert [(s.start_byte, s.end_byte) for s in view.segments] == [(0, 0)]
    assert read_request(view) is view
    assert read_request(memoryview(b'{"prompt":"x"}')).text() == "x"


@pytest.mark.parametrize("value", [{1, 2}, 2**70, "\ud800", object()])
def test_a_mapping_that_is_no_json_is_a_usage_error(value: object) -> None:
    with pytest.raises(UsageError):
        read_request({"messages": [{"role": "user", "content": value}]})


def test_a_mapping_with_keys_that_are_no_strings_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        read_request({"messages": [], 1: 2})  # type: ignore[dict-item]  # that is what is tested


@given(st.text(max_size=8))
def test_an_unknown_dialect_is_a_config_error(name: str) -> None:
    if name != "auto":
        with pytest.raises(ConfigError, match="allowed"):
            JsonBodyReader(name)


def test_an_ambiguous_body_says_what_to_pass(scanner: ScannerFactory) -> None:
    body = b'{"messages":[],"prompt":"x"}'
    reader = JsonBodyReader(scanner=scanner)
    reader.feed(body)
    with pytest.raises(UnsupportedBody, match="dialect="):
        reader.close()
    told = JsonBodyReader(path="/v1/chat/completions", scanner=scanner)
    told.feed(body)
    assert told.close().dialect == "openai-chat"
