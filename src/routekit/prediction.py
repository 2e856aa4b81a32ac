"""What a classifier says about one text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A labelled stretch of text: characters ``[start, end)`` of the original."""

    start: int
    end: int
    label: str
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Prediction:
    """One verdict, with what it rests on.

    Attributes
    ----------
    label
        The classifier's own verdict, by its own thresholds.
    probabilities
        P(label) for every label, each in [0, 1].
    spans
        Where, for classifiers that locate what they find; ascending.
    coverage
        Share of the text that was read, in [0, 1]; text that nobody read (images, audio) lowers it.
    truncated
        True when text was left unread.
    n_tokens
        Tokens (or the classifier's own units) read.
    seconds
        Wall time spent.
    tier
        Which stage settled it, e.g. ``"linear"`` or ``"encoder"``; empty for classifiers without stages.
    threshold
        P from which a positive label is the verdict on this text, where that depends on the text, as on its length;
        None for the classifier's own.
    """

    label: str
    probabilities: Mapping[str, float]
    spans: tuple[Span, ...] = ()
    coverage: float = 1.0
    truncated: bool = False
    n_tokens: int = 0
    seconds: float = field(default=0.0, compare=False)
    tier: str = ""
    threshold: float | None = field(default=None, compare=False)
