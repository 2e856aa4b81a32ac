"""``python -m routekit import-vllm-sr``: a configuration of the router as a policy file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from routekit.vllm_sr.translation import translate


def main(argv: Sequence[str]) -> int:
    """Print a policy as JSON, and on standard error what is lost or reads differently; return 0."""
    parser = argparse.ArgumentParser(
        prog="routekit import-vllm-sr",
        description="Translate the routing part of a vLLM Semantic Router configuration into a policy, as JSON. "
        "Exit status: 0 translated, 2 something cannot be mapped.",
    )
    parser.add_argument("file", help="configuration, YAML")
    parser.add_argument(
        "--leave-out", action="store_true", help="leave out decisions that cannot be mapped, and list them, not fail"
    )
    parser.add_argument("--recipe", metavar="NAME", help="which policy, of a configuration with several")
    options = parser.parse_args(argv)
    translation = translate(Path(options.file), recipe=options.recipe)
    if not options.leave_out:
        translation.raise_if_unmapped()
    for item in translation.unmapped:
        print(f"routekit: lost: {item}", file=sys.stderr)
    for note in translation.notes:
        print(f"routekit: note: {note}", file=sys.stderr)
    print(json.dumps(translation.policy, indent=2))
    return 0
