"""ASGI middleware: judges requests in front of an app (FastAPI, Starlette, LiteLLM's proxy) while their bodies arrive.

    app.add_middleware(RoutekitMiddleware, router=router)

Pure ASGI, no dependency. A block is answered as soon as it is certain, before the body ends; what passes is handed to
the app with the chosen model in place, and the decision in ``scope["routekit"]`` and ``request.state.routekit``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, Union

from routekit.aio import AsyncRouter
from routekit.body import DEFAULT_MAX_BYTES
from routekit.decision import Decision
from routekit.error_body import ErrorAnswer
from routekit.errors import Blocked, ConfigError, Overloaded, UnsupportedBody
from routekit.integrations.asgi_body import (
    App,
    Body,
    Disconnected,
    Headers,
    Message,
    Receive,
    Refusal,
    Scope,
    Send,
    replay,
    too_large,
)
from routekit.integrations.decision_headers import decision_headers
from routekit.request import Dialect
from routekit.request_path import GuardedPaths, Verdict
from routekit.response_usage import ResponseUsage
from routekit.router import PolicyRouter

#: Hears of a decision and the usage that the server reported for it, e.g. ``PoolRouter.feedback``.
Feedback: TypeAlias = Callable[[Decision, Mapping[str, object]], object]

_log = logging.getLogger("routekit.asgi")


class RoutekitMiddleware:
    """Judges the requests of an ASGI app.

    Parameters
    ----------
    app
        What answers the requests that pass.
    router
        A PolicyRouter, which gets an AsyncRouter for the lifespan of the app; or an AsyncRouter, which is its owner's
        to close.
    prefix, unjudged
        See `GuardedPaths`: POST requests under the prefix to endpoints that are not judged are refused, but for these.
    max_body_bytes
        Larger bodies are answered with 413.
    body_seconds
        A body that takes longer to arrive is answered with 408.
    fail_open
        Whether a request passes as it is when judging it fails unexpectedly. By default it is answered with 500.
        Whatever this says: bodies that are refused, blocks and overload are answered as such.
    response_headers
        Whether responses say what was decided, in ``x-routekit-*`` headers.
    metadata
        Gives what rules ask for by `header` and `metadata`, from the scope; default: the request's headers.
    feedback
        Hears of the usage in responses to requests that a `PoolRouter` placed.
    on_refusal
        Hears of errors that are answered in place of the app, e.g. ``Telemetry.refused``; blocks are decisions.

    Raises
    ------
    ConfigError
        If a limit or a path makes no sense.
    """

    def __init__(
        self,
        app: App,
        router: PolicyRouter | AsyncRouter,
        *,
        prefix: str = "/v1",
        unjudged: Iterable[str] = (),
        max_body_bytes: int = DEFAULT_MAX_BYTES,
        body_seconds: float = 60.0,
        fail_open: bool = False,
        response_headers: bool = False,
        metadata: Callable[[Scope], Mapping[str, object]] | None = None,
        feedback: Feedback | None = None,
        on_refusal: Callable[[Exception], object] | None = None,
    ) -> None:
        if max_body_bytes < 1 or not body_seconds > 0:
            raise ConfigError(
                f"max_body_bytes is {max_body_bytes}, body_seconds is {body_seconds}; both must be over 0"
            )
        self.app = app
        self._given = router
        self._own: AsyncRouter | None = None
        self._paths = GuardedPaths(prefix, unjudged)
        self._max_bytes = max_body_bytes
        self._seconds = body_seconds
        self._fail_open = fail_open
        self._tells = response_headers
        self._metadata = metadata or _headers_of
        self._feedback = feedback
        self._on_refusal = on_refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, self._with_lifespan(send))
            return
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        verdict = self._verdict(scope)
        if verdict == "pass":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "not judged"})
        elif verdict == "refuse":
            await Refusal(scope, receive, send).answer(_unknown_path(scope["path"]))
        else:
            await self._judge(scope, receive, send, verdict)

    def _verdict(self, scope: Scope) -> Verdict:
        """Take the strictest view of where the app is mounted; a websocket carries prompts that nobody here reads."""
        method, path, root = scope.get("method", "POST"), scope["path"], scope.get("root_path", "")
        views = {path, path[len(root) :] if path.startswith(root) else root + path}
        verdicts = {self._paths.verdict(method, view) for view in views} - {"pass"}
        return "refuse" if "refuse" in verdicts else next(iter(verdicts), "pass")

    async def _judge(self, scope: Scope, receive: Receive, send: Send, dialect: Dialect) -> None:
        body = Body(receive, self._max_bytes, self._seconds, keeps=self._fail_open)
        failure: Exception | None = None
        try:
            decision, content = await self._decided(scope, body, dialect)
        except Disconnected:
            return
        except Exception as error:
            failure = error.with_traceback(None)  # whose frames hold the body
        if failure is None:
            forwarded = _forwarded(scope, decision, sum(map(len, content)))
            receive = replay(content, receive)
            del body, content  # an answer may take minutes: the app alone holds the body meanwhile
            await self.app(forwarded, receive, self._listening(send, decision))
        elif self._fail_open and not hasattr(failure, "status_hint"):
            _log.error("a request passes unjudged: judging it failed with %s", type(failure).__name__)
            await self.app(scope, body.replayed(), send)
        else:
            await self._refuse(scope, send, body, failure, dialect)

    async def _decided(self, scope: Scope, body: Body, dialect: Dialect) -> tuple[Decision, Sequence[memoryview]]:
        _check_headers(scope["headers"], self._max_bytes)
        stream = self._router().open(metadata=self._metadata(scope), dialect=dialect)
        while not body.complete:
            decision = await stream.feed(await body.next_chunk())
            if decision is not None:
                decision.raise_if_blocked()
        decision = await stream.finish()
        decision.raise_if_blocked()
        return decision, await stream.rewrite(decision)

    async def _refuse(self, scope: Scope, send: Send, body: Body, error: Exception, dialect: Dialect) -> None:
        if not hasattr(error, "status_hint"):
            _log.error("judging a request failed with %s", type(error).__name__)
        if self._on_refusal is not None and not isinstance(error, Blocked):
            _tell(self._on_refusal, error)
        extra = [(b"retry-after", b"1")] if isinstance(error, Overloaded) else []
        if isinstance(error, Blocked) and self._tells:
            extra += _told(error.decision)
        refusal = Refusal(scope, body.receive, send, complete=body.complete)
        await refusal.answer(ErrorAnswer.of(error, dialect=dialect), extra)

    def _router(self) -> AsyncRouter:
        if isinstance(self._given, AsyncRouter):
            return self._given
        if self._own is None:
            self._own = AsyncRouter(self._given)
        return self._own

    def _with_lifespan(self, send: Send) -> Send:
        async def watched(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                await self._router().warm_up()
            elif message["type"].startswith("lifespan.shutdown") and self._own is not None:
                own, self._own = self._own, None
                await own.aclose()
            await send(message)

        return watched

    def _listening(self, send: Send, decision: Decision) -> Send:
        """Add headers to the response, and read the usage out of it."""
        learns = self._feedback is not None and decision.trace.budget is not None
        usage: ResponseUsage | None = None

        async def watched(message: Message) -> None:
            nonlocal usage
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                if learns and message["status"] == 200 and not _value(headers, b"content-encoding"):
                    usage = ResponseUsage(_value(headers, b"content-type").decode("latin-1"))
                if self._tells:
                    message = {**message, "headers": [*headers, *_told(decision)]}
            elif message["type"] == "http.response.body" and usage is not None:
                usage.feed(message.get("body", b""))
                found = None if message.get("more_body", False) else usage.usage()
                if found is not None and self._feedback is not None:
                    _tell(self._feedback, decision, found)
            await send(message)

        return watched if learns or self._tells else send


def _tell(listener: Callable[..., object], *what: object) -> None:
    """Call what an application gave us; what it does wrong disturbs no request."""
    try:
        listener(*what)
    except Exception as error:
        _log.warning("a listener failed with %s", type(error).__name__)


def _forwarded(scope: Scope, decision: Decision, n_bytes: int) -> Scope:
    """Copy the scope for a body of another length, with the decision; clients cannot bring our own headers."""
    dropped = (b"content-length", b"transfer-encoding")
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if name.lower() not in dropped and not name.lower().startswith(b"x-routekit-")
    ]
    headers.append((b"content-length", str(n_bytes).encode()))
    state = {**scope.get("state", {}), "routekit": decision}
    return {**scope, "headers": headers, "routekit": decision, "state": state}


def _check_headers(headers: Headers, max_bytes: int) -> None:
    coding = b",".join(value for name, value in headers if name.lower() == b"content-encoding")
    if any(part.strip().lower() not in (b"", b"identity") for part in coding.split(b",")):
        raise UnsupportedBody("the body is compressed; send it with content-encoding identity")
    length = _value(headers, b"content-length")
    if length.isdigit() and int(length[:20]) > max_bytes:
        raise too_large(int(length[:20]), max_bytes)


def _unknown_path(path: str) -> ErrorAnswer:
    dialect: Dialect | None = "anthropic-messages" if "/messages" in path else None
    message = "This endpoint is not served here: its requests could not be judged."
    return ErrorAnswer(404, message, "unknown_endpoint", dialect)


def _headers_of(scope: Scope) -> dict[str, Union[str, list[str]]]:
    headers: dict[str, Union[str, list[str]]] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        before = headers.get(key)
        headers[key] = text if before is None else [*([before] if isinstance(before, str) else before), text]
    return headers


def _told(decision: Decision) -> Headers:
    more = {"x-routekit-action": decision.action, "x-routekit-early": "true" if decision.early else "false"}
    return [(name.encode(), value.encode()) for name, value in {**decision_headers(decision), **more}.items()]


def _value(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> bytes:
    return next((value for name, value in headers if name.lower() == wanted), b"")
