"""Why a body is refused: one code for each reason, and the message that goes with it.

Both scanners (Python and C++) name a reason by its code, so that the wording lives once.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NoReturn

from routekit.errors import BodyError, BodyTooLarge, MalformedBody, UnsupportedBody, quoted


class Refusal(IntEnum):
    """The reasons a scanner can give. Numbers are shared with ``native/json``."""

    EMPTY = 0
    BOM = 1
    NOT_AN_OBJECT = 2
    SYNTAX = 3
    STRING = 4
    NUMBER = 5
    TRUNCATED = 6
    TRAILING = 7
    REPEATED_KEY = 8
    CASE_VARIANT = 9
    WRONG_TYPE = 10
    TOKEN_IDS = 11
    TOO_DEEP = 12
    TOO_MANY_SEGMENTS = 13
    TOO_LARGE = 14


_WORDING: dict[Refusal, tuple[type[BodyError], str]] = {
    Refusal.EMPTY: (MalformedBody, "the body is empty; send a JSON object"),
    Refusal.BOM: (MalformedBody, "the body starts with a byte order mark; send UTF-8 without one"),
    Refusal.NOT_AN_OBJECT: (MalformedBody, "the body is JSON but no request: a request is an object in braces"),
    Refusal.SYNTAX: (MalformedBody, "byte {at} is not what JSON allows there"),
    Refusal.STRING: (
        MalformedBody,
        "the string near byte {at} has a control character, an unknown escape, a lone surrogate or invalid UTF-8",
    ),
    Refusal.NUMBER: (MalformedBody, "the number at byte {at} is malformed or too large for a double"),
    Refusal.TRUNCATED: (MalformedBody, "the body ends after {at} bytes, before its closing brace"),
    Refusal.TRAILING: (MalformedBody, "byte {at} follows the closing brace, where only white space may"),
    Refusal.REPEATED_KEY: (
        MalformedBody,
        "the object around byte {at} repeats the key {detail}; parsers disagree on which one counts: send it once",
    ),
    Refusal.CASE_VARIANT: (
        MalformedBody,
        "the key {detail} at byte {at} differs from a request key in letter case only; spell it as documented",
    ),
    Refusal.WRONG_TYPE: (MalformedBody, "the value at byte {at} has a JSON type that {detail} cannot have{allowed}"),
    Refusal.TOKEN_IDS: (
        UnsupportedBody,
        "byte {at} starts token ids or embeddings instead of text, which nobody can judge; send text",
    ),
    Refusal.TOO_LARGE: (BodyTooLarge, "the body has over {detail} bytes; send less or raise max_bytes"),
    Refusal.TOO_DEEP: (
        BodyTooLarge,
        "byte {at} nests deeper than {detail} levels; flatten the body or raise max_depth",
    ),
    Refusal.TOO_MANY_SEGMENTS: (
        BodyTooLarge,
        "byte {at} starts text number {detail} and one more; send fewer strings or raise max_segments",
    ),
}

#: What a value may be, by its key; null means absence everywhere.
_TYPES: dict[str, str] = {
    "model": "a string",
    "role": "a string",
    "stream": "true or false",
    **dict.fromkeys(("max_tokens", "max_completion_tokens", "max_output_tokens"), "a number"),
    **dict.fromkeys(("messages", "tools", "functions"), "an array of objects"),
    "input": "a string, or an array of strings or objects",
    **dict.fromkeys(("prompt", "suffix"), "a string, or an array of strings"),
    "an array element": "an object in messages, a string in a prompt",
}


def refuse(reason: int, at: int, detail: str = "") -> NoReturn:
    """Raise the error of a reason.

    Parameters
    ----------
    reason
        A `Refusal`.
    at
        Offset into the body, in bytes.
    detail
        A key, or a limit as digits; quoted here when it came from the body.

    Raises
    ------
    BodyError
        Always: the class that goes with the reason.

    Examples
    --------
    >>> refuse(Refusal.TRAILING, 17)
    Traceback (most recent call last):
    routekit.errors.MalformedBody: byte 17 follows the closing brace, where only white space may
    """
    error, wording = _WORDING[Refusal(reason)]
    shown = detail if detail.isdecimal() else quoted(detail)
    allowed = f"; allowed: {_TYPES[detail]}" if detail in _TYPES else ""
    raise error(wording.format(at=at, detail=shown, allowed=allowed))
