"""Texts longer than an encoder's window: which tokens each window reads, and how verdicts of windows become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from routekit.errors import InferenceError
from routekit.prediction import Span
from routekit.verdict import VerdictRule

if TYPE_CHECKING:
    from routekit.tensors import Encoding, FloatArray, IntArray

LongText: TypeAlias = Literal["window", "compress", "refuse"]
Aggregate: TypeAlias = Literal["max", "mean"]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What of a text is read, window by window.

    Attributes
    ----------
    encoding
        The whole text.
    windows
        Token numbers of each window, ascending, at least one window; they may overlap.
    coverage
        Share of the characters that some window reads, in [0, 1].
    """

    encoding: Encoding
    windows: tuple[IntArray, ...]
    coverage: float = 1.0

    @property
    def n_tokens(self) -> int:
        """Tokens read, each counted once."""
        if len(self.windows) == 1:
            return len(self.windows[0])
        read = np.zeros(len(self.encoding.input_ids), dtype=bool)
        for window in self.windows:
            read[window] = True
        return int(np.count_nonzero(read))


def windows(n_tokens: int, size: int, stride: int) -> list[tuple[int, int]]:
    """Cover a text by windows; the last one is moved back so that it is full.

    Parameters
    ----------
    n_tokens
        Length of the text, without special tokens.
    size
        Tokens in a window, without special tokens, at least 1.
    stride
        Tokens from one window's start to the next one's, 1 to `size`.

    Returns
    -------
    half-open ranges, at least one, together all of the text.

    Examples
    --------
    >>> windows(10, size=4, stride=3)
    [(0, 4), (3, 7), (6, 10)]
    """
    if n_tokens <= size:
        return [(0, n_tokens)]
    starts = [*range(0, n_tokens - size, stride), n_tokens - size]
    return [(start, start + size) for start in starts]


def read_all(encoding: Encoding, size: int, stride: int) -> Reading:
    """Read the whole text in overlapping windows."""
    numbers = np.arange(len(encoding.input_ids))
    return Reading(encoding, tuple(numbers[a:b] for a, b in windows(len(numbers), size, stride)))


def read_or_refuse(encoding: Encoding, size: int) -> Reading:
    """Read the text in one window.

    Raises
    ------
    InferenceError
        If it does not fit.
    """
    n_tokens = len(encoding.input_ids)
    if n_tokens > size:
        raise InferenceError(f"the text has {n_tokens} tokens; allowed: {size}; use long_text='window' or 'compress'")
    return Reading(encoding, (np.arange(n_tokens),))


def read_parts(
    encoding: Encoding, parts: Sequence[Sequence[tuple[int, int]]], size: int, stride: int, n_characters: int
) -> Reading:
    """Read only some stretches of the text.

    Parameters
    ----------
    parts
        Groups of character ranges, ascending and disjoint within a group. The tokens of a group are read side by
        side, in one window if they fit.
    """
    read = np.zeros(n_characters, dtype=bool)
    pieces: list[IntArray] = []
    for ranges in parts:
        for start, stop in ranges:
            read[start:stop] = True
        tokens = _tokens_in(encoding, ranges)
        pieces += [tokens[a:b] for a, b in windows(len(tokens), size, stride)]
    coverage = float(read.mean()) if n_characters else 1.0
    return Reading(encoding, tuple(pieces) or (np.arange(0),), coverage)


def _tokens_in(encoding: Encoding, ranges: Sequence[tuple[int, int]]) -> IntArray:
    """Return the numbers of the tokens that touch one of the ranges."""
    starts, stops = encoding.offsets[:, 0], encoding.offsets[:, 1]
    numbers = [
        np.arange(np.searchsorted(stops, start, side="right"), np.searchsorted(starts, stop)) for start, stop in ranges
    ]
    return np.unique(np.concatenate(numbers)) if numbers else np.arange(0)


class WindowVotes:
    """Collects the windows of one text for a sequence classifier."""

    def __init__(self, reading: Reading, verdict: VerdictRule, aggregate: Aggregate) -> None:
        self._n_tokens = [len(window) for window in reading.windows]
        self._rule, self._aggregate = verdict, aggregate
        self._per_window = np.zeros((len(reading.windows), len(verdict.labels)))

    def add(self, window: int, per_label: FloatArray) -> None:
        """Take the probabilities of one window, shape (n_labels,)."""
        self._per_window[window] = per_label

    def probabilities(self) -> dict[str, float]:
        merged = aggregate_windows(self._per_window, self._n_tokens, self._aggregate, self._rule)
        return dict(zip(self._rule.labels, merged.tolist(), strict=True))

    def spans(self) -> tuple[Span, ...]:
        """Return nothing: a sequence classifier does not say where."""
        return ()


def aggregate_windows(
    per_window: FloatArray, n_tokens: Sequence[int], aggregate: Aggregate, rule: VerdictRule
) -> FloatArray:
    """Make one P(label) per label out of those of all windows.

    ``"max"``: a hit in one window is never averaged away. Labels that exclude each other are as likely as in the window
    with the likeliest hit; if there are no positive labels, each is as likely as in its best window, scaled to a sum of
    1. Labels that do not exclude each other are as likely as in their best window.
    ``"mean"``: mean weighted by tokens.

    Parameters
    ----------
    per_window
        shape (n_windows, n_labels), float64.
    n_tokens
        Tokens of each window.

    Returns
    -------
    probabilities, shape (n_labels,), float64; with ``"max"``, more windows never make a hit less likely.

    Examples
    --------
    >>> rule = VerdictRule(("benign", "jailbreak"), frozenset({"jailbreak"}))
    >>> aggregate_windows(np.array([[0.9, 0.1], [0.2, 0.8]]), [10, 30], "max", rule).tolist()
    [0.2, 0.8]
    >>> aggregate_windows(np.array([[0.9, 0.1], [0.2, 0.8]]), [10, 30], "mean", rule).round(3).tolist()
    [0.375, 0.625]
    """
    if aggregate == "mean":
        weights = np.maximum(np.asarray(n_tokens, dtype=np.float64), 1.0)
        return np.asarray(weights @ per_window / weights.sum())
    if rule.multi_label:
        return np.asarray(per_window.max(axis=0))
    if rule.positive:
        columns = [i for i, label in enumerate(rule.labels) if label in rule.positive]
        return np.asarray(per_window[per_window[:, columns].sum(axis=1).argmax()])
    best = per_window.max(axis=0)
    return np.asarray(best / best.sum())
