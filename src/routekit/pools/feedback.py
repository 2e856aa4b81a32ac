"""What a placed request teaches once its server answered."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from routekit.decision import Decision
from routekit.errors import UsageError, quoted
from routekit.pools.estimator import RatioEstimator
from routekit.pools.usage import prompt_tokens
from routekit.trace import Budget
from routekit.transforms import changes_prompt


def learn(
    estimator: RatioEstimator, contexts: Mapping[str, int], decision: Decision, usage: object, now: float
) -> None:
    """Learn a request's ratio from its usage, and whether it exceeded its pool.

    Requests whose bytes do not tell their tokens are ignored and counted: with images, decided early, or with a
    changed prompt.
    """
    budget = _budget_of(decision)
    n_tokens = prompt_tokens(usage)
    if n_tokens is None or budget.n_images or budget.reason == "early" or changes_prompt(decision):
        estimator.ignore()
        return
    context = contexts.get(decision.pool or "")
    unsafe = None
    if context is not None:
        # An output that was only filled up to the context promises nothing.
        output = 0 if budget.total_tokens == context else budget.max_output_tokens
        unsafe = n_tokens + output > context
    estimator.observe(budget.category, budget.n_bytes, n_tokens, unsafe=unsafe, now=now)


def learn_overflow(estimator: RatioEstimator, contexts: Mapping[str, int], decision: Decision, now: float) -> Budget:
    """Learn from "context length exceeded", which tells no tokens, only that there were more than fit.

    Raises
    ------
    UsageError
        If the decision's pool is none of these.
    """
    budget = _budget_of(decision)
    context = contexts.get(decision.pool or "")
    if context is None:
        raise UsageError(f"pool {quoted(decision.pool or '')} is not one of this router; only its own can be moved")
    if not budget.n_images and budget.reason not in ("early", "retry", "compress"):
        at_least = max(1, context - budget.max_output_tokens) + 1
        n_tokens = max(at_least, ceil(budget.n_bytes / budget.bytes_per_token))
        estimator.observe(budget.category, budget.n_bytes, n_tokens, unsafe=True, now=now)
    return budget


def _budget_of(decision: Decision) -> Budget:
    if decision.trace.budget is None:
        raise UsageError("the decision carries no token budget; pass one that a PoolRouter placed")
    return decision.trace.budget
