"""Memory, outcomes and speed over 50 000 small requests, sync and async; some are broken, some break classifiers.

    python benchmarks/soak.py

Writes `results/soak.json`. Resident memory is sampled ten times a run, after a collection; `kilobytes_per_thousand` is
the slope of a line through the samples after the first, so that a leak shows however small its share.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

import routekit as rk
from record import save
from soak_parts import bodies, judged_in_thread, resident_bytes, router, soaked

N_REQUESTS, N_SAMPLES, N_TASKS = 50_000, 10, 200


def sync_run() -> dict[str, object]:
    some, judge, outcomes = list(bodies(1, 1000)), router(), Counter[str]()

    def part(n: int) -> None:
        for i in range(n):
            judged_in_thread(judge, some[i % len(some)], outcomes)

    return measured(part, outcomes)


def async_run() -> dict[str, object]:
    some, outcomes = list(bodies(1, 1000)), Counter[str]()
    loop = asyncio.new_event_loop()
    arouter = rk.AsyncRouter(router(), max_queue=N_TASKS)
    found = measured(lambda n: loop.run_until_complete(soaked(arouter, some, N_TASKS, n, outcomes)), outcomes)
    loop.run_until_complete(arouter.aclose())
    loop.close()
    return found


def measured(part: Callable[[int], None], outcomes: Counter[str]) -> dict[str, object]:
    part(2000)
    outcomes.clear()
    resident, begun = [resident_bytes()], time.process_time()
    for _ in range(N_SAMPLES):
        part(N_REQUESTS // N_SAMPLES)
        resident.append(resident_bytes())
    seconds = time.process_time() - begun
    slope = np.polyfit(np.arange(N_SAMPLES), np.asarray(resident[1:]) / 1000, 1)[0] / (N_REQUESTS / N_SAMPLES / 1000)
    return {
        "n_requests": outcomes.total(),
        "outcomes": dict(outcomes),
        "cpu_microseconds_per_request": round(seconds / N_REQUESTS * 1e6, 1),
        "resident_megabytes": [round(n / 1e6, 2) for n in resident],
        "kilobytes_per_thousand": round(float(slope), 2),
    }


def main() -> None:
    results = {"sync": sync_run(), "async": async_run()}
    print(f"{'':8}{'requests':>10}{'us CPU':>10}{'MB first':>10}{'MB last':>10}{'KB per 1000':>14}")
    for name, found in results.items():
        resident = found["resident_megabytes"]
        assert isinstance(resident, list)
        figures = (found["n_requests"], found["cpu_microseconds_per_request"], resident[0], resident[-1])
        print(f"{name:8}" + "".join(f"{figure:>10}" for figure in figures) + f"{found['kilobytes_per_thousand']:>14}")
    print(save("soak", results))


if __name__ == "__main__":
    main()
