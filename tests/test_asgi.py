"""The ASGI middleware on what it guards: what the app gets, which paths are judged, what is learned of answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routekit as rk
from asgi_exchange import CHAT, POLICY, App, Exchange, guarded, router, scope_of
from routekit.integrations.asgi import RoutekitMiddleware
from routekit.pools import PoolRouter, PoolSpec
from routekit.request_path import GuardedPaths, normalised
from routekit.testing import FakeClassifier, chat, chunked

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


# Paths.


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
