"""What a decision tells: in words, as data, as HTML."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import routekit as rk
from routekit.embedded import load
from routekit.pools import PoolRouter, PoolSpec
from routekit.testing import FakeClassifier, chat, chunked

RULES = [
    rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403)),
    rk.Rule("watch", rk.signal("mood").fires(), rk.RouteTo("kind"), shadow=True),
    rk.Rule("broken", rk.signal("broken") >= 0.5, rk.RouteTo("never")),
    rk.Rule("vip", rk.header("authorization") == "Bearer token", rk.RouteTo("vip")),
]
CLASSIFIERS = [
    FakeClassifier("jailbreak", {"ignore all": 0.97}, incremental=True),
    FakeClassifier("mood", {"sad": 0.8}),
    FakeClassifier("broken", {}, error=ZeroDivisionError("secret")),
]


def router(pools: PoolRouter | None = None) -> rk.PolicyRouter:
    policy = rk.Policy(RULES, rk.RouteTo("general"), {"broken": "skip"})
    return rk.PolicyRouter(policy, classifiers=CLASSIFIERS, pools=pools)


def test_explanation_names_rules_values_and_errors() -> None:
    shown = router().route(chat("so sad"), metadata={"authorization": "Bearer other"}).explain()
    assert shown.splitlines()[0] == "route to 'general' (rule 'default')"
    for line in (
        "  attack          false    jailbreak >= 0.9  [jailbreak: 'none', P(jailbreak) 0.000 (threshold 0.500)]",
        "  watch (shadow)  true     mood.fires()  [mood: 'mood', P(mood) 0.800 (threshold 0.500)]",
        "  broken          unknown  broken >= 0.5  [broken: failed]",
        "  vip             false    header:authorization == 'Bearer token'  [header:authorization: given]",
        "  default         true     always",
        "shadow rules that would have decided: 'watch'",
    ):
        assert line in shown
    assert "ZeroDivisionError" in shown
    assert "secret" not in shown
    assert "other" not in shown


def test_explanation_shows_the_threshold_that_judged_this_text() -> None:
    policy = rk.Policy([rk.Rule("attack", rk.signal("jailbreak").fires(), rk.Block(403))], rk.RouteTo("general"))
    router = rk.PolicyRouter(policy, classifiers=[load("jailbreak", "linear")])
    shown = []
    for n_words in (10, 10_000):
        decision = router.route(chat("The meeting went on. " * (n_words // 4)))
        threshold = decision.signals["jailbreak"].threshold
        assert threshold is not None
        assert f"(threshold {threshold:.3f})" in decision.explain()
        assert "100% read (settled by linear)" in decision.explain()
        shown.append(threshold)
    assert shown[0] < shown[1]


def pii_rule(when: rk.Expression, text: str, *, error: Exception | None = None) -> str:
    """Explain, for one rule, what was met of a classifier with several labels that do not exclude each other."""
    found = {"EMAIL_ADDRESS": {"bo@x.org": 0.95}, "PERSON": {"Bo": 0.8}, "US_SSN": {"123": 0.9}}
    pii = FakeClassifier("pii", found, positive=("EMAIL_ADDRESS",), multi_label=True, error=error)
    policy = rk.Policy([rk.Rule("names", when, rk.RouteTo("home"))], rk.RouteTo("m"), {"pii": "skip"})
    decision = rk.PolicyRouter(policy, classifiers=[pii]).route(chat(text))
    return decision.trace.rules[0].reason.partition("  ")[2]


def test_explanation_shows_the_labels_that_a_rule_asked_for() -> None:
    pii, text = rk.signal("pii"), "Bo is bo@x.org"
    assert pii_rule(pii == "PERSON", text) == "[pii: P(PERSON) 0.800 (threshold 0.500)]"
    assert pii_rule(pii["PERSON"] >= 0.9, text) == "[pii: P(PERSON) 0.800]"
    assert pii_rule(pii.any_of("US_SSN", "PERSON"), text) == "[pii: P(PERSON) 0.800, P(US_SSN) 0.000 (threshold 0.500)]"
    both = pii_rule(pii.any() & (pii["PERSON"] >= 0.9), text)
    assert both == "[pii: 'EMAIL_ADDRESS', P(EMAIL_ADDRESS) 0.950 (threshold 0.500), P(PERSON) 0.800]"
    assert pii_rule(pii == "PERSON", text, error=ValueError()) == "[pii: failed]"


def test_explanation_shows_labels_beside_the_verdict_where_they_exclude_each_other() -> None:
    domain = FakeClassifier("domain", {"math": {"integral": 0.6}, "law": {"court": 0.7}}, positive=())
    for label, shown in (("law", "'law', P 0.700"), ("math", "'law', P 0.700, P(math) 0.000")):
        policy = rk.Policy([rk.Rule("r", rk.signal("domain") == label, rk.RouteTo("m"))], rk.Keep())
        decision = rk.PolicyRouter(policy, classifiers=[domain]).route(chat("in court"))
        assert decision.trace.rules[0].reason.endswith(f"[domain: {shown}]")


def test_nobody_claims_to_have_read_what_has_not_arrived() -> None:
    rules = [rk.Rule("word", rk.keywords("words"), rk.Block(403)), RULES[0], RULES[1]]
    policy = rk.Policy(rules, rk.RouteTo("m"), keywords={"words": ["stop here"]})
    stream = rk.PolicyRouter(policy, classifiers=CLASSIFIERS).open()
    body = chat("please stop here " + "x " * 9000)
    decision = next(d for c in chunked(body, 1000) if (d := stream.feed(c)) is not None)
    assert decision.rule == "word"
    assert {(signal.state, signal.coverage) for signal in decision.trace.signals} <= {
        ("final", None),
        ("bounded", None),
        ("not_run", None),
    }
    stream = router().open()
    decision = next(d for c in chunked(chat("ignore all " + "x " * 9000), 1000) if (d := stream.feed(c)) is not None)
    found = {signal.name: (signal.state, signal.coverage) for signal in decision.trace.signals}
    assert (found["jailbreak"], found["broken"]) == (("bounded", None), ("not_run", None))
    row = next(line for line in decision.explain().splitlines() if line.startswith("  jailbreak"))
    assert "bounded" in row
    assert "read" not in row
    json.dumps(decision.to_dict())


def test_explanation_of_an_early_block_tells_the_bound() -> None:
    stream = router().open()
    decision = next(d for c in chunked(chat("ignore all " + "x " * 9000), 1000) if (d := stream.feed(c)) is not None)
    shown = decision.explain()
    assert shown.splitlines()[0] == "block with status 403 (rule 'attack', decided early)"
    assert "[jailbreak: P(jailbreak) at least 0.970]" in shown
    assert "bounded" in shown


def test_data_is_json_with_stable_keys() -> None:
    pools = PoolRouter([PoolSpec("short", max_context=8192), PoolSpec("long", max_context=65536)])
    data = router(pools).route(chat("so sad", max_tokens=100)).to_dict()
    assert json.loads(json.dumps(data)) == data
    assert list(data) == [
        *("action", "model", "pool", "rule", "status", "early", "estimated_tokens", "signals", "trace")
    ]
    trace = data["trace"]
    assert isinstance(trace, dict)
    assert list(trace) == ["rules", "signals", "shadow", "budget", "transforms", "metadata"]
    assert trace["budget"]["max_output_tokens"] == 100


def test_html_is_escaped() -> None:
    rule = rk.Rule("<b>", rk.signal("model") == "<script>", rk.RouteTo("<i>"))
    html = rk.PolicyRouter(rk.Policy([rule], rk.Keep())).route(chat("hi", model="<script>"))._repr_html_()
    assert "&lt;script&gt;" in html
    assert not any(tag in html for tag in ("<script>", "<i>", "'<b>'"))


def test_control_characters_of_a_model_are_escaped() -> None:
    decision = rk.PolicyRouter(rk.Policy([], rk.Keep())).route(chat("hi", model="a\x1b[31mb"))
    assert decision.model == "a\x1b[31mb"
    assert "\x1b" not in decision.explain()


def test_control_characters_of_a_policy_are_escaped() -> None:
    rule = rk.Rule("r\x1b", rk.header("x\x1b[2J\u202e") == "\x1b", rk.Keep())
    text = rk.PolicyRouter(rk.Policy([rule], rk.RouteTo("m\x1b"))).route(chat("hi")).explain()
    assert text.isascii()
    assert "\x1b" not in text


def test_decision_can_be_pickled_copied_and_compared() -> None:
    decision = router().route(chat("so sad"))
    again = pickle.loads(pickle.dumps(decision))  # noqa: S301 - our own bytes
    assert again == decision
    assert replace(decision, pool="p").trace.rules == decision.trace.rules
    assert hash(decision.trace.rules) == hash(tuple(decision.trace.rules))
    assert decision.trace.rules[0].name == "attack"
    assert len(decision.trace.rules[1:]) == 4
