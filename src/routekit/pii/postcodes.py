"""Postcodes. Five digits are a postcode only right after the word."""

from __future__ import annotations

import re

from routekit.pii.recogniser import Recogniser, Strength

_BEFORE = re.compile(
    r"(?:zip|zip ?code|postal ?code|post ?code|plz|postleitzahl|code postal|c\.?p\.?|cap|cep|postnummer|邮编|郵便番号)"
    r"(?: is|:| =|：)?\s{0,2}\Z",
    re.IGNORECASE,
)
_POSTCODE = re.compile(
    r"(?:GIR0AA|[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d[ABEHMNPRV-Y])\d[ABD-HJLNP-UW-Z]{2})"
)


def uk_postcode(text: str) -> bool:
    """Check the letters that a British postcode may have."""
    return _POSTCODE.fullmatch(text) is not None


_SHAPES = (
    *("d{3,6}", "d{5}-d{3,4}", "d{3} d{2}", "d{2}-d{3}", "d{3}-d{4}", "d{4} a{2}", "x{6}"),
    *("x{3} x{3}", "x{5,7}", "x{2,4} x{3}"),
)
POSTCODES = (
    Recogniser("ZIP_CODE", ("x{3,4} x{3}",), Strength.LIKELY, uk_postcode, ("zip",)),
    Recogniser("ZIP_CODE", _SHAPES, Strength.WEAK, context=("zip",), before=_BEFORE),
)
