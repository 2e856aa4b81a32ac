"""Size pools, and see in simulation what a split saves and what it does to latency.

`erlang_c` and `size_pool` are closed forms; `Simulator` replays a `Trace` through a fleet of servers described by a
`GpuProfile`. On the command line: ``python -m routekit sim --help``.
"""

from __future__ import annotations

from routekit.sim.assignment import by_length, by_router
from routekit.sim.erlang import erlang_c, wait_probability, wait_quantile
from routekit.sim.profile import GpuProfile
from routekit.sim.result import SimResult
from routekit.sim.simulator import Simulator
from routekit.sim.sizing import PoolSize, size_pool
from routekit.sim.trace import Trace, sample_cdf

__all__ = [
    "GpuProfile",
    "PoolSize",
    "SimResult",
    "Simulator",
    "Trace",
    "by_length",
    "by_router",
    "erlang_c",
    "sample_cdf",
    "size_pool",
    "wait_probability",
    "wait_quantile",
]
