"""What a recogniser is: a row of a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias


class Strength(IntEnum):
    """How much a written form and its check digits say by themselves.

    A check digit passes one random number in ten: alone it proves little. WEAK needs a context word; POSSIBLE needs
    one too, unless the number is the whole text; LIKELY needs none, unless something speaks against it (a word such as
    "version", or more numbers around it); CERTAIN is a form in which nothing else is written.
    """

    WEAK = 0
    POSSIBLE = 1
    LIKELY = 2
    CERTAIN = 3


#: P by what stands near. Chosen, not fitted: zero means no finding, the rest says which of two findings is kept.
WITH_CONTEXT = {Strength.WEAK: 0.8, Strength.POSSIBLE: 0.9, Strength.LIKELY: 0.95, Strength.CERTAIN: 0.99}
#: The same for a number that is written with spaces and has more numbers beside it: a part of something longer.
CROWDED = {**WITH_CONTEXT, Strength.WEAK: 0.0}
ALONE = {Strength.WEAK: 0.0, Strength.POSSIBLE: 0.0, Strength.LIKELY: 0.75, Strength.CERTAIN: 0.95}
WHOLE_TEXT = {Strength.WEAK: 0.0, Strength.POSSIBLE: 0.6, Strength.LIKELY: 0.85, Strength.CERTAIN: 0.97}
DOUBTED = {Strength.WEAK: 0.0, Strength.POSSIBLE: 0.0, Strength.LIKELY: 0.0, Strength.CERTAIN: 0.75}
REFUSED = dict.fromkeys(Strength, 0.0)


def anything(_: str) -> bool:
    """Accept every text of the right shape."""
    return True


@dataclass(frozen=True, slots=True)
class Recogniser:
    """One written form of one kind of personal data.

    Attributes
    ----------
    label
        What it is, e.g. ``"US_SSN"``.
    shapes
        How it is written, in the notation of `routekit.pii.shapes`.
    check
        Accepts the bare text: letters and digits only, upper case unless `keep_case`.
    strength
        What shape and check say without a context word.
    context
        Names of the sets of context words that speak for it, see `routekit.pii.words`.
    before
        What must stand right before it, where a word somewhere near would be too little.
    tail
        What may follow and belongs to it, such as an extension or a time of day.
    keep_case
        Whether `check` sees the text in its own case.
    with_glue
        Whether `check` sees the glue too.
    """

    label: str
    shapes: tuple[str, ...]
    strength: Strength
    check: Callable[[str], bool] = anything
    context: tuple[str, ...] = ()
    before: re.Pattern[str] | None = None
    tail: re.Pattern[str] | None = None
    keep_case: bool = False
    with_glue: bool = False


#: What a finder yields: start, end, and the recogniser (without shapes) that says label, strength and context.
Found: TypeAlias = tuple[int, int, Recogniser]
