"""What a request says, once its body has been read: values only, no parsing.

Everything here is immutable. Offsets named ``*_byte`` count bytes of the body as received; offsets into text count
characters.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, Union

Dialect: TypeAlias = Literal[
    "openai-chat", "openai-completions", "openai-responses", "openai-embeddings", "anthropic-messages"
]
Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Kind: TypeAlias = Literal["text", "tool_schema", "tool_result"]
Scope: TypeAlias = Literal["last_user", "user", "user_and_tools", "all"]

#: Stands between two segments when they are read as one text. A single newline: what a model's chat template puts
#: there at the least, so an attack split over a seam is as contiguous for the classifiers as for the model.
SEAM = "\n"


@dataclass(frozen=True, slots=True)
class Segment:
    """One run of decoded text in a request.

    Attributes
    ----------
    role, kind
        Who says it and what it is; an unknown role counts as ``user``, an unknown kind as ``text``.
    text
        Decoded text; left out of the repr, which ends up in logs.
    start_byte, end_byte
        Half-open range of the JSON string, quotes included, in the received body; (0, 0) for a request given as a
        mapping.
    turn
        Index of the message it belongs to, from 0; -1 for text outside messages (system prompt, tools).
    """

    role: Role
    kind: Kind
    text: str = field(repr=False)
    start_byte: int
    end_byte: int
    turn: int


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request as the policy sees it.

    Attributes
    ----------
    n_images
        Images, audio and files that no classifier reads.
    tools
        Names of the declared tools, in order.
    max_output_tokens
        The client's cap on generated tokens, None if absent.
    n_text_bytes
        UTF-8 bytes of all decoded text, tools and system included: what a token budget is computed from.
    """

    dialect: Dialect
    model: str | None
    stream: bool
    segments: tuple[Segment, ...]
    n_images: int
    tools: tuple[str, ...]
    max_output_tokens: int | None
    n_text_bytes: int

    def text(self, scope: Scope = "all") -> str:
        """Return the text of a scope, segments joined by a newline, in the order of the body."""
        return SEAM.join(segment.text for segment in self.select(scope))

    def select(self, scope: Scope = "all") -> tuple[Segment, ...]:
        """Return the segments of a scope, in the order of the body."""
        if scope == "all":
            return self.segments
        if scope == "last_user":
            last = max((s.turn for s in self.segments if in_scope(s.role, s.kind, "user")), default=None)
            return tuple(s for s in self.segments if s.turn == last and in_scope(s.role, s.kind, "user"))
        return tuple(s for s in self.segments if in_scope(s.role, s.kind, scope))


def in_scope(role: Role, kind: Kind, scope: Scope) -> bool:
    """Say whether text of this role and kind belongs to a scope; ``last_user`` counts as ``user``."""
    if scope == "all":
        return True
    if kind == "text" and role == "user":
        return True
    return scope == "user_and_tools" and (kind != "text" or role == "tool")


@dataclass(frozen=True, slots=True)
class ModelFound:
    """The requested model is known."""

    model: str


@dataclass(frozen=True, slots=True)
class StreamFound:
    """The stream flag is known."""

    stream: bool


@dataclass(frozen=True, slots=True)
class TextGrown:
    """A segment grew by `text`.

    Attributes
    ----------
    segment
        Running number of the segment, in the order in which segments begin in the body.
    role, kind
        None while the bytes do not tell yet (a ``content`` before its ``role``).
    text
        What came since the last event of this segment; whole characters.
    closed
        True when the segment is complete, and role and kind are known: nothing later changes it.
    """

    segment: int
    role: Role | None
    kind: Kind | None
    text: str = field(repr=False)
    closed: bool


@dataclass(frozen=True, slots=True)
class BodyComplete:
    """The closing brace arrived; only white space may follow."""


BodyEvent: TypeAlias = Union[ModelFound, StreamFound, TextGrown, BodyComplete]
