"""Leave one source out: what the tiers make of sources that the models were trained without."""

from __future__ import annotations

from typing import Any

from quality_tiers import Tier


def left_out(tier: Tier) -> dict[str, Any]:
    return {}
