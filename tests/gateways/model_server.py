"""A model server of the OpenAI API that keeps what it is sent: where the gateways under test forward to."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

#: What its tokenizer makes of any text.
BYTES_PER_TOKEN = 3.5


@dataclass
class ModelServer:
    """One server on loopback; `bodies` and `headers` hold what came, in order."""

    name: str
    port: int = 0
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def requests(self) -> list[dict[str, Any]]:
        """What came, parsed."""
        return [json.loads(body) for body in self.bodies]


@contextmanager
def model_server(name: str) -> Iterator[ModelServer]:
    """Serve while the block lasts."""
    seen = ModelServer(name)

    class Answers(_Answers):
        server_seen = seen

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = True
    seen.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else the body waits 40 ms for an acknowledgement of the headers
    server_seen: ModelServer

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        pass

    def do_GET(self) -> None:
        self._send(b"{}")

    def do_POST(self) -> None:
        try:
            body = self._body()
        except ValueError:  # a gateway that changed its mind: the connection ends in the middle of a body
            self.close_connection = True
            return
        self.server_seen.bodies.append(body)
        self.server_seen.headers.append({name.lower(): value for name, value in self.headers.items()})
        request = json.loads(body)
        text = f"served by {self.server_seen.name}"
        if self.path.endswith("/responses"):
            self._send(_json(_response(request, text)))
        elif request.get("stream"):
            self._send(_events(request, text), "text/event-stream")
        else:
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            self._send(_json({**_base(request), "choices": [choice], "usage": _usage(request)}))

    def _body(self) -> bytes:
        if "content-length" in self.headers:
            return self.rfile.read(int(self.headers["content-length"]))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _send(self, body: bytes, content_type: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _base(request: dict[str, Any], kind: str = "chat.completion") -> dict[str, Any]:
    return {"id": "answer-1", "object": kind, "created": 0, "model": request.get("model")}


def _usage(request: dict[str, Any]) -> dict[str, int]:
    n_bytes = sum(len(message["content"].encode()) for message in request.get("messages", []))
    prompt = math.ceil(n_bytes / BYTES_PER_TOKEN)
    return {"prompt_tokens": prompt, "completion_tokens": 3, "total_tokens": prompt + 3}


def _events(request: dict[str, Any], text: str) -> bytes:
    base = _base(request, "chat.completion.chunk")
    pieces = [({"role": "assistant", "content": text}, None), ({}, "stop")]
    events = [{**base, "choices": [{"index": 0, "delta": d, "finish_reason": reason}]} for d, reason in pieces]
    if (request.get("stream_options") or {}).get("include_usage"):
        events.append({**base, "choices": [], "usage": _usage(request)})
    return b"".join(b"data: " + _json(event) + b"\n\n" for event in events) + b"data: [DONE]\n\n"


def _response(request: dict[str, Any], text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    usage = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10, **details}
    head = {"id": "resp_1", "object": "response", "created_at": 0, "status": "completed", "model": request["model"]}
    rest = {
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "usage": {**usage, **details},
    }
    return {**head, **rest, "output": [item]}


def _json(value: object) -> bytes:
    return json.dumps(value).encode()
