"""Micro-batches: texts of concurrent requests that wait for the same classifier are classified together."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from typing import Any, TypeAlias, Union, cast

from routekit.errors import UsageError
from routekit.interfaces import Classifier
from routekit.lane import CLOSED, Job, Lane
from routekit.prediction import Prediction

#: What `classify` said about one text, or the error it raised.
Answer: TypeAlias = Union[Sequence[Prediction], BaseException]
_Future: TypeAlias = "asyncio.Future[Answer]"
#: A `classify` of somebody else's: it may answer anything.
_Classify: TypeAlias = Callable[[Sequence[str]], Any]


class BatchQueue:
    """What waits for one classifier. Belongs to one event loop.

    A batch is made up when a thread is free for it, so what comes while all are busy goes together. An awaitable
    ``classify`` runs on the event loop.

    Where nobody waits any longer for a call that goes on, its thread no longer counts, and the classifier is not called
    again until it returns: one that hangs holds up the others no more than once.

    Parameters
    ----------
    lane
        Where a ``classify`` that blocks runs.
    max_batch
        Texts in a batch.
    max_wait_seconds
        How long the first of a batch may wait for others.
    """

    def __init__(self, classifier: Classifier, lane: Lane, *, max_batch: int, max_wait_seconds: float) -> None:
        self.classifier = classifier
        self._classify: _Classify = classifier.classify
        self._lane = lane
        self._max_batch = max_batch
        self._max_wait = max_wait_seconds
        self._waiting: deque[tuple[str, _Future]] = deque()
        self._n_queued = 0  # batches that wait for a thread
        self._n_stuck = 0  # calls that nobody waits for
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[list[Answer]]] = set()

    def ask(self, text: str) -> _Future:
        """Queue a text. Cancelling the future stops the waiting; a call that has begun runs to its end."""
        loop = asyncio.get_running_loop()
        future: _Future = loop.create_future()
        while self._waiting and self._waiting[0][1].done():  # given up while the classifier hangs
            self._waiting.popleft()
        self._waiting.append((text, future))
        if len(self._waiting) >= self._max_batch or not self._max_wait:
            self._send()
        elif self._timer is None:
            self._timer = loop.call_later(self._max_wait, self._send)
        return future

    def close(self) -> None:
        """Turn away whoever waits."""
        for _, future in self._waiting:
            if not future.done():
                future.set_exception(UsageError(CLOSED))
        self._waiting.clear()
        for task in self._tasks:
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()

    def _send(self) -> None:
        """Form as many batches as the waiting texts need."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if iscoroutinefunction(self._classify):
            while self._waiting:
                self._await(*self._taken())
        elif not self._n_stuck:
            while self._n_queued * self._max_batch < len(self._waiting):
                self._n_queued += 1
                self._lane.submit(self._prepare)

    def _prepare(self, job: Job[list[Answer]]) -> Callable[[], list[Answer]] | None:
        self._n_queued -= 1
        texts, futures = ([], []) if self._n_stuck else self._taken()
        if not texts:
            return None
        _deliver_when_done(job.future, futures, partial(self._give_up, job))
        return partial(_answers, self._classify, texts, futures[0].get_loop())

    def _give_up(self, job: Job[list[Answer]]) -> None:
        self._n_stuck += 1
        job.future.add_done_callback(self._returned)
        self._lane.leave_behind(job)

    def _returned(self, _: asyncio.Future[list[Answer]]) -> None:
        self._n_stuck -= 1
        self._send()

    def _await(self, texts: list[str], futures: list[_Future]) -> None:
        if texts:
            task = asyncio.get_running_loop().create_task(_awaited_answers(self._classify, texts))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            _deliver_when_done(task, futures, task.cancel)

    def _taken(self) -> tuple[list[str], list[_Future]]:
        texts: list[str] = []
        futures: list[_Future] = []
        while self._waiting and len(texts) < self._max_batch:
            text, future = self._waiting.popleft()
            if not future.done():
                texts.append(text)
                futures.append(future)
        return texts, futures


def _deliver_when_done(
    call: asyncio.Future[list[Answer]], futures: Sequence[_Future], give_up: Callable[[], object]
) -> None:
    """Hand the answers of a call to those who wait for them; give the call up when nobody does any more."""

    def left(future: _Future) -> None:
        if future.cancelled() and not call.done() and all(other.cancelled() for other in futures):
            give_up()

    for future in futures:
        future.add_done_callback(left)
    call.add_done_callback(partial(_deliver, futures))


def _deliver(futures: Sequence[_Future], call: asyncio.Future[list[Answer]]) -> None:
    error = asyncio.CancelledError() if call.cancelled() else call.exception()
    answers = call.result() if error is None else [error] * len(futures)
    for future, answer in zip(futures, answers, strict=True):
        if not future.done():
            future.set_result(answer)


def _answers(classify: _Classify, texts: Sequence[str], loop: asyncio.AbstractEventLoop) -> list[Answer]:
    """Classify in one call; where that fails, one by one: no request may fail for what stands in another."""

    def call(some: Sequence[str]) -> object:
        try:
            got = classify(some)
            return asyncio.run_coroutine_threadsafe(_result(got), loop).result() if isawaitable(got) else got
        except Exception as error:
            return error

    return _one_each(call(texts), len(texts)) or [cast("Answer", call([text])) for text in texts]


async def _awaited_answers(classify: _Classify, texts: Sequence[str]) -> list[Answer]:
    async def call(some: Sequence[str]) -> object:
        try:
            return await classify(some)
        except Exception as error:
            return error

    return _one_each(await call(texts), len(texts)) or [cast("Answer", await call([text])) for text in texts]


def _one_each(got: object, n_texts: int) -> list[Answer] | None:
    """Split what a classifier said about several texts; None if it is not as many predictions."""
    if n_texts == 1:
        return [cast("Answer", got)]
    return [[prediction] for prediction in got] if isinstance(got, list) and len(got) == n_texts else None


async def _result(got: Awaitable[object]) -> object:
    return await got
