"""How one signal did: against its labels, in what it read, and where it failed."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from routekit.evaluate.columns import Label
from routekit.evaluate.confusion import Confusion
from routekit.evaluate.estimates import Estimate, auc, proportion
from routekit.evaluate.row import Row
from routekit.states import ClassifierTraits, State, Verdict

#: Predicted where a classifier failed: counted as a miss, never as a hit.
FAILED = "(failed)"


@dataclass(frozen=True, slots=True)
class SignalReport:
    """One classifier over all requests.

    Attributes
    ----------
    n
        Requests for which it was recorded.
    n_needed
        Requests whose decision needed it; for the others it was only recorded. None for a replay.
    n_labelled
        Requests with a label that says whether it is positive.
    confusion
        Its own verdict, by its own threshold, against the labels; a failure counts as "negative". None without
        labels, or for a classifier without positive labels.
    auc
        Area under the ROC curve of P of the positive labels.
    by_label
        Each label against all others, over requests labelled by name.
    matrix
        (true label, predicted label) -> requests, for labels that exclude each other.
    accuracy
        Share of the requests labelled by name whose verdict is that label; None if labels do not exclude each other.
    fully_read, least_coverage
        Share of requests whose text was read to the end, and the smallest share of a text that was read.
    errors
        Type of error -> requests that it failed on.
    unknown_labels
        Labels of requests that the classifier does not know -> requests.
    """

    name: str
    n: int
    n_needed: int | None
    n_labelled: int
    confusion: Confusion | None
    auc: Estimate | None
    by_label: Mapping[str, Confusion]
    matrix: Mapping[tuple[str, str], int]
    accuracy: Estimate | None
    fully_read: Estimate | None
    least_coverage: float | None
    errors: Mapping[str, int]
    unknown_labels: Mapping[str, int]

    def to_dict(self) -> dict[str, object]:
        """Give everything JSON-ready."""
        return {
            "n": self.n,
            "n_needed": self.n_needed,
            "n_labelled": self.n_labelled,
            "confusion": None if self.confusion is None else self.confusion.to_dict(),
            "auc": None if self.auc is None else self.auc.to_dict(),
            "by_label": {label: confusion.to_dict() for label, confusion in self.by_label.items()},
            "matrix": [[true, predicted, n] for (true, predicted), n in sorted(self.matrix.items())],
            "accuracy": None if self.accuracy is None else self.accuracy.to_dict(),
            "fully_read": None if self.fully_read is None else self.fully_read.to_dict(),
            "least_coverage": self.least_coverage,
            "errors": dict(self.errors),
            "unknown_labels": dict(self.unknown_labels),
        }


@dataclass(slots=True)
class SignalTally:
    """Collects what a `SignalReport` tells, one row after the other."""

    name: str
    traits: ClassifierTraits
    n: int = 0
    n_needed: int = 0
    n_read: int = 0
    n_full: int = 0
    least: float = 1.0
    confusion: Confusion = field(default_factory=Confusion)
    scores: array[float] = field(default_factory=lambda: array("d"))
    truth: bytearray = field(default_factory=bytearray)
    labelled: Counter[str] = field(default_factory=Counter)
    hits: Counter[tuple[str, bool, bool]] = field(default_factory=Counter)
    n_named: int = 0
    n_right: int = 0
    matrix: Counter[tuple[str, str]] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, row: Row) -> None:
        """Take one row."""
        state = row.states.get(self.name)
        if not isinstance(state, Verdict):
            return
        self.n += 1
        self.n_needed += self.name in row.ran
        self._add_reading(state)
        label = row.labels.get(self.name)
        if label is not None:
            self._add_truth(state, label)
            if not isinstance(label, bool):
                self._add_names(state, label)

    def report(self, *, is_replay: bool) -> SignalReport:
        """Sum up."""
        exclusive = not self.traits.multi_label
        return SignalReport(
            self.name,
            self.n,
            None if is_replay else self.n_needed,
            self.confusion.n,
            self.confusion if self.confusion.n else None,
            auc(np.array(self.scores, np.float64), np.frombuffer(self.truth, np.bool_)),
            dict(self._by_label()),
            dict(self.matrix) if exclusive else {},
            proportion(self.n_right, self.n_named) if exclusive else None,
            proportion(self.n_full, self.n_read),
            self.least if self.n_read else None,
            dict(sorted(self.errors.items())),
            dict(sorted(self.unknown.items())),
        )

    def _add_reading(self, state: Verdict) -> None:
        if state.prediction is None:
            self.errors[state.failed or "unknown"] += 1
            return
        self.n_read += 1
        self.n_full += state.prediction.coverage >= 1.0 and not state.prediction.truncated
        self.least = min(self.least, state.prediction.coverage)

    def _add_truth(self, state: Verdict, label: Label) -> None:
        true = is_positive(label, self.traits)
        if true is None:
            return
        self.confusion = self.confusion.plus(bool(fires(state, self.traits)), true)
        if state.prediction is not None:
            self.scores.append(self.traits.positive_probability(state.prediction.probabilities))
            self.truth.append(true)

    def _add_names(self, state: Verdict, label: frozenset[str]) -> None:
        self.unknown.update(label - self.traits.labels)
        predicted = labels_of(state, self.traits)
        self.n_named += 1
        self.n_right += bool(predicted & label)
        for name in label | predicted:
            self.hits[name, name in predicted, name in label] += 1
        if len(label) == 1:
            self.matrix[min(label), min(predicted, default=FAILED)] += 1

    def _by_label(self) -> Iterable[tuple[str, Confusion]]:
        for name in sorted({name for name, _, _ in self.hits} - {FAILED}):
            tp, fp, fn = (
                self.hits[name, predicted, true] for predicted, true in ((True, True), (True, False), (False, True))
            )
            yield name, Confusion(tp, fp, fn, self.n_named - tp - fp - fn)


def is_positive(label: Label, traits: ClassifierTraits) -> bool | None:
    """Say whether a label is positive; None where it does not tell.

    >>> traits = ClassifierTraits(frozenset({"benign", "jailbreak"}), frozenset({"jailbreak"}))
    >>> is_positive(True, traits), is_positive(frozenset({"benign"}), traits), is_positive(frozenset({"?"}), traits)
    (True, False, None)
    """
    if not traits.positive:
        return None
    if isinstance(label, bool):
        return label
    if label & traits.positive:
        return True
    return None if label - traits.labels else False


def fires(state: State, traits: ClassifierTraits) -> bool | None:
    """Say whether a positive label is the verdict; None where the classifier failed."""
    if not isinstance(state, Verdict) or state.prediction is None:
        return None
    hit = traits.positive_probability(state.prediction.probabilities) >= traits.threshold
    return bool(traits.positive) and (hit or state.prediction.label in traits.positive)


def labels_of(state: Verdict, traits: ClassifierTraits) -> frozenset[str]:
    """Give the verdict's label, or, where labels do not exclude each other, the positive ones over the threshold."""
    if state.prediction is None:
        return frozenset({FAILED})
    if not traits.multi_label:
        return frozenset({state.prediction.label})
    found = {label for label, p in state.prediction.probabilities.items() if p >= traits.threshold}
    return frozenset(found & traits.positive if traits.positive else found)


def scores_of(
    rows: Iterable[Row], signal: str, label: str | None, traits: ClassifierTraits
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Give P of a label, or of the positive labels, and the truth, of every labelled request that was classified.

    Returns
    -------
    scores, truth, both of shape (n,).
    """
    scores, truth = [], []
    for row in rows:
        state, known = row.states.get(signal), row.labels.get(signal)
        if known is None or not isinstance(state, Verdict) or state.prediction is None:
            continue
        true = is_positive(known, traits) if label is None else _has(known, label, traits)
        if true is not None:
            probabilities = state.prediction.probabilities
            scores.append(traits.positive_probability(probabilities) if label is None else probabilities.get(label, 0))
            truth.append(true)
    return np.array(scores, np.float64), np.array(truth, np.bool_)


def _has(known: Label, label: str, traits: ClassifierTraits) -> bool | None:
    if not isinstance(known, bool):
        return label in known
    # "true" names no label, unless there is only one positive one.
    return known if traits.positive == {label} else False if not known and label in traits.positive else None
