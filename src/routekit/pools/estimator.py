"""Bytes per token of every category of text, learned from the usage that servers report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

from routekit.pools.ratio import DEFAULT, MAX_GAIN, Ratio, RatioRules

#: How far one unsafe request moves the gain. Measured: every step from 0.02 to 0.1 holds the target; a smaller one is
#: slower to follow, a larger one wastes more.
GAIN_STEP = 0.05
#: Longest name a category may have; longer ones share `DEFAULT`.
MAX_NAME_CHARS = 128


@dataclass(frozen=True, slots=True)
class Ratios:
    """The learned ratios of one moment; what is learned later does not change them."""

    states: Mapping[str, Ratio]
    gain: float
    rules: RatioRules

    def plan(self, category: str, now: float | None = None) -> tuple[float, bool]:
        """Give the bytes per token to plan with, and whether they are calibrated."""
        state = self.states.get(category) or self.states.get(DEFAULT)
        return self.rules.plan(state, category, self.gain, now)

    def largest(self) -> float:
        """Give the largest bytes per token that `plan` can answer, whatever the category and the time."""
        planned = [self.rules.plan(state, name, self.gain, None)[0] for name, state in self.states.items()]
        return max([*planned, *self.rules.cold.values(), self.rules.cold_ratio(DEFAULT)])


class RatioEstimator:
    """Learns bytes per token by category, and plans with less than the mean, so that few requests are underestimated.

    Two rules say how much less:

    * the paper's: mean - `sigma_gain` x mean absolute deviation, both exponential moving averages;
    * with `target_unsafe`: mean x exp(-gain x margin), where the margin grows with the mean absolute deviation of the
      logarithm, and the gain follows the outcome: an unsafe request raises it by ``0.05 (1 - target)``, any other
      lowers it by ``0.05 target``. That tracks a quantile online, as adaptive conformal inference does: while the gain
      stays off its ends, 0 and 6, the share of unsafe requests after n of them is within ``6 / (0.05 n)`` of the
      target, in whatever order they come.

    Thread-safe: a category is an immutable tuple, replaced under a lock; reading takes no lock. Each operation takes
    constant time. It reads no clock.

    Parameters
    ----------
    beta
        Memory of the moving averages, in (0, 1).
    sigma_gain
        The paper's gamma, at least 0; with `target_unsafe` the gain to begin with.
    cold
        Bytes per token before anything is known: one number, or one by category with ``"_default"`` for the others.
    min_samples
        Samples before a category counts as calibrated; until then the smaller of cold and learned is used.
    ratio_bounds
        Smallest and largest bytes per token believed. A calibrated category believes no sample beyond half or twice
        its mean either, so that one sample moves the mean by at most ``1 - beta`` of itself.
    max_categories
        Categories kept; further ones share ``"_default"``.
    target_unsafe
        Share of all requests that may exceed the pool they were sent to, in (0, 0.5); None for the paper's rule.
    half_life_seconds
        Idle time in which the samples of a category lose half their count towards `min_samples`; None never.

    Raises
    ------
    ConfigError
        If a parameter lies outside what is allowed.

    Examples
    --------
    >>> estimator = RatioEstimator()
    >>> estimator.low("prose")
    4.0
    >>> for _ in range(20):
    ...     estimator.observe("prose", n_bytes=460, n_tokens=100)
    >>> round(estimator.low("prose"), 2)
    4.6

    References
    ----------
    The paper's rule: arXiv:2604.09613. Tracking a quantile: Gibbs and Candes 2021, arXiv:2106.00170; Angelopoulos,
    Candes and Tibshirani 2023, arXiv:2307.16895.
    """

    def __init__(
        self,
        beta: float = 0.95,
        sigma_gain: float = 1.0,
        cold: float | Mapping[str, float] = 4.0,
        min_samples: int = 10,
        ratio_bounds: tuple[float, float] = (0.5, 16.0),
        max_categories: int = 256,
        *,
        target_unsafe: float | None = None,
        half_life_seconds: float | None = None,
    ) -> None:
        self.rules = RatioRules(
            beta=beta,
            sigma_gain=sigma_gain,
            target_unsafe=target_unsafe,
            cold=dict(cold) if isinstance(cold, Mapping) else {DEFAULT: cold},
            min_samples=min_samples,
            lowest=ratio_bounds[0],
            highest=ratio_bounds[1],
            max_categories=max_categories,
            half_life_seconds=half_life_seconds,
        )
        self._lock = Lock()
        self._states: dict[str, Ratio] = {}
        self._gain = sigma_gain
        self._n_ignored = 0

    @property
    def gain(self) -> float:
        """The margin in mean deviations: fixed under the paper's rule, moved by outcomes with `target_unsafe`."""
        return self._gain

    @property
    def n_ignored(self) -> int:
        """Feedback that taught nothing: no usage, or one that makes no sense."""
        return self._n_ignored

    def plan(self, category: str, now: float | None = None) -> tuple[float, bool]:
        """Give the bytes per token to plan with, and whether they are calibrated."""
        states = self._states
        state = states.get(category)
        if state is None:
            state = states.get(DEFAULT)
        return self.rules.plan(state, category, self._gain, now)

    def low(self, category: str, now: float | None = None) -> float:
        """Give the bytes per token to plan with (the paper's c*)."""
        return self.plan(category, now)[0]

    def mean(self, category: str) -> float | None:
        """Give the learned mean of bytes per token (the paper's c hat), None before the first sample."""
        state = self._states.get(category)
        return None if state is None else state.mean / state.weight

    def snapshot(self) -> Ratios:
        """Give the ratios as they are now."""
        return Ratios(self._states.copy(), self._gain, self.rules)

    def observe(
        self, category: str, n_bytes: int, n_tokens: int, *, unsafe: bool | None = None, now: float = 0.0
    ) -> None:
        """Learn from one request.

        Parameters
        ----------
        n_bytes, n_tokens
            UTF-8 bytes of its text and the tokens the server counted; a sample with either below 1 is ignored.
        unsafe
            Whether it exceeded the pool it was sent to; None says nothing about that.
        now
            Monotonic time in seconds; used with `half_life_seconds` only.
        """
        if n_bytes < 1 or n_tokens < 1:
            self.ignore()
            return
        rules = self.rules
        with self._lock:
            states = self._states
            state = states.get(category)
            if state is None:
                category = self._admitted(category)
                state = states.get(category)
            states[category] = rules.learn(state, n_bytes / n_tokens, now)
            if unsafe is not None and rules.target_unsafe is not None:
                gain = self._gain + GAIN_STEP * (unsafe - rules.target_unsafe)
                self._gain = 0.0 if gain < 0.0 else MAX_GAIN if gain > MAX_GAIN else gain

    def ignore(self) -> None:
        """Count feedback that teaches nothing."""
        with self._lock:
            self._n_ignored += 1

    def restore(self, ratios: Ratios) -> None:
        """Go on from ratios that were learned elsewhere under the same rules, e.g. from `load_state`."""
        kept = dict(list(ratios.states.items())[: self.rules.max_categories])
        with self._lock:
            self._states = kept
            if self.rules.target_unsafe is not None:
                self._gain = min(MAX_GAIN, max(0.0, ratios.gain))

    def _admitted(self, category: str) -> str:
        """Name the entry a new category goes to; the last place is kept for `DEFAULT`."""
        n_taken = len(self._states) + (DEFAULT not in self._states)
        return DEFAULT if n_taken >= self.rules.max_categories or len(category) > MAX_NAME_CHARS else category
