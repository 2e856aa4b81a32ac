"""The jailbreak classifier of two tiers: a linear one that reads everything, and the encoder where that is unsure.

Most texts need no encoder: the linear tier is sure, or a glance at the tokens leaves no doubt that a text is harmless.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from routekit.embedded.doubt import Doubt
from routekit.embedded.encoder import Encoder, HeadLogits
from routekit.embedded.first_tier import FirstTier
from routekit.embedded.passages import READ_TOKENS, read_whole, whole_text
from routekit.embedded.undisguise import is_latin, undisguised
from routekit.errors import ModelFormatError
from routekit.linear import LinearClassifier
from routekit.prediction import Prediction, Span
from routekit.readings import sigmoid
from routekit.request import Scope
from routekit.shared_work import sharing_work
from routekit.tensors import WindowScores

if TYPE_CHECKING:
    from routekit.long_text import Reading
    from routekit.tensors import IntArray

#: Characters between two tokens that stand beside each other in the text: white space.
_NEAR = 8
#: P closer to 0 or 1 than this is rounding.
_SURE = 1e-9
#: One word asks for nothing; the encoder, which learnt on whole requests, takes "secret" or "rules" for an attack.
#: What is longer may be a sentence without its spaces.
_ONE_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]{1,14}[.?!]?")


@dataclass(frozen=True, slots=True)
class RawScore:
    """What both tiers say of a text, before they are joined.

    Attributes
    ----------
    linear
        Log-odds of the linear tier.
    margin
        Highest margin of a window of the encoder.
    n_words
        Words of the text, by which its threshold is chosen.
    doubt
        What a glance says; infinite where it cannot clear a text whatever the bound.
    """

    linear: float
    margin: float
    n_words: int
    doubt: float = math.inf


@dataclass(frozen=True, slots=True)
class _Look:
    margin: float
    as_it_stands: bool  # the window with the highest margin is of the text itself, not of its plain version
    is_latin: bool


class JailbreakCascade:
    """Finds attacks in two tiers; thread-safe.

    The linear tier reads all of a text. Where it is sure, or a glance clears the text, that settles it; else the
    encoder reads the text, or what matters of a long one, and their log-odds are added up. `Prediction.tier` says
    which it was.

    Parameters
    ----------
    linear
        The first tier.
    encoder
        The second one; loaded when a text first needs it.
    """

    #: Milliseconds for 1K tokens where the encoder reads, measured by benchmarks/embedded_speed.py.
    cost = 35.0

    def __init__(self, linear: LinearClassifier, encoder: Encoder, *, scope: Scope = "all") -> None:
        self.linear, self.encoder = linear, encoder
        self.first_tier = FirstTier(linear)
        self.rule = encoder.settings.jailbreak
        self.name, self.scope = linear.name, scope
        self.labels: tuple[str, ...] = linear.labels
        self.positive = frozenset(self.labels[1:])
        self.threshold = self.rule.threshold

    def classify(self, texts: Sequence[str]) -> list[Prediction]:
        """Predict each text on its own.

        Raises
        ------
        InferenceError
            If the encoder fails.
        ModelFormatError
            If its files are damaged.
        """
        with sharing_work():
            return [self._classify(text) for text in texts]

    def open(self) -> CascadeScan:
        """Begin to read one text as it arrives."""
        return CascadeScan(self)

    def screen(self, text: str) -> WindowScores:
        """Score the windows of a text by the linear tier, as `LinearClassifier.screen`."""
        return self.linear.screen(text)

    def warm_up(self) -> None:
        """Load the encoder."""
        self.encoder.load()

    def raw_scores(self, texts: Sequence[str]) -> list[RawScore]:
        """Let both tiers read every text, whether the first one is sure or not: what calibration needs."""
        return [self._raw_score(text) for text in texts]

    def _raw_score(self, text: str) -> RawScore:
        with sharing_work():
            first = self.first_tier.verdict(text)
            margin = self._look(text, self.encoder.read(text)).margin
            doubt = self._glance(text) if self._may_clear(text, first) else math.inf
            return RawScore(log_odds(first), margin, first.n_tokens, doubt)

    def settled(self, text: str, first: Prediction) -> float | None:
        """Log-odds of a text that needs no encoder, given what the linear tier says of it; None for others."""
        settled = self.rule.settled(log_odds(first))
        if settled is not None or self.rule.doubt == -math.inf or self._glance(text) >= self.rule.doubt:
            return settled
        return self.rule.cleared(log_odds(first)) if self._may_clear(text, first) else None

    def settle(self, first: Prediction, log_odds: float, began: float) -> Prediction:
        """Judge a text without the encoder; `log_odds` as `settled` gives them."""
        return self._prediction(first, log_odds, "linear", None, began)

    def _glance(self, text: str) -> float:
        """Say how much in a text calls for the encoder; a long text always does."""
        if self._doubt is None:
            return math.inf
        encoding = whole_text(self.encoder.tokenizer, text, READ_TOKENS)
        return math.inf if encoding is None else self._doubt.log_odds(encoding.input_ids)

    def _may_clear(self, text: str, first: Prediction) -> bool:
        """Say whether a glance counts: it knows plain words of Latin script, and never overrules the linear tier."""
        return first.label not in self.positive and is_latin(text) and undisguised(text) is None

    @cached_property
    def _doubt(self) -> Doubt | None:
        path = self.encoder.folder / "doubt.npz"
        if self.rule.doubt == -math.inf and not path.is_file():
            return None
        doubt = Doubt.from_file(path)
        if len(doubt.vectors) < self.encoder.tokenizer.vocab_size:
            raise ModelFormatError("'doubt.npz' is for another tokenizer than 'tokenizer.json'; reinstall routekit")
        return doubt

    def _classify(self, text: str) -> Prediction:
        began = perf_counter()
        first = self.first_tier.verdict(text)
        settled = self.settled(text, first)
        if settled is not None:
            return self.settle(first, settled, began)
        if _ONE_WORD.fullmatch(text.strip()) or self._is_foreign(text):
            return self._by_linear(first, began)
        logits = self.encoder.read(text)
        look = self._look(text, logits)
        if not look.is_latin:
            return self._by_linear(first, began)
        encoder = self.rule.encoder_log_odds(look.margin)
        # What was flagged and not read is no proof of innocence.
        total = self.rule.log_odds(log_odds(first), encoder if logits.all_flagged_read else max(encoder, 0.0))
        return self._prediction(first, total, "encoder", logits if look.as_it_stands else None, began)

    def _is_foreign(self, text: str) -> bool:
        """Foretell of a text that is read whole what `_look` would say: not Latin, and not disguised."""
        encoding = whole_text(self.encoder.tokenizer, text, READ_TOKENS)
        if encoding is None or is_latin(text):
            return False
        shown = " ".join(text[start:end] for start, end in _parts(encoding.offsets))
        return not is_latin(shown) and undisguised(shown) is None

    def _look(self, text: str, logits: HeadLogits) -> _Look:
        """Let the encoder read what is disguised in plain words too."""
        margin = float(logits.margins.max())
        shown = " ".join(text[start:end] for start, end in _all_read(logits.reading))
        plain = undisguised(shown)
        if plain is None:
            return _Look(margin, True, is_latin(shown))
        size, stride = self.encoder.window_size, self.encoder.settings.stride_tokens
        reading = read_whole(self.encoder.tokenizer.encode(plain), size, stride)
        other = float(self.encoder.run(plain, reading).margins.max())
        return _Look(max(margin, other), margin >= other, is_latin(plain))

    def _by_linear(self, first: Prediction, began: float) -> Prediction:
        """Go by the linear tier where the encoder is no witness; the stricter threshold counts."""
        total = max(log_odds(first), self.rule.lower_bound(log_odds(first)))
        return self._prediction(first, total, "linear", None, began, least=first.threshold or 0.0)

    def _prediction(
        self,
        first: Prediction,
        total: float,
        tier: str,
        logits: HeadLogits | None,
        began: float,
        least: float = 0.0,
    ) -> Prediction:
        """Judge by the threshold for the length of the text, and at least by one that is given."""
        p = sigmoid(total)
        negative, positive = self.labels
        threshold = max(least, self.rule.threshold_at(first.n_tokens))
        fires = p >= threshold
        return Prediction(
            label=positive if fires else negative,
            probabilities={negative: 1.0 - p, positive: p},
            spans=tuple(Span(*place, positive, p) for place in _places(first, logits)) if fires else (),
            n_tokens=first.n_tokens,
            seconds=perf_counter() - began,
            tier=tier,
            threshold=threshold,
        )


class CascadeScan:
    """Reads one text as it arrives, by the linear tier; the encoder comes last, if at all. For one thread at a time."""

    def __init__(self, cascade: JailbreakCascade) -> None:
        self._cascade = cascade
        self._linear = cascade.linear.open()
        self._texts: list[str] = []
        self._settled: float | None = None

    def feed(self, text: str) -> None:
        """Take the next piece of the text; raise `UsageError` after `settled` or `finish`."""
        self._linear.feed(text)
        self._texts.append(text)

    def lower_bound(self) -> Mapping[str, float]:
        """P that the text comes to at least, whatever follows and whatever the encoder will say."""
        positive = self._cascade.labels[1]
        found = self._linear.lower_bound().get(positive, 0.0)
        return {positive: sigmoid(self._cascade.rule.lower_bound(_log_odds(found)))}

    def settled(self) -> bool:
        """Say, once everything is fed, whether `finish` is cheap; else ``classify([text])`` may be asked instead.

        A glance needs the tokenizer, which is loaded with the encoder: that takes too long to be done here.
        """
        cascade, first = self._cascade, self._first()
        glances = cascade.encoder.is_loaded
        self._settled = (
            cascade.settled("".join(self._texts), first) if glances else cascade.rule.settled(log_odds(first))
        )
        return self._settled is not None

    def finish(self) -> Prediction:
        """Give the prediction of everything fed."""
        with sharing_work():
            first = self._first()
            if self._settled is not None:
                return self._cascade.settle(first, self._settled, perf_counter())
            return self._cascade.classify(["".join(self._texts)])[0]

    def _first(self) -> Prediction:
        """Close the linear scan, and leave what it says where `classify` finds it."""
        return self._cascade.first_tier.keep("".join(self._texts), self._linear)


def log_odds(prediction: Prediction) -> float:
    """Log-odds of the positive label, which comes last."""
    return _log_odds(list(prediction.probabilities.values())[-1])


def _log_odds(p: float) -> float:
    sure = min(max(p, _SURE), 1.0 - _SURE)
    return math.log(sure / (1.0 - sure))


def _places(first: Prediction, logits: HeadLogits | None) -> list[tuple[int, int]]:
    """Say where the telling window lies: in the encoder's words where it read, else in those of the linear tier."""
    if logits is None:
        return [(span.start, span.end) for span in first.spans]
    return _stretches(logits.reading, int(logits.margins.argmax()))


def _stretches(reading: Reading, window: int) -> list[tuple[int, int]]:
    """Give the stretches of text that a window reads; sentences side by side in it may stand far apart."""
    return _parts(reading.encoding.offsets[reading.windows[window]])


def _all_read(reading: Reading) -> list[tuple[int, int]]:
    """Give the stretches of text that any window reads."""
    return _parts(reading.encoding.offsets[np.unique(np.concatenate(reading.windows))])


def _parts(offsets: IntArray) -> list[tuple[int, int]]:
    cuts = np.flatnonzero(offsets[1:, 0] - offsets[:-1, 1] > _NEAR) + 1
    return [(int(part[0, 0]), int(part[-1, 1])) for part in np.split(offsets, cuts) if len(part)]
