"""The linear tier reads a text once inside `sharing_work`: for its verdict, and as a screen for the encoder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from routekit.linear import LinearClassifier, LinearScan
from routekit.prediction import Prediction
from routekit.shared_work import once
from routekit.tensors import WindowScores


@dataclass(frozen=True, slots=True)
class FirstTier:
    """A linear classifier whose scan of a text is shared.

    Examples
    --------
    >>> from routekit import sharing_work
    >>> from routekit.embedded import load
    >>> tier = FirstTier(load("jailbreak", "linear"))
    >>> with sharing_work():
    ...     tier.verdict("How do I boil an egg?").label, len(tier.screen("How do I boil an egg?").scores) > 0
    ('benign', True)
    """

    linear: LinearClassifier

    def verdict(self, text: str) -> Prediction:
        """Give what `LinearClassifier.classify` gives."""
        return self._scan(text).finish()

    def screen(self, text: str) -> WindowScores:
        """Give what `LinearClassifier.screen` gives."""
        scan = self._scan(text)
        scan.finish()
        return scan.window_scores()

    def keep(self, text: str, scan: LinearScan) -> Prediction:
        """Close a scan that was fed this text, and use it for both."""
        verdict = scan.finish()
        once((FirstTier, id(self.linear), text), lambda: scan)
        return verdict

    def _scan(self, text: str) -> LinearScan:
        return once((FirstTier, id(self.linear), text), partial(_scanned, self.linear, text))


def _scanned(linear: LinearClassifier, text: str) -> LinearScan:
    scan = linear.open()
    scan.feed(text)
    scan.finish()
    return scan
