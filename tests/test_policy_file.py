"""Policies as plain data and as files: read strictly, with errors that name the place, and written back."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import routekit as rk

TOML = r"""
default = "general"
on_error = { jailbreak = "block", domain = "skip" }
pattern_seconds = 0.02
[keywords]
customer-names = ["Acme Corp"]
[patterns]
ticket = 'INC-\d+'
[[rules]]
name = "block-jailbreak"
when = { signal = "jailbreak", at_least = 0.9 }
then = { block = 403 }
[[rules]]
name = "pii-stays-home"
when = { any = [
    { signal = "pii", any_of = ["CREDIT_CARD", "US_SSN"] },
    { signal = "keywords", set = "customer-names" },
] }
then = { route = "onprem", pool = "eu", redact = ["CREDIT_CARD"], compress_to = 512 }
[[rules]]
name = "rest"
shadow = true
when = { all = [
    { not = { signal = "jailbreak", fires = true } },
    { signal = "domain", label = "math", below = 0.6 },
    { signal = "header", name = "X-Tier", not_equals = "gold" },
    { signal = "metadata", name = "seats", above = 3 },
    { signal = "pattern", name = "ticket" },
    { signal = "has_tools", equals = true },
    { signal = "pii", any = false },
] }
then = "keep"
"""

jailbreak, domain, pii = rk.signal("jailbreak"), rk.signal("domain"), rk.signal("pii")
EXPECTED = rk.Policy(
    [
        rk.Rule("block-jailbreak", jailbreak >= 0.9, rk.Block(403)),
        rk.Rule(
            "pii-stays-home",
            pii.any_of("CREDIT_CARD", "US_SSN") | rk.keywords("customer-names"),
            rk.RouteTo("onprem", "eu", ("CREDIT_CARD",), 512),
        ),
        rk.Rule(
            "rest",
            ~jailbreak.fires()
            & (domain["math"] < 0.6)
            & (rk.header("x-tier") != "gold")
            & (rk.metadata("seats") > 3)
            & rk.pattern("ticket")
            & rk.signal("has_tools").is_true()
            & ~pii.any(),
            rk.Keep(),
            shadow=True,
        ),
    ],
    default=rk.RouteTo("general"),
    on_error={"jailbreak": "block", "domain": "skip"},
    keywords={"customer-names": ["Acme Corp"]},
    patterns={"ticket": r"INC-\d+"},
    pattern_seconds=0.02,
)


def test_toml_and_json_say_what_code_says(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text(TOML)
    (tmp_path / "policy.json").write_text(json.dumps(EXPECTED.to_dict()))
    assert rk.Policy.load(tmp_path / "policy.toml") == EXPECTED
    assert rk.Policy.load(str(tmp_path / "policy.json")) == EXPECTED


def conditions() -> st.SearchStrategy[rk.Expression]:
    number = st.floats(0, 1, allow_nan=False)
    text = st.text(min_size=1, max_size=5)
    leaves = st.one_of(
        number.map(lambda x: jailbreak >= x),
        number.map(lambda x: domain["math"] > x),
        number.map(lambda x: pii <= x),
        st.integers(0, 10**6).map(lambda x: rk.signal("context_tokens") < x),
        text.map(lambda x: rk.signal("model") == x),
        text.map(lambda x: rk.header(x) != "gold"),
        st.lists(text, min_size=1, max_size=3).map(lambda x: domain.any_of(*x)),
        st.just(jailbreak.fires()),
        st.just(rk.keywords("names")),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda p: p[0] & p[1]),
            st.tuples(inner, inner).map(lambda p: p[0] | p[1]),
            inner.map(lambda p: ~p),
        ),
        max_leaves=6,
    )


@pytest.mark.parametrize(
    "when",
    [
        rk.signal("keywords:names") == False,  # noqa: E712 - builds a condition
        rk.signal("keywords:names").any_of(True, False),
        rk.signal("has_tools") != False,  # noqa: E712
    ],
)
def test_flag_that_must_not_be_set_survives_the_way_through_json(when: rk.Expression) -> None:
    policy = rk.Policy([rk.Rule("r", when, rk.Block(451))], rk.Keep(), keywords={"names": ["x"]})
    assert rk.Policy.from_dict(json.loads(json.dumps(policy.to_dict()))) == policy


@given(conditions())
def test_policy_survives_the_way_through_json(when: rk.Expression) -> None:
    policy = rk.Policy([rk.Rule("r", when, rk.Block(451))], rk.Keep("pool"), keywords={"names": ["x"]})
    assert rk.Policy.from_dict(json.loads(json.dumps(policy.to_dict()))) == policy


def rule(**changes: object) -> dict[str, object]:
    base = {"name": "r", "when": {"signal": "jailbreak", "at_least": 0.9}, "then": {"block": 403}}
    return {"default": "general", "rules": [{**base, **changes}]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "policy is a list; allowed: a table"),
        ({}, "default is missing"),
        ({"default": "x", "rulez": []}, r"unknown key 'policy.rulez'; allowed here: 'default', 'keywords', 'on_error'"),
        ({"default": "x", "rules": {}}, "rules is a table; allowed: a list"),
        ({"default": ""}, "default: the model is empty"),
        ({"default": {"goto": "x"}}, "unknown key 'default.goto'; allowed here: 'block', 'compress_to', 'keep'"),
        ({"default": {}}, "default has no action; allowed: exactly one of block, keep, route"),
        ({"default": {"block": 200}}, "default.block: Block.status is 200; allowed: an integer from 400 to 599"),
        ({"default": {"block": 403, "pool": "x"}}, "unknown key 'default.pool'; allowed here: 'block'"),
        ({"default": {"keep": False}}, "default.keep: allowed is true"),
        ({"default": {"route": "x", "compress_to": "many"}}, "default.compress_to is a text; allowed: an integer"),
        ({"default": {"route": "x", "redact": "CREDIT_CARD"}}, "default.redact is a text; allowed: a list"),
        (rule(then={"route": ""}), r"rules\[0\].then.route is empty; allowed: a text"),
        (rule(name=3), r"rules\[0\].name is a number; allowed: a text"),
        (rule(shadow="yes"), r"rules\[0\].shadow is a text; allowed: true or false"),
        (rule(when={}), r"rules\[0\].when has the keys ; allowed: signal with one question, or all, any, not"),
        (rule(when={"all": []}), r"rules\[0\].when.all is empty"),
        (rule(when={"any": [{"signal": "x", "fires": True}], "all": []}), r"rules\[0\].when has the keys 'any', 'all'"),
        (rule(when={"signal": "jailbreak"}), "asks nothing; allowed: exactly one of 'at_least'"),
        (rule(when={"signal": "jailbreak", "at_least": 0.9, "below": 1}), "asks 'at_least', 'below'"),
        (rule(when={"signal": "jailbreak", "at_leest": 0.9}), r"unknown key 'rules\[0\].when.at_leest'"),
        (rule(when={"signal": "jailbreak", "at_least": "high"}), r"when.at_least is a text; allowed: a number"),
        (rule(when={"signal": "jailbreak", "at_least": 1.5}), "is compared with 1.5; allowed: 0 to 1"),
        (rule(when={"signal": "domain", "label": "math", "at_least": 2}), "allowed: 0 to 1"),
        (rule(when={"signal": "jailbreak", "label": "x", "fires": True}), "label goes with 'at_least'"),
        (rule(when={"signal": "keywords"}), "'keywords' needs the key 'set'"),
        (rule(when={"signal": "keywords", "set": "names"}), "asks for keywords 'names'; the policy defines: none"),
        (rule(when={"signal": "keywords", "set": "names", "fires": True}), "when.fires is not allowed"),
        (rule(when={"signal": "model", "name": "x", "equals": "y"}), "when.name is not allowed for the signal 'model'"),
        (rule(when={"signal": "model", "at_least": 3}), "signal 'model' is a text; >= needs a number"),
        (rule(when={"signal": "model", "fires": True}), "no classifier"),
        (rule(when={"signal": "header", "equals": "x"}), "'header' needs the key 'name'"),
        ({"default": "x", "on_error": {"jailbreak": "ignore"}}, "allowed: 'block', 'skip', or a rule"),
        ({"default": "x", "on_error": {"jailbreak": 3}}, "on_error.jailbreak is a number; allowed: a text"),
        ({"default": "x", "keywords": {"a": "b"}}, "keywords 'a' is a str; allowed: a list"),
        ({"default": "x", "keywords": {"a": [""]}}, "at least one word"),
        ({"default": "x", "patterns": {"a": "("}}, "pattern 'a' does not compile"),
        ({"default": "x", "patterns": {"a": "x" * 20_000}}, "pattern 'a' has 20000 characters; allowed: 2000"),
        (
            {"default": "x", "patterns": {"a": "(a){999999999}" * 99}},
            "inf characters with its repeats written out; allowed: 2000000",
        ),
        ({"default": "x", "patterns": {"a": "(?x)(a{1000} #)\n ) #x\n {1000}"}}, "repeats written out"),
        ({"default": "x", "patterns": {"a": "(a{1000}[)(]){1000}"}}, "repeats written out"),
        (rule(when={"signal": "n_images", "above": 10**5000}), r"rules\[0\].when.above is an integer beyond 64 bits"),
        (rule(when={"signal": "n_images", "equals": 10**5000}), r"rules\[0\].when.equals: .*allowed: a finite number"),
        (rule(when={"signal": "jailbreak", "at_least": 1.5}), r"rules\[0\].when.at_least: .*allowed: 0 to 1"),
        (rule(then={"block": 10**5000}), r"rules\[0\].then.block is an integer beyond 64 bits"),
        (rule(then={"block": True}), r"rules\[0\].then.block is a flag; allowed: an integer"),
        (rule(then={"route": "\ud800"}), r"rules\[0\].then.route holds a lone surrogate"),
        (rule(name="default"), r"rules\[0\]: rule name 'default'"),
        ({"default": "x", "on_error": {"a\x1b": 3}}, r"on_error.a\\x1b is a number"),
        ({"default": "x", "keywords": {"a": ["\u200b"]}}, "at least one word"),
        ({"default": "x", 3: 4}, "policy has a key that is a number; allowed: texts"),
        ({"default": "x", "pattern_seconds": 10**5000}, "pattern_seconds is an integer beyond 64 bits"),
        ({"default": "x", "pattern_seconds": 0}, "pattern_seconds is 0"),
        ({"default": "x", "pattern_seconds": float("nan")}, "pattern_seconds is nan"),
    ],
)
def test_error_names_the_key_and_what_is_allowed(data: object, message: str) -> None:
    with pytest.raises(rk.PolicyError, match=message):
        rk.Policy.from_dict(data)  # type: ignore[arg-type]


def test_conditions_nested_without_end_are_refused() -> None:
    when: dict[str, object] = {"signal": "jailbreak", "fires": True}
    for _ in range(5000):
        when = {"not": when}
    with pytest.raises(rk.PolicyError, match="nested over 50 deep"):
        rk.Policy.from_dict(rule(when=when))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("policy.toml", b"default = ", "is not valid TOML"),
        ("policy.json", b"{", "is not valid JSON"),
        ("policy.json", b"\xff", "is not valid JSON"),
        ("policy.json", b"[" * 100_000, "is not valid JSON"),
        ("policy.json", b'{"default": "a", "default": "b"}', "the key 'default' stands twice"),
        ("policy.toml", b'default = "a"\ndefault = "b"', "is not valid TOML"),
        ("policy.yaml", b"default: x", "ends in '.yaml'; allowed: .json, .toml"),
    ],
)
def test_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(rk.PolicyError, match=message) as caught:
        rk.Policy.load(tmp_path / name)
    assert name in str(caught.value)


def test_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(rk.PolicyError, match=r"absent.toml.*cannot be read: No such file"):
        rk.Policy.load(tmp_path / "absent.toml")


KEYS = ["all", "any", "not", "signal", "label", "name", "set", "at_least", "equals", "any_of", "fires", "when", "then"]
KEYS += ["rules", "default", "on_error", "keywords", "patterns", "block", "route", "keep", "redact", "compress_to", "x"]
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["jailbreak", "header", "("]))


def junk() -> st.SearchStrategy[object]:
    keys = st.sampled_from(KEYS)
    return st.recursive(
        SCALARS, lambda x: st.lists(x, max_size=3) | st.dictionaries(keys, x, max_size=4), max_leaves=12
    )


@given(st.dictionaries(st.sampled_from(KEYS), junk()), junk(), junk())
def test_junk_is_a_policy_or_a_policy_error(data: dict[str, object], when: object, then: object) -> None:
    for candidate in (data, {"default": "x", **data}, rule(when=when), rule(then=then)):
        with contextlib.suppress(rk.PolicyError):
            rk.Policy.from_dict(candidate)


def test_policy_of_the_examples_has_no_findings() -> None:
    examples = Path(__file__).parents[1] / "examples"
    policy = rk.Policy.load(examples / "policy.toml")
    assert not policy.check()
    decision = rk.PolicyRouter(policy).route((examples / "request.json").read_bytes())
    assert decision.model == "qwen-math"


def test_path_of_a_policy_that_is_none_is_refused() -> None:
    with pytest.raises(rk.UsageError, match="is a int; allowed: str"):
        rk.Policy.load(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("has_tools", r"is_true\(\), .* equals = true"), ("context_tokens", "at_least"), ("model", "any_of")],
)
def test_what_is_no_classifier_says_how_it_is_asked(name: str, remedy: str) -> None:
    with pytest.raises(rk.PolicyError, match=f"never fires; ask .*{remedy}"):
        rk.Policy.from_dict(
            {"default": "keep", "rules": [{"name": "r", "when": {"signal": name, "fires": True}, "then": "x"}]}
        )
