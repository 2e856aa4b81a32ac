"""An app, a client and a guarded router, for tests that drive the ASGI middleware message by message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import routekit as rk
from routekit.integrations.asgi import RoutekitMiddleware
from routekit.testing import FakeClassifier, chunked

CHAT, MESSAGES = "/v1/chat/completions", "/v1/messages"
ATTACK = rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403))
GOLD = rk.Rule("gold", rk.header("x-tier") == "gold", rk.RouteTo("large"))
POLICY = rk.Policy([ATTACK, GOLD], rk.RouteTo("general"))


class App:
    """Answers what it got; `asked` holds the scope and the body of each request."""

    def __init__(self, answer: bytes = b"{}", content_type: bytes = b"application/json", size: int = 10**9) -> None:
        self.asked: list[tuple[MutableMapping[str, Any], bytes]] = []
        self.last: Mapping[str, Any] = {}
        self._answer, self._type, self._size = answer, content_type, size

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            assert message["type"] == "http.request"
            body += message["body"]
            more = message.get("more_body", False)
        self.asked.append((scope, body))
        self.last = await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", self._type)]})
        for part in chunked(self._answer, self._size):
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body"})


class Exchange:
    """One request: its chunks, then silence or a disconnect; what was sent back."""

    def __init__(self, chunks: Iterable[bytes], *, ends: bool = True, then_gone: bool = True) -> None:
        self.unread = list(chunks)
        self._ends, self._gone = ends, then_gone
        self.n_read = 0
        self.sent: list[Mapping[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        if self.unread:
            self.n_read += 1
            chunk = self.unread.pop(0)
            return {"type": "http.request", "body": chunk, "more_body": bool(self.unread) or not self._ends}
        if not self._gone:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Mapping[str, Any]) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}

    @property
    def body(self) -> bytes:
        assert not self.sent[-1].get("more_body", False)
        body = b"".join(message.get("body", b"") for message in self.sent[1:])
        assert int(self.headers.get("content-length", len(body))) == len(body)
        return body


def scope_of(path: str = CHAT, method: str = "POST", **headers: str) -> dict[str, Any]:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "method": method, "path": path, "headers": raw, "http_version": "1.1", "state": {"n": 1}}


def router() -> rk.PolicyRouter:
    return rk.PolicyRouter(POLICY, classifiers=[FakeClassifier("jailbreak", {"ignore all": 0.97}, incremental=True)])


@asynccontextmanager
async def guarded(app: Any, **options: Any) -> AsyncIterator[RoutekitMiddleware]:
    async with rk.AsyncRouter(options.pop("router", None) or router()) as arouter:
        yield RoutekitMiddleware(app, arouter, **options)
