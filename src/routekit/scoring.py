"""One classifier reading one request: incrementally while the body arrives, or at once; failures become states."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index

from routekit.interfaces import Classifier, IncrementalClassifier
from routekit.prediction import Prediction, Span
from routekit.request import Scope
from routekit.states import ClassifierTraits, Verdict

#: Softmax in float32 may exceed 1, and a bound its final value, by rounding; by no more than this.
_ROUNDING = 1e-5


class InvalidPrediction(Exception):
    """A classifier answered something that is no prediction of its labels."""


@dataclass(slots=True)
class Scoring:
    """State of one classifier in one request.

    Attributes
    ----------
    state
        What is known so far; an error leaves it FAILED, under the name of the error's type: its message may hold text.
    whole
        True to leave it to the caller, by an `Ask`, though the classifier could read as the body arrives.
    """

    classifier: Classifier
    traits: ClassifierTraits
    state: Verdict = field(default_factory=Verdict)
    whole: bool = False
    _scorer: IncrementalClassifier | None = None
    _fed: list[str] = field(default_factory=list)

    @property
    def scope(self) -> Scope:
        scope: Scope = getattr(self.classifier, "scope", "all")
        return scope

    @property
    def incremental(self) -> bool:
        """Whether text can be fed before the body is complete; the last user turn is known only then."""
        return self.opens and self.scope != "last_user"

    @property
    def opens(self) -> bool:
        """Whether it is read here, at once or in blocks, and not asked for."""
        return not self.whole and callable(getattr(self.classifier, "open", None))

    @property
    def begun(self) -> bool:
        return self._scorer is not None

    @property
    def ended(self) -> bool:
        return self.state.final or self.state.failed is not None

    def feed(self, blocks: Sequence[str]) -> None:
        """Read the blocks that have not been read; `blocks` starts with those that have."""
        try:
            for block in blocks[len(self._fed) :]:
                if self.state.failed is not None:
                    return
                self._feed_block(block)
        except Exception as error:
            self.fail(error)

    def _feed_block(self, block: str) -> None:
        if self._scorer is None:
            self._scorer = self.classifier.open()  # type: ignore[attr-defined]
        self._fed.append(block)
        self._scorer.feed(block)
        bounds = _checked_bounds(self._scorer.lower_bound(), self.traits)
        if bounds != self.state.lower:
            kept = {label: max(p, self.state.lower.get(label, 0.0)) for label, p in bounds.items()}
            self.state = Verdict({**self.state.lower, **kept})

    def finish(self, blocks: Sequence[str]) -> None:
        """Read what is left of the blocks and conclude, unless that is expensive: then `classify` is to be asked."""
        deque(self.finishing(blocks), maxlen=0)

    def finishing(self, blocks: Sequence[str]) -> Iterator[None]:
        """Do what `finish` does, and yield after each block."""
        if self._fed != blocks[: len(self._fed)]:
            self._scorer, self._fed, self.state = None, [], Verdict()
        try:
            for block in (blocks or [""])[len(self._fed) :]:
                if self.state.failed is not None:
                    return
                self._feed_block(block)
                yield
            if self.state.failed is None and self._scorer is not None and is_settled(self._scorer):
                self.conclude([self._scorer.finish()], sum(map(len, blocks)))
        except Exception as error:
            self.fail(error)

    def answer(self, answer: Sequence[Prediction] | BaseException, n_characters: int) -> None:
        """Take what `classify` said about the text, or the error it raised."""
        if isinstance(answer, BaseException):
            self.fail(answer)
        else:
            self.conclude(answer, n_characters)

    def conclude(self, answer: Sequence[Prediction], n_characters: int) -> None:
        """Take the answer of `classify` to one text."""
        try:
            prediction = _checked(answer, self.traits, n_characters)
            for label, bound in self.state.lower.items():
                if prediction.probabilities[label] < bound - _ROUNDING:
                    raise InvalidPrediction
        except Exception as error:
            self.fail(error)
        else:
            self.state = Verdict(self.state.lower, prediction)

    def fail(self, error: BaseException) -> None:
        """End as FAILED; published bounds stay."""
        self.state = Verdict(self.state.lower, failed=type(error).__name__)


def is_settled(scorer: IncrementalClassifier) -> bool:
    """Say, once everything is fed, whether the scorer can conclude cheaply; most always can."""
    settled = getattr(scorer, "settled", None)
    return settled is None or bool(settled())


def _checked(answer: Sequence[Prediction], traits: ClassifierTraits, n_characters: int) -> Prediction:
    if len(answer) != 1 or not isinstance(answer[0], Prediction):
        raise InvalidPrediction
    prediction = answer[0]
    if prediction.label not in traits.labels or set(prediction.probabilities) != traits.labels:
        raise InvalidPrediction
    if not all(_is_share(p) for p in (*prediction.probabilities.values(), prediction.coverage)):
        raise InvalidPrediction
    if not all(_lies_in(span, n_characters) and span.label in traits.labels for span in prediction.spans):
        raise InvalidPrediction
    if index(prediction.n_tokens) < 0 or not math.isfinite(prediction.seconds):
        raise InvalidPrediction
    return prediction


def _lies_in(span: Span, n_characters: int) -> bool:
    # `index` refuses a float, which would go through comparisons and fail when the text is cut there.
    return 0 <= index(span.start) <= index(span.end) <= n_characters and _is_share(span.probability)


def _checked_bounds(bounds: Mapping[str, float], traits: ClassifierTraits) -> dict[str, float]:
    if not traits.labels.issuperset(bounds) or not all(_is_share(p) for p in bounds.values()):
        raise InvalidPrediction
    return dict(bounds)


def _is_share(value: float) -> bool:
    return math.isfinite(value) and -_ROUNDING <= value <= 1 + _ROUNDING
