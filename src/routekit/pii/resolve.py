"""Choose among candidates that overlap."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from routekit.pii.scan import Candidate
from routekit.pii.table import INDIRECT


class Resolver:
    """Takes candidates as blocks are scanned and settles each cluster of overlapping ones once it is complete."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: list[Candidate] = []

    def settle(self, candidates: Iterable[Candidate], position: int) -> Iterator[Candidate]:
        """Add candidates, all those that start before `position` being known, and yield what is final."""
        cluster: list[Candidate] = []
        reach = 0
        for candidate in sorted([*self._open, *candidates]):
            if cluster and candidate.start >= reach:
                yield from choose(cluster)
                cluster = []
            cluster.append(candidate)
            reach = max(reach, candidate.end)
        is_final = reach <= position
        self._open = [] if is_final else cluster
        if is_final:
            yield from choose(cluster)


def choose(cluster: Sequence[Candidate]) -> list[Candidate]:
    """Keep disjoint candidates, best first: direct identifiers, then the likelier, the longer, the earlier row.

    Examples
    --------
    >>> card = Candidate(0, 16, 1, "CREDIT_CARD", 0.95)
    >>> choose([Candidate(0, 10, 2, "PHONE_NUMBER", 0.75), card]) == [card]
    True
    """
    if len(cluster) < 2:
        return list(cluster)
    ranked = sorted(cluster, key=lambda c: (c.label in INDIRECT, -c.probability, c.start - c.end, c.rank, c.start))
    kept: list[Candidate] = []
    for candidate in ranked:
        at = bisect_left(kept, candidate)
        before, after = kept[at - 1 : at], kept[at : at + 1]
        if all(k.end <= candidate.start for k in before) and all(candidate.end <= k.start for k in after):
            kept.insert(at, candidate)
    return kept
