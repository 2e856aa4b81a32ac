"""Scores rows by encoders, and by linear models, that were trained without their sources.

    python training/encoder_unseen.py --shared ../shared --extra EXTRA --runs RUNS --out OUT [--fold N]
    python training/encoder_unseen.py --shared ../shared --extra EXTRA --out OUT --linear

RUNS/foldN is what `encoder_train.py --leave-out N` and `encoder_export.py` (in ``export``) wrote. OUT/foldN.npz gets
one row for each text: ``crc`` of it, ``source``, ``label`` and ``margin``, the highest of its windows;
``window_margin`` and ``window_owner`` for each window; ``domain_source``, ``domain_label`` and ``domain_logits``.
OUT/linear.npz gets the linear log-odds of the same texts.
"""

from __future__ import annotations

import argparse
import random
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from numpy.typing import NDArray

from corpus import ATTACK, DOMAINS, Row, attack_rows, domain_rows, passages, terms
from encoder_examples import CONTENT_TOKENS, STRIDE_TOKENS, Coder, Window
from encoder_folds import FOLDS

MOST_ROWS, MOST_WINDOWS = 2000, 24
BATCH_ROWS = 8


def windows(coder: Coder, text: str) -> Iterator[Window]:
    """Cut a text as the library does: the last window moved back, so that it is full."""
    ids, cases, _ = coder.encode(text)
    last = max(0, len(ids) - CONTENT_TOKENS)
    starts = [*range(0, last, STRIDE_TOKENS), last]
    for start in starts[:MOST_WINDOWS]:
        yield coder.window(ids, cases, start, min(len(ids), start + CONTENT_TOKENS), 0)


class Scorer:
    """An exported encoder, and its tokenizer."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(folder / "encoder.onnx", options)
        self._coder = Coder(folder / "tokenizer.json")

    def scores(self, texts: Sequence[str], head: str) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Give the logits of every window, shape (n_windows, n_labels), and the text of each."""
        cut = [(owner, window) for owner, text in enumerate(texts) for window in windows(self._coder, text)]
        order = sorted(range(len(cut)), key=lambda i: len(cut[i][1].ids))
        rows: list[Any] = [None] * len(cut)
        for at in range(0, len(order), BATCH_ROWS):
            chosen = order[at : at + BATCH_ROWS]
            for i, logits in zip(chosen, self._run([cut[i][1] for i in chosen], head), strict=True):
                rows[i] = logits
        return np.array(rows, dtype=np.float32), np.array([owner for owner, _ in cut])

    def _run(self, batch: Sequence[Window], head: str) -> NDArray[np.float32]:
        n = max(len(window.ids) for window in batch)
        fed = {name: np.zeros((len(batch), n), np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
        for row, window in enumerate(batch):
            fed["input_ids"][row, : len(window.ids)] = window.ids
            fed["attention_mask"][row, : len(window.ids)] = 1
            fed["token_type_ids"][row, : len(window.ids)] = window.cases
        logits: NDArray[np.float32] = self._session.run([head], fed)[0]
        return logits


def some(rows: Sequence[Row], names: frozenset[str], most: int, seed: int = 1) -> list[Row]:
    """Draw up to so many rows of each source and label, of these sources."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.source in names and not row.is_held_out:
            groups.setdefault((row.source, row.label), []).append(row)
    rng = random.Random(seed)
    return [row for key in sorted(groups) for row in rng.sample(groups[key], min(len(groups[key]), most))]


def checksum(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def score_fold(fold: int, folder: Path, attacks: list[Row], domains: list[Row], out: Path) -> None:
    scorer = Scorer(folder)
    rows = some(attacks, FOLDS[fold], MOST_ROWS)
    logits, owner = scorer.scores([row.text[:40_000] for row in rows], "jailbreak")
    margins = logits[:, 1] - logits[:, 0]
    best = np.full(len(rows), -np.inf, np.float32)
    np.maximum.at(best, owner, margins)
    asked = some(domains, FOLDS[fold], 150)
    pooled = np.zeros((len(asked), len(DOMAINS)), np.float32)
    if asked:
        of_window, asked_owner = scorer.scores([row.text for row in asked], "domain")
        np.add.at(pooled, asked_owner, of_window)
        pooled /= np.maximum(1, np.bincount(asked_owner, minlength=len(asked)))[:, None]
    np.savez_compressed(
        out / f"fold{fold}.npz",
        crc=np.array([checksum(row.text) for row in rows], np.uint32),
        source=np.array([row.source for row in rows]),
        label=np.array([row.label == ATTACK for row in rows]),
        margin=best,
        window_margin=margins,
        window_owner=owner,
        domain_source=np.array([row.source for row in asked]),
        domain_label=np.array([DOMAINS.index(row.label) for row in asked]),
        domain_logits=pooled,
    )
    print(f"fold {fold}: {len(rows)} texts, {len(owner)} windows, {len(asked)} of domains", flush=True)


def score_linear(attacks: list[Row], out: Path, l2: float = 1e-5, n_bits: int = 21) -> None:
    """Fit the linear model without each fold and score the fold's texts, as `make_linear.unseen_peaks` does."""
    import make_linear as linear
    from fit import common_keys, cut, text_keys

    rows = [row for row in attacks if not row.is_held_out]
    keys = [text_keys(row.text, linear.ATTACK_KINDS) for row in rows]
    cuts = cut(keys, common_keys(keys, linear.LEAST_TEXTS), linear.FITTED_SIZES, n_bits, most=12)
    linear.FOLDS = tuple(set(fold) for fold in FOLDS)  # type: ignore[assignment]
    best = linear.unseen_peaks(rows, keys, cuts, l2)
    slope, offset = linear.calibration(rows, best)
    known = np.isfinite(best)
    np.savez_compressed(
        out / "linear.npz",
        crc=np.array([checksum(row.text) for row in rows], np.uint32)[known],
        log_odds=(slope * best + offset)[known].astype(np.float32),
        source=np.array([row.source for row in rows])[known],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--extra", type=Path, required=True)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fold", type=int, choices=range(len(FOLDS)))
    parser.add_argument("--linear", action="store_true")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    extra = passages(arguments.extra)
    attacks = attack_rows(arguments.shared, extra)
    if arguments.linear:
        score_linear(attacks, arguments.out)
        return
    domains = domain_rows(arguments.shared, extra, terms(arguments.extra))
    for fold in range(len(FOLDS)) if arguments.fold is None else (arguments.fold,):
        score_fold(fold, arguments.runs / f"fold{fold}" / "export", attacks, domains, arguments.out)


if __name__ == "__main__":
    main()
