"""Writes sentences from templates: ``{slot}`` draws one of the choices of that name, which may hold slots itself."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

_SLOT = re.compile(r"\{(\w+)\}")


def sample(templates: Sequence[str], slots: Mapping[str, str], n: int, seed: int) -> list[str]:
    """Draw up to n different sentences; each template has the same chance.

    Examples
    --------
    >>> sorted(sample(["{a} day", "no"], {"a": "good|bad"}, 20, seed=0))
    ['bad day', 'good day', 'no']
    """
    rng = random.Random(seed)
    drawn = (_fill(rng.choice(templates), slots, rng) for _ in range(4 * n))
    return list(dict.fromkeys(drawn))[:n]


def _fill(template: str, slots: Mapping[str, str], rng: random.Random) -> str:
    while match := _SLOT.search(template):
        template = template[: match.start()] + rng.choice(slots[match[1]].split("|")) + template[match.end() :]
    return re.sub(r" +", " ", template).strip()
