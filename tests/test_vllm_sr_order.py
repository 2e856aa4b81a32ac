"""Which decision wins: the list that a document becomes against the router's rule, written down once more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routekit as rk
from routekit.testing import FakeClassifier, chat
from routekit.vllm_sr import translate

#: Three signals that are certain where they match, and one whose confidence is its probability.
FLAGS = ("a", "b", "c")
DOMAIN = FakeClassifier("domain", {"math": {"likely": 0.6, "surely": 0.9}, "law": {"court": 0.7}}, positive=())
TEXTS: Mapping[str, Mapping[str, float]] = {
    "hello": {},
    "likely": {"math": 0.6},
    "surely": {"math": 0.9},
    "court": {"law": 0.7},
}
SIGNALS = {
    "metadata": [{"name": flag, "key": flag, "predicate": {"equals": "on"}} for flag in FLAGS],
    "domains": [{"name": "math"}, {"name": "law"}],
}
leaves = st.sampled_from(
    [{"type": "metadata", "name": flag} for flag in FLAGS] + [{"type": "domain", "name": d} for d in ("math", "law")]
)
nodes = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(
            lambda op, parts: {"operator": op, "conditions": parts},
            st.sampled_from(["AND", "OR"]),
            st.lists(inner, max_size=3),
        ),
        inner.map(lambda part: {"operator": "NOT", "conditions": [part]}),
    ),
    max_leaves=5,
)
decisions = st.lists(
    st.fixed_dictionaries({"rules": nodes, "priority": st.integers(0, 2), "tier": st.sampled_from([0, 0, 1, 2])}),
    min_size=1,
    max_size=4,
)


def _matched(node: Mapping[str, Any], flags: Mapping[str, bool], domains: Mapping[str, float]) -> float | None:
    """Give the router's confidence in a condition, None where it does not match."""
    if node.get("type") == "metadata":
        return 1.0 if flags[node["name"]] else None
    if node.get("type") == "domain":
        return domains.get(node["name"])
    parts = [_matched(part, flags, domains) for part in node["conditions"]]
    found = [part for part in parts if part is not None]
    if node["operator"] == "NOT":
        return 1.0 if parts == [None] else None
    if node["operator"] == "OR":
        return max(found, default=None)
    return sum(found) / max(1, len(parts)) if len(found) == len(parts) else None


def _winner(
    found: list[dict[str, Any]], strategy: str, flags: Mapping[str, bool], domains: Mapping[str, float]
) -> str | None:
    matched = [(d, c) for d in found if (c := _matched(d["rules"], flags, domains)) is not None]
    if any(d["tier"] > 0 for d, _ in matched):
        best = min(matched, key=lambda m: (m[0]["tier"], -m[1], -m[0]["priority"], m[0]["name"]))
    elif strategy == "confidence":
        best = min(matched, key=lambda m: (-m[1], -m[0]["priority"], m[0]["name"]), default=({"name": None}, 0))
    else:
        best = min(matched, key=lambda m: (-m[0]["priority"], -m[1], m[0]["name"]), default=({"name": None}, 0))
    return best[0]["name"]  # type: ignore[no-any-return]


def _requests() -> Iterator[tuple[str, dict[str, bool]]]:
    for text, on in product(TEXTS, product((False, True), repeat=len(FLAGS))):
        yield text, dict(zip(FLAGS, on, strict=True))


@settings(max_examples=60, deadline=None)
@given(decisions, st.sampled_from(["priority", "confidence"]), st.booleans())
def test_policy_chooses_what_the_router_would(found: list[dict[str, Any]], strategy: str, tiers: bool) -> None:
    for i, each in enumerate(found):
        each |= {"name": f"d{(i * 7) % 5}", "modelRefs": [{"model": f"m{i}"}], "tier": each["tier"] if tiers else 0}
    translation = translate({"default_model": "none", "signals": SIGNALS, "decisions": found, "strategy": strategy})
    router = rk.PolicyRouter(rk.Policy.from_dict(translation.policy), classifiers=[DOMAIN])
    disagreements = []
    for text, flags in _requests():
        metadata = {flag: "on" for flag, on in flags.items() if on}
        decided = router.route(chat(text, model="auto"), metadata=metadata).rule
        if decided != (_winner(found, strategy, flags, TEXTS[text]) or "default"):
            disagreements.append((text, flags))
    assert bool(translation.unmapped) or not disagreements
    assert not any(item.left_out for item in translation.unmapped)


def _named(name: str, rules: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": name, "rules": dict(rules), "modelRefs": [{"model": name}], **more}


MATH, LAW = {"type": "domain", "name": "math"}, {"type": "domain", "name": "law"}
FLAG = {"type": "metadata", "name": "a"}


@pytest.mark.parametrize(
    ("first", "second", "strategy", "is_certain"),
    [
        (_named("x", MATH), _named("y", LAW), "priority", True),  # one domain at a time
        (_named("x", MATH), _named("y", FLAG), "priority", False),
        (_named("x", MATH, priority=2), _named("y", FLAG), "priority", True),
        (_named("x", MATH, priority=2), _named("y", FLAG), "confidence", False),
        (_named("x", MATH, priority=2), _named("y", FLAG, tier=1), "priority", True),  # tier 0 comes before tier 1
        (_named("x", MATH, tier=1, priority=2), _named("y", FLAG, tier=1), "priority", False),
        (_named("x", MATH, tier=1), _named("y", FLAG, tier=2), "confidence", True),
        (_named("x", MATH), {**_named("y", FLAG), "modelRefs": [{"model": "x"}]}, "priority", True),  # the same model
    ],
)
def test_choice_by_confidence_is_told(
    first: dict[str, Any], second: dict[str, Any], strategy: str, is_certain: bool
) -> None:
    source = {"default_model": "none", "signals": SIGNALS, "decisions": [first, second], "strategy": strategy}
    found = translate(source)
    assert ["by confidence" in item.reason for item in found.unmapped] == ([] if is_certain else [True])
    assert len(found.policy["rules"]) == 3  # type: ignore[arg-type]


def test_order_that_is_certain_is_found() -> None:
    found = [_named("x", FLAG, tier=2, priority=9), _named("y", {"type": "metadata", "name": "b"}, tier=1)]
    translation = translate({"default_model": "none", "signals": SIGNALS, "decisions": found})
    assert not translation.unmapped
    assert [rule["name"] for rule in translation.policy["rules"]] == ["explicit-model", "y", "x"]  # type: ignore[attr-defined]


def test_tier_of_a_third_decision_makes_the_order_of_two_uncertain() -> None:
    always = {"operator": "AND", "conditions": []}  # the router's confidence in it is 0
    found = [_named("x", always, priority=9), _named("y", FLAG)]
    source = {"default_model": "none", "signals": SIGNALS, "decisions": found}
    assert not translate(source).unmapped
    third = _named("z", {"type": "metadata", "name": "b"}, tier=1)
    assert len(translate({**source, "decisions": [*found, third]}).unmapped) == 1


def test_context_ranges_exclude_each_other() -> None:
    ranges = [
        {"name": "short", "min_tokens": 0, "max_tokens": "1K"},
        {"name": "long", "min_tokens": 1001, "max_tokens": "8K"},
    ]
    rules = [{"operator": "AND", "conditions": [{"type": "context", "name": name}, MATH]} for name in ("short", "long")]
    found = [_named(name, rule) for name, rule in zip("xy", rules, strict=True)]
    signals = {**SIGNALS, "context": ranges}
    assert not translate({"default_model": "none", "signals": signals, "decisions": found}).unmapped
