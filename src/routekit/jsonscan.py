"""An incremental JSON scanner in pure Python: the fallback for ``routekit._json``, and the oracle of its tests.

It finds out where tokens end; whether a string or a number is valid is orjson's own verdict on that token. Bytes are
seen once: what a chunk leaves open (half an escape, half a character) is at most 17 bytes, carried to the next one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn, TypeAlias

import orjson

from routekit.grammar import Grammar
from routekit.refusals import Refusal, refuse
from routekit.request import BodyEvent, Dialect, RequestView
from routekit.textwalk import Capture, Mode, TextWalk

_BLANKS = re.compile(rb"[ \t\n\r]*")
_NUMBER = re.compile(rb"[0-9+\-.eE]*")
_LITERALS = {b"t"[0]: b"true", b"f"[0]: b"false", b"n"[0]: b"null"}
_HIGH_SURROGATE = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}")
_BOM = b"\xef"  # its first byte, which starts nothing else that could stand there


_Step: TypeAlias = "Callable[[PythonScanner, bytes, int], int]"


class PythonScanner:
    """Reads one body; ``native/json`` has the same interface.

    Parameters
    ----------
    grammar
        What the strings of a body mean.
    capture
        Takes the rare values that are no text.
    max_bytes
        Size of the body.
    max_depth
        Open objects and arrays at once.
    max_segments
        Texts in the body.

    Attributes
    ----------
    complete
        The closing brace arrived.
    first_brace, is_blank
        Offset of the opening brace, -1 before it; whether the body has no key yet.
    """

    def __init__(self, grammar: Grammar, capture: Capture, max_bytes: int, max_depth: int, max_segments: int) -> None:
        self.complete = False
        self.first_brace = -1
        self.is_blank = True
        self._walk = TextWalk(grammar, capture, max_segments)
        self._max_bytes = max_bytes
        self._max_depth = max_depth
        self._step: _Step = PythonScanner._value  # a function: a bound method would make a reference cycle
        self._base = 0  # offset in the body of the first byte of the data at hand
        self._carry = b""
        self._mode = Mode.SKIP
        self._is_key = False
        self._start = 0
        self._pieces: list[str] = []
        self._token = bytearray()
        self._n_bytes = 0

    @property
    def seen(self) -> dict[str, str]:
        return self._walk.seen

    @property
    def model_span(self) -> tuple[int, int] | None:
        return self._walk.model_span

    def view(
        self,
        dialect: Dialect,
        model: str | None,
        stream: bool,
        tools: tuple[str, ...],
        max_output_tokens: int | None,
        /,
    ) -> RequestView:
        """Give the view of a complete body, from what the scanner does not know."""
        walk = self._walk
        return RequestView(
            dialect=dialect,
            model=model,
            stream=stream,
            segments=walk.segments(),
            n_images=walk.n_images,
            tools=tools,
            max_output_tokens=max_output_tokens,
            n_text_bytes=walk.n_text_bytes,
        )

    def feed(self, chunk: bytes | memoryview, /) -> tuple[BodyEvent, ...]:
        """Scan the next bytes.

        Raises
        ------
        BodyError
            As soon as the bytes rule out a request.
        """
        if self._n_bytes + len(chunk) > self._max_bytes:
            refuse(Refusal.TOO_LARGE, self._n_bytes, str(self._max_bytes))
        data = self._carry + chunk
        self._base = self._n_bytes - len(self._carry)
        self._n_bytes += len(chunk)
        self._carry = b""
        at = 0
        while at < len(data):
            at = self._step(self, data, at)
        events, self._walk.events = self._walk.events, []
        return tuple(events)

    def finish(self) -> None:
        """Say that no more bytes come.

        Raises
        ------
        MalformedBody
            If the body is not complete.
        """
        if not self.complete:
            incomplete = Refusal.BLANK if self.first_brace < 0 else Refusal.TRUNCATED
            refuse(incomplete if self._n_bytes else Refusal.EMPTY, self._n_bytes)

    # Each step reads on from `at` and gives the offset where the next step starts.

    def _value(self, data: bytes, at: int, *, or_end: bool = False) -> int:
        at = _blanks(data, at)
        if at == len(data):
            return at
        first = data[at : at + 1]
        if first == b'"':
            return self._open_string(at)
        if first in (b"{", b"["):
            return self._open(first == b"{", at)
        if or_end and first == b"]":
            return self._close(at)
        if first in b"-0123456789tfn":
            if not self._walk.depth:
                refuse(Refusal.NOT_AN_OBJECT, self._base + at)
            self._start = self._base + at
            self._step = PythonScanner._literal if first.isalpha() else PythonScanner._number
            return at
        if first == _BOM and self._base + at == 0:
            refuse(Refusal.BOM, 0)
        allowed = "value or end" if or_end else "value" if self._walk.depth else "request"
        return self._unexpected(data, at, allowed)

    def _value_or_end(self, data: bytes, at: int) -> int:
        return self._value(data, at, or_end=True)

    def _open(self, is_object: bool, at: int) -> int:
        if self._walk.depth == self._max_depth:
            refuse(Refusal.TOO_DEEP, self._base + at, str(self._max_depth))
        self._walk.begin(is_object, self._base + at)
        if self._walk.depth == 1:
            self.first_brace = self._base + at
        self._step = PythonScanner._key_or_end if is_object else PythonScanner._value_or_end
        return at + 1

    def _close(self, at: int) -> int:
        self._walk.end()
        if self._walk.depth:
            self._step = PythonScanner._comma_or_end
        else:
            self.complete = True
            self._step = PythonScanner._after_end
        return at + 1

    def _key_or_end(self, data: bytes, at: int) -> int:
        return self._key(data, at, or_end=True)

    def _key(self, data: bytes, at: int, *, or_end: bool = False) -> int:
        at = _blanks(data, at)
        if at == len(data):
            return at
        if data[at] == 0x22:
            self.is_blank = False
            self._is_key, self._mode, self._start = True, Mode.WHOLE, self._base + at
            self._step = PythonScanner._string
            return at + 1
        if or_end and data[at] == 0x7D:
            return self._close(at)
        return self._unexpected(data, at, "key or end" if or_end else "key")

    def _colon(self, data: bytes, at: int) -> int:
        at = _blanks(data, at)
        if at == len(data):
            return at
        if data[at] != 0x3A:
            self._unexpected(data, at, "colon")
        self._step = PythonScanner._value
        return at + 1

    def _comma_or_end(self, data: bytes, at: int) -> int:
        at = _blanks(data, at)
        if at == len(data):
            return at
        in_object = self._walk.in_object
        if data[at] == 0x2C:
            self._step = PythonScanner._key if in_object else PythonScanner._value
            return at + 1
        if data[at] == (0x7D if in_object else 0x5D):
            return self._close(at)
        return self._unexpected(data, at, "comma or brace" if in_object else "comma or bracket")

    def _after_end(self, data: bytes, at: int) -> int:
        at = _blanks(data, at)
        if at < len(data):
            refuse(Refusal.TRAILING, self._base + at)
        return at

    def _open_string(self, at: int) -> int:
        if not self._walk.depth:
            refuse(Refusal.NOT_AN_OBJECT, self._base + at)
        self._start = self._base + at
        self._is_key, self._mode = False, self._walk.begin_string(self._start)
        self._step = PythonScanner._string
        return at + 1

    def _string(self, data: bytes, at: int) -> int:
        quote = _closing_quote(data, at)
        end = _last_whole_unit(data, at) if quote < 0 else quote
        text = self._decode(data[at:end], at)
        if quote < 0:
            self._carry = data[end:]
            if self._mode is Mode.WHOLE:
                self._pieces.append(text)
            elif self._mode is Mode.TEXT and text:
                self._walk.piece(text)
            return len(data)
        self._end_string(text, self._base + quote + 1)
        return quote + 1

    def _end_string(self, text: str, end: int) -> None:
        if self._pieces:
            text = "".join((*self._pieces, text))
            self._pieces.clear()
        if self._is_key:
            self._walk.key(text, self._start, end)
            self._step = PythonScanner._colon
        else:
            self._walk.end_string(text, end)
            self._step = PythonScanner._comma_or_end

    def _decode(self, raw: bytes, at: int) -> str:
        text = _value_of(b'"%b"' % raw)
        if text is None:
            refuse(Refusal.STRING, self._base + at)
        return str(text)

    def _literal(self, data: bytes, at: int) -> int:
        wanted = _LITERALS[self._token[0] if self._token else data[at]]
        end = min(at + len(wanted) - len(self._token), len(data))
        self._token += data[at:end]
        if not wanted.startswith(self._token):
            refuse(Refusal.SYNTAX, self._start, "literal:")
        if self._token == wanted:
            self._end_scalar(end)
        return end

    def _number(self, data: bytes, at: int) -> int:
        end = _end_of(_NUMBER, data, at)
        self._token += data[at:end]
        if end < len(data):
            if _value_of(self._token) is None:
                refuse(Refusal.NUMBER, self._start)
            self._end_scalar(end)
        return end

    def _end_scalar(self, end: int) -> None:
        self._walk.scalar(self._token.decode(), self._start, self._base + end)
        self._token.clear()
        self._step = PythonScanner._comma_or_end

    def _unexpected(self, data: bytes, at: int, allowed: str) -> NoReturn:
        refuse(Refusal.SYNTAX, self._base + at, f"{allowed}:{data[at]}")


def _value_of(token: bytes | bytearray) -> object:
    """Give the value of one string or number, None where orjson refuses it; its error would carry the text."""
    try:
        return orjson.loads(token)
    except orjson.JSONDecodeError:
        return None


def _end_of(pattern: re.Pattern[bytes], data: bytes, at: int) -> int:
    found = pattern.match(data, at)
    return found.end() if found else at


def _blanks(data: bytes, at: int) -> int:
    return _end_of(_BLANKS, data, at)


def _closing_quote(data: bytes, start: int) -> int:
    """Find the quote that ends a string whose body begins at `start`; -1 if it has not come."""
    since = start
    while (quote := data.find(b'"', since)) >= 0:
        between = data[since:quote]
        n_backslashes = len(between) - len(between.rstrip(b"\\"))
        if n_backslashes % 2 == 0:
            return quote
        since = quote + 1
    return -1


def _last_whole_unit(data: bytes, start: int) -> int:
    """Find where an unfinished character, escape or surrogate pair at the end of `data` begins."""
    end = len(data)
    for back in range(1, min(3, end - start) + 1):
        byte = data[end - back]
        if byte >= 0xC0:
            return end - back if back < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4) else end
        if byte < 0x80:
            break
    last = data.rfind(b"\\", max(start, end - 6), end)
    if last < 0 or not _starts_escape(data, start, last):
        return end
    is_whole = end - last >= (6 if data[last + 1 : last + 2] == b"u" else 2)
    if is_whole and not (end - last == 6 and _HIGH_SURROGATE.match(data, last)):
        return end
    pair = last - 6
    if pair >= start and _HIGH_SURROGATE.match(data, pair) and _starts_escape(data, start, pair):
        return end if is_whole else pair
    return last


def _starts_escape(data: bytes, start: int, at: int) -> bool:
    run = data[start : at + 1]
    return data[at] == 0x5C and (len(run) - len(run.rstrip(b"\\"))) % 2 == 1
