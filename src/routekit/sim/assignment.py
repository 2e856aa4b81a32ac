"""Which pool each request of a trace goes to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routekit.errors import ConfigError, ContextOverflow
from routekit.pools.pool import PoolSpec
from routekit.pools.router import PoolRouter
from routekit.sim.profile import IntArray
from routekit.sim.trace import Trace

#: Stands for no pool.
NOWHERE = -1


def by_length(pools: Sequence[PoolSpec], trace: Trace, *, thresholds: Sequence[int] = ()) -> IntArray:
    """Send every request to the smallest pool that holds it, its length being known.

    Parameters
    ----------
    thresholds
        Most tokens for each pool from the smallest on, where that is less than its context.

    Returns
    -------
    Index into `pools`, shape (n,); -1 for requests that no pool holds.

    Examples
    --------
    >>> trace = Trace.poisson(4, rate=1.0, prompt_tokens=[100, 9000], output_tokens=[10, 10], seed=2)
    >>> by_length([PoolSpec("short", 8192), PoolSpec("long", 65536)], trace).tolist()
    [0, 1, 1, 1]
    """
    order = sorted(range(len(pools)), key=lambda i: pools[i].max_context)
    limits = np.array([pools[i].max_context for i in order], np.int64)
    limits[: len(thresholds)] = np.minimum(limits[: len(thresholds)], np.array(thresholds, np.int64))
    rung = np.searchsorted(limits, trace.total_tokens)
    return np.array([*order, NOWHERE], np.int64)[rung]


def by_router(
    router: PoolRouter, trace: Trace, n_bytes: IntArray, categories: Sequence[str], *, feedback: bool = True
) -> IntArray:
    """Send every request where a router does, who knows its bytes and kind of text and learns from its tokens.

    Parameters
    ----------
    n_bytes
        UTF-8 bytes of each prompt, shape (n,).
    categories
        Kind of text of each.
    feedback
        Whether the router learns, each request in turn.

    Returns
    -------
    Index into ``router.pools``, shape (n,); -1 for requests that the router refuses.

    Raises
    ------
    ConfigError
        If the columns differ in length.
    """
    if not len(trace) == len(n_bytes) == len(categories):
        raise ConfigError(
            f"by_router got {len(trace)} requests, {len(n_bytes)} byte counts, {len(categories)} categories"
        )
    index = {pool.name: i for i, pool in enumerate(router.pools)}
    contexts = {pool.name: pool.max_context for pool in router.pools}
    chosen = np.full(len(trace), NOWHERE, np.int64)
    rows = zip(n_bytes.tolist(), trace.prompt_tokens.tolist(), trace.output_tokens.tolist(), categories, strict=True)
    for i, (size, prompt, output, category) in enumerate(rows):
        try:
            name = router.assign(size, output, category).pool
        except ContextOverflow:
            continue
        chosen[i] = index[name]
        if feedback:
            router.estimator.observe(category, size, prompt, unsafe=prompt + output > contexts[name])
    return chosen
