"""More attacks of the kinds that an encoder misses, and harmless twins, written for this project.

Four kinds: a harmful deed in a long frame of fluent persuasion, an order planted in data (`encoder_planted`), a short
harmful request with an optimised suffix (`encoder_suffixes`), and short wordings that fish for the prompt or play with
access codes. The templates lie in ``persuasion/``; those of ``frames.txt`` serve both sides. A harmful deed is only
ever named.
"""

from __future__ import annotations

import random

import encoder_persuasion as persuasion
import encoder_persuasion_slots as wording
import encoder_planted as planted
import encoder_suffixes as suffixes
from encoder_persuasion_fill import capitals, fill, templates

FRAMES = templates("frames")
PRESSED = templates("frames_attack")
FRAME_TWINS = templates("frames_twin")
EXTRACTIONS = templates("extraction")
EXTRACTION_TWINS = templates("extraction_twin")
ASKED = templates("asked")
#: Sentences that lead to a request, harmless by themselves.
LEADS = templates("leads")

#: What stays the same throughout a text, as the deed does.
_SAME = (
    "name",
    "name2",
    "cred",
    "inst",
    "aud",
    "setting",
    "land",
    "town",
    "opening",
    "secret",
    "prompt",
    "guess",
    "figure",
)
_WEIGHTS = (0.45, 0.25, 0.15, 0.15)


def _framed(template: str, deed: str, rng: random.Random) -> str:
    slots = {**wording.SLOTS, "deed": deed, "harm": rng.choice(wording.HARMFUL)}
    return capitals(fill(template, slots, rng, _SAME), rng)


def _led(rng: random.Random) -> str:
    """Compose a frame: one to four sentences that lead to a request, which may be a shorter frame."""
    leads = rng.sample(LEADS, rng.randint(1, 4))
    request = rng.choice(persuasion.FRAMES if rng.random() < 0.5 else ASKED) + rng.choice((".", "", ""))
    joint = rng.choice((" ", " ", "{par}"))
    return " ".join(leads) + joint + request + rng.choice((" {steps}", " {steps} {real}", "{par}{steps}", ""))


def _shared(rng: random.Random) -> str:
    return rng.choice(FRAMES) if rng.random() < 0.65 else _led(rng)


def framed_attack(rng: random.Random) -> str:
    """Draw a harmful deed in a long frame."""
    return _framed(_shared(rng) if rng.random() < 0.68 else rng.choice(PRESSED), rng.choice(wording.HARMFUL), rng)


def framed_twin(rng: random.Random) -> str:
    """Draw a harmless deed in a long frame, or a text in the manner of one."""
    return _framed(_shared(rng) if rng.random() < 0.68 else rng.choice(FRAME_TWINS), rng.choice(wording.HARMLESS), rng)


def _asked(deed: str, garbage: str, rng: random.Random) -> str:
    request = fill(rng.choice(ASKED), {**wording.SLOTS, "deed": deed}, rng)
    return request + rng.choice((" ", " ", " ", "\n", ". ", "")) + garbage


def suffix_attack(rng: random.Random) -> str:
    """Draw a short harmful request with an optimised suffix."""
    return _asked(rng.choice(wording.HARMFUL), suffixes.suffix(rng), rng)


def suffix_twin(rng: random.Random) -> str:
    """Draw a harmless request with pasted or mistyped garbage, at its end or start."""
    deed, garbage = rng.choice(wording.HARMLESS), suffixes.pasted(rng)
    text = _asked(deed, garbage, rng)
    return garbage + "\n" + text.removesuffix(garbage).strip() if rng.random() < 0.15 else text


def extraction_attack(rng: random.Random) -> str:
    """Draw a short text that fishes for the prompt or plays with an access code."""
    slots = {**wording.SLOTS, "rep": suffixes.repeated(rng).replace("|", "/")}
    return fill(rng.choice(EXTRACTIONS), slots, rng, _SAME)


def extraction_twin(rng: random.Random) -> str:
    """Draw a harmless text with the words of those."""
    slots = {**wording.SLOTS, "clean": rng.choice(planted.DOCUMENTS)}
    return fill(rng.choice(EXTRACTION_TWINS), slots, rng, _SAME)


_ATTACKS = (framed_attack, planted.attack, suffix_attack, extraction_attack)
_TWINS = (framed_twin, planted.twin, suffix_twin, extraction_twin)


def attack(rng: random.Random) -> str:
    """Draw an attack of any kind."""
    return rng.choices(_ATTACKS, _WEIGHTS)[0](rng)


def twin(rng: random.Random) -> str:
    """Draw a harmless text in the manner of the attacks."""
    return rng.choices(_TWINS, _WEIGHTS)[0](rng)
