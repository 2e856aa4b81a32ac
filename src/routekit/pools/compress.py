"""Compress-and-route: a prompt slightly too long for the smaller pool may be cut to fit it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from routekit.decision import Decision
from routekit.errors import ConfigError, UsageError
from routekit.pools.ladder import Rung
from routekit.pools.router import PoolRouter
from routekit.tensors import CompressedText


@dataclass(frozen=True, slots=True)
class CompressRoute:
    """Says which prompts are worth compressing below a pool's limit, and places them afterwards.

    It changes what the model reads, so it does nothing by itself: ask `cap` where the policy allows it, compress,
    and pass the result to `moved`.

    Parameters
    ----------
    router
        Who placed the decision.
    gamma
        Budgets up to this multiple of the smaller pool's limit are borderline; over 1.
    categories
        Kinds of text that survive the loss of sentences. Code, JSON and tools do not.

    Raises
    ------
    ConfigError
        If gamma is not over 1 and at most 10.

    Examples
    --------
    >>> from routekit import RequestView
    >>> from routekit.pools import PoolRouter, PoolSpec
    >>> router = PoolRouter([PoolSpec("short", max_context=8192), PoolSpec("long", max_context=65536)])
    >>> view = RequestView("openai-chat", "auto", False, (), 0, (), max_output_tokens=500, n_text_bytes=36_000)
    >>> decision = router.route(view, category="prose")
    >>> decision.pool, CompressRoute(router, gamma=1.5).cap(decision)
    ('long', 7692)

    References
    ----------
    Compress-and-Route of vllm-sr-sim 0.1.0, which assumes that every compression hits its cap; `moved` checks.
    """

    router: PoolRouter
    gamma: float = 1.5
    categories: frozenset[str] = frozenset({"prose"})

    def __post_init__(self) -> None:
        if not 1 < self.gamma <= 10:
            raise ConfigError(f"CompressRoute.gamma is {self.gamma!r}; allowed: over 1, at most 10")

    def cap(self, decision: Decision) -> int | None:
        """Give the tokens to compress the prompt to, None where the request should go as it is."""
        budget, rung = decision.trace.budget, self._smaller(decision)
        if budget is None or rung is None or budget.n_images or budget.category not in self.categories:
            return None
        tokens = rung.limit - budget.max_output_tokens
        return tokens if tokens > 0 and budget.total_tokens <= self.gamma * rung.limit else None

    def moved(self, decision: Decision, compressed: CompressedText) -> Decision:
        """Place the compressed request in the smaller pool, if it fits indeed; else give the decision back.

        Parameters
        ----------
        compressed
            The whole prompt, compressed. An estimated token count is not believed: its bytes are then judged by the
            ratio that placed the request.
        """
        cap, rung, budget = self.cap(decision), self._smaller(decision), decision.trace.budget
        if cap is None or rung is None or budget is None:
            raise UsageError("this decision is not borderline: cap() gives None for it")
        n_bytes = len(compressed.text.encode("utf-8", "surrogatepass"))
        prompt = compressed.n_tokens_after if compressed.exact else -int(-n_bytes // budget.bytes_per_token)
        if prompt > cap:
            return decision
        total = prompt + budget.max_output_tokens
        budget = replace(budget, n_bytes=n_bytes, prompt_tokens=prompt, total_tokens=total, reason="compress")
        trace = replace(decision.trace, budget=budget, transforms=(*decision.trace.transforms, f"compress:{cap}"))
        return replace(decision, pool=rung.name, estimated_tokens=total, trace=trace)

    def _smaller(self, decision: Decision) -> Rung | None:
        """Find the largest pool below the one that was chosen."""
        rungs = self.router.rungs(decision.model)
        names = [rung.name for rung in rungs]
        at = names.index(decision.pool) if decision.pool in names else 0
        return rungs[at - 1] if at else None
