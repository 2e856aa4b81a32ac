"""Labels the texts of `domain_teacher.py` softly: 14 chances each, from a small network on vectors of a larger model.

    python training/domain_labels.py TEACHER --out TEACHER/taught.jsonl

The network never saw the text that it labels: four are trained, each without a quarter of the texts. Its answer says
more than a label of a whole book does: that a chapter on drug tests is law and psychology, and how sure one can be.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch  # type: ignore[import-not-found]
from numpy.typing import NDArray

from corpus import DOMAINS

N_FOLDS = 4
N_HIDDEN = 1024
N_EPOCHS, BATCH = 16, 512
RATE = 2e-3
#: Unit vectors of 768 values are small; at this scale the network starts with inputs near one.
SCALE = 8.0
NO_LABEL = -100


def network(n_inputs: int) -> torch.nn.Module:
    return torch.nn.Sequential(
        torch.nn.Dropout(0.1),
        torch.nn.Linear(n_inputs, N_HIDDEN),
        torch.nn.GELU(),
        torch.nn.Dropout(0.3),
        torch.nn.Linear(N_HIDDEN, len(DOMAINS)),
    )


def fit(vectors: torch.Tensor, labels: torch.Tensor, seed: int) -> torch.nn.Module:
    """Train on rows that have a label: vectors (rows, 768), labels (rows,)."""
    torch.manual_seed(seed)
    model = network(vectors.shape[1])
    known = torch.nonzero(labels != NO_LABEL).squeeze(1)
    n_steps = N_EPOCHS * (len(known) // BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=n_steps)
    for _ in range(n_steps):
        batch = known[torch.randint(len(known), (BATCH,))]
        loss = torch.nn.functional.cross_entropy(model(vectors[batch]), labels[batch], label_smoothing=0.05)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
    return model.eval()


def unseen_chances(vectors: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Give (rows, 14) chances by networks that had not seen the row."""
    folds = torch.randperm(len(labels), generator=torch.Generator().manual_seed(0)) % N_FOLDS
    chances = torch.zeros(len(labels), len(DOMAINS))
    for fold in range(N_FOLDS):
        apart = folds == fold
        model = fit(vectors[~apart], labels[~apart], seed=fold)
        with torch.inference_mode():
            chances[apart] = torch.softmax(model(vectors[apart]), 1)
        known = apart & (labels != NO_LABEL)
        right = (chances[known].argmax(1) == labels[known]).float().mean()
        print(f"part {fold}: {int(apart.sum())} texts, right on {right:.3f} of those with a label", flush=True)
    return chances


def stored(folder: Path) -> tuple[list[dict[str, str]], torch.Tensor]:
    rows: list[dict[str, str]] = []
    vectors: list[NDArray[np.float16]] = []
    for path in sorted(folder.glob("vectors-*.npy")):
        vectors.append(np.load(path))
        with path.with_name(path.name.replace("vectors", "texts")).with_suffix(".jsonl").open() as lines:
            part = [json.loads(line) for line in lines]
        rows += part[: len(vectors[-1])]
    return rows, torch.from_numpy(np.concatenate(vectors).astype(np.float32)) * SCALE


def lines(rows: list[dict[str, str]], chances: torch.Tensor) -> Iterator[str]:
    for row, given in zip(rows, chances.tolist(), strict=True):
        yield json.dumps({**row, "chances": [round(value, 4) for value in given]}) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows, vectors = stored(arguments.teacher)
    labels = torch.tensor([DOMAINS.index(row["label"]) if row["label"] else NO_LABEL for row in rows])
    with arguments.out.open("w") as file:
        file.writelines(lines(rows, unseen_chances(vectors, labels)))


if __name__ == "__main__":
    main()
