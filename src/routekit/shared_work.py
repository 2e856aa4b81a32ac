"""Work that several classifiers need on one request, done once: tokenizing and compressing the same text.

Sharing has a scope, opened by whoever runs the classifiers; nothing of a request outlives it.

>>> with sharing_work():
...     first = once("key", lambda: object())
...     assert once("key", lambda: object()) is first
>>> assert once("key", lambda: object()) is not first
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any, TypeVar, cast

T = TypeVar("T")


class _Results:
    """Results by key; whoever asks first computes, whoever asks meanwhile waits."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._futures: dict[Hashable, Future[Any]] = {}

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        with self._lock:
            future = self._futures.get(key)
            mine = future is None
            if future is None:
                future = self._futures[key] = Future()
        if mine:
            try:
                future.set_result(compute())
            except BaseException as error:
                future.set_exception(error)
        return cast("T", future.result())


_CURRENT: ContextVar[_Results | None] = ContextVar("routekit_shared_work", default=None)


@contextmanager
def sharing_work() -> Iterator[None]:
    """Share work among the classifiers called inside, in this context and in threads that run a copy of it.

    Inside another scope it joins that one. The texts are kept until the scope ends.
    """
    if _CURRENT.get() is not None:
        yield
        return
    token = _CURRENT.set(_Results())
    try:
        yield
    finally:
        _CURRENT.reset(token)


def once(key: Hashable, compute: Callable[[], T]) -> T:
    """Return what `compute` gives, or gave before for this key in the current scope; its error likewise."""
    results = _CURRENT.get()
    return compute() if results is None else results.get(key, compute)
