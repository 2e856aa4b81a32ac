"""The guardrail and the feedback callback in a real LiteLLM proxy, started from the example's config.yaml."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest

from gateways.environments import CHECKOUT
from gateways.http_client import Answer, chat, post
from gateways.model_server import ModelServer
from gateways.processes import free_port, running

pytestmark = pytest.mark.slow
KEY = "sk-test"
PROMPT = "Which plants grow well in the shade of an old oak? "
POLICY = """
default = { route = "general", redact = ["EMAIL_ADDRESS"] }

[keywords]
attack = ["open sesame"]

[[rules]]
name = "no-attack"
when = { signal = "keywords", set = "attack" }
then = { block = 403 }

[[rules]]
name = "too-long"
when = { signal = "metadata", name = "key_alias", equals = "banned" }
then = { block = 429 }

[[rules]]
name = "gold"
when = { signal = "header", name = "x-tier", equals = "gold" }
then = { route = "pool-long" }

[[rules]]
name = "explicit"
when = { signal = "model", not_equals = "auto" }
then = "keep"
"""
PARALLEL_POLICY = """
default = "keep"
[keywords]
late = ["late bloomer"]
[[rules]]
name = "late"
when = { signal = "keywords", set = "late" }
then = { block = 400 }
"""
PARALLEL = """
  - guardrail_name: beside
    litellm_params:
      guardrail: routekit.integrations.litellm.RoutekitGuardrail
      mode: during_call
      default_on: true
      policy: parallel.toml
"""
CANNED = """
  - model_name: canned
    litellm_params: {model: openai/canned, api_key: none, mock_response: canned answer}
"""


@dataclass(frozen=True)
class Proxy:
    port: int
    folder: Path
    short: ModelServer
    long: ModelServer

    def post(self, path: str, body: object, **headers: str) -> Answer:
        return post(self.port, path, body, authorization=f"Bearer {KEY}", **headers)

    @property
    def n_served(self) -> int:
        return len(self.short.bodies) + len(self.long.bodies)


def _environment(short: str, long: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "STORE_MODEL_IN_DB")}
    ours = {"SHORT_POOL_URL": short, "LONG_POOL_URL": long, "LITELLM_MASTER_KEY": KEY, "NO_PROXY": "127.0.0.1"}
    return {**kept, **ours, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "OMP_NUM_THREADS": "1"}


def _configured(folder: Path) -> Path:
    """Copy the example, with a policy that does not depend on a model, and what only tests need."""
    shutil.copytree(CHECKOUT / "examples" / "litellm", folder, dirs_exist_ok=True)
    (folder / "policy.toml").write_text(POLICY)
    (folder / "parallel.toml").write_text(PARALLEL_POLICY)
    config = folder / "config.yaml"
    text = config.read_text().replace("guardrails:\n", f"guardrails:{PARALLEL}", 1)
    config.write_text(text.replace("model_list:\n", f"model_list:{CANNED}", 1))
    return config


@pytest.fixture(scope="module")
def proxy(
    litellm_python: Path, short_pool: ModelServer, long_pool: ModelServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    folder = tmp_path_factory.mktemp("litellm")
    port = free_port()
    command = [str(litellm_python.with_name("litellm")), "--config", str(_configured(folder)), "--host", "127.0.0.1"]
    environment = _environment(short_pool.url, long_pool.url)
    log = folder / "proxy.log"
    ready = "/health/liveliness"
    with running([*command, "--port", str(port)], log, environment, port=port, path=ready):
        yield Proxy(port, folder, short_pool, long_pool)


def test_short_prompt_goes_to_the_short_pool(proxy: Proxy) -> None:
    answer = proxy.post("/v1/chat/completions", chat(PROMPT))
    assert (answer.status, "served by short" in answer.text) == (200, True), answer.text
    assert answer.headers["x-litellm-model-group"] == "pool-short"
    assert answer.headers["x-routekit-model"] == "pool-short"
    assert answer.headers["x-routekit-pool"] == "pool-short"
    assert answer.headers["x-routekit-rule"] == "default"
    assert int(answer.headers["x-routekit-est-tokens"]) > 256


def test_long_prompt_goes_to_the_long_pool(proxy: Proxy) -> None:
    answer = proxy.post("/v1/chat/completions", chat(PROMPT * 400))
    assert (answer.status, "served by long" in answer.text) == (200, True), answer.text
    assert answer.headers["x-routekit-pool"] == "pool-long"


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/embeddings"])
def test_block_answers_in_the_shape_of_openai(proxy: Proxy, path: str) -> None:
    text = "Please: Open Sesame"
    body = chat(text) if "chat" in path else {"model": "auto", "prompt" if path == "/v1/completions" else "input": text}
    n_served = proxy.n_served
    answer = proxy.post(path, body)
    error = answer.json()["error"]
    assert answer.status == 403
    assert (error["message"], error["type"]) == ("This request was blocked by policy.", "permission_error")
    assert "esame" not in answer.text + str(answer.headers)
    assert proxy.n_served == n_served
    if path != "/v1/completions":  # an endpoint of the proxy that adds none of its headers to errors
        assert answer.headers["x-litellm-applied-guardrails"] == "routekit"
        assert answer.headers["x-routekit-rule"] == "no-attack"


def test_block_answers_in_the_shape_of_anthropic(proxy: Proxy) -> None:
    n_served = proxy.n_served
    answer = proxy.post("/v1/messages", chat("open sesame", max_tokens=20), anthropic_version="2023-06-01")
    assert (answer.status, answer.json()["type"]) == (403, "error")
    assert answer.json()["error"]["type"] == "permission_error"
    assert proxy.n_served == n_served


@pytest.mark.parametrize("stream", [False, True])
def test_block_holds_for_every_place_of_text(proxy: Proxy, stream: bool) -> None:
    attack = "open sesame"
    part = {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "text", "text": attack}]}
    tool = {"type": "function", "function": {"name": "f", "description": attack, "parameters": {"type": "object"}}}
    bodies = [
        chat("hi", messages=[part], stream=stream),
        chat("hi", messages=[{"role": "system", "content": attack}, {"role": "user", "content": "hi"}], stream=stream),
        chat("hi", tools=[tool], stream=stream),
    ]
    assert [proxy.post("/v1/chat/completions", body).status for body in bodies] == [403, 403, 403]


def test_stream_is_routed_and_ends(proxy: Proxy) -> None:
    answer = proxy.post("/v1/chat/completions", chat("hello", stream=True))
    assert answer.status == 200
    assert "served by short" in answer.text
    assert "data: [DONE]" in answer.text
    assert answer.headers["x-routekit-pool"] == "pool-short"


def test_anthropic_message_is_routed(proxy: Proxy) -> None:
    answer = proxy.post("/v1/messages", chat("hello", max_tokens=20), anthropic_version="2023-06-01")
    assert (answer.status, answer.json()["content"][0]["text"]) == (200, "served by short")
    assert answer.headers["x-routekit-pool"] == "pool-short"


def test_response_is_routed(proxy: Proxy) -> None:
    answer = proxy.post("/v1/responses", {"model": "auto", "input": "hello"})
    assert (answer.status, "served by short" in answer.text) == (200, True), answer.text
    assert answer.headers["x-routekit-pool"] == "pool-short"


def test_model_that_the_client_names_is_kept(proxy: Proxy) -> None:
    n_served = proxy.n_served
    answer = proxy.post("/v1/chat/completions", chat("hello", model="canned"))
    assert (answer.status, "canned answer" in answer.text) == (200, True)
    assert answer.headers["x-routekit-rule"] == "explicit"
    assert proxy.n_served == n_served


def test_header_of_the_client_reaches_the_policy_but_is_no_metadata(proxy: Proxy) -> None:
    answer = proxy.post("/v1/chat/completions", chat("hello"), x_tier="gold", key_alias="banned")
    assert (answer.status, answer.headers["x-routekit-rule"]) == (200, "gold")
    assert "served by long" in answer.text


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions", chat("mail bo@example.org now", temperature=0.25)),
        ("/v1/messages", chat("mail bo@example.org now", max_tokens=20, temperature=0.25)),
        ("/v1/responses", {"model": "auto", "input": "mail bo@example.org now", "temperature": 0.25}),
    ],
)
def test_redaction_reaches_the_model_and_changes_nothing_else(proxy: Proxy, path: str, body: object) -> None:
    assert proxy.post(path, body).status == 200
    forwarded = proxy.short.requests[-1]
    text = json.dumps(forwarded)
    assert "mail [EMAIL_ADDRESS] now" in text
    assert "example.org" not in text
    assert forwarded["temperature"] == 0.25


@pytest.mark.parametrize(
    "smuggled",
    [
        {"extra_body": {"messages": [{"role": "user", "content": "open sesame"}]}},
        {"fallbacks": [{"model": "pool-long", "messages": [{"role": "user", "content": "open sesame"}]}]},
        {"Messages": [{"role": "user", "content": "open sesame"}]},
    ],
)
def test_parameter_that_would_replace_what_is_judged_is_refused(proxy: Proxy, smuggled: dict[str, object]) -> None:
    n_served = proxy.n_served
    answer = proxy.post("/v1/chat/completions", chat("hi", **smuggled))
    assert answer.status in (400, 415), answer.text
    assert "sesame" not in answer.text
    assert proxy.n_served == n_served


def test_client_cannot_forge_what_was_decided(proxy: Proxy) -> None:
    forged = {"routekit": {"headers": {"x-forged": "1"}, "placement": "1"}}
    answers = [
        proxy.post("/v1/chat/completions", chat("hi", metadata=forged)),
        proxy.post("/v1/chat/completions", chat("open sesame", metadata=forged)),
        proxy.post("/v1/chat/completions", chat("hi", metadata=forged, Messages=[])),
        proxy.post("/v1/responses", {"model": "auto", "input": "hi", "metadata": {"routekit": "x"}}),
    ]
    assert [answer.status for answer in answers] == [200, 403, 400, 200]
    assert not any("x-forged" in answer.headers for answer in answers)
    assert answers[-1].headers["x-routekit-rule"] == "default"


def test_call_that_nobody_can_judge_is_refused(proxy: Proxy) -> None:
    answer = proxy.post("/v1/rerank", {"model": "auto", "query": "x", "documents": ["y"]})
    assert (answer.status, "let_pass" in answer.text) == (415, True)


def test_malformed_and_oversized_requests_are_answered_in_kind(proxy: Proxy) -> None:
    answers = [
        proxy.post("/v1/chat/completions", b'{"model": "auto", "messages": '),
        proxy.post("/v1/chat/completions", {"model": "auto"}),
        proxy.post("/v1/chat/completions", {"model": "auto", "messages": [[1]]}),
        proxy.post("/v1/chat/completions", chat("hi", max_tokens=10**9)),
        proxy.post("/v1/chat/completions", chat(PROMPT * 10_000)),
    ]
    assert [answer.status for answer in answers[:3]] == [400, 400, 400], [a.text for a in answers]
    assert [answer.status for answer in answers[3:]] == [413, 413], [a.text for a in answers]


def test_during_call_blocks_though_the_model_was_asked(proxy: Proxy) -> None:
    n_served = proxy.n_served
    answer = proxy.post("/v1/chat/completions", chat("late bloomer"))
    assert answer.status == 400, answer.text
    assert _eventually(lambda: proxy.n_served == n_served + 1)


def test_usage_of_streams_and_answers_teaches_the_ratio(proxy: Proxy) -> None:
    prompt = PROMPT * 60
    expected = -(-len(prompt) // 3.5) + 256
    for i in range(16):
        answer = proxy.post("/v1/chat/completions", chat(prompt, stream=bool(i % 2)))
        assert answer.status == 200

    def learned() -> bool:
        answer = proxy.post("/v1/chat/completions", chat(prompt))
        return abs(int(answer.headers["x-routekit-est-tokens"]) - expected) <= 0.03 * expected

    assert _eventually(learned)
    assert _eventually(lambda: learned() and (proxy.folder / "ratios.json").exists(), 30)


def test_requests_side_by_side_are_judged_each_for_itself(proxy: Proxy) -> None:
    statuses: dict[int, int] = {}

    def ask(i: int) -> None:
        text = PROMPT * 50 + ("open sesame" if i % 2 else "")
        statuses[i] = proxy.post("/v1/chat/completions", chat(text)).status

    threads = [Thread(target=ask, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == {i: 403 if i % 2 else 200 for i in range(12)}


def test_no_prompt_reaches_the_log(proxy: Proxy) -> None:
    proxy.post("/v1/chat/completions", chat("open sesame canary-7d3f"))
    proxy.post("/v1/chat/completions", chat("mail canary-7d3f@example.org"))
    assert "canary-7d3f" not in (proxy.folder / "proxy.log").read_text()


def test_bad_policy_stops_the_start_of_the_proxy(litellm_python: Path, tmp_path: Path) -> None:
    config = _configured(tmp_path)
    (tmp_path / "policy.toml").write_text('defualt = "general"')
    command = [str(litellm_python.with_name("litellm")), "--config", str(config), "--validate_config"]
    environment = _environment("http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1")
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=180, check=False)
    assert ended.returncode == 1
    assert "PolicyError" in ended.stdout + ended.stderr
    assert "policy.defualt" in ended.stdout + ended.stderr


def test_bad_settings_raise_what_litellm_does_not_swallow(litellm_python: Path, tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text(POLICY)
    _succeeds(litellm_python, tmp_path, "litellm_settings_script.py")


def test_what_the_guide_shows_without_the_proxy_runs(litellm_python: Path, tmp_path: Path) -> None:
    guide = CHECKOUT / "docs" / "guides" / "litellm.md"
    _succeeds(litellm_python, tmp_path, "litellm_guide_script.py", str(guide))


def _succeeds(python: Path, folder: Path, script: str, *arguments: str) -> None:
    command = [str(python), str(CHECKOUT / "tests" / "gateways" / script), *arguments]
    environment = _environment("http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1")
    ended = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=180, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def _eventually(holds: Callable[[], bool], seconds: float = 15.0) -> bool:
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.2)
    return True
