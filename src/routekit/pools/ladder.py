"""The pools that can serve one model, smallest context first, and the choice among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from routekit.errors import ConfigError, ContextOverflow, Overloaded, quoted
from routekit.pools.conditions import Conditions
from routekit.pools.pool import PoolSpec


class Rung(NamedTuple):
    """One pool on a ladder.

    Attributes
    ----------
    limit
        Most tokens it is given while nothing is overloaded: its context, or the threshold below that.
    certain
        True judges by one token per byte.
    """

    name: str
    limit: int
    max_context: int
    certain: bool


class Choice(NamedTuple):
    """A pool and why, in the words of `routekit.Budget`."""

    name: str
    reason: str


class Assignment(NamedTuple):
    """A pool and the budget it was chosen for; the fields are those of `routekit.Budget`."""

    pool: str
    reason: str
    prompt_tokens: int
    max_output_tokens: int
    total_tokens: int
    bytes_per_token: float
    calibrated: bool


def ladder(pools: Iterable[PoolSpec], thresholds: Sequence[int]) -> tuple[Rung, ...]:
    """Order pools by context and cap all but the last by the thresholds, one for each from the smallest on."""
    ordered = sorted(pools, key=lambda pool: (pool.max_context, pool.name))
    caps = [*thresholds, *[pool.max_context for pool in ordered[len(thresholds) :]]]
    if ordered:
        caps[len(ordered) - 1] = ordered[-1].max_context
    rungs = [
        Rung(pool.name, min(cap, pool.max_context), pool.max_context, pool.certain)
        for pool, cap in zip(ordered, caps, strict=False)
    ]
    if any(low.limit > high.limit for low, high in pairwise(rungs)):
        raise ConfigError(f"thresholds {list(thresholds)} do not ascend along the pools' contexts")
    return tuple(rungs)


def choose(rungs: tuple[Rung, ...], total: int, worst: int) -> Choice:
    """Choose the smallest pool that is given requests of this size.

    Parameters
    ----------
    total
        Estimated budget, in tokens.
    worst
        The budget at one token per byte, in tokens, for pools that want certainty.

    Raises
    ------
    ContextOverflow
        If no pool's context holds the budget.
    """
    reason = "fits"
    for name, limit, max_context, certain in rungs:
        needed = worst if certain else total
        if needed <= limit:
            return Choice(name, reason)
        reason = "hard" if needed > max_context else "threshold"
    raise overflow(rungs, total)


def choose_under(conditions: Conditions, rungs: tuple[Rung, ...], total: int, worst: int) -> Choice:
    """Choose as `choose` does, then step aside from pools that are down or overloaded, never to one too small.

    Raises
    ------
    ContextOverflow
        If no pool's context holds the budget.
    Overloaded
        If every pool that holds it is down.
    """
    first = choose(rungs, total, worst)
    up = [rung for rung in _holding(rungs, total, worst) if rung.name not in conditions.down]
    if not up:
        raise Overloaded(f"every pool that holds {total} tokens is down; try again later")
    names = [rung.name for rung in up]
    down = first.name not in names
    if not down and not conditions.is_loaded(first.name):
        return first
    free = [name for name in names if not conditions.is_loaded(name)]
    if down:
        return Choice((free or names)[0], "health")
    return Choice(free[0], "spill") if free else first


def choose_again(conditions: Conditions, pool: str, rungs: tuple[Rung, ...], total: int, worst: int) -> Choice:
    """Keep a pool that somebody chose before, unless it is one of these and too small.

    Raises
    ------
    Overloaded
        If it is down: who named it may have had a reason, such as where it stands.
    """
    for rung in rungs:
        if rung.name == pool and (worst if rung.certain else total) > rung.max_context:
            return choose_under(conditions, rungs, total, worst)
    if pool in conditions.down:
        raise Overloaded(f"pool {quoted(pool)}, which was named for the request, is down; try again later")
    return Choice(pool, "policy")


def may_take(rung: Rung, total: int, worst: int, stress: Conditions | None) -> bool:
    """Say whether a request of at least this size may still come to a pool."""
    return (worst if rung.certain else total) <= (rung.limit if stress is None else rung.max_context)


def overflow(rungs: tuple[Rung, ...], total: int) -> ContextOverflow:
    """Build the error for a budget that no pool holds."""
    largest = rungs[-1].max_context if rungs else 0
    return ContextOverflow(
        f"the request needs about {total} tokens; the largest pool holds {largest}; shorten it or lower max_tokens"
    )


def _holding(rungs: tuple[Rung, ...], total: int, worst: int) -> list[Rung]:
    """List the pools whose context holds the budget: those that are given it, then smaller ones, largest first."""
    holding = [rung for rung in rungs if (worst if rung.certain else total) <= rung.max_context]
    given = [rung for rung in holding if (worst if rung.certain else total) <= rung.limit]
    return given + [rung for rung in reversed(holding) if rung not in given]
