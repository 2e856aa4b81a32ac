"""Checks of what a PoolRouter is built from."""

from __future__ import annotations

from collections.abc import Sequence

from routekit.errors import ConfigError
from routekit.pools.pool import PoolSpec


def contexts_of(pools: Sequence[PoolSpec]) -> dict[str, int]:
    """Give the context of every pool by name.

    Raises
    ------
    ConfigError
        If there is none, or two share a name.
    """
    contexts = {pool.name: pool.max_context for pool in pools}
    if not pools or len(contexts) < len(pools):
        raise ConfigError(f"PoolRouter got {len(pools)} pools, {len(contexts)} names; give one or more, all distinct")
    return contexts


def thresholds_of(threshold: int | Sequence[int] | None) -> list[int]:
    """List the thresholds from the smallest pool on.

    Raises
    ------
    ConfigError
        If one is not a positive integer.
    """
    values = [] if threshold is None else [threshold] if isinstance(threshold, int) else list(threshold)
    for value in values:
        _check_tokens("threshold", value)
    return values


def checked_output(default: int | None) -> int | None:
    """Check the output assumed for requests without a limit.

    Raises
    ------
    ConfigError
        If it is neither None nor a positive integer.
    """
    if default is not None:
        _check_tokens("default_max_tokens", default)
    return default


def _check_tokens(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(f"PoolRouter {name} is {value!r}; allowed: integers from 1, in tokens")
