"""Rows of several evaluations as those of one, in order, without holding them."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from routekit.errors import UsageError, plain
from routekit.evaluate.row import Entry


@dataclass(frozen=True, slots=True, eq=False)
class MergedEntries:
    """Rows ordered by log and line. Merging is associative and commutative, as the union of sets is.

    Attributes
    ----------
    parts
        Each in order, and not empty; by their first rows. A part is opened when its first row is due, so that
        thousands of shards in files need one open file at a time.
    """

    parts: tuple[Iterable[Entry], ...]

    @classmethod
    def of(cls, parts: Sequence[Iterable[Entry]]) -> MergedEntries:
        """Join parts, each of which is in order.

        Raises
        ------
        UsageError
            If two rows have the same log and line, or those of a part are not in order.
        """
        flat = [inner for part in parts for inner in (part.parts if isinstance(part, MergedEntries) else (part,))]
        known = [(first.key, i) for i, part in enumerate(flat) if (first := _first(part)) is not None]
        merged = cls(tuple(flat[i] for _, i in sorted(known)))
        last = None
        for entry in merged:
            if entry.key == last:
                raise UsageError(
                    f"{plain(entry.source)}, line {entry.line} is in two of the evaluations; name different logs "
                    "differently, by evaluate(..., source=...)"
                )
            if last is not None and entry.key < last:
                raise UsageError(
                    f"{plain(entry.source)}, line {entry.line} comes after {plain(last[0])}, line {last[1]}; allowed: "
                    "rows in the order of logs and lines: evaluate logs in the order of their names"
                )
            last = entry.key
        return merged

    def __iter__(self) -> Iterator[Entry]:
        due: list[tuple[tuple[str, int], int, Entry, Iterator[Entry]]] = []
        for i, part in enumerate(self.parts):
            entries = iter(part)
            first = next(entries)
            while due and due[0][0] < first.key:
                yield _taken(due)
            heapq.heappush(due, (first.key, i, first, entries))
        while due:
            yield _taken(due)


def _taken(due: list[tuple[tuple[str, int], int, Entry, Iterator[Entry]]]) -> Entry:
    """Take the entry that comes first, and put the next of its part in its place."""
    _, i, entry, entries = due[0]
    following = next(entries, None)
    if following is None:
        heapq.heappop(due)
    else:
        heapq.heapreplace(due, (following.key, i, following, entries))
    return entry


def _first(part: Iterable[Entry]) -> Entry | None:
    return next(iter(part), None)
