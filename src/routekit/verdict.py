"""From P(label) to one label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VerdictRule:
    """How a classifier chooses its label; the fields are those of `routekit.Classifier`.

    Examples
    --------
    >>> rule = VerdictRule(("benign", "injection", "jailbreak"), frozenset({"injection", "jailbreak"}))
    >>> rule.label({"benign": 0.45, "injection": 0.3, "jailbreak": 0.25})
    'injection'
    """

    labels: tuple[str, ...]
    positive: frozenset[str] = frozenset()
    threshold: float = 0.5
    multi_label: bool = False

    def label(self, probabilities: Mapping[str, float]) -> str:
        """Return the likeliest positive label when a hit is likely enough, else the likeliest other label."""
        hits = [label for label in self.labels if label in self.positive]
        others = [label for label in self.labels if label not in self.positive]
        chosen = hits if hits and self.hit(probabilities) >= self.threshold else others or hits
        return max(chosen, key=lambda label: probabilities[label])

    def hit(self, probabilities: Mapping[str, float]) -> float:
        """P that some positive label applies: the sum over labels that exclude each other, else the maximum."""
        found = [probabilities[label] for label in self.labels if label in self.positive]
        return max(found, default=0.0) if self.multi_label else min(1.0, sum(found))
