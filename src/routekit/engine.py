"""The threads and queues of one event loop: where an async router computes."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Generic, TypeVar, Union, cast
from weakref import WeakSet

from routekit.batch_queue import BatchQueue
from routekit.deliberation import Answer, Ask, Step
from routekit.errors import Overloaded, UsageError
from routekit.interfaces import Classifier
from routekit.lane import Lane
from routekit.shared_work import sharing_work

T = TypeVar("T")

#: How long one request computes before others, and the event loop, have their turn.
SLICE_SECONDS = 0.001
#: Slices that the reading thread takes at a time.
READ_AHEAD = 16
#: A slice that takes this long is stuck in somebody's code; the other requests go on without it.
STUCK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Settings:
    """Bounds of an engine; see `AsyncRouter`."""

    n_threads: int
    max_queue: int
    max_batch: int
    max_wait_seconds: float
    timeouts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Done(Generic[T]):
    value: T


class Engine:
    """The threads and queues of one event loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # One thread: the interpreter lock admits no more, and every further one makes the event loop wait longer.
        self.reading = Lane(1, "routekit-read", depth=READ_AHEAD, patience_seconds=STUCK_SECONDS)
        self._classifying = Lane(settings.n_threads, "routekit-classify")
        self._queues: dict[str, BatchQueue] = {}
        self._every_queue: WeakSet[BatchQueue] = WeakSet()  # those of classifiers that were replaced too
        self._n_active = 0
        self._closed = False
        self._drained = asyncio.Event()

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """Count a request while it is judged."""
        if self._closed:
            raise UsageError("this AsyncRouter is closed; make a new one")
        if self._n_active >= self._settings.max_queue:
            raise Overloaded(
                f"{self._n_active} requests are being judged or wait; allowed: {self._settings.max_queue} (max_queue); "
                "try again later"
            )
        self._n_active += 1
        try:
            yield
        finally:
            self._n_active -= 1
            if not self._n_active:
                self._drained.set()

    async def finished(self, steps: Generator[Step, Answer, T]) -> T:
        """Take the steps of an evaluation to its end."""
        answer: Answer | None = None
        with sharing_work():
            while True:
                step = await self.reading.run(partial(_advance, steps, answer))
                if isinstance(step, _Done):
                    return step.value
                answer = await self._answer(step) if isinstance(step, Ask) else None

    def queue(self, signal: str, classifier: Classifier) -> BatchQueue:
        """Give what waits for a classifier; another policy may bring another one of that name."""
        queue = self._queues.get(signal)
        if queue is None or queue.classifier is not classifier:
            queue = self._queues[signal] = BatchQueue(
                classifier,
                self._classifying,
                max_batch=self._settings.max_batch,
                max_wait_seconds=self._settings.max_wait_seconds,
            )
            self._every_queue.add(queue)
        return queue

    async def drain(self, seconds: float) -> None:
        """Wait until no request is under way, then let the threads go."""
        self._closed = True
        self._drained.clear()
        if self._n_active:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._drained.wait(), seconds)
        for queue in tuple(self._every_queue):
            queue.close()
        self.reading.close()
        self._classifying.close()

    async def _answer(self, ask: Ask) -> Answer:
        future = self.queue(ask.signal, ask.classifier).ask(ask.text)
        limit = self._settings.timeouts.get(ask.signal)
        if limit is None:
            return await future  # cancels it when it is cancelled itself
        try:
            done, _ = await asyncio.wait([future], timeout=limit)
            return future.result() if done else TimeoutError()
        finally:
            future.cancel()


def _advance(steps: Generator[Step, Answer, T], answer: Answer | None) -> Union[_Done[T], Step]:
    """Compute until an answer is needed or the slice is used up."""
    until = perf_counter() + SLICE_SECONDS
    while True:
        try:
            step = steps.send(cast("Answer", answer))
        except StopIteration as stop:
            return _Done(stop.value)
        answer = None
        if isinstance(step, Ask) or perf_counter() >= until:
            return step
