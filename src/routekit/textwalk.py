"""Walks the grammar beside the JSON and turns what the scanner meets into segments and events.

The twin of ``native/json/walk.hpp``, which does the same in C++.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TypeAlias

from routekit.grammar import Grammar, Node, Use, is_identifier
from routekit.refusals import Refusal, refuse
from routekit.request import BodyComplete, BodyEvent, Kind, Role, Segment, TextGrown

#: Called with the rare values that are no text (model, stream, max tokens, tool names); may give an event or raise.
Capture: TypeAlias = Callable[[Use, object, int], BodyEvent | None]


class Mode(IntEnum):
    """How the scanner reads a string."""

    SKIP = 0  # validate only
    TEXT = 1  # hand over pieces as they come
    WHOLE = 2  # hand over at once, at its end


class _Open:
    """An open object or array."""

    __slots__ = ("has_media", "is_object", "keys", "kind", "node", "opaque", "role", "turn", "value")

    def __init__(self, node: Node, is_object: bool, role: Role | None, kind: Kind, turn: int) -> None:
        self.node = node
        self.value = node  # node of the next value: set by each key, constant in an array
        self.is_object = is_object
        self.role = role
        self.kind = kind
        self.turn = turn
        self.keys = 0  # bit i: single key i was there
        self.opaque = False
        self.has_media = False


class _Growing:
    """A segment that is not final yet."""

    __slots__ = ("end", "kind", "number", "pieces", "role", "start", "turn")

    def __init__(self, number: int, role: Role | None, kind: Kind, start: int, turn: int) -> None:
        self.number = number
        self.role = role
        self.kind = kind
        self.start = start
        self.end = start
        self.turn = turn
        self.pieces: list[str] = []


class TextWalk:
    """Follows one body; the scanner calls the methods in the order of the bytes.

    Attributes
    ----------
    events
        What happened since the scanner last took them.
    seen
        Key -> first character of the value, for known top-level keys whose value is not null.
    model_span
        Byte range of the top-level model value, None while there was none.
    n_images, n_text_bytes
        As in `RequestView`.
    """

    def __init__(self, grammar: Grammar, capture: Capture, max_segments: int) -> None:
        self.events: list[BodyEvent] = []
        self.seen: dict[str, str] = {}
        self.model_span: tuple[int, int] | None = None
        self.n_images = 0
        self.n_text_bytes = 0
        self._grammar = grammar
        self._capture = capture
        self._max_segments = max_segments
        self._single = {key: 1 << bit for bit, key in enumerate(grammar.single_keys)}
        self._open: list[_Open] = []
        self._segments: list[_Growing] = []
        self._text: _Growing | None = None  # the string being read, once it has a first character
        self._pending: list[_Growing] = []  # complete texts of the open message, whose role is not known yet
        self._message_type = ""
        self._n_messages = 0
        self._use = Use.SKIP
        self._key = ""
        self._start = 0

    @property
    def depth(self) -> int:
        """Number of open objects and arrays."""
        return len(self._open)

    @property
    def in_object(self) -> bool:
        return self._open[-1].is_object

    def segments(self) -> tuple[Segment, ...]:
        """Give the segments of the complete body."""
        return tuple(
            Segment(s.role or "user", s.kind, "".join(s.pieces), s.start, s.end, s.turn) for s in self._segments
        )

    def begin(self, is_object: bool, at: int) -> None:
        """Open an object or an array."""
        if not self._open:
            if not is_object:
                refuse(Refusal.NOT_AN_OBJECT, at)
            self._open.append(_Open(self._grammar.nodes["root"], True, None, "text", -1))
            return
        above = self._open[-1]
        node = above.value
        if (node.others if is_object else node.elements) is None:
            self._wrong_type(at, "{" if is_object else "[")
        self._note_value("{" if is_object else "[")
        if node.media and not above.node.media:
            self._count_media(above)
        opened = _Open(
            node, is_object, node.role or above.role, node.kind or above.kind, 0 if node.turn else above.turn
        )
        if is_object and node.message:
            opened.role, opened.turn = None, self._n_messages
            self._n_messages += 1
            self._message_type = ""
        elif not is_object:
            opened.value = self._grammar.nodes[node.elements or "skip"]
        self._open.append(opened)

    def end(self) -> None:
        """Close the innermost object or array."""
        closed = self._open.pop()
        if not self._open:
            self.events.append(BodyComplete())
        if closed.is_object and closed.node.message and closed.role is None:
            types = self._grammar.assistant_types
            self._resolve(closed, "assistant" if self._message_type in types else "user")

    def key(self, key: str, start: int, end: int) -> None:
        """Take the key of the next value."""
        top = self._open[-1]
        bit = self._single.get(key, 0)
        if top.keys & bit:
            refuse(Refusal.REPEATED_KEY, start, key)
        top.keys |= bit
        if len(self._open) == 1 and self._grammar.is_case_variant(key):
            refuse(Refusal.CASE_VARIANT, start, key)
        name = top.node.members.get(key, top.node.others)
        top.value = self._grammar.nodes[name or "skip"]
        self._key = key
        if top.node.judge_keys and not is_identifier(key):
            self._whole_segment(key, start, end, top.node)

    def begin_string(self, at: int) -> Mode:
        """Decide how the string value that starts at `at` is read."""
        top = self._open[-1]
        node, use = top.value, top.value.string
        if use in (Use.WRONG, Use.TOKEN_IDS):
            self._refuse_scalar(use, at, '"')
        self._note_value('"')
        if node.media and not top.node.media:
            self._count_media(top)
        if use is Use.DATA:
            use = Use.SKIP if top.opaque else Use.TEXT
        self._use, self._start = use, at
        return Mode.SKIP if use is Use.SKIP else Mode.TEXT if use is Use.TEXT else Mode.WHOLE

    def piece(self, text: str) -> None:
        """Take the next characters of a string read in `Mode.TEXT`; at least one."""
        if self._text is None:
            self._text = self._begin_segment(self._start, self._open[-1].value)
        self._grow(self._text, text, closed=False)

    def end_string(self, text: str, end: int) -> None:
        """Take the rest of a string: its last characters in `Mode.TEXT`, all of them in `Mode.WHOLE`."""
        if self._use is Use.TEXT:
            if self._text is None:
                if not text:
                    return
                self._text = self._begin_segment(self._start, self._open[-1].value)
            self._text.end = end
            self._grow(self._text, text, closed=True)
            self._text = None
        elif self._use is not Use.SKIP:
            self._whole_string(self._use, text, end)

    def scalar(self, literal: str, start: int, end: int) -> None:
        """Take a number, true, false or null."""
        node = self._open[-1].value
        if literal == "null":
            if node.string is Use.MODEL:
                self.model_span = (start, end)
            return
        use = node.boolean if literal in ("true", "false") else node.number
        if use in (Use.WRONG, Use.TOKEN_IDS):
            self._refuse_scalar(use, start, literal[0])
        self._note_value(literal[0])
        if use is not Use.SKIP:
            self._emit(self._capture(use, literal, start))

    def _whole_string(self, use: Use, text: str, end: int) -> None:
        top = self._open[-1]
        if use is Use.MODEL:
            self.model_span = (self._start, end)
            self._emit(self._capture(use, text, self._start))
        elif use is Use.TOOL_NAME:
            self._capture(use, text, self._start)
            self._whole_segment(text, self._start, end, top.value)
        else:
            if use is Use.TOOL_TYPE:
                self._capture(use, text, self._start)
            known = use is Use.TYPE and self._take_type(top, text)
            if use is Use.ROLE:
                self._resolve(top, self._grammar.roles.get(text, "user"))
            if text and not known and not is_identifier(text):
                self._whole_segment(text, self._start, end, top.value)

    def _take_type(self, top: _Open, text: str) -> bool:
        top.opaque = text in self._grammar.opaque_types
        if text in self._grammar.media_types:
            self._count_media(top)
        if top.node.message:
            self._message_type = text
        return top.opaque

    def _resolve(self, message: _Open, role: Role) -> None:
        """Give the open message its role, and its complete texts their last event."""
        message.role = role
        for segment in self._pending:
            self._settle(segment, role)
            self.events.append(TextGrown(segment.number, segment.role, segment.kind, "", True))
        self._pending.clear()

    def _begin_segment(self, start: int, node: Node) -> _Growing:
        number = len(self._segments)
        if number == self._max_segments:
            refuse(Refusal.TOO_MANY_SEGMENTS, start, str(self._max_segments))
        top = self._open[-1]
        kind = node.kind or top.kind
        turn = 0 if node.turn else top.turn
        segment = _Growing(number, None, kind, start, turn)
        role = node.role or top.role
        if role is not None:
            self._settle(segment, role)
        self._segments.append(segment)
        return segment

    @staticmethod
    def _settle(segment: _Growing, role: Role) -> None:
        segment.role = role
        if role == "tool" and segment.kind == "text":
            segment.kind = "tool_result"

    def _grow(self, segment: _Growing, text: str, closed: bool) -> None:
        self.n_text_bytes += len(text.encode())
        segment.pieces.append(text)
        kind = segment.kind if segment.role else None
        self.events.append(TextGrown(segment.number, segment.role, kind, text, closed and segment.role is not None))
        if closed and segment.role is None:
            self._pending.append(segment)

    def _whole_segment(self, text: str, start: int, end: int, node: Node) -> None:
        if text:
            segment = self._begin_segment(start, node)
            segment.end = end
            self._grow(segment, text, closed=True)

    def _count_media(self, holder: _Open) -> None:
        self.n_images += not holder.has_media
        holder.has_media = True

    def _note_value(self, first: str) -> None:
        if len(self._open) == 1 and self._key in self._open[0].node.members:
            self.seen[self._key] = first

    def _emit(self, event: BodyEvent | None) -> None:
        if event is not None:
            self.events.append(event)

    def _wrong_type(self, at: int, first: str) -> None:
        """Refuse a value that begins with this character."""
        top = self._open[-1]
        refuse(Refusal.WRONG_TYPE, at, first + (self._key if top.is_object else "an array element"))

    def _refuse_scalar(self, use: Use, at: int, first: str) -> None:
        if use is Use.TOKEN_IDS:
            refuse(Refusal.TOKEN_IDS, at)
        self._wrong_type(at, first)
