"""Bytes per token: what is learned, how far one sample reaches, and the share of unsafe requests that results."""

from __future__ import annotations

import math
import random
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.errors import ConfigError
from routekit.pools import RatioEstimator, Ratios
from routekit.pools.ratio import MAX_GAIN

SAMPLES = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(1, 10**6), st.integers(1, 10**6), st.booleans()), max_size=60
)
RULES = st.sampled_from([None, 0.005, 0.1])


def _learned(samples: list[tuple[str, int, int, bool]], target: float | None, **settings: float) -> RatioEstimator:
    estimator = RatioEstimator(target_unsafe=target, **settings)  # type: ignore[arg-type]
    for category, n_bytes, n_tokens, unsafe in samples:
        estimator.observe(category, n_bytes, n_tokens, unsafe=unsafe)
    return estimator


@given(SAMPLES, RULES)
def test_low_is_within_bounds_and_at_most_the_mean(samples: list[tuple[str, int, int, bool]], target: float) -> None:
    estimator = _learned(samples, target)
    for category in "abcd":
        low, mean = estimator.low(category), estimator.mean(category)
        assert 0.5 <= low <= 16
        assert mean is None or low <= mean + 1e-9


@given(SAMPLES, RULES)
def test_largest_bounds_every_plan(samples: list[tuple[str, int, int, bool]], target: float) -> None:
    ratios = _learned(samples, target, half_life_seconds=10.0).snapshot()
    plans = [ratios.plan(name, now)[0] for name in "abcde" for now in (None, 0.0, 5.0, 1e9)]
    assert max(plans) <= ratios.largest()


@given(SAMPLES, st.randoms())
def test_order_across_categories_is_irrelevant(samples: list[tuple[str, int, int, bool]], rng: random.Random) -> None:
    by_category = {name: [s for s in samples if s[0] == name] for name in "abc"}
    shuffled = []
    while any(by_category.values()):
        name = rng.choice([name for name, left in by_category.items() if left])
        shuffled.append(by_category[name].pop(0))
    assert _learned(samples, None).snapshot().states == _learned(shuffled, None).snapshot().states


@given(SAMPLES, RULES)
def test_snapshot_does_not_change(samples: list[tuple[str, int, int, bool]], target: float) -> None:
    estimator = _learned(samples, target)
    snapshot = estimator.snapshot()
    before = [snapshot.plan(name) for name in "abcd"]
    estimator.observe("a", 10**6, 1, unsafe=True)
    estimator.observe("d", 1, 10**6, unsafe=True)
    assert [snapshot.plan(name) for name in "abcd"] == before


@given(st.integers(1, 10**9), st.integers(1, 10**9), RULES)
def test_one_poisoned_sample_moves_a_calibrated_ratio_by_a_bounded_step(
    n_bytes: int, n_tokens: int, target: float
) -> None:
    estimator = _learned([("a", 400 + i % 9, 100, False) for i in range(200)], target)
    before = estimator.low("a")
    estimator.observe("a", n_bytes, n_tokens)
    assert abs(estimator.low("a") - before) <= 0.11 * before


def test_mean_after_ten_samples_needs_no_warm_up() -> None:
    estimator = _learned([("a", 286, 100, False)] * 10, None)
    assert estimator.mean("a") == pytest.approx(2.86)


def test_cold_ratio_caps_until_enough_samples() -> None:
    estimator = RatioEstimator(cold={"_default": 4.0, "json": 1.0})
    for _ in range(9):
        estimator.observe("json", 300, 100)
        estimator.observe("prose", 500, 100)
    assert (estimator.low("json"), estimator.low("prose")) == (1.0, 4.0)
    estimator.observe("json", 300, 100)
    estimator.observe("prose", 500, 100)
    assert estimator.low("json") == pytest.approx(3.0)
    assert estimator.low("prose") == pytest.approx(5.0)


def test_idle_category_counts_as_cold_again() -> None:
    estimator = _learned([("a", 600, 100, False)] * 40, None, half_life_seconds=60.0)
    assert estimator.low("a", now=60.0) == pytest.approx(6.0)
    assert estimator.low("a", now=600.0) == 4.0


def test_categories_beyond_the_limit_share_the_default() -> None:
    estimator = RatioEstimator(max_categories=3)
    for name in ("a", "b", "c", "d", "x" * 1000):
        estimator.observe(name, 200, 100)
    assert sorted(estimator.snapshot().states) == ["_default", "a", "b"]
    assert estimator.mean("_default") == pytest.approx(2.0)
    assert estimator.low("never seen") == pytest.approx(2.0)


@pytest.mark.parametrize(("n_bytes", "n_tokens"), [(0, 5), (5, 0), (-1, 5), (5, -1)])
def test_samples_without_sense_are_counted_and_ignored(n_bytes: int, n_tokens: int) -> None:
    estimator = RatioEstimator()
    estimator.observe("a", n_bytes, n_tokens)
    assert estimator.n_ignored == 1
    assert not estimator.snapshot().states


@given(st.lists(st.booleans(), min_size=1, max_size=3000), st.sampled_from([0.005, 0.05, 0.2]))
def test_gain_follows_the_outcome_within_its_ends(outcomes: list[bool], target: float) -> None:
    estimator = RatioEstimator(target_unsafe=target)
    for unsafe in outcomes:
        estimator.observe("a", 400, 100, unsafe=unsafe)
        assert 0 <= estimator.gain <= MAX_GAIN
    # What quantile tracking promises: the excess over the target is what the gain has moved, and no more.
    if 0 < estimator.gain < MAX_GAIN:
        excess = sum(outcomes) / len(outcomes) - target
        assert abs(excess) * len(outcomes) * 0.05 <= MAX_GAIN + 1.0 + 0.05 * len(outcomes) * target


@pytest.mark.parametrize("drifts", [False, True])
def test_target_share_holds_on_a_mix(drifts: bool) -> None:
    """Lengths are log-normal, ratios differ by category and, drifting, a category changes what it holds."""
    rng = random.Random(3)
    estimator = RatioEstimator(target_unsafe=0.02)
    n, n_unsafe = 20_000, 0
    for i in range(n):
        category, center = rng.choice([("prose", 4.4), ("code", 3.4), ("json", 2.6)])
        if drifts and category == "prose" and rng.random() < i / n:
            center = 2.8
        n_tokens = max(1, int(rng.lognormvariate(math.log(3000), 0.8)))
        n_bytes = math.ceil(n_tokens * center * rng.lognormvariate(0, 0.12))
        unsafe = math.ceil(n_bytes / estimator.low(category)) <= 4096 < n_tokens
        n_unsafe += unsafe and i >= 1000
        estimator.observe(category, n_bytes, n_tokens, unsafe=unsafe)
    assert n_unsafe / (n - 1000) == pytest.approx(0.02, rel=0.25)


def test_threads_lose_no_sample() -> None:
    estimator = RatioEstimator(target_unsafe=0.01)

    def learn() -> None:
        for i in range(500):
            estimator.observe(f"c{i % 5}", 400, 100, unsafe=False)
            estimator.low(f"c{i % 7}")

    threads = [Thread(target=learn) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    snapshot = estimator.snapshot()
    assert isinstance(snapshot, Ratios)
    assert sum(state.n for state in snapshot.states.values()) == 4000


@pytest.mark.parametrize(
    "settings",
    [
        {"beta": 0.0},
        {"beta": 1.0},
        {"beta": math.nan},
        {"sigma_gain": -1.0},
        {"cold": 0.1},
        {"min_samples": 0},
        {"ratio_bounds": (4.0, 1.0)},
        {"max_categories": 0},
        {"target_unsafe": 0.0},
        {"target_unsafe": 0.7},
        {"half_life_seconds": 0.0},
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="allowed"):
        RatioEstimator(**settings)  # type: ignore[arg-type]
