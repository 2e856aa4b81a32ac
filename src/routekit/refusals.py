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
    BLANK = 15


_WORDING: dict[Refusal, tuple[type[BodyError], str]] = {
    Refusal.EMPTY: (MalformedBody, "the body is empty; send a JSON object"),
    Refusal.BLANK: (MalformedBody, "the body is {at} bytes of white space and nothing else; send a JSON object"),
    Refusal.BOM: (MalformedBody, "the body starts with a byte order mark; send UTF-8 without one"),
    Refusal.NOT_AN_OBJECT: (MalformedBody, "the body is JSON but no request: a request is an object in braces"),
    Refusal.SYNTAX: (MalformedBody, "byte {at} is {detail}, which JSON does not allow there; allowed: {allowed}"),
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
    Refusal.WRONG_TYPE: (MalformedBody, "the value at byte {at} is {found}, which {detail} cannot be{allowed}"),
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

#: What scanners call a value that has no key.
_ELEMENT = "an array element"

#: What a value may be, by its key; null means absence everywhere.
_TYPES: dict[str, str] = {
    "model": "a string",
    "role": "a string",
    "stream": "true or false",
    **dict.fromkeys(("max_tokens", "max_completion_tokens", "max_output_tokens"), "a number"),
    **dict.fromkeys(("messages", "tools", "functions"), "an array of objects"),
    "input": "a string, or an array of strings or objects",
    **dict.fromkeys(("prompt", "suffix"), "a string, or an array of strings"),
    _ELEMENT: "an object in messages, a string in a prompt",
}

#: What may stand in a place, by the names that scanners give to places.
_ALLOWED: dict[str, str] = {
    "request": "an opening brace",
    "value": "a string in double quotes, a number, an object, an array, true, false or null",
    "value or end": "a value or a closing bracket",
    "key": "a key in double quotes",
    "key or end": "a key in double quotes or a closing brace",
    "colon": "a colon",
    "comma or brace": "a comma or a closing brace",
    "comma or bracket": "a comma or a closing bracket",
}

#: JSON type by the first character of a value.
_FOUND: dict[str, str] = {
    "{": "an object",
    "[": "an array",
    '"': "a string",
    **dict.fromkeys("tf", "true or false"),
    **dict.fromkeys("-0123456789", "a number"),
}

#: Structure, and what is mistaken for it.
_MARKS: dict[str, str] = {
    "{": "an opening brace",
    "}": "a closing brace",
    "[": "an opening bracket",
    "]": "a closing bracket",
    ":": "a colon",
    ",": "a comma",
    '"': "a double quote",
    "'": "a single quote",
}

#: First byte of what gzip writes, and of no text.
_GZIP = 0x1F


def refuse(reason: int, at: int, detail: str = "") -> NoReturn:
    """Raise the error of a reason.

    Parameters
    ----------
    reason
        A `Refusal`.
    at
        Offset into the body, in bytes.
    detail
        A key, or a limit as digits; quoted here when it came from the body. Of `WRONG_TYPE` the first character of the
        value, then the key; of `SYNTAX` what is allowed, a colon, and the byte as digits.

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
    if reason == Refusal.SYNTAX:
        _refuse_byte(at, *detail.split(":"))
    error, wording = _WORDING[Refusal(reason)]
    found = ""
    if reason == Refusal.WRONG_TYPE:
        found, detail = _FOUND[detail[0]], detail[1:]
    shown = detail if detail.isdecimal() or detail == _ELEMENT else quoted(detail)
    allowed = f"; allowed: {_TYPES[detail]}" if detail in _TYPES else ""
    raise error(wording.format(at=at, detail=shown, allowed=allowed, found=found))


def _refuse_byte(at: int, allowed: str, byte: str) -> NoReturn:
    error, wording = _WORDING[Refusal.SYNTAX]
    if allowed == "literal":
        raise error(f"byte {at} starts a word that JSON does not have; allowed: true, false or null")
    if at == 0 and int(byte) == _GZIP:
        raise UnsupportedBody(
            "the body starts as gzip does, and nobody can judge compressed bytes; decompress it first"
        )
    raise error(wording.format(at=at, detail=_kind(int(byte)), allowed=_ALLOWED[allowed]))


def _kind(byte: int) -> str:
    """Tell what a byte is, but not which: it may be a secret's."""
    if byte >= 0x80:
        return "a byte beyond ASCII"
    if byte < 0x20 or byte == 0x7F:
        return "a control character"
    character = chr(byte)
    if character in _MARKS:
        return _MARKS[character]
    return "a letter" if character.isalpha() else "a digit" if character.isdigit() else "a punctuation mark"
