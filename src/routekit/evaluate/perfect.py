"""What classifiers would say if they were always right: the labels, as predictions."""

from __future__ import annotations

from collections.abc import Mapping

from routekit.evaluate.columns import Label
from routekit.evaluate.row import Row
from routekit.prediction import Prediction
from routekit.states import ClassifierTraits, State, Verdict


def perfect_states(row: Row, traits: Mapping[str, ClassifierTraits]) -> dict[str, State] | None:
    """Replace the states of labelled classifiers by their labels; None if no label can be put in place.

    A rule that then fires should have fired: so rules can be judged by the labels of signals alone. "Positive" of a
    classifier with several positive labels stands for the first in alphabetical order.
    """
    found = {
        signal: state
        for signal, label in row.labels.items()
        if signal in row.states and signal in traits and (state := perfect_state(label, traits[signal])) is not None
    }
    return {**row.states, **found} if found else None


def perfect_state(label: Label, traits: ClassifierTraits) -> Verdict | None:
    """Give the verdict that a label is; None where the classifier has no words for it."""
    if isinstance(label, bool):
        names = traits.positive if label else traits.labels - traits.positive
        label = frozenset(sorted(names)[:1]) if traits.positive else frozenset()
        if not label and not traits.multi_label:
            return None
    if label - traits.labels or (not label and not traits.multi_label):
        return None
    hits = label & traits.positive or label
    verdict = min(hits, default=min(traits.labels - traits.positive, default=min(traits.labels)))
    certain = {name: 1.0 if name in label else 0.0 for name in traits.labels}
    return Verdict(prediction=Prediction(verdict, certain if traits.multi_label else _exclusive(certain, verdict)))


def _exclusive(certain: Mapping[str, float], verdict: str) -> dict[str, float]:
    return {name: float(name == verdict) for name in certain}
