"""Runs a trace through a fleet of pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from routekit.errors import ConfigError
from routekit.pools.pool import PoolSpec
from routekit.sim.assignment import NOWHERE, by_length
from routekit.sim.erlang import MAX_SERVERS
from routekit.sim.event_loops import batch, fifo
from routekit.sim.plain import BatchRules
from routekit.sim.profile import PICOSECONDS, FloatArray, GpuProfile, IntArray
from routekit.sim.result import COMPLETED, IN_FLIGHT, REJECTED, SimResult
from routekit.sim.sizing import size_pool
from routekit.sim.trace import Trace

Mode = Literal["slots", "batch"]


@dataclass(slots=True)
class _Rows:
    """Columns in seconds for the requests that a pool took; NaN for never."""

    start: FloatArray
    first: FloatArray
    end: FloatArray
    held: FloatArray
    n_preempted: IntArray
    turned_away: np.ndarray[tuple[int], np.dtype[np.bool_]]


class Simulator:
    """A fleet of pools that serves a trace; deterministic, to the picosecond.

    Two models of a server:

    * ``"slots"``: a pool is one queue, first come first served, before ``instances * slots`` servers. A request holds
      one for ``(ceil(prompt / chunk) + output)`` iterations of a full batch: the model behind the papers' sizing. It
      is what queueing theory can check, and pessimistic: batches are seldom full.
    * ``"batch"``: every server batches continuously. Iterations take longer the more tokens are held; key-value
      blocks are taken as sequences grow; when they run out, the sequence admitted last is preempted and read again
      later. Requests go to the server with the fewest outstanding.

    Parameters
    ----------
    pools
        At least one; `slots` of None is what the profile allows for the pool's context.
    profile
        Of all servers, or one for each pool name.
    mode
        As above.
    max_waiting
        In "batch", requests in a server's queue from which it turns the next away; 0 for no limit.
    balance
        In "batch", how a pool chooses the server: ``"fewest"`` outstanding requests, or in ``"turn"``.
    compiled
        False runs the plain event loops, which give the same results slower.

    Raises
    ------
    ConfigError
        If the pools make no sense.

    Examples
    --------
    >>> pools = [PoolSpec("short", 8192, instances=2), PoolSpec("long", 65536, instances=1)]
    >>> trace = Trace.poisson(1000, rate=20.0, prompt_tokens=[300, 20_000], output_tokens=[100, 50], seed=1)
    >>> result = Simulator(pools).run(trace)
    >>> [row["completed"] for row in result.summary()]
    [497, 503, 1000]
    """

    def __init__(
        self,
        pools: Sequence[PoolSpec],
        profile: GpuProfile | Mapping[str, GpuProfile] | None = None,
        *,
        mode: Mode = "slots",
        max_waiting: int = 0,
        balance: Literal["fewest", "turn"] = "fewest",
        compiled: bool = True,
    ) -> None:
        if not pools or len({pool.name for pool in pools}) < len(pools):
            raise ConfigError(f"Simulator got {len(pools)} pools; give one or more with distinct names")
        if mode not in ("slots", "batch") or balance not in ("fewest", "turn") or max_waiting < 0:
            raise ConfigError(f"Simulator got mode {mode!r}, balance {balance!r}, max_waiting {max_waiting!r}")
        profiles = [profile.get(pool.name) if isinstance(profile, Mapping) else profile for pool in pools]
        self.profiles = tuple(GpuProfile() if found is None else found for found in profiles)
        self.pools = tuple(
            replace(pool, slots=pool.slots or found.n_slots(pool.max_context))
            for pool, found in zip(pools, self.profiles, strict=True)
        )
        n_slots = sum(pool.instances * (pool.slots or 1) for pool in self.pools)
        if n_slots > MAX_SERVERS:
            raise ConfigError(f"Simulator got {n_slots} slots in all; allowed: up to {MAX_SERVERS}")
        self.mode = mode
        self.max_waiting = max_waiting
        self.balance = balance
        self.compiled = compiled

    def run(self, trace: Trace, *, pool: IntArray | None = None, until_seconds: float | None = None) -> SimResult:
        """Serve a trace.

        Parameters
        ----------
        pool
            Index into the pools for each request, shape (n,), e.g. from `by_router`; -1 for none. None sends each to
            the smallest that holds it.
        until_seconds
            When to stop; what has not ended by then is in flight. None serves everything.

        Raises
        ------
        ConfigError
            If `pool` does not match the trace.
        """
        chosen = by_length(self.pools, trace) if pool is None else np.asarray(pool, np.int64)
        if chosen.shape != (len(trace),) or (chosen.size and not -1 <= chosen.min() <= chosen.max() < len(self.pools)):
            raise ConfigError(
                f"pool has shape {chosen.shape} or indices out of range; give ({len(trace)},) within the pools"
            )
        n = len(trace)
        start, first, end = (np.full(n, np.nan) for _ in range(3))
        held, n_preempted = np.zeros(n), np.zeros(n, np.int64)
        status = np.full(n, REJECTED, np.int64)
        for i in range(len(self.pools)):
            which = np.flatnonzero((chosen == i) & (trace.total_tokens <= self._longest(i)))
            rows = self._serve(i, trace.select(which))
            start[which], first[which], end[which] = rows.start, rows.first, rows.end
            held[which], n_preempted[which] = rows.held, rows.n_preempted
            status[which] = np.where(rows.turned_away, REJECTED, COMPLETED)
        duration = float(np.nanmax(end, initial=0.0)) if until_seconds is None else until_seconds
        result = SimResult(
            self.pools,
            tuple(profile.dollars_per_hour for profile in self.profiles),
            trace,
            np.where(chosen < 0, NOWHERE, chosen),
            status,
            start,
            first,
            end,
            held,
            n_preempted,
            duration,
        )
        return result if until_seconds is None else _stopped(result, until_seconds)

    def sized_for(
        self, trace: Trace, rate: float, *, rho_max: float = 0.85, max_wait_seconds: float = np.inf
    ) -> Simulator:
        """Give the same fleet with as many instances as a rate of such requests needs, by Erlang C.

        Pools that get none of the requests keep one instance.
        """
        chosen = by_length(self.pools, trace)
        sized = []
        for i, pool in enumerate(self.pools):
            own = trace.select(chosen == i)
            instances = 1
            if len(own):
                times = self.profiles[i].service_seconds(own.prompt_tokens, own.output_tokens, pool.max_context)
                size = size_pool(
                    rate * len(own) / len(trace),
                    times,
                    self._slots(i),
                    rho_max=rho_max,
                    max_wait_seconds=max_wait_seconds,
                )
                instances = size.instances
            sized.append(replace(pool, instances=instances))
        profiles = {pool.name: profile for pool, profile in zip(self.pools, self.profiles, strict=True)}
        return Simulator(
            sized, profiles, mode=self.mode, max_waiting=self.max_waiting, balance=self.balance, compiled=self.compiled
        )

    def _slots(self, i: int) -> int:
        return self.pools[i].slots or self.profiles[i].n_slots(self.pools[i].max_context)

    def _longest(self, i: int) -> int:
        longest = self.pools[i].max_context
        return min(longest, self.profiles[i].n_tokens) if self.mode == "batch" else longest

    def _serve(self, i: int, trace: Trace) -> _Rows:
        return self._serve_batch(i, trace) if self.mode == "batch" else self._serve_slots(i, trace)

    def _serve_slots(self, i: int, trace: Trace) -> _Rows:
        pool, profile = self.pools[i], self.profiles[i]
        iteration = profile.full_iteration_seconds(trace.prompt_tokens, trace.output_tokens, pool.max_context)
        services = _picoseconds(profile.n_iterations(trace.prompt_tokens, trace.output_tokens) * iteration)
        arrivals = _picoseconds(trace.arrival_seconds)
        begun = fifo(arrivals, services, pool.instances * self._slots(i), compiled=self.compiled)
        start = trace.arrival_seconds + (begun - arrivals) / PICOSECONDS
        held = services / PICOSECONDS
        end = start + held
        first = start + (-(-trace.prompt_tokens // profile.chunk_tokens) + 1) * iteration
        n = len(trace)
        return _Rows(start, np.minimum(first, end), end, held, np.zeros(n, np.int64), np.zeros(n, bool))

    def _serve_batch(self, i: int, trace: Trace) -> _Rows:
        pool, profile = self.pools[i], self.profiles[i]
        rules = BatchRules(
            *profile.picoseconds(), profile.chunk_tokens, profile.block_tokens, profile.n_blocks, self._slots(i)
        )
        arrivals = _picoseconds(trace.arrival_seconds)
        rows, _ = batch(
            arrivals,
            trace.prompt_tokens,
            trace.output_tokens,
            rules,
            pool.instances,
            max_waiting=self.max_waiting,
            in_turn=self.balance == "turn",
            compiled=self.compiled,
        )
        spent = np.where(rows[:, :3] < 0, np.nan, (rows[:, :3] - arrivals[:, None]) / PICOSECONDS)
        times = trace.arrival_seconds[:, None] + spent  # so that no rounding makes a wait negative
        return _Rows(times[:, 0], times[:, 1], times[:, 2], rows[:, 3] / PICOSECONDS, rows[:, 4], rows[:, 5] < 0)


def _picoseconds(seconds: FloatArray) -> IntArray:
    return np.rint(seconds * PICOSECONDS).astype(np.int64)


def _stopped(result: SimResult, until: float) -> SimResult:
    """Cut a result at a time: later requests never came, what ends later is in flight."""
    came = result.trace.arrival_seconds <= until
    trace = result.trace.select(came)
    end = result.end_seconds[came]
    late = end > until
    begun = result.start_seconds[came]
    held = np.where(late, np.clip(until - begun, 0, result.held_seconds[came]), result.held_seconds[came])

    def known(times: FloatArray) -> FloatArray:
        return np.where(times > until, np.nan, times)

    return replace(
        result,
        trace=trace,
        pool=result.pool[came],
        status=np.where(late, IN_FLIGHT, result.status[came]),
        start_seconds=known(begun),
        first_token_seconds=known(result.first_token_seconds[came]),
        end_seconds=known(end),
        held_seconds=held,
        n_preempted=result.n_preempted[came],
    )
