"""Identity, tax and health numbers of Germany."""

from __future__ import annotations

import re
from collections import Counter

from routekit.pii.checksums import mod11_10, weighted
from routekit.pii.days import is_day
from routekit.pii.recogniser import Recogniser, Strength

_PASSPORT = re.compile(r"[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{7}\d{1,2}")
_LICENCE = re.compile(r"[A-Z]{2}\d{8}[0-9A-Z]")
_LETTER = {c: ord(c) - 64 for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def tax_id(digits: str) -> bool:
    """Check digit frequencies and check digit of a German tax identifier.

    One digit of the first ten occurs twice or three times, so at least one is missing.

    >>> tax_id("86095742719"), tax_id("11111111111")
    (True, False)
    """
    counts = sorted(Counter(digits[:10]).values())
    return digits[0] != "0" and counts[-1] in (1, 2, 3) and len(counts) >= 8 and mod11_10(digits)


def vat_id(text: str) -> bool:
    """Check a German VAT number."""
    return text[:2] == "DE" and text[2:].isdigit() and text[2] != "0" and mod11_10(text[2:])


def tax_number(digits: str) -> bool:
    """Check the state, 1 to 16, or the fifth digit, 0, of the thirteen digits that German tax offices use."""
    return digits[4] == "0" or 1 <= int(digits[:2]) <= 16


def health_insurance(text: str) -> bool:
    """Check the digit of a German health insurance number (KVNR)."""
    if not (text[0].isalpha() and text[1:].isdigit()):
        return False
    digits = f"{_LETTER[text[0]]:02d}{text[1:9]}"
    total = sum(sum(divmod(int(d) * (1 + i % 2), 10)) for i, d in enumerate(digits))
    return total % 10 == int(text[9])


def pension(text: str) -> bool:
    """Check birth date, letter and digit of a German pension insurance number.

    >>> pension("15070649C103"), pension("15070649C100")
    (True, False)
    """
    if not (
        text[:8].isdigit() and text[8].isalpha() and text[9:].isdigit() and is_day(int(text[4:6]), int(text[2:4]) % 50)
    ):
        return False
    digits = text[:8] + f"{_LETTER[text[8]]:02d}" + text[9:11]
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    return sum(sum(divmod(int(d) * w, 10)) for d, w in zip(digits, weights, strict=True)) % 10 == int(text[11])


def passport(text: str) -> bool:
    """Check letters and check digit (weights 7-3-1 of ICAO 9303) of a German passport or identity card."""
    if not _PASSPORT.fullmatch(text):
        return False
    values = [int(c) if c.isdigit() else ord(c) - 55 for c in text]
    return sum(v * w for v, w in zip(values[:-1], (7, 3, 1) * 3, strict=False)) % 10 == values[-1]


def physician(digits: str) -> bool:
    """Check the seventh digit of a German physician number (LANR)."""
    return -weighted(digits[:6], (4, 9) * 3) % 10 == int(digits[6])


def licence(text: str) -> bool:
    """Check the form of a German driving licence."""
    return _LICENCE.fullmatch(text) is not None


GERMANY = (
    Recogniser("DE_TAX_ID", ("d{11}", "d{2} d{3} d{3} d{3}"), Strength.POSSIBLE, tax_id, ("de", "tax")),
    Recogniser("DE_VAT_ID", ("x{11}",), Strength.CERTAIN, vat_id, ("tax",)),
    Recogniser("DE_VAT_ID", ("a{2}[- .]d{9}", "a{2}[- .]d{3}[- .]d{3}[- .]d{3}"), Strength.LIKELY, vat_id, ("tax",)),
    Recogniser("DE_TAX_NUMBER", ("d{13}",), Strength.WEAK, tax_number, ("de", "tax")),
    Recogniser("DE_TAX_NUMBER", ("d{2,3}/d{3,4}/d{4,5}",), Strength.WEAK, context=("de", "tax")),
    Recogniser("DE_HEALTH_INSURANCE", ("x{10}",), Strength.POSSIBLE, health_insurance, ("health",)),
    Recogniser("DE_SOCIAL_SECURITY", ("x{12}", "d{2} d{6} a{1} d{3}"), Strength.CERTAIN, pension, ("de",)),
    Recogniser("DE_PASSPORT", ("x{9,10}",), Strength.POSSIBLE, passport, ("passport", "national_id")),
    Recogniser("DE_LANR", ("d{9}",), Strength.WEAK, physician, ("health",)),
    Recogniser("DE_FUEHRERSCHEIN", ("x{11}",), Strength.WEAK, licence, ("licence",)),
)
