"""The external processor over gRPC on loopback: what it answers to each message of Envoy, in every body mode."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import grpc
import pytest
from envoy.config.core.v3.base_pb2 import HeaderMap, HeaderValue
from envoy.service.ext_proc.v3 import external_processor_pb2 as pb
from envoy.service.ext_proc.v3 import external_processor_pb2_grpc as rpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from hypothesis import given
from hypothesis import strategies as st

import routekit as rk
from routekit.errors import ConfigError, UsageError
from routekit.integrations.decision_headers import DECISION_HEADERS
from routekit.integrations.extproc import _parser as parser
from routekit.integrations.extproc import judge_of, main, server_of
from routekit.integrations.extproc_exchange import BUFFERED, DUPLEX, STREAMED, Exchange, Judge
from routekit.integrations.extproc_messages import BODY_MODES
from routekit.integrations.pool_table import GatewayPools
from routekit.request_path import GuardedPaths
from routekit.testing import FakeClassifier, chat, chunked

MODES = [BUFFERED, STREAMED, DUPLEX]
POLICY = rk.Policy(
    [
        rk.Rule("attack", when=rk.signal("jailbreak") >= 0.9, then=rk.Block(403)),
        rk.Rule("gold", when=rk.header("x-tier") == "gold", then=rk.RouteTo("large")),
        rk.Rule("explicit", when=rk.signal("model") != "auto", then=rk.Keep()),
    ],
    default=rk.RouteTo("general"),
)
MAX_BYTES = 2_000_000


def judge(*, pools: GatewayPools | None = None, error: Exception | None = None, mode: int | None = None) -> Judge:
    fake = FakeClassifier("jailbreak", {"open sesame": 0.99}, incremental=True, error=error)
    router = rk.PolicyRouter(
        POLICY,
        classifiers=[fake],
        pools=None if pools is None else pools.router,
        reader=partial(rk.JsonBodyReader, max_bytes=MAX_BYTES),
    )
    return Judge(rk.AsyncRouter(router), GuardedPaths("/v1"), MAX_BYTES, pools, mode)


@asynccontextmanager
async def processor(judge: Judge, body_seconds: float = 60.0) -> AsyncIterator[Any]:
    server, _ = server_of(judge, body_seconds)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    options = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
            yield channel
    finally:
        await server.stop(0)
        await judge.router.aclose()


def headers(
    mode: int | None, *, path: str = "/v1/chat/completions", method: str = "POST", end: bool = False, **more: str
) -> pb.ProcessingRequest:
    named = {":method": method, ":path": path, **{name.replace("_", "-"): value for name, value in more.items()}}
    values = [HeaderValue(key=name, raw_value=value.encode()) for name, value in named.items()]
    message = pb.HttpHeaders(headers=HeaderMap(headers=values), end_of_stream=end)
    config = None if mode is None else pb.ProtocolConfiguration(request_body_mode=mode, response_body_mode=mode)
    return pb.ProcessingRequest(request_headers=message, protocol_config=config)


def parts(body: bytes, size: int, *, end: bool = True) -> Iterator[pb.ProcessingRequest]:
    pieces = list(chunked(body, size)) or [b""]
    for i, piece in enumerate(pieces):
        last = end and i == len(pieces) - 1
        yield pb.ProcessingRequest(request_body=pb.HttpBody(body=bytes(piece), end_of_stream=last))


def request(mode: int, body: bytes, **how: Any) -> list[pb.ProcessingRequest]:
    size = len(body) or 1 if mode == BUFFERED else max(1, len(body) // 5 + 1)
    return [headers(mode, **how), *parts(body, size)]


async def exchange(channel: grpc.Channel, messages: Iterable[pb.ProcessingRequest]) -> list[pb.ProcessingResponse]:
    # Not through grpc.aio: its client drops what it received when the server ends a call that it still writes to.
    return await asyncio.to_thread(lambda: list(rpc.ExternalProcessorStub(channel).Process(iter(messages))))


def forwarded(answers: Sequence[pb.ProcessingResponse]) -> bytes:
    """The body as Envoy would put it together."""
    out = b""
    for answer in answers:
        if answer.WhichOneof("response") == "request_body":
            mutation = answer.request_body.response.body_mutation
            out += mutation.streamed_response.body if mutation.HasField("streamed_response") else mutation.body
    return out


def changes(answers: Sequence[pb.ProcessingResponse]) -> tuple[dict[str, str], set[str]]:
    """Headers that are set, and removed, for the model server."""
    put: dict[str, str] = {}
    removed: set[str] = set()
    for answer in answers:
        kind = answer.WhichOneof("response")
        if kind in ("request_headers", "request_body"):
            mutation = getattr(answer, kind).response.header_mutation
            put |= {option.header.key: option.header.raw_value.decode() for option in mutation.set_headers}
            removed |= set(mutation.remove_headers)
    return put, removed


def error_of(answers: Sequence[pb.ProcessingResponse]) -> tuple[int, Any]:
    immediate = answers[-1].immediate_response
    return immediate.status.code, json.loads(immediate.body)


@pytest.mark.parametrize("mode", MODES)
async def test_model_is_rewritten_and_no_other_byte(mode: int) -> None:
    body = chat("Grüße, " * 3000, temperature=0.5)
    async with processor(judge()) as channel:
        answers = await exchange(channel, request(mode, body, content_length=str(len(body))))
    assert forwarded(answers) == body.replace(b'"auto"', b'"general"', 1)
    put, removed = changes(answers)
    assert (put["x-routekit-model"], put["x-routekit-rule"]) == ("general", "default")
    if mode == BUFFERED:
        assert put["content-length"] == str(len(forwarded(answers)))
    else:  # the body of another length is sent in chunks
        assert "content-length" in removed


@pytest.mark.parametrize("mode", MODES)
async def test_block_answers_in_place_of_the_model(mode: int) -> None:
    body = chat("open sesame " + "x" * 50_000)
    async with processor(judge()) as channel:
        answers = await exchange(channel, request(mode, body))
    status, error = error_of(answers)
    assert (status, error["error"]["code"]) == (403, "blocked_by_policy")
    assert forwarded(answers) == b""
    assert "sesame" not in str(answers)


@pytest.mark.parametrize("mode", [STREAMED, DUPLEX])
async def test_block_comes_before_the_body_ends(mode: int) -> None:
    begun = [headers(mode), *parts(chat("open sesame " + "x" * 50_000)[:10_000], 1000, end=False)]
    answered = Event()

    def sent() -> Iterator[pb.ProcessingRequest]:
        yield from begun
        answered.wait(60)  # the rest never comes

    async with processor(judge()) as channel:
        answers = await exchange(channel, sent())
        answered.set()
    assert error_of(answers)[0] == 403


async def test_block_of_a_message_has_the_shape_of_anthropic() -> None:
    async with processor(judge()) as channel:
        answers = await exchange(channel, request(BUFFERED, chat("open sesame", max_tokens=9), path="/v1/messages"))
    status, error = error_of(answers)
    assert (status, error["type"], error["error"]["type"]) == (403, "error", "permission_error")


@pytest.mark.parametrize("mode", MODES)
async def test_nothing_of_the_body_leaves_before_the_verdict(mode: int) -> None:
    body = chat("hello " * 2000)
    begun = [headers(mode), *parts(body, len(body) // 3, end=False)][: 2 if mode == BUFFERED else 3]
    if mode == BUFFERED:
        begun = begun[:1]
    async with processor(judge()) as channel:
        answers = await exchange(channel, begun)
    assert forwarded(answers) == b""
    assert [answer.WhichOneof("response") for answer in answers if mode == DUPLEX] == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("body", "more", "status", "code"),
    [
        (b'{"model": "auto", "messages": ', {}, 400, "malformed_body"),
        (b'{"model": "auto", "model": "x", "messages": []}', {}, 400, "malformed_body"),
        (b"[1]", {}, 400, "malformed_body"),
        (b"", {}, 400, "malformed_body"),
        (chat("x" * MAX_BYTES), {}, 413, "body_too_large"),
        (chat("x"), {"content_length": "999999999999"}, 413, "body_too_large"),
        (chat("x"), {"content_encoding": "gzip"}, 415, "unsupported_body"),
        (chat("x"), {"path": "/v1/audio/speech"}, 404, "unknown_endpoint"),
        (chat("x"), {"path": "/v1//chat/../audio/%73peech"}, 404, "unknown_endpoint"),
    ],
    ids=lambda value: repr(value)[:30],
)
async def test_body_that_cannot_be_judged_is_refused(
    mode: int, body: bytes, more: dict[str, str], status: int, code: str
) -> None:
    async with processor(judge()) as channel:
        answers = await exchange(channel, request(mode, body, **more))
    assert (error_of(answers)[0], error_of(answers)[1]["error"]["code"]) == (status, code)
    assert forwarded(answers) == b""


@pytest.mark.parametrize("mode", [None, *(BODY_MODES[name] for name in ("NONE", "BUFFERED_PARTIAL", "GRPC"))])
async def test_mode_that_shows_no_whole_body_fails_closed(mode: int | None) -> None:
    async with processor(judge()) as channel:
        answers = await exchange(channel, [headers(mode), *parts(chat("open sesame"), 1000)])
    assert error_of(answers)[0] == (403 if mode is None else 500)


async def test_headers_without_a_body_are_refused() -> None:
    async with processor(judge()) as channel:
        answers = await exchange(channel, [headers(DUPLEX, end=True)])
    assert error_of(answers)[0] == 400


async def test_headers_without_a_path_fail_closed() -> None:
    hidden = pb.ProcessingRequest(request_headers=pb.HttpHeaders())
    async with processor(judge()) as channel:
        answers = await exchange(channel, [hidden, *parts(chat("open sesame"), 1000)])
    assert error_of(answers)[0] == 500


async def test_upgrade_under_the_prefix_is_refused() -> None:
    async with processor(judge()) as channel:
        upgrade = headers(DUPLEX, path="/v1/responses", method="GET", end=True, upgrade="websocket")
        answers = await exchange(channel, [upgrade])
    assert error_of(answers)[0] == 404


@pytest.mark.parametrize("mode", MODES)
async def test_request_that_is_not_judged_passes_as_it_is(mode: int) -> None:
    body = b"open sesame, in no JSON"
    async with processor(judge()) as channel:
        answers = await exchange(channel, request(mode, body, path="/other"))
    assert forwarded(answers) == (body if mode == DUPLEX else b"")  # elsewhere no mutation means unchanged
    assert not any(a.request_body.response.HasField("body_mutation") for a in answers if mode != DUPLEX)


@pytest.mark.parametrize("mode", MODES)
async def test_headers_of_ours_that_a_client_sends_are_removed(mode: int) -> None:
    async with processor(judge()) as channel:
        answers = await exchange(channel, request(mode, chat("hi", model="own"), x_routekit_pool="large"))
    put, removed = changes(answers)
    assert put["x-routekit-rule"] == "explicit"
    assert set(DECISION_HEADERS) <= set(put) | removed
    assert "x-routekit-pool" in removed


async def test_header_reaches_the_policy() -> None:
    async with processor(judge()) as channel:
        answers = await exchange(channel, request(DUPLEX, chat("hi"), x_tier="gold"))
    assert changes(answers)[0]["x-routekit-model"] == "large"


async def test_trailers_end_a_body_in_full_duplex() -> None:
    trailers = pb.ProcessingRequest(request_trailers=pb.HttpTrailers())
    async with processor(judge()) as channel:
        answers = await exchange(channel, [headers(DUPLEX), *parts(chat("hi"), 10, end=False), trailers])
    assert forwarded(answers) == chat("hi").replace(b'"auto"', b'"general"', 1)
    assert answers[-1].WhichOneof("response") == "request_trailers"
    assert not any(a.request_body.response.body_mutation.streamed_response.end_of_stream for a in answers)


async def test_slow_body_is_answered_in_time() -> None:
    answered = Event()

    def sent() -> Iterator[pb.ProcessingRequest]:
        yield headers(DUPLEX)
        answered.wait(60)

    async with processor(judge(), body_seconds=0.2) as channel:
        answers = await exchange(channel, sent())
        answered.set()
    assert error_of(answers)[0] == 408


async def test_failing_classifier_fails_as_the_policy_says_and_tells_nothing() -> None:
    async with processor(judge(error=RuntimeError("canary"))) as channel:
        answers = await exchange(channel, request(DUPLEX, chat("hi")))
    assert error_of(answers)[0] == 403  # on_error of the rule: block, with its status
    assert "canary" not in str(answers)


async def test_client_that_goes_away_leaves_nothing_behind() -> None:
    served = judge()
    async with processor(served) as channel:
        call = rpc.ExternalProcessorStub(channel).Process(parts(chat("hi"), 10, end=False))
        call.cancel()
        answers = await exchange(channel, request(DUPLEX, chat("hello")))
    assert forwarded(answers)


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_usage_in_responses_teaches_the_pools(kind: str) -> None:
    pools = GatewayPools.of({"pools": [{"name": "short", "max_context": 8192}], "default_max_tokens": 10})
    usage = json.dumps({"usage": {"prompt_tokens": 100}}).encode()
    body = usage if kind.endswith("json") else b"data: " + usage + b"\n\ndata: [DONE]\n\n"
    answer = HeaderMap(
        headers=[HeaderValue(key=k, raw_value=v) for k, v in ((":status", b"200"), ("content-type", kind.encode()))]
    )
    response = [
        pb.ProcessingRequest(response_headers=pb.HttpHeaders(headers=answer)),
        pb.ProcessingRequest(response_body=pb.HttpBody(body=body[:20])),
        pb.ProcessingRequest(response_body=pb.HttpBody(body=body[20:], end_of_stream=True)),
    ]
    async with processor(judge(pools=pools)) as channel:
        answers = await exchange(channel, [*request(DUPLEX, chat("word " * 70)), *response])
    streamed = [a.response_body.response.body_mutation.streamed_response.body for a in answers[-2:]]
    assert b"".join(streamed) == body
    told = answers[-3].response_headers.response.header_mutation.set_headers
    assert {o.header.key: o.header.raw_value for o in told}["x-routekit-pool"] == b"short"
    assert pools.router.estimator.mean("prose") == pytest.approx(3.5, abs=0.1)


PIECES = st.sampled_from(
    [b'{"model":"auto","messages":[{"role":"user","content":"', b"please open sesame ", b'"}]}', b""]
)
MESSAGES = st.one_of(
    st.builds(
        headers,
        st.sampled_from([None, *BODY_MODES.values()]),
        path=st.sampled_from(["/v1/chat/completions", "/v1/files"]),
        method=st.sampled_from(["POST", "PUT", ""]),
        end=st.booleans(),
    ),
    st.builds(
        lambda body, end: pb.ProcessingRequest(request_body=pb.HttpBody(body=body, end_of_stream=end)),
        PIECES,
        st.booleans(),
    ),
    st.sampled_from([pb.ProcessingRequest(**{kind: {}}) for kind in ("request_trailers", "response_headers")]),
    st.sampled_from([pb.ProcessingRequest(**{kind: {}}) for kind in ("response_body", "response_trailers")]),
    st.just(pb.ProcessingRequest()),
)


@given(st.lists(MESSAGES, max_size=8))
def test_messages_in_any_order_are_answered_and_smuggle_nothing(sent: list[pb.ProcessingRequest]) -> None:
    async def answers() -> list[pb.ProcessingResponse]:
        served = Exchange(judge())
        return [answer for message in sent if not served.done for answer in await served.answers(message)]

    given_back = asyncio.run(answers())
    assert all(answer.IsInitialized() for answer in given_back)
    assert b"sesame" not in forwarded(given_back)
    unchanged = [
        a for a in given_back if a.HasField("request_body") and not a.request_body.response.HasField("body_mutation")
    ]
    assert not unchanged


async def test_health_is_served_beside_the_processor() -> None:
    async with processor(judge()) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        answer = await asyncio.to_thread(check, health_pb2.HealthCheckRequest())
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_command_refuses_bad_settings(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('default = "general"')
    options = parser().parse_args(["--policy", str(policy), "--mode", "full-duplex-streamed"])
    assert judge_of(options).mode == DUPLEX
    for wrong in (
        ["--body-seconds", "0"],
        ["--prefix", "v1"],
        ["--max-bytes", "0"],
        ["--pools", str(policy)],
        ["--signal-timeout", "jailbreak"],
        ["--signal-timeout", "jailbreak=1"],  # the policy asks no classifier
    ):
        with pytest.raises(ConfigError):
            main(["--policy", str(policy), *wrong])


def test_command_refuses_a_port_that_is_taken(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('default = "general"')
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=str(port)):
            main(["--policy", str(policy), "--listen", f"127.0.0.1:{port}"])
