"""Fills the templates with names and keeps where they stand."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

import further_names
import more_people
import people
import token_nobody_words
import token_persons
import token_social
import token_templates
import token_wire
from detokenise import Mark

WORDS = {
    **token_nobody_words.WORDS,
    **token_persons.WORDS,
    **token_social.WORDS,
    **token_wire.WORDS,
    **token_templates.WORDS,
}

_MONTHS = "January February March April May June July August September October November December".split()
_SLOT = re.compile(r"\{(\w+)\}")
#: Slots of a person who is named more than once in a text.
_AGAIN = re.compile(r"(full|family|given)\d")


def _date(rng: random.Random) -> str:
    day, month, year = rng.randint(1, 28), rng.choice(_MONTHS), rng.randint(1940, 2026)
    number = _MONTHS.index(month) + 1
    forms = (
        f"{day} {month} {year}",
        f"{month} {day}, {year}",
        f"{month} {day}",
        f"{year}-{number:02d}-{day:02d}",
        f"{number:02d}/{day:02d}/{year}",
        f"{day}.{number}.{year}",
        rng.choice("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()),
        f"{month} {year}",
    )
    return rng.choice(forms)


def _iso(rng: random.Random) -> str:
    return (
        f"2025-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}T{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}:07Z"
    )


#: Slots that become labelled spans -> their label and how they are drawn.
SLOTS: dict[str, tuple[str, Callable[[random.Random], str]]] = {
    "person": ("PERSON", people.person),
    "full": ("PERSON", people.full_name),
    "given": ("PERSON", people.given_name),
    "family": ("PERSON", people.family_name),
    "lower": ("PERSON", lambda rng: people.given_name(rng).lower()),
    "who": ("PERSON", people.talked_about),
    "first": ("PERSON", people.first_name),
    "nick": ("PERSON", lambda rng: rng.choice(more_people.NICKNAMES)),
    "double": ("PERSON", lambda rng: rng.choice(more_people.DOUBLE)),
    "double_full": ("PERSON", lambda rng: f"{rng.choice(more_people.DOUBLE)} {people.family_name(rng)}"),
    "stage": ("PERSON", lambda rng: rng.choice(more_people.STAGES)),
    "initials": ("PERSON", people.initials),
    "comma": ("PERSON", people.family_first),
    "particle": ("PERSON", people.with_particle),
    "lower_full": ("PERSON", lambda rng: people.pair(rng).lower()),
    "lower_family": ("PERSON", lambda rng: people.family_name(rng).lower()),
    "lower_nick": ("PERSON", lambda rng: rng.choice(more_people.NICKNAMES).lower()),
    "lower_stage": ("PERSON", lambda rng: rng.choice(more_people.STAGES).lower()),
    "UPPER": ("PERSON", lambda rng: people.talked_about(rng).upper()),
    "UPPER_family": ("PERSON", lambda rng: people.family_name(rng).upper()),
    "anyone": ("PERSON", further_names.pair),
    "anyfirst": ("PERSON", further_names.given),
    "anylast": ("PERSON", further_names.family),
    "elaborate": ("PERSON", further_names.elaborate),
    "mono": ("PERSON", further_names.mono),
    "sloppy": ("PERSON", further_names.sloppy),
    "lower_anyone": ("PERSON", lambda rng: further_names.pair(rng).lower()),
    "lower_anylast": ("PERSON", lambda rng: further_names.family(rng).lower()),
    "lower_mono": ("PERSON", lambda rng: further_names.mono(rng).lower()),
    "UPPER_anyone": ("PERSON", lambda rng: further_names.pair(rng).upper()),
    "UPPER_mono": ("PERSON", lambda rng: further_names.mono(rng).upper()),
    "org": ("ORGANIZATION", people.organisation),
    "club": ("ORGANIZATION", lambda rng: rng.choice(WORDS["club"].split("|"))),
    "place": ("GPE", lambda rng: rng.choice(people.PLACES)),
    "address": ("STREET_ADDRESS", people.street_address),
    "people": ("NRP", lambda rng: rng.choice(people.PEOPLES)),
    "title": ("TITLE", lambda rng: rng.choice(people.TITLES)),
    "date": ("DATE_TIME", _date),
    "iso": ("DATE_TIME", _iso),
    "time": ("DATE_TIME", lambda rng: f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"),
    "year": ("DATE_TIME", lambda rng: str(rng.randint(1990, 2026))),
    "age": ("AGE", lambda rng: str(rng.randint(1, 99))),
}


#: Slots that stay unlabelled and are no words of a list; the pattern recognisers find those of them that matter.
_PLAIN: dict[str, Callable[[random.Random], str]] = {
    "number": lambda rng: str(rng.randint(2, 9) if rng.random() < 0.5 else rng.randint(10, 99999)),
    "byte": lambda rng: str(rng.randint(0, 255)),
    "eponym": people.family_name,
    "namesake": people.given_name,
    "email": lambda rng: (
        f"{people.given_name(rng).lower()}{rng.choice(('', '.x', '99'))}@example.{rng.choice(('com', 'org'))}"
    ),
    "phone": lambda rng: f"+{rng.randint(1, 99)} {rng.randint(100, 999)} {rng.randint(1000000, 9999999)}",
    "HEADING": lambda rng: rng.choice(WORDS["heading"].split("|")).upper(),
}


def fill(template: str, rng: random.Random) -> tuple[str, tuple[Mark, ...]]:
    """Fill the slots of a template; doubled braces stand for single ones.

    Examples
    --------
    >>> text, spans = fill("Hello {given}.", random.Random(1))
    >>> [(text[start:end], label) for start, end, label in spans]
    [('Fabrice', 'PERSON')]
    """
    text, spans, at = "", [], 0
    met: dict[str, tuple[str, str]] = {}
    for slot in _SLOT.finditer(template):
        text += _braces(template[at : slot.start()])
        label, value = _again(slot[1], met, rng) if _AGAIN.fullmatch(slot[1]) else _draw(slot[1], rng)
        if label:
            start = len(text) + (4 if value.startswith("the ") else 0)
            spans.append((start, len(text) + len(value), label))
        text += value
        at = slot.end()
    return text + _braces(template[at:]), tuple(spans)


def _again(slot: str, met: dict[str, tuple[str, str]], rng: random.Random) -> tuple[str, str]:
    """Name the person of that number, drawn at the first mention."""
    given, family = met.setdefault(slot[-1], (people.given_name(rng), people.family_name(rng)))
    return "PERSON", {"full": f"{given} {family}", "family": family, "given": given}[slot[:-1]]


def _draw(slot: str, rng: random.Random) -> tuple[str, str]:
    if slot in SLOTS:
        label, draw = SLOTS[slot]
        return label, draw(rng)
    if slot in _PLAIN:
        return "", _PLAIN[slot](rng)
    return "", rng.choice(WORDS[slot].split("|"))


def _braces(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")


def drawn(templates: Sequence[str], n: int, rng: random.Random) -> list[tuple[str, str, tuple[Mark, ...]]]:
    """Give n times template, text and spans; templates are taken in turn, repeated texts dropped."""
    found = {}
    for i in range(n):
        template = templates[i % len(templates)]
        text, spans = fill(template, rng)
        found[text] = (template, text, spans)
    return list(found.values())
