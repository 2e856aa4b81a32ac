"""Leave sources out: what each tier makes of texts whose source the models were trained without.

    python benchmarks/quality_unseen.py UNSEEN/left_out.npz

packs the scores that `training/encoder_calibrate.py` joined from such trainings (``source``, ``is_attack``, ``linear``,
the log-odds of the linear tier, and ``margin``, the highest margin of the encoder) into ``left_out.npz`` beside this
file: figures only, no text. The numbers that join both tiers are those of the encoder that ships.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quality_measures import separation
from quality_tiers import Tier
from routekit.embedded.encoder_settings import JailbreakRule
from routekit.readings import sigmoid

STORED = Path(__file__).with_name("left_out.npz")
#: Fewer texts of a source tell nothing.
FEWEST = 40


def left_out(tier: Tier) -> dict[str, Any]:
    """Separate the attacks of each source from all harmless texts, both unseen; empty without stored scores."""
    if not STORED.exists():
        return {}
    with np.load(STORED, allow_pickle=False) as stored:
        names, source, is_attack = stored["names"], stored["source"], stored["is_attack"]
        linear, margin = stored["linear"].astype(np.float64), stored["margin"].astype(np.float64)
    p = _joined(getattr(tier.jailbreak, "rule", None), linear, margin)
    harmless = p[~is_attack]
    found = {"pooled": separation(p[is_attack], harmless)}
    for i, name in enumerate(names):
        mine = p[is_attack & (source == i)]
        if len(mine) >= FEWEST:
            found[str(name)] = separation(mine, harmless)
    return found


def _joined(
    rule: JailbreakRule | None, linear: NDArray[np.float64], margin: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give P as the tier would: of the linear log-odds alone, or of both where the first does not settle a text."""
    if rule is None:
        return np.array([sigmoid(value) for value in linear])
    settled = (rule.settled(value) for value in linear)
    both = (rule.log_odds(value, rule.encoder_log_odds(m)) for value, m in zip(linear, margin, strict=True))
    return np.array([sigmoid(b if s is None else s) for s, b in zip(settled, both, strict=True)])


def pack(path: Path) -> None:
    """Store the scores in 16 bits and the sources by number."""
    with np.load(path, allow_pickle=False) as found:
        names, index = np.unique(found["source"].astype(str), return_inverse=True)
        np.savez_compressed(
            STORED,
            names=names,
            source=index.astype(np.uint8),
            is_attack=found["is_attack"].astype(np.bool_),
            linear=found["linear"].astype(np.float16),
            margin=found["margin"].astype(np.float16),
        )
    print(f"{STORED.name}: {len(index)} texts, {STORED.stat().st_size} bytes")


if __name__ == "__main__":
    pack(Path(sys.argv[1]))
