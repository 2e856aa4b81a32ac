"""Rows that nothing was trained on and that bounds and thresholds may be set on."""

from __future__ import annotations

import random
from pathlib import Path

from corpus import BENIGN, Row, attack_rows
from encoder_packages import HELD_PACKAGES, code_rows

#: Attacks of one source.
N_ATTACKS = 100


def held_code() -> list[Row]:
    """Give source code of packages that no encoder has met."""
    return [r for r in code_rows() if r.source.removeprefix("packages/") in HELD_PACKAGES and r.sets_thresholds]


def held_attacks(shared: Path, extra: list[Row], prompts: list[Row]) -> list[Row]:
    """Give some attacks of each source; `prompts` are those that only the encoder is trained on."""
    by_source: dict[str, list[Row]] = {}
    for row in [*attack_rows(shared, extra), *prompts]:
        if row.label != BENIGN and row.is_held_out and row.sets_thresholds:
            by_source.setdefault(row.source, []).append(row)
    rng = random.Random(9)
    return [row for rows in by_source.values() for row in rng.sample(rows, min(len(rows), N_ATTACKS))]
