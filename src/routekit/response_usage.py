r"""Finds what a server counted, in its response as it passes: JSON, or a stream of server-sent events.

>>> reader = ResponseUsage("text/event-stream")
>>> reader.feed(b'data: {"choices": []}\n\nda')
>>> reader.feed(b'ta: {"choices": [], "usage": {"prompt_tokens": 7}}\n\ndata: [DONE]\n\n')
>>> reader.usage()
{'prompt_tokens': 7}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import orjson

#: A response, or one event, of more bytes is not kept: its usage is not learned from.
MAX_BYTES: Final = 1024 * 1024
#: Where the APIs put usage: at top level, in Anthropic's `message_start`, in the Responses API's `response.completed`.
_PLACES: Final = ("message", "response")


class ResponseUsage:
    """Reads one response.

    Parameters
    ----------
    content_type
        Of the response; other types than JSON and event streams are not read.
    """

    __slots__ = ("_kept", "_streams", "_usage", "_wanted")

    def __init__(self, content_type: str) -> None:
        kind = content_type.partition(";")[0].strip().lower()
        self._streams = kind == "text/event-stream"
        self._wanted = self._streams or kind == "application/json"
        self._kept = bytearray()
        self._usage: Mapping[str, object] | None = None

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        if not self._wanted:
            return
        self._kept += chunk
        if self._streams and b"\n" in chunk:
            *lines, rest = self._kept.split(b"\n")
            self._kept = bytearray(rest)
            for line in lines:
                if line.startswith(b"data:") and b'"usage"' in line:
                    self._note(bytes(line[5:]))
        if len(self._kept) > MAX_BYTES:
            self._wanted = False
            self._kept.clear()

    def usage(self) -> Mapping[str, object] | None:
        """Give the usage object at the end of the response, None if there was none."""
        if self._wanted and not self._streams:
            self._note(bytes(self._kept))
        return self._usage

    def _note(self, text: bytes) -> None:
        try:
            message = orjson.loads(text)
        except orjson.JSONDecodeError:
            return
        if not isinstance(message, dict):
            return
        for holder in (message, *(message.get(place) for place in _PLACES)):
            found = holder.get("usage") if isinstance(holder, dict) else None
            if isinstance(found, dict):
                self._usage = {**(self._usage or {}), **{key: v for key, v in found.items() if v is not None}}
