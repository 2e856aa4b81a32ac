"""What a signal can still become: states that only narrow, and the truth of a comparison over them.

A comparison is True or False when all remaining values agree, else None. A signal that FAILED keeps what it had
published before: comparisons which that had decided stay decided, so an early decision survives a later failure.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import inf
from numbers import Real
from typing import Literal, TypeAlias, Union, get_args

from routekit.errors import ConfigError, plain, quoted
from routekit.expressions import Comparison, Scalar
from routekit.interfaces import Classifier
from routekit.prediction import Prediction
from routekit.request import Scope


@dataclass(frozen=True, slots=True)
class Value:
    """State of a number, text or flag.

    Attributes
    ----------
    value
        The final value; None is a value too: missing.
    lower
        Lower bound of a number, while not final.
    final
        True once nothing can change.
    failed
        Type name of the error that ended the signal.
    """

    value: Scalar | None = None
    lower: float = 0.0
    final: bool = False
    failed: str | None = None

    def span(self, label: str | None, traits: ClassifierTraits | None) -> tuple[float, float]:
        """Give the least and the largest number that it can still be; NaN for what is missing or no number."""
        if not self.final:
            return self.lower, float("inf")
        number = _number(self.value)
        return (float("nan"), float("nan")) if number is None else (number, number)


@dataclass(frozen=True, slots=True)
class Verdict:
    """State of a classifier: lower bounds of P(label) until its prediction is there."""

    lower: Mapping[str, float] = field(default_factory=dict)
    prediction: Prediction | None = None
    failed: str | None = None

    @property
    def final(self) -> bool:
        return self.prediction is not None

    def span(self, label: str | None, traits: ClassifierTraits | None) -> tuple[float, float]:
        """Give the least and the largest P of a label, or of the positive labels, that it can still come to."""
        known = self.lower if self.prediction is None else self.prediction.probabilities
        p = known.get(label, 0.0) if label is not None else traits.positive_probability(known) if traits else 0.0
        return p, (1.0 if self.prediction is None else p)


State: TypeAlias = Union[Value, Verdict]


@dataclass(frozen=True, slots=True)
class ClassifierTraits:
    """What a comparison needs to know of a classifier; see `interfaces.Classifier` for the fields."""

    labels: frozenset[str]
    positive: frozenset[str]
    threshold: float = 0.5
    multi_label: bool = False

    @classmethod
    def of(cls, classifier: Classifier) -> ClassifierTraits:
        """Read the attributes of a classifier.

        Raises
        ------
        ConfigError
            If one is not what `interfaces.Classifier` says; a misspelt scope would leave text unread.
        """
        labels, positive = classifier.labels, getattr(classifier, "positive", ())
        threshold, cost = getattr(classifier, "threshold", 0.5), getattr(classifier, "cost", 1.0)
        scope = getattr(classifier, "scope", "all")
        _require(_are_texts(labels) and len(labels) > 0, classifier, "labels", labels, "texts, at least one")
        _require(
            _are_texts(positive) and set(positive) <= set(labels), classifier, "positive", positive, "of its labels"
        )
        _require(_is_number(threshold) and 0 <= threshold <= 1, classifier, "threshold", threshold, "0 to 1")
        _require(_is_number(cost) and 0 <= cost < inf, classifier, "cost", cost, "numbers from 0")
        _require(scope in get_args(Scope), classifier, "scope", scope, ", ".join(get_args(Scope)))
        multi_label = bool(getattr(classifier, "multi_label", False))
        return cls(frozenset(labels), frozenset(positive), float(threshold), multi_label)

    def positive_probability(self, probabilities: Mapping[str, float]) -> float:
        """P that some positive label applies: the sum over labels that exclude each other, else the maximum."""
        found = [probabilities.get(label, 0.0) for label in self.positive]
        return max(found, default=0.0) if self.multi_label else min(1.0, sum(sorted(found)))


def _require(holds: bool, classifier: Classifier, attribute: str, value: object, allowed: str) -> None:
    if not holds:
        where = f"{attribute} of classifier {quoted(str(classifier.name))}"
        raise ConfigError(f"{where} is {plain(repr(value)[:120])}; allowed: {allowed}")


def _are_texts(values: object) -> bool:
    if isinstance(values, str) or not isinstance(values, Collection):
        return False
    return all(isinstance(value, str) for value in values)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def truth(test: Comparison, state: State, traits: ClassifierTraits | None) -> bool | None:
    """Tell whether a comparison holds for every value (True), for none (False), or for some (None) that remain."""
    if test.op == "ran":
        return True if state.final else None
    if isinstance(state, Value):
        return _truth_of_value(test, state)
    assert traits is not None  # noqa: S101 - a Verdict comes from a classifier, which has traits
    return _truth_of_verdict(test, state, traits)


def _truth_of_value(test: Comparison, state: Value) -> bool | None:
    if test.op == "in":
        if not state.final:
            return None
        return state.value is not None and any(_equal(state.value, wanted) for wanted in _values(test))
    low, high = state.span(None, None)
    return ordered(test.op, _threshold(test), low, high)


def _truth_of_verdict(test: Comparison, state: Verdict, traits: ClassifierTraits) -> bool | None:
    if test.op == "fires":
        return _fires(state, traits)
    if test.op == "in":
        return _is_labelled(_values(test), state, traits)
    return ordered(test.op, _threshold(test), *state.span(test.label, traits))


def _fires(state: Verdict, traits: ClassifierTraits) -> bool | None:
    """By `interfaces.Classifier`, a positive label with P at the threshold is the verdict: bounds tell early."""
    prediction = state.prediction
    known = state.lower if prediction is None else prediction.probabilities
    if traits.positive_probability(known) >= traits.threshold:
        return True
    return None if prediction is None else prediction.label in traits.positive


def _is_labelled(wanted: tuple[Scalar, ...], state: Verdict, traits: ClassifierTraits) -> bool | None:
    prediction = state.prediction
    if not traits.multi_label:
        return None if prediction is None else prediction.label in wanted
    known = state.lower if prediction is None else prediction.probabilities
    if any(known.get(str(label), 0.0) >= traits.threshold for label in wanted):
        return True
    return None if prediction is None else prediction.label in wanted


def ordered(op: Literal[">=", ">", "<=", "<"] | str, threshold: float, low: float, high: float) -> bool | None:
    """Compare every number in ``[low, high]`` with a threshold; NaN stands in no order to any.

    Examples
    --------
    >>> ordered(">=", 0.9, 0.95, 1.0), ordered(">=", 0.9, 0.2, 1.0), ordered("<", 10, 12, 20)
    (True, None, False)
    """
    if op == ">=":
        return True if low >= threshold else None if high >= threshold else False
    if op == ">":
        return True if low > threshold else None if high > threshold else False
    if op == "<=":
        return True if high <= threshold else None if low <= threshold else False
    return True if high < threshold else None if low < threshold else False


def _threshold(test: Comparison) -> float:
    return test.operand if isinstance(test.operand, (int, float)) else 0.0


def _values(test: Comparison) -> tuple[Scalar, ...]:
    return test.operand if isinstance(test.operand, tuple) else ()


def _number(value: Scalar | None) -> float | None:
    """Read metadata as a number: headers are texts."""
    if value is None:
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return None if number != number else number


def _equal(value: Scalar, wanted: Scalar) -> bool:
    """Texts equal texts; numbers and flags (0 and 1) equal what reads as the same number."""
    return value == wanted if isinstance(wanted, str) else _number(value) == wanted
