"""How long decisions took."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

#: Percentiles that a report gives.
PERCENTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds from the whole body to its decision: ``mean``, ``p50``, ``p95``, ``p99``, ``max``.

    Measured in this process, beside whatever else it does: with several workers threads wait for each other, and
    `wall` says so while `cpu` does not. Threads of an encoder's runtime are not in `cpu`.

    Attributes
    ----------
    n
        Requests that were timed; 0 for a replay, whose mappings are empty.
    """

    n: int
    wall: Mapping[str, float]
    cpu: Mapping[str, float]

    @classmethod
    def of(cls, wall: Sequence[float], cpu: Sequence[float]) -> Latency:
        """Sum up.

        >>> Latency.of([0.1, 0.2, 0.3], [0.1, 0.1, 0.1]).wall["p50"]
        0.2
        """
        return cls(len(wall), _summary(wall), _summary(cpu))

    def to_dict(self) -> dict[str, object]:
        """Give everything JSON-ready."""
        return {"n": self.n, "wall_seconds": dict(self.wall), "cpu_seconds": dict(self.cpu)}


def _summary(seconds: Sequence[float]) -> dict[str, float]:
    if not len(seconds):
        return {}
    values = np.frombuffer(array("d", seconds), np.float64)
    percentiles = np.percentile(values, PERCENTILES).tolist()
    named = {f"p{percent}": value for percent, value in zip(PERCENTILES, percentiles, strict=True)}
    return {"mean": float(values.mean()), **named, "max": float(values.max())}
