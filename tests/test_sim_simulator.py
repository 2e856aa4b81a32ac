"""Fleets: conservation, capacity, traces, the command, and the reference fleet sizes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routekit.errors import ConfigError
from routekit.pools import PoolRouter, PoolSpec, RatioEstimator, threshold_sweep
from routekit.sim import GpuProfile, Simulator, Trace, by_length, by_router, sample_cdf
from routekit.sim.command import main
from routekit.sim.event_loops import native

SMALL = GpuProfile(n_blocks=600, max_slots=8)
ONE = Trace.poisson(1, rate=1.0, prompt_tokens=[1], output_tokens=[1])
POOLS = (PoolSpec("short", 2048, instances=2), PoolSpec("long", 8192))
MODES = st.sampled_from(["slots", "batch"])
TRACES = st.builds(
    lambda lengths, rate, seed: Trace.poisson(
        60, rate=rate, prompt_tokens=[p for p, _ in lengths], output_tokens=[o for _, o in lengths], seed=seed
    ),
    st.lists(st.tuples(st.integers(0, 9000), st.integers(0, 300)), min_size=1, max_size=8),
    st.floats(0.5, 50),
    st.integers(0, 99),
)


@settings(max_examples=40)
@given(TRACES, MODES, st.floats(0, 60), st.integers(0, 3))
def test_requests_are_conserved(trace: Trace, mode: str, until: float, max_waiting: int) -> None:
    result = Simulator(POOLS, SMALL, mode=mode, max_waiting=max_waiting).run(trace, until_seconds=until)  # type: ignore[arg-type]
    for row in result.summary():
        assert row["completed"] + row["rejected"] + row["in_flight"] == row["requests"]  # type: ignore[operator]
        assert 0 <= float(row["utilisation"]) <= 1 + 1e-9
    assert result.summary()[-1]["requests"] == (trace.arrival_seconds <= until).sum()


@settings(max_examples=40)
@given(TRACES, MODES)
def test_everything_that_fits_completes_in_order(trace: Trace, mode: str) -> None:
    result = Simulator(POOLS, SMALL, mode=mode).run(trace)  # type: ignore[arg-type]
    fits = trace.total_tokens <= 8192
    assert np.array_equal(result.status == 0, fits)
    assert np.all(result.wait_seconds[fits] >= 0)
    assert np.all(result.ttft_seconds[fits] >= result.wait_seconds[fits])
    assert np.all(result.end_seconds[fits] >= result.first_token_seconds[fits])
    assert sum(1 for _ in result.records()) == len(trace)


@pytest.mark.parametrize("mode", ["slots", "batch"])
def test_the_same_trace_gives_the_same_result(mode: str) -> None:
    trace = Trace.poisson(500, rate=30.0, prompt_tokens=[100, 3000], output_tokens=[50, 20], seed=3)
    first, second = (Simulator(POOLS, SMALL, mode=mode, compiled=c).run(trace) for c in (True, native() is None))  # type: ignore[arg-type]
    np.testing.assert_array_equal(first.end_seconds, second.end_seconds)
    assert first.summary() == second.summary()


def test_an_overloaded_server_gives_its_capacity_and_no_more() -> None:
    """The published simulator gives 63.8 times the capacity here, without any wait."""
    profile = GpuProfile()
    trace = Trace.poisson(40_000, rate=200.0, prompt_tokens=[1000], output_tokens=[588], seed=0)
    result = Simulator([PoolSpec("one", 8192)], profile).run(trace)
    capacity = 128 / profile.service_seconds(np.array([1000]), np.array([588]), 8192)[0]
    throughput = float(result.summary()[-1]["throughput"])
    assert throughput <= capacity
    assert throughput == pytest.approx(capacity, rel=0.02)
    assert result.wait_seconds.max() > 1000


def test_batches_lose_sequences_when_blocks_run_out() -> None:
    trace = Trace.poisson(300, rate=50.0, prompt_tokens=[200], output_tokens=[300], seed=0)
    result = Simulator([PoolSpec("one", 2048, slots=16)], GpuProfile(n_blocks=128), mode="batch").run(trace)
    assert result.n_preempted.sum() > 0
    assert (result.status == 0).all()


def test_requests_sent_to_a_pool_too_small_are_rejected() -> None:
    trace = Trace.poisson(10, rate=1.0, prompt_tokens=[5000], output_tokens=[10], seed=0)
    result = Simulator(POOLS).run(trace, pool=np.zeros(10, np.int64))
    assert result.summary()[0]["rejected"] == 10


def test_router_in_the_loop_learns_and_misses_few() -> None:
    rng = np.random.default_rng(0)
    prompts = np.exp(rng.normal(6.5, 1.0, 4000)).astype(np.int64) + 1
    trace = Trace.poisson(4000, rate=50.0, prompt_tokens=prompts, output_tokens=np.full(4000, 100), seed=1)
    n_bytes = np.ceil(trace.prompt_tokens * np.exp(rng.normal(1.1, 0.08, 4000))).astype(np.int64)
    pools = [PoolSpec("short", 2048), PoolSpec("long", 65536)]
    router = PoolRouter(pools, estimator=RatioEstimator(target_unsafe=0.01))
    chosen = by_router(router, trace, n_bytes, ["prose"] * 4000)
    known = by_length(pools, trace)
    assert ((chosen == 0) & (known == 1)).mean() < 0.015
    assert ((chosen == 1) & (known == 0)).mean() < 0.03


def test_profile_of_each_pool_is_its_own() -> None:
    fast = GpuProfile(base_seconds=0.001, dollars_per_hour=10.0)
    trace = Trace.poisson(50, rate=1.0, prompt_tokens=[100, 5000], output_tokens=[10, 10], seed=0)
    rows = Simulator(POOLS, {"short": fast}).run(trace).summary()
    assert [row["dollars_per_hour"] for row in rows] == [20.0, 2.21, 22.21]


def test_cdf_samples_follow_the_shares() -> None:
    lengths = sample_cdf([(100, 0.25), (1000, 1.0)], 20_000, seed=0)
    assert lengths.min() >= 1
    assert lengths.max() <= 1000
    assert (lengths <= 100).mean() == pytest.approx(0.25, abs=0.02)


def test_traces_of_azure_and_mooncake_are_read(tmp_path: Path) -> None:
    csv = tmp_path / "a.csv"
    csv.write_text(
        "TIMESTAMP,ContextTokens,GeneratedTokens\n"
        "2023-11-16 18:17:04.0319600,3180,8\n2023-11-16 18:17:03.9799600,48,0\n"
    )
    trace = Trace.from_azure(csv)
    assert trace.arrival_seconds == pytest.approx([0.0, 0.052], abs=1e-6)
    assert (trace.prompt_tokens.tolist(), trace.output_tokens.tolist()) == ([48, 3180], [1, 8])
    lines = tmp_path / "m.jsonl"
    lines.write_text('{"timestamp": 500, "input_length": 7, "output_length": 2}\n' * 2)
    assert Trace.from_mooncake(lines).total_tokens.tolist() == [9, 9]


@pytest.mark.parametrize("content", ["", "a,b,c\n", "TIMESTAMP,ContextTokens,GeneratedTokens\nnow,1,2\n"])
def test_traces_of_another_form_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(content)
    with pytest.raises(ConfigError, match=r"line \d of 'bad.csv'"):
        Trace.from_azure(path)
    path.write_text('{"timestamp": 1}\n')
    with pytest.raises(ConfigError, match="line 1"):
        Trace.from_mooncake(path)


@pytest.mark.parametrize("length", [b"1e400", b"NaN", b"\xff", b"[" * 100_000, b"1" + b"0" * 30])
def test_numbers_that_are_none_or_too_large_are_refused(tmp_path: Path, length: bytes) -> None:
    path = tmp_path / "bad"
    path.write_bytes(b'{"timestamp": 1, "input_length": %b, "output_length": 1}' % length)
    with pytest.raises(ConfigError, match=r"line 1|prompt_tokens"):
        Trace.from_mooncake(path)
    path.write_bytes(b"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:04.03,%b,1\n" % length)
    with pytest.raises(ConfigError, match=r"line 2|prompt_tokens"):
        Trace.from_azure(path)


@pytest.mark.parametrize(
    "build",
    [
        lambda: Simulator([]),
        lambda: Simulator([POOLS[0], POOLS[0]]),
        lambda: Simulator(POOLS, mode="fluid"),  # type: ignore[arg-type]
        lambda: Simulator(POOLS).run(ONE, pool=np.array([2])),
        lambda: Simulator(POOLS).run(ONE, pool=np.array([0, 0])),
        lambda: Trace.poisson(3, rate=0.0, prompt_tokens=[1], output_tokens=[1]),
        lambda: Trace(np.array([1.0, 0.0]), np.array([1, 1]), np.array([1, 1])),
        lambda: Trace(np.array([0.0]), np.array([0]), np.array([1])),
        lambda: Trace(np.array([0.0]), np.array([2**31]), np.array([1])),
        lambda: Trace(np.array([0.0, 1.0]), np.array([1]), np.array([1])),
        lambda: sample_cdf([(10, 0.5)], 3),
    ],
)  # fmt: skip
def test_input_without_sense_is_refused(build: object) -> None:
    with pytest.raises(ConfigError):
        build()  # type: ignore[operator]


def test_command_sizes_and_simulates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text(
        "".join(
            f'{{"timestamp": {i * 100}, "input_length": {i % 7 * 900 + 1}, "output_length": 50}}\n' for i in range(99)
        )
    )
    arguments = ["--mooncake", str(path), "--pool", "short=2048", "--pool", "long=65536x2", "--mode", "batch"]
    assert main([*arguments, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["pool"], row["instances"], row["rejected"]) for row in rows] == [
        ("short", 1, 0),
        ("long", 2, 0),
        ("all", 3, 0),
    ]
    assert main([*arguments, "--rate", "5", "--requests", "20"]) == 0
    assert "3 servers, 6.63 dollars an hour" in capsys.readouterr().out
    assert main(["--mooncake", str(path), "--pool", "short"]) == 2
    assert "is not NAME=CONTEXTxINSTANCES" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--requests", "-1"], "--requests is -1"),
        (["--rate", "1", "--requests", "1000000000000"], "n up to 100000000"),
        (["--rate", "1", "--seed", "-1"], "a seed from 0"),
        (["--rate", "1e300"], "slots; lower the rate"),
        (["--pool", "8192x99999999999"], "slots in all; allowed: up to 10000000"),
    ],
)
def test_command_refuses_what_no_machine_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text('{"timestamp": 1, "input_length": 9, "output_length": 1}\n' * 3)
    assert main(["--mooncake", str(path), *options]) == 2
    assert message in capsys.readouterr().err


def test_command_writes_json_where_nothing_was_served(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text('{"timestamp": 1, "input_length": 99, "output_length": 1}\n')
    assert main(["--mooncake", str(path), "--pool", "10x1", "--json"]) == 0
    assert orjson.loads(capsys.readouterr().out)[0]["ttft_p99"] is None


def test_fleet_sizes_equal_reference(shared: Path) -> None:
    """Azure lengths at 1000 requests a second: 114 servers in one pool, 35 and 32 in two; waits stay short."""
    folder = shared / "data" / "traffic"
    azure = Trace.from_azure(*(folder / f"AzureLLMInferenceTrace_{name}.csv" for name in ("conv", "code")))
    one = Simulator([PoolSpec("all", 65536)]).sized_for(azure, 1000.0)
    assert [pool.instances for pool in one.pools] == [114]
    for threshold, total in ((8192, 35), (4096, 32)):
        two = Simulator([PoolSpec("short", threshold), PoolSpec("long", 65536)]).sized_for(azure, 1000.0)
        result = two.run(azure.at_rate(1000.0, n=100_000, seed=1))
        assert result.n_instances == total
        assert all(not float(row["wait_p99"]) > 0.025 for row in result.summary())


def test_figures_are_drawn() -> None:
    pytest.importorskip("matplotlib", reason="needs the extra 'plot'")
    from routekit.sim.plots import plot_latency, plot_occupancy, plot_savings

    trace = Trace.poisson(200, rate=30.0, prompt_tokens=[100, 3000], output_tokens=[50, 20], seed=3)
    result = Simulator(POOLS).run(trace)
    sweep = threshold_sweep(
        trace.prompt_tokens, trace.output_tokens, GpuProfile().gpu_seconds, thresholds=(512, 4096), long_context=65536
    )
    for figure in (plot_savings(sweep), plot_latency(result), plot_occupancy(result)):
        assert figure.axes[0].get_lines()
