"""One HTTP request on its way through Envoy: what the processor answers to each of its messages.

No byte of a judged request leaves before its verdict, in any body mode:

* BUFFERED: the body comes whole; the answer changes it, and the headers with it.
* STREAMED: every chunk is answered by nothing, the last one by the whole body. The headers have left by then.
* FULL_DUPLEX_STREAMED: nothing is answered until the verdict; then headers and body.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from time import monotonic

from routekit.aio import AsyncRouter, AsyncRouteStream
from routekit.decision import Decision
from routekit.error_body import ErrorAnswer
from routekit.errors import Blocked, BodyTooLarge, ConfigError, MalformedBody, Overloaded, UnsupportedBody
from routekit.integrations import extproc_messages as messages
from routekit.integrations.decision_headers import decision_headers
from routekit.integrations.extproc_messages import BODY_MODES, Message
from routekit.integrations.pool_table import GatewayPools
from routekit.request import Dialect
from routekit.request_path import GuardedPaths
from routekit.response_usage import ResponseUsage

BUFFERED, STREAMED, DUPLEX = (BODY_MODES[name] for name in ("BUFFERED", "STREAMED", "FULL_DUPLEX_STREAMED"))
_UNKNOWN = ErrorAnswer(404, "This endpoint is not served here: its requests could not be judged.", "unknown_endpoint")
_log = logging.getLogger("routekit.extproc")


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """What all requests are judged by.

    Attributes
    ----------
    mode
        Body mode of the requests; None takes what Envoy says of itself.
    max_bytes
        Larger bodies are answered with 413.
    """

    router: AsyncRouter
    paths: GuardedPaths
    max_bytes: int
    pools: GatewayPools | None = None
    mode: int | None = None


class Exchange:
    """Answers the messages of one request.

    Attributes
    ----------
    awaits_body
        Whether the request's body is still to come.
    done
        Whether the client got its answer from here: Envoy wants nothing more.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        # STREAMED answers fit BUFFERED bodies too: for an Envoy that does not tell.
        self._mode = STREAMED if judge.mode is None else judge.mode
        self._response_mode = BUFFERED
        self._dialect: Dialect | None = None
        self._passes = False
        self._stream: AsyncRouteStream | None = None
        self._decision: Decision | None = None
        self._usage: ResponseUsage | None = None
        self.awaits_body = False
        self.done = False

    async def answers(self, message: Message) -> list[Message]:
        """Give what to send after a message of Envoy; a refusal for whatever goes wrong."""
        try:
            return await self._answers(message)
        except Exception as error:
            return [self.refused(error)]

    def refused(self, error: Exception) -> Message:
        """End the exchange with the answer to an error."""
        answer = ErrorAnswer.of(error, dialect=self._dialect)
        if answer.status == 500:
            _log.error("a request could not be judged: %s", type(error).__name__)
        headers = {"retry-after": "1"} if isinstance(error, Overloaded) else {}
        if isinstance(error, Blocked):
            headers |= decision_headers(error.decision)
        return self._ended(messages.refusal(answer, headers))

    async def _answers(self, message: Message) -> list[Message]:
        kind = message.WhichOneof("request")
        if message.HasField("protocol_config"):
            told = message.protocol_config
            self._mode = told.request_body_mode if self._judge.mode is None else self._judge.mode
            self._response_mode = told.response_body_mode
        if kind == "request_headers":
            return await self._on_headers(message.request_headers)
        if kind == "request_body":
            return await self._on_body(message.request_body)
        if kind == "request_trailers":
            return await self._on_trailers()
        if kind == "response_headers":
            return [self._on_response(messages.header_values(message.response_headers.headers))]
        if kind == "response_body":
            return [await self._on_response_body(message.response_body)]
        return [messages.response_trailers()] if kind == "response_trailers" else []

    async def _on_headers(self, message: Message) -> list[Message]:
        headers = messages.header_values(message.headers)
        if not {":method", ":path"} <= headers.keys():
            raise ConfigError("a request came without :method and :path: forward_rules must let them through")
        # What is upgraded, to a websocket say, carries prompts that nobody here reads.
        upgraded = not headers.keys().isdisjoint(("upgrade", ":protocol"))
        verdict = self._judge.paths.verdict("POST" if upgraded else headers[":method"], headers[":path"])
        if verdict == "refuse" or (upgraded and verdict != "pass"):
            return [self._ended(messages.refusal(_UNKNOWN, {}))]
        if verdict == "pass":
            self._passes = True
            return [messages.request_headers(messages.header_change({}))]
        self._dialect = verdict
        self._check(headers)
        known = {name: value for name, value in headers.items() if name[:1] != ":"}
        self._stream = self._judge.router.open(metadata=known, dialect=verdict, now=monotonic())
        if message.end_of_stream:
            raise MalformedBody("the body is empty; send a JSON object")
        self.awaits_body = True
        if self._mode == DUPLEX:
            return []
        dropped = ["content-length"] if self._mode == STREAMED else []
        return [messages.request_headers(messages.header_change({}, dropped))]

    def _check(self, headers: dict[str, str]) -> None:
        if self._mode not in (BUFFERED, STREAMED, DUPLEX):
            raise ConfigError("request_body_mode must be BUFFERED, STREAMED or FULL_DUPLEX_STREAMED")
        if any(part.strip() not in ("", "identity") for part in headers.get("content-encoding", "").lower().split(",")):
            raise UnsupportedBody("the body is compressed; send it with content-encoding identity")
        length = headers.get("content-length", "")[:20]
        if length.isdecimal() and int(length) > self._judge.max_bytes:
            raise BodyTooLarge(f"the body has {length} bytes; allowed: {self._judge.max_bytes}; send less")

    async def _on_body(self, part: Message) -> list[Message]:
        if self._passes:
            duplex = self._mode == DUPLEX
            return [messages.duplex_body(part.body, end=part.end_of_stream) if duplex else messages.request_body(None)]
        if self._stream is None:
            raise ConfigError("a body came without headers: request_header_mode must be SEND")
        decision = await self._stream.feed(part.body)
        if decision is not None:
            decision.raise_if_blocked()
        if part.end_of_stream or self._mode == BUFFERED:
            return await self._forwarded(self._stream, ends=True)
        return [] if self._mode == DUPLEX else [messages.request_body(b"")]

    async def _on_trailers(self) -> list[Message]:
        if self._stream is None or not self.awaits_body:
            return [messages.request_trailers()]
        if self._mode != DUPLEX:
            raise UnsupportedBody("a streamed body with trailers cannot be judged; send it without trailers")
        return [*await self._forwarded(self._stream, ends=False), messages.request_trailers()]

    async def _forwarded(self, stream: AsyncRouteStream, *, ends: bool) -> list[Message]:
        """Decide, and send what passes on its way."""
        self._decision = await stream.finish()
        self._decision.raise_if_blocked()
        views = await stream.rewrite(self._decision)
        self.awaits_body = False
        told = decision_headers(self._decision)
        if self._mode == BUFFERED:
            told["content-length"] = str(sum(map(len, views)))
        if self._mode != DUPLEX:
            return [messages.request_body(b"".join(views), messages.header_change(told))]
        change = messages.header_change(told, ["content-length"])
        return [messages.request_headers(change, reroute=True), *messages.request_parts(views, ends=ends)]

    def _on_response(self, headers: dict[str, str]) -> Message:
        decision = self._decision
        if decision is None:
            return messages.response_headers({})
        learns = self._judge.pools is not None and decision.trace.budget is not None
        if learns and headers.get(":status") == "200" and "content-encoding" not in headers:
            self._usage = ResponseUsage(headers.get("content-type", ""))
        return messages.response_headers(decision_headers(decision))

    async def _on_response_body(self, part: Message) -> Message:
        if self._usage is not None:
            self._usage.feed(part.body)
            if part.end_of_stream:
                await self._learn(self._usage)
        return messages.response_body(part, duplex=self._response_mode == DUPLEX)

    async def _learn(self, usage: ResponseUsage) -> None:
        pools, decision, counted = self._judge.pools, self._decision, usage.usage()
        if pools is None or decision is None or counted is None:
            return
        try:
            if pools.learn(decision, counted, now=monotonic()):
                await asyncio.to_thread(pools.save)
        except Exception as error:  # the model has answered: nothing that goes wrong here concerns the client
            _log.warning("learning from usage failed with %s", type(error).__name__)

    def _ended(self, message: Message) -> Message:
        self.done, self.awaits_body = True, False
        return message
