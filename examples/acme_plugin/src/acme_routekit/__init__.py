"""A plugin for routekit: one classifier, one backend, one listener."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

import routekit as rk
from routekit.tensors import ModelFiles, TokenBatch


class ShoutingClassifier:
    """Says what share of the letters are capitals."""

    name = "shouting"
    labels = ("shouting", "calm")
    positive = frozenset({"shouting"})
    threshold = 0.7
    cost = 0.01

    def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
        return [self._prediction(text) for text in texts]

    def _prediction(self, text: str) -> rk.Prediction:
        letters = sum(map(str.isalpha, text))
        share = sum(map(str.isupper, text)) / letters if letters else 0.0
        label = "shouting" if share >= self.threshold else "calm"
        return rk.Prediction(label, {"shouting": share, "calm": 1.0 - share}, n_tokens=len(text))


class UniformBackend:
    """Runs no model: every label is as likely as any other."""

    name = "uniform"

    def load(self, model: ModelFiles) -> UniformSession:
        return UniformSession(int(str(model.options.get("n_labels", 2))))


class UniformSession:
    def __init__(self, n_labels: int) -> None:
        self._n_labels = n_labels

    def run(self, batch: TokenBatch) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        return np.zeros((batch.input_ids.shape[0], self._n_labels), dtype=np.float32)


#: Decisions by action, for whoever wants to look.
decisions: Counter[str] = Counter()


@rk.hookimpl
def routekit_register_classifiers(register: Callable[[str, object], None]) -> None:
    register("shouting", ShoutingClassifier)


@rk.hookimpl
def routekit_register_backends(register: Callable[[str, object], None]) -> None:
    register("uniform", "acme_routekit:UniformBackend")


@rk.hookimpl
def routekit_decision(decision: rk.Decision) -> None:
    decisions[decision.action] += 1
