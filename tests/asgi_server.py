"""A small OpenAI- and Anthropic-compatible server behind the middleware, under uvicorn on loopback."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import orjson
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

USAGE = {"prompt_tokens": 11, "completion_tokens": 2, "total_tokens": 13}


def small_llm() -> FastAPI:
    """Answer every dialect with the name of the model that was asked for."""
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def chat_completions(request: Request) -> Response:
        body = orjson.loads(await request.body())
        head = {"id": "1", "created": 1, "model": body["model"]}
        said = {"role": "assistant", "content": body["model"]}
        if body.get("stream"):
            chunk = {
                **head,
                "object": "chat.completion.chunk",
                "choices": [{"index": 0, "delta": said}],
                "usage": USAGE,
            }
            events = [b"data: " + orjson.dumps(chunk) + b"\n\n", b"data: [DONE]\n\n"]
            return StreamingResponse(iter(events), media_type="text/event-stream")
        choice = {"index": 0, "message": said, "finish_reason": "stop"}
        return JSONResponse({**head, "object": "chat.completion", "choices": [choice], "usage": USAGE})

    @app.post("/v1/responses")
    async def responses(request: Request) -> Response:
        model = orjson.loads(await request.body())["model"]
        said = {"type": "output_text", "text": model, "annotations": []}
        output = [{"type": "message", "id": "1", "role": "assistant", "status": "completed", "content": [said]}]
        head = {"id": "1", "object": "response", "created_at": 1, "model": model, "tools": [], "tool_choice": "auto"}
        return JSONResponse({**head, "output": output, "parallel_tool_calls": False})

    @app.post("/v1/messages")
    async def messages(request: Request) -> Response:
        model = orjson.loads(await request.body())["model"]
        head = {"id": "1", "type": "message", "role": "assistant", "model": model, "stop_reason": "end_turn"}
        usage = {"input_tokens": 11, "output_tokens": 2}
        return JSONResponse({**head, "content": [{"type": "text", "text": model}], "usage": usage})

    @app.get("/v1/models")
    async def models(request: Request) -> dict[str, Any]:
        return {"judged": "routekit" in request.scope}

    return app


class Served:
    """Where a server listens.

    Attributes
    ----------
    url
        ``http://127.0.0.1:PORT``.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def connect(self) -> socket.socket:
        """Open a raw connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def send(self, request: bytes) -> bytes:
        """Send raw bytes, and give all that comes back until the server closes."""
        with self.connect() as connection:
            connection.sendall(request)
            return read_all(connection)


def read_all(connection: socket.socket) -> bytes:
    """Read until the server closes."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


def post(path: str, body: bytes, **headers: str) -> bytes:
    """Write a request that closes its connection."""
    given = {"content_length": str(len(body)), "connection": "close", **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in given.items())
    return f"POST {path} HTTP/1.1\r\nhost: x\r\n{lines}\r\n".encode() + body


@contextmanager
def served(app: Any, http: str = "h11") -> Iterator[Served]:
    """Run an app under uvicorn, in a thread."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(app, http=http, ws="none", log_level="critical", lifespan="on")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.005)
    try:
        yield Served(listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
        assert not thread.is_alive(), "the server did not stop"
