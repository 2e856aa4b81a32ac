"""Policies made in code: which conditions, rules and actions are refused, how they show, and what `check` finds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import routekit as rk
from routekit import embedded
from routekit.testing import FakeClassifier

jailbreak, domain, pii = rk.signal("jailbreak"), rk.signal("domain"), rk.signal("pii")


# Rules and expressions.


@pytest.mark.parametrize(
    ("when", "text"),
    [
        (~(domain["a == b"] >= 0.5), "~domain['a == b'] >= 0.5"),
        (rk.header("a == b") != "c == d", "header:a == b != 'c == d'"),
        (~(rk.header("x\x1b[2J") == True), "~header:x\\x1b[2j"),  # noqa: E712
        (rk.header("x") != 1.0, "header:x != 1.0"),
    ],
)
def test_condition_is_written_as_it_reads(when: rk.Expression, text: str) -> None:
    assert repr(when) == text


def test_truth_value_of_a_condition_is_an_error() -> None:
    with pytest.raises(rk.UsageError, match=r"combine conditions with & \| ~"):
        _ = (jailbreak >= 0.9) and (domain == "math")
    with pytest.raises(rk.UsageError, match=r"combine conditions with & \| ~"):
        _ = 0.1 <= jailbreak <= 0.9
    with pytest.raises(rk.UsageError, match="compare it first"):
        _ = not jailbreak
    with pytest.raises(rk.UsageError, match="compare a signal with something first"):
        _ = (jailbreak >= 0.9) & jailbreak  # type: ignore[operator]


def test_in_and_iteration_of_a_signal_are_errors() -> None:
    with pytest.raises(rk.UsageError, match="compare it: =="):
        _ = "math" in domain
    with pytest.raises(TypeError, match="not iterable"):
        list(domain)  # type: ignore[call-overload]
    with pytest.raises(rk.PolicyError, match="not in a list"):
        _ = domain == ["math", "law"]


def test_misspelled_label_is_answered_with_the_nearest() -> None:
    card = rk.Rule("card", rk.signal("pii").any_of("creditcard"), rk.Keep())
    policy = rk.Policy([card], default=rk.RouteTo("general", redact=("EMAIL",)))
    messages = [finding.message for finding in policy.check()]
    assert "did you mean 'CREDIT_CARD'? its labels: " in messages[0]
    assert "did you mean 'EMAIL_ADDRESS'? the labels of 'pii': " in messages[1]


@pytest.mark.parametrize("label", ["PERSON", "STREET_ADDRESS"])
@pytest.mark.parametrize("lack", [None, embedded.Lack("it is not installed", "run: install it")])
def test_label_of_the_encoder_that_is_not_asked_says_so(
    label: str, lack: embedded.Lack | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "missing", lambda: lack)
    policy = rk.Policy([rk.Rule("a", rk.signal("pii").any_of(label), rk.Keep())], rk.RouteTo("b", redact=(label,)))
    why = f"and {lack.what}; {lack.remedy}; " if lack else "which this classifier does not ask; "
    messages = [finding.message for finding in policy.check([rk.PatternPiiClassifier()])]
    assert len(messages) == 2
    assert all(
        f"'{label}'" in message and f"only the embedded encoder finds it, {why}" in message for message in messages
    )


def test_label_that_the_encoder_has_off_says_so() -> None:
    policy = rk.Policy([], rk.RouteTo("general", redact=("ORGANIZATION",)))
    assert "errs too often about it, so it is off; the labels" in policy.check()[0].message


@pytest.mark.parametrize("threshold", [float("nan"), float("inf"), "0.9", None, True])
def test_threshold_that_is_no_number_is_refused(threshold: float) -> None:
    with pytest.raises(rk.PolicyError, match="finite number"):
        _ = jailbreak >= threshold
    with pytest.raises(rk.PolicyError, match="finite number"):
        _ = domain["math"] >= threshold


@pytest.mark.parametrize("threshold", [-0.1, 1.1])
def test_threshold_outside_of_probabilities_is_refused(threshold: float) -> None:
    with pytest.raises(rk.PolicyError, match="0 to 1"):
        _ = domain["math"] >= threshold
    with pytest.raises(rk.PolicyError, match="0 to 1"):
        rk.Policy([rk.Rule("r", jailbreak >= threshold, rk.Block())], rk.Keep())


def test_rules_of_one_name_are_refused() -> None:
    one = rk.Rule("r", jailbreak.fires(), rk.Block())
    with pytest.raises(rk.PolicyError, match="two rules are named 'r'"):
        rk.Policy([one, one], rk.Keep())


def test_rule_without_a_condition_is_refused() -> None:
    with pytest.raises(rk.PolicyError, match="when is a bool"):
        rk.Rule("r", domain["math"] == 0.5, rk.Block())  # type: ignore[arg-type, comparison-overlap]
    with pytest.raises(rk.PolicyError, match="then is a str"):
        rk.Rule("r", jailbreak.fires(), "general")  # type: ignore[arg-type]
    with pytest.raises(rk.PolicyError, match="allowed is any text"):
        rk.Rule("default", jailbreak.fires(), rk.Block())


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: rk.RouteTo(""), "the model is empty"),
        (lambda: rk.RouteTo("g", pool=""), "the pool is empty"),
        (lambda: rk.RouteTo("g", redact="CREDIT_CARD"), "redact is a str; allowed: a tuple of PII labels"),  # type: ignore[arg-type]
        (lambda: rk.RouteTo("g", compress_to=0), "compress_to is 0; allowed: a number of tokens over 0"),
        (lambda: rk.Keep(redact="CREDIT_CARD"), "redact is a str"),  # type: ignore[arg-type]
        (lambda: rk.Keep(compress_to=True), "compress_to is True"),
    ],
)
def test_action_that_cannot_be_carried_out_is_refused_when_it_is_made(
    action: Callable[[], rk.Action], message: str
) -> None:
    with pytest.raises(rk.ConfigError, match=message):
        action()


def test_on_error_may_not_name_a_rule_that_redacts() -> None:
    redacting = rk.Rule("safe", pii.any(), rk.RouteTo("x", redact=("CREDIT_CARD",)))
    with pytest.raises(rk.PolicyError, match="redacts"):
        rk.Policy([redacting], rk.Keep(), {"pii": "safe"})


# check().


FAKES = [
    FakeClassifier("jailbreak", {}),
    FakeClassifier("domain", {"math": {}, "law": {}}, positive=()),
    FakeClassifier("pii", {"CREDIT_CARD": {}, "US_SSN": {}}, multi_label=True),
]


def messages(*rules: rk.Rule) -> list[str]:
    return [finding.message for finding in rk.Policy(rules, rk.Keep()).check(FAKES)]


def named(name: str, when: rk.Expression) -> rk.Rule:
    return rk.Rule(name, when, rk.Block())


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([named("a", (jailbreak >= 0.9) & (jailbreak < 0.5))], "'a' can never fire: its condition contradicts itself"),
        ([named("a", (domain == "math") & (domain == "law"))], "'a' can never fire: its condition contradicts itself"),
        ([named("a", jailbreak >= 0), named("b", pii.any())], "'b' can never fire: rule 'a', before it, always holds"),
        ([named("a", jailbreak >= 0.5), named("b", jailbreak >= 0.9)], "rule 'a', before it, holds whenever it does"),
        ([named("a", pii.any()), named("b", pii.any() & (jailbreak >= 0.9))], "rule 'a', before it, holds whenever"),
        ([named("a", rk.signal("context_tokens") > 10), named("b", rk.signal("context_tokens") > 99)], "'b' can never"),
        ([named("a", rk.signal("context_tokens") < 0)], "contradicts itself"),
    ],
)
def test_check_finds_rules_that_can_never_fire(rules: list[rk.Rule], message: str) -> None:
    found = messages(*rules)
    assert len(found) == 1
    assert message in found[0]


def test_check_does_not_suspect_rules_that_can_fire() -> None:
    assert not messages(
        named("a", jailbreak >= 0.9),
        named("b", (jailbreak >= 0.5) & (rk.header("x") == "gold")),
        named("c", (rk.header("x") != "gold") & ~(rk.header("x") == "silver")),
        named("d", (rk.signal("context_tokens") > 10) & (rk.signal("context_tokens") < 20)),
        named("e", (domain["math"] >= 0.4) & (domain["law"] >= 0.4)),
    )


def test_check_does_not_count_shadow_rules_as_winners() -> None:
    shadow = rk.Rule("a", jailbreak >= 0.5, rk.Block(), shadow=True)
    assert not messages(shadow, named("b", jailbreak >= 0.9))


def test_check_reports_what_is_not_used() -> None:
    policy = rk.Policy([], rk.Keep(), {"domain": "skip"}, keywords={"names": ["x"]}, patterns={"id": "x"})
    assert [finding.severity for finding in policy.check()] == ["warning"] * 3


def test_check_reports_labels_and_signals_that_nobody_has() -> None:
    policy = rk.Policy([named("a", domain == "maths"), named("b", rk.signal("mood") >= 0.5)], rk.Keep(redact=("X",)))
    found = policy.check(FAKES)
    assert {finding.severity for finding in found} == {"error"}
    assert [finding.rule for finding in found] == [None, "a", "default"]
    assert "nobody provides the signal 'mood'" in found[0].message
    assert "its labels: 'law', 'math', 'none'" in found[1].message


def test_policy_shows_itself_escaped() -> None:
    html = rk.Policy([named("<script>", rk.header("<b>") == "<i>")], rk.Keep())._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert "<i>" not in html
