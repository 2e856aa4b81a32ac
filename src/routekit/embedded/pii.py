"""Personal data by its written form and, where a policy asks for it, by the encoder: names, addresses, organisations.

Patterns with check digits are surer than any model, so they win where both find something.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from routekit.embedded.encoder import Encoder
from routekit.embedded.passages import read_passages, read_whole, telling_passages, whole_text
from routekit.embedded.whole_names import ADDRESS, PERSON, whole_names
from routekit.errors import ConfigError, quoted
from routekit.interfaces import Classifier, IncrementalClassifier
from routekit.logits import probabilities
from routekit.long_text import Reading
from routekit.pii.classifier import NONE, PatternPiiClassifier
from routekit.prediction import Prediction, Span
from routekit.request import Scope
from routekit.shared_work import once, sharing_work
from routekit.tensors import WindowScores
from routekit.token_spans import OUTSIDE, TokenScheme, TokenVotes

if TYPE_CHECKING:
    from routekit.tensors import FloatArray

#: Texts up to so many tokens are read whole by the token head; of longer ones as many, where names are likeliest.
HEAD_TOKENS: Final = 2048
#: The odds of a word under the threshold may be so many times lower beside one over it. The numbers and towns of an
#: address are much less sure than its street: with 30, 88 instead of 71 % of the characters of addresses are covered in
#: rows kept out of training, and 3 instead of 1 % more than that.
_NEAR: Final = {PERSON: 3.0, ADDRESS: 30.0}


class PiiCascade:
    """Finds personal data by patterns, and by the token head what has no written form; thread-safe.

    Patterns read all of a text. The token head reads all of a text up to `head_tokens`; of a longer one the passages
    with the most capitals and digits, and `Prediction.coverage` says what share that was. Where a policy redacts labels
    of the head, it reads all of every text: a router asks `for_redaction`.

    What only the head finds is no hit by itself: ask for it by name, as in ``pii.any_of("PERSON")``. A policy that asks
    for no such label is judged by the patterns alone.

    Parameters
    ----------
    patterns
        The first tier; its threshold is that of all labels: probabilities of the head are shifted, in log-odds, so that
        each label's own threshold comes to lie at 0.5.
    encoder
        The second one; loaded when a text first needs it.
    head_tokens
        What the head reads at most of one text, about 75 ms for 1K tokens on one core; None for all of it.
    positive
        Labels that count as a hit; default: those of the patterns.

    Raises
    ------
    ConfigError
        If `head_tokens` is under 1 or a positive label is none of the labels.
    """

    name = "pii"
    multi_label = True
    #: Milliseconds for 1K tokens where the head reads, measured by benchmarks/embedded_speed.py.
    cost = 75.0
    scope: Scope = "all"

    def __init__(
        self,
        patterns: PatternPiiClassifier,
        encoder: Encoder,
        *,
        head_tokens: int | None = HEAD_TOKENS,
        positive: Collection[str] | None = None,
    ) -> None:
        if head_tokens is not None and head_tokens < 1:
            raise ConfigError(f"head_tokens is {head_tokens}; allowed: at least 1, or None for no limit")
        settings = encoder.settings
        self.patterns, self.encoder, self.head_tokens = patterns, encoder, head_tokens
        self.head_labels = frozenset(settings.pii_thresholds)
        self.labels: tuple[str, ...] = (*sorted({*patterns.labels[:-1], *self.head_labels}), NONE)
        self.positive = patterns.positive if positive is None else frozenset(positive)
        if unknown := sorted(self.positive - {*self.labels[:-1]}):
            raise ConfigError(f"positive has {quoted(unknown[0])}; allowed: {', '.join(self.labels[:-1])}")
        self.threshold = patterns.threshold
        self._head = _TokenHead(settings.pii_labels, settings.pii_thresholds)

    def for_labels(self, asked: Collection[str]) -> Classifier:
        """Give the cheapest classifier that answers for these labels, and for the positive ones."""
        return self if self.head_labels & {*asked, *self.positive} else self.patterns

    def for_redaction(self, redacted: Collection[str]) -> PiiCascade:
        """Give a classifier that finds these labels wherever they stand: one whose head reads all of every text."""
        if self.head_tokens is None or not self.head_labels & {*redacted}:
            return self
        whole = copy(self)
        whole.head_tokens = None
        return whole

    def classify(self, texts: Sequence[str]) -> list[Prediction]:
        """Predict each text on its own; errors as `JailbreakCascade.classify`."""
        with sharing_work():
            return [self._classify(text) for text in texts]

    def open(self) -> PiiScan:
        """Begin to read one text as it arrives."""
        return PiiScan(self)

    def screen(self, text: str) -> WindowScores:
        """Give the patterns' findings as scored windows, as `PatternPiiClassifier.screen`."""
        return self.patterns.screen(text)

    def warm_up(self) -> None:
        """Load the encoder."""
        self.encoder.load()

    def by_patterns(self, text: str) -> Prediction:
        """What the patterns find; looked for once inside `sharing_work`."""
        return once((PiiCascade, id(self.patterns), text), lambda: self.patterns.classify([text])[0])

    def raw_entities(self, text: str, threshold: float, off: Collection[str] = ()) -> tuple[Span, ...]:
        """Let the head alone read a text: spans of its labels that are not off, P as it gives it, for calibration."""
        labels = self.encoder.settings.pii_labels
        on = {label[2:]: 0.5 for label in labels if label != OUTSIDE and label[2:] not in off}
        votes = _TokenHead(labels, on).votes(text, *self._read(text), threshold)
        return _spans(text, votes, threshold)

    def _classify(self, text: str) -> Prediction:
        began = perf_counter()
        first = self.by_patterns(text)
        reading, logits = self._read(text)
        votes = self._head.votes(text, reading, logits, self.threshold)
        found = list(_outside(_spans(text, votes, self.threshold), first.spans))
        per_label = self._joined(first, votes.probabilities(), found)
        return Prediction(
            label=self._label(per_label),
            probabilities=per_label,
            spans=tuple(sorted([*first.spans, *found], key=lambda span: (span.start, span.end))),
            coverage=reading.coverage,
            truncated=reading.coverage < 1.0,
            n_tokens=first.n_tokens,
            seconds=perf_counter() - began,
            tier="encoder",
        )

    def _read(self, text: str) -> tuple[Reading, tuple[FloatArray, ...]]:
        """Let the head read a text; a short one, which all heads read whole, is read for all of them."""
        limit, encoder = self.head_tokens, self.encoder
        logits = encoder.read(text) if encoder.reads_whole(text) else None
        if logits is None:
            reading = self._reading(text, limit)
            logits = once((PiiCascade, id(encoder), limit, text), lambda: encoder.run(text, reading))
        return logits.reading, logits.pii

    def _reading(self, text: str, limit: int | None) -> Reading:
        tokenizer, size, stride = self.encoder.tokenizer, self.encoder.window_size, self.encoder.settings.stride_tokens
        encoding = tokenizer.encode(text) if limit is None else whole_text(tokenizer, text, limit)
        if encoding is not None:
            return read_whole(encoding, size, stride)
        passages = telling_passages(text, limit or 0)
        return read_passages(tokenizer, text, [[passage] for passage in passages], size, stride)

    def _joined(self, first: Prediction, head: Mapping[str, float], found: Iterable[Span]) -> dict[str, float]:
        """P of each label: of its surest span, or of what came nearest to one."""
        below = float(np.nextafter(self.threshold, 0.0))
        per_label = {label: first.probabilities.get(label, 0.0) for label in self.labels}
        for label in self.head_labels:
            per_label[label] = max(per_label[label], min(head[label], below))
        for span in found:
            per_label[span.label] = max(per_label[span.label], span.probability)
        del per_label[NONE]
        return {**per_label, NONE: 1.0 - max(per_label.values())}

    def _label(self, per_label: Mapping[str, float]) -> str:
        """Name what was found: positive labels first, then the likelier."""
        found = [label for label in self.labels if label != NONE and per_label[label] >= self.threshold]
        return max(found, key=lambda label: (label in self.positive, per_label[label]), default=NONE)


class PiiScan:
    """Reads one text as it arrives, by patterns; the token head comes last. For one thread at a time."""

    def __init__(self, cascade: PiiCascade) -> None:
        self._cascade = cascade
        self._patterns: IncrementalClassifier = cascade.patterns.open()
        self._texts: list[str] = []

    def feed(self, text: str) -> None:
        """Take the next piece of the text; raise `UsageError` after `settled` or `finish`."""
        self._patterns.feed(text)
        self._texts.append(text)

    def lower_bound(self) -> Mapping[str, float]:
        """P that the patterns make certain; the head takes nothing away."""
        return self._patterns.lower_bound()

    def settled(self) -> bool:
        """Say, once everything is fed, whether `finish` is cheap: never, as the head has to read."""
        self._first()
        return False

    def finish(self) -> Prediction:
        """Give the prediction of everything fed."""
        with sharing_work():
            self._first()
            return self._cascade.classify(["".join(self._texts)])[0]

    def _first(self) -> Prediction:
        return once((PiiCascade, id(self._cascade.patterns), "".join(self._texts)), self._patterns.finish)


class _TokenHead:
    """Turns logits of tokens into spans, by a threshold for each entity."""

    def __init__(self, labels: Sequence[str], on: Mapping[str, float]) -> None:
        self._columns = [i for i, label in enumerate(labels) if label == OUTSIDE or label[2:] in on]
        self._scheme = TokenScheme.of([labels[i] for i in self._columns])
        odds = np.array([on[entity] for entity in self._scheme.entities])
        self._shift = np.log((1.0 - odds) / odds)

    def votes(self, text: str, reading: Reading, logits: Sequence[FloatArray], threshold: float) -> TokenVotes:
        """Collect all windows; what an entity that is off would have won, nobody wins."""
        votes = TokenVotes(text, reading, self._scheme, threshold)
        for window, of_window in enumerate(logits):
            if len(of_window) and self._scheme.entities:
                votes.add(window, self._shifted(probabilities(of_window, multi_label=False)[:, self._columns]))
        return votes

    def _shifted(self, per_label: FloatArray) -> FloatArray:
        """Move P of each entity so that its threshold comes to lie at 0.5; B- and I- keep their shares."""
        before = np.clip(per_label @ self._scheme.columns, 1e-9, 1.0 - 1e-9)  # (tokens, entities)
        after = 1.0 / (1.0 + (1.0 - before) / before * np.exp(-self._shift))
        return np.asarray(per_label * ((after / before) @ self._scheme.columns.T))


def _spans(text: str, votes: TokenVotes, threshold: float) -> tuple[Span, ...]:
    """Read the spans off; those of `_NEAR` need one word over the threshold, and take in words next to it."""
    found = [span for span in votes.spans() if span.label not in _NEAR]
    for label, odds in _NEAR.items():
        near = votes.spans(threshold / (odds - (odds - 1.0) * threshold))
        found += [span for span in near if span.label == label and span.probability >= threshold]
    return whole_names(text, sorted(found, key=lambda span: span.start))


def _outside(spans: Iterable[Span], others: Sequence[Span]) -> Iterator[Span]:
    """Cut other spans out of spans; both ascending and disjoint."""
    at = 0
    for span in spans:
        start = span.start
        while at < len(others) and others[at].start < span.end:
            other = others[at]
            if start < other.start:
                yield replace(span, start=start, end=other.start)
            start = max(start, other.end)
            if other.end > span.end:
                break  # it may reach into the next one
            at += 1
        if start < span.end:
            yield replace(span, start=start)
