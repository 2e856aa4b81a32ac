"""The tiers that `quality.py` compares: linear models and patterns alone, and the cascade that the encoder decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quality_measures import Floats
from routekit.embedded import load, missing
from routekit.interfaces import Classifier
from routekit.prediction import Prediction, Span

ATTACK = "jailbreak"


@dataclass(frozen=True, slots=True)
class Scores:
    """P of an attack, whether the shipped threshold says so, and whether the first tier settled it; one per text."""

    p: Floats
    fires: Any
    settled: Any


@dataclass(frozen=True, slots=True)
class Tier:
    """One classifier for each signal."""

    name: str
    jailbreak: Classifier
    domain: Classifier
    pii: Classifier

    def attacks(self, texts: Sequence[str]) -> Scores:
        found = predictions(self.jailbreak, texts)
        return Scores(
            np.array([p.probabilities[ATTACK] for p in found], dtype=np.float64),
            np.array([p.label == ATTACK for p in found], dtype=np.bool_),
            np.array([p.tier != "encoder" for p in found], dtype=np.bool_),
        )

    def domains(self, texts: Sequence[str]) -> tuple[list[str], list[float]]:
        found = predictions(self.domain, texts)
        return [p.label for p in found], [max(p.probabilities.values()) for p in found]

    def entities(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        return [p.spans for p in predictions(self.pii, texts)]


def predictions(classifier: Classifier, texts: Sequence[str]) -> list[Prediction]:
    return [prediction for text in texts for prediction in classifier.classify([text])]


def tiers(encoder: Path | None) -> Iterator[Tier]:
    """Give the linear tier, and the cascade where it is installed or a folder holds its encoder."""
    yield Tier("linear", load("jailbreak", "linear"), load("domain", "linear"), load("pii", "linear"))
    if encoder is not None:
        yield _cascade(encoder)
    elif missing() is None:
        yield Tier("cascade", *(load(name, "cascade") for name in ("jailbreak", "domain", "pii")))


def _cascade(folder: Path) -> Tier:
    from routekit.embedded.domain import DomainCascade
    from routekit.embedded.encoder import Encoder
    from routekit.embedded.jailbreak import JailbreakCascade
    from routekit.embedded.pii import PiiCascade
    from routekit.pii import PatternPiiClassifier

    linear = (load("jailbreak", "linear"), load("domain", "linear"))
    shared = Encoder(folder, linear, n_threads=1)
    return Tier(
        "cascade",
        JailbreakCascade(linear[0], shared),
        DomainCascade(linear[1], shared),
        PiiCascade(PatternPiiClassifier(), shared),
    )
