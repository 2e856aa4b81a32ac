"""Telephone numbers: international ones by their plus sign, national ones by their groups."""

from __future__ import annotations

import re
from collections.abc import Iterator

from routekit.pii.recogniser import Found, Recogniser, Strength

_EXTENSION = re.compile(r" {0,2}(?:[xX]|ext\.?|Ext\.?|extension) ?\d{1,6}(?![0-9A-Za-z])")
_NO_GLUE = str.maketrans("", "", "-. /")
_NO_PHONE = re.compile(
    r"\d{5}-\d{4}|(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}(?: \d\d)?"
    r"|(?:1[5-9]|20)\d\d-(?:1[5-9]|20)\d\d|\d{1,2}([-./])\d{1,2}\2(?:19|20)\d\d"
)
_NANP = re.compile(r"\d{0,3}[2-9]\d\d[2-9]\d{6}")
#: A plus sign, a country, and groups; at most 15 digits (E.164) and one pair of brackets.
_INTERNATIONAL = re.compile(
    r"\+[1-9]\d{0,14}(?:[ .\-/]{0,2}(?:\(\d{1,5}\)|\d{1,12})){0,7}(?:(?: ?[xX]| ext\.? ?)\d{1,6})?(?![0-9A-Za-z])"
)
#: An area code in brackets, alone or after a country code, and groups.
_BRACKETED = re.compile(
    r"\((?:\+?\d{1,6})\)[ .\-]{0,2}\d{2,10}(?:[ .\-]\d{2,8}){0,4}(?:(?: ?[xX]| ext\.? ?)\d{1,6})?(?![0-9A-Za-z])"
)
_US_BRACKETED = re.compile(r"\([2-9]\d\d\)[ .\-]{0,2}[2-9]\d\d[ .\-]?\d{4}(?![0-9])")


def north_american(digits: str) -> bool:
    """Check area code and exchange: neither begins with 0 or 1; a country may come before."""
    return _NANP.fullmatch(digits) is not None and len(set(digits)) > 2


def trunk(digits: str) -> bool:
    """Check a national number with its trunk prefix 0, or 00 and a country."""
    return digits[0] == "0" and 9 <= len(digits) <= 15 and len(set(digits)) > 2


def trunk_short(digits: str) -> bool:
    """Check a national number with its trunk prefix 0, a hyphen after the area code and spaces after that."""
    return digits[0] == "0" and len(digits) >= 8


def russian(digits: str) -> bool:
    """Check a Russian number with its trunk prefix 8."""
    return digits[0] == "8" and digits[1] in "3489"


def chinese_mobile(digits: str) -> bool:
    """Check the prefix of a mainland Chinese mobile number."""
    return digits[0] == "1" and digits[1] in "3456789"


def dialable(text: str) -> bool:
    """Check the number of digits where a word beside it makes it a telephone number; dates and postcodes are none."""
    digits = text.translate(_NO_GLUE)
    return 7 <= len(digits) <= 15 and len(set(digits)) > 1 and not _NO_PHONE.fullmatch(text)


_TRUNK_SHAPES = tuple(
    shape.replace("~", glue)
    for glue in " -./"
    for shape in (
        "d{2}~d{2}~d{2}~d{2}~d{2}",
        "d{4}~d{2}~d{2}~d{2}",
        "d{3}~d{2}~d{2}~d{2}",
        "d{2,3}~d{3,4}~d{3,4}",
        "d{4}~d{3}~d{3,4}",
        "d{3}~d{3}~d{2}~d{2}",
        "d{4}~d{3}~d{2}~d{2}",
        "d{1}~d{3}~d{3}~d{2}~d{2}",
        "d{4,5}~d{5,8}",
        "d{2,3}~d{7,8}",
        "d{4}~d{2,3}~d{2,3}~d{2,3}",
        "d{5}~d{2,3}~d{3}~d{3}",
    )
)
_NORDIC_SHAPES = ("d{2,4}-d{2,3} d{2} d{2}", "d{3,4}-d{3} d{2,4}")
_NANP_SHAPES = tuple(f"{prefix}d{{3}}{glue}d{{3}}{glue}d{{4}}" for glue in " -." for prefix in ("", f"d{{1,3}}{glue}"))
_ANY_GROUPS = (*("d{1,6}" + "[-. /]d{2,7}" * n for n in range(1, 6)), "d{1,6}-d{2,7}-d{2,7}-d{1}")
_WORDS = ("phone", "call")
_CALL_ME = re.compile(
    r"(?:call|dial|reach|text|ring|contact)(?: (?:me|us|him|her|them))?(?: back)?(?: at| on|:)? {0,2}\Z", re.IGNORECASE
)

PHONES = (
    Recogniser("PHONE_NUMBER", _NANP_SHAPES, Strength.LIKELY, north_american, _WORDS, tail=_EXTENSION),
    Recogniser("PHONE_NUMBER", _TRUNK_SHAPES, Strength.LIKELY, trunk, _WORDS, tail=_EXTENSION),
    Recogniser("PHONE_NUMBER", _NORDIC_SHAPES, Strength.LIKELY, trunk_short, _WORDS, tail=_EXTENSION),
    Recogniser("PHONE_NUMBER", ("d{1}[- ]d{3}[- ]d{3}[- ]d{2}[- ]d{2}",), Strength.LIKELY, russian, _WORDS),
    Recogniser("PHONE_NUMBER", ("d{3}[- ]d{4}[- ]d{4}",), Strength.LIKELY, chinese_mobile, _WORDS),
)
#: Without groups a number is anyone's: these come after everything that has a check digit.
BARE_PHONES = (
    Recogniser("PHONE_NUMBER", ("d{11}",), Strength.POSSIBLE, chinese_mobile, _WORDS),
    Recogniser("PHONE_NUMBER", ("d{10,11}",), Strength.POSSIBLE, trunk, _WORDS, tail=_EXTENSION),
    Recogniser("PHONE_NUMBER", ("d{10}",), Strength.WEAK, north_american, _WORDS, tail=_EXTENSION),
    Recogniser("PHONE_NUMBER", ("d{7,13}",), Strength.WEAK, dialable, ("phone",), tail=_EXTENSION),
    Recogniser("PHONE_NUMBER", ("d{7,12}",), Strength.WEAK, dialable, ("call",), _CALL_ME, _EXTENSION),
    Recogniser("PHONE_NUMBER", _ANY_GROUPS, Strength.WEAK, dialable, _WORDS, tail=_EXTENSION, with_glue=True),
    Recogniser("PHONE_NUMBER", ("d{3}[-. ]d{3}[-. ]d{2}[-. ]d{2}",), Strength.POSSIBLE, dialable, _WORDS),
)
_PLUS = Recogniser("PHONE_NUMBER", (), Strength.CERTAIN, context=_WORDS)
_BRACKETS = Recogniser("PHONE_NUMBER", (), Strength.LIKELY, context=_WORDS)
_VAGUE_BRACKETS = Recogniser("PHONE_NUMBER", (), Strength.WEAK, context=_WORDS)


def international(text: str) -> Iterator[Found]:
    """Find numbers that begin with a plus sign."""
    for match in _INTERNATIONAL.finditer(text):
        if 8 <= _n_digits(match[0]) <= 21 and _stands_alone(text, match.start()):
            yield match.start(), match.end(), _PLUS


def bracketed(text: str) -> Iterator[Found]:
    """Find numbers whose area code stands in brackets."""
    for match in _BRACKETED.finditer(text):
        if 7 <= _n_digits(match[0]) <= 15 and _stands_alone(text, match.start()):
            trunk_prefix = re.search(r"(?<!\d)[018] ?\Z", text[max(0, match.start() - 3) : match.start()])
            plain = trunk_prefix or _US_BRACKETED.match(match[0]) or match[0][1] in "0+"
            start = match.start() - (len(trunk_prefix[0]) if trunk_prefix else 0)
            yield start, match.end(), _BRACKETS if plain else _VAGUE_BRACKETS


def _n_digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def _stands_alone(text: str, start: int) -> bool:
    return start == 0 or not text[start - 1].isalnum()
