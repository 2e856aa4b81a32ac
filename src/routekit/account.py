"""The account that a decision gives of its deliberation: rules, signals, what was read and what it cost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from routekit.decision import Decision
from routekit.deliberation import Deliberation
from routekit.errors import plain, quoted
from routekit.expressions import Comparison, Scalar
from routekit.kleene import TRUE, Results
from routekit.program import CompiledRule, Outcome, Program
from routekit.signals import family
from routekit.states import ClassifierTraits, State, Verdict
from routekit.trace import LateTuple, RuleTrace, SignalTrace, Trace
from routekit.trace import Outcome as RuleOutcome

#: A rule that asks for more labels of one signal is shown with so many, the likeliest.
MAX_LABELS = 3


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
    read = [f"{plain(key)}: {_met(asked, states.get(key), program)}" for key, asked in tests.items()]
    return f"{rule.when!r}  [{'; '.join(read)}]"


def _met(tests: Sequence[Comparison], state: State | None, program: Program) -> str:
    """Say what a rule met in one signal: of a classifier, P of the labels that the rule asked for."""
    key = tests[0].signal
    said = summary(key, state, program)
    asked = dict.fromkeys(str(label) for test in tests for label in _labels_of(test))
    if not asked or not isinstance(state, Verdict):
        return said
    traits = program.traits[key]
    if traits.multi_label and all(test.op == "ran" or _labels_of(test) for test in tests):
        return _labels_met(asked, state, traits.threshold if any(test.op == "in" for test in tests) else None)
    found = _probabilities([label for label in asked if label not in _shown(state, traits)], state)
    return f"{said}, {found}" if found else said


def _labels_met(asked: Iterable[str], state: Verdict, threshold: float | None) -> str:
    found = _probabilities(asked, state)
    if state.prediction is not None:
        return found if threshold is None else f"{found} (threshold {threshold:.3f})"
    known = [found] if found else []
    return ", ".join([*known, *(["failed"] if state.failed is not None else [])]) or "no bound yet"


def _labels_of(test: Comparison) -> tuple[Scalar, ...]:
    if test.label is not None:
        return (test.label,)
    return test.operand if isinstance(test.operand, tuple) else ()


def _shown(state: Verdict, traits: ClassifierTraits) -> Collection[str]:
    """The labels of which `summary` gives P."""
    if traits.positive:
        return traits.positive if len(traits.positive) == 1 else ()
    return () if state.prediction is None else (state.prediction.label,)


def _probabilities(labels: Iterable[str], state: Verdict) -> str:
    """Give P of the likeliest of some labels, or what is known of it so far."""
    if state.prediction is not None:
        known, sign = {label: state.prediction.probabilities[label] for label in labels}, ""
    else:
        known, sign = {label: p for label in labels if (p := state.lower.get(label, 0.0))}, "at least "
    likeliest = sorted(known, key=lambda label: -known[label])[:MAX_LABELS]
    return ", ".join(f"P({plain(label)}) {sign}{known[label]:.3f}" for label in likeliest)


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


def summary(key: str, state: State | None, program: Program) -> str:
    """Say what is known of a signal; values of metadata are the caller's secrets and are not shown."""
    if state is None:
        return "not read"
    if isinstance(state, Verdict):
        return _verdict_summary(key, state, program)
    if state.failed is not None:
        return "failed"
    if not state.final:
        return f"at least {state.lower:g}"
    if state.value is None:
        return "missing"
    if family(key) in ("header", "metadata"):
        return "given"
    return quoted(state.value) if isinstance(state.value, str) else str(state.value)


def _verdict_summary(key: str, state: Verdict, program: Program) -> str:
    traits, prediction = program.traits[key], state.prediction
    if prediction is not None and not traits.positive:
        return f"{quoted(prediction.label)}, P {prediction.probabilities[prediction.label]:.3f}"
    hit = f"P({plain(next(iter(traits.positive)))})" if len(traits.positive) == 1 else "P of a hit"
    if prediction is not None:
        threshold = traits.threshold if prediction.threshold is None else prediction.threshold
        p = traits.positive_probability(prediction.probabilities)
        return f"{quoted(prediction.label)}, {hit} {p:.3f} (threshold {threshold:.3f})"
    bound = traits.positive_probability(state.lower)
    known = [f"{hit} at least {bound:.3f}"] if bound else []
    return ", ".join([*known, *(["failed"] if state.failed is not None else [])]) or "no bound yet"
