"""Words for what is known of a signal, and for what a rule met in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from routekit.errors import plain, quoted
from routekit.expressions import Comparison, Scalar
from routekit.program import Program
from routekit.signals import family
from routekit.states import ClassifierTraits, State, Verdict

#: A rule that asks for more labels of one signal is shown with so many, the likeliest.
MAX_LABELS = 3


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
    return _so_far(f"{hit} at least {bound:.3f}" if bound else "", state)


def _so_far(known: str, state: Verdict) -> str:
    """Say what is known of a signal without a prediction."""
    return ", ".join(filter(None, (known, "failed" if state.failed is not None else ""))) or "no bound yet"


def met(tests: Sequence[Comparison], state: State | None, program: Program) -> str:
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
    return _so_far(found, state)


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
