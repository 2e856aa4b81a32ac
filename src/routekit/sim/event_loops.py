"""The event loops over arrays: compiled where the native part was built, else plain."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from routekit.sim import plain
from routekit.sim.plain import BatchRules
from routekit.sim.profile import IntArray


def native() -> ModuleType | None:
    """Import the compiled loops, None where they were not built."""
    try:
        from routekit import _sim
    except ImportError:
        return None
    return _sim


def fifo(arrivals: IntArray, services: IntArray, n_servers: int, *, compiled: bool = True) -> IntArray:
    """Serve requests in order of arrival by servers that take one at a time.

    Parameters
    ----------
    arrivals, services
        Picoseconds, shape (n,); arrivals ascend.

    Returns
    -------
    When each begins, in picoseconds, shape (n,).
    """
    loops = native() if compiled else None
    if loops is None:
        return np.array(plain.fifo_starts(arrivals.tolist(), services.tolist(), n_servers), np.int64)
    starts = np.empty_like(arrivals)
    loops.fifo(arrivals, services, starts, n_servers)
    return starts


def batch(
    arrivals: IntArray,
    prompts: IntArray,
    outputs: IntArray,
    rules: BatchRules,
    n_servers: int,
    *,
    max_waiting: int = 0,
    in_turn: bool = False,
    compiled: bool = True,
) -> tuple[IntArray, IntArray]:
    """Serve requests by servers that batch continuously; every request must fit into an empty one.

    Parameters
    ----------
    arrivals
        Picoseconds, ascending, shape (n,).
    prompts, outputs
        Tokens, shape (n,).

    Returns
    -------
    rows, shape (n, 6): admitted, first token, end, time served (picoseconds, -1 for never), times preempted, server
    (-1 when turned away).
    servers, shape (n_servers, 2): busy picoseconds, iterations.
    """
    loops = native() if compiled else None
    if loops is None:
        return _plain_batch(arrivals, prompts, outputs, rules, n_servers, max_waiting, in_turn)
    rows, servers = np.empty((len(arrivals), 6), np.int64), np.empty((n_servers, 2), np.int64)
    loops.batch(arrivals, prompts, outputs, rows, servers, n_servers, max_waiting, in_turn, rules)
    return rows, servers


def _plain_batch(
    arrivals: IntArray,
    prompts: IntArray,
    outputs: IntArray,
    rules: BatchRules,
    n_servers: int,
    max_waiting: int,
    in_turn: bool,
) -> tuple[IntArray, IntArray]:
    lengths = zip(prompts.tolist(), outputs.tolist(), strict=True)
    requests = [plain.Served(prompt, output) for prompt, output in lengths]
    servers = plain.run_batch(arrivals.tolist(), requests, rules, n_servers, max_waiting=max_waiting, in_turn=in_turn)
    rows = [[r.admitted, r.first, r.end, r.served, r.n_preempted, r.server] for r in requests]
    busy = [[server.busy, server.n_iterations] for server in servers]
    return np.array(rows, np.int64).reshape(-1, 6), np.array(busy, np.int64)
