"""Configurations of the vLLM Semantic Router become policies that decide the same; what cannot is told, by path."""

from __future__ import annotations

import json
from typing import Any

import pytest

import routekit as rk
from routekit.testing import FakeClassifier, chat
from routekit.vllm_sr import translate
from vllm_sr_documents import FAKES, decided, decision, document, leaf, reasons

#: Family -> rule, a text that it matches, one that it does not.
MAPPED: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("keywords", "keyword", {"operator": "OR", "keywords": ["red", "Deep Blue"]}, "a DEEP  blue sea", "reddish"),
    ("keywords", "keyword", {"operator": "AND", "keywords": ["red", "blue"]}, "blue and Red", "only red"),
    ("keywords", "keyword", {"operator": "NOR", "keywords": ["red", "blue"]}, "green", "a red one"),
    ("keywords", "keyword", {"operator": "OR", "keywords": ["Red"], "case_sensitive": True}, "so Red", "so red"),
    ("keywords", "keyword", {"operator": "OR", "keywords": ["机密"]}, "这是机密文件", "这是文件"),
    ("keywords", "keyword", {"operator": "OR", "keywords": ["机密A"], "case_sensitive": True}, "这机密A文", "机密a"),
    (
        "keywords",
        "keyword",
        {"operator": "OR", "method": "regex", "keywords": [r"INC-\d{4}$"]},
        "inc-1234",
        "inc-1234\n",
    ),
    (
        "keywords",
        "keyword",
        {"operator": "AND", "method": "regex", "keywords": ["^Go", "x{,2}y"], "case_sensitive": True},
        "Go x{,2}y",
        "Go xy",
    ),
    ("domains", "domain", {}, "an integral", "a lawsuit"),
    ("domains", "domain", {"mmlu_categories": ["Math", "law"]}, "a lawsuit", "hello"),
    ("language", "language", {}, "Wie wird das Wetter morgen in Berlin?", "How will the weather be tomorrow?"),
    ("context", "context", {"min_tokens": "0.01K", "max_tokens": 20}, "x" * 60, "x" * 30),
    ("jailbreak", "jailbreak", {"threshold": 0.6, "include_history": True}, "an odd one", "hello"),
    ("jailbreak", "jailbreak", {"method": "classifier", "threshold": 0.7}, "evil", "an odd one"),
    (
        "conversation",
        "conversation",
        {"feature": {"type": "exists", "source": {"type": "tool_definition"}}},
        "TOOLS",
        "none",
    ),
    (
        "conversation",
        "conversation",
        {"feature": {"type": "count", "source": {"type": "tool_definition"}}, "predicate": {"gte": 1}},
        "TOOLS",
        "none",
    ),
]


def _body(text: str) -> bytes:
    tools = {"tools": [{"type": "function", "function": {"name": "f"}}]} if text == "TOOLS" else {}
    return json.dumps({"model": "auto", "messages": [{"role": "user", "content": text}], **tools}).encode()


@pytest.mark.parametrize(("family", "kind", "rule", "matching", "other"), MAPPED)
def test_signal_decides_as_its_rule_says(
    family: str, kind: str, rule: dict[str, Any], matching: str, other: str
) -> None:
    name = {"domain": "math", "language": "de"}.get(kind, "it")
    source = document({family: [{"name": name, **rule}]}, decision("found", leaf(kind, name)))
    policy = rk.Policy.from_vllm_sr(source)
    assert rk.Policy.from_dict(policy.to_dict()) == policy
    router = rk.PolicyRouter(policy, classifiers=FAKES)
    assert router.route(_body(matching)).rule == "found"
    assert router.route(_body(other)).model == "small"
    negated = document(
        {family: [{"name": name, **rule}]}, decision("found", {"operator": "not", "conditions": [leaf(kind, name)]})
    )
    router = rk.PolicyRouter(rk.Policy.from_vllm_sr(negated), classifiers=FAKES)
    assert router.route(_body(matching)).model == "small"
    assert router.route(_body(other)).rule == "found"


def test_pii_rule_denies_what_it_does_not_allow() -> None:
    rule = {"name": "it", "threshold": 0.9, "pii_types_allowed": ["email_address"]}
    found = translate(document({"pii": [rule]}, decision("private", leaf("pii"), "onprem")))
    policy = rk.Policy.from_dict(found.policy)
    assert decided(policy, "my card is 4111 1111 1111 1111").model == "onprem"
    assert decided(policy, "I am bo@example.org").model == "small"
    assert "PERSON" in reasons(found)["routing.signals.pii[0]"]


def test_pii_rule_asks_the_labels_of_a_classifier_that_is_given() -> None:
    names = FakeClassifier("pii", {"PERSON": {"Bo": 0.95}, "AGE": {"42": 0.8}}, positive=())
    rule = {"name": "it", "threshold": 0.9, "pii_types_allowed": []}
    policy = rk.Policy.from_vllm_sr(document({"pii": [rule]}, decision("private", leaf("pii"))), classifiers=[names])
    router = rk.PolicyRouter(policy, classifiers=[names])
    assert [router.route(chat(text)).rule for text in ("I am Bo", "I am 42")] == ["private", "default"]


def test_metadata_rule_compares_the_value() -> None:
    rules = [{"name": "one", "key": "tier", "predicate": {"equals": "gold"}}]
    rules.append({"name": "few", "key": "region", "predicate": {"in": ["eu", "ch"]}})
    either = {"operator": "OR", "conditions": [leaf("metadata", "one"), leaf("metadata", "few")]}
    policy = rk.Policy.from_vllm_sr(document({"metadata": rules}, decision("found", either)))
    assert decided(policy, "hi", tier="gold").rule == decided(policy, "hi", region="ch").rule == "found"
    assert decided(policy, "hi", tier="iron").rule == "default"


def test_classifier_of_its_own_is_asked_by_name_and_label() -> None:
    condition = leaf("classifier", "tool-risk", label="RISKY", predicate={"gte": 0.5, "lt": 0.9})
    policy = rk.Policy.from_vllm_sr(document({"classifiers": [{"name": "tool-risk"}]}, decision("found", condition)))
    assert [decided(policy, text).rule for text in ("delete all", "read it")] == ["found", "default"]


def test_model_that_a_client_names_is_kept_but_still_refused() -> None:
    refuse = decision("refuse", leaf("jailbreak"), priority=5, plugins=[{"type": "fast_response"}])
    source = document({"jailbreak": [{"name": "it", "threshold": 0.7}], "domains": [{"name": "math"}]}, refuse)
    source["routing"]["decisions"] += [decision("first", leaf("domain", "math"), priority=9), decision("rest")]
    policy = rk.Policy.from_vllm_sr(source)
    assert decided(policy, "evil").status == decided(policy, "evil", model="gpt").status == 403
    assert [decided(policy, "hi", model=m).model for m in ("auto", "MoM", "vllm-sr/auto", "gpt")] == ["large"] * 3 + [
        "gpt"
    ]
    math = decided(policy, "an evil integral", model="gpt")
    assert (math.action, math.model) == ("keep", "gpt")


def test_automatic_model_names_are_those_of_the_document() -> None:
    source = document({}, decision("rest"))
    source["global"] = {"router": {"auto_model_names": ["pick"]}}
    policy = rk.Policy.from_vllm_sr(source)
    assert [decided(policy, "hi", model=model).action for model in ("pick", "auto")] == ["route", "keep"]


def test_model_is_the_first_reference_its_adapter_or_the_default() -> None:
    refs = [{"model": "base", "lora_name": "adapter", "weight": 0.2, "use_reasoning": False}, {"model": "other"}]
    assert decided(rk.Policy.from_vllm_sr(document({}, {"name": "a", "modelRefs": refs})), "hi").model == "adapter"
    assert decided(rk.Policy.from_vllm_sr(document({}, {"name": "a"})), "hi").model == "small"
    static = {"name": "a", "modelRefs": refs[::-1], "algorithm": {"type": "static"}}
    assert decided(rk.Policy.from_vllm_sr(document({}, static)), "hi").model == "other"


def test_empty_rules_hold_at_the_root_and_in_and_never_in_or() -> None:
    nothing = document({}, decision("all", {"operator": "AND", "conditions": []}))
    assert decided(rk.Policy.from_vllm_sr(nothing), "hi").rule == "all"
    never = document({}, decision("none", {"operator": "OR", "conditions": []}))
    assert decided(rk.Policy.from_vllm_sr(never), "hi").rule == "default"


def test_failing_classifier_lets_pass_unless_the_guard_blocks() -> None:
    source = document({"jailbreak": [{"name": "it", "threshold": 0.7}]}, decision("a", leaf("jailbreak")))
    assert rk.Policy.from_vllm_sr(source).on_error == {"jailbreak": "skip"}
    source["global"] = {"model_catalog": {"modules": {"prompt_guard": {"on_error": "block"}}}}
    assert rk.Policy.from_vllm_sr(source).on_error == {"jailbreak": "block"}


def test_domain_threshold_is_that_of_the_classifier() -> None:
    source = document({"domains": [{"name": "math"}]}, decision("a", leaf("domain", "math")))
    source["global"] = {"model_catalog": {"modules": {"classifier": {"domain": {"threshold": 0.95}}}}}
    assert decided(rk.Policy.from_vllm_sr(source), "an integral").rule == "default"


UNMAPPED: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("keywords", {"operator": "OR", "method": "bm25", "keywords": ["a"]}, leaf("keyword"), "similarity"),
    ("keywords", {"operator": "OR", "fuzzy_match": True, "keywords": ["a"]}, leaf("keyword"), "similarity"),
    ("keywords", {"operator": "XOR", "keywords": ["a"]}, leaf("keyword"), "operator"),
    ("keywords", {"operator": "OR", "keywords": []}, leaf("keyword"), "no keywords"),
    ("keywords", {"operator": "OR", "method": "regex", "keywords": [r"\Qa\E"]}, leaf("keyword"), "reads differently"),
    ("keywords", {"operator": "OR", "method": "regex", "keywords": ["a(?i)b"]}, leaf("keyword"), "reads differently"),
    ("keywords", {"operator": "OR", "method": "regex", "keywords": ["[[:alpha:]]"]}, leaf("keyword"), "class"),
    ("keywords", {"operator": "OR", "method": "regex", "keywords": [r"ü\b"]}, leaf("keyword"), "ASCII"),
    ("keywords", {"operator": "OR", "method": "regex", "keywords": ["("]}, leaf("keyword"), "does not compile"),
    ("embeddings", {"threshold": 0.7, "candidates": ["a"]}, leaf("embedding"), "embeddings"),
    ("domains", {"mmlu_categories": ["cooking"]}, leaf("domain"), "label"),
    ("language", {"name": "xx"}, leaf("language", "xx"), "language"),
    ("language", {"name": "de", "threshold": 0.5}, leaf("language", "de"), "threshold"),
    ("context", {"min_tokens": "1K"}, leaf("context"), "max_tokens"),
    ("context", {"min_tokens": "9K", "max_tokens": "8K"}, leaf("context"), "never"),
    ("context", {"min_tokens": "many", "max_tokens": "8K"}, leaf("context"), "number of tokens"),
    ("jailbreak", {"method": "hybrid", "threshold": 0.7}, leaf("jailbreak"), "method"),
    ("jailbreak", {}, leaf("jailbreak"), "threshold is missing"),
    ("metadata", {"key": "k", "predicate": {"exists": True}}, leaf("metadata"), "exists"),
    (
        "conversation",
        {"feature": {"type": "exists", "source": {"type": "image_content"}}},
        leaf("conversation"),
        "tools",
    ),
    ("classifiers", {}, leaf("classifier", label="A", predicate={"gte": 0.5}, on_error="match"), "fails"),
    ("domains", {}, leaf("domain", "missing"), "no domain rule"),
    ("language", {"name": "de", "treshold": 0.9}, leaf("language", "de"), "'treshold'"),
    ("language", {"name": "de"}, {**leaf("language", "de"), "negate": True}, "'negate'"),
    ("metadata", {"key": "k", "predicate": {"equals": "a", "in": ["b"]}}, leaf("metadata"), "both"),
    ("metadata", {"key": "k", "predicate": {"not_equals": "a"}}, leaf("metadata"), "'not_equals'"),
    ("keywords", {"operator": "OR", "keywords": ["a"]}, leaf("keyword", predicate={"gt": 0.5}), "score"),
    *[
        (family, {}, leaf(kind), kind)
        for family, kind in (
            ("fact_check", "fact_check"),
            ("user_feedbacks", "user_feedback"),
            ("reasks", "reask"),
            ("preferences", "preference"),
            ("structure", "structure"),
            ("complexity", "complexity"),
            ("modality", "modality"),
            ("role_bindings", "authz"),
            ("kb", "kb"),
            ("events", "event"),
            ("events", "projection"),
        )
    ],
]


@pytest.mark.parametrize(("family", "rule", "condition", "why"), UNMAPPED)
@pytest.mark.parametrize("operator", ["AND", "OR", "NOT"])
def test_decision_with_an_unmapped_condition_is_left_out_whole(
    family: str, rule: dict[str, Any], condition: dict[str, Any], why: str, operator: str
) -> None:
    conditions = [condition] if operator == "NOT" else [condition, leaf("metadata", "fine")]
    signals: dict[str, list[Any]] = {"metadata": [{"name": "fine", "key": "k", "predicate": {"equals": "v"}}]}
    signals[family] = [*signals.get(family, []), {"name": "it", **rule}]
    source = document(signals, decision("bad", {"operator": operator, "conditions": conditions}), decision("good"))
    found = translate(source)
    assert [rule["name"] for rule in found.policy["rules"]] == ["explicit-model", "good"]  # type: ignore[attr-defined]
    [item] = found.unmapped
    assert (item.path, item.left_out) == ("routing.decisions[0].rules.conditions[0]", "bad")
    assert why in item.reason
    with pytest.raises(rk.PolicyError, match=r"routing\.decisions\[0\]\.rules\.conditions\[0\]"):
        rk.Policy.from_vllm_sr(source)


@pytest.mark.parametrize(
    ("more", "path", "left_out"),
    [
        ({"plugins": [{"type": "system_prompt"}]}, "plugins[0]", None),
        ({"plugins": [{"type": "jailbreak", "configuration": {"mode": "x"}}]}, "plugins[0].configuration", "a"),
        ({"modelRefs": [{"model": "m", "use_reasoning": True}]}, "modelRefs[0].use_reasoning", None),
        ({"modelRefs": [{"model": "m"}, {"model": "n"}], "algorithm": {"type": "knn"}}, "algorithm.type", "a"),
        ({"algorithm": {"type": "fusion"}}, "algorithm.type", "a"),
        ({"output_contract": "as JSON"}, "output_contract", None),
        ({"emits": []}, "emits", None),
        ({"colour": "red"}, "colour", "a"),
        ({"condition": {"type": "domain", "name": "law"}}, "condition", "a"),
        ({"rules": {"operator": "XOR", "conditions": []}}, "rules.operator", "a"),
        ({"rules": {"operator": "NOT", "conditions": []}}, "rules", "a"),
        ({"rules": {"operator": "OR", "conditions": [], "negate": True}}, "rules.negate", "a"),
    ],
)
def test_part_that_is_no_route_is_listed(more: dict[str, Any], path: str, left_out: str | None) -> None:
    found = translate(document({}, decision("a", **more), decision("b", priority=-1)))
    assert [(item.path, item.left_out) for item in found.unmapped] == [(f"routing.decisions[0].{path}", left_out)]


def test_plugin_that_is_off_and_words_about_a_decision_are_nothing() -> None:
    off = {"type": "memory", "configuration": {"enabled": False}}
    rk.Policy.from_vllm_sr(document({}, decision("a", description="d", annotations={"x": 1}, plugins=[off])))


def test_names_of_decisions_that_a_policy_cannot_have_are_told() -> None:
    found = translate(document({}, decision("default"), decision("b")))
    assert reasons(found)["routing.decisions[0].name"].startswith("'default' is taken")
    with pytest.raises(rk.PolicyError, match="one name"):
        translate(document({}, decision("a"), decision("a")))


def test_document_of_which_nothing_can_be_mapped_is_refused() -> None:
    with pytest.raises(rk.PolicyError, match="none of 1 decisions"):
        translate(document({}, decision("a", leaf("embedding"))))


def test_scores_of_a_domain_choose_among_the_models_of_its_decision() -> None:
    scored = {"name": "math", "model_scores": [{"model": "b", "score": 0.9}]}
    several = decision("math", leaf("domain", "math"), modelRefs=[{"model": "a"}, {"model": "b"}])
    found = translate(document({"domains": [scored]}, several, decision("other", leaf("domain", "math"), priority=-1)))
    assert list(reasons(found)) == ["routing.decisions[0].modelRefs"]


def test_rules_of_one_name_are_told() -> None:
    twice = [{"name": "it", "operator": "OR", "keywords": [word]} for word in ("red", "blue")]
    found = translate(document({"keywords": twice}, decision("a", leaf("keyword")), decision("b")))
    assert "2 keyword rules" in reasons(found)["routing.decisions[0].rules"]


def test_rules_whose_parts_would_share_a_name_are_told() -> None:
    words = {"operator": "AND", "keywords": ["red", "blue"]}
    rules = [{"name": "k", **words}, {"name": "k/0", "operator": "OR", "keywords": ["green"]}]
    both = {"operator": "OR", "conditions": [leaf("keyword", "k"), leaf("keyword", "k/0")]}
    assert (
        "rename"
        in reasons(translate(document({"keywords": rules}, decision("a", both), decision("b"))))[
            "routing.decisions[0].rules.conditions[1]"
        ]
    )
