"""How the pools are doing, as the caller tells, and the moment a stream sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from routekit.pools.estimator import Ratios


@dataclass(frozen=True, slots=True)
class Conditions:
    """Load and health of the pools: one immutable value, replaced whole.

    Attributes
    ----------
    spill_at
        Load from which a pool counts as overloaded; None never.
    load
        Pool name -> load, in the caller's unit.
    down
        Names of pools that take nothing.
    """

    spill_at: float | None = None
    load: Mapping[str, float] = field(default_factory=dict)
    down: frozenset[str] = frozenset()

    @property
    def calm(self) -> bool:
        """True when no pool is down or overloaded."""
        return not self.down and not any(map(self.is_loaded, self.load))

    def is_loaded(self, name: str) -> bool:
        """Say whether requests should go elsewhere if they can."""
        return self.spill_at is not None and self.load.get(name, 0.0) >= self.spill_at


#: Nothing is known against any pool.
CALM = Conditions()


@dataclass(frozen=True, slots=True)
class PoolSnapshot:
    """What a stream is placed by, from its first byte to its last.

    Attributes
    ----------
    stress
        The conditions, None while all is calm.
    largest_ratio
        The largest bytes per token that any category may be planned with.
    """

    ratios: Ratios
    stress: Conditions | None
    largest_ratio: float
