"""Rows of several evaluations as those of one, in order, without holding them."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from routekit.errors import UsageError, plain
from routekit.evaluate.row import Entry


@dataclass(frozen=True, slots=True, eq=False)
class MergedEntries:
    """Rows ordered by log and line. Merging is associative and commutative, as sets are."""

    parts: tuple[Iterable[Entry], ...]

    @classmethod
    def of(cls, parts: Sequence[Iterable[Entry]]) -> MergedEntries:
        """Join parts, each of which is in order.

        Raises
        ------
        UsageError
            If two rows have the same log and line.
        """
        flat = [inner for part in parts for inner in (part.parts if isinstance(part, MergedEntries) else (part,))]
        merged = cls(tuple(flat))
        last = None
        for entry in merged:
            if entry.key == last:
                raise UsageError(
                    f"{plain(entry.source)}, line {entry.line} is in two of the evaluations; name different logs "
                    "differently, by evaluate(..., source=...)"
                )
            last = entry.key
        return merged

    def __iter__(self) -> Iterator[Entry]:
        return heapq.merge(*self.parts, key=lambda entry: entry.key)
