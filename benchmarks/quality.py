"""Quality of the embedded classifiers, tier by tier: every set, per signal and difficulty, with intervals.

    python training/collect.py --mirrors MIRRORS --out EXTRA
    python training/collect_entities.py --mirrors MIRRORS --out EXTRA
    python benchmarks/quality_collect.py --mirrors MIRRORS --out EXTRA
    python benchmarks/quality.py --shared ../shared --extra EXTRA [--encoder FOLDER] [--only SIGNAL]
    python benchmarks/quality.py --page

Sets never seen were neither trained nor calibrated on, and set no threshold. Held-out rows of known sources were not
trained on. ``--only`` measures one signal, or the speed, and keeps the other results; ``--encoder`` prints what the
encoder of a folder would do in place of the installed one; ``--page`` writes ``docs/quality.md`` from the stored
results. Some minutes on one core.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import quality_domain
import quality_jailbreak
import quality_pii
from quality_page import PAGE, page_of
from quality_sets import Sets
from quality_speed import memory, speed
from quality_tiers import tiers
from quality_unseen import left_out
from record import RESULTS, save

SIGNALS = {"jailbreak": quality_jailbreak.tables, "domain": quality_domain.tables, "pii": quality_pii.tables}


def measure(sets: Sets, encoder: Path | None, only: str | None) -> dict[str, Any]:
    results: dict[str, Any] = {}
    for tier in tiers(encoder):
        results[tier.name] = {"left out": left_out(tier)}
        for signal, tables in SIGNALS.items():
            if only in (None, signal):
                began = time.perf_counter()
                results[tier.name][signal] = tables(tier, sets)
                print(f"{tier.name}, {signal}: {time.perf_counter() - began:.0f} s", flush=True)
        if only in (None, "speed"):
            results[tier.name]["speed"] = {**speed(tier, sets), **memory(tier.name, encoder)}
    return results


def with_stored(results: dict[str, Any]) -> dict[str, Any]:
    """Put what was measured now in the place of the same in the stored results."""
    path = RESULTS / "quality.json"
    stored: dict[str, Any] = json.loads(path.read_text())["results"] if path.exists() else {}
    return {name: {**stored.get(name, {}), **tier} for name, tier in results.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path)
    parser.add_argument("--extra", type=Path)
    parser.add_argument("--encoder", type=Path)
    parser.add_argument("--only", choices=[*SIGNALS, "speed"])
    parser.add_argument("--page", action="store_true")
    arguments = parser.parse_args()
    if arguments.page:
        PAGE.write_text(page_of(json.loads((RESULTS / "quality.json").read_text())), encoding="utf-8")
        return
    if arguments.shared is None or arguments.extra is None:
        parser.error("--shared and --extra name the folders of the sets")
    results = measure(Sets(arguments.shared, arguments.extra), arguments.encoder, arguments.only)
    if arguments.encoder:
        print(json.dumps(results, indent=1))
        return
    if arguments.only:
        results = with_stored(results)
    sys.argv[1:] = []  # the folders of this machine are nobody's business
    save("quality", results, ("numpy", "onnxruntime", "tokenizers"))


if __name__ == "__main__":
    main()
