"""A hostile document ends in a PolicyError, soon; a strange one too."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import routekit as rk
from routekit.vllm_sr import translate
from routekit.vllm_sr.document import MAX_BYTES, read_document

pytest.importorskip("yaml", reason="reads YAML: pip install 'routekit[vllm-sr]'")
LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 50))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (LAUGHS, "over 100000 values"),
        ("a: &a [*a]", "names nothing that is complete"),
        ("a: *b", "names nothing"),
        ("a: &a {b: 1}\nc: {<<: *a}", "merges"),
        ("a: 1\na: 2", "stands twice"),
        ("a: {b: 1, 'b': 2}", "stands twice"),
        ("a: !!python/object/apply:os.system [x]", "has the tag"),
        ("a: !!binary aGk=", "has the tag"),
        ("a: !secret x", "has the tag"),
        ("[" * 100_000, "deep|nesting"),
        ("{a: " * 100_000, "deep"),
        ("- " * 100_000, "deep"),
        ("? [x]\n: 1", "key is no text"),
        ("a: 1\n---\nb: 1", "second document"),
        ("a: " + "1:" * 100_000 + "1", "number of"),
        ("a: " + "9" * 100_000, "number of"),
        ("a: [", "not valid YAML"),
        ("a: \x00", "not valid YAML"),
        ("a: '" + "x" * MAX_BYTES + "'", "bytes; allowed"),
        ("5: a\n'5': b", "as a text and as a number"),
        ("a: \ud800", "surrogate"),
        ("router.yaml", "pathlib.Path"),
        ("", "allowed: a mapping"),
        ("- a", "allowed: a mapping"),
    ],
)
def test_document_that_is_hostile_or_strange_is_refused(text: str, says: str) -> None:
    with pytest.raises(rk.PolicyError, match=says):
        read_document(text)


def test_data_that_holds_itself_is_refused() -> None:
    loop: dict[str, object] = {}
    loop["a"] = [loop]
    with pytest.raises(rk.PolicyError, match="holds itself"):
        read_document(loop)
    with pytest.raises(rk.PolicyError, match="is a set"):
        read_document({"a": {1, 2}})
    with pytest.raises(rk.PolicyError, match="is a bytes"):
        read_document(b"a: 1")  # type: ignore[arg-type]


def test_scalars_are_those_of_yaml() -> None:
    data = read_document("{a: 8K, b: '8', c: 8, d: 0.5, e: no, f: 'no', g: ~, h: 2026-01-01, 5: x}")
    assert list(data.values()) == ["8K", "8", 8, 0.5, False, "no", None, "2026-01-01", "x"]
    assert list(data) == [*"abcdefgh", "5"]


def test_alias_is_read_as_often_as_it_stands() -> None:
    assert read_document("a: &a [1]\nb: [*a, *a]") == {"a": [1], "b": [[1], [1]]}


@pytest.mark.parametrize(
    "text",
    [
        "routing: [1]",
        "decisions: {a: 1}\ndefault_model: x",
        "decisions: [1]\ndefault_model: x",
        "decisions: [{rules: {type: domain}}]\ndefault_model: x",
        "decisions: [{name: a, priority: high}]\ndefault_model: x",
        "decisions: [{name: no}]\ndefault_model: x",
        "decisions: [{name: a, modelRefs: [{model: '${MODEL}'}]}]\ndefault_model: x",
        "decisions: [{name: a}]",
        "decisions: [{name: a}]\ndefault_model: x\nstrategy: luck",
        "decisions: [{name: a}]\ndefault_model: true",
        "decisions: [{name: a, priority: .nan}]\ndefault_model: x",
        "providers: {}",
        "decisions: []\ndefault_model: x",
        "decisions:\ndefault_model: x",
        "routing: {decision: [{name: a}]}\nproviders: {default_model: x}",
        "signals: {pii: [{name: a}]}\npii: [{name: a}]\ndecisions: [{name: a}]\ndefault_model: x",
        "decisions: [{name: a/explicit-model}]\ndefault_model: x",
    ],
)
def test_document_of_wrong_kinds_is_refused_by_path(text: str) -> None:
    with pytest.raises(rk.PolicyError):
        translate(text)


def test_too_many_decisions_are_refused() -> None:
    many = [{"name": f"d{i}"} for i in range(501)]
    with pytest.raises(rk.PolicyError, match="501 decisions"):
        translate({"default_model": "x", "decisions": many})


def test_long_key_that_aliases_repeat_is_refused() -> None:
    with pytest.raises(rk.PolicyError, match="a key of 300000 characters; allowed: 200"):
        translate({"k" * 300_000: {"k" * 300_000: [1] * 60_000}})


def test_many_conditions_on_many_domains_are_looked_up_not_searched() -> None:
    domains = [{"name": "math"}, *({"name": f"d{i}"} for i in range(8_000))]
    rules = {"conditions": [{"type": "domain", "name": "math"}] * 15_000}
    found = translate(
        {"default_model": "x", "signals": {"domains": domains}, "decisions": [{"name": "a", "rules": rules}]}
    )
    assert not found.unmapped


def test_patterns_that_would_take_long_to_compile_are_refused() -> None:
    words = [
        {"name": f"k{i}", "operator": "OR", "method": "regex", "keywords": ["abcdefghi." * 190]} for i in range(20)
    ]
    found = [{"name": f"d{i}", "rules": {"type": "keyword", "name": f"k{i}"}} for i in range(20)]
    translation = translate({"default_model": "x", "decisions": found, "keyword_rules": words})
    assert {"in all" in item.reason for item in translation.unmapped if item.left_out} == {True}


def test_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe\x00a")
    for path in (tmp_path / "a.yaml", tmp_path / "none.yaml", tmp_path):
        with pytest.raises(rk.PolicyError, match=r"UTF-8|cannot be read"):
            translate(path)


def test_yaml_without_its_parser_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routekit.vllm_sr.document.find_spec", lambda name: None)
    with pytest.raises(rk.PolicyError, match=r"routekit\[vllm-sr\]"):
        translate("decisions: []\ndefault_model: x")
    assert translate({"decisions": [{"name": "a"}], "default_model": "x"}).policy["default"] == "x"


KEYS = (
    *("name", "type", "rules", "operator", "conditions", "modelRefs", "model", "plugins", "algorithm", "keywords"),
    *("threshold", "predicate", "gte", "signals", "decisions", "priority", "tier", "domains", "pii", "routing"),
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=25,
)


@given(st.dictionaries(st.sampled_from(KEYS), plain, max_size=5), plain)
def test_no_data_ends_in_anything_but_a_policy_or_a_policy_error(top: dict[str, object], signals: object) -> None:
    try:
        found = translate({"default_model": "m", "decisions": [top], "signals": {"keywords": [signals]}})
    except rk.PolicyError:
        return
    rk.Policy.from_dict(found.policy)


@given(st.text(max_size=80))
def test_no_text_ends_in_anything_but_data_or_a_policy_error(text: str) -> None:
    with suppress(rk.PolicyError):
        assert isinstance(read_document(text), dict)
