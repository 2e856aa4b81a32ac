"""What is forwarded: the received bytes, with other values where asked and no other byte changed."""

from __future__ import annotations

import json
from itertools import pairwise

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routekit.body import JsonBodyReader
from routekit.errors import UsageError
from routekit.kept_bytes import KeptBytes
from routekit.scanners import ScannerFactory

TEXTS = st.text(max_size=20) | st.text(st.sampled_from('a"\\\n中😀'), max_size=40)


def closed_reader(scanner: ScannerFactory, *chunks: bytes) -> JsonBodyReader:
    reader = JsonBodyReader(scanner=scanner)
    for chunk in chunks:
        reader.feed(chunk)
    reader.close()
    return reader


@settings(max_examples=100, deadline=None)
@given(data=st.data(), model=TEXTS, other=TEXTS, indent=st.sampled_from([None, 2]), blanks=st.sampled_from([0, 9000]))
def test_a_rewrite_changes_the_model_value_and_no_other_byte(
    scanner: ScannerFactory, data: st.DataObject, model: str, other: str, indent: int | None, blanks: int
) -> None:
    keys = data.draw(st.permutations(["model", "messages", "x"]))
    values = {"model": model, "messages": [{"role": "user", "content": "hi"}], "x": {"model": "inner"}}
    text = json.dumps({key: values[key] for key in keys}, indent=indent, ensure_ascii=data.draw(st.booleans()))
    body = text.encode() + b" " * blanks
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=4)))
    reader = closed_reader(scanner, *(body[a:b] for a, b in pairwise([0, *cuts, len(body)])))
    value = json.dumps(model, ensure_ascii="\\u" in text).encode()
    before, _, after = body.partition(b'"model":' + b" " * (b'"model": ' in body) + value)
    if b'"model"' in before:  # the inner one comes first
        return
    out = b"".join(reader.rewrite(model=other))
    assert orjson.loads(out) == {**values, "model": other}
    assert out.startswith(before)
    assert out.endswith(after)
    assert b"".join(reader.rewrite()) == body


@pytest.mark.parametrize(
    ("body", "rewritten"),
    [
        (b'{"prompt":"x"}', b'{"model":"m","prompt":"x"}'),
        (b' \n{ "prompt":"x"}', b' \n{"model":"m", "prompt":"x"}'),
        (b'{"model":null,"prompt":"x"}', b'{"model":"m","prompt":"x"}'),
        (b'{"prompt":"x","mod\\u0065l" : "old" }', b'{"prompt":"x","mod\\u0065l" : "m" }'),
        (b'{"x":{"model":"in"},"prompt":"x"}', b'{"model":"m","x":{"model":"in"},"prompt":"x"}'),
    ],
)
def test_the_model_is_put_where_parsers_look_for_it(scanner: ScannerFactory, body: bytes, rewritten: bytes) -> None:
    for chunks in ([body], [body[i : i + 1] for i in range(len(body))]):
        assert b"".join(closed_reader(scanner, *chunks).rewrite(model="m")) == rewritten


def test_texts_are_replaced_whole_and_escaped(scanner: ScannerFactory) -> None:
    body = b'{"messages":[{"role":"user","content":"card 4111"},{"role":"user","content":["a","b"]}],"model":"m"}'
    reader = closed_reader(scanner, body)
    out = b"".join(reader.rewrite(texts={2: 'b"\n', 0: "card ***"}, model="n"))
    assert out == body.replace(b"4111", b"***").replace(b'"b"', b'"b\\"\\n"').replace(b'"m"', b'"n"')


def test_keys_that_are_text_can_be_replaced(scanner: ScannerFactory) -> None:
    body = b'{"messages":[],"tools":[{"name":"f","parameters":{"4111 1111":1}}]}'
    reader = closed_reader(scanner, body)
    index = [s.text for s in reader.close().segments].index("4111 1111")
    assert b"".join(reader.rewrite(texts={index: "***"})) == body.replace(b"4111 1111", b"***")


@pytest.mark.parametrize("texts", [{1: "x"}, {-1: "x"}, {0: "\ud800"}, {0: 3}])
def test_replacements_that_cannot_be_made_are_usage_errors(scanner: ScannerFactory, texts: dict[int, str]) -> None:
    reader = closed_reader(scanner, b'{"prompt":"x"}')
    with pytest.raises(UsageError):
        reader.rewrite(texts=texts)
    with pytest.raises(UsageError):
        reader.rewrite(model="\udfff")


@given(
    sizes=st.lists(st.integers(0, 6000), max_size=150),
    places=st.lists(st.tuples(st.integers(0, 2**20), st.integers(0, 50), st.binary(max_size=3)), max_size=5),
)
@settings(max_examples=60, deadline=None)
def test_kept_bytes_splice_like_bytes(sizes: list[int], places: list[tuple[int, int, bytes]]) -> None:
    kept = KeptBytes()
    for i, size in enumerate(sizes):
        kept.keep(bytes([i % 256]) * size)
    whole = b"".join(bytes([i % 256]) * size for i, size in enumerate(sizes))
    patches: list[tuple[int, int, bytes]] = []
    at = 0
    for start, length, new in sorted((start % (len(whole) + 1), length, new) for start, length, new in places):
        if start >= at:
            at = min(start + length, len(whole))
            patches.append((start, at, new))
    wanted = bytearray(whole)
    for start, end, new in reversed(patches):
        wanted[start:end] = new
    views = kept.splice(patches)
    assert b"".join(views) == wanted
    assert b"".join(kept.splice([])) == whole
    assert all(view.readonly for view in views)
