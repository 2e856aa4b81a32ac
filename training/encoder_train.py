"""Trains the encoder, or one that has to leave sources unseen.

    python training/encoder_train.py --shared ../shared --extra EXTRA --out OUT [--leave-out N] [--tokens N]

One thread of one core; two runs side by side use two cores. OUT gets ``tokenizer.json``, ``sources.json`` (how many
rows of which source) and ``weights.pt``, which is also written every few minutes. The same inputs, seed and budget
give the same examples in the same order. A file named ``finish`` in OUT shortens the budget to what the last quarter of
it would begin at now. With ``--taught`` the encoder that ``--start`` names goes on: it learns subjects from answers of
a larger model (`domain_labels.py`) besides the labels, and goes on with the rest as before.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch  # type: ignore[import-not-found]

import token_rows
from corpus import Row, _family, attack_rows, collected, passages, subject_rows
from encoder_examples import (
    Coder,
    JailbreakExamples,
    Taught,
    Window,
    batches,
    domain_windows,
    jailbreak_windows,
    taught_texts,
    taught_windows,
    token_windows,
    usable,
)
from encoder_folds import FOLDS
from encoder_model import Encoder, cut_vocabulary, new_encoder
from encoder_packages import code_rows

#: Share of the batches of each task; runs that leave sources out have no token labels, whose held-out sets are apart.
SHARES = {"jailbreak": 0.5, "domain": 0.26, "pii": 0.24}
SHARES_TAUGHT = {"jailbreak": 0.3, "domain": 0.15, "taught": 0.4, "pii": 0.15}
BATCH_TOKENS = 2048
#: Of the body and of the heads, and how much of both when an encoder goes on.
RATE, HEAD_RATE = 1.2e-4, 6e-4
RATE_TAUGHT = 0.7
WARM_UP_TOKENS, DECAY = 200_000, 0.25
#: Smoothed labels help a subject of fourteen, and blur the order of what is surest, where the thresholds of attacks lie
#: (Xia et al. 2025, arXiv:2403.14715).
SMOOTHING = {"jailbreak": 0.01, "domain": 0.05, "taught": 0.0}
SAVE_SECONDS = 240.0


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """All that is trained on, before examples are drawn."""

    attacks: list[Row]
    passages: list[Row]
    asked: list[Row]
    domains: list[Row]
    tokens: list[token_rows.TokenRow]
    taught: list[Taught]


def read_texts(shared: Path, extra: Path, left_out: frozenset[str], taught: Path | None = None) -> Texts:
    stored, requests = passages(extra), collected(extra, "requests")
    rows = usable([*attack_rows(shared, stored), *collected(extra, "prompts"), *requests], left_out)
    families = {_family(row.source) for row in stored} | {row.source for row in requests}
    carriers = [row for row in rows if row.source in families]
    domains = usable(subject_rows(shared, extra), left_out)
    short = [row for row in domains if len(row.text) < 400 and row.source not in ("books", "awesome_prompts")]
    known = [] if left_out else [row for row in token_rows.rows(shared, extra) if not row.is_held_out]
    spoken = taught_texts(taught) if taught else []
    return Texts(rows, [*carriers, *usable(code_rows(), left_out)], short, domains, known, spoken)


def manifest(texts: Texts) -> dict[str, dict[str, int]]:
    """Count the rows of each source by task; carriers of foreign lines are rows of the first one, and code."""
    kinds = {
        "jailbreak": [row.source for row in texts.attacks],
        "carriers": [row.source for row in texts.passages],
        "domain": [row.source for row in texts.domains],
        "taught": [text.source for text in texts.taught],
        "pii": [row.source for row in texts.tokens],
    }
    return {kind: dict(sorted(Counter(names).items())) for kind, names in kinds.items()}


def streams(texts: Texts, labels: Sequence[str], coder: Coder, seed: int) -> dict[str, Iterator[list[Window]]]:
    examples = JailbreakExamples(texts.attacks, texts.passages, texts.asked)
    drawn = {
        "jailbreak": jailbreak_windows(examples, coder, random.Random(seed)),
        "domain": domain_windows(texts.domains, coder, random.Random(seed + 1)),
    }
    if texts.tokens:
        drawn["pii"] = token_windows(texts.tokens, labels, coder, random.Random(seed + 2))
    if texts.taught:
        drawn["taught"] = taught_windows(texts.taught, coder, random.Random(seed + 3))
    return {task: batches(windows, BATCH_TOKENS) for task, windows in drawn.items()}


def tensors(batch: Sequence[Window]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Pad a batch: ids, mask, cases, each (batch, sequence), and targets."""

    def padded(rows: Sequence[object], value: int) -> torch.Tensor:
        return torch.nn.utils.rnn.pad_sequence([torch.as_tensor(row) for row in rows], True, value)

    ids = padded([window.ids for window in batch], 0)
    mask = padded([torch.ones(len(window.ids), dtype=torch.long) for window in batch], 0)
    targets = [window.target for window in batch]
    flat = padded(targets, -100) if isinstance(targets[0], np.ndarray) else torch.tensor(targets)
    return ids, mask, padded([window.cases for window in batch], 0), flat


def loss_of(model: Encoder, task: str, batch: Sequence[Window]) -> torch.Tensor:
    ids, mask, cases, targets = tensors(batch)
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model.hidden(ids, mask, cases)
    hidden = hidden.float()
    if task == "pii":
        return token_loss(model.pii(hidden), targets, batch)
    head = model.jailbreak if task == "jailbreak" else model.domain
    logits = head(hidden, mask)
    return torch.nn.functional.cross_entropy(logits, targets, label_smoothing=SMOOTHING[task])


def token_loss(logits: torch.Tensor, targets: torch.Tensor, batch: Sequence[Window]) -> torch.Tensor:
    """Cross entropy where O means no label that the source annotates, whatever else the token is."""
    logs = torch.log_softmax(logits, -1)
    closed = torch.ones(logs.shape[0], logs.shape[2], dtype=torch.bool)
    closed[:, 0] = False
    for row, window in enumerate(batch):
        closed[row, list(window.unsaid)] = False
    none = torch.logsumexp(logs.masked_fill(closed.unsqueeze(1), -1e4), -1)  # batch, sequence
    given = logs.gather(-1, targets.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return -torch.where(targets == 0, none, given)[targets >= 0].mean()


def optimiser(model: Encoder) -> torch.optim.Optimizer:
    body = [p for p in model.bert.parameters() if p.requires_grad]
    heads = [p for part in (model.jailbreak, model.domain, model.pii) for p in part.parameters()]
    groups = [{"params": body, "lr": RATE}, {"params": heads, "lr": HEAD_RATE}]
    return torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98), fused=True)


def rate_at(spent: int, budget: int) -> float:
    """Share of the learning rate after so many tokens: up, level, and linearly down over the last quarter."""
    return min(1.0, spent / WARM_UP_TOKENS, 0.02 + (budget - spent) / (DECAY * budget))


def save(model: Encoder, labels: Sequence[str], out: Path, spent: int) -> None:
    temporary = out / "weights.tmp"
    torch.save({"state": model.state_dict(), "pii_labels": list(labels), "tokens": spent}, temporary)
    temporary.replace(out / "weights.pt")


def train(model: Encoder, drawn: dict[str, Iterator[list[Window]]], labels: list[str], out: Path, budget: int) -> None:
    rng, steps, spent = random.Random(0), 0, 0
    optimizer = optimiser(model.train())
    shares, scale = (SHARES_TAUGHT, RATE_TAUGHT) if "taught" in drawn else (SHARES, 1.0)
    rates = [group["lr"] * scale for group in optimizer.param_groups]
    started = saved = time.monotonic()
    means = dict.fromkeys(drawn, 1.0)
    while spent < budget:
        task = rng.choices(list(drawn), [shares[name] for name in drawn])[0]
        batch = next(drawn[task])
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * rate_at(spent, budget)
        loss = loss_of(model, task, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        means[task] += 0.02 * (float(loss.detach()) - means[task])
        spent += sum(len(window.ids) for window in batch)
        steps += 1
        if steps % 50 == 0:
            seconds = time.monotonic() - started
            shown = " ".join(f"{name} {value:.3f}" for name, value in means.items())
            print(f"{steps} {spent} tokens {seconds:.0f} s, {spent / seconds:.0f}/s: {shown}", flush=True)
        if spent < budget * (1 - DECAY) and (out / "finish").exists():
            budget = int(spent / (1 - DECAY))
            print(f"asked to finish: the same as --tokens {budget}", flush=True)
        if time.monotonic() - saved > SAVE_SECONDS:
            save(model, labels, out, spent)
            saved = time.monotonic()
    save(model, labels, out, spent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--extra", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--leave-out", type=int, choices=range(len(FOLDS)))
    parser.add_argument("--taught", type=Path, help="what domain_labels.py wrote")
    parser.add_argument("--start", type=Path, help="the weights.pt to go on from")
    parser.add_argument("--tokens", type=int, default=9_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if (arguments.taught is None) != (arguments.start is None):
        parser.error("--taught and --start go together")
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    fold = arguments.leave_out
    left_out = frozenset[str]() if fold is None else FOLDS[fold]
    kept = cut_vocabulary(arguments.out / "tokenizer.json")
    texts = read_texts(arguments.shared, arguments.extra, left_out, arguments.taught)
    labels = ["O", *(f"{mark}-{name}" for name in token_rows.LABELS for mark in "BI")]
    print(f"{len(texts.attacks)} texts, {len(texts.domains)} of domains, {len(texts.tokens)} of tokens: {labels}")
    (arguments.out / "sources.json").write_text(json.dumps(manifest(texts), indent=1) + "\n")
    drawn = streams(texts, labels, Coder(arguments.out / "tokenizer.json"), arguments.seed)
    model = new_encoder(kept, len(labels))
    if arguments.start:
        model.load_state_dict(torch.load(arguments.start, weights_only=True)["state"])
    save(model, labels, arguments.out, 0)
    train(model, drawn, labels, arguments.out, arguments.tokens)


if __name__ == "__main__":
    main()
