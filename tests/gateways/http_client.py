"""One HTTP exchange with a gateway on loopback."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    def json(self) -> Any:
        return json.loads(self.text)


def post(port: int, path: str, body: object, **headers: str) -> Answer:
    """Send a body, as JSON unless it is bytes, and read the whole answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    named = {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    try:
        connection.request("POST", path, body if isinstance(body, bytes) else json.dumps(body), named)
        response = connection.getresponse()
        text = response.read().decode()
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, text)
    finally:
        connection.close()


def chat(text: str, **parameters: object) -> dict[str, object]:
    """Write a chat completion, or a message of Anthropic's API."""
    return {"model": "auto", "messages": [{"role": "user", "content": text}], **parameters}
