"""Makes ``doubt.npz``, by which a text is cleared before the encoder reads it (`routekit.embedded.doubt`).

    python training/make_doubt.py --shared ../shared --extra EXTRA --folder FOLDER [--leave-out N]

FOLDER has the encoder's ``tokenizer.json`` and gets ``doubt.npz``. It is trained on what the encoder is trained on:
the same stream of examples, whole up to 512 tokens. A quarter of an hour on one core; the same inputs give the same
file on one machine. Prints what it would clear of rows that nothing was trained on.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found]
from numpy.typing import NDArray

from corpus import ATTACK, Row, attack_rows, collected, passages
from encoder_examples import JailbreakExamples
from encoder_folds import FOLDS
from encoder_model import cut_vocabulary, new_encoder
from encoder_train import read_texts
from fit import balance, quantized
from routekit.embedded.doubt import DILATIONS, FORMAT, WIDTH, Doubt, gram_rows
from routekit.embedded.passages import READ_TOKENS
from routekit.tokenization import JsonTokenizer

N_EXAMPLES, N_ROUNDS = 240_000, 3
#: Bits of a hash that choose a row of the table, and bits that tell n-grams apart.
N_BITS, HASH_BITS, LEAST_TEXTS = 20, 60, 5
SIZES = (8, 16, 32)
#: Dimensions of a word vector, and features of either convolution.
N_DIMS, N_FEATURES = 24, (64, 64)
BATCH_TOKENS, CHUNK = 4096, 4096
RATE, GRAM_RATE, WARM_UP = 3e-3, 0.02, 0.03
#: An attack that is missed weighs so many harmless texts that are doubted.
ATTACK_WEIGHT = 2.0
#: Weight of the convolutions beside the n-grams. Alone, n-grams clear more of known sources, and lose more attacks of
#: unknown ones.
SHARE = 2.0
#: Losses at which shares are printed.
LOSSES = (0.0025, 0.005, 0.01, 0.02)


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Tokens of labelled texts."""

    ids: list[NDArray[np.int64]]
    is_attack: NDArray[np.float32]


def draw(examples: JailbreakExamples, tokenizer: JsonTokenizer, n: int, seed: int) -> Examples:
    """Draw texts as the encoder's training does, cut to what the model is asked about."""
    rng = random.Random(seed)
    drawn = [examples.draw(rng)[:2] for _ in range(n)]
    ids = [tokenizer.encode(text[: 8 * READ_TOKENS]).input_ids[:READ_TOKENS] for text, _ in drawn]
    labels = np.array([label for _, label in drawn], np.float32)
    return Examples(ids, labels)


def common_rows(ids: Sequence[NDArray[np.int64]]) -> NDArray[np.bool_]:
    """Say which rows of the table hold an n-gram that so many texts have; rarer ones say nothing of the next text."""
    texts = {text.tobytes(): text for text in ids}.values()  # a text that was drawn twice is one
    grams = np.concatenate([np.unique(gram_rows(text, HASH_BITS)) for text in texts])
    found, n_texts = np.unique(grams, return_counts=True)
    common = np.zeros(1 << N_BITS, dtype=np.bool_)
    common[found[n_texts >= LEAST_TEXTS] >> (HASH_BITS - N_BITS)] = True
    common[0] = False
    return common


class Glance(torch.nn.Module):  # type: ignore[misc]
    """`Doubt` as it is trained: log-odds by n-grams, and by convolutions, each fitted on its own."""

    def __init__(self, word_vectors: torch.Tensor) -> None:
        super().__init__()
        self.grams = torch.nn.Embedding(1 << N_BITS, 1, padding_idx=0, sparse=True)
        torch.nn.init.zeros_(self.grams.weight)
        self.slopes = torch.nn.Parameter(torch.ones(len(SIZES) + 1))
        self.biases = torch.nn.Parameter(torch.full((len(SIZES) + 1,), -1.0))
        # Each dimension of deviation 1, or the first steps would all but vanish.
        self.register_buffer("words", (word_vectors - word_vectors.mean(0)) / word_vectors.std())
        self.short = torch.nn.Linear(word_vectors.shape[1], N_DIMS, bias=False)
        widths = (N_DIMS, *N_FEATURES)
        self.layers = torch.nn.ModuleList(
            torch.nn.Conv1d(a, b, WIDTH, padding=WIDTH // 2 * dilation, dilation=dilation)
            for a, b, dilation in zip(widths, N_FEATURES, DILATIONS, strict=False)
        )
        self.out = torch.nn.Parameter(torch.full((N_FEATURES[-1],), 0.1))
        self.offset = torch.nn.Parameter(torch.tensor(-2.0))

    def forward(
        self, ids: torch.Tensor, rows: torch.Tensor, lengths: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        return self.by_grams(rows, lengths), self.by_shapes(ids, lengths)

    def by_grams(self, rows: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Score by the highest window; rows: (batch, 4, sequence)."""
        sums = torch.nn.functional.pad(self.grams(rows)[..., 0].sum(1).cumsum(1), (1, 0))  # batch, sequence + 1
        slopes = self.slopes.abs()
        found = [slopes[-1] * sums[:, -1] / lengths**0.5 + self.biases[-1]]
        for i, size in enumerate(SIZES):
            if size < sums.shape[1]:
                inside = torch.arange(size, sums.shape[1])[None] <= lengths[:, None]
                windows = slopes[i] * (sums[:, size:] - sums[:, :-size]) / size**0.5 + self.biases[i]
                found.append(windows.masked_fill(~inside, -1e4).max(1).values)
        return torch.stack(found).max(0).values

    def by_shapes(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Score by the highest place of each feature; ids: (batch, sequence)."""
        real = (torch.arange(ids.shape[1])[None] < lengths[:, None]).unsqueeze(1).float()  # batch, 1, sequence
        values = self.short(self.words[ids]).transpose(1, 2) * real
        for layer in self.layers:
            values = torch.relu(layer(values)) * real
        return values.max(2).values @ self.out.abs() + self.offset


def batches(examples: Examples, common: NDArray[np.bool_], seed: int) -> Iterator[tuple[torch.Tensor, ...]]:
    """Give ids, rows, lengths and labels of texts of similar lengths, each text once."""
    rng = np.random.default_rng(seed)
    lengths = np.array([len(text) for text in examples.ids])
    known = rng.permutation(np.flatnonzero(lengths))
    for chunk in np.array_split(known, max(1, len(known) // CHUNK)):
        chunk = chunk[np.argsort(lengths[chunk], kind="stable")]
        step, groups = 0, []
        while step < len(chunk):
            n = 1
            while step + n < len(chunk) and (n + 1) * lengths[chunk[step + n]] <= BATCH_TOKENS:
                n += 1
            groups.append(chunk[step : step + n])
            step += n
        for group in (groups[i] for i in rng.permutation(len(groups))):
            yield _batch(examples, common, group)


def _batch(examples: Examples, common: NDArray[np.bool_], group: NDArray[np.int64]) -> tuple[torch.Tensor, ...]:
    texts = [examples.ids[i] for i in group]
    n_tokens = max(map(len, texts))
    ids, rows = np.zeros((len(texts), n_tokens), np.int64), np.zeros((len(texts), 4, n_tokens), np.int64)
    for i, text in enumerate(texts):
        ids[i, : len(text)] = text
        rows[i, :, : len(text)] = gram_rows(text, N_BITS)
    rows[~common[rows]] = 0
    lengths = np.array([len(text) for text in texts])
    return (*map(torch.from_numpy, (ids, rows, lengths)), torch.from_numpy(examples.is_attack[group]))


def train(model: Glance, examples: Examples, common: NDArray[np.bool_]) -> None:
    others = [value for name, value in model.named_parameters() if not name.startswith("grams")]
    optimizers = (
        torch.optim.SparseAdam([model.grams.weight], lr=GRAM_RATE),
        torch.optim.AdamW(others, lr=RATE, weight_decay=0.01),
    )
    rates = (GRAM_RATE, RATE)
    started, n_seen, means = time.monotonic(), 0, [0.7, 0.7]
    for turn in range(N_ROUNDS):
        for ids, rows, lengths, labels in batches(examples, common, seed=turn):
            share = n_seen / (N_ROUNDS * len(examples.ids))
            for optimizer, rate in zip(optimizers, rates, strict=True):
                optimizer.param_groups[0]["lr"] = rate * min(1.0, 0.01 + share / WARM_UP) * (1.02 - share)
            weights = 1 + (ATTACK_WEIGHT - 1) * labels
            losses = [
                torch.nn.functional.binary_cross_entropy_with_logits(logits, labels, weights)
                for logits in model(ids, rows, lengths)
            ]
            sum(losses).backward()
            for optimizer in optimizers:
                optimizer.step()
                optimizer.zero_grad()
            n_seen += len(labels)
            means = [0.99 * mean + 0.01 * float(loss.detach()) for mean, loss in zip(means, losses, strict=True)]
        shown = f"{means[0]:.3f} by n-grams, {means[1]:.3f} by convolutions"
        print(f"round {turn + 1}, {time.monotonic() - started:.0f} s: {shown}", flush=True)


def save(model: Glance, common: NDArray[np.bool_], path: Path) -> Doubt:
    """Round the tables to int8 and write the file."""
    table = model.grams.weight.detach().numpy()[:, 0] * common
    grams, step = quantized(table)
    slopes, biases = model.slopes.detach().abs().tolist(), model.biases.detach().tolist()
    scales = [
        {"n_tokens": size, "slope": slope * step, "bias": bias}
        for size, slope, bias in zip((*SIZES, 0), slopes, biases, strict=True)
    ]
    arrays: dict[str, Any] = {"grams": grams, "out": model.out.detach().abs().numpy()}
    short = (model.words @ model.short.weight.T).detach().numpy()  # n_ids, n_dims
    per_step = np.abs(short).max(0) / 127
    arrays["vectors"] = np.rint(short / per_step).astype(np.int8)
    for i, layer in enumerate(model.layers):
        kernel = layer.weight.detach().numpy().transpose(2, 1, 0)  # WIDTH, n_in, n_out
        kernel = kernel * per_step[None, :, None] if i == 0 else kernel
        arrays[f"kernel{i}"] = kernel.reshape(-1, kernel.shape[2]).astype(np.float32)
        arrays[f"bias{i}"] = layer.bias.detach().numpy()
    settings = json.dumps({"format": FORMAT, "scales": scales, "share": SHARE}).encode()
    np.savez_compressed(path, settings=np.frombuffer(settings, dtype=np.uint8), **arrays)
    print(f"{path.name}: {path.stat().st_size} bytes, {np.count_nonzero(grams)} n-grams")
    return Doubt.from_file(path)


def report(model: Doubt, tokenizer: JsonTokenizer, rows: Sequence[Row]) -> None:
    """Print what bounds would clear of each source, and which attacks they would lose; sources weigh alike."""
    groups: dict[tuple[bool, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.label == ATTACK, row.source), []).append(row)
    chosen = [row for many in groups.values() for row in random.Random(1).sample(many, min(len(many), 200))]
    ids = [tokenizer.encode(row.text).input_ids for row in chosen]
    scores = np.array([model.log_odds(text) if len(text) <= READ_TOKENS else np.inf for text in ids])
    is_attack = np.array([row.label == ATTACK for row in chosen])
    weights = balance([row.source for row in chosen], 100)
    order = np.flatnonzero(is_attack)[np.argsort(scores[is_attack])]
    lost = np.cumsum(weights[order]) / weights[order].sum()
    bounds = [float(scores[order[np.searchsorted(lost, loss)]]) for loss in LOSSES]
    print(f"bounds {np.round(bounds, 2).tolist()} for {LOSSES} of attacks")
    for label, source in sorted(groups):
        mine = scores[(is_attack == label) & np.array([row.source == source for row in chosen])]
        shares = [round(float((mine < bound).mean()), 3) for bound in bounds]
        print(f"  {'lost' if label else 'cleared'} of {source} ({len(mine)}): {shares}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--extra", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--leave-out", type=int, choices=range(len(FOLDS)))
    parser.add_argument("--examples", type=int, default=N_EXAMPLES)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    left_out = frozenset[str]() if arguments.leave_out is None else FOLDS[arguments.leave_out]
    tokenizer = JsonTokenizer(arguments.folder / "tokenizer.json")
    with tempfile.TemporaryDirectory() as folder:
        kept = cut_vocabulary(Path(folder) / "tokenizer.json")
        if not tokenizer.matches(Path(folder) / "tokenizer.json"):
            raise SystemExit(f"{arguments.folder} has another tokenizer than encoder_train.py writes")
    words = new_encoder(kept, 1).bert.embeddings.word_embeddings.weight.detach()
    texts = read_texts(arguments.shared, arguments.extra, left_out)
    drawn = draw(JailbreakExamples(texts.attacks, texts.passages, texts.asked), tokenizer, arguments.examples, seed=5)
    common = common_rows(drawn.ids)
    print(f"{len(drawn.ids)} texts, {sum(map(len, drawn.ids))} tokens, {common.sum()} common n-grams", flush=True)
    model = Glance(words)
    train(model, drawn, common)
    finished = save(model, common, arguments.folder / "doubt.npz")
    rows = [*attack_rows(arguments.shared, passages(arguments.extra)), *collected(arguments.extra, "prompts")]
    report(finished, tokenizer, [row for row in rows if row.is_held_out or row.source in left_out])


if __name__ == "__main__":
    main()
