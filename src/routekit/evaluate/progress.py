"""Says how far long work has come: a bar where somebody watches, a callback where one is given, else nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar, Union

T = TypeVar("T")

#: True for a bar, False for none, None for a bar where standard error is a terminal; or a function that is told the
#: rows done, and of how many (None if nobody knows).
Progress: TypeAlias = Union[bool, Callable[[int, "int | None"], None], None]


def watched(items: Iterable[T], n_total: int | None, progress: Progress) -> Iterator[T]:
    """Hand on items, and tell about each.

    >>> seen = []
    >>> list(watched("ab", 2, lambda done, total: seen.append((done, total)))), seen
    (['a', 'b'], [(1, 2), (2, 2)])
    """
    if callable(progress):
        for n_done, item in enumerate(items, 1):
            yield item
            progress(n_done, n_total)
        return
    yield from _with_bar(items, n_total) if _wants_bar(progress) else items


def _wants_bar(progress: bool | None) -> bool:
    if progress is not None:
        return progress
    return sys.stderr is not None and sys.stderr.isatty()


def _with_bar(items: Iterable[T], n_total: int | None) -> Iterator[T]:
    try:
        from tqdm import tqdm
    except ImportError:
        return iter(items)
    return iter(tqdm(items, total=n_total, unit="request"))
