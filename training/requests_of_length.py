"""Builds benign requests of a given length out of varied texts: what thresholds are set and checked on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from corpus import Row


def benign_requests(pool: Sequence[Row], n_words: int, n_requests: int, seed: int) -> Iterator[str]:
    """Give requests of about `n_words` words, each mixing texts of one to four sources as conversations do.

    Up to 750 words, every third is a single text, so that short requests count as they come.
    """
    rng = random.Random(seed)
    by_source: dict[str, list[str]] = {}
    for row in pool:
        by_source.setdefault(row.source, []).append(row.text)
    sources = sorted(by_source)
    for i in range(n_requests):
        chosen = rng.sample(sources, rng.randint(1, min(4, len(sources))))
        parts: list[str] = []
        room = 1 if n_words <= 750 and i % 3 == 0 else n_words
        while room > 0:
            text = rng.choice(by_source[rng.choice(chosen)])
            parts.append(text)
            room -= n_units(text)
        yield "\n".join(parts)


def n_units(text: str) -> int:
    """Estimate a text's tokens as the screen counts them: words, or characters where there are no spaces."""
    n_words = len(text.split())
    return max(1, n_words, len(text) // 2 if len(text) > 20 * n_words else 0)
