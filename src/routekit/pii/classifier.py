"""The classifier that finds personal data by its written form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from routekit.errors import ConfigError, UsageError, quoted
from routekit.pii.fold import Fold
from routekit.pii.resolve import Resolver
from routekit.pii.scan import Candidate, scanner, warm_up
from routekit.pii.table import INDIRECT, LABELS
from routekit.prediction import Prediction, Span
from routekit.request import Scope
from routekit.tensors import WindowScores

#: A text is scanned in blocks that lie at fixed places, so that pieces do not matter: a short first one, so that much
#: is known early, then longer ones, which cost less a character.
FIRST_BLOCK, BLOCK = 8192, 32768
#: Text before and after a block that its candidates may look at: longer than any match with its context.
LEFT, RIGHT = 192, 640
NONE = "none"


class PatternPiiClassifier:
    """Finds personal data by written form, check digits and the words around it.

    Reads all of the text in linear time. Digits, dashes and spaces of any script count as plain ones, and zero-width
    characters do not hide anything; offsets are those of the text as given. `probabilities` holds the best span of each
    label, at any strength; `spans` those that reach the threshold.

    Parameters
    ----------
    labels
        What to look for; default: everything.
    positive
        Labels that count as a hit, default: all that point at a person, an account or a device. A date, an age, a web
        address or a postcode is reported and can be asked for by name, but alone is no hit.
    threshold
        Probability in (0, 1] from which on a candidate is a finding.

    Raises
    ------
    ConfigError
        If a label is unknown or the threshold lies outside (0, 1].

    Examples
    --------
    >>> pii = PatternPiiClassifier()
    >>> [found] = pii.classify(["Write to ann@example.org"])
    >>> found.label, found.spans[0].start, found.spans[0].end
    ('EMAIL_ADDRESS', 9, 24)
    """

    name = "pii"
    multi_label = True
    cost = 0.1
    scope: Scope = "all"

    def __init__(
        self,
        labels: Iterable[str] | None = None,
        *,
        positive: Iterable[str] | None = None,
        threshold: float = 0.5,
    ) -> None:
        wanted = _known(labels, LABELS)
        if not 0 < threshold <= 1:
            raise ConfigError(f"threshold is {threshold!r}; allowed: over 0, at most 1")
        self.labels: tuple[str, ...] = (*wanted, NONE)
        hits = frozenset(wanted) - INDIRECT if positive is None else frozenset(_known(positive, wanted))
        self.positive: frozenset[str] = hits
        self.threshold = threshold
        warm_up()

    def classify(self, texts: Sequence[str]) -> list[Prediction]:
        """Return one prediction for each text."""
        return [self._classify(text) for text in texts]

    def _classify(self, text: str) -> Prediction:
        stream = self.open()
        stream.feed(text)
        return stream.finish()

    def open(self) -> PiiStream:
        """Start to read one text that comes in pieces."""
        return PiiStream(self)

    def screen(self, text: str) -> WindowScores:
        """Return the findings as scored windows, for a compressor to keep.

        Examples
        --------
        >>> PatternPiiClassifier().screen("Write to ann@example.org").spans.tolist()
        [[9, 24]]
        """
        spans = self._classify(text).spans
        ranges = np.array([(s.start, s.end) for s in spans], dtype=np.int64).reshape(-1, 2)
        return WindowScores(self.name, ranges, self._screen_scores(spans), self.threshold)

    def _screen_scores(self, spans: Sequence[Span]) -> NDArray[np.float64]:
        """Flag hits, and of each other label the first: the hundredth date of a table changes no verdict."""
        first: dict[str, Span] = {}
        for span in spans:
            first.setdefault(span.label, span)
        below = float(np.nextafter(self.threshold, 0.0))
        flagged = (s.label in self.positive or first[s.label] is s for s in spans)
        return np.array([s.probability if flag else below for s, flag in zip(spans, flagged, strict=True)], np.float64)


def _known(labels: Iterable[str] | None, allowed: Sequence[str]) -> tuple[str, ...]:
    if labels is None:
        return tuple(allowed)
    wanted = tuple(dict.fromkeys(labels))
    for label in wanted:
        if label not in allowed:
            raise ConfigError(f"label {quoted(label)} is unknown; known: {', '.join(allowed)}")
    return wanted


class PiiStream:
    """Reads one text as it comes; see `routekit.interfaces.IncrementalClassifier`.

    The text is kept only as far as a match can reach back, so memory does not grow with what is fed.
    """

    __slots__ = (
        "_bounds",
        "_buffer",
        "_buffer_start",
        "_classifier",
        "_fold",
        "_is_finished",
        "_n_read",
        "_pieces",
        "_position",
        "_resolver",
        "_seconds",
        "_spans",
        "_total",
    )

    def __init__(self, classifier: PatternPiiClassifier) -> None:
        self._classifier = classifier
        self._fold = Fold()
        self._resolver = Resolver()
        self._pieces: list[str] = []
        self._buffer = ""
        self._buffer_start = 0
        self._position = 0
        self._total = 0
        self._n_read = 0
        self._seconds = 0.0
        self._spans: list[Span] = []
        self._bounds: dict[str, float] = {}
        self._is_finished = False

    def feed(self, text: str) -> None:
        """Take the next piece.

        Raises
        ------
        UsageError
            After `finish`.
        """
        if self._is_finished:
            raise UsageError("feed() after finish(); open() a new stream for each text")
        began = perf_counter()
        folded = self._fold.feed(text)
        self._n_read += len(text)
        self._total += len(folded)
        self._pieces.append(folded)
        while self._total >= self._block_end() + RIGHT:
            self._scan(self._block_end())
        self._seconds += perf_counter() - began

    def lower_bound(self) -> Mapping[str, float]:
        """Return the probabilities that are certain to be reached, whatever follows."""
        return dict(self._bounds)

    def finish(self) -> Prediction:
        """Return the prediction for everything that was fed."""
        began = perf_counter()
        if not self._is_finished:
            self._is_finished = True
            while self._position < self._total:
                self._scan(min(self._block_end(), self._total))
            self._take(self._resolver.settle((), self._total))
        self._seconds += perf_counter() - began
        return self._prediction()

    def _block_end(self) -> int:
        return self._position + (BLOCK if self._position else FIRST_BLOCK)

    def _scan(self, end: int) -> None:
        """Scan the block from the current position to `end`."""
        if self._pieces:
            self._buffer += "".join(self._pieces)
            self._pieces.clear()
        low = self._position - self._buffer_start
        high = end - self._buffer_start
        offset = self._buffer_start + max(0, low - LEFT)
        window = self._buffer[max(0, low - LEFT) : high + RIGHT]
        is_whole = self._is_finished and len(window) == self._total
        found = scanner().scan(window, self._position - offset, end - offset, is_whole=is_whole)
        moved = (
            Candidate(start + offset, stop + offset, rank, label, probability)
            for start, stop, rank, label, probability in found
            if label in self._classifier.labels
        )
        self._take(self._resolver.settle(moved, end))
        self._position = end
        keep = max(0, high - LEFT)
        self._buffer, self._buffer_start = self._buffer[keep:], self._buffer_start + keep

    def _take(self, final: Iterable[Candidate]) -> None:
        for candidate in final:
            label, probability = candidate.label, candidate.probability
            self._bounds[label] = max(probability, self._bounds.get(label, 0.0))
            if probability >= self._classifier.threshold:
                start, end = self._fold.origin(candidate.start), self._fold.origin_end(candidate.end)
                self._spans.append(Span(start, end, label, probability))

    def _prediction(self) -> Prediction:
        classifier = self._classifier
        probabilities = {label: self._bounds.get(label, 0.0) for label in classifier.labels}
        best = max(classifier.labels, key=lambda label: self._rank(label, probabilities[label]))
        found = probabilities[best] >= classifier.threshold
        probabilities[NONE] = 1.0 - max(probabilities.values())
        return Prediction(
            best if found else NONE, probabilities, tuple(self._spans), n_tokens=self._n_read, seconds=self._seconds
        )

    def _rank(self, label: str, probability: float) -> tuple[bool, bool, float]:
        """Order labels for the verdict: found ones first, of those the positive ones, then the likelier."""
        return probability >= self._classifier.threshold, label in self._classifier.positive, probability
