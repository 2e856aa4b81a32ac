"""The body of an ASGI request: taken within limits, replayed to the app, or refused and dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from routekit.error_body import ErrorAnswer
from routekit.errors import BodyTimeout, BodyTooLarge

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers: TypeAlias = "list[tuple[bytes, bytes]]"

#: After a refusal the rest of the body is read and dropped within these bounds: closing on a client that still writes
#: resets the connection, and the client never sees the answer.
LINGER_SECONDS = 2.0
LINGER_BYTES = 16 * 1024 * 1024


class Disconnected(Exception):
    """The client is gone: there is nobody to answer."""


class Body:
    """The body of a request as it comes, within its limits; one that `keeps` can be replayed."""

    def __init__(self, receive: Receive, max_bytes: int, seconds: float, *, keeps: bool) -> None:
        self.receive = receive
        self.complete = False
        self._keeps = keeps
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._n_bytes = 0
        self._chunks: list[bytes] = []

    async def next_chunk(self) -> bytes:
        """Wait for the next bytes."""
        message = await self._message()
        chunk: bytes = message.get("body", b"")
        self.complete = not message.get("more_body", False)
        if self._keeps:
            self._chunks.append(chunk)
        self._n_bytes += len(chunk)
        if self._n_bytes > self._max_bytes:
            raise too_large(self._n_bytes, self._max_bytes)
        return chunk

    async def _message(self) -> Message:
        left = self._deadline - asyncio.get_running_loop().time()
        try:
            message = await asyncio.wait_for(self.receive(), max(0.0, left))
        except asyncio.TimeoutError:
            raise BodyTimeout(f"the body did not arrive in {self._seconds:g} s; send it faster, or less") from None
        if message["type"] == "http.disconnect":
            raise Disconnected
        return message

    def replayed(self) -> Receive:
        """Give the body as it came, and what still comes."""
        chunks: Iterator[bytes] = iter(self._chunks)
        n_left = len(self._chunks)

        async def receive() -> Message:
            nonlocal n_left
            if not n_left:
                return await self.receive()
            n_left -= 1
            return {"type": "http.request", "body": next(chunks), "more_body": bool(n_left) or not self.complete}

        return receive


@dataclass(frozen=True, slots=True)
class Refusal:
    """Answers a request in place of the app."""

    scope: Scope
    receive: Receive
    send: Send
    complete: bool = False

    async def answer(self, error: ErrorAnswer, extra: Iterable[tuple[bytes, bytes]] = ()) -> None:
        """Send the answer at once; a body that still comes is read and dropped, within bounds, before closing."""
        body = error.to_json()
        headers: Headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            *extra,
        ]
        if not self.complete and str(self.scope.get("http_version", "1.1")).startswith("1"):
            headers.append((b"connection", b"close"))
        await self.send({"type": "http.response.start", "status": error.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body, "more_body": True})
        if not self.complete:
            await self._drop_rest()
        await self.send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _drop_rest(self) -> None:
        async def drop() -> None:
            n_bytes, more = 0, True
            while more and n_bytes < LINGER_BYTES:
                message = await self.receive()
                n_bytes += len(message.get("body", b""))
                more = message.get("more_body", False)  # a disconnect has none

        try:
            await asyncio.wait_for(drop(), LINGER_SECONDS)
        except asyncio.TimeoutError:
            return


def replay(content: Sequence[memoryview], receive: Receive) -> Receive:
    """Give the app the content; what comes after it, a disconnect, comes from the server."""
    parts = [part for part in content if len(part)] or [memoryview(b"")]
    parts.reverse()

    async def replayed() -> Message:
        if not parts:
            return await receive()
        part = bytes(parts.pop())
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    return replayed


def too_large(n_bytes: int, allowed: int) -> BodyTooLarge:
    return BodyTooLarge(f"the body has at least {n_bytes} bytes; allowed: {allowed}; send less")
