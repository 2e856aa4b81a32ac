"""The simulator: speed, queueing theory, the plain event loops, and the published simulator beside it.

usage: python benchmarks/sim.py [--peer PYTHON]   where PYTHON has vllm-sr-sim installed
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import record
import traffic
from routekit.pools import PoolSpec
from routekit.sim import GpuProfile, Simulator, Trace, erlang_c, size_pool
from routekit.sim.event_loops import batch, fifo
from routekit.sim.plain import BatchRules
from routekit.sim.profile import PICOSECONDS, IntArray

N_FAST, N_PLAIN = 1_000_000, 20_000
TIMES = ("wait_p99", "ttft_p50", "ttft_p99", "tpot_p99")

#: Run by the peer's interpreter; prints JSON. The same requests, profile and questions as below.
PEER = r"""
import json, sys, time
from importlib.metadata import version
from fleet_sim import A100_80GB, Fleet, FleetConfig, PoolConfig, Request
from fleet_sim.optimizer.analytical import erlang_c, min_gpus_analytical
question = json.load(sys.stdin)
answer = {"version": version("vllm-sr-sim")}
answer["erlang_c"] = [erlang_c(c, a) for c, a in question["erlang"]]
answer["n_slots"] = [A100_80GB.n_slots(context) for context in question["contexts"]]
answer["iteration_seconds"] = A100_80GB.iter_latency(128, 1588)
answer["sizes"] = [
    min_gpus_analytical(rate, slots / mean, 1e9, cv2, 0.85, slots) for rate, mean, cv2, slots in question["sizes"]
]
answer["runs"] = []
for run in question["runs"]:
    pools = [PoolConfig(pool_id="one", gpu=A100_80GB, n_gpus=run["servers"], max_ctx=run["context"])]
    rows = [(t, Request(req_id=i, arrival_time=t, l_in=p, l_out=o)) for i, (t, p, o) in enumerate(run["rows"])]
    begun = time.process_time()
    fleet = Fleet(FleetConfig(pools=pools, router_type="LengthRouter"))
    done = fleet.run(rows).completed
    spent = time.process_time() - begun
    ends = [r.end_time for r in done]
    waits = sorted(r.start_time - r.arrival_time for r in done)
    answer["runs"].append({"completed": len(done), "requests_per_cpu_second": len(rows) / spent,
                           "throughput": len(done) / max(ends), "mean_wait": sum(waits) / len(waits),
                           "wait_p99": waits[int(.99 * len(waits))]})
json.dump(answer, sys.stdout)
"""


def cpu_seconds(call: Callable[[], object], repeats: int = 5) -> float:
    """Give the median CPU time over repeats."""
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        call()
        times.append(time.process_time() - begun)
    return float(np.median(times))


def _queue(trace: Trace, context: int) -> tuple[IntArray, IntArray, BatchRules]:
    profile = GpuProfile()
    services = profile.service_seconds(trace.prompt_tokens, trace.output_tokens, context)
    rules = BatchRules(
        *profile.picoseconds(), profile.chunk_tokens, profile.block_tokens, profile.n_blocks, profile.n_slots(context)
    )
    as_ps = [np.rint(column * PICOSECONDS).astype(np.int64) for column in (trace.arrival_seconds, services)]
    return as_ps[0], as_ps[1], rules


def speed() -> list[dict[str, object]]:
    """Measure requests a CPU second of the event loops, compiled and plain, on Azure lengths at 1000 a second."""
    rows: list[dict[str, object]] = []
    for context, servers in ((8192, 34), (65536, 114)):
        for compiled, n in ((True, N_FAST), (False, N_PLAIN)):
            trace = traffic.azure().at_rate(1000.0, n=n, seed=1)
            arrivals, services, rules = _queue(trace, context)
            repeats = 5 if compiled else 1

            def slots(a: IntArray = arrivals, s: IntArray = services, c: bool = compiled) -> object:
                return fifo(a, s, servers * rules.slots, compiled=c)  # noqa: B023

            def batches(a: IntArray = arrivals, t: Trace = trace, c: bool = compiled) -> object:
                return batch(a, t.prompt_tokens, t.output_tokens, rules, servers, compiled=c)  # noqa: B023

            for mode, call in (("slots", slots), ("batch", batches)):
                rate = n / cpu_seconds(call, repeats)
                rows.append({"mode": mode, "compiled": compiled, "context": context, "servers": servers,
                             "requests_per_cpu_second": round(rate)})  # fmt: skip
    return rows


def equality(n: int = 5000) -> dict[str, bool]:
    """Compare compiled and plain loops on Azure requests, overloaded and short of blocks, to the picosecond."""
    trace = traffic.azure().at_rate(60.0, n=n, seed=2)
    arrivals, services, rules = _queue(trace, 8192)
    scarce = rules._replace(n_blocks=2000)
    columns = (arrivals, trace.prompt_tokens, trace.output_tokens)
    fast, plain = (batch(*columns, scarce, 2, compiled=compiled)[0] for compiled in (True, False))
    return {
        "slots": bool(np.array_equal(fifo(arrivals, services, 64), fifo(arrivals, services, 64, compiled=False))),
        "batch": bool(np.array_equal(fast, plain)),
        "batch preempts": bool(fast[:, 4].sum() > 0),
    }


def theory(n: int = 4_000_000) -> dict[str, float]:
    """Simulate 16 servers at a load of 0.9 and compare with Erlang C."""
    rng = np.random.default_rng(1)
    arrivals = np.cumsum(rng.exponential(1e9 / 14.4, n)).astype(np.int64)
    wait = (fifo(arrivals, np.maximum(1, rng.exponential(1e9, n)).astype(np.int64), 16) - arrivals)[n // 10 :]
    constant = (fifo(arrivals, np.full(n, 10**9, np.int64), 16) - arrivals)[n // 10 :]
    waits = erlang_c(16, 14.4)
    return {
        "P(wait), simulated": round(float((wait > 0).mean()), 4),
        "P(wait), Erlang C": round(waits, 4),
        "mean wait, simulated": round(float(wait.mean() / 1e9), 4),
        "mean wait, Erlang C": round(waits / 1.6, 4),
        "mean wait with constant service, simulated": round(float(constant.mean() / 1e9), 4),
    }


def overloaded(n: int = 20_000) -> tuple[Trace, dict[str, float]]:
    """Send one server of 8K a thousand requests a second of 1,588 tokens each: a hundred times what it can."""
    trace = Trace.poisson(n, rate=1000.0, prompt_tokens=[1000], output_tokens=[588], seed=0)
    capacity = 128 / float(GpuProfile().service_seconds(np.array([1000]), np.array([588]), 8192)[0])
    rows = {mode: Simulator([PoolSpec("one", 8192)], mode=mode).run(trace).summary()[-1] for mode in ("slots", "batch")}
    return trace, {
        "capacity": round(capacity, 3),
        **{f"{mode} throughput": round(float(row["throughput"]), 3) for mode, row in rows.items()},
        **{f"{mode} median wait, s": round(float(row["wait_p50"]), 1) for mode, row in rows.items()},
    }


def mooncake() -> list[dict[str, object]]:
    """Replay Mooncake's trace as it came, on two servers, in both modes and with scarce blocks."""
    trace = Trace.from_mooncake(traffic.folder() / "mooncake_synthetic_trace.jsonl")
    rows: list[dict[str, object]] = []
    for mode, profile in (("slots", GpuProfile()), ("batch", GpuProfile()), ("batch", GpuProfile(n_blocks=12_000))):
        pools = [PoolSpec("all", 131072, slots=None if mode == "slots" else 64, instances=2)]
        total = Simulator(pools, profile, mode=mode).run(trace).summary()[-1]  # type: ignore[arg-type]
        times = {
            f"{key}_ms": round(1e3 * float(total[key]), 1) for key in ("wait_p99", "ttft_p50", "ttft_p99", "tpot_p99")
        }
        counts = {key: total[key] for key in ("completed", "rejected", "preempted")}
        rows.append({"mode": mode, "blocks": profile.n_blocks, **counts, **times})
    return rows


def _rows(trace: Trace) -> list[tuple[float, int, int]]:
    columns = (trace.arrival_seconds, trace.prompt_tokens, trace.output_tokens)
    return list(zip(*[column.tolist() for column in columns], strict=True))


def beside_peer(python: str) -> dict[str, object]:
    """Ask the published simulator the same questions."""
    erlang = [(10, 8.0), (16, 12.0), (100, 90.0), (512, 500.0)]
    contexts = [2048, 4096, 8192, 65536]
    azure, profile = traffic.azure(), GpuProfile()
    sizes = []
    for context in (8192, 65536):
        fits = azure.select(azure.total_tokens <= context)
        times = profile.service_seconds(fits.prompt_tokens, fits.output_tokens, context)
        sizes.append((1000.0, float(times.mean()), float(times.var() / times.mean() ** 2), profile.n_slots(context)))
    flood, ours = overloaded()
    steady = azure.select(azure.total_tokens <= 8192).at_rate(25.0, n=20_000, seed=4)
    runs = [("overloaded", flood, 1), ("azure at 25 a second", steady, 1)]
    question = {
        "erlang": erlang,
        "contexts": contexts,
        "sizes": sizes,
        "runs": [
            {"servers": servers, "context": 8192, "rows": _rows(trace)}
            for _, trace, servers in runs
        ],
    }  # fmt: skip
    found = subprocess.run([python, "-c", PEER], input=json.dumps(question), capture_output=True, text=True, check=True)
    peer = json.loads(found.stdout)
    rows: list[dict[str, object]] = [
        {"question": f"erlang_c{pair}", "routekit": erlang_c(*pair), "peer": theirs}
        for pair, theirs in zip(erlang, peer["erlang_c"], strict=True)
    ]
    rows.append({"question": "slots", "routekit": [profile.n_slots(c) for c in contexts], "peer": peer["n_slots"]})
    rows.append(
        {
            "question": "iteration of 128 x 1588, s",
            "routekit": profile.iteration_seconds(128, 1588),
            "peer": peer["iteration_seconds"],
        }
    )
    for (rate, mean, cv2, slots), theirs in zip(sizes, peer["sizes"], strict=True):
        rows.append({"question": f"servers at {rate:.0f}/s, {slots} slots, mean {mean:.2f} s, cv2 {cv2:.2f}",
                     "routekit": size_pool(rate, mean, slots).instances, "peer": theirs})  # fmt: skip
    for (name, trace, servers), theirs in zip(runs, peer["runs"], strict=True):
        result = Simulator([PoolSpec("one", 8192, instances=servers)]).run(trace)
        total = result.summary()[-1]
        services = profile.service_seconds(trace.prompt_tokens, trace.output_tokens, 8192)
        capacity = servers * 128 / float(services.mean())
        arrivals, service_ps, _ = _queue(trace, 8192)
        spent = cpu_seconds(lambda a=arrivals, s=service_ps: fifo(a, s, 128))  # type: ignore[misc]
        rows.append({"question": f"{name}: throughput over capacity {capacity:.2f}/s",
                     "routekit": round(float(total["throughput"]) / capacity, 3),
                     "peer": round(theirs["throughput"] / capacity, 3)})  # fmt: skip
        rows.append({"question": f"{name}: mean wait, s", "routekit": round(float(np.nanmean(result.wait_seconds)), 3),
                     "peer": round(theirs["mean_wait"], 3)})  # fmt: skip
        rows.append({"question": f"{name}: completed of {len(trace)}", "routekit": total["completed"],
                     "peer": theirs["completed"]})  # fmt: skip
        rows.append({"question": f"{name}: requests a CPU second", "routekit": round(len(trace) / spent),
                     "peer": round(theirs["requests_per_cpu_second"])})  # fmt: skip
    return {"peer": f"vllm-sr-sim {peer['version']}", "rows": rows, "overloaded": ours}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", type=Path, help="a Python that has vllm-sr-sim")
    options = parser.parse_args()
    results: dict[str, object] = {
        "speed": speed(),
        "equal_to_plain": equality(),
        "theory": theory(),
        "overloaded": overloaded()[1],
        "mooncake": mooncake(),
    }
    if options.peer is not None:
        results["beside_peer"] = beside_peer(str(options.peer))
    print(json.dumps(results, indent=1))
    print("written to", record.save("sim", results, ("numpy",)).name)


if __name__ == "__main__":
    main()
