"""The subject classifier of two tiers: a linear one, and the encoder where that is unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from routekit.embedded.encoder import Encoder
from routekit.embedded.first_tier import FirstTier
from routekit.linear import LinearClassifier
from routekit.logits import probabilities
from routekit.prediction import Prediction
from routekit.request import Scope
from routekit.shared_work import sharing_work
from routekit.tensors import WindowScores

if TYPE_CHECKING:
    from routekit.tensors import FloatArray

#: Least P that counts, so that its logarithm is finite.
_LEAST = 1e-12


class DomainCascade:
    """Names the subject of a text in two tiers; thread-safe.

    The linear tier settles a text alone where it is sure. Else the encoder reads it, or what matters of a long one, and
    both verdicts are mixed. It does not read as a body arrives: a subject is known at the end only.

    Parameters
    ----------
    linear
        The first tier.
    encoder
        The second one; loaded when a text first needs it.
    """

    #: Milliseconds for 1K tokens where the encoder reads, measured by benchmarks/embedded_speed.py.
    cost = 35.0

    def __init__(self, linear: LinearClassifier, encoder: Encoder, *, scope: Scope | None = None) -> None:
        self.linear, self.encoder = linear, encoder
        self.first_tier = FirstTier(linear)
        self.rule = encoder.settings.domain
        self.name, self.labels = linear.name, linear.labels
        self.positive, self.threshold = linear.positive, linear.threshold
        self.scope: Scope = scope or linear.scope
        self._columns = [encoder.settings.domain_labels.index(label) for label in self.labels]

    def classify(self, texts: Sequence[str]) -> list[Prediction]:
        """Predict each text on its own; errors as `JailbreakCascade.classify`."""
        with sharing_work():
            return [self._classify(text) for text in texts]

    def screen(self, text: str) -> WindowScores:
        """Score the windows of a text by the linear tier, as `LinearClassifier.screen`."""
        return self.linear.screen(text)

    def warm_up(self) -> None:
        """Load the encoder."""
        self.encoder.load()

    def raw_logits(self, texts: Sequence[str]) -> tuple[FloatArray, FloatArray]:
        """Let both tiers read every text: what calibration needs.

        Returns
        -------
        log P of the linear tier and mean logits of the encoder, shape (n_texts, n_labels) each, columns as `labels`.
        """
        with sharing_work():
            linear = [self._linear_logits(self.first_tier.verdict(text)) for text in texts]
            encoder = [self._encoder_logits(text) for text in texts]
        return np.array(linear), np.array(encoder)

    def _linear_logits(self, first: Prediction) -> FloatArray:
        return np.log(np.maximum([first.probabilities[label] for label in self.labels], _LEAST))

    def _encoder_logits(self, text: str) -> FloatArray:
        return self.encoder.read(text).mean_domain[self._columns]

    def _classify(self, text: str) -> Prediction:
        began = perf_counter()
        first = self.first_tier.verdict(text)
        if max(first.probabilities.values()) >= self.rule.settle or not first.n_tokens:
            return replace(first, tier="linear", seconds=perf_counter() - began)
        mixed = self._encoder_logits(text) / self.rule.temperature + self.rule.linear * self._linear_logits(first)
        shares = probabilities(mixed, multi_label=False)
        return Prediction(
            label=self.labels[int(shares.argmax())],
            probabilities=dict(zip(self.labels, shares.tolist(), strict=True)),
            n_tokens=first.n_tokens,
            seconds=perf_counter() - began,
            tier="encoder",
        )
