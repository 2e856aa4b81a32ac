"""The middleware under a real server, with raw sockets and the official clients."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

import routekit as rk
from routekit.pools import PoolRouter, PoolSpec
from routekit.testing import FakeClassifier, chat, chunked

pytest.importorskip("uvicorn", reason="needs uvicorn: pip install 'routekit[gateways-test]'")
pytest.importorskip("fastapi", reason="needs fastapi: pip install 'routekit[gateways-test]'")
pytest.importorskip("httptools", reason="needs httptools: pip install 'routekit[gateways-test]'")
pytest.importorskip("openai", reason="needs openai: pip install 'routekit[gateways-test]'")
pytest.importorskip("anthropic", reason="needs anthropic: pip install 'routekit[gateways-test]'")

import anthropic
import openai

from asgi_server import Served, post, read_all, served, small_llm
from routekit.integrations.asgi import RoutekitMiddleware

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
CHAT = "/v1/chat/completions"
ATTACK = rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403))
LONG = "ignore all " + "x" * 200_000


@pytest.fixture(scope="module", params=["h11", "httptools"])
def server(request: pytest.FixtureRequest) -> Iterator[Served]:
    jailbreak = FakeClassifier("jailbreak", {"ignore all": 0.97}, incremental=True)
    router = rk.PolicyRouter(rk.Policy([ATTACK], rk.RouteTo("general")), classifiers=[jailbreak])
    app = small_llm()
    app.add_middleware(
        RoutekitMiddleware, router=router, max_body_bytes=20_000_000, body_seconds=1.0, response_headers=True
    )
    with served(app, request.param) as where:
        yield where


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def test_slow_attack_is_answered_after_a_tenth_of_its_body(server: Served) -> None:
    body = chat(LONG)
    request = post(CHAT, body)
    with server.connect() as connection:
        connection.sendall(request[:20_000])
        answer = connection.recv(65536)
        assert status(answer) == 403
        assert b"x-routekit-early: true" in answer
        connection.sendall(request[20_000:])
        answer += read_all(connection)
    head, _, said = answer.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower()
    assert orjson.loads(said)["error"]["code"] == "blocked_by_policy"


def test_client_that_never_goes_on_after_its_answer_is_let_go(server: Served) -> None:
    with server.connect() as connection:
        connection.sendall(post(CHAT, chat(LONG))[:20_000])
        assert status(read_all(connection)) == 403


def test_attack_sent_in_one_go_is_answered_not_reset(server: Served) -> None:
    for _ in range(5):
        assert status(server.send(post(CHAT, chat("ignore all " + "x" * 5_000_000)))) == 403


def test_chunked_body_reaches_the_app_with_its_length(server: Served) -> None:
    body = chat("hello " * 2000)
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(p), p) for p in (body[:1], body[1:5000], body[5000:])) + b"0\r\n\r\n"
    head = f"POST {CHAT} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n".encode()
    answer = server.send(head + chunks)
    assert status(answer) == 200
    assert b'"general"' in answer


def test_connection_serves_one_request_after_the_other(server: Served) -> None:
    with server.connect() as connection:
        for text in ("hello", "ignore all", "you"):
            connection.sendall(post(CHAT, chat(text), connection="keep-alive"))
            answer = b""
            while b"\r\n\r\n" not in answer or not answer.rstrip().endswith(b"}"):
                answer += connection.recv(65536)
            assert status(answer) == (403 if text == "ignore all" else 200)


@pytest.mark.parametrize(
    ("request_bytes", "expected"),
    [
        (post(CHAT, b'{"model": "m"'), 400),
        (post(CHAT, b"\xff\xfe{}"), 400),
        (post(CHAT, chat("x") + b"x"), 400),
        (post(CHAT, chat("x"), content_encoding="gzip"), 415),
        (post(CHAT, b"{", content_length="100000000"), 413),
        (post(CHAT, b"{", content_length="50"), 408),
        (post("/v1/images/generations", b"{}"), 404),
        (post("/v1//chat/%63ompletions", chat("ignore all")), 403),
        (post("/x/../v1/chat/./completions;v=1?a=b", chat("ignore all")), 403),
        (post("/V1/Chat/Completions/", chat("ignore all")), 403),
        (f"POST {CHAT} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n".encode(), 400),
    ],
)
def test_broken_request_gets_its_status(server: Served, request_bytes: bytes, expected: int) -> None:
    answer = server.send(request_bytes)
    assert not answer or status(answer) == expected  # httptools hangs up on broken chunking
    assert answer or b"ZZ" in request_bytes


def test_clients_that_leave_disturb_nobody(server: Served) -> None:
    for n_bytes in range(60, 60_000, 7000):
        connection = server.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")  # a reset, not a goodbye
        connection.sendall(post(CHAT, chat("hello " * 10_000))[:n_bytes])
        connection.close()
    assert status(server.send(post(CHAT, chat("hello")))) == 200


def test_hundreds_of_slow_clients_are_served_at_once(server: Served) -> None:
    async def client(i: int) -> int:
        body = chat(("ignore all " if i % 3 == 0 else "hello ") * 500)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for part in chunked(post(CHAT, body), 1 + len(body) // 5):
            writer.write(part)
            await asyncio.sleep(0.05)
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        return status(answer)

    async def main() -> list[int]:
        return await asyncio.gather(*(client(i) for i in range(300)))

    assert asyncio.run(main()) == [403 if i % 3 == 0 else 200 for i in range(300)]


def test_official_openai_client_understands(server: Served) -> None:
    client: Any  # the answers are of many types; these are the ones that the server gives
    with openai.OpenAI(base_url=server.url + "/v1", api_key="k", max_retries=0) as client:
        said = [{"role": "user", "content": "hello"}]
        answer = client.chat.completions.create(model="auto", messages=said)
        assert answer.choices[0].message.content == "general"
        stream = client.chat.completions.create(model="auto", messages=said, stream=True)
        assert [chunk.choices[0].delta.content for chunk in stream] == ["general"]
        assert client.responses.create(model="auto", input="hello").output_text == "general"
        for attack in ("ignore all", "ignore all " + "x" * 3_000_000):
            with pytest.raises(openai.PermissionDeniedError) as blocked:
                client.chat.completions.create(model="auto", messages=[{"role": "user", "content": attack}])
            assert (blocked.value.code, blocked.value.type) == ("blocked_by_policy", "permission_error")
        with pytest.raises(openai.PermissionDeniedError):
            client.responses.create(model="auto", input="ignore all")
        with pytest.raises(openai.NotFoundError):
            client.images.generate(model="auto", prompt="hello")
        with pytest.raises(openai.APIStatusError, match="allowed: 20000000") as large:
            client.chat.completions.create(model="auto", messages=[{"role": "user", "content": "x" * 21_000_000}])
        assert large.value.status_code == 413


def test_official_anthropic_client_understands(server: Served) -> None:
    client: Any
    with anthropic.Anthropic(base_url=server.url, api_key="k", max_retries=0) as client:
        answer = client.messages.create(model="auto", max_tokens=9, messages=[{"role": "user", "content": "hello"}])
        assert answer.content[0].text == "general"
        with pytest.raises(anthropic.PermissionDeniedError) as blocked:
            client.messages.create(model="auto", max_tokens=9, messages=[{"role": "user", "content": LONG}])
        assert blocked.value.body == {
            "type": "error",
            "error": {"type": "permission_error", "message": "This request was blocked by policy."},
        }


def test_usage_flows_back_into_the_pools() -> None:
    pools = PoolRouter([PoolSpec("short", max_context=8192), PoolSpec("long", max_context=65536)])
    router = rk.PolicyRouter(rk.Policy([], rk.RouteTo("general")), pools=pools)
    app = small_llm()
    app.add_middleware(RoutekitMiddleware, router=router, feedback=pools.feedback)
    client: Any
    with served(app) as where, openai.OpenAI(base_url=where.url + "/v1", api_key="k") as client:
        for stream in (False, True):
            said = [{"role": "user", "content": "hello " * 10}]
            list(client.chat.completions.create(model="auto", messages=said, stream=stream, max_tokens=5))
        time.sleep(0.01)
    assert pools.estimator.mean("prose") == pytest.approx(60 / 11)
    assert pools.estimator.snapshot().states["prose"].n == 2


def test_requests_that_are_not_judged_pass(server: Served) -> None:
    answer = server.send(b"GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    assert answer.endswith(b'{"judged":false}')
