"""How often a faster way to judge a long request gives the verdict of the slow one.

Part of `benchmarks/run_all.py`. A verdict is the label that a classifier gives. Two references, each a trained encoder
that reads all of the text in overlapping windows: MiniLM with fitted heads (`make_trained_encoder.py`), as exported;
and the encoder that ships. Documents of benign paragraphs, half of them with an attack between two; and of exam
questions, six in ten of one subject.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from compression_texts import Corpus, document, load_corpus, subject_document
from precision_agreement import rewritten, wilson
from routekit import OnnxClassifier
from routekit.embedded import load, missing
from routekit.interfaces import Classifier
from whole_encoder import classifiers

#: Kinds of documents that MiniLM, which is English, can read.
KINDS = ("english", "code", "chat")

#: How many times the documents the encoder that ships reads, in about the time of MiniLM.
N_TIMES_FASTER = 4

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


def measure(
    trained: Path, data: Path, folder: Path, n_tokens: int, n: int, unquantised: Path | None
) -> Iterator[dict[str, Any]]:
    """Yield a row for every signal and way.

    Parameters
    ----------
    unquantised
        Folder of the encoder that ships as it was before quantisation; None to take it as it ships for the reference.
    """
    corpus = load_corpus(data)
    for signal in ("jailbreak", "domain"):
        if not missing():
            texts = documents(corpus, signal, n_tokens, N_TIMES_FASTER * n)
            yield from _rows(signal, "the encoder that ships", texts, embedded_ways(signal, unquantised))
        texts = documents(corpus, signal, n_tokens, n)
        yield from _rows(signal, "MiniLM", texts, minilm_ways(trained / signal, signal, folder))


def _rows(signal: str, reference: str, texts: Sequence[str], ways: dict[str, Verdict]) -> Iterator[dict[str, Any]]:
    if not ways:
        return
    said = {name: [verdict(text) for text in texts] for name, verdict in ways.items()}
    first, *others = said.items()
    for name, verdicts in others:
        n_same = sum(a == b for a, b in zip(first[1], verdicts, strict=True))
        yield {
            "signal": signal,
            "reference": reference,
            "way": name,
            "n_documents": len(texts),
            "n_labels_of_reference": {label: first[1].count(label) for label in sorted(set(first[1]))},
            "agreement_percent": round(100 * n_same / len(texts), 1),
            "interval_percent": [round(100 * bound, 1) for bound in wilson(n_same, len(texts))],
        }


def minilm_ways(directory: Path, signal: str, folder: Path) -> dict[str, Verdict]:
    """Load the ways to read one trained directory; the first is the reference."""
    stock = OnnxClassifier.from_dir(directory, "cpu", signal, n_threads=1)
    ways: dict[str, Verdict] = {"as exported, all windows": _label(stock)}
    for precision in ("int16", "int8"):
        path = folder / f"{signal}_{precision}"
        rewritten(directory, path, "cpu", precision)
        ways[f"{precision}, all windows"] = _label(OnnxClassifier.from_dir(path, "cpu", signal, n_threads=1))
    ways["int8, compressed to 512"] = _label(
        OnnxClassifier.from_dir(
            path, "cpu", signal, n_threads=1, long_text="compress", screens=[load(signal, "linear")]
        )
    )
    return {**ways, "first 512": _first(stock), "linear": _label(load(signal, "linear"))}


def embedded_ways(signal: str, unquantised: Path | None) -> dict[str, Verdict]:
    """Load the tiers that ship; the first way, the reference, lets the encoder read all of every text."""
    at = {"jailbreak": 0, "domain": 2}[signal]
    ways = {"as it ships, all windows": _label(classifiers()[at])}
    if unquantised is not None:
        ways = {"before quantisation, all windows": _label(classifiers(unquantised)[at]), **ways}
    return {**ways, "cascade": _label(load(signal, "cascade")), "linear": _label(load(signal, "linear"))}


def _label(classifier: Classifier) -> Verdict:
    return lambda text: classifier.classify([text])[0].label


def _first(classifier: OnnxClassifier) -> Verdict:
    size = 512 - classifier.tokenizer.n_special_tokens

    def verdict(text: str) -> str:
        offsets = classifier.tokenizer.encode(text).offsets
        return classifier.classify([text[: offsets[min(size, len(offsets)) - 1, 1]]])[0].label

    return verdict
