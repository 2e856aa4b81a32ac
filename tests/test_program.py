"""The compiled policy against a plain evaluation of every completion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routekit as rk
from routekit.decision import Action, Block, Keep
from routekit.expressions import Comparison, Expression
from routekit.kleene import TRUE, Chain, conjunction
from routekit.policy import Policy
from routekit.policy_check import _never_firing
from routekit.program import FAILED_STATUS, Outcome, Program, compiled
from routekit.states import ClassifierTraits, State, Value, Verdict, truth

TRAITS = {
    "attack": ClassifierTraits(frozenset({"hit", "none"}), frozenset({"hit"}), threshold=0.5),
    "topic": ClassifierTraits(frozenset({"math", "law", "other"}), frozenset(), threshold=0.5),
    "pii": ClassifierTraits(frozenset({"CARD", "MAIL", "none"}), frozenset({"CARD", "MAIL"}), 0.5, multi_label=True),
}
GRID = (0.0, 0.4, 0.6, 1.0)
THRESHOLDS = (0.3, 0.5, 0.9)
Completion = Mapping[str, State]


# A plain evaluation, written from the definition alone.


def plain_truth(when: Expression, states: Completion) -> tuple[bool | None, set[str]]:
    """Kleene truth, and the signals that left it unknown."""
    if when.test is not None:
        held = truth(when.test, states[when.test.signal], TRAITS.get(when.test.signal))
        return held, (set() if held is not None else {when.test.signal})
    if when.op == "not":
        held, blame = plain_truth(when.parts[0], states)
        return (None if held is None else not held), blame
    decisive = when.op == "any"
    parts = [plain_truth(part, states) for part in when.parts]
    if any(held is decisive for held, _ in parts):
        return decisive, set()
    if all(held is not None for held, _ in parts):
        return not decisive, set()
    return None, set().union(*(blame for held, blame in parts if held is None))


def plain_outcome(policy: Policy, states: Completion) -> Outcome:
    for rule in policy.rules:
        if rule.shadow:
            continue
        held, blame = plain_truth(rule.when, states)
        if held is not False and held is not True:
            remedies = {policy.remedy(signal) for signal in blame}
            named = [r.name for r in policy.rules if r.name in remedies]
            if "block" in remedies:
                status = rule.then.status if isinstance(rule.then, Block) else FAILED_STATUS
                return Outcome("block", None, None, rule.name, status)
            if named:
                return Outcome.of(named[0], policy.action_of(named[0]))
        if held:
            return Outcome.of(rule.name, rule.then)
    return Outcome.of("default", policy.default)


# Random policies over three classifiers and three values.


def comparisons() -> st.SearchStrategy[Expression]:
    attack, topic, pii = rk.signal("attack"), rk.signal("topic"), rk.signal("pii")
    tokens, model, tier = rk.signal("context_tokens"), rk.signal("model"), rk.header("tier")
    fixed = [attack.fires(), topic == "math", topic["law"] >= 0.5, pii.any(), pii.any_of("CARD"), pii["MAIL"] > 0.5]
    fixed += [model != "auto", model == "big", tier == "gold", rk.keywords("names"), rk.pattern("id")]
    ordered = [attack >= t for t in THRESHOLDS] + [attack < 0.5, tokens > 100, tokens <= 500, topic["math"] <= 0.3]
    return st.sampled_from(fixed + ordered)


def expressions(depth: int = 2) -> st.SearchStrategy[Expression]:
    return st.recursive(
        comparisons(),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda pair: pair[0] & pair[1]),
            st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
            inner.map(lambda part: ~part),
        ),
        max_leaves=3,
    )


ACTIONS: list[Action] = [rk.Block(403), rk.Block(451), rk.RouteTo("big"), rk.RouteTo("small", pool="p"), rk.Keep()]


@st.composite
def policies(draw: st.DrawFn, *, named_remedies: bool = True) -> Policy:
    n = draw(st.integers(1, 4))
    shadow = [draw(st.booleans()) and draw(st.booleans()) for _ in range(n)]
    rules = [rk.Rule(f"r{i}", draw(expressions()), draw(st.sampled_from(ACTIONS)), shadow=shadow[i]) for i in range(n)]
    remedies = ["block", "skip"] + [f"r{i}" for i in range(n) if named_remedies and not shadow[i]]
    signals = draw(st.sets(st.sampled_from(["attack", "topic", "pii", "pattern"])))
    on_error = {signal: draw(st.sampled_from(remedies)) for signal in sorted(signals)}
    default = draw(st.sampled_from(ACTIONS))
    return rk.Policy(rules, default, on_error, keywords={"names": ["x"]}, patterns={"id": "x"})


def verdicts(key: str) -> list[State]:
    """Predictions that stand for all, and failures before and after a bound."""
    if key == "attack":
        pairs = [{"hit": p, "none": 1 - p} for p in GRID]
        whole = [Verdict({}, rk.Prediction(label, p)) for p in pairs for label in ("hit", "none")]
        return [*whole, *(Verdict({"hit": p}, failed="E") for p in GRID)]
    if key == "topic":
        triples = [(m, law) for m in (0.0, 0.25, 0.4, 0.6) for law in (0.0, 0.4, 0.6) if m + law <= 1]
        made = [{"math": m, "law": law, "other": 1 - m - law} for m, law in triples]
        whole = [Verdict({}, rk.Prediction(label, p)) for p in made for label in ("math", "law", "other")]
        return [*whole, Verdict(failed="E"), Verdict({"law": 0.6}, failed="E"), Verdict({"math": 0.4}, failed="E")]
    both = [{"CARD": c, "MAIL": m, "none": 1 - max(c, m)} for c in (0.0, 0.7) for m in (0.0, 0.5, 0.7)]
    whole = [Verdict({}, rk.Prediction(max(p, key=lambda label: p[label]), p)) for p in both]
    return [*whole, *(Verdict({"CARD": c, "MAIL": m}, failed="E") for c in (0.0, 0.7) for m in (0.0, 0.7))]


def values(key: str) -> list[State]:
    options: dict[str, list[object]] = {
        "context_tokens": [0, 101, 500, 9999],
        "model": ["auto", "big", None],
        "header:tier": ["gold", None],
        "keywords:names": [True, False],
        "pattern:id": [True, False],
    }
    known: list[State] = [Value(v, final=True) for v in options[key]]  # type: ignore[arg-type]
    return [*known, Value(failed="TimeoutError")] if key.startswith("pattern") else known


def finals(key: str) -> list[State]:
    return verdicts(key) if key in TRAITS else values(key)


def partials(key: str) -> st.SearchStrategy[State | None]:
    """Nothing, a bound, or the end."""
    bounds: list[State | None] = []
    if key == "attack":
        bounds = [Verdict({"hit": p}) for p in GRID]
    elif key == "topic":
        bounds = [Verdict({"law": 0.6}), Verdict({"math": 0.25})]
    elif key == "pii":
        bounds = [Verdict({"CARD": 0.7}), Verdict({"MAIL": 0.7})]
    elif key == "context_tokens":
        bounds = [Value(lower=101), Value(lower=9999)]
    return st.one_of(st.none(), st.sampled_from([None, *bounds]), st.sampled_from(finals(key)))


def completions(key: str, partial: State | None) -> list[State]:
    """All final states that a partial one can still become."""
    if partial is None:
        return finals(key)
    if partial.final or partial.failed is not None:
        return [partial]
    if isinstance(partial, Value):
        return [state for state in finals(key) if isinstance(state, Value) and float(state.value or 0) >= partial.lower]
    return [state for state in finals(key) if isinstance(state, Verdict) and _above(state, partial)]


def _above(state: Verdict, partial: Verdict) -> bool:
    known = state.lower if state.prediction is None else state.prediction.probabilities
    return all(known.get(label, 0.0) >= bound for label, bound in partial.lower.items())


def results_of(program: Program, states: Mapping[str, State | None]) -> list[int]:
    results = list(program.start)
    for key, groups in program.asked.items():
        state = states[key]
        if state is None:
            continue
        for questions in groups:
            here = slice(questions.start, questions.start + len(questions.comparisons))
            results[here] = questions.results(state, program.traits.get(key))
    return results


def every_completion(program: Program, partial: Mapping[str, State | None]) -> Iterator[Completion]:
    keys = list(program.asked)
    for chosen in product(*(completions(key, partial[key]) for key in keys)):
        yield dict(zip(keys, chosen, strict=True))


def n_completions(program: Program, partial: Mapping[str, State | None]) -> int:
    n = 1
    for key in program.asked:
        n *= len(completions(key, partial[key]))
    return n


@given(policies(), st.data())
def test_verdict_on_final_states_is_the_plain_evaluation(policy: Policy, data: st.DataObject) -> None:
    program = compiled(policy, TRAITS)
    states = {key: data.draw(st.sampled_from(finals(key)), key) for key in program.asked}
    assert program.verdict(results_of(program, states)) == plain_outcome(policy, states)


@settings(max_examples=120, deadline=None)
@given(policies(), st.data())
def test_early_verdict_is_that_of_every_completion(policy: Policy, data: st.DataObject) -> None:
    program = compiled(policy, TRAITS)
    partial = {key: data.draw(partials(key), key) for key in program.asked}
    verdict = program.verdict(results_of(program, partial))
    if isinstance(verdict, Outcome) and n_completions(program, partial) < 500:
        assert {plain_outcome(policy, states) for states in every_completion(program, partial)} == {verdict}


def _reads_each_signal_once(policy: Policy) -> bool:
    rules = [[test.signal for test in rule.when.comparisons()] for rule in policy.rules]
    return all(len(set(keys)) == len(keys) for keys in rules)


@settings(max_examples=120, deadline=None)
@given(policies(named_remedies=False).filter(_reads_each_signal_once), st.data())
def test_open_verdict_has_completions_that_differ(policy: Policy, data: st.DataObject) -> None:
    program = compiled(policy, TRAITS)
    partial = {key: data.draw(partials(key), key) for key in program.asked}
    verdict = program.verdict(results_of(program, partial))
    if not isinstance(verdict, Outcome) and n_completions(program, partial) < 500:
        assert len({plain_outcome(policy, states) for states in every_completion(program, partial)}) > 1
        assert list(verdict.rule.condition.wanted(results_of(program, partial)))


@given(policies(), st.data())
def test_rule_that_check_says_can_never_fire_never_holds_first(policy: Policy, data: st.DataObject) -> None:
    suspects = {finding.rule for finding in _never_firing(policy.rules)}
    program = compiled(policy, TRAITS)
    states = {key: data.draw(st.sampled_from([s for s in finals(key) if s.final]), key) for key in program.asked}
    outcome = plain_outcome(policy, states)
    assert outcome.rule not in suspects


@given(st.lists(st.sets(st.sampled_from([1, 2, 4, 8]), min_size=1), min_size=1, max_size=4))
def test_conjunction_of_sets_holds_every_pairwise_maximum(sets: list[set[int]]) -> None:
    expected = {max(chosen) for chosen in product(*sets)}
    assert conjunction([sum(s) for s in sets]) == sum(expected)


def test_conjunction_of_nothing_is_true() -> None:
    assert conjunction([]) == TRUE


def test_negation_keeps_the_unknown() -> None:
    chain = Chain(("skip", "block"))
    assert chain.negated(TRUE | chain.unknown("skip")) == chain.false | chain.unknown("skip")


def test_strictest_remedy_wins() -> None:
    both = (rk.signal("attack") >= 0.9) & (rk.signal("topic") == "law")
    rules = [rk.Rule("safe", rk.signal("model") == "safe", rk.RouteTo("safe")), rk.Rule("r", both, rk.RouteTo("big"))]
    failed: dict[str, State] = {
        "attack": Verdict(failed="E"),
        "topic": Verdict(failed="E"),
        "model": Value("auto", final=True),
    }

    def outcome(attack: str, topic: str) -> Outcome:
        policy = rk.Policy(rules, rk.RouteTo("general"), {"attack": attack, "topic": topic})
        program = compiled(policy, TRAITS)
        verdict = program.verdict(results_of(program, failed))
        assert isinstance(verdict, Outcome)
        return verdict

    assert outcome("skip", "skip").rule == "default"
    assert outcome("skip", "safe") == Outcome("route", "safe", None, "safe", None)
    assert outcome("safe", "block") == Outcome("block", None, None, "r", FAILED_STATUS)


def test_signal_that_on_error_does_not_name_blocks() -> None:
    policy = rk.Policy([rk.Rule("r", rk.signal("attack") >= 0.9, rk.Block(451))], rk.RouteTo("general"))
    program = compiled(policy, TRAITS)
    verdict = program.verdict(results_of(program, {"attack": Verdict(failed="E")}))
    assert verdict == Outcome("block", None, None, "r", 451)


def test_failure_after_a_bound_keeps_what_the_bound_decided() -> None:
    policy = rk.Policy([rk.Rule("r", rk.signal("attack") >= 0.9, rk.Block())], rk.RouteTo("x"), {"attack": "skip"})
    program = compiled(policy, TRAITS)
    verdict = program.verdict(results_of(program, {"attack": Verdict({"hit": 0.95}, failed="E")}))
    assert isinstance(verdict, Outcome)
    assert verdict.action == "block"


@pytest.mark.parametrize("then", [rk.RouteTo("big", redact=("CARD",)), rk.Keep(redact=("CARD",))])
@pytest.mark.parametrize("remedy", ["skip", "block"])
def test_default_that_redacts_blocks_when_pii_failed(then: Action, remedy: str) -> None:
    program = compiled(rk.Policy([], then, {"pii": remedy}), TRAITS)
    verdict = program.verdict(results_of(program, {"pii": Verdict(failed="E")}))
    assert verdict == Outcome("block", None, None, "default", FAILED_STATUS)


def test_rule_that_redacts_is_passed_when_pii_failed_and_on_error_skips() -> None:
    rule = rk.Rule("r", rk.signal("model") == "big", rk.RouteTo("big", redact=("CARD",)))
    program = compiled(rk.Policy([rule], rk.Block(503), {"pii": "skip"}), TRAITS)
    states: dict[str, State] = {"pii": Verdict(failed="E"), "model": Value("big", final=True)}
    verdict = program.verdict(results_of(program, states))
    assert isinstance(verdict, Outcome)
    assert verdict.rule == "default"


def test_keep_is_an_action() -> None:
    assert Outcome.of("r", Keep(pool="p")) == Outcome("keep", None, "p", "r", None)


def test_truth_of_missing_values() -> None:
    missing = Value(None, final=True)
    assert truth(Comparison("header:x", "in", ("gold",)), missing, None) is False
    assert truth(Comparison("header:x", "<", 5), missing, None) is False
    assert truth(Comparison("header:x", ">=", 5), Value("7", final=True), None) is True
    assert truth(Comparison("header:x", "in", (7,)), Value("7", final=True), None) is True
    assert truth(Comparison("header:x", "in", ("7",)), Value(7, final=True), None) is False
    assert truth(Comparison("metadata:x", "in", (True,)), Value(True, final=True), None) is True
    assert truth(Comparison("metadata:x", "in", (True,)), Value("true", final=True), None) is False
    assert truth(Comparison("header:x", ">=", 5), Value("many", final=True), None) is False
    assert truth(Comparison("header:x", ">=", 5), Value(float("nan"), final=True), None) is False
