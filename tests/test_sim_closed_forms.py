"""Erlang C, sizes, profiles and cost models against reference values and what must hold of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.errors import ConfigError
from routekit.pools import CostModel, threshold_sweep
from routekit.sim import GpuProfile, erlang_c, size_pool, wait_probability, wait_quantile

LENGTHS = st.lists(st.tuples(st.integers(1, 60_000), st.integers(1, 3000)), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("servers", "load", "probability"),
    [(10, 8, 0.4091801508), (16, 12, 0.2045738584), (100, 90, 0.2169404809), (512, 500, 0.4828250630)],
)
def test_erlang_c_equals_reference(servers: int, load: float, probability: float) -> None:
    assert erlang_c(servers, load) == pytest.approx(probability, abs=1e-9)


@given(st.integers(1, 60), st.floats(0, 80))
def test_erlang_c_equals_the_sum_it_stands_for(servers: int, load: float) -> None:
    if load >= servers:
        assert erlang_c(servers, load) == 1.0
        return
    last = load**servers / math.factorial(servers) * servers / (servers - load)
    total = sum(load**k / math.factorial(k) for k in range(servers)) + last
    assert erlang_c(servers, load) == pytest.approx(last / total, rel=1e-9, abs=1e-300)


def test_erlang_c_neither_overflows_nor_cancels() -> None:
    assert 0 < erlang_c(100_000, 99_900.0) < 1
    assert erlang_c(100_000, 10.0) == 0.0


@given(st.floats(0.1, 200), st.floats(0.01, 5), st.integers(1, 64), st.floats(0, 2), st.floats(0.3, 1))
def test_size_is_the_smallest_that_keeps_both_bounds(
    rate: float, service: float, slots: int, max_wait: float, rho_max: float
) -> None:
    size = size_pool(rate, service, slots, rho_max=rho_max, max_wait_seconds=max_wait)

    def keeps(instances: int) -> bool:
        used = rate * service / (instances * slots)
        return used <= rho_max + 1e-9 and wait_quantile(instances * slots, rate, service) <= max_wait

    assert keeps(size.instances)
    assert size.instances == 1 or not keeps(size.instances - 1)
    assert size.utilisation == pytest.approx(rate * service / (size.instances * slots))


@given(st.floats(0.1, 100), st.floats(1, 2), st.floats(0, 1), st.floats(0, 1))
def test_size_grows_with_the_rate_and_shrinks_with_the_bound(
    rate: float, factor: float, wait: float, longer: float
) -> None:
    size = size_pool(rate, 1.0, 8, max_wait_seconds=wait).instances
    assert size <= size_pool(rate * factor, 1.0, 8, max_wait_seconds=wait).instances
    assert size >= size_pool(rate, 1.0, 8, max_wait_seconds=wait + longer).instances


def test_wait_quantile_is_where_the_tail_says() -> None:
    wait = wait_quantile(10, 8.0, 1.0, quantile=0.9)
    assert wait_probability(10, 8.0, 1.0, wait) == pytest.approx(0.1)
    assert wait_probability(10, 20.0, 1.0, 5.0) == 1.0
    assert wait_quantile(10, 10.0, 1.0) == math.inf


def test_profile_equals_reference() -> None:
    profile = GpuProfile()
    assert [profile.n_slots(context) for context in (2048, 4096, 8192, 65536)] == [512, 256, 128, 16]
    assert profile.iteration_seconds(128, 1588) * 1e3 == pytest.approx(24.1281, abs=5e-5)
    with pytest.raises(ConfigError):
        profile.n_slots(2**31)


@given(LENGTHS, st.sampled_from([512, 2048, 8192]))
def test_savings_by_work_are_exact(lengths: list[tuple[int, int]], threshold: int) -> None:
    prompt, output = np.array(lengths, np.int64).T
    profile, long_context = GpuProfile(), 65536
    model = CostModel.from_lengths(prompt, output, profile.gpu_seconds, threshold=threshold, long_context=long_context)
    short = prompt + output <= threshold
    together = profile.gpu_seconds(prompt, output, long_context).sum()
    apart = profile.gpu_seconds(prompt[short], output[short], threshold).sum()
    apart += profile.gpu_seconds(prompt[~short], output[~short], long_context).sum()
    assert model.savings == pytest.approx(1 - apart / together, abs=1e-9)


def test_savings_by_requests_are_exact_for_equal_work() -> None:
    model = CostModel(alpha=0.8, alpha_work=0.8, rho=3.0)
    assert model.savings == model.savings_by_requests


def test_sweep_has_a_model_for_each_threshold() -> None:
    sweep = threshold_sweep(
        [100, 5000], [10, 10], GpuProfile().gpu_seconds, thresholds=(50, 2048, 8192), long_context=65536
    )
    assert [model.alpha for model in sweep.values()] == [0.0, 0.5, 1.0]
    assert sweep[50].savings == 0.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: erlang_c(0, 1.0),
        lambda: erlang_c(True, 1.0),
        lambda: erlang_c(1, -1.0),
        lambda: erlang_c(1, math.nan),
        lambda: erlang_c(10**9, 1.0),
        lambda: size_pool(math.nan, 1.0, 1),
        lambda: size_pool(1e300, 1e300, 1),
        lambda: size_pool(1e9, 1.0, 1),
        lambda: size_pool(1.0, 0.0, 1),
        lambda: size_pool(1.0, 1.0, 1, rho_max=0.0),
        lambda: size_pool(1.0, [], 1),
        lambda: wait_quantile(1, 1.0, 1.0, quantile=1.0),
        lambda: GpuProfile(base_seconds=0.0),
        lambda: GpuProfile().n_slots(0),
        lambda: GpuProfile(n_blocks=1.5),  # type: ignore[arg-type]
        lambda: CostModel(1.5, 0.5, 1.0),
        lambda: CostModel(0.5, 0.5, 0.0),
        lambda: CostModel.from_lengths([], [], GpuProfile().gpu_seconds, threshold=1, long_context=2),
    ],
)
def test_arguments_out_of_range_are_refused(call: object) -> None:
    with pytest.raises(ConfigError):
        call()  # type: ignore[operator]
