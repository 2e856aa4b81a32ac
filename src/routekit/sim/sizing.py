"""How many servers a pool needs."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf

import numpy as np
from numpy.typing import ArrayLike

from routekit.errors import ConfigError
from routekit.sim.erlang import MAX_SERVERS, wait_quantile

#: Rounding error in a product of rates must not buy a whole server.
_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class PoolSize:
    """Servers for a pool, and what they are good for.

    Attributes
    ----------
    instances
        Servers.
    utilisation
        Share of the slots that are taken on average.
    wait_seconds
        99th percentile of the wait for a slot by Erlang C.
    """

    instances: int
    utilisation: float
    wait_seconds: float


def size_pool(
    arrival_rate: float,
    service_seconds: ArrayLike,
    slots: int,
    *,
    rho_max: float = 0.85,
    max_wait_seconds: float = inf,
) -> PoolSize:
    """Size a pool for a rate of requests.

    Parameters
    ----------
    arrival_rate
        Requests a second, at least 0.
    service_seconds
        Time a request holds a slot: its mean, or one for each request of a sample, shape (n,).
    slots
        Requests that one server serves at a time.
    rho_max
        Highest utilisation, in (0, 1].
    max_wait_seconds
        Bound on the 99th percentile of the wait; infinite leaves it to `rho_max`.

    Returns
    -------
    The smallest size that keeps both, at least one server.

    Raises
    ------
    ConfigError
        If a parameter is out of range, or more slots are needed than `erlang_c` takes servers.

    Examples
    --------
    >>> size_pool(1000.0, 2.0, 128).instances
    19
    """
    times = np.atleast_1d(np.asarray(service_seconds, np.float64))
    mean = float(times.mean()) if times.size else 0.0
    if (
        not 0 <= arrival_rate < inf
        or not 0 < mean < inf
        or slots < 1
        or not 0 < rho_max <= 1
        or not max_wait_seconds >= 0
    ):
        raise ConfigError(
            f"size_pool got rate {arrival_rate!r}, mean service {mean!r} s, {slots!r} slots, rho_max {rho_max!r}; "
            "allowed: rate from 0, service over 0, slots from 1, rho_max in (0, 1]"
        )
    cv2 = float(times.var()) / mean**2 if times.size > 1 else 1.0
    load = arrival_rate * mean
    if load > rho_max * MAX_SERVERS:
        raise ConfigError(f"a load of {load:.4g} requests at a time needs over {MAX_SERVERS} slots; lower the rate")
    low = max(1, ceil(load / (rho_max * slots) - _SLACK))

    def wait(instances: int) -> float:
        return wait_quantile(instances * slots, arrival_rate, mean, service_cv2=cv2)

    high = low
    while wait(high) > max_wait_seconds:
        low, high = high, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if wait(middle) <= max_wait_seconds else (middle + 1, high)
    return PoolSize(high, load / (high * slots), wait(high))
