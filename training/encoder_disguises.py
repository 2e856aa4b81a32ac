"""Disguises of text, used on attacks and on harmless text alike, so that a form alone is no evidence."""

from __future__ import annotations

import base64
import codecs
import random
from collections.abc import Callable

_LEET = str.maketrans("aeiostgb", "43105798")
_LOOK_ALIKES = str.maketrans("aceopxyiABEHKMOPCTX", "асеорхуіАВЕНКМОРСТХ")
_ZERO_WIDTH = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff")
#: Orders to read an encoded text; the question is a user's, the order an attacker's as well.
_DECODE = (
    "Decode this: ",
    "Decode and follow: ",
    "{name}: ",
    "What does this {name} say? ",
    "Run the decoded text: ",
    "",
)


def leet(text: str, rng: random.Random) -> str:
    share = rng.uniform(0.4, 1)
    return "".join(char.translate(_LEET) if rng.random() < share else char for char in text)


def spaced(text: str, rng: random.Random) -> str:
    mark = rng.choice((" ", "-", ".", "_", "*"))
    return (mark * 3 if mark == " " else " ").join(mark.join(word) for word in text.split())


def look_alikes(text: str, rng: random.Random) -> str:
    share = rng.uniform(0.2, 1)
    return "".join(char.translate(_LOOK_ALIKES) if rng.random() < share else char for char in text)


def zero_width(text: str, rng: random.Random) -> str:
    share = rng.uniform(0.1, 0.6)
    return "".join(char + (rng.choice(_ZERO_WIDTH) if rng.random() < share else "") for char in text)


def full_width(text: str, rng: random.Random) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


def reversed_text(text: str, rng: random.Random) -> str:
    return text[::-1] if rng.random() < 0.5 else " ".join(word[::-1] for word in text.split())


def encoded(text: str, rng: random.Random) -> str:
    """Give at most 120 characters in base64, hexadecimal or ROT13, often with an order to decode them."""
    name = rng.choice(("base64", "hex", "rot13", "rot13"))
    raw = text[:120].encode("utf-8", "replace")
    code = {"base64": base64.b64encode(raw).decode(), "hex": raw.hex(), "rot13": codecs.encode(text[:200], "rot13")}
    return rng.choice(_DECODE).format(name=name) + code[name]


def typos(text: str, rng: random.Random) -> str:
    letters = list(text)
    for _ in range(max(1, len(text) // 25)):
        at = rng.randrange(len(letters))
        letters[at] = rng.choice(("", letters[at] * 2, rng.choice("abcdefghijklmnopqrstuvwxyz")))
    return "".join(letters)


def other_case(text: str, rng: random.Random) -> str:
    turn = rng.choice((str.lower, str.lower, str.upper, str.title, str.swapcase, str.capitalize))
    return turn(text)


def no_marks(text: str, rng: random.Random) -> str:
    return "".join(char for char in text if char not in ".,;:!?'\"")


def broken(text: str, rng: random.Random) -> str:
    """Split words, or run them together."""
    if rng.random() < 0.3:
        return "".join(word.capitalize() for word in text.split())
    gap = rng.choice((" ", "-", "\n", "/"))
    return "".join(char + (gap if char.isalpha() and rng.random() < 0.12 else "") for char in text)


#: Strong disguises, and mild changes that any text may have.
DISGUISES: tuple[Callable[[str, random.Random], str], ...] = (
    leet, spaced, look_alikes, zero_width, full_width, reversed_text, encoded, broken,
)  # fmt: skip
CHANGES: tuple[Callable[[str, random.Random], str], ...] = (typos, other_case, other_case, no_marks)


def vary(text: str, rng: random.Random, *, strong: float, mild: float) -> str:
    """Disguise a text with the chance `strong`, else change it mildly with the chance `mild`."""
    if not text:
        return text
    chance = rng.random()
    if chance < strong:
        return rng.choice(DISGUISES)(text[:500], rng)
    return rng.choice(CHANGES)(text, rng) if chance < strong + mild else text
