"""The account that a decision gives of its deliberation: rules, signals, what was read and what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from routekit.decision import Decision
from routekit.deliberation import Deliberation
from routekit.errors import plain
from routekit.expressions import Comparison
from routekit.kleene import TRUE, Results
from routekit.program import CompiledRule, Outcome, Program
from routekit.signals import family
from routekit.state_words import met, summary
from routekit.states import State, Verdict
from routekit.trace import LateTuple, RuleTrace, SignalTrace, Trace
from routekit.trace import Outcome as RuleOutcome


def decision_of(deliberation: Deliberation, outcome: Outcome, *, early: bool) -> Decision:
    """Put an outcome and what is known into a decision."""
    program, results, states = deliberation.plan.program, tuple(deliberation.results), dict(deliberation.states)
    seconds = dict(deliberation.seconds)
    predictions = {
        key: state.prediction
        for key, state in states.items()
        if isinstance(state, Verdict) and state.prediction is not None
    }
    trace = Trace(
        rules=LateTuple(lambda: tuple(_rule_traces(program, results, states))),
        signals=LateTuple(lambda: tuple(_signal_traces(program, states, seconds, early=early))),
        shadow=tuple(rule.name for rule in program.watching(results) if rule.test(results) == TRUE),
        transforms=transforms_of(program, outcome),
    )
    tokens = deliberation.estimated_tokens() if "context_tokens" in program.asked else None
    return Decision(*outcome, signals=predictions, early=early, estimated_tokens=tokens, trace=trace)


def transforms_of(program: Program, outcome: Outcome) -> tuple[str, ...]:
    """Name what the deciding action changes in the prompt."""
    if outcome.action == "block":
        return ()
    then = program.policy.action_of(outcome.rule)
    redacted = tuple(f"redact:{label}" for label in getattr(then, "redact", ()))
    cap = getattr(then, "compress_to", None)
    return redacted if cap is None else (*redacted, f"compress_to:{cap}")


def _rule_traces(program: Program, results: Sequence[Results], states: Mapping[str, State]) -> Iterator[RuleTrace]:
    decided = False
    for rule in program.rules:
        possible = rule.test(results)
        outcome: RuleOutcome = "not_reached" if decided else _outcome(program, possible)
        reason = "" if decided else _reason(program, rule, states)
        yield RuleTrace(rule.name, outcome, rule.shadow, reason)
        decided = decided or (not rule.shadow and not possible & program.chain.passing)


def _outcome(program: Program, possible: Results) -> RuleOutcome:
    if possible == TRUE:
        return "true"
    return "false" if possible == program.chain.false else "unknown"


def _reason(program: Program, rule: CompiledRule, states: Mapping[str, State]) -> str:
    if not any(rule.when.comparisons()):
        return "always"
    tests: dict[str, list[Comparison]] = {}
    for test in rule.when.comparisons():
        tests.setdefault(test.signal, []).append(test)
    read = [f"{plain(key)}: {met(asked, states.get(key), program)}" for key, asked in tests.items()]
    return f"{rule.when!r}  [{'; '.join(read)}]"


def _signal_traces(
    program: Program, states: Mapping[str, State], spent: Mapping[str, float], *, early: bool
) -> Iterator[SignalTrace]:
    for key in program.asked:
        state, seconds = states.get(key), spent.get(key, 0.0)
        text = summary(key, state, program)
        yield _signal_trace(key, state, text, seconds, early=early)


def _signal_trace(key: str, state: State | None, text: str, seconds: float, *, early: bool) -> SignalTrace:
    if state is None:
        return SignalTrace(key, "not_run", coverage=None, seconds=seconds)
    if state.failed is not None:
        return SignalTrace(key, "failed", text, coverage=0.0, seconds=seconds, error=state.failed)
    if not state.final:
        return SignalTrace(key, "bounded", text, coverage=None, seconds=seconds)
    prediction = state.prediction if isinstance(state, Verdict) else None
    if prediction is None:
        coverage = None if early and family(key) == "keywords" else 1.0  # found before the text ended
        return SignalTrace(key, "final", text, coverage=coverage, seconds=seconds)
    return SignalTrace(key, "final", text, coverage=prediction.coverage, seconds=seconds, tier=prediction.tier)
