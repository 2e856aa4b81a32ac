"""The pools behind the models that a policy chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from routekit.decision import Decision
from routekit.errors import UsageError
from routekit.request import RequestView

if TYPE_CHECKING:
    from routekit.pools.conditions import PoolSnapshot
    from routekit.pools.router import PoolRouter


@dataclass(frozen=True, slots=True, eq=False)
class Pools:
    """One pool router for all models, one for each of some models, or none.

    Attributes
    ----------
    snapshots
        The moment that one request sees, by the identity of the pool router; empty for the present.
    """

    routers: PoolRouter | Mapping[str, PoolRouter] | None
    snapshots: Mapping[int, PoolSnapshot] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for router in self._every():
            if not hasattr(router, "place"):
                kind = type(router).__name__
                raise UsageError(f"pools holds a {kind}; allowed: a PoolRouter, or a mapping of models to PoolRouters")

    def seen(self) -> Pools:
        """Freeze ratios and conditions for one request."""
        every = self._every()
        return replace(self, snapshots={id(router): router.snapshot() for router in every}) if every else self

    def _every(self) -> list[PoolRouter]:
        routers = self.routers
        return [] if routers is None else list(routers.values()) if isinstance(routers, Mapping) else [routers]

    def place(self, decision: Decision, view: RequestView, now: float | None) -> Decision:
        """Choose the pool of a complete request."""
        router = self._behind(decision)
        if router is None:
            return decision
        placed = router.place(decision, view, now=now, snapshot=self.snapshots.get(id(router)))
        return placed if placed.early == decision.early else replace(placed, early=decision.early)

    def place_early(self, decision: Decision, n_text_bytes: int) -> Decision | None:
        """Choose the pool of a request that still arrives; None while it could change."""
        router = self._behind(decision)
        if router is None:
            return decision
        return router.place_early(decision, n_text_bytes=n_text_bytes, snapshot=self.snapshots.get(id(router)))

    def _behind(self, decision: Decision) -> PoolRouter | None:
        if decision.action == "block":
            return None
        if isinstance(self.routers, Mapping):
            return self.routers.get(decision.model or "")
        return self.routers
