"""The ASGI middleware, driven message by message: what the app gets, what the client gets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, MutableMapping, Sequence
from contextlib import asynccontextmanager
from threading import Event
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routekit as rk
from routekit.integrations import asgi_body
from routekit.integrations.asgi import RoutekitMiddleware
from routekit.pools import PoolRouter, PoolSpec
from routekit.request_path import GuardedPaths, normalised
from routekit.testing import FakeClassifier, chat, chunked, messages
from test_canary import BODY, SECRET, Careless, malformed

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


# What passes.


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 400), min_size=1, max_size=3), st.text(max_size=300), st.booleans())
def test_app_gets_the_body_with_another_model_and_its_length(sizes: list[int], text: str, known: bool) -> None:
    body = chat(text)
    app, exchange = App(), Exchange(chunked(body, sizes))
    length = {"content_length": str(len(body))} if known else {"transfer_encoding": "chunked"}

    async def main() -> None:
        async with guarded(app) as middleware:
            await middleware(scope_of(accept="a", x_routekit_model="mine", **length), exchange.receive, exchange.send)

    asyncio.run(main())
    [(scope, got)] = app.asked
    assert got == body.replace(b'"auto"', b'"general"')
    assert dict(scope["headers"]) == {b"accept": b"a", b"content-length": str(len(got)).encode()}
    assert scope["routekit"] is scope["state"]["routekit"]
    assert (scope["routekit"].model, scope["state"]["n"]) == ("general", 1)
    assert app.last == {"type": "http.disconnect"}
    assert (exchange.status, exchange.body) == (200, b"{}")


async def test_headers_of_the_request_reach_the_policy_and_the_decision_the_response() -> None:
    app = App()
    async with guarded(app, response_headers=True) as middleware:
        exchange = Exchange([chat("hello")])
        await middleware(scope_of(x_tier="gold"), exchange.receive, exchange.send)
    told = {name: value for name, value in exchange.headers.items() if name.startswith("x-routekit-")}
    assert told == {
        "x-routekit-action": "route",
        "x-routekit-model": "large",
        "x-routekit-rule": "gold",
        "x-routekit-early": "false",
    }


async def test_hostile_model_name_does_not_reach_a_header() -> None:
    keep = rk.PolicyRouter(rk.Policy([], rk.Keep()))
    async with guarded(App(), router=keep, response_headers=True) as middleware:
        exchange = Exchange([chat("x", model="a\r\nset-cookie: 1\x00ü" + "m" * 1000)])
        await middleware(scope_of(), exchange.receive, exchange.send)
    assert exchange.headers["x-routekit-model"].startswith("a%0D%0Aset-cookie: 1%00%C3%BCmmm")
    assert len(exchange.headers["x-routekit-model"]) < 300


async def test_other_requests_pass_untouched() -> None:
    app = App()
    async with guarded(app, unjudged=["/v1/files"]) as middleware:
        for method, path in [("GET", CHAT), ("POST", "/health"), ("POST", "/v1/files/1"), ("DELETE", "/v1/x")]:
            scope, exchange = scope_of(path, method), Exchange([b"any", b"thing"])
            await middleware(scope, exchange.receive, exchange.send)
            assert app.asked.pop() == (scope, b"anything")
            assert "routekit" not in scope


# What is refused.


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


@pytest.mark.parametrize(
    ("root_path", "path", "status"),
    [
        ("/api", "/api/v1/chat/completions", 400),
        ("/api", "/api/v1/audio/speech", 404),
        ("/v1", "/v1/messages", 400),
        ("/v1", "/messages", 400),
        ("/v1", "/v1/audio", 404),
        ("/v1", "/audio", 404),
    ],
)
async def test_mounted_app_is_guarded(root_path: str, path: str, status: int) -> None:
    exchange = Exchange([b"{"])
    async with guarded(App()) as middleware:
        await middleware({**scope_of(path), "root_path": root_path}, exchange.receive, exchange.send)
    assert exchange.status == status


# Paths.


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """One of the ways to write /v1/chat/completions."""
    path = ""
    for name in ("v1", "chat", "completions"):
        path += draw(st.sampled_from(["/", "//", "/./", "/x/../", "%2f", "\\", "/%2e/", "/y/%2E%2e/"]))
        encode = draw(st.sets(st.integers(0, 10)))
        path += "".join(f"%{ord(c):02x}" if i in encode else c.upper() if i % 3 == 2 else c for i, c in enumerate(name))
    return path + draw(st.sampled_from(["", "/", "//", ";v=1", "/.", "%20"]))


@given(spellings())
def test_no_spelling_of_a_path_gets_by(path: str) -> None:
    assert GuardedPaths("/v1").verdict("POST", path) == "openai-chat"


@given(st.text(max_size=30))
def test_normalised_path_is_normal(path: str) -> None:
    plain = normalised(path)
    if plain is not None and "%" not in plain and ";" not in plain:
        assert normalised(plain) == plain
        assert "//" not in plain
        assert plain.startswith("/")


def test_path_that_means_no_good_is_refused() -> None:
    assert GuardedPaths("/v1").verdict("POST", "/x" + "%25" * 3 + "2525252f") == "refuse"
    assert GuardedPaths("/v1").verdict("POST", "/v1/chat\n") == "refuse"


@pytest.mark.parametrize("prefix", ["", "v1"])
def test_prefix_without_slash_is_refused(prefix: str) -> None:
    with pytest.raises(rk.ConfigError, match="begins with a slash"):
        GuardedPaths(prefix)


@pytest.mark.parametrize("limits", [{"max_body_bytes": 0}, {"body_seconds": 0.0}, {"body_seconds": float("nan")}])
def test_limit_out_of_range_is_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(rk.ConfigError, match="must be over 0"):
        RoutekitMiddleware(App(), router(), **limits)


# Lifespan and feedback.


async def test_lifespan_opens_and_closes_the_async_router() -> None:
    classifier = FakeClassifier("jailbreak", {})
    sent: list[str] = []

    async def app(scope: object, receive: object, send: Callable[[MutableMapping[str, Any]], Any]) -> None:
        await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message["type"])
        assert classifier.texts  # warmed up
        closed = message["type"] != "lifespan.startup.complete"
        assert (middleware._own is None) == closed

    middleware = RoutekitMiddleware(app, rk.PolicyRouter(POLICY, classifiers=[classifier]))
    for _ in range(2):
        await middleware({"type": "lifespan"}, Exchange([]).receive, send)
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"] * 2


USAGE = {"prompt_tokens": 321, "completion_tokens": 5}
ANTHROPIC = {"input_tokens": 321, "output_tokens": 7}
EVENTS: Sequence[object] = [
    {"type": "message_start", "message": {"usage": {"input_tokens": 321}}},
    {"type": "message_delta", "usage": {"output_tokens": 7}},
]


@pytest.mark.parametrize(
    ("answer", "content_type", "learned"),
    [
        (orjson.dumps({"usage": USAGE}), b"application/json; charset=utf-8", USAGE),
        (b'data: {"usage":null}\n\ndata: ' + orjson.dumps({"usage": USAGE}) + b"\n\ndata: [DONE]\n\n", b"", USAGE),
        (
            b"".join(b"data: " + orjson.dumps(e) + b"\r\n\r\n" for e in EVENTS),
            b"",
            {"input_tokens": 321, "output_tokens": 7},
        ),
        (b"data: " + orjson.dumps({"response": {"usage": USAGE}}) + b"\n\n", b"", USAGE),
        (b'{"usage"', b"application/json", None),
        (b"[]", b"application/json", None),
        (b'data: {"usage"\n\n', b"", None),
        (b"<html>", b"text/html", None),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
async def test_usage_of_a_response_is_learned_from(
    answer: bytes, content_type: bytes, learned: object, size: int
) -> None:
    pools = PoolRouter([PoolSpec("short", max_context=8192), PoolSpec("long", max_context=65536)])
    told: list[object] = []
    app = App(answer, content_type or b"text/event-stream", size)

    def feedback(decision: rk.Decision, usage: Mapping[str, object]) -> None:
        told.append(usage)
        pools.feedback(decision, usage)
        raise ValueError("what listeners do wrong disturbs nothing")

    placed = rk.PolicyRouter(rk.Policy([], rk.RouteTo("general")), pools=pools)
    async with guarded(app, router=placed, feedback=feedback) as middleware:
        exchange = Exchange([chat("word " * 200, max_tokens=100)])
        await middleware(scope_of(), exchange.receive, exchange.send)
    assert exchange.body == answer
    assert told == ([] if learned is None else [learned])
    assert app.asked[0][0]["routekit"].pool == "short"
