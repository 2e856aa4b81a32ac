"""What is known of one category's bytes per token, and the two rules that plan with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, isfinite, log
from typing import NamedTuple

from routekit.errors import ConfigError

#: Stands for every category that no longer fits; also the key of the general cold ratio.
DEFAULT = "_default"
#: Largest margin that outcomes may teach, in mean deviations. It bounds what a sender of disguised text, whose requests
#: are unsafe whatever the margin, can do to the estimates of everybody else.
MAX_GAIN = 6.0
#: Most samples that a file may claim; a year of a million a minute stays below.
_MAX_SAMPLES = 2**53
#: The margin of `target_unsafe` grows with the spread to this power. Of 0.5, 0.75 and 1 it wasted least on nearly every
#: mix and drift that was tried: kinds of text with a large spread are not unsafe in proportion to it.
_SPREAD_POWER = 0.75
#: Makes a margin of one gain equal the spread where that is 0.1, as it is for prose and code.
_SPREAD_SCALE = 0.1 ** (1 - _SPREAD_POWER)


class Ratio(NamedTuple):
    """One category; replaced whole, never changed.

    Attributes
    ----------
    n
        Samples seen.
    weight
        Sum of the weights in the moving averages, ``1 - beta**n``: dividing by it takes away their bias towards 0.
    mean, spread
        Moving averages, not yet divided: of bytes per token, and of its mean absolute deviation (of the logarithm
        under `target_unsafe`).
    seen
        Time of the last sample, in seconds.
    """

    n: int
    weight: float
    mean: float
    spread: float
    seen: float


@dataclass(frozen=True, slots=True)
class RatioRules:
    """The settings of an estimator and what follows from them, free of state."""

    beta: float
    sigma_gain: float
    target_unsafe: float | None
    cold: Mapping[str, float]
    min_samples: int
    lowest: float
    highest: float
    max_categories: int
    half_life_seconds: float | None

    def __post_init__(self) -> None:
        _require(0 < self.beta < 1, "beta", self.beta, "over 0 and below 1")
        _require(0 <= self.sigma_gain < 1e6, "sigma_gain", self.sigma_gain, "at least 0")
        _require(self.min_samples >= 1, "min_samples", self.min_samples, "at least 1")
        _require(self.max_categories >= 1, "max_categories", self.max_categories, "at least 1")
        bounds = (self.lowest, self.highest)
        _require(0 < self.lowest < self.highest < 1e6, "ratio_bounds", bounds, "two ascending positive numbers")
        for ratio in self.cold.values():
            _require(self.lowest <= ratio <= self.highest, "cold", ratio, f"inside ratio_bounds {bounds}")
        if self.target_unsafe is not None:
            _require(0 < self.target_unsafe < 0.5, "target_unsafe", self.target_unsafe, "over 0 and below 0.5")
        if self.half_life_seconds is not None:
            _require(self.half_life_seconds > 0, "half_life_seconds", self.half_life_seconds, "over 0")

    def plan(self, state: Ratio | None, category: str, gain: float, now: float | None) -> tuple[float, bool]:
        """Give the bytes per token to plan with, at most the mean, and whether they are calibrated."""
        if state is None:
            return self.cold_ratio(category), False
        n, weight, mean, spread, _ = state
        if self.target_unsafe is None:
            low = (mean - self.sigma_gain * spread) / weight
        else:
            low = mean / weight * exp(-gain * _SPREAD_SCALE * (spread / weight) ** _SPREAD_POWER)
        if low < self.lowest:
            low = self.lowest
        if n < self.min_samples or (self.half_life_seconds is not None and self._is_stale(state, now)):
            return min(self.cold_ratio(category), low), False
        return low, True

    def cold_ratio(self, category: str) -> float:
        """Give the bytes per token to plan with before anything is known."""
        ratio = self.cold.get(category)
        return self.cold.get(DEFAULT, 4.0) if ratio is None else ratio

    def learn(self, state: Ratio | None, ratio: float, now: float) -> Ratio:
        """Take one sample into the averages; what a single one can change is bounded."""
        beta = self.beta
        lowest, highest = self.lowest, self.highest
        if state is None:
            n, weight, mean, spread = 0, 0.0, 0.0, 0.0
        else:
            n, weight, mean, spread, _ = state
            if n >= self.min_samples:
                learned = mean / weight
                lowest, highest = max(lowest, learned / 2), min(highest, learned * 2)
        ratio = lowest if ratio < lowest else highest if ratio > highest else ratio
        weight = beta * weight + 1 - beta
        mean = beta * mean + (1 - beta) * ratio
        learned = mean / weight
        deviation = abs(ratio - learned) if self.target_unsafe is None else abs(log(ratio / learned))
        return Ratio(n + 1, weight, mean, beta * spread + (1 - beta) * deviation, now)

    def _is_stale(self, state: Ratio, now: float | None) -> bool:
        if now is None or self.half_life_seconds is None:
            return False
        idle = max(0.0, now - state.seen)
        return state.n * exp(-log(2) * idle / self.half_life_seconds) < self.min_samples


def is_sound(state: Ratio, rules: RatioRules) -> bool:
    """Say whether a state from a file could have been learned under these rules."""
    numbers = (state.weight, state.mean, state.spread, state.seen)
    if not 1 <= state.n <= _MAX_SAMPLES or not all(isfinite(number) for number in numbers):
        return False
    slack = 1e-9
    if not max(slack, 1 - rules.beta - slack) <= state.weight <= 1 + slack:
        return False
    widest = max(rules.highest, log(rules.highest / rules.lowest))  # of a deviation, plain or of the logarithm
    mean, spread = state.mean / state.weight, state.spread / state.weight
    return 0 <= spread <= widest + slack and rules.lowest - slack <= mean <= rules.highest + slack


def _require(holds: bool, name: str, value: object, allowed: str) -> None:
    if not holds:
        raise ConfigError(f"RatioEstimator {name} is {value!r}; allowed: {allowed}")
