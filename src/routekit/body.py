"""The body reader: bytes in, events out, and at the end a `RequestView` and the bytes to forward. Sans-IO.

>>> reader = JsonBodyReader()
>>> reader.feed(b'{"model":"auto","messages":[{"role":"user","content":"Hel')
(ModelFound(model='auto'), TextGrown(segment=0, role='user', kind='text', closed=False))
>>> reader.feed(b'lo"}]}')
(TextGrown(segment=0, role='user', kind='text', closed=True), BodyComplete())
>>> reader.close().text()
'Hello'
>>> b"".join(reader.rewrite(model="small"))
b'{"model":"small","messages":[{"role":"user","content":"Hello"}]}'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NoReturn

import orjson
from typing_extensions import Buffer

from routekit.dialects import dialect_choice, settle_dialect
from routekit.errors import BodyError, BodyTimeout, ConfigError, UsageError
from routekit.interfaces import RequestLike
from routekit.kept_bytes import JOIN_EVERY, KeptBytes, frozen
from routekit.request import BodyEvent, RequestView, Segment
from routekit.request_head import RequestHead
from routekit.scanners import DEFAULT, ScannerFactory

#: Deepest nesting that orjson reads, in open objects and arrays; deeper bodies are invalid for it.
ORJSON_MAX_DEPTH = 1024
#: Above what the known APIs take with images inline (Anthropic 32 MB, OpenAI 50 MB).
DEFAULT_MAX_BYTES = 64 * 1024 * 1024
#: A few hundred bytes each; agents with a hundred tools send some ten thousand.
DEFAULT_MAX_SEGMENTS = 100_000
#: What the native scanner counts with.
_MAX_COUNT = 2**63 - 1


class JsonBodyReader:
    """Reads one request body as it arrives.

    `feed` gives the events that the bytes so far allow, or raises; `close` gives the view of a complete body, or
    raises; `rewrite` gives the bytes to forward, after `close`. A reader that raised a `BodyError` raises the same
    again from then on. One reader serves one body and one thread at a time.

    Parameters
    ----------
    dialect
        One of `routekit.request.Dialect`, or ``"auto"`` to decide by path and keys.
    path
        The path of the request, which tells the dialect when `dialect` does not.
    max_bytes, max_depth, max_segments
        Limits on the body: size in bytes, open objects and arrays (at most 1024, which is orjson's), texts.
    deadline
        Latest time at which bytes may still come, on the clock of the caller's `now`, in seconds.
    scanner
        The scanner to use; by default the native one where it was built.

    Raises
    ------
    ConfigError
        If the dialect is unknown or a limit is out of range.

    Notes
    -----
    A body is valid when orjson accepts it, except that no object may repeat a key of
    `routekit.request_grammar.SINGLE_KEYS`, and no top-level key may be a case variant of one.

    Segments are numbered in the order in which their first characters arrive; empty strings are none. A text whose
    message has not told its role grows with role and kind None, and gets a last event without text once they are
    known: at the role, or at the end of the message.
    """

    __slots__ = ("__weakref__", "_body", "_choice", "_deadline", "_failure", "_head", "_scan", "_scanner", "_view")

    def __init__(
        self,
        dialect: str = "auto",
        *,
        path: str | None = None,
        max_bytes: int = DEFAULT_MAX_BYTES,
        max_depth: int = ORJSON_MAX_DEPTH,
        max_segments: int = DEFAULT_MAX_SEGMENTS,
        deadline: float | None = None,
        scanner: ScannerFactory | None = None,
    ) -> None:
        _check_limit("max_bytes", max_bytes, _MAX_COUNT)
        _check_limit("max_depth", max_depth, ORJSON_MAX_DEPTH)
        _check_limit("max_segments", max_segments, _MAX_COUNT)
        if deadline is not None and deadline != deadline:
            raise ConfigError("deadline is NaN, which nothing is later than; give seconds on the clock of now")
        self._choice = dialect_choice(dialect, path)
        self._deadline = deadline
        self._head = RequestHead()
        self._scanner = (scanner or DEFAULT)(self._head.capture, max_bytes, max_depth, max_segments)
        self._scan: Callable[[bytes | memoryview], tuple[BodyEvent, ...]] = self._scanner.feed
        self._body = KeptBytes()
        self._failure: Callable[[], BodyError] | None = None  # makes the error anew
        self._view: RequestView | None = None

    def feed(self, chunk: Buffer, *, now: float | None = None) -> tuple[BodyEvent, ...]:
        """Take the next bytes of the body.

        Parameters
        ----------
        chunk
            Any bytes-like object, of any item format; empty ones are fine. Mutable ones are copied.
        now
            The caller's clock, in seconds; compared with the deadline only.

        Returns
        -------
        events, in the order of the bytes.

        Raises
        ------
        BodyError
            As soon as the bytes rule out a request within the limits.
        UsageError
            After `close`, or for a chunk that is not bytes-like.
        """
        data = chunk if type(chunk) is bytes else frozen(chunk)
        try:
            if now is not None and self._deadline is not None and now > self._deadline:
                raise BodyTimeout(f"the body is incomplete {now - self._deadline:.3f} s after its deadline")
            events = self._scan(data)
        except BodyError as failure:
            self._remember(failure)
            raise
        chunks = self._body.chunks  # KeptBytes.keep without the call, which every chunk of every body would pay
        chunks.append(data)
        if not len(chunks) % JOIN_EVERY:
            self._body.join_small()
        return events

    def close(self) -> RequestView:
        """Say that the body has ended, and give what it says. May be called again.

        Raises
        ------
        MalformedBody
            If the body is incomplete or no request of its dialect.
        UnsupportedBody
            If its dialect is ambiguous.
        """
        self._raise_failure()
        if self._view is None:
            try:
                self._scanner.finish()
                dialect = settle_dialect(self._choice, self._scanner.seen)
            except BodyError as failure:
                self._remember(failure)
                raise
            head = self._head
            self._view = self._scanner.view(dialect, head.model, head.stream, tuple(head.tools), head.max_output_tokens)
            self._scan = _refuse_chunk
        return self._view

    def rewrite(self, *, model: str | None = None, texts: Mapping[int, str] | None = None) -> list[memoryview]:
        """Give the received bytes with other values in place of some.

        Parameters
        ----------
        model
            Replaces the top-level model value, or is put after the opening brace where there is none; None keeps it.
        texts
            Index into `RequestView.segments` -> text that replaces the whole segment.

        Returns
        -------
        views over the received chunks and over the new values; every other byte is the one received.

        Raises
        ------
        UsageError
            Before `close`, or for an index without a segment, or for text that is not valid Unicode.
        """
        self._raise_failure()
        if self._view is None:
            raise UsageError("rewrite() comes after close(): until then the body may still turn out malformed")
        patches = [_text_patch(self._view.segments, *item) for item in texts.items()] if texts else []
        if model is not None:
            patches.append(self._model_patch(model))
        return self._body.splice(sorted(patches))

    def _model_patch(self, model: str) -> tuple[int, int, bytes]:
        value = _json_string(model)
        span = self._scanner.model_span
        if span is not None:
            return (*span, value)
        at = self._scanner.first_brace + 1
        return (at, at, b'"model":' + value + (b"" if self._scanner.is_blank else b","))

    def _remember(self, failure: BodyError) -> None:
        # What is kept is neither the exception, whose traceback holds this reader, nor a bound method: a reference
        # cycle would keep the body in memory until the next garbage collection.
        if self._failure is None:
            self._failure = partial(type(failure), *failure.args)
            self._scan = partial(_fail_again, self._failure)

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure()


def _check_limit(name: str, value: int, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise ConfigError(f"{name} is {value!r}; allowed: integers from 1 to {most}")


def _fail_again(failure: Callable[[], BodyError], _: bytes | memoryview) -> NoReturn:
    raise failure()


def _refuse_chunk(_: bytes | memoryview) -> NoReturn:
    raise UsageError("feed() after close(): use a new reader for each body")


def read_request(request: RequestLike, *, dialect: str = "auto") -> RequestView:
    """Read a whole request, given as bytes, as a mapping, or as what it was read to before.

    Parameters
    ----------
    request
        The body, or the mapping that its JSON says; a `RequestView` is returned as it is.
    dialect
        As in `JsonBodyReader`.

    Returns
    -------
    view: the same for a mapping as for its JSON, byte ranges aside, which are (0, 0) for a mapping.

    Raises
    ------
    BodyError
        If the body is no request.
    UsageError
        If a mapping cannot be written as JSON.

    Examples
    --------
    >>> read_request({"model": "auto", "messages": [{"role": "user", "content": "Hi"}]}).text("user")
    'Hi'
    """
    if isinstance(request, RequestView):
        return request
    reader = JsonBodyReader(dialect)
    if not isinstance(request, Mapping):
        reader.feed(request)
        return reader.close()
    reader.feed(json_of(request))
    view = reader.close()
    return replace(view, segments=tuple(replace(s, start_byte=0, end_byte=0) for s in view.segments))


def json_of(request: Mapping[str, object]) -> bytes:
    """Write a request mapping as a body, or raise UsageError."""
    try:
        return orjson.dumps(dict(request))
    except TypeError:
        raise UsageError(
            "the request mapping cannot be written as JSON: keys must be strings, values of JSON's types, "
            "integers within 64 bits, text valid Unicode, nesting at most 254 levels"
        ) from None


def _json_string(text: str) -> bytes:
    with suppress(TypeError):  # a lone surrogate
        if isinstance(text, str):
            return orjson.dumps(text)
    raise UsageError("a replacement must be a str that is valid Unicode")


def _text_patch(segments: Sequence[Segment], index: int, text: str) -> tuple[int, int, bytes]:
    if not 0 <= index < len(segments):
        raise UsageError(f"no segment {index}: the request has {len(segments)}, counted from 0")
    return (segments[index].start_byte, segments[index].end_byte, _json_string(text))
