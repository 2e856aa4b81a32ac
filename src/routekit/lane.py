"""Threads of an event loop's own: a bounded number of jobs at a time, the others wait in order.

Unlike `concurrent.futures`, a job that never ends holds up neither the rest for good nor the process at its exit.
All bookkeeping happens on the event loop, so there are no locks.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeAlias, TypeVar
from weakref import finalize

from routekit.errors import UsageError

T = TypeVar("T")

#: Jobs that may be left behind before the lane waits for them: each holds a thread.
MAX_LEFT_BEHIND = 64

CLOSED = "the AsyncRouter was closed before this request was judged"

_Inbox: TypeAlias = "SimpleQueue[Callable[[], None] | None]"


class Job(Generic[T]):
    """One job of a lane.

    Attributes
    ----------
    future
        Its result; cancelling it stops the waiting, and the job if it has not begun.
    """

    __slots__ = ("context", "counted", "future", "prepare", "timer")

    def __init__(self, prepare: Callable[[Job[T]], Callable[[], T] | None]) -> None:
        self.prepare = prepare
        self.future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.context: Context = copy_context()
        self.counted = False
        self.timer: asyncio.TimerHandle | None = None


class Lane:
    """Runs jobs on at most `n_jobs` daemon threads, which start when they are needed. Belongs to one event loop.

    Parameters
    ----------
    patience_seconds
        A job that takes longer no longer counts: the next one begins beside it. None waits for ever.
    """

    def __init__(self, n_jobs: int, name: str, patience_seconds: float | None = None) -> None:
        self._name = name
        self._patience = patience_seconds
        self._n_free = n_jobs
        self._n_idle = 0
        self._n_left_behind = 0
        self._waiting: deque[Job[Any]] = deque()
        self._running: set[Job[Any]] = set()
        self._inbox: _Inbox = SimpleQueue()
        self._dismiss = finalize(self, self._inbox.put, None)

    @property
    def closed(self) -> bool:
        return not self._dismiss.alive

    def run(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Run `work` on a thread, in a copy of the caller's context."""
        return self.submit(lambda _: work).future

    def submit(self, prepare: Callable[[Job[T]], Callable[[], T] | None]) -> Job[T]:
        """Queue a job whose work is only made, on the event loop, when its turn has come; None for nothing to do."""
        if self.closed:
            raise UsageError(CLOSED)
        job = Job(prepare)
        self._waiting.append(job)
        self._begin()
        return job

    def leave_behind(self, job: Job[Any]) -> None:
        """Stop counting a job that nobody waits for any longer, so that the next one can begin."""
        if job.counted and self._n_left_behind < MAX_LEFT_BEHIND:
            job.counted = False
            self._n_left_behind += 1
            self._n_free += 1
            self._begin()

    def close(self) -> None:
        """Let the threads end after what they run; whoever still waits gets a UsageError."""
        for job in (*self._waiting, *self._running):
            if not job.future.done():
                job.future.set_exception(UsageError(CLOSED))
        self._waiting.clear()
        self._dismiss()

    def _begin(self) -> None:
        while self._n_free and self._waiting:
            job = self._waiting.popleft()
            if job.future.done():
                continue
            work = job.prepare(job)
            if work is None:
                job.future.cancel()
            else:
                self._start(job, work)

    def _start(self, job: Job[T], work: Callable[[], T]) -> None:
        if self._n_idle:
            self._n_idle -= 1
        else:
            Thread(target=_work, args=(self._inbox,), name=self._name, daemon=True).start()
        self._n_free -= 1
        job.counted = True
        self._running.add(job)
        if self._patience is not None:
            job.timer = job.future.get_loop().call_later(self._patience, self.leave_behind, job)
        self._inbox.put(partial(_carry_out, job, work, self._done))

    def _done(self, job: Job[T], settle: Callable[[], None]) -> None:
        self._n_idle += 1
        self._running.discard(job)
        if job.timer is not None:
            job.timer.cancel()
        if job.counted:
            self._n_free += 1
        else:
            self._n_left_behind -= 1
        if not job.future.done():
            settle()
        self._begin()


def _work(inbox: _Inbox) -> None:
    while (task := inbox.get()) is not None:
        task()
        del task
    inbox.put(None)  # for the next thread


def _carry_out(job: Job[T], work: Callable[[], T], done: Callable[[Job[T], Callable[[], None]], None]) -> None:
    settle: Callable[[], None] | None
    try:
        settle = partial(job.future.set_result, job.context.run(work))
    except BaseException as error:
        settle = partial(job.future.set_exception, error)
    with suppress(RuntimeError):  # the loop is closed: nobody waits
        job.future.get_loop().call_soon_threadsafe(done, job, settle)
    settle = None  # the error's traceback holds this frame: a cycle would keep the request until a collection
