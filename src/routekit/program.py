"""A policy compiled: which outcome it comes to, as soon as that is certain.

`Program.verdict` walks over the rules once. A rule that cannot hold is passed; any other adds what it may do to the
outcomes that are still possible, and the walk goes on only if the rule may be passed. One outcome left: decided.

The outcomes are compared by `(action, model, pool, rule, status)`. The set is never too small, so that a decision
made early or without running a classifier is the one that every completion of the open signals comes to, failures
included. It is exact if no rule reads an open signal twice and no `on_error` names a rule; else it may hold an
outcome too many, and a signal is read that need not have been.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from routekit.decision import Action, Block, Keep
from routekit.expressions import Comparison, Expression
from routekit.kleene import TRUE, Chain, Condition, Results, Test
from routekit.policy import Policy
from routekit.questions import Questions, grouped, holding_of, thresholds_of
from routekit.rule import DEFAULT_RULE
from routekit.signals import can_fail, family
from routekit.states import ClassifierTraits

#: Status of a block that a failed signal caused in a rule that does not block itself: try again later.
FAILED_STATUS = 503


class Outcome(NamedTuple):
    """The five fields of a decision that are promised; `model` is None for ``"keep"`` until the request is known."""

    action: Literal["route", "block", "keep"]
    model: str | None
    pool: str | None
    rule: str
    status: int | None

    @classmethod
    def of(cls, rule: str, then: Action) -> Outcome:
        if isinstance(then, Block):
            return cls("block", None, None, rule, then.status)
        if isinstance(then, Keep):
            return cls("keep", None, then.pool, rule, None)
        return cls("route", then.model, then.pool, rule, None)


class Open(NamedTuple):
    """No outcome is certain yet; this rule has to be settled first."""

    rule: CompiledRule


@dataclass(frozen=True, slots=True, eq=False)
class CompiledRule:
    """One rule: its condition, what it does, and what it does when failures left it unknown.

    Attributes
    ----------
    test
        The condition's `test`, here for speed.
    on_failure
        Remedy -> outcome; a remedy that is missing passes the rule.
    """

    name: str
    shadow: bool
    when: Expression
    condition: Condition
    test: Test
    outcome: Outcome
    on_failure: Mapping[str, Outcome]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """What one policy and the traits of its classifiers come to; immutable, shared by requests.

    Attributes
    ----------
    rules
        In list order, shadow rules and the default included.
    deciding
        The same without shadow rules.
    comparisons
        Every distinct comparison; the results of a request lie at the same indices.
    asked
        Signal key -> its comparisons, in groups.
    start
        The results before anything is known.
    metadata_keys
        The signals that the caller's metadata answers.
    """

    policy: Policy
    traits: Mapping[str, ClassifierTraits]
    chain: Chain
    rules: tuple[CompiledRule, ...]
    deciding: tuple[CompiledRule, ...]
    comparisons: tuple[Comparison, ...]
    asked: Mapping[str, tuple[Questions, ...]]
    start: tuple[Results, ...]
    metadata_keys: tuple[str, ...]

    def verdict(self, results: Sequence[Results]) -> Outcome | Open:
        """Decide, or name the first rule that has to be settled."""
        false = self.chain.false
        passing = self.chain.passing
        found: Outcome | None = None
        first = self.deciding[-1]
        for rule in self.deciding:
            possible = rule.test(results)
            if possible == false:
                continue
            for outcome in self._outcomes(rule, possible):
                if found is None:
                    found, first = outcome, rule
                elif outcome != found:
                    return Open(first)
            if not possible & passing:
                break
        assert found is not None  # noqa: S101 - the default, last, always has an outcome
        return found

    def reachable(self, results: Sequence[Results]) -> list[str]:
        """List the open signals that some completion still reads to decide."""
        wanted: dict[str, None] = {}
        for rule in self.deciding:
            wanted.update(dict.fromkeys(rule.condition.wanted(results)))
            if not rule.test(results) & self.chain.passing:
                break
        return list(wanted)

    def watching(self, results: Sequence[Results]) -> Iterator[CompiledRule]:
        """Walk over the shadow rules in front of the rule that decides."""
        if len(self.deciding) == len(self.rules):
            return
        for rule in self.rules:
            possible = rule.test(results)
            if rule.shadow:
                yield rule
            elif possible & TRUE or not possible & self.chain.passing:
                return

    def _outcomes(self, rule: CompiledRule, possible: Results) -> Iterator[Outcome]:
        if possible & TRUE:
            yield rule.outcome
        if possible & ~(TRUE | self.chain.false):
            remedies = self.chain.remedies_in(possible)
            yield from (rule.on_failure[remedy] for remedy in remedies if remedy in rule.on_failure)


def compiled(policy: Policy, traits: Mapping[str, ClassifierTraits]) -> Program:
    """Compile a policy for the classifiers at hand; `traits` has every classifier signal of the policy."""
    targets = set(policy.on_error.values()) - {"skip", "block"}
    named = [rule.name for rule in reversed(policy.rules) if rule.name in targets]
    chain = Chain(("skip", *named, "block"))
    conditions = [_condition(rule.when, rule.then) for rule in policy.rules]
    conditions.append(_condition(ALWAYS, policy.default))
    groups = grouped(test for condition in conditions for test in condition.comparisons())
    tests = tuple(test for group in groups for test in group)
    index = {test: i for i, test in enumerate(tests)}
    asked: dict[str, tuple[Questions, ...]] = {}
    for group in groups:
        questions = _questions(group, index[group[0]], policy, chain)
        asked[group[0].signal] = (*asked.get(group[0].signal, ()), questions)
    outcomes = {name: Outcome.of(name, policy.action_of(name)) for name in named}
    rules = []
    for rule, when in zip(policy.rules, conditions[:-1], strict=True):
        rules.append(_compiled_rule(rule.name, rule.shadow, rule.then, chain.compiled(when, index), when, outcomes))
    rules.append(_compiled_default(policy.default, chain.compiled(conditions[-1], index), conditions[-1], outcomes))
    start = tuple(q.open for test in tests for q in asked[test.signal] if test in q.comparisons)
    deciding = tuple(rule for rule in rules if not rule.shadow)
    from_caller = tuple(key for key in asked if family(key) in ("header", "metadata"))
    return Program(policy, traits, chain, tuple(rules), deciding, tests, asked, start, from_caller)


#: The condition of the default: an empty conjunction.
ALWAYS = Expression("all")


def _condition(when: Expression, then: Action) -> Expression:
    """A rule that redacts needs a verdict on PII: where that failed, the rule is unknown, as after any failure."""
    if isinstance(then, Block) or not then.redact:
        return when
    ran = Expression("test", test=Comparison("pii", "ran"))
    return ran if when == ALWAYS else when & ran


def _compiled_rule(
    name: str, shadow: bool, then: Action, condition: Condition, when: Expression, targets: Mapping[str, Outcome]
) -> CompiledRule:
    outcome = Outcome.of(name, then)
    status = then.status if isinstance(then, Block) else FAILED_STATUS
    on_failure = {**targets, "block": Outcome("block", None, None, name, status)}
    return CompiledRule(name, shadow, when, condition, condition.test, outcome, on_failure)


def _compiled_default(
    then: Action, condition: Condition, when: Expression, targets: Mapping[str, Outcome]
) -> CompiledRule:
    """Nothing comes after the default: where PII to be redacted is not known, ``"skip"`` blocks too."""
    rule = _compiled_rule(DEFAULT_RULE, False, then, condition, when, targets)
    return replace(rule, on_failure={**rule.on_failure, "skip": rule.on_failure["block"]})


def _questions(group: tuple[Comparison, ...], start: int, policy: Policy, chain: Chain) -> Questions:
    signal, op = group[0].signal, group[0].op
    failed = chain.unknown(policy.remedy(signal)) if can_fail(signal) else 0
    open_ = failed | TRUE if op == "ran" else failed | TRUE | chain.false
    return Questions(group, start, thresholds_of(group), holding_of(group), open_, failed, chain.false)
