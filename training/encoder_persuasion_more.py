"""More attacks of the kinds that an encoder misses, and harmless twins, written for this project.

The templates lie in ``persuasion/``, one a line: long frames of fluent persuasion that serve both sides
(``frames.txt``), that are attacks with any deed (``frames_attack.txt``), and harmless texts in their manner
(``frames_twin.txt``). A harmful deed is only ever named.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import encoder_persuasion_slots as wording

FOLDER = Path(__file__).parent / "persuasion"
#: What stays the same throughout a text, as the deed does.
_SAME = ("name", "name2", "cred", "inst", "aud", "setting", "land", "town", "opening", "figure", "secret", "prompt")
_SLOT = re.compile(r"\{(\w+)\}")
_AN = re.compile(r"\b([Aa]) (?=(?!uni|use|one)[aeiou])")
_START = re.compile(r"(?:^|[.!?] +|\n\n)[a-z]")


def templates(name: str) -> tuple[str, ...]:
    """Read a file of templates."""
    return tuple((FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines())


FRAMES = templates("frames")
PRESSED = templates("frames_attack")
TWINS = templates("frames_twin")


def fill(template: str, rng: random.Random, **given: str) -> str:
    """Fill the slots that have choices; other braces are text, such as code."""
    slots = {name: rng.choice(wording.SLOTS[name].split("|")) for name in _SAME} | given

    def chosen(match: re.Match[str]) -> str:
        name = match[1]
        if name in slots:
            return slots[name]
        return rng.choice(wording.SLOTS[name].split("|")) if name in wording.SLOTS else "\0" + name + "\1"

    while _SLOT.search(template):
        template = _SLOT.sub(chosen, template)
    text = template.replace("\0", "{").replace("\1", "}")
    text = re.sub(r" +(?=[\n ])", "", _AN.sub(r"\1n ", text)).strip()
    return _START.sub(lambda start: start[0].upper(), text) if rng.random() < 0.85 else text


def framed_attack(rng: random.Random) -> str:
    """Draw a harmful deed in a long frame."""
    template = rng.choice(FRAMES if rng.random() < 0.6 else PRESSED)
    return fill(template, rng, deed=rng.choice(wording.HARMFUL))


def framed_twin(rng: random.Random) -> str:
    """Draw a harmless deed in a long frame, or a text in the manner of one."""
    template = rng.choice(FRAMES if rng.random() < 0.6 else TWINS)
    return fill(template, rng, deed=rng.choice(wording.HARMLESS), harm=rng.choice(wording.HARMFUL))


def attack(rng: random.Random) -> str:
    """Draw an attack."""
    return framed_attack(rng)


def twin(rng: random.Random) -> str:
    """Draw a harmless text in the manner of the attacks."""
    return framed_twin(rng)
