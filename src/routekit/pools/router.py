"""Chooses the pool of a request by its token budget, and learns from what the server counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from threading import Lock
from typing import TYPE_CHECKING

from routekit.body import read_request
from routekit.decision import Decision
from routekit.errors import ContextOverflow, UsageError, quoted
from routekit.interfaces import RequestLike
from routekit.pools.budget import IMAGE_TOKENS, MAX_OUTPUT_TOKENS, output_tokens, worst_tokens
from routekit.pools.categories import COLD_RATIOS, category_of
from routekit.pools.conditions import CALM, Conditions, PoolSnapshot
from routekit.pools.constructors import constructor_of
from routekit.pools.estimator import RatioEstimator
from routekit.pools.feedback import learn, learn_overflow
from routekit.pools.ladder import Assignment, Rung, choose, choose_again, choose_under, ladder, may_take, overflow
from routekit.pools.pool import PoolSpec
from routekit.pools.pool_settings import checked_output, contexts_of, thresholds_of
from routekit.request import RequestView
from routekit.trace import Budget, Trace

if TYPE_CHECKING:
    from routekit.pools.stream import PoolStream


_new_budget = constructor_of(Budget)
_new_trace = constructor_of(Trace)
_new_decision = constructor_of(Decision)
_new_tuple = tuple.__new__


class PoolRouter:
    """Sends a request to the smallest pool that holds its token budget.

    The budget is the prompt, ``ceil(bytes / ratio)`` with the ratio learned for its kind of text, and the output
    the client allows. A pool smaller than the budget is never chosen, whatever the load; one larger may be.

    A Router in its own right, and the second half of a PolicyRouter: the policy chooses the model, `place` the pool
    among those that serve it.

    Parameters
    ----------
    pools
        At least one; names are unique. Pools with a `model` serve that model only.
    threshold
        Most tokens sent to the smallest pool, or one number for each pool from the smallest on. None lets every
        pool take what it holds. The largest pool always does.
    default_max_tokens
        Output assumed when the client sets no limit; None assumes all of the largest context, so such requests go
        to the largest pool.
    spill_at
        Load (see `set_load`) from which requests go to another pool that holds them; None never.
    clock
        Monotonic seconds, for calls that bring no `now`; only the estimator's half-life needs it.
    estimator
        Default: the paper's rule with cold ratios by category.
    dialect
        Dialect of the bodies that `route` and `open` read.

    Raises
    ------
    ConfigError
        If the pools, a threshold or a default make no sense.

    Examples
    --------
    >>> from routekit import RequestView
    >>> router = PoolRouter([PoolSpec("short", max_context=8192), PoolSpec("long", max_context=65536)])
    >>> view = RequestView("openai-chat", "auto", False, (), 0, (), max_output_tokens=500, n_text_bytes=20_000)
    >>> decision = router.route(view, category="prose")
    >>> decision.pool, decision.estimated_tokens, decision.trace.budget.reason
    ('short', 5500, 'fits')
    >>> router.feedback(decision, {"prompt_tokens": 4600, "completion_tokens": 120})

    References
    ----------
    arXiv:2604.09613 and arXiv:2604.08075.
    """

    def __init__(
        self,
        pools: Sequence[PoolSpec],
        threshold: int | Sequence[int] | None = 8192,
        default_max_tokens: int | None = None,
        spill_at: float | None = None,
        clock: Callable[[], float] | None = None,
        *,
        estimator: RatioEstimator | None = None,
        dialect: str = "auto",
    ) -> None:
        self.pools = tuple(pools)
        self.dialect = dialect
        self.estimator = RatioEstimator(cold=COLD_RATIOS) if estimator is None else estimator
        self._default_max_tokens = checked_output(default_max_tokens)
        self._clock = clock
        self._contexts = contexts_of(self.pools)
        thresholds = thresholds_of(threshold)
        models = {pool.model for pool in self.pools}
        self._ladders: dict[str | None, tuple[Rung, ...]] = {
            model: ladder([pool for pool in self.pools if pool.model in (None, model)], thresholds) for model in models
        }
        self._any = ladder([pool for pool in self.pools if pool.model is None], thresholds)
        self._is_plain = self._any != () and not any(pool.certain for pool in self.pools)
        self.has_models = models != {None}
        self._lock = Lock()
        self._conditions = Conditions(spill_at)
        self._stress: Conditions | None = None  # the conditions, while they matter

    def route(
        self,
        request: RequestLike,
        *,
        metadata: Mapping[str, object] | None = None,
        now: float | None = None,
        category: str | None = None,
    ) -> Decision:
        """Choose the pool of a request; the model stays the client's.

        Parameters
        ----------
        metadata
            Not used; every Router takes it.
        category
            Kind of text, where the caller knows better than `category_of`.

        Raises
        ------
        ContextOverflow
            If no pool holds the request.
        Overloaded
            If those that hold it are all down, or the one that was named for it.
        BodyError
            If the body cannot be read.
        """
        view = request if isinstance(request, RequestView) else self._read(request)
        return self.place(Decision("route", view.model, None, "pools"), view, now=now, category=category)

    def place(
        self,
        decision: Decision,
        view: RequestView,
        *,
        now: float | None = None,
        category: str | None = None,
        snapshot: PoolSnapshot | None = None,
    ) -> Decision:
        """Add the pool to a decision that chose a model: `pool`, `estimated_tokens` and ``trace.budget``.

        A block stays as it is, and so does a decision for a model that no pool serves. A pool that the decision
        already names is kept where it serves the model and holds the request, or is not one of ours.

        Parameters
        ----------
        snapshot
            From `snapshot`, where an early decision was made with it; None is the present.
        """
        rungs = self._ladders.get(decision.model, self._any)
        if decision.action == "block" or not rungs:
            return decision
        if category is None:
            category = category_of(view)
        if now is None and self._clock is not None:
            now = self._clock()
        output = view.max_output_tokens
        if type(output) is not int or not 0 < output <= MAX_OUTPUT_TOKENS:
            output = output_tokens(view, self._default_max_tokens)
        n_bytes, n_images = view.n_text_bytes, view.n_images
        name, reason, prompt, output, total, ratio, calibrated = self._assign(
            rungs, n_bytes, output, category, decision.pool, n_images, len(view.segments), now, snapshot
        )
        budget = _new_budget(
            category, n_bytes, ratio, prompt, output, total, calibrated, reason, reason == "spill", n_images
        )
        return _placed(decision, name, total, budget)

    def assign(
        self,
        n_bytes: int,
        max_output_tokens: int | None,
        category: str,
        *,
        model: str | None = None,
        pool: str | None = None,
        n_images: int = 0,
        n_segments: int = 1,
        now: float | None = None,
        snapshot: PoolSnapshot | None = None,
    ) -> Assignment:
        """Choose a pool from bare figures: what `place` does, without a Decision and its trace.

        Parameters
        ----------
        n_bytes
            UTF-8 bytes of the request's text.
        max_output_tokens
            The client's limit, at least 1; None stands for the default.
        pool
            A pool that is already chosen: kept where it serves the model and holds the request, or is not one of ours.
        n_segments
            Texts the bytes are spread over; only pools that want certainty count them.

        Raises
        ------
        ContextOverflow
            If no pool that serves the model holds the request.
        Overloaded
            If those that hold it are all down.
        """
        output = self._default_max_tokens if max_output_tokens is None else max_output_tokens
        rungs = self._ladders.get(model, self._any)
        return self._assign(rungs, n_bytes, output, category, pool, n_images, n_segments, now, snapshot)

    def _assign(
        self,
        rungs: tuple[Rung, ...],
        n_bytes: int,
        output: int | None,
        category: str,
        pool: str | None,
        n_images: int,
        n_segments: int,
        now: float | None,
        snapshot: PoolSnapshot | None,
    ) -> Assignment:
        if snapshot is None:
            ratio, calibrated = self.estimator.plan(category, now)
            stress = self._stress
        else:
            ratio, calibrated = snapshot.ratios.plan(category, now)
            stress = snapshot.stress
        prompt = ceil(n_bytes / ratio) + n_images * IMAGE_TOKENS
        if output is None:
            output = max(1, rungs[-1].max_context - prompt) if rungs else 1
        total = prompt + output
        if self._is_plain and stress is None and pool is None and total <= rungs[0][1]:
            name, reason = rungs[0][0], "fits"  # as `choose` says; inline because nearly all requests end here
        else:
            worst = max(total, worst_tokens(n_bytes, n_images, n_segments, output))
            serves = pool not in self._contexts or any(rung.name == pool for rung in rungs)
            name, reason = _choose(rungs, total, worst, pool if serves else None, stress)
        # What `Assignment(...)` does, without the call of Python code that a NamedTuple's constructor is.
        return _new_tuple(Assignment, (name, reason, prompt, output, total, ratio, calibrated))

    def place_early(
        self,
        decision: Decision,
        *,
        n_text_bytes: int,
        max_output_tokens: int | None = None,
        snapshot: PoolSnapshot | None = None,
    ) -> Decision | None:
        """Place a request whose body is still arriving, once only one pool is left whatever comes.

        The budget is bounded from below: the bytes so far, at the largest ratio that any category could be planned
        with. `place` with the same snapshot comes to the same pool, or raises.

        Parameters
        ----------
        n_text_bytes
            UTF-8 bytes of text so far.
        max_output_tokens
            The client's limit if it is known already.

        Returns
        -------
        A decision with `early` set, or the given one where `place` would not change it; None while more than one
        pool is possible.

        Raises
        ------
        ContextOverflow
            If the text so far exceeds every pool.
        """
        rungs = self._ladders.get(decision.model, self._any)
        if decision.action == "block" or not rungs:
            return decision
        if decision.pool is not None:
            return None if decision.pool in self._contexts else decision
        seen = self.snapshot() if snapshot is None else snapshot
        prompt = ceil(n_text_bytes / seen.largest_ratio)
        output = max_output_tokens or 0
        total = prompt + output
        last = rungs[-1]
        if total > last.max_context:
            raise overflow(rungs, total)
        if any(may_take(rung, total, n_text_bytes + output, seen.stress) for rung in rungs[:-1]):
            return None
        budget = Budget("unknown", n_text_bytes, seen.largest_ratio, prompt, output, total, False, "early")
        return replace(_placed(decision, last.name, total, budget), early=True)

    def snapshot(self) -> PoolSnapshot:
        """Freeze ratios and conditions, so that a stream sees one state from its first byte to its last."""
        ratios = self.estimator.snapshot()
        return PoolSnapshot(ratios, self._stress, ratios.largest())

    def open(self, *, metadata: Mapping[str, object] | None = None, category: str | None = None) -> PoolStream:
        """Begin a request whose body arrives in chunks."""
        from routekit.pools.stream import PoolStream

        return PoolStream(self, metadata=metadata, category=category)

    def feedback(self, decision: Decision, usage: object, *, now: float | None = None) -> None:
        """Learn from the usage that the server reported for a placed request.

        Parameters
        ----------
        usage
            A usage object of OpenAI or Anthropic as it comes, see `prompt_tokens`; anything unusable, requests with
            images, early decisions and prompts that were changed teach nothing and are counted in
            ``estimator.n_ignored``.
        now
            Monotonic seconds, for the estimator's half-life.

        Raises
        ------
        UsageError
            If no pool router made the decision.
        """
        learn(self.estimator, self._contexts, decision, usage, self._time(now))

    def overflowed(self, decision: Decision, *, now: float | None = None) -> Decision:
        """Answer a server's "context length exceeded": learn from it and name the largest pool, once.

        Raises
        ------
        ContextOverflow
            If no larger pool is left, or this request was moved already.
        """
        budget = learn_overflow(self.estimator, self._contexts, decision, self._time(now))
        context = self._contexts[decision.pool or ""]
        down = self._conditions.down
        larger = [rung for rung in self.rungs(decision.model) if rung.max_context > context and rung.name not in down]
        if not larger or budget.reason == "retry":
            raise ContextOverflow(
                f"pool {quoted(decision.pool or '')} with {context} tokens was too small and no larger one is left"
            )
        retried = replace(budget, reason="retry", total_tokens=max(budget.total_tokens, context + 1))
        return _placed(decision, larger[-1].name, retried.total_tokens, retried)

    def set_load(self, pool: str, load: float) -> None:
        """Tell a pool's load, e.g. waiting and running requests over slots; compared with `spill_at`."""
        self._check_pool(pool)
        if not load >= 0:
            raise UsageError(f"load of pool {quoted(pool)} is {load!r}; allowed: numbers from 0")
        with self._lock:
            self._watch(replace(self._conditions, load={**self._conditions.load, pool: load}))

    def set_health(self, pool: str, up: bool) -> None:
        """Tell whether a pool takes requests; one that is down gets none."""
        self._check_pool(pool)
        with self._lock:
            down = self._conditions.down
            self._watch(replace(self._conditions, down=down - {pool} if up else down | {pool}))

    def rungs(self, model: str | None) -> tuple[Rung, ...]:
        """List the pools that serve a model, smallest context first."""
        return self._ladders.get(model, self._any)

    def _watch(self, conditions: Conditions) -> None:
        self._conditions = conditions
        self._stress = None if conditions.calm else conditions

    def _check_pool(self, name: str) -> None:
        if name not in self._contexts:
            raise UsageError(f"no pool is named {quoted(name)}; known: {', '.join(sorted(self._contexts))}")

    def _time(self, now: float | None) -> float:
        return now if now is not None else 0.0 if self._clock is None else self._clock()

    def _read(self, request: RequestLike) -> RequestView:
        return read_request(request, dialect=self.dialect)


def _choose(
    rungs: tuple[Rung, ...], total: int, worst: int, pool: str | None, stress: Conditions | None
) -> tuple[str, str]:
    if pool is not None:
        return choose_again(stress or CALM, pool, rungs, total, worst)
    return choose(rungs, total, worst) if stress is None else choose_under(stress, rungs, total, worst)


def _placed(decision: Decision, pool: str, total: int, budget: Budget) -> Decision:
    """Copy a decision with its pool; spelled out because `dataclasses.replace` takes three times as long."""
    trace = decision.trace
    return _new_decision(
        decision.action,
        decision.model,
        pool,
        decision.rule,
        decision.status,
        decision.signals,
        decision.early,
        total,
        _new_trace(trace.rules, trace.signals, trace.shadow, budget, trace.transforms, trace.metadata),
    )
