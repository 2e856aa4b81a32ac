"""Calendar checks that dates and birth-date numbers share."""

from __future__ import annotations

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_day(month: int, day: int) -> bool:
    """Say whether a month has this day in some year.

    >>> is_day(2, 29), is_day(4, 31), is_day(13, 1)
    (True, False, False)
    """
    return 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1]


def is_date(year: int, month: int, day: int) -> bool:
    """Say whether this day exists.

    >>> is_date(2023, 2, 29), is_date(2024, 2, 29)
    (False, True)
    """
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return is_day(month, day) and (leap or (month, day) != (2, 29))


def yymmdd(digits: str) -> bool:
    """Say whether six digits may be year, month and day of a birth."""
    return is_day(int(digits[2:4]), int(digits[4:6]))


def ddmmyy(digits: str) -> bool:
    """Say whether six digits may be day, month and year of a birth."""
    return is_day(int(digits[2:4]), int(digits[:2]))
