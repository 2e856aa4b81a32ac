"""How often the tiers that ship give the verdict of their encoder when it reads all of a long request.

Part of `benchmarks/run_all.py`. A verdict is the label that a classifier gives. The reference is the encoder before it
was quantised, over the whole text in overlapping windows, with no tier in front that settles anything. Documents of
benign paragraphs, half of them with an attack between two; and of exam questions, six in ten of one subject.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from compression_texts import Corpus, document, load_corpus, subject_document
from precision_agreement import wilson
from routekit.embedded import load, missing
from routekit.interfaces import Classifier
from whole_encoder import classifiers

KINDS = ("english", "code", "chat")

#: Text to label.
Verdict = Callable[[str], str]


def documents(corpus: Corpus, signal: str, n_tokens: int, n: int) -> list[str]:
    """Make documents for one signal, seeded."""
    rng = random.Random(77)
    if signal == "jailbreak":
        needles = [rng.choice(corpus.attacks) if i % 2 else "" for i in range(n)]
        return [document(corpus, KINDS[i // 2 % 3], n_tokens, rng, needle) for i, needle in enumerate(needles)]
    subjects = sorted(corpus.questions)
    return [subject_document(corpus, subjects[i % len(subjects)], n_tokens, rng) for i in range(n)]


def measure(data: Path, n_tokens: int, n: int, unquantised: Path | None) -> Iterator[dict[str, Any]]:
    """Yield a row for every signal and way; none where the encoder is not installed.

    Parameters
    ----------
    unquantised
        Folder of the encoder that ships as it was before quantisation; None to take it as it ships for the reference.
    """
    if missing():
        return
    corpus = load_corpus(data)
    for signal in ("jailbreak", "domain"):
        yield from compared(signal, documents(corpus, signal, n_tokens, n), ways(signal, unquantised))


def ways(signal: str, unquantised: Path | None) -> dict[str, Verdict]:
    """Load the tiers that ship; the first way, the reference, lets the encoder read all of every text."""
    at = {"jailbreak": 0, "domain": 2}[signal]
    found = {"as it ships, all windows": _label(classifiers()[at])}
    if unquantised is not None:
        found = {"before quantisation, all windows": _label(classifiers(unquantised)[at]), **found}
    return {**found, "cascade": _label(load(signal, "cascade")), "linear": _label(load(signal, "linear"))}


def _label(classifier: Classifier) -> Verdict:
    return lambda text: classifier.classify([text])[0].label


def compared(signal: str, texts: Sequence[str], found: dict[str, Verdict]) -> Iterator[dict[str, Any]]:
    """Yield a row for every way but the first, which is the reference."""
    said = {name: [verdict(text) for text in texts] for name, verdict in found.items()}
    (reference, first), *others = said.items()
    for name, verdicts in others:
        n_same = sum(a == b for a, b in zip(first, verdicts, strict=True))
        yield {
            "signal": signal,
            "reference": reference,
            "way": name,
            "n_documents": len(texts),
            "n_labels_of_reference": {label: first.count(label) for label in sorted(set(first))},
            "agreement_percent": round(100 * n_same / len(texts), 1),
            "interval_percent": [round(100 * bound, 1) for bound in wilson(n_same, len(texts))],
        }
