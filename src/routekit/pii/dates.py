"""Full calendar dates and ages. A bare year, month or weekday tells nobody apart and is left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from routekit.pii.days import is_date
from routekit.pii.recogniser import Found, Recogniser, Strength

#: First three letters, in the larger European languages.
_MONTHS = frozenset(
    re.findall(
        "...",
        "janfebmaraprmayjunjulaugsepoctnovdecmaimärmaeavrjuiaoufévdécokteneabragodezdicgenmaggiulugsetottoutmaj",
    )
)
_NUMBERS = re.compile(r"\d+")
_TIME = re.compile(
    r"(?:T|,? |, at )(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?"
    r"(?: ?[AaPp]\.?[Mm]\b\.?| ?Z\b|[+-]\d\d:?\d\d)?"
)
_REST_OF_TIME = re.compile(r":[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z\b|[+-]\d\d:?\d\d)?")


def numeric(text: str) -> bool:
    """Check year, month and day in any of the usual orders.

    >>> numeric("2021-05-21"), numeric("21.5.2021"), numeric("31/31/2021")
    (True, True, False)
    """
    first, second, third = map(int, _NUMBERS.findall(text)[:3])
    if first > 999:
        return 1000 <= first <= 2199 and is_date(first, second, third)
    year = third if third > 99 else 2000 + third
    return 1000 <= year <= 2199 and (is_date(year, first, second) or is_date(year, second, first))


def named(text: str) -> bool:
    """Check a date whose month is a word."""
    word = next(part for part in re.findall(r"[^\W\d]+", text) if part not in ("ST", "ND", "RD", "TH", "T"))
    numbers = [int(n) for n in _NUMBERS.findall(text)]
    return word[:3].lower() in _MONTHS and 1 <= min(numbers) <= 31 and len(numbers) >= 2


DATES = (
    Recogniser(
        "DATE_TIME",
        tuple(f"d{{1,2}}{g}d{{1,2}}{g}d{{4}}" for g in "/-.") + tuple(f"d{{4}}{g}d{{1,2}}{g}d{{1,2}}" for g in "-/."),
        Strength.LIKELY,
        numeric,
        ("birth",),
        tail=_TIME,
        with_glue=True,
    ),
    Recogniser(
        "DATE_TIME", ("d{4}-d{2}-x{5}",), Strength.CERTAIN, numeric, ("birth",), tail=_REST_OF_TIME, with_glue=True
    ),
    Recogniser("DATE_TIME", ("d{1,2}/d{1,2}/d{2}",), Strength.LIKELY, numeric, ("birth",), tail=_TIME, with_glue=True),
    Recogniser("DATE_TIME", ("d{1,2}.d{1,2}.d{2}",), Strength.WEAK, numeric, ("birth",), tail=_TIME, with_glue=True),
    Recogniser(
        "DATE_TIME",
        (
            *("a{3,9} d{1,2},d{4}", "a{3,9} x{3,4},d{4}", "a{3,9} d{1,2} d{4}"),
            *("d{1,2} a{3,9} d{4}", "x{3,4} a{3,9} d{4}", "d{1,2}-a{3,9}-d{4}"),
        ),
        Strength.LIKELY,
        named,
        ("birth",),
        tail=_TIME,
        with_glue=True,
    ),
)

_AGE = Recogniser("AGE", (), Strength.CERTAIN)
_BEFORE_YEARS = re.compile(r"y(?:ears?|rs?)?(?:[- ]old\b|\.? ?/?o\.?(?!\w))|years? of age\b")
_AFTER_WORD = re.compile(
    r"(?:[Aa]ged?(?: of| is|:|=)?|turn(?:ed|ing|s)?|when (?:he|she|they|I) (?:was|were|turned))"
    r" (\d{1,3})(?![\w%$]|[.,]\d)"
)
_AGE_NUMBER = re.compile(r"(?<![\d.,$])\d{1,3}(?=[- ]?\Z)")
_OLDEST = 120
_CHINESE_DATE = Recogniser("DATE_TIME", (), Strength.LIKELY, context=("birth",))
_CHINESE_NUMBERS = re.compile(r"(?:1[0-9]|20)\d\d ?年 ?\d{1,2} ?月 ?\d{1,2} ?[日号]")


def ages(text: str, position: int) -> Iterator[Found]:
    """Find the age that a word such as "years" or "aged" speaks of."""
    if _BEFORE_YEARS.match(text, position):
        low = max(0, position - 6)
        number = _AGE_NUMBER.search(text[low:position])
        if number and int(number[0]) <= _OLDEST:
            yield low + number.start(), low + number.end(), _AGE
    after = _AFTER_WORD.match(text, position)
    if after and 0 < int(after[1]) <= _OLDEST:
        yield after.start(1), after.end(1), _AGE


def chinese_dates(text: str) -> Iterator[Found]:
    """Find dates written with 年, 月 and 日."""
    position = text.find("年")
    while position >= 0:
        low = max(0, position - 5)
        match = _CHINESE_NUMBERS.search(text, low, position + 12)
        if match:
            yield match.start(), match.end(), _CHINESE_DATE
        position = text.find("年", position + 1)
