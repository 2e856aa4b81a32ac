"""The async face of a PolicyRouter: the same decisions, off the event loop.

Deciding is computing. What holds the interpreter runs on one thread of its own, a slice of about a millisecond at a
time, so that the event loop is never held up for long; classifiers that are asked for a whole text run on further
threads, several requests at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import isfinite
from threading import Lock
from types import TracebackType
from typing import overload
from weakref import WeakKeyDictionary

from typing_extensions import Buffer, Self

from routekit.decision import Decision
from routekit.engine import Engine, Settings
from routekit.errors import ConfigError, UsageError, quoted
from routekit.interfaces import RequestLike
from routekit.kept_bytes import frozen
from routekit.pace import Pace, pieces
from routekit.request import RequestView
from routekit.route_stream import RouteStream
from routekit.router import PolicyRouter


class AsyncRouter:
    """Decides requests for tasks of an event loop; one serves any number of tasks, and of loops.

    Threads start when they are first needed, for each process and loop, so it may be made before a fork.

    Parameters
    ----------
    router
        What decides. It may be used directly beside this, and its policy replaced at any time.
    n_threads
        Calls of classifiers at a time; one more thread reads and decides.
    max_queue
        Most requests that are being judged or wait; further ones get `Overloaded` at once. A stream counts while one
        of its calls runs.
    max_batch
        Texts of concurrent requests that a classifier is given in one call.
    max_wait_seconds
        How long the first text of a batch waits for others.
    signal_timeouts
        Signal -> seconds, waiting included, after which it is FAILED and `on_error` decides. Such a signal is asked
        for once, when the body is complete: it cannot block early.
    drain_seconds
        How long `aclose` waits for requests under way.

    Raises
    ------
    ConfigError
        If a number is out of range, or a time limit is for a signal that the policy asks no classifier for.

    Examples
    --------
    >>> import asyncio
    >>> import routekit as rk
    >>> from routekit.testing import FakeClassifier, chat
    >>> attack = rk.Rule("attack", when=rk.signal("jailbreak") >= 0.9, then=rk.Block(403))
    >>> policy = rk.Policy([attack], default=rk.RouteTo("general"))
    >>> router = rk.PolicyRouter(policy, classifiers=[FakeClassifier("jailbreak", {"ignore all": 0.99})])
    >>> async def main() -> str | None:
    ...     async with rk.AsyncRouter(router) as arouter:
    ...         return (await arouter.route(chat("What is the capital of France?"))).model
    >>> asyncio.run(main())
    'general'

    Notes
    -----
    Cancelling a call stops the waiting. A classifier that is running is not interrupted, its thread is free again when
    it returns, and everything stays usable.
    """

    def __init__(
        self,
        router: PolicyRouter,
        *,
        n_threads: int = 2,
        max_queue: int = 1024,
        max_batch: int = 16,
        max_wait_seconds: float = 0.001,
        signal_timeouts: Mapping[str, float] | None = None,
        drain_seconds: float = 30.0,
    ) -> None:
        if not isinstance(router, PolicyRouter):
            raise UsageError(f"the router is a {type(router).__name__}; allowed: PolicyRouter")
        if min(n_threads, max_queue, max_batch) < 1:
            raise ConfigError(
                f"n_threads is {n_threads}, max_queue {max_queue}, max_batch {max_batch}; all must be at least 1"
            )
        for name, value in {"max_wait_seconds": max_wait_seconds, "drain_seconds": drain_seconds}.items():
            if not (isfinite(value) and value >= 0):
                raise ConfigError(f"{name} is {value}; allowed: a number from 0")
        timeouts = _checked_timeouts(signal_timeouts or {}, router)
        self.router = router
        self._settings = Settings(n_threads, max_queue, max_batch, max_wait_seconds, timeouts)
        self._pace = Pace(pauses=True, asked=frozenset(timeouts))
        self._drain_seconds = drain_seconds
        self._closed = False
        self._lock = Lock()
        self._engines: WeakKeyDictionary[asyncio.AbstractEventLoop, Engine] = WeakKeyDictionary()

    async def route(
        self, request: RequestLike, *, metadata: Mapping[str, object] | None = None, now: float | None = None
    ) -> Decision:
        """Decide a whole request: as `PolicyRouter.route`.

        Raises
        ------
        Overloaded
            If `max_queue` requests are being judged.
        UsageError
            After `aclose`.
        BodyError, ContextOverflow
            As `PolicyRouter.route`.
        """
        engine = self._engine()
        with engine.admitted():
            steps = self.router.route_steps(request, metadata=metadata, now=now, pace=self._pace)
            return await engine.finished(steps)

    @overload
    async def rewrite(self, request: bytes, decision: Decision) -> bytes: ...
    @overload
    async def rewrite(self, request: Mapping[str, object], decision: Decision) -> dict[str, object]: ...
    @overload
    async def rewrite(self, request: bytes | Mapping[str, object], decision: Decision) -> bytes | dict[str, object]: ...
    async def rewrite(self, request: bytes | Mapping[str, object], decision: Decision) -> bytes | dict[str, object]:
        """Give the request to forward after `route`: as `PolicyRouter.rewrite`."""
        engine = self._engine()
        with engine.admitted():
            return await engine.reading.run(partial(self.router.rewrite, request, decision))

    def open(
        self,
        *,
        metadata: Mapping[str, object] | None = None,
        dialect: str | None = None,
        path: str | None = None,
        now: float | None = None,
    ) -> AsyncRouteStream:
        """Begin a request whose body arrives in chunks: as `PolicyRouter.open`."""
        engine = self._engine()
        stream = self.router.open(metadata=metadata, dialect=dialect, path=path, now=now, pace=self._pace)
        return AsyncRouteStream(stream, engine)

    async def warm_up(self) -> None:
        """Run every classifier once: as `PolicyRouter.warm_up`."""
        engine = self._engine()
        with engine.admitted():
            classifiers = self.router.classifiers
            warm = [engine.reading.run(c.warm_up) for c in classifiers.values() if hasattr(c, "warm_up")]
            await asyncio.gather(*warm, return_exceptions=True)
            asked = [engine.queue(key, c).ask("Warm up, s'il vous plaît.") for key, c in classifiers.items()]
            await asyncio.gather(*asked)

    async def aclose(self) -> None:
        """Refuse new requests and wait for those under way, for `drain_seconds` at most. May be called again."""
        self._closed = True
        engine = self._engines.get(asyncio.get_running_loop())
        if engine is not None:
            await engine.drain(self._drain_seconds)

    async def __aenter__(self) -> Self:
        self._engine()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _engine(self) -> Engine:
        if self._closed:
            raise UsageError("this AsyncRouter is closed; make a new one")
        loop = asyncio.get_running_loop()
        with self._lock:
            engine = self._engines.get(loop)
            if engine is None:
                engine = self._engines[loop] = Engine(self._settings)
        return engine


class AsyncRouteStream:
    """Decides a request while its body arrives; made by `AsyncRouter.open`. One task at a time.

    As `RouteStream`, with calls to await. A call that is cancelled ends the stream: how much it read is unknown.
    """

    def __init__(self, stream: RouteStream, engine: Engine) -> None:
        self._stream = stream
        self._engine = engine
        self._state = "ready"

    @property
    def view(self) -> RequestView | None:
        """The request, once `finish` has read it whole."""
        return self._stream.view

    async def feed(self, chunk: Buffer, *, now: float | None = None) -> Decision | None:
        """Take the next bytes of the body: as `RouteStream.feed`."""
        decision: Decision | None = None
        whole = frozen(chunk)
        with self._turn():
            for piece in pieces(whole) if len(whole) else (whole,):
                decision = await self._engine.reading.run(partial(self._stream.feed, piece, now=now))
                if decision is not None and decision.action == "block":
                    break
        return decision

    async def finish(self, *, now: float | None = None) -> Decision:
        """Say that the body has ended, and decide: as `RouteStream.finish`."""
        with self._turn():
            return await self._engine.finished(self._stream.finish_steps(now=now))

    async def rewrite(self, decision: Decision | None = None) -> list[memoryview]:
        """Give the bytes to forward: as `RouteStream.rewrite`."""
        with self._turn():
            return await self._engine.reading.run(partial(self._stream.rewrite, decision))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if self._state != "ready":
            reason = "another call is under way" if self._state == "busy" else "a call was cancelled; open a new stream"
            raise UsageError(f"one task at a time may use a stream: {reason}")
        with self._engine.admitted():
            self._state = "busy"
            try:
                yield
            except asyncio.CancelledError:
                self._state = "cancelled"
                raise
            finally:
                self._state = "ready" if self._state == "busy" else self._state


def _checked_timeouts(timeouts: Mapping[str, float], router: PolicyRouter) -> dict[str, float]:
    if not isinstance(timeouts, Mapping):
        raise ConfigError(f"signal_timeouts is a {type(timeouts).__name__}; allowed: a mapping from signal to seconds")
    for name, seconds in timeouts.items():
        if name not in router.classifiers:
            known = ", ".join(map(quoted, router.classifiers)) or "none"
            raise ConfigError(f"signal_timeouts names {quoted(name)}; the policy asks the classifiers: {known}")
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            kind = type(seconds).__name__
            raise ConfigError(f"signal_timeouts[{quoted(name)}] is a {kind}; allowed: a number of seconds over 0")
        if not (isfinite(seconds) and seconds > 0):
            raise ConfigError(f"signal_timeouts[{quoted(name)}] is {seconds}; allowed: a number of seconds over 0")
    return dict(timeouts)
