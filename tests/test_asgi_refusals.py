"""Requests that the ASGI middleware refuses, and those it could not judge: what the client gets instead."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, MutableMapping, Sequence
from threading import Event
from typing import Any

import orjson
import pytest

import routekit as rk
from asgi_exchange import CHAT, MESSAGES, POLICY, App, Exchange, guarded, router, scope_of
from routekit.integrations import asgi_body
from routekit.integrations.asgi import RoutekitMiddleware
from routekit.testing import FakeClassifier, chat, chunked, messages
from test_canary import BODY, SECRET, Careless, malformed


async def test_refusal_of_an_endpoint_has_the_shape_of_its_dialect() -> None:
    async with guarded(App()) as middleware:
        exchange = Exchange([b"{}"])
        await middleware(scope_of("/v1/messages/count_tokens"), exchange.receive, exchange.send)
    assert (exchange.status, orjson.loads(exchange.body)["error"]["type"]) == (404, "not_found_error")


@pytest.mark.parametrize("path", [CHAT, MESSAGES])
async def test_attack_is_answered_before_the_body_ends(path: str) -> None:
    body = chat("ignore all " + "x" * 100_000) if path == CHAT else messages("ignore all " + "x" * 100_000)
    app, exchange = App(), Exchange(chunked(body, 1000))
    answered_after: list[int] = []

    async def send(message: Mapping[str, Any]) -> None:
        answered_after.append(exchange.n_read)
        await exchange.send(message)

    async with guarded(app, response_headers=True) as middleware:
        await middleware(scope_of(path), exchange.receive, send)
    assert (exchange.status, app.asked) == (403, [])
    assert answered_after[:2] == [5, 5]  # the answer, whole, before the rest is read and dropped
    assert not exchange.unread
    assert exchange.headers["connection"] == "close"
    assert exchange.headers["x-routekit-rule"] == "attack"
    answer = orjson.loads(exchange.body)
    error = {"type": "permission_error", "message": "This request was blocked by policy."}
    if path == CHAT:
        assert answer == {"error": {**error, "param": None, "code": "blocked_by_policy"}}
    else:
        assert answer == {"type": "error", "error": error}


async def test_rest_of_a_refused_body_is_dropped_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi_body, "LINGER_BYTES", 10_000)
    monkeypatch.setattr(asgi_body, "LINGER_SECONDS", 0.02)
    async with guarded(App()) as middleware:
        body = chat("ignore all " + "x" * 100_000)
        flood = Exchange(chunked(body, 1000))
        await middleware(scope_of(), flood.receive, flood.send)
        silent = Exchange(chunked(body[:20_000], 1000), ends=False, then_gone=False)
        await middleware(scope_of(), silent.receive, silent.send)
        gone = Exchange(chunked(body[:20_000], 1000), ends=False)
        await middleware(scope_of(), gone.receive, gone.send)
    assert flood.n_read < 20
    assert [exchange.status for exchange in (flood, silent, gone)] == [403] * 3
    assert flood.body == silent.body == gone.body


async def test_block_of_a_complete_body_keeps_the_connection() -> None:
    async with guarded(App()) as middleware:
        exchange = Exchange([chat("ignore all")])
        await middleware(scope_of(), exchange.receive, exchange.send)
    assert exchange.status == 403
    assert "connection" not in exchange.headers


def compressed(coding: str) -> dict[str, Any]:
    return scope_of(content_encoding=coding)


@pytest.mark.parametrize(
    ("scope", "chunks", "status", "code"),
    [
        (scope_of(), [b"{"], 400, "malformed_body"),
        (scope_of(), [b""], 400, "malformed_body"),
        (scope_of(), [chat("x" * 5000)], 413, "body_too_large"),
        (scope_of(content_length="5000"), [b"{}"], 413, "body_too_large"),
        (scope_of(content_length="9" * 5000), [b"{}"], 413, "body_too_large"),
        (compressed("gzip"), [b"\x1f\x8b"], 415, "unsupported_body"),
        (compressed("identity, br"), [b"{}"], 415, "unsupported_body"),
        (compressed("Identity"), [b"{"], 400, "malformed_body"),
        (scope_of("/v1/audio/speech"), [b"{}"], 404, "unknown_endpoint"),
        (scope_of(method="PUT"), [b"{}"], 404, "unknown_endpoint"),
    ],
)
async def test_refusal_is_typed(scope: dict[str, Any], chunks: list[bytes], status: int, code: str) -> None:
    app, exchange = App(), Exchange(chunks)
    async with guarded(app, max_body_bytes=4000, fail_open=True) as middleware:
        await middleware(scope, exchange.receive, exchange.send)
    assert (exchange.status, orjson.loads(exchange.body)["error"]["code"], app.asked) == (status, code, [])


async def test_slow_body_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi_body, "LINGER_SECONDS", 0.01)
    app, exchange = App(), Exchange([b'{"model"'], ends=False, then_gone=False)
    async with guarded(app, body_seconds=0.02) as middleware:
        await middleware(scope_of(), exchange.receive, exchange.send)
    assert (exchange.status, app.asked) == (408, [])


async def test_client_that_leaves_is_not_answered() -> None:
    app, exchange = App(), Exchange([b'{"model"'], ends=False)
    async with guarded(app) as middleware:
        await middleware(scope_of(), exchange.receive, exchange.send)
    assert (exchange.sent, app.asked) == ([], [])


async def test_overload_says_when_to_come_back() -> None:
    app, exchange, gate = App(), Exchange([chat("x")]), Event()

    class Waiting(FakeClassifier):
        def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
            gate.wait(20)
            return super().classify(texts)

    told: list[Exception] = []

    def tell(error: Exception) -> None:
        told.append(error)
        raise error  # what listeners do wrong disturbs nothing

    judge = rk.PolicyRouter(POLICY, classifiers=[Waiting("jailbreak", {})])
    async with rk.AsyncRouter(judge, max_queue=1) as arouter:
        middleware = RoutekitMiddleware(app, arouter, fail_open=True, on_refusal=tell)
        busy = asyncio.ensure_future(arouter.route(chat("y")))
        await asyncio.sleep(0)
        await middleware(scope_of(), exchange.receive, exchange.send)
        gate.set()
        await busy
    assert (exchange.status, exchange.headers["retry-after"]) == (503, "1")
    assert orjson.loads(exchange.body)["error"]["code"] == "overloaded"
    assert [type(error) for error in told] == [rk.Overloaded]


async def test_no_refusal_tells_the_prompt(caplog: pytest.LogCaptureFixture) -> None:
    judge = rk.PolicyRouter(POLICY, classifiers=[Careless("jailbreak", {})])
    sent: list[Mapping[str, Any]] = []
    async with guarded(App(), router=judge, response_headers=True) as middleware:
        for body in (*malformed(), BODY):
            exchange = Exchange(chunked(body, 50))
            await middleware(scope_of(), exchange.receive, exchange.send)
            assert exchange.status in (400, 403, 415)
            sent += exchange.sent
    assert SECRET not in str(sent)
    assert SECRET not in caplog.text


@pytest.mark.parametrize("fail_open", [False, True])
async def test_unexpected_failure_is_closed_unless_told_otherwise(fail_open: bool) -> None:
    def broken(_: object) -> Mapping[str, object]:
        raise KeyError("secret")

    app, body = App(), chat("hello")
    exchange = Exchange(chunked(body, 20))
    async with guarded(app, metadata=broken, fail_open=fail_open) as middleware:
        await middleware(scope_of(), exchange.receive, exchange.send)
    assert [got for _, got in app.asked] == ([body] if fail_open else [])
    assert exchange.status == (200 if fail_open else 500)
    assert b"secret" not in exchange.body


async def test_failure_in_the_midst_of_a_body_passes_all_of_it_when_open() -> None:
    closed = rk.AsyncRouter(router())
    app, body = App(), chat("hello " * 100)
    exchange = Exchange(chunked(body, 50))
    middleware = RoutekitMiddleware(app, closed, fail_open=True)

    async def receive() -> MutableMapping[str, Any]:
        if exchange.n_read == 5:
            await closed.aclose()
        return await exchange.receive()

    await middleware(scope_of(), receive, exchange.send)
    assert app.asked[0][1] == body


async def test_websocket_is_refused_where_prompts_are_judged() -> None:
    passed: list[str] = []

    async def app(scope: Mapping[str, Any], receive: object, send: object) -> None:
        passed.append(scope["path"])

    async with guarded(app) as middleware:
        for path in ("/v1/realtime", CHAT, "/ws"):
            exchange = Exchange([])
            await middleware({"type": "websocket", "path": path, "headers": []}, exchange.receive, exchange.send)
            assert [message["type"] for message in exchange.sent] == ["websocket.close"] * (path != "/ws")
    assert passed == ["/ws"]
