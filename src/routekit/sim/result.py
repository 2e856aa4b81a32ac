"""What a simulation came to: one row a request, and summaries by pool."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, Union

import numpy as np

from routekit.pools.pool import PoolSpec
from routekit.sim.profile import FloatArray, IntArray
from routekit.sim.trace import Trace

Value: TypeAlias = Union[int, float, str]
Record: TypeAlias = dict[str, Value]

COMPLETED, REJECTED, IN_FLIGHT = 0, 1, 2
STATUSES = ("completed", "rejected", "in flight")


@dataclass(frozen=True, slots=True, eq=False)
class SimResult:
    """One simulation.

    Attributes
    ----------
    pools
        As simulated; `slots` is filled in.
    trace
        What came.
    pool
        Index into `pools` for each request, -1 for none; shape (n,).
    status
        COMPLETED, REJECTED (no pool holds it, longer than the context it was sent to, or its queue was full) or
        IN_FLIGHT at the end; shape (n,).
    start_seconds, first_token_seconds, end_seconds
        When it got a slot, gave its first token, and ended; NaN while it did not; shape (n,).
    held_seconds
        Time it held a slot; shape (n,).
    n_preempted
        Times it lost its slot; shape (n,).
    duration_seconds
        From 0 to the end of the simulation.
    """

    pools: tuple[PoolSpec, ...]
    dollars_per_hour: tuple[float, ...]
    trace: Trace
    pool: IntArray
    status: IntArray
    start_seconds: FloatArray
    first_token_seconds: FloatArray
    end_seconds: FloatArray
    held_seconds: FloatArray
    n_preempted: IntArray
    duration_seconds: float

    @property
    def wait_seconds(self) -> FloatArray:
        """Time until it got a slot."""
        return self.start_seconds - self.trace.arrival_seconds

    @property
    def ttft_seconds(self) -> FloatArray:
        """Time to the first token."""
        return self.first_token_seconds - self.trace.arrival_seconds

    @property
    def tpot_seconds(self) -> FloatArray:
        """Time for each token after the first; NaN for outputs of one token."""
        more = self.trace.output_tokens - 1
        spent: FloatArray = self.end_seconds - self.first_token_seconds
        each: FloatArray = np.divide(spent, more, out=np.full(len(more), np.nan), where=more > 0)
        return each

    @property
    def n_instances(self) -> int:
        """Servers in all pools."""
        return sum(pool.instances for pool in self.pools)

    def records(self) -> Iterator[Record]:
        """Give one record for each request."""
        columns: dict[str, list[Value]] = {
            "arrival_seconds": self.trace.arrival_seconds.tolist(),
            "prompt_tokens": self.trace.prompt_tokens.tolist(),
            "output_tokens": self.trace.output_tokens.tolist(),
            "pool": [self.pools[i].name if i >= 0 else "" for i in self.pool.tolist()],
            "status": [STATUSES[i] for i in self.status.tolist()],
            "wait_seconds": self.wait_seconds.tolist(),
            "ttft_seconds": self.ttft_seconds.tolist(),
            "tpot_seconds": self.tpot_seconds.tolist(),
            "end_seconds": self.end_seconds.tolist(),
            "n_preempted": self.n_preempted.tolist(),
        }
        for row in zip(*columns.values(), strict=True):
            yield dict(zip(columns, row, strict=True))

    def summary(self) -> list[Record]:
        """Summarise each pool, and last the fleet, as ``"all"``.

        Counts; requests a second that completed; percentiles of wait, TTFT and TPOT in seconds over those that
        completed; share of slot time held (`utilisation`); servers, dollars an hour and a million tokens.
        """
        rows = [self._row(pool.name, self.pool == i, (i,)) for i, pool in enumerate(self.pools)]
        return [*rows, self._row("all", np.ones(len(self.pool), bool), tuple(range(len(self.pools))))]

    def _row(self, name: str, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]], pools: tuple[int, ...]) -> Record:
        done = chosen & (self.status == COMPLETED)
        instances = sum(self.pools[i].instances for i in pools)
        slots = sum(self.pools[i].instances * (self.pools[i].slots or 0) for i in pools)
        dollars = sum(self.pools[i].instances * self.dollars_per_hour[i] for i in pools)
        seconds = self.duration_seconds or 1.0
        n_tokens = int(self.trace.total_tokens[done].sum())
        return {
            "pool": name,
            "instances": instances,
            "requests": int(chosen.sum()),
            "completed": int(done.sum()),
            "rejected": int((chosen & (self.status == REJECTED)).sum()),
            "in_flight": int((chosen & (self.status == IN_FLIGHT)).sum()),
            "preempted": int(self.n_preempted[chosen].sum()),
            "throughput": float(done.sum() / seconds),
            "utilisation": float(self.held_seconds[chosen].sum() / (slots * seconds)) if slots else 0.0,
            **_percentiles("wait", self.wait_seconds[done], (50, 99)),
            **_percentiles("ttft", self.ttft_seconds[done], (50, 90, 99)),
            **_percentiles("tpot", self.tpot_seconds[done], (50, 99)),
            "dollars_per_hour": dollars,
            "dollars_per_million_tokens": dollars * seconds / 3600 / n_tokens * 1e6 if n_tokens else float("nan"),
        }


def _percentiles(name: str, seconds: FloatArray, percents: tuple[int, ...]) -> Record:
    known = seconds[~np.isnan(seconds)]
    values = np.percentile(known, percents).tolist() if known.size else [float("nan")] * len(percents)
    return {f"{name}_p{percent}": value for percent, value in zip(percents, values, strict=True)}
