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
from time import perf_counter, sleep
from typing import Any, Generic, TypeAlias, TypeVar
from weakref import finalize

from routekit.errors import UsageError

T = TypeVar("T")

#: Jobs that may be left behind before the lane waits for them: each holds a thread.
MAX_LEFT_BEHIND = 64
#: After so much work a thread rests for a moment. The interpreter lock would go back and forth every 5 ms only, and not
#: to the event loop first; a thread that sleeps leaves it to whoever waits.
WORK_SECONDS = 0.001
REST_SECONDS = 0.00005
CLOSED = "the AsyncRouter was closed before this request was judged"

_Task: TypeAlias = Callable[[], None]
#: What threads take from: a task, True for one of them to end, None for all.
_Inbox: TypeAlias = "SimpleQueue[_Task | bool | None]"


class Job(Generic[T]):
    """One job of a lane.

    Attributes
    ----------
    future
        Its result; cancelling it stops the waiting, and the job if it has not begun.
    """

    __slots__ = ("begun", "context", "counted", "future", "prepare", "timer")

    def __init__(self, prepare: Callable[[Job[T]], Callable[[], T] | None]) -> None:
        self.prepare = prepare
        self.future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.context: Context = copy_context()
        self.begun = False
        self.counted = False
        self.timer: asyncio.TimerHandle | None = None


class Lane:
    """Runs jobs on at most `n_threads` daemon threads, which start when they are needed. Belongs to one event loop.

    Parameters
    ----------
    depth
        Jobs handed to each thread at a time. With several, a thread goes from one to the next without waiting for the
        event loop, and results come back together: a third of the cost for short jobs.
    patience_seconds
        A job that takes longer no longer counts: another thread goes on with the next. None waits for ever.
    """

    def __init__(self, n_threads: int, name: str, *, depth: int = 1, patience_seconds: float | None = None) -> None:
        self._n_threads = n_threads
        self._name = name
        self._depth = depth
        self._patience = patience_seconds
        self._n_alive = 0
        self._n_handed = 0  # jobs that threads have, without those left behind
        self._n_left_behind = 0
        self._waiting: deque[Job[Any]] = deque()
        self._running: set[Job[Any]] = set()
        self._inbox: _Inbox = SimpleQueue()
        self._finished: deque[tuple[Job[Any], Callable[[], None]]] = deque()
        self._told = False  # whether the event loop knows of what is finished
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
        while self._waiting and self._waiting[0].future.done():  # given up while all threads are stuck
            self._waiting.popleft()
        job = Job(prepare)
        self._waiting.append(job)
        self._begin()
        return job

    def leave_behind(self, job: Job[Any]) -> None:
        """Stop counting a job that nobody waits for any longer, so that the next one can begin."""
        if job.counted and self._n_left_behind < MAX_LEFT_BEHIND:
            job.counted = False
            self._n_left_behind += 1
            self._n_handed -= 1
            self._begin()

    def close(self) -> None:
        """Let the threads end after what they run; whoever still waits gets a UsageError."""
        for job in (*self._waiting, *self._running):
            if not job.future.done():
                job.future.set_exception(UsageError(CLOSED))
        self._waiting.clear()
        self._dismiss()

    def _begin(self) -> None:
        while self._waiting and self._n_handed < self._n_threads * self._depth:
            job = self._waiting.popleft()
            if job.future.done():
                continue
            work = job.prepare(job)
            if work is None:
                job.future.cancel()
            else:
                self._hand_over(job, work)
        if self._n_alive < min(self._n_threads, self._n_handed) + self._n_left_behind:
            Thread(target=_work, args=(self._inbox,), name=self._name, daemon=True).start()
            self._n_alive += 1

    def _hand_over(self, job: Job[T], work: Callable[[], T]) -> None:
        self._n_handed += 1
        job.counted = True
        self._running.add(job)
        self._watch(job)
        self._inbox.put(partial(_carry_out, job, work, self._finish))

    def _watch(self, job: Job[Any]) -> None:
        if self._patience is not None:
            job.timer = job.future.get_loop().call_later(self._patience, self._lose_patience, job)

    def _lose_patience(self, job: Job[Any]) -> None:
        if job.begun:
            self.leave_behind(job)
        else:
            self._watch(job)

    def _finish(self, job: Job[Any], settle: Callable[[], None]) -> None:
        """Tell the event loop, from a thread; once for all that finish before it looks."""
        self._finished.append((job, settle))
        if not self._told:
            self._told = True
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                job.future.get_loop().call_soon_threadsafe(self._collect)

    def _collect(self) -> None:
        self._told = False
        while self._finished:
            self._settle(*self._finished.popleft())
        self._begin()

    def _settle(self, job: Job[Any], settle: Callable[[], None]) -> None:
        self._running.discard(job)
        if job.timer is not None:
            job.timer.cancel()
        if job.counted:
            self._n_handed -= 1
        else:  # its thread was replaced: there is one too many
            self._n_left_behind -= 1
            self._n_alive -= 1
            self._inbox.put(True)
        if not job.future.done():
            settle()


def _work(inbox: _Inbox) -> None:
    worked = 0.0
    while callable(task := inbox.get()):
        begun = perf_counter()
        task()
        del task
        worked += perf_counter() - begun
        if worked >= WORK_SECONDS:
            worked = 0.0
            sleep(REST_SECONDS)
    if task is None:
        inbox.put(None)  # for the next thread


def _carry_out(job: Job[T], work: Callable[[], T], finish: Callable[[Job[T], Callable[[], None]], None]) -> None:
    job.begun = True
    try:
        settle = partial(job.future.set_result, job.context.run(work))
    except BaseException as error:
        settle = partial(job.future.set_exception, error)
    finish(job, settle)
    # The error's traceback holds this frame, and would in a cycle keep the request until a collection.
    del job, work, settle
