"""Valid means valid for orjson, whatever the chunks; with the key rules on top."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routekit.body import JsonBodyReader
from routekit.errors import BodyError, BodyTooLarge, MalformedBody, UnsupportedBody
from routekit.request import RequestView
from routekit.request_grammar import SINGLE_KEYS
from routekit.scanners import ScannerFactory

PREFIX = b'{"model":"auto","messages":[{"role":"user","content":"hi"}],"x":'


def read(scanner: ScannerFactory, body: bytes, cuts: Iterable[int] = ()) -> RequestView:
    reader = JsonBodyReader(scanner=scanner)
    for start, end in pairwise([0, *sorted(cuts), len(body)]):
        reader.feed(body[start:end])
    return reader.close()


def accepts(scanner: ScannerFactory, body: bytes, cuts: Iterable[int] = ()) -> bool:
    try:
        read(scanner, body, cuts)
    except BodyError:
        return False
    return True


def orjson_accepts(body: bytes) -> bool:
    try:
        orjson.loads(body)
    except orjson.JSONDecodeError:
        return False
    return True


def test_the_json_suite_is_judged_like_orjson_whole_and_byte_by_byte(shared: Path, scanner: ScannerFactory) -> None:
    cases = sorted((shared / "cases" / "json").glob("*.json"))
    assert len(cases) > 200
    for case in cases:
        body = PREFIX + case.read_bytes() + b"}"
        wanted = orjson_accepts(body)
        assert accepts(scanner, body) == wanted, case.name
        if len(body) < 3000:
            assert accepts(scanner, body, range(len(body))) == wanted, case.name


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_json_suite_is_judged_like_orjson_at_random_cuts(
    shared: Path, scanner: ScannerFactory, data: st.DataObject
) -> None:
    cases = sorted((shared / "cases" / "json").glob("*.json"))
    body = PREFIX + data.draw(st.sampled_from(cases)).read_bytes() + b"}"
    cuts = data.draw(st.lists(st.integers(0, len(body)), max_size=6))
    assert accepts(scanner, body, cuts) == orjson_accepts(body)


VALUES = [
    "1e308", "1.7976931348623158e308", "1.7976931348623159e308", "-1e999", "1" * 308, "1" * 309, "2" * 309, "0e999",
    "1e-99999999999", "-0", "-", "1.", ".5", "01", "1e", "1e+", "1E+2", "+1", "0x1", "NaN", "-Infinity", "1_0",
    "1" + "0" * 400 + "e-400", "0." + "0" * 400 + "1e500", "18446744073709551616", "1-2", "1ee2", "--1",
    r'"\ud83d\ude00"', r'"\ud83d"', r'"\ude00"', r'"\ud83d\u0041"', r'"\ud83d\ud83d"', r'"\ud83d\n"', r'"\u00e"',
    r'"\U0041"', r'"\x"', r'"\v"', r'"\/\b\f\n\r\t\"\\"', r'"\u0000"',
    r'"\\u12"', r'"\\\u12"', '"\\', r'"\\"', r'"\\\"',
    "tru", "truee", "nul", "nulll", "falsE", "True", "[1,]", "[,1]", "[1 2]", "[]]", "{]", '{"a":1,}', '{"a" 1}',
    '{"a"}', "{,}", "{1:2}", "'a'", "[\x0b]", "[\x0c1]", '"\x7f"', '"\x1f"', '"\t"', "/**/1", "", " ", "1}{",
]  # fmt: skip
RAW = [
    b'"\xc0\x80"', b'"\xc1\xbf"', b'"\xc2\x80"', b'"\xc2"', b'"\xe0\x9f\xbf"', b'"\xe0\xa0\x80"', b'"\xed\x9f\xbf"',
    b'"\xed\xa0\x80"', b'"\xee\x80\x80"', b'"\xef\xbf\xbf"', b'"\xf0\x8f\xbf\xbf"', b'"\xf0\x90\x80\x80"',
    b'"\xf4\x8f\xbf\xbf"', b'"\xf4\x90\x80\x80"', b'"\xf5\x80\x80\x80"', b'"\xff"', b'"\x80"', b'"\xe4\xb8"',
    b'"\xe4\xb8\\n"', b'"\xf0\x9f\x98"', b'{"\xff":1}', b'{"\\ud800":1}', b"\xef\xbb\xbf1", b"1\x00", b"\x00",
]  # fmt: skip


@pytest.mark.parametrize("case", [*map(str.encode, VALUES), *RAW], ids=repr)
def test_edges_are_judged_like_orjson(scanner: ScannerFactory, case: bytes) -> None:
    for body in (PREFIX + case + b"}", b'{"prompt":' + case + b',"x":1}'):
        wanted = orjson_accepts(body) and (body.startswith(PREFIX) or case[:1] == b'"')
        assert accepts(scanner, body) == wanted
        assert accepts(scanner, body, range(len(body))) == wanted


@pytest.mark.parametrize("depth", [1022, 1023, 1024])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]")])
def test_depth_ends_where_orjson_ends(scanner: ScannerFactory, depth: int, opening: bytes, closing: bytes) -> None:
    per_level = opening.count(b"[") + opening.count(b"{")
    n = depth // per_level
    inner = opening * n + b"1" + closing * n
    if depth % per_level:
        inner = b"[" + inner + b"]"
    body = PREFIX + inner + b"}"
    assert accepts(scanner, body) == orjson_accepts(body)
    if depth == 1024:
        with pytest.raises(BodyTooLarge, match="max_depth"):
            read(scanner, body)


@pytest.mark.parametrize(
    "body",
    [
        b"", b" ", b"\xef\xbb\xbf{}", b"{", b"null", b"true", b"12", b'"x"', b"[]", b"{}", b'{"model":"m"}', b"nul",
        PREFIX + b"1}x", PREFIX + b"1}{}", PREFIX + b"1}\x00", PREFIX + b"1} \n\t\r\x0b", b'{"messages":null}',
        b'{"messages":"hi"}', b'{"messages":{}}', b'{"messages":["hi"]}', b'{"messages":[[]]}', b'{"input":{}}',
        b'{"messages":[],"model":1}', b'{"messages":[],"stream":1}', b'{"messages":[],"stream":"true"}',
        b'{"messages":[{"role":1}]}', b'{"messages":[{"role":["user"]}]}', b'{"messages":[],"tools":{}}',
    ],
)  # fmt: skip
def test_what_is_no_request_is_malformed(scanner: ScannerFactory, body: bytes) -> None:
    for cuts in ((), range(len(body))):
        with pytest.raises(MalformedBody) as caught:
            read(scanner, body, cuts)
        assert caught.value.status_hint == 400


def test_white_space_may_surround_everything(scanner: ScannerFactory) -> None:
    body = json.dumps(orjson.loads(PREFIX + b'[1,{"a":null}]}'), indent=3).replace(":", " \r\n\t:").encode()
    assert read(scanner, b" \n" + body + b"\r\n \t").text() == "hi"


@pytest.mark.parametrize("key", SINGLE_KEYS)
def test_a_repeated_key_is_refused_at_any_depth(scanner: ScannerFactory, key: str) -> None:
    escaped = "".join(f"\\u{ord(c):04x}" for c in key)
    for pair in (f'"{key}":null,"{key}":null', f'"{key}":null,"a":[{{}}],"{escaped}":null'):
        for body in (f'{{"x":[{{"y":{{{pair}}}}}],"messages":[]}}', f'{{"messages":[{{"content":[{{{pair}}}]}}]}}'):
            with pytest.raises(MalformedBody, match="repeats"):
                read(scanner, body.encode())


@pytest.mark.parametrize(
    "key", ["Model", "MODEL", "meſſages", "max_toKens", "Max_Tokens", "Stream", "ROLE", "conTent", "promPt"]
)
def test_a_case_variant_at_top_level_is_refused(scanner: ScannerFactory, key: str) -> None:
    for spelled in (json.dumps(key), json.dumps(key, ensure_ascii=False)):
        body = b'{"messages":[],%s:null}' % spelled.encode()
        for cuts in ((), range(len(body))):
            with pytest.raises(MalformedBody, match="letter case"):
                read(scanner, body, cuts)


def test_the_same_key_in_different_objects_is_no_repetition(scanner: ScannerFactory) -> None:
    schema = {"type": "object", "properties": {"type": {"type": "string"}, "Model": {}, "content": {"type": "string"}}}
    request = {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}, {"role": "user", "content": "b"}],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": schema}}],
        "x": {"a": 1, "Role": 2, "role": 3},
    }
    assert read(scanner, orjson.dumps(request)).text("user") == "a\nb"
    assert accepts(scanner, b'{"messages":[],"x":1,"x":2}')


@pytest.mark.parametrize("value", ["1", "5", str(2**63), "null"])
def test_caps_on_output_tokens_are_read(scanner: ScannerFactory, value: str) -> None:
    for key in ("max_tokens", "max_completion_tokens", "max_output_tokens"):
        body = f'{{"messages":[],"{key}":{value}}}'.encode()
        wanted = None if value == "null" else int(value)
        assert read(scanner, body, range(len(body))).max_output_tokens == wanted


@pytest.mark.parametrize("value", ["0", "-1", "-0", "1.0", "1e3", "true", '"5"', "[]", "{}", str(2**63 + 1), "9" * 99])
def test_caps_on_output_tokens_that_are_no_positive_integer_are_malformed(scanner: ScannerFactory, value: str) -> None:
    with pytest.raises(MalformedBody):
        read(scanner, f'{{"messages":[],"max_tokens":{value}}}'.encode())


def test_of_several_caps_the_largest_counts(scanner: ScannerFactory) -> None:
    assert read(scanner, b'{"messages":[],"max_tokens":9,"max_completion_tokens":7}').max_output_tokens == 9


BY_KIND = {"a string": '"x"', "a number": "3", "true or false": "true", "an array": "[]", "an object": "{}"}


@pytest.mark.parametrize("key", ["model", "stream", "max_tokens", "messages", "tools", "input", "prompt", "suffix"])
@pytest.mark.parametrize("kind", BY_KIND)
def test_value_of_a_wrong_type_is_refused_by_what_is_allowed(scanner: ScannerFactory, key: str, kind: str) -> None:
    body = f'{{"{key}":{BY_KIND[kind]}'.encode() + (
        b"}" if key in ("messages", "input", "prompt") else b',"messages":[]}'
    )
    try:
        read(scanner, body)
    except MalformedBody as error:
        allowed = str(error).partition("; allowed: ")[2]
        assert allowed, "the message says what is allowed"
        assert kind not in allowed, f"{kind} is refused, though the message allows it"
    else:
        assert kind in str(_refusal(scanner, key)) or kind == "an object", "what passes is what the message allows"


def _refusal(scanner: ScannerFactory, key: str) -> BodyError:
    """The error for a value that this key cannot have."""
    wrong = "[3]" if key == "messages" else "true" if key != "stream" else "3"
    with pytest.raises(MalformedBody, match="allowed") as caught:
        read(scanner, f'{{"{key}":{wrong},"messages":[]}}'.encode())
    return caught.value


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"hello", "byte 0 is a letter, which JSON does not allow there; allowed: an opening brace"),
        (b"{model: 1}", "byte 1 is a letter, .*; allowed: a key in double quotes or a closing brace"),
        (b'{"a":1,}', "byte 7 is a closing brace, .*; allowed: a key in double quotes$"),
        (b"{'a':1}", "byte 1 is a single quote, "),
        (b'{"a" 1}', "byte 5 is a digit, .*; allowed: a colon"),
        (b'{"a":)}', "byte 5 is a punctuation mark, .*; allowed: a string in double quotes, a number"),
        (b'{"a":[\xff]}', "byte 6 is a byte beyond ASCII, .*; allowed: a value or a closing bracket"),
        (b'{"a":1\x00}', "byte 6 is a control character, .*; allowed: a comma or a closing brace"),
        (b'{"a":[1 "b"]}', "byte 8 is a double quote, .*; allowed: a comma or a closing bracket"),
        (b'{"a":nul}', "byte 5 starts a word that JSON does not have; allowed: true, false or null"),
        (b'{"a":truex}', "byte 9 is a letter, .*; allowed: a comma or a closing brace"),
        (b" \n\t ", "the body is 4 bytes of white space and nothing else; send a JSON object"),
        (b'{"model":3}', "the value at byte 9 is a number, which 'model' cannot be; allowed: a string"),
        (b'{"model":[]}', "is an array, which 'model' cannot be"),
        (b'{"model":{}}', "is an object, which 'model' cannot be"),
        (b'{"model":true}', "is true or false, which 'model' cannot be"),
        (b'{"messages":"x"}', "is a string, which 'messages' cannot be; allowed: an array of objects"),
        (b'{"messages":["x"]}', "is a string, which an array element cannot be; allowed: an object in messages"),
    ],
)
def test_refusal_says_what_was_found_and_what_is_allowed(scanner: ScannerFactory, body: bytes, message: str) -> None:
    for cuts in ((), range(len(body))):
        with pytest.raises(MalformedBody, match=message):
            read(scanner, body, cuts)


def test_gzip_is_told_from_malformed_json(scanner: ScannerFactory) -> None:
    for body in (gzip.compress(b'{"messages":[]}'), b"\x1f"):
        with pytest.raises(UnsupportedBody, match="decompress it first"):
            read(scanner, body)
