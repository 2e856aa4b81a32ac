"""Vehicle registration plates. They look like nothing else only with a word beside them."""

from __future__ import annotations

import re

from routekit.pii.recogniser import Recogniser, Strength

_UK_PLATE = re.compile(
    r"[A-HJ-PR-Y]{2}(?:0[2-9]|[12]\d|5[1-9]|[67]\d)[A-HJ-PR-Z]{3}"
    r"|[A-HJ-NPR-TV-Y]\d{1,3}[A-Z]{3}|[A-Z]{3}\d{1,3}[A-HJ-NPR-TV-Y]"
)
_DE_PLATE = re.compile(r"[A-ZÄÖÜ]{1,3}[A-Z]{1,2}\d{1,4}[EH]?")
_TR_PLATE = re.compile(r"(?:0[1-9]|[1-7]\d|8[01])[A-Z]{1,3}\d{2,4}")
_IN_PLATE = re.compile(r"[A-Z]{2}\d{1,2}[A-Z]{1,3}\d{4}")
_NG_PLATE = re.compile(r"[A-Z]{3}\d{3}[A-Z]{2}")


def plate(text: str) -> bool:
    """Check for a plate of the United Kingdom, Germany, Turkey, India or Nigeria."""
    return any(form.fullmatch(text) for form in (_UK_PLATE, _DE_PLATE, _TR_PLATE, _IN_PLATE, _NG_PLATE))


VEHICLES = (
    Recogniser(
        "VEHICLE_REGISTRATION",
        (
            "x{4}[- ]a{3}",
            "x{5,10}",
            "a{3}[- ]x{4,5}",
            "a{3}[- ]d{3}",
            "d{2} a{1,3} d{2,4}",
            "a{1,3}[- ]a{1,2}[- ]d{1,4}",
            "a{1,3}[- ]a{1,2}[- ]x{2,5}",
        ),
        Strength.WEAK,
        plate,
        ("plate",),
        keep_case=True,
    ),
)
