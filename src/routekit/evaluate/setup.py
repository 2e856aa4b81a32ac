"""What judges the rows of a log, and the walk over them: in order, whatever the number of workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, Union

from routekit.errors import BadRow, UsageError
from routekit.evaluate.columns import LabelledRequest
from routekit.evaluate.judging import Judge, PolicyJudge, RouterJudge, recorder_of
from routekit.evaluate.provenance import Provenance, of_router
from routekit.evaluate.replay import PoolChoice
from routekit.evaluate.row import Entry, Skipped
from routekit.interfaces import Classifier, Router
from routekit.policy import Policy
from routekit.router import PolicyRouter

T = TypeVar("T")
R = TypeVar("R")

Judged: TypeAlias = Union[Policy, Router]
OnBadRow: TypeAlias = Literal["raise", "skip"]

#: Rows in work for each worker: enough that none waits for a slow one, few enough for any memory.
_AHEAD = 4


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """What judges, and what it is."""

    judge: Judge
    provenance: Provenance
    pools: PoolChoice = None

    @classmethod
    def of(
        cls,
        router: Judged,
        *,
        classifiers: Sequence[Classifier] | None = None,
        pools: PoolChoice = None,
        signals: Sequence[str | Policy] = (),
        chunk_bytes: int | None = None,
    ) -> Setup:
        """Make a router of a policy, and one that records what the policy does not ask for."""
        if isinstance(router, Policy):
            router = PolicyRouter(router, classifiers=classifiers, pools=pools)
        elif classifiers is not None or pools is not None:
            raise UsageError("classifiers and pools go with a policy; a router has its own")
        if not isinstance(router, PolicyRouter):
            if signals:
                raise UsageError("signals can be recorded under a policy only; give a Policy or a PolicyRouter")
            return cls(RouterJudge(router), of_router(router))
        quiet = router.without_listeners()
        recorder = recorder_of(quiet, signals)
        routers = [quiet] if recorder is None else [quiet, recorder]
        chosen = quiet.snapshot.pools.routers
        return cls(PolicyJudge(quiet, recorder, chunk_bytes), Provenance.of(routers), chosen)


def judged_entries(
    judge: Judge, requests: Iterable[LabelledRequest | BadRow], on_bad_row: OnBadRow, n_workers: int = 1
) -> Iterator[Entry]:
    """Judge requests, in order."""

    def entry(request: LabelledRequest | BadRow) -> Entry:
        try:
            if isinstance(request, BadRow):
                raise request
            return judge.row(request)
        except BadRow as bad:
            if on_bad_row == "raise":
                raise
            return Skipped(bad.source, bad.line, bad.reason)

    return in_order(entry, requests, n_workers)


def in_order(function: Callable[[T], R], items: Iterable[T], n_workers: int) -> Iterator[R]:
    """Map over items by threads, a few ahead, and hand on results in the order of the items.

    >>> list(in_order(abs, [-3, 2, -1], n_workers=2))
    [3, 2, 1]
    """
    if n_workers == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(n_workers) as pool:
        waiting: deque[Future[R]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) >= _AHEAD * n_workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
