"""Averages the weights of an encoder and of those that went on from it, each with examples of its own seed.

    python training/encoder_average.py RUNS/seed2 RUNS/seed3 RUNS/main --out RUNS/mean

Such weights lie in one valley, and their mean meets unseen text better than any one of them, at no cost when it runs
(Wortsman et al. 2022, model soups, arXiv:2203.05482). OUT is a run as `encoder_train.py` writes it, with tokenizer and
sources of the first.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import torch  # type: ignore[import-not-found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    stored = [torch.load(run / "weights.pt", weights_only=True) for run in arguments.runs]
    states = [one["state"] for one in stored]
    mean = {name: torch.stack([state[name].float() for state in states]).mean(0) for name in states[0]}
    state = {name: value.to(states[0][name].dtype) for name, value in mean.items()}
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in ("tokenizer.json", "sources.json"):
        shutil.copyfile(arguments.runs[0] / name, arguments.out / name)
    tokens = sum(one["tokens"] for one in stored)
    torch.save({"state": state, "pii_labels": stored[0]["pii_labels"], "tokens": tokens}, arguments.out / "weights.pt")


if __name__ == "__main__":
    main()
