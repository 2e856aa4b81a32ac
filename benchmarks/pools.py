"""Pool routing: what a decision costs, how many requests are misjudged, and what a split saves.

usage: python benchmarks/pools.py
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable, Iterable, Mapping

import numpy as np

import record
import routekit as rk
import traffic
from routekit.pools import CostModel, PoolRouter, PoolSpec, RatioEstimator, category_of
from routekit.sim import GpuProfile, Simulator, Trace, by_router, sample_cdf

N_REQUESTS, N_WARM_UP, SEEDS = 40_000, 2000, (1, 2, 3)
HOURS = 8760
TIMES = ("wait_p99", "ttft_p50", "ttft_p99", "tpot_p50")


# --- what a decision costs --------------------------------------------------------------------------------------------


def microseconds(call: Callable[[], object], *, number: int = 20_000, repeats: int = 9) -> float:
    """Give the median over repeats of the thread's CPU time of one call."""

    def once() -> float:
        begun = time.thread_time()
        for _ in range(number):
            call()
        return (time.thread_time() - begun) / number * 1e6

    empty = min(_empty_loop(number) for _ in range(5))
    return round(statistics.median(once() for _ in range(repeats)) - empty, 3)


def _empty_loop(number: int) -> float:
    begun = time.thread_time()
    for _ in range(number):
        pass
    return (time.thread_time() - begun) / number * 1e6


def speed() -> dict[str, float]:
    pools = [PoolSpec("short", 8192), PoolSpec("long", 65536)]
    router = PoolRouter(pools, estimator=RatioEstimator(target_unsafe=0.005))
    text = "The quick brown fox jumps over the lazy dog. " * 450
    view = rk.RequestView(
        "openai-chat", "auto", False, (rk.Segment("user", "text", text, 0, 0, 0),), 0, (), 500, len(text)
    )
    chosen = rk.Decision("route", "general", None, "default")
    placed = router.place(chosen, view, category="prose")
    usage = {"prompt_tokens": 4600, "completion_tokens": 120, "total_tokens": 4720}
    for _ in range(20):
        router.feedback(placed, usage)
    paper = RatioEstimator()
    return {
        "assign": microseconds(lambda: router.assign(20_000, 500, "prose")),
        "place, category given": microseconds(lambda: router.place(chosen, view, category="prose")),
        "category of 20 KB": microseconds(lambda: category_of(view)),
        "feedback": microseconds(lambda: router.feedback(placed, usage)),
        "observe, paper's rule": microseconds(lambda: paper.observe("prose", 20_000, 4600)),
        "snapshot for a stream": microseconds(router.snapshot),
    }


# --- how well ratios are learned --------------------------------------------------------------------------------------


def mean_errors(*, trials: int = 400) -> dict[str, dict[str, float]]:
    """Give the mean error of the learned mean after n samples, in percent of the kind's mean."""
    rows: dict[str, dict[str, float]] = {}
    for kind, pool in traffic.ratios().items():
        truth = statistics.fmean(pool)
        rows[kind] = {}
        for n in (10, 50):
            corrected, from_cold = [], []
            for seed in range(trials):
                drawn = random.Random(seed).choices(pool, k=n)
                estimator = RatioEstimator()
                cold = 4.0
                for ratio in drawn:
                    estimator.observe(kind, round(ratio * 10_000), 10_000)
                    cold = 0.95 * cold + 0.05 * ratio
                corrected.append(abs((estimator.mean(kind) or 0.0) / truth - 1))
                from_cold.append(abs(cold / truth - 1))
            rows[kind][f"bias-corrected, n={n}"] = round(100 * statistics.fmean(corrected), 2)
            rows[kind][f"from 4.0, n={n}"] = round(100 * statistics.fmean(from_cold), 2)
    return rows


# --- how many requests are misjudged ----------------------------------------------------------------------------------


class Static:
    """The baseline: four bytes a token."""

    def low(self, category: str) -> float:
        return 4.0

    def observe(self, category: str, n_bytes: int, n_tokens: int, *, unsafe: bool) -> None:
        pass


class StandardDeviation(Static):
    """Mean less two standard deviations, all samples weighted alike."""

    def __init__(self) -> None:
        self.sums: dict[str, tuple[int, float, float]] = {}

    def low(self, category: str) -> float:
        n, total, squares = self.sums.get(category, (0, 0.0, 0.0))
        if n < 10:
            return 4.0
        mean = total / n
        return float(max(0.5, mean - 2 * math.sqrt(max(0.0, squares / n - mean * mean))))

    def observe(self, category: str, n_bytes: int, n_tokens: int, *, unsafe: bool) -> None:
        n, total, squares = self.sums.get(category, (0, 0.0, 0.0))
        ratio = n_bytes / n_tokens
        self.sums[category] = (n + 1, total + ratio, squares + ratio * ratio)


def misjudged(
    estimator: RatioEstimator | Static, sent: Iterable[traffic.Sent], limit: int
) -> tuple[float, float, float]:
    """Replay requests; give the shares of all that were unsafe, wasted, and truly long, in percent.

    Unsafe: longer than the limit, yet sent to the pool with that context. Wasted: the other way round.
    """
    n = n_unsafe = n_wasted = n_long = 0
    for i, request in enumerate(sent):
        planned = math.ceil(request.n_bytes / estimator.low(request.category)) + request.output_tokens
        is_long = request.prompt_tokens + request.output_tokens > limit
        unsafe = planned <= limit and is_long
        if i >= N_WARM_UP:
            n += 1
            n_unsafe += unsafe
            n_wasted += planned > limit and not is_long
            n_long += is_long
        estimator.observe(request.category, request.n_bytes, request.prompt_tokens, unsafe=unsafe)
    return 100 * n_unsafe / n, 100 * n_wasted / n, 100 * n_long / n


def tuned_gamma(sent: list[traffic.Sent], limit: int, unsafe: float) -> float:
    """Find, with hindsight, the paper's gamma that comes closest to an unsafe share from below."""
    low, high = 0.0, 6.0
    for _ in range(11):
        middle = (low + high) / 2
        if misjudged(RatioEstimator(sigma_gain=middle), sent, limit)[0] > unsafe:
            low = middle
        else:
            high = middle
    return high


def unsafe_table() -> list[dict[str, object]]:
    rules: Mapping[str, Callable[[], RatioEstimator | Static]] = {
        "static 4.0": Static,
        "paper, gamma 1": RatioEstimator,
        "mean - 2 standard deviations": StandardDeviation,
        "target_unsafe 0.005": lambda: RatioEstimator(target_unsafe=0.005),
    }
    rows: list[dict[str, object]] = []
    for workload in traffic.WORKLOADS:
        for limit in (2048, 4096):
            streams = [traffic.requests(N_REQUESTS, seed=seed, workload=workload) for seed in SEEDS]
            for name, build in rules.items():
                shares = [misjudged(build(), sent, limit) for sent in streams]
                rows.append(_misjudged_row(name, workload, limit, shares))
            held = [share[0] for share in shares]
            gammas = [tuned_gamma(sent, limit, unsafe) for sent, unsafe in zip(streams, held, strict=True)]
            shares = [
                misjudged(RatioEstimator(sigma_gain=gamma), sent, limit)
                for gamma, sent in zip(gammas, streams, strict=True)
            ]
            mean = statistics.fmean(gammas)
            rows.append(
                _misjudged_row("paper, gamma tuned to the same share", workload, limit, shares)
                | {"gamma": round(mean, 2)}
            )
    return rows


def _misjudged_row(name: str, workload: str, limit: int, shares: list[tuple[float, float, float]]) -> dict[str, object]:
    unsafe, wasted, long = zip(*shares, strict=True)
    return {
        "workload": workload,
        "limit": limit,
        "rule": name,
        "unsafe_percent": round(statistics.fmean(unsafe), 3),
        "unsafe_min": round(min(unsafe), 3),
        "unsafe_max": round(max(unsafe), 3),
        "wasted_percent": round(statistics.fmean(wasted), 2),
        "long_percent": round(statistics.fmean(long), 2),
    }


# --- what a split saves -----------------------------------------------------------------------------------------------


def savings(
    name: str, lengths: Trace, *, rate: float, baseline: int, thresholds: Iterable[int]
) -> list[dict[str, object]]:
    """Size and simulate one pool of a context, and two pools for each threshold, at a rate of such requests."""
    profile = GpuProfile()
    fits = lengths.select(lengths.total_tokens <= baseline)
    one = Simulator([PoolSpec("all", baseline)], profile).sized_for(fits, rate)
    arrivals = fits.at_rate(rate, n=int(60 * rate) if rate <= 1000 else 100_000, seed=1)
    rows = [_fleet_row(name, baseline, None, one, arrivals, None, one.pools[0].instances)]
    for threshold in thresholds:
        two = Simulator([PoolSpec("short", threshold), PoolSpec("long", baseline)], profile).sized_for(fits, rate)
        model = CostModel.from_lengths(
            fits.prompt_tokens, fits.output_tokens, profile.gpu_seconds, threshold=threshold, long_context=baseline
        )
        rows.append(_fleet_row(name, baseline, threshold, two, arrivals, model, one.pools[0].instances))
    return rows


def _fleet_row(
    name: str,
    baseline: int,
    threshold: int | None,
    fleet: Simulator,
    arrivals: Trace,
    model: CostModel | None,
    ones: int,
) -> dict[str, object]:
    n = sum(pool.instances for pool in fleet.pools)
    row: dict[str, object] = {
        "trace": name,
        "context": baseline,
        "threshold": threshold,
        "servers": [pool.instances for pool in fleet.pools],
        "saved_percent": round(100 * (1 - n / ones), 1),
        "saved_dollars_a_year": round((ones - n) * fleet.profiles[0].dollars_per_hour * HOURS),
    }
    if model is not None:
        row |= {
            "alpha": round(model.alpha, 4),
            "alpha_work": round(model.alpha_work, 4),
            "rho": round(model.rho, 3),
            "closed_form_by_requests_percent": round(100 * model.savings_by_requests, 1),
            "closed_form_by_work_percent": round(100 * model.savings, 1),
        }
    for mode in ("slots", "batch"):
        result = Simulator(fleet.pools, fleet.profiles[0], mode=mode).run(arrivals)
        total = result.summary()[-1]
        row |= {f"{mode}_{key}_ms": round(1e3 * float(total[key]), 1) for key in TIMES}
        row[f"{mode}_rejected"] = total["rejected"]
    return row


def paged_baseline(name: str, lengths: Trace, rate: float, sizes: Iterable[tuple[int, int]]) -> list[dict[str, object]]:
    """Simulate one pool of 64K with other numbers of slots: a paged server takes blocks as it uses them."""
    arrivals = lengths.at_rate(rate, n=int(60 * rate), seed=1)
    rows: list[dict[str, object]] = []
    for slots, instances in sizes:
        fleet = Simulator([PoolSpec("all", 65536, slots=slots, instances=instances)], mode="batch")
        total = fleet.run(arrivals).summary()[-1]
        rows.append(
            {
                "trace": name,
                "slots": slots,
                "servers": instances,
                "preempted": total["preempted"],
                **{f"{key}_ms": round(1e3 * float(total[key]), 1) for key in TIMES},
            }
        )
    return rows


def router_in_the_loop(rate: float) -> list[dict[str, object]]:
    """Let routers that see bytes, not tokens, place a mixed stream; count what the short pool must reject."""
    sent = traffic.requests(N_REQUESTS, seed=1)
    trace = Trace.poisson(N_REQUESTS, rate=rate, prompt_tokens=[1], output_tokens=[1], seed=2)
    columns = np.array([[r.prompt_tokens, r.output_tokens, r.n_bytes] for r in sent], np.int64).T
    trace = Trace(trace.arrival_seconds, np.ascontiguousarray(columns[0]), np.ascontiguousarray(columns[1]))
    rows = []
    for name, learns, estimator in (
        ("static 4.0", False, RatioEstimator()),
        ("paper, gamma 1", True, RatioEstimator()),
        ("target_unsafe 0.005", True, RatioEstimator(target_unsafe=0.005)),
    ):
        pools = [PoolSpec("short", 4096), PoolSpec("long", 65536)]
        router = PoolRouter(pools, estimator=estimator)
        kinds = [request.category for request in sent]
        chosen = by_router(router, trace, np.ascontiguousarray(columns[2]), kinds, feedback=learns)
        total = Simulator(pools).sized_for(trace, rate).run(trace, pool=chosen).summary()
        rows.append(
            {
                "rule": name,
                "servers": [row["instances"] for row in total[:-1]],
                "rejected_percent": round(100 * float(total[-1]["rejected"]) / N_REQUESTS, 3),
                "sent_long_percent": round(100 * float(total[1]["requests"]) / N_REQUESTS, 2),
            }
        )
    return rows


def lmsys(n: int = 200_000) -> Trace:
    """Draw requests from the LMSYS distribution of totals; it does not tell the output, so a fifth is assumed."""
    totals = np.maximum(2, sample_cdf(traffic.cdf("lmsys"), n, seed=0))
    output = np.maximum(1, totals // 5)
    return Trace(np.linspace(0.0, n / 1000, n), totals - output, output)


def show(title: str, rows: Iterable[Mapping[str, object]]) -> None:
    print(f"\n{title}")
    for row in rows:
        print("  " + "  ".join(f"{key}={value}" for key, value in row.items()))


def main() -> None:
    azure = traffic.azure()
    results: dict[str, object] = {"speed_us": speed()}
    show("microseconds of CPU", [results["speed_us"]])  # type: ignore[list-item]
    results["mean_error_percent"] = errors = mean_errors()
    show("error of the mean, percent", [{"kind": kind, **row} for kind, row in errors.items()])
    results["misjudged"] = rows = unsafe_table()
    show("misjudged requests, percent of all", rows)
    fleets = savings("azure", azure, rate=1000, baseline=65536, thresholds=(2048, 4096, 8192))
    fleets += savings("azure", azure, rate=1000, baseline=16384, thresholds=(2048, 4096, 8192))
    fleets += savings("azure", azure, rate=1000, baseline=8192, thresholds=(1024, 2048, 4096))
    fleets += savings("lmsys", lmsys(), rate=1000, baseline=65536, thresholds=(1024, 2048, 4096, 8192))
    fleets += savings("azure", azure, rate=10_000, baseline=65536, thresholds=(8192,))
    results["fleets"] = fleets
    show("fleets", fleets)
    paged = paged_baseline("azure", azure, 1000, ((16, 114), (16, 35), (128, 35), (128, 32), (256, 25)))
    paged += paged_baseline("lmsys", lmsys(), 1000, ((16, 128), (128, 63), (256, 34)))
    results["paged_baseline"] = paged
    show("one pool of 64K, paged", paged)
    results["router_in_the_loop"] = looped = router_in_the_loop(1000)
    show("a router that sees bytes", looped)
    print("\nwritten to", record.save("pools", results, ("numpy",)).name)


if __name__ == "__main__":
    main()
