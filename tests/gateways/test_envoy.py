"""The external processor behind a real Envoy, from the example's envoy.yaml, in all three body modes."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from gateways.environments import CHECKOUT
from gateways.http_client import Answer, chat, post
from gateways.model_server import ModelServer
from gateways.processes import free_port, running

pytestmark = pytest.mark.slow
MODES = ["BUFFERED", "STREAMED", "FULL_DUPLEX_STREAMED"]
PROMPT = "Which plants grow well in the shade of an old oak? "
POLICY = """
default = "general"
[keywords]
attack = ["open sesame"]
[[rules]]
name = "no-attack"
when = { signal = "keywords", set = "attack" }
then = { block = 403 }
[[rules]]
name = "gold"
when = { signal = "header", name = "x-tier", equals = "gold" }
then = { route = "large" }
"""


@dataclass(frozen=True)
class Gateway:
    mode: str
    port: int
    folder: Path
    short: ModelServer
    long: ModelServer

    def post(self, body: object, path: str = "/v1/chat/completions", **headers: str) -> Answer:
        return post(self.port, path, body, **headers)

    @property
    def n_served(self) -> int:
        return len(self.short.bodies) + len(self.long.bodies)


def _configured(folder: Path, mode: str, ports: dict[str, int]) -> None:
    shutil.copytree(CHECKOUT / "examples" / "envoy", folder, dirs_exist_ok=True)
    (folder / "policy.toml").write_text(POLICY)
    text = (folder / "envoy.yaml").read_text()
    for name, port in ports.items():
        text = text.replace(f"port_value: {name}}}", f"port_value: {port}}}")
    text = text.replace("request_body_mode: FULL_DUPLEX_STREAMED", f"request_body_mode: {mode}")
    if mode != "FULL_DUPLEX_STREAMED":
        text = text.replace("request_trailer_mode: SEND", "request_trailer_mode: SKIP")
    (folder / "envoy.yaml").write_text(text)


@pytest.fixture(scope="module", params=MODES)
def gateway(
    request: pytest.FixtureRequest,
    envoy: Path,
    short_pool: ModelServer,
    long_pool: ModelServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Gateway]:
    folder, mode = tmp_path_factory.mktemp("envoy"), str(request.param)
    clients, judge = free_port(), free_port()
    ports = {"10000": clients, "9002": judge, "8001": short_pool.port, "8002": long_pool.port}
    _configured(folder, mode, ports)
    command = [sys.executable, "-m", "routekit", "extproc", "--policy", folder / "policy.toml"]
    command += ["--pools", folder / "pools.toml", "--listen", f"127.0.0.1:{judge}", "--max-bytes", "8000000"]
    front = [envoy, "-c", folder / "envoy.yaml", "--use-dynamic-base-id", "--concurrency", "1", "-l", "warning"]
    with ExitStack() as stack:
        begin = stack.enter_context
        begin(running(list(map(str, command)), folder / "routekit.log", os.environ, port=judge))
        begin(running(list(map(str, front)), folder / "envoy.log", os.environ, port=clients))
        yield Gateway(mode, clients, folder, short_pool, long_pool)


def test_request_is_rewritten_and_served(gateway: Gateway) -> None:
    answer = gateway.post(chat(PROMPT, temperature=0.25), x_routekit_rule="forged")
    assert (answer.status, "served by short" in answer.text) == (200, True), answer.text
    assert gateway.short.requests[-1] == chat(PROMPT, temperature=0.25, model="general")
    assert answer.headers["x-routekit-rule"] == "default"
    assert answer.headers["x-routekit-pool"] == "short"
    upstream = gateway.short.headers[-1]
    assert upstream.get("x-routekit-rule") in (["default", None] if gateway.mode == "STREAMED" else ["default"])
    assert ("content-length" in upstream) == (gateway.mode == "BUFFERED")


def test_long_prompt_goes_to_the_long_pool(gateway: Gateway) -> None:
    answer = gateway.post(chat(PROMPT * 800))
    # In STREAMED mode the headers, and with them the choice of a cluster, may leave before the verdict.
    assert "served by long" in answer.text or gateway.mode == "STREAMED"
    assert answer.headers["x-routekit-pool"] == "long"


def test_megabytes_arrive_intact(gateway: Gateway) -> None:
    body = chat("Grün ist die Heide. " * 150_000, max_tokens=5)
    answer = gateway.post(body)
    assert answer.status == 413, answer.text  # no pool holds it: refused by us, not by Envoy
    body["messages"] = [{"role": "user", "content": "x " * 20_000}] * 5
    answer = gateway.post(body)
    assert answer.status == 200, answer.text
    served = gateway.short if "served by short" in answer.text else gateway.long
    assert served.requests[-1] == {**body, "model": "general"}


@pytest.mark.parametrize("n_words", [1, 40_000])
def test_block_never_reaches_a_model(gateway: Gateway, n_words: int) -> None:
    n_served = gateway.n_served
    answer = gateway.post(chat("filler " * n_words + "please open sesame"))
    assert (answer.status, answer.json()["error"]["code"]) == (403, "blocked_by_policy"), answer.text
    assert answer.headers["x-routekit-rule"] == "no-attack"
    assert gateway.n_served == n_served


def test_block_has_the_shape_of_anthropic(gateway: Gateway) -> None:
    answer = gateway.post(chat("open sesame", max_tokens=9), "/v1/messages")
    assert (answer.status, answer.json()["type"], answer.json()["error"]["type"]) == (403, "error", "permission_error")


def test_block_comes_before_the_body_ends(gateway: Gateway) -> None:
    if gateway.mode == "BUFFERED":
        pytest.skip("in BUFFERED mode the body is judged when it is complete")
    body = b'{"model": "auto", "messages": [{"role": "user", "content": "please open sesame ' + b"x " * 100_000
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 999999\r\n\r\n"
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=30) as client:
        client.sendall(head + body[:20_000])
        assert b" 403 " in client.recv(200)


def test_stream_passes(gateway: Gateway) -> None:
    answer = gateway.post(chat("hello", stream=True))
    assert (answer.status, "data: [DONE]" in answer.text) == (200, True)
    assert answer.headers["content-type"] == "text/event-stream"


@pytest.mark.parametrize(
    ("body", "path", "headers", "status"),
    [
        (b'{"model": "auto", "messages": ', "/v1/chat/completions", {}, 400),
        (b"", "/v1/chat/completions", {}, 400),
        (chat("hi"), "/v1/chat/completions", {"content_encoding": "gzip"}, 415),
        (chat("hi"), "/v1/audio/speech", {}, 404),
    ],
)
def test_body_that_cannot_be_judged_is_refused(
    gateway: Gateway, body: object, path: str, headers: dict[str, str], status: int
) -> None:
    n_served = gateway.n_served
    answer = gateway.post(body, path, **headers)
    assert answer.status == status, answer.text
    assert answer.json()["error"]["message"]
    assert gateway.n_served == n_served


def test_oversized_body_is_refused_by_its_length(gateway: Gateway) -> None:
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 9000000\r\n\r\n"
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=30) as client:
        client.sendall(head + b'{"model": "auto", ')  # the rest never comes
        assert b" 413 " in client.recv(200)


def test_chunked_body_is_judged(gateway: Gateway) -> None:
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
    text = b'{"model": "auto", "messages": [{"role": "user", "content": "open se', b'same"}]}'
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in text) + b"0\r\n\r\n"
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=30) as client:
        client.sendall(head + chunks)
        assert b" 403 " in client.recv(200)


def test_client_that_goes_away_mid_body_harms_nobody(gateway: Gateway) -> None:
    n_served = gateway.n_served
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 999999\r\n\r\n"
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", gateway.port), timeout=30) as client:
            client.sendall(head + b'{"model": "auto", "messages": [{"role": "user", "content": "hel')
    assert gateway.post(chat("hello")).status == 200
    assert gateway.n_served == n_served + 1


def test_get_passes(gateway: Gateway) -> None:
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=30) as client:
        client.sendall(b"GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        assert b" 200 " in client.recv(200)


def test_usage_teaches_the_ratio(gateway: Gateway) -> None:
    prompt = PROMPT * 60
    expected = -(-len(prompt) // 3.5) + 256

    def estimated() -> int:
        return int(gateway.post(chat(prompt)).headers["x-routekit-est-tokens"])

    assert _eventually(lambda: abs(estimated() - expected) <= 0.03 * expected)


def test_no_prompt_reaches_a_log(gateway: Gateway) -> None:
    gateway.post(chat("open sesame canary-7d3f"))
    gateway.post(b'{"canary-7d3f')
    logs = [(gateway.folder / name).read_text() for name in ("routekit.log", "envoy.log")]
    assert not any("canary-7d3f" in log for log in logs)


def test_termination_lets_requests_end_and_keeps_what_was_learned(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text('default = "general"')
    shutil.copy(CHECKOUT / "examples" / "envoy" / "pools.toml", tmp_path)
    where = f"unix:{tmp_path}/judge.sock"
    command = [sys.executable, "-m", "routekit", "extproc", "--policy", "policy.toml", "--pools", "pools.toml"]
    with subprocess.Popen([*command, "--listen", where], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert where in process.stderr.readline()
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        finally:
            process.kill()
    assert _eventually((tmp_path / "ratios.json").exists)


def _eventually(holds: Callable[[], bool], seconds: float = 15.0) -> bool:
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.2)
    return True
