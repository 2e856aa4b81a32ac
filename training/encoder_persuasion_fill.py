"""Reads the templates of ``persuasion/`` and fills their slots; braces that are no slot are text, such as code."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping
from pathlib import Path

FOLDER = Path(__file__).parent / "persuasion"
_SLOT = re.compile(r"\{(\w+)\}")
_AN = re.compile(r"\b([Aa]) (?=(?!uni|use|one)[aeiou])")
_START = re.compile(r"(?:^|[.!?] +|\n\n)[a-z]")


def templates(name: str) -> tuple[str, ...]:
    """Read a file of templates, one a line."""
    return tuple((FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines())


def fill(template: str, slots: Mapping[str, str], rng: random.Random, same: Collection[str] = ()) -> str:
    """Fill the slots that have choices, those of `same` alike throughout.

    Examples
    --------
    >>> fill("a {fruit}, {x}", {"fruit": "apple"}, random.Random(1))
    'an apple, {x}'
    """
    fixed = {name: rng.choice(slots[name].split("|")) for name in same}

    def chosen(match: re.Match[str]) -> str:
        name = match[1]
        if name in fixed:
            return fixed[name]
        return rng.choice(slots[name].split("|")) if name in slots else f"\0{name}\1"

    while _SLOT.search(template):
        template = _SLOT.sub(chosen, template)
    text = template.replace("\0", "{").replace("\1", "}")
    return re.sub(r" +(?=[\n ])", "", _AN.sub(r"\1n ", text)).strip()


def capitals(text: str, rng: random.Random) -> str:
    """Begin sentences with a capital, as most writers do."""
    return _START.sub(lambda start: start[0].upper(), text) if rng.random() < 0.85 else text
