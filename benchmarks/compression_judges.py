"""What a benchmark of compression measures with: classifiers as judges, thresholds, and the cuts of a text."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from compression_methods import Method, Screen
from compression_texts import Corpus
from routekit.interfaces import Classifier
from routekit.pii import PatternPiiClassifier

#: The texts that one request was cut to, by method.
Cut = dict[str, list[str]]
#: Texts that one request was cut to, to a verdict.
Verdict = Callable[[Sequence[str]], str]


def embedded_classifiers() -> dict[str, Any]:
    """Load what the package ships; a model that is not installed is left out, and the results show it."""
    from routekit.embedded import load

    found: dict[str, Any] = {"pii": PatternPiiClassifier()}
    for name in ("jailbreak", "domain"):
        try:
            found[name] = load(name, "linear")
        except Exception as error:  # a benchmark reports what it could not run
            print(f"without embedded {name}: {type(error).__name__}")
    return found


def positive_score(classifier: Classifier) -> Callable[[Sequence[str]], float]:
    """Highest probability of a positive label over the texts."""
    positive: frozenset[str] = getattr(classifier, "positive", frozenset())

    def score(texts: Sequence[str]) -> float:
        predictions = classifier.classify(list(texts))
        return max((p.probabilities.get(label, 0.0) for p in predictions for label in positive), default=0.0)

    return score


def found_labels(classifier: Classifier) -> Verdict:
    def verdict(texts: Sequence[str]) -> str:
        return ",".join(sorted({span.label for p in classifier.classify(list(texts)) for span in p.spans})) or "none"

    return verdict


@dataclass(frozen=True, slots=True)
class Judge:
    """A verdict on what is read of a request, and how sure it is on the full text."""

    verdict: Verdict
    margin: Callable[[str], float] = lambda text: math.inf


def judge_at(score: Callable[[Sequence[str]], float], threshold: float) -> Judge:
    of_one = lru_cache(maxsize=1)(lambda text: score([text]))  # a full text is asked for its verdict and its margin

    def verdict(texts: Sequence[str]) -> str:
        found = of_one(texts[0]) if len(texts) == 1 else score(texts)
        return "positive" if found >= threshold else "negative"

    return Judge(verdict, lambda text: abs(log_odds(of_one(text)) - log_odds(threshold)))


def log_odds(probability: float) -> float:
    p = min(max(probability, 1e-12), 1 - 1e-12)
    return math.log(p / (1 - p))


def at_one_percent(benign_scores: Sequence[float]) -> float:
    """The threshold that one benign request in a hundred passes, at most."""
    ordered = sorted(benign_scores)
    return float(np.nextafter(ordered[-1 - len(ordered) // 100], 2.0))


def cut_all(texts: Sequence[str], screens: Sequence[Screen], methods: Mapping[str, Method]) -> list[Cut]:
    """Cut every text by every method, text by text: tokenizing is the dearest part, and done once for a text."""
    cuts = []
    for text in texts:
        scores = [screen(text) for screen in screens]
        cuts.append({name: method(text, scores) for name, method in methods.items()})
    return cuts


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything but the length. `judges`: by signal and name; for jailbreak scores, which a threshold makes judges."""

    corpus: Corpus
    screens: Sequence[Screen]
    judges: Mapping[str, Any]
    cuts: Mapping[str, Mapping[str, Method]]
    n_documents: int
    n_benign: int
