"""Where the routing part stands: four layouts, recipes, and the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import routekit as rk
from routekit.__main__ import main
from routekit.vllm_sr import translate
from vllm_sr_documents import decided, decision, document, reasons


def test_recipe_is_taken_by_its_name() -> None:
    recipes = [{"name": "thrifty", "routing": {"decisions": [decision("cheap", model="tiny")]}}]
    entry = [{"recipe": "thrifty", "model_names": ["save"]}]
    source = {**document({}, decision("a")), "recipes": recipes, "entrypoints": entry}
    assert set(reasons(translate(source))) == {"recipes", "entrypoints"}
    policy = rk.Policy.from_vllm_sr(source, recipe="thrifty")
    assert [decided(policy, "hi", model=model).model for model in ("save", "auto")] == ["tiny", "auto"]
    with pytest.raises(rk.PolicyError, match="'thrifty'"):
        translate(source, recipe="lavish")
    with pytest.raises(rk.PolicyError, match="'thrifty'"):
        translate({**source, "routing": {}})


def test_misspelt_and_misplaced_routing_is_told() -> None:
    source = document({"keyword": []}, decision("a"), decisons=[])
    source |= {"decisions": [], "keyword_rules": []}
    assert set(reasons(translate(source))) == {
        "routing.decisons",
        "routing.signals.keyword",
        "decisions",
        "keyword_rules",
    }


def test_sections_that_are_no_routing_are_noted() -> None:
    assert any(
        note.startswith("listeners: ") for note in translate({**document({}, decision("a")), "listeners": []}).notes
    )


CATEGORIES = """
default_model: small
prompt_guard: {enabled: true, threshold: 0.7}
classifier: {category_model: {threshold: 0.6}}
categories:
  - name: math
    model_scores: [{model: good, score: 0.4}, {model: best, score: 0.9, use_reasoning: false}]
  - name: law
    system_prompt: You are a lawyer.
    model_scores: [{model: lawyer, score: 1.0}]
"""
FLAT = """
default_model: small
auto_model_name: pick
strategy: priority
keyword_rules:
  - {name: urgent, operator: OR, keywords: [urgent, asap], case_sensitive: false}
categories:
  - {name: numbers, mmlu_categories: [math]}
decisions:
  - {name: fast, priority: 9, rules: {type: keyword, name: urgent}, modelRefs: [{model: quick}]}
  - name: sums
    rules: {operator: AND, conditions: [{type: domain, name: numbers}]}
    modelRefs: [{model: best}]
"""
COMMAND_LINE = """
providers: {default_model: small}
signals:
  keywords: [{name: urgent, operator: OR, keywords: [urgent]}]
  domains: [{name: math}]
decisions:
  - {name: sums, priority: 1, rules: {type: domain, name: math}, modelRefs: [{model: best}]}
  - {name: fast, priority: 9, rules: {type: keyword, name: urgent}, modelRefs: [{model: quick}]}
"""


GUARDED = """
default_model: small
prompt_guard: {enabled: true, threshold: 0.7}
classifier: {pii_model: {threshold: 0.9}}
categories: [{name: math, mmlu_categories: [math]}]
decisions:
  - name: sums
    rules: {type: domain, name: math}
    modelRefs: [{model: best}]
    plugins:
      - {type: jailbreak, configuration: {enabled: true}}
      - {type: pii, configuration: {pii_types_allowed: [PERSON, GPE, NRP, ORGANIZATION, STREET_ADDRESS, TITLE]}}
"""


def test_plugins_of_early_routers_guard_their_decision() -> None:
    pytest.importorskip("yaml")
    policy = rk.Policy.from_vllm_sr(GUARDED)
    assert [rule.name for rule in policy.rules] == [
        *("sums/jailbreak", "sums/pii", "sums/explicit-model", "sums", "explicit-model")
    ]
    card = "4111 1111 1111 1111"
    asked = ("an integral", "an evil integral", f"an integral of {card}", "evil", card)
    assert [decided(policy, text).rule for text in asked] == [
        "sums",
        "sums/jailbreak",
        "sums/pii",
        "default",
        "default",
    ]
    assert decided(policy, "an evil integral", model="gpt").status == 403


def test_guard_that_early_routers_had_everywhere_is_told() -> None:
    source = {"default_model": "small", "prompt_guard": {"enabled": True}, "decisions": [decision("a")]}
    assert list(reasons(translate(source))) == ["prompt_guard.enabled"]


def test_layout_of_categories_is_read() -> None:
    pytest.importorskip("yaml")
    found = translate(CATEGORIES)
    assert list(reasons(found)) == ["categories[1].system_prompt"]
    policy = rk.Policy.from_dict(found.policy)
    models = [decided(policy, text).model for text in ("an integral", "a lawsuit", "hello")]
    assert models == ["best", "lawyer", "small"]
    assert decided(policy, "an evil integral", model="gpt").status == 403


@pytest.mark.parametrize(("text", "auto"), [(FLAT, "pick"), (COMMAND_LINE, "MoM")])
def test_older_layouts_with_decisions_are_read(text: str, auto: str, tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    (tmp_path / "old.yaml").write_text(text)
    policy = rk.Policy.from_vllm_sr(tmp_path / "old.yaml")
    assert policy == rk.Policy.from_vllm_sr(text)
    models = [decided(policy, t, model=auto).model for t in ("urgent integral", "an integral", "hello")]
    assert models == ["quick", "best", "small"]


def test_command_prints_a_policy_that_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("yaml")
    source = tmp_path / "router.yaml"
    source.write_text(CATEGORIES)
    assert main(["import-vllm-sr", str(source)]) == 2
    assert "categories[1].system_prompt" in capsys.readouterr().err
    assert main(["import-vllm-sr", "--leave-out", str(source)]) == 0
    shown = capsys.readouterr()
    (tmp_path / "policy.json").write_text(shown.out)
    assert rk.Policy.load(tmp_path / "policy.json") == rk.Policy.from_dict(translate(source).policy)
    assert "lost: categories[1].system_prompt" in shown.err
