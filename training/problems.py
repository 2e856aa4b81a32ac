"""Fills the question templates of ``problems/``: what exams and problem books ask, for the domain head.

A file holds one template a line and is named for its label, ``computer_science.txt`` for "computer science".
``{int}``, ``{len}`` and the other keys of `_SLOTS` are slots; ``{a|b|c}`` is a choice, and its parts may hold slots
or a further choice. Other braces stay as they are, so that a line may hold code or a formula.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

FOLDER = Path(__file__).parent / "problems"
#: How many ways to fill each template, where it has that many.
N_VARIANTS = 6
#: A template with few fillings is not drawn from for ever.
_DRAWS_PER_VARIANT = 8

Slot: TypeAlias = Callable[[random.Random], str]

_INNERMOST = re.compile(r"\{([^{}]*)\}")
#: Stand for braces that are text while the braces around them are still being read.
_OPEN, _CLOSE = "\ue000", "\ue001"
_NAMES = (
    "Amara Ben Carla Deepak Elena Farid Grace Hiro Ines Jonas Kofi Leila Mateo Nadia Omar Priya Quinn Rosa Sven Tara "
    "Uma Victor Wei Xenia Yusuf Zoe Anna David Emily George Hannah James Karen Luke Maria Peter Sarah Tom"
).split()


def _measured(low: float, high: float, units: str, places: int = 1) -> Slot:
    """A slot for a quantity: a number of at most so many places between the bounds, and one of the units."""

    def fill(rng: random.Random) -> str:
        return f"{round(rng.uniform(low, high), rng.randint(0, places)):g} {rng.choice(units.split('|'))}"

    return fill


def _number(rng: random.Random) -> str:
    """A decimal as problems print it: below one, of a few units, or of some tens."""
    high, places = rng.choice([(1.0, 2), (1.0, 3), (10.0, 1), (10.0, 2), (100.0, 1)])
    return f"{rng.uniform(high / 20, high):.{places}f}"


def _percentage(rng: random.Random) -> str:
    amount = rng.choice([rng.randint(1, 95), round(rng.uniform(0.5, 20), 1)])
    return f"{amount}{rng.choice(['%', ' percent'])}"


def _temperature(rng: random.Random) -> str:
    low, high, unit = rng.choice([(5, 400, "°C"), (270, 1500, "K"), (40, 600, "°F"), (10, 95, "deg C")])
    return f"{rng.randint(low, high)}{rng.choice(['', ' '])}{unit}"


_SLOTS: dict[str, Slot] = {
    "int": lambda rng: str(rng.randint(2, 20)),
    "big": lambda rng: str(rng.choice([rng.randint(100, 5000), 50 * rng.randint(2, 100)])),
    "num": _number,
    "pct": _percentage,
    "temp": _temperature,
    "len": _measured(0.5, 60, "m|m|cm|cm|mm|mm|ft|in.|inches|km"),
    "mass": _measured(0.5, 90, "kg|kg|g|g|lb|lbm|mg"),
    "time": _measured(1, 60, "s|s|seconds|min|minutes|h|hours|ms"),
    "speed": _measured(1, 120, "m/s|m/s|km/h|ft/s|mph"),
    "pressure": _measured(1, 900, "kPa|kPa|bar|atm|psi|psia|mm Hg|MPa"),
    "power": _measured(1, 500, "W|kW|kW|hp|MW"),
    "voltage": _measured(1, 480, "V|V|V|kV|volts"),
    "current": _measured(0.5, 90, "A|A|mA|amperes"),
    "name": lambda rng: rng.choice(_NAMES),
}


def fill(template: str, rng: random.Random) -> str:
    """Fill the slots and choices of a template, innermost first.

    Examples
    --------
    >>> fill("Find {the {mean|median}|the mode} of f{x}.", random.Random(1))
    'Find the mean of f{x}.'
    """

    def chosen(match: re.Match[str]) -> str:
        inner = match[1]
        if inner in _SLOTS:
            return _SLOTS[inner](rng)
        return rng.choice(inner.split("|")) if "|" in inner else f"{_OPEN}{inner}{_CLOSE}"

    while _INNERMOST.search(template):
        template = _INNERMOST.sub(chosen, template)
    return template.replace(_OPEN, "{").replace(_CLOSE, "}")


def variants(template: str, rng: random.Random, n_variants: int = N_VARIANTS) -> list[str]:
    """Distinct fillings of a template, as many as it has and at most so many."""
    texts = dict.fromkeys(fill(template, rng) for _ in range(_DRAWS_PER_VARIANT * n_variants))
    return list(texts)[:n_variants]


def templates(folder: Path = FOLDER) -> list[tuple[str, str]]:
    """Each template with its label, in the order of the files' names."""
    return [
        (line, path.stem.replace("_", " "))
        for path in sorted(folder.glob("*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]


def questions(seed: int, n_variants: int = N_VARIANTS, folder: Path = FOLDER) -> list[tuple[str, str]]:
    """Questions with their labels: the same for the same seed, and a new template changes no other's questions.

    Examples
    --------
    >>> found = questions(7)
    >>> found == questions(7), found == questions(8)
    (True, False)
    >>> sorted({"engineering", "computer science"} & {label for _, label in found})
    ['computer science', 'engineering']
    """
    return [
        (text, label)
        for template, label in templates(folder)
        for text in variants(template, random.Random(f"{seed} {label} {template}"), n_variants)
    ]
