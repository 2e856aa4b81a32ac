"""Waiting in closed form: Erlang C, and the tail of the wait."""

from __future__ import annotations

from math import exp, inf, log

from routekit.errors import ConfigError

#: Some seconds of computation; the largest fleets have a tenth of it in slots.
MAX_SERVERS = 10_000_000


def erlang_c(servers: int, offered_load: float) -> float:
    """Give the probability that a request waits, in a queue with Poisson arrivals and exponential service (M/M/c).

    Parameters
    ----------
    servers
        From 1 to 10,000,000; the time taken is proportional to them.
    offered_load
        Arrival rate times mean service time, in servers; at least 0. From `servers` on everybody waits.

    Returns
    -------
    P(wait > 0), in [0, 1].

    Raises
    ------
    ConfigError
        If a parameter is out of range.

    Examples
    --------
    >>> round(erlang_c(10, 8.0), 10)
    0.4091801508

    References
    ----------
    By the recursion of Erlang B, which neither overflows nor cancels: B(c) = a B(c-1) / (c + a B(c-1)).
    """
    whole = isinstance(servers, int) and not isinstance(servers, bool)
    if not whole or not 1 <= servers <= MAX_SERVERS or not 0 <= offered_load < inf:
        raise ConfigError(
            f"erlang_c got {servers!r} servers, load {offered_load!r}; allowed: integers from 1 to {MAX_SERVERS}, "
            "load from 0"
        )
    if offered_load >= servers:
        return 1.0
    blocking = 1.0
    for n in range(1, servers + 1):
        blocking = offered_load * blocking / (n + offered_load * blocking)
    return servers * blocking / (servers - offered_load * (1 - blocking))


def wait_quantile(
    servers: int, arrival_rate: float, mean_service_seconds: float, *, quantile: float = 0.99, service_cv2: float = 1.0
) -> float:
    """Give a quantile of the wait.

    Parameters
    ----------
    arrival_rate
        Requests a second, at least 0.
    quantile
        In [0, 1).
    service_cv2
        Squared coefficient of variation of the service time: 1 is exponential and exact, others are approximated by
        scaling the wait with ``(1 + service_cv2) / 2`` (Lee and Longton).

    Returns
    -------
    Seconds; infinite when the load is too high.

    Examples
    --------
    >>> wait_quantile(16, 10.0, 1.0) == 0.0
    False
    >>> wait_quantile(16, 1.0, 1.0)
    0.0
    """
    if not 0 <= quantile < 1 or not arrival_rate >= 0 or not mean_service_seconds > 0 or not service_cv2 >= 0:
        raise ConfigError("wait_quantile takes a quantile in [0, 1), a rate from 0, service over 0 s, a cv2 from 0")
    load = arrival_rate * mean_service_seconds
    if load >= servers:
        return inf
    waits = erlang_c(servers, load)
    if waits <= 1 - quantile:
        return 0.0
    return (1 + service_cv2) / 2 * log(waits / (1 - quantile)) * mean_service_seconds / (servers - load)


def wait_probability(servers: int, arrival_rate: float, mean_service_seconds: float, seconds: float) -> float:
    """Give P(wait > seconds) for exponential service.

    Examples
    --------
    >>> wait_probability(10, 8.0, 1.0, 0.0) == erlang_c(10, 8.0)
    True
    """
    load = arrival_rate * mean_service_seconds
    if load >= servers:
        return 1.0
    return erlang_c(servers, load) * exp(-(servers - load) / mean_service_seconds * seconds)
