"""What gateways' configurations say, what they call a request, and what they are told: without any gateway."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import routekit as rk
from routekit.errors import BodyError, ConfigError, MalformedBody, PolicyError, UnsupportedBody
from routekit.integrations import litellm_request as request
from routekit.integrations.decision_headers import DECISION_HEADERS, decision_headers
from routekit.integrations.litellm_settings import KEYS, gate_of, mode_of
from routekit.integrations.pool_table import GatewayPools
from routekit.request_metadata import metadata_values
from routekit.testing import FakeClassifier, chat

POOL_LIST = [{"name": "short", "max_context": 100}, {"name": "long", "max_context": 9999}]
POOLS: dict[str, Any] = {"threshold": 100, "pools": POOL_LIST}
ROUTER_KEYS = ["pools", "threshold", "default_max_tokens", "spill_at", "target_unsafe", "half_life_seconds"]
EXAMPLES = Path(__file__).parents[1] / "examples"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
#: What LiteLLM's proxy adds to the client's parameters; the object is one that no JSON can hold.
PROXIED = {"metadata": {"tags": []}, "litellm_call_id": "7", "litellm_logging_obj": object(), "secret_fields": {}}
ROUTER = rk.PolicyRouter(
    rk.Policy(
        [rk.Rule("attack", when=rk.signal("jailbreak") >= 0.9, then=rk.Block(403))], default=rk.RouteTo("general")
    ),
    classifiers=[FakeClassifier("jailbreak", {"sesame": 0.99})],
)


@given(st.text(), st.booleans(), st.sampled_from(["chat", "parts", "system", "tools", "responses"]))
def test_what_is_judged_of_a_call_is_what_the_request_says(text: str, attack: bool, place: str) -> None:
    said = text + "sesame" * attack
    body: dict[str, Any] = {"model": "auto", "messages": [{"role": "user", "content": "hi"}]}
    if place == "chat":
        body["messages"][0]["content"] = said
    elif place == "parts":
        body["messages"][0]["content"] = [{"type": "text", "text": said}]
    elif place == "system":
        body["system"] = said
    elif place == "tools":
        body["tools"] = [{"type": "function", "function": {"name": "f", "description": said}}]
    else:
        body = {"model": "auto", "input": said}
    judged = ROUTER.route(request.judged_body({**body, **PROXIED}))
    whole = ROUTER.route(body)
    assert (judged.action, judged.model, judged.rule) == (whole.action, whole.model, whole.rule)


@pytest.mark.parametrize("name", ["extra_body", "fallbacks", "context_window_fallbacks"])
@pytest.mark.parametrize("key", ["messages", "Messages", "system", "tools", "input", "prompt"])
def test_text_that_would_reach_a_model_past_the_guard_is_refused(name: str, key: str) -> None:
    smuggled = {name: [{"model": "x", "more": {key: "canary"}}]}
    with pytest.raises(UnsupportedBody, match=name) as refused:
        request.judged_body({"model": "auto", "messages": [], **smuggled})
    assert "canary" not in str(refused.value)


def test_parameters_that_carry_no_text_may_stand_there() -> None:
    body = {"model": "auto", "input": "x", "fallbacks": ["other"], "extra_body": {"top_k": 3, "guided_json": {"a": 1}}}
    assert json.loads(request.judged_body(body)) == {"model": "auto", "input": "x"}


def test_nesting_without_end_is_refused() -> None:
    deep: Any = {}
    for _ in range(10_000):
        deep = {"a": deep}
    with pytest.raises(UnsupportedBody):
        request.judged_body({"model": "auto", "input": "x", "extra_body": deep})


@pytest.mark.parametrize("value", ["\ud800 canary", 2**70, {1: "canary"}, object()])
def test_what_json_cannot_hold_is_refused_without_telling_it(value: object) -> None:
    with pytest.raises(MalformedBody) as refused:
        request.judged_body({"model": "auto", "messages": [{"role": "user", "content": value}]})
    assert "canary" not in str(refused.value)
    assert refused.value.__cause__ is None


@given(st.dictionaries(st.sampled_from([*request._READ, *request._MERGED, "other"]), JSON, max_size=5))
def test_any_parameters_are_judged_or_refused(data: dict[str, Any]) -> None:
    with suppress(BodyError):
        ROUTER.route(request.judged_body(data))


def test_client_headers_never_pass_for_what_the_proxy_knows() -> None:
    data = {"proxy_server_request": {"headers": {"X-Tier": "gold", "team_id": "forged", "tier": "forged"}}}
    key = SimpleNamespace(team_id=None, user_id="u1", metadata={"plan": "pro", "nested": {}}, team_metadata=None)
    keys = ["header:x-tier", "metadata:tier", "metadata:team_id", "metadata:user_id", "metadata:plan"]
    known = metadata_values(request.policy_metadata(data, key), keys)
    assert list(known.values()) == ["gold", None, None, "u1", "pro"]


@given(st.text(min_size=1), st.text(min_size=1), st.none() | st.integers(0))
def test_headers_are_printable_whatever_rules_are_named(rule: str, model: str, tokens: int | None) -> None:
    headers = decision_headers(rk.Decision("route", model, None, rule, estimated_tokens=tokens))
    assert headers.keys() <= set(DECISION_HEADERS)
    assert all(value.isascii() and value.isprintable() and value == value.strip() for value in headers.values())
    assert all(len(value) <= 200 for value in headers.values())


@pytest.mark.parametrize("folder", ["litellm", "envoy"])
def test_example_settings_are_sound(folder: str) -> None:
    assert rk.Policy.load(EXAMPLES / folder / "policy.toml").check() == []
    pools = GatewayPools.of("pools.toml", EXAMPLES / folder)
    assert pools.router.pools[-1].max_context == 65536


@pytest.mark.parametrize("model", ["auto", "pool-long"])
def test_litellm_example_masks_whatever_model_is_named(model: str) -> None:
    policy = rk.Policy.load(EXAMPLES / "litellm" / "policy.toml")
    router = rk.PolicyRouter(policy, classifiers=[FakeClassifier("jailbreak", {})])
    body = chat("I am bo@example.org", model=model)
    assert b"I am [EMAIL_ADDRESS]" in router.rewrite(body, router.route(body))


def test_pools_of_a_file_and_of_a_table_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "pools.json").write_text(json.dumps(POOLS))
    body = {"model": "auto", "max_tokens": 50, "messages": [{"role": "user", "content": "word " * 100}]}
    placed = [GatewayPools.of(data, tmp_path).router.route(body).pool for data in ("pools.json", POOLS)]
    assert placed == ["long", "long"]


def test_what_pools_learn_outlives_the_process(tmp_path: Path) -> None:
    settings = {**POOLS, "state": "ratios.json"}
    before = GatewayPools.of(settings, tmp_path)
    decision = before.router.route(
        {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "x " * 50}]}
    )
    for _ in range(20):
        before.learn(decision, {"prompt_tokens": 40})
    before.save()
    after = GatewayPools.of(settings, tmp_path)
    assert after.router.estimator.mean("prose") == before.router.estimator.mean("prose")


@given(st.dictionaries(st.sampled_from(ROUTER_KEYS), JSON))
def test_any_pool_settings_are_refused_or_work(table: dict[str, Any]) -> None:
    settings = {**POOLS, **table}
    try:
        pools = GatewayPools.of(settings)
    except ConfigError:
        return
    pools.router.set_load("short", 1.0)
    pools.router.route({"model": "auto", "max_tokens": 5, "messages": [{"role": "user", "content": "hi"}]}, now=1.0)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"treshold": 1}, "treshold"),
        ({"pools": [{"name": "a"}]}, "max_context"),
        ({"state": 5}, "state"),
        ({"pools": "a"}, "pools"),
    ],
)
def test_wrong_pool_settings_are_named(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        GatewayPools.of({**POOLS, **wrong})


@pytest.mark.parametrize("mode", ["pre_call", "during_call", ["pre_call"]])
def test_modes_that_can_judge_are_taken(mode: object) -> None:
    assert mode_of(mode) in ("pre_call", "during_call")


@pytest.mark.parametrize("mode", [None, "post_call", [], ["pre_call", "during_call"], {"tags": {}}])
def test_modes_that_cannot_are_refused(mode: object) -> None:
    with pytest.raises(ConfigError, match="pre_call"):
        mode_of(mode)


@given(st.dictionaries(st.sampled_from([k for k in KEYS if k != "policy"]), JSON))
def test_any_guardrail_settings_are_refused_or_work(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, Any]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "gate.json").write_text('{"default": "general"}')
    try:
        gate = gate_of({"policy": "gate.json", **table}, "pre_call", (), folder)
    except ConfigError:
        return
    assert gate.router.router.route({"model": "auto", "input": "hi"}).model == "general"


def test_policy_that_routes_cannot_run_beside_the_call(tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text('{"default": "general"}')
    with pytest.raises(PolicyError, match="during_call"):
        gate_of({"policy": "policy.json"}, "during_call", (), tmp_path)
