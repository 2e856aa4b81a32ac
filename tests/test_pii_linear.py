"""Cost grows with the length of a text and not with its content."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import pytest

from routekit import PatternPiiClassifier
from routekit.pii import dates, finance, internet, phones, postcodes

if sys.version_info >= (3, 11):
    from re import _constants as constants
    from re import _parser as parser
else:
    import sre_constants as constants
    import sre_parse as parser

PII = PatternPiiClassifier()
HOSTILE = {
    "digits": "1",
    "at": "@",
    "a at": "a@",
    "dotted": "a.",
    "dashes": "-",
    "iban": "GB82 WEST ",
    "colons": "::",
    "hex colons": "a:",
    "cards": "4111 1111 1111 1111 ",
    "brackets": "(1",
    "plus": "+1",
    "urls": "http://a.com/",
    "www": "www.",
    "years": "1 year old ",
    "numbers": "123 ",
    "zero width": "\u200b",
    "chinese": "年1月",
    "local": "a" * 63 + "@",
}


def n_lines_run(text: str) -> int:
    """Count the lines of Python that one classification runs: the same on every machine."""
    count = 0

    def trace(*_: object) -> Callable[..., object]:
        nonlocal count
        count += 1
        return trace

    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        PII.classify([text])
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_steps_grow_linearly(unit: str) -> None:
    PII.classify(["warm"])
    n = 40_000 // len(unit)
    short, long = n_lines_run(unit * n), n_lines_run(unit * (2 * n))
    assert long <= 2.3 * short + 3000


def _repeats(node: object) -> list[tuple[int, bool]]:
    """Give the upper bound of every repeat in a parsed pattern, and whether it holds a further repeat."""
    found: list[tuple[int, bool]] = []
    for op, argument in node:  # type: ignore[attr-defined]
        inner = [a for a in _flat(argument) if isinstance(a, parser.SubPattern)]
        below = [r for sub in inner for r in _repeats(sub)]
        if op in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            found.append((argument[1], any(bound == constants.MAXREPEAT for bound, _ in below)))
        found += below
    return found


def _flat(argument: object) -> list[object]:
    if isinstance(argument, (tuple, list)):
        return [leaf for part in argument for leaf in _flat(part)]
    return [argument]


PATTERNS = [
    pytest.param(pattern, id=f"{module.__name__.rpartition('.')[2]}{name}")
    for module in (dates, finance, internet, phones, postcodes)
    for name, pattern in vars(module).items()
    if isinstance(pattern, re.Pattern) and name not in ("_NUMBERS",)
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_pattern_has_bounded_repeats_only(pattern: re.Pattern[str]) -> None:
    assert all(bound < 300 for bound, _ in _repeats(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)))


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_hostile_megabyte_is_read(unit: str) -> None:
    assert PII.classify([unit * (1_000_000 // len(unit))])[0].coverage == 1.0
