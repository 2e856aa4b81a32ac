"""Predicted against true, yes or no."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from routekit.evaluate.estimates import Estimate, f1_score, proportion


@dataclass(frozen=True, slots=True)
class Confusion:
    """The four counts, and the rates they give; a rate without requests is None.

    Examples
    --------
    >>> confusion = Confusion.of([(True, True), (True, False), (False, False), (False, True)])
    >>> confusion.tp, confusion.fp, confusion.fn, confusion.tn
    (1, 1, 1, 1)
    >>> confusion.recall.value, Confusion().recall
    (0.5, None)
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> Confusion:
        """Count pairs of (predicted, true)."""
        counted = cls()
        for predicted, true in pairs:
            counted = counted.plus(predicted, true)
        return counted

    def plus(self, predicted: bool, true: bool) -> Confusion:
        """Count one more request."""
        found, missed = int(predicted and true), int(true and not predicted)
        false, rest = int(predicted and not true), int(not predicted and not true)
        return Confusion(self.tp + found, self.fp + false, self.fn + missed, self.tn + rest)

    @property
    def n(self) -> int:
        """Requests counted."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def recall(self) -> Estimate | None:
        """Share of the positives that were found (true positive rate)."""
        return proportion(self.tp, self.tp + self.fn)

    @property
    def precision(self) -> Estimate | None:
        """Share of the finds that are positives."""
        return proportion(self.tp, self.tp + self.fp)

    @property
    def fpr(self) -> Estimate | None:
        """Share of the negatives that were taken for positives."""
        return proportion(self.fp, self.fp + self.tn)

    @property
    def accuracy(self) -> Estimate | None:
        """Share of the requests that were told right."""
        return proportion(self.tp + self.tn, self.n)

    @property
    def f1(self) -> Estimate | None:
        """Harmonic mean of precision and recall."""
        return f1_score(self.tp, self.fp, self.fn, self.tn)

    def to_dict(self) -> dict[str, object]:
        """Give counts and rates, JSON-ready."""
        rates = {name: getattr(self, name) for name in ("precision", "recall", "f1", "fpr", "accuracy")}
        counts: dict[str, object] = {"tp": self.tp, "fp": self.fp, "fn": self.fn, "tn": self.tn}
        return counts | {name: None if rate is None else rate.to_dict() for name, rate in rates.items()}
