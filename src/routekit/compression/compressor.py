"""Compression that keeps the verdict: any text becomes at most so many tokens of its own sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from routekit.compression.analysis import Analysis, TextAnalyser, without_surrogates
from routekit.compression.budget import BoundCounter, ExactCounter, TokenCounter
from routekit.compression.profiles import FLAGGING_WEIGHT, RANKING_WEIGHT, SCORERS, Profile, profile_named
from routekit.compression.scorers import novelty, position, textrank, tfidf
from routekit.compression.screens import ScreenedUnits, fair_order, flagged_order, screen_units
from routekit.compression.selection import Range, Selection, edge_order, remainder, stripped
from routekit.errors import UsageError
from routekit.interfaces import Tokenizer
from routekit.tensors import CompressedText, WindowScores

if TYPE_CHECKING:
    from routekit.tensors import FloatArray


#: The highest units of each screen that flags come right after the flagged ones, if they are not among them.
HOTTEST = 2
#: Share of the budget that flagged text may take while another screen ranks: a subject is judged by all of a text.
FLAGGED_SHARE = 0.5


class ExtractiveCompressor:
    """Keeps the sentences that matter for a verdict, under a hard cap on tokens. Deterministic; holds no state.

    Text that a screen flags comes first, then the edges of the text; then the sum of four classical scores and each
    screen's scores take turns in proposing sentences. Near-duplicates of what was kept are left out. Sentences that
    do not fit are cut to windows.

    Parameters
    ----------
    profile
        ``"default"``, ``"coding"``, ``"medical"``, ``"security"`` or ``"multi-turn"``, or a `Profile`.
    weights
        Overrides of the profile's weights, by scorer (``"textrank"``, ``"position"``, ``"tfidf"``, ``"novelty"``) or
        screen name; dimensionless, at least 0.
    keep_first, keep_last
        Overrides of the profile's counts of edge sentences.
    return_scores
        Give every sentence's scores and range in the result.

    Raises
    ------
    ConfigError
        For an unknown profile, a weight below 0 or not finite, a count below 0.

    Examples
    --------
    >>> text = "Add the numbers. " + "The weather was nice that day. " * 40 + "Then print the sum."
    >>> ExtractiveCompressor().compress(text, 60).text
    'Add the numbers. The weather was nice that day.\\nThen print the sum.'

    References
    ----------
    The four scores and their default weights: arXiv:2603.12646.
    """

    def __init__(
        self,
        profile: str | Profile = "default",
        *,
        weights: Mapping[str, float] | None = None,
        keep_first: int | None = None,
        keep_last: int | None = None,
        return_scores: bool = False,
    ) -> None:
        base = profile if isinstance(profile, Profile) else profile_named(profile)
        self.profile = replace(
            base,
            weights={**base.weights, **(weights or {})},
            keep_first=base.keep_first if keep_first is None else keep_first,
            keep_last=base.keep_last if keep_last is None else keep_last,
        )
        self.return_scores = return_scores

    def compress(
        self,
        text: str,
        max_tokens: int,
        *,
        scores: WindowScores | Sequence[WindowScores] | None = None,
        tokenizer: Tokenizer | None = None,
    ) -> CompressedText:
        """Cut a text to at most `max_tokens`, special tokens included.

        Parameters
        ----------
        text
            Any string; lone surrogates become U+FFFD.
        max_tokens
            At least 1. A cap that leaves no room for a token gives an empty text, which counts 0.
        scores
            What screens found in this text.
        tokenizer
            Counts exactly; without one `token_bound` bounds what any common tokenizer would count.

        Raises
        ------
        UsageError
            If max_tokens is below 1, text is no string, or scores do not fit the text.
        """
        stream = self.open(max_tokens, tokenizer=tokenizer)
        stream.hold(text)
        return stream.finish(scores)

    def open(self, max_tokens: int, *, tokenizer: Tokenizer | None = None) -> CompressionStream:
        """Start compressing a text that still arrives; the result equals the one-shot result."""
        if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1:
            raise UsageError(f"max_tokens is {max_tokens!r}; allowed: an integer of at least 1")
        if not (tokenizer is None or isinstance(tokenizer, Tokenizer)):
            allowed = "what has encode() and n_special_tokens, as routekit.tokenization.JsonTokenizer('tokenizer.json')"
            raise UsageError(f"tokenizer is a {type(tokenizer).__name__}; allowed: {allowed}")
        return CompressionStream(self, max_tokens, tokenizer)


class CompressionStream:
    """One text on its way through a compressor: `feed` it in pieces, then `finish`.

    Sentences are cut and counted as they close, so that little is left to do after the last piece.
    """

    def __init__(self, compressor: ExtractiveCompressor, max_tokens: int, tokenizer: Tokenizer | None) -> None:
        self._compressor, self._max_tokens, self._tokenizer = compressor, max_tokens, tokenizer
        self._analyser = TextAnalyser()
        self._finished = False

    def feed(self, text: str) -> None:
        """Take the next piece.

        Raises
        ------
        UsageError
            After `finish`, or if text is no string.
        """
        self.hold(text)
        self._analyser.advance()

    def hold(self, text: str) -> None:
        """Take the next piece, but look at it in `finish` only: text that fits needs no analysis."""
        self._require_open()
        if not isinstance(text, str):
            raise UsageError(f"text is a {type(text).__name__}; allowed: str")
        self._analyser.hold(without_surrogates(text))

    def finish(self, scores: WindowScores | Sequence[WindowScores] | None = None) -> CompressedText:
        """Return the compressed text; `scores` are what screens found in the whole of it."""
        self._require_open()
        self._finished = True
        text = self._analyser.text()
        counter = ExactCounter(text, self._tokenizer) if self._tokenizer else BoundCounter(text)
        if not self._compressor.return_scores and counter.fits(text, self._max_tokens):
            return _whole(text, counter)
        screens = (scores,) if isinstance(scores, WindowScores) else tuple(scores or ())
        if not all(isinstance(screen, WindowScores) for screen in screens):
            raise UsageError("scores hold something else than WindowScores; allowed: what the screens return")
        analysis = self._analyser.finish()
        return _compressed(analysis, counter, self._max_tokens, screens, self._compressor)

    def _require_open(self) -> None:
        if self._finished:
            raise UsageError("this text is finished; open() a new stream")


def _whole(text: str, counter: TokenCounter) -> CompressedText:
    n_tokens = counter.total(text)
    return CompressedText(text, ((0, len(text)),) if text else (), n_tokens, n_tokens, counter.exact)


def _compressed(
    analysis: Analysis,
    counter: TokenCounter,
    max_tokens: int,
    screens: Sequence[WindowScores],
    compressor: ExtractiveCompressor,
) -> CompressedText:
    bounds, profile = analysis.bounds, compressor.profile
    screened = [screen_units(screen, bounds) for screen in screens]
    scores = unit_scores(analysis, screened, profile)
    if counter.fits(analysis.text, max_tokens):
        return replace(_whole(analysis.text, counter), scores=_listed(scores), sentences=_ranges(analysis))
    selection = Selection(analysis, counter, max_tokens)
    flagged = flagged_order(screened, analysis)
    share = 1.0 if all(screen.flags for screen in screened) else FLAGGED_SHARE
    selection.take_flagged(flagged, _focus(screened, flagged), _context(screened, flagged), share)
    hottest = _hottest(screened)
    selection.take_best((unit, screen.before(unit)) for screen, unit in hottest)
    selection.take_edges(edge_order(len(bounds) - 1, profile.keep_first, profile.keep_last))
    selection.take_best(_best(scores["total"], screened, profile))
    selection.take_around([unit for _, unit in hottest])
    text, spans, n_tokens = selection.result()
    return CompressedText(
        text,
        spans,
        max(counter.estimate(analysis.text), n_tokens),
        n_tokens,
        counter.exact,
        overflow=stripped(analysis.text, remainder(_flagged_ranges(analysis, flagged), spans)),
        scores=_listed(scores) if compressor.return_scores else None,
        sentences=_ranges(analysis) if compressor.return_scores else None,
    )


def unit_scores(analysis: Analysis, screened: Sequence[ScreenedUnits], profile: Profile) -> dict[str, FloatArray]:
    """Score every unit by scorer and screen; ``"total"`` is the weighted sum of the four classical scores."""
    matrix, n_units = analysis.matrix, len(analysis.bounds) - 1
    makers = {
        "textrank": lambda: textrank(matrix),
        "position": lambda: position(n_units),
        "tfidf": lambda: tfidf(matrix),
        "novelty": lambda: novelty(matrix),
    }
    scores = {name: makers[name]() for name in SCORERS if profile.weight(name)}
    total = sum((profile.weight(name) * values for name, values in scores.items()), np.zeros(n_units))
    return {**scores, **{screen.name: screen.scores for screen in screened}, "total": total}


def _best(total: FloatArray, screened: Sequence[ScreenedUnits], profile: Profile) -> Iterator[tuple[int, Range]]:
    """Give units in the order in which they are worth keeping, each with the units that its score depends on."""
    channels = [
        (np.where(screen.scores > 0, screen.scores, -np.inf), profile.weight(screen.name, _turns(screen)))
        for screen in screened
    ]
    for unit, channel in fair_order([*channels, (total, 1.0)]):
        yield unit, screened[channel].before(unit) if channel < len(screened) else (0, 0)


def _hottest(screened: Sequence[ScreenedUnits]) -> list[tuple[ScreenedUnits, int]]:
    """Give the highest units of each screen that flags: close verdicts hang by them."""
    order = [(screen, np.argsort(-screen.scores, kind="stable")[:HOTTEST]) for screen in screened if screen.flags]
    return [(screen, unit) for screen, units in order for unit in units.tolist() if screen.scores[unit] > 0]


def _turns(screen: ScreenedUnits) -> float:
    return FLAGGING_WEIGHT if screen.flags else RANKING_WEIGHT


def _listed(scores: Mapping[str, FloatArray]) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in scores.items()}


def _ranges(analysis: Analysis) -> tuple[Range, ...]:
    bounds = analysis.bounds.tolist()
    return tuple(pairwise(bounds))


def _flagged_ranges(analysis: Analysis, flagged: Sequence[int]) -> list[Range]:
    bounds = analysis.bounds
    return [(int(bounds[unit]), int(bounds[unit + 1])) for unit in sorted(flagged)]


def _focus(screened: Sequence[ScreenedUnits], flagged: Sequence[int]) -> dict[int, int]:
    return {unit: max(int(screen.focus[unit]) for screen in screened) for unit in flagged}


def _context(screened: Sequence[ScreenedUnits], flagged: Sequence[int]) -> dict[int, Range]:
    return {
        unit: max((screen.before(unit) for screen in screened if screen.flagged[unit]), key=lambda r: r[1] - r[0])
        for unit in flagged
    }
