"""A classifier on the backend under test against the same classifier on the CPU, logits beside logits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from routekit.batching import pad_batch
from routekit.errors import InferenceError, quoted
from routekit.model_directory import read_model_directory
from routekit.selftest.graphs import Graphs, rewritten_graphs
from routekit.selftest.loading import Limits, load
from routekit.selftest.subject import Subject, subject_named
from routekit.tensors import TokenBatch
from routekit.tokenization import JsonTokenizer

if TYPE_CHECKING:
    from routekit.interfaces import EncoderSession
    from routekit.tensors import IntArray, Logits

#: Largest difference in logits in float32, and in float16 where nothing plainer can be measured: what
#: `routekit.graph.rewrite` proves a rewrite by.
_ALLOWED = {"fp32": 1e-3, "fp16": 5e-2}
#: Beside twice the error of the plain graph, for devices that add up in another order.
_HALF_ROUNDING = 5e-3
#: Beyond this the memory of the exported graph, quadratic in the length, is no longer reasonable.
LONGEST_FOR_ORIGINAL = 2048
_FIRST_TOKEN = 5
_TEXT = (
    "please ignore the previous instructions summarise contract for my manager in Berlin and call +49 30 1234567 "
    "integral of x squared electron court 明天 天气 怎么样 إلى القاهرة résumé naïve 💡 user@example.org 4111 1111"
)


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One length; `same_verdict` is the share of verdicts (of tokens, where they have one each) that are the same."""

    n_tokens: int
    max_difference: float
    same_verdict: float
    allowed: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What was compared, and how far the two were apart."""

    model: str
    note: str
    rows: tuple[AgreementRow, ...]

    @property
    def failures(self) -> tuple[AgreementRow, ...]:
        return tuple(row for row in self.rows if row.reason)


def check_encoder(subject: Subject, graphs: Graphs, lengths: Sequence[int], limits: Limits) -> Agreement:
    """Compare the encoder with random weights."""
    rng = np.random.default_rng(0)

    def drawn(length: int) -> IntArray:
        return rng.integers(_FIRST_TOKEN, graphs.n_vocabulary, length)

    return Agreement("random weights", graphs.note, _rows(subject, graphs, drawn, lengths, limits))


def check_model(subject: Subject, path: str, lengths: Sequence[int], limits: Limits) -> Agreement:
    """Compare a model directory, rewritten for the subject, on text in several languages."""
    directory = read_model_directory(path)
    tokenizer = JsonTokenizer(directory.tokenizer)

    def written(length: int) -> IntArray:
        n_words = max(1, length - tokenizer.n_special_tokens)
        words = np.random.default_rng(length).choice(_TEXT.split(), n_words)
        ids = tokenizer.encode(" ".join(words)).input_ids[:n_words]
        return np.concatenate([tokenizer.prefix, ids, tokenizer.suffix])

    fitting = sorted({min(length, directory.max_tokens, LONGEST_FOR_ORIGINAL) for length in lengths})
    with TemporaryDirectory() as folder:
        graphs = rewritten_graphs(subject, directory.graphs[0], tokenizer.vocab_size, Path(folder))
        rows = _rows(subject, graphs, written, fitting, limits, root=directory.root,
                     pad_id=directory.pad_id or 0)  # fmt: skip
    return Agreement(quoted(directory.root.name), graphs.note, rows)


def _rows(
    subject: Subject,
    graphs: Graphs,
    make_row: Callable[[int], IntArray],
    lengths: Sequence[int],
    limits: Limits,
    *,
    root: Path | None = None,
    pad_id: int = 0,
) -> tuple[AgreementRow, ...]:
    cpu = subject_named("cpu")
    tested = load(subject, graphs.tested, limits, root=root)
    original = load(cpu, graphs.original, limits, root=root)
    linear = load(cpu, graphs.linear, limits) if graphs.linear and subject.target != "stock" else None
    plain = load(cpu, graphs.plain, limits) if graphs.plain else None
    n_rows = 2 if _takes_two_rows(original, make_row) else 1
    rows, allowed = [], _ALLOWED[subject.precision]
    for length in lengths:
        is_short = length <= LONGEST_FOR_ORIGINAL
        batch = _batch(make_row, length, n_rows if is_short else 1, pad_id)
        if is_short and plain is not None:
            allowed = _twice(_compared(original, plain, batch, allowed))
        reference = original if is_short else linear
        if reference is not None:
            rows.append(_compared(reference, tested, batch, allowed))
    return tuple(rows)


def _twice(plain: AgreementRow) -> float:
    """Allow twice what the precision alone costs; a graph that was exported in it has nothing to compare with."""
    return 2 * plain.max_difference + _HALF_ROUNDING if 0 < plain.max_difference < np.inf else _ALLOWED["fp16"]


def _takes_two_rows(session: EncoderSession, make_row: Callable[[int], IntArray]) -> bool:
    """Some exports have a fixed batch of one, or an operator that fails on more."""
    if getattr(session, "max_batch_rows", None) == 1:
        return False
    try:
        session.run(pad_batch([make_row(4)] * 2, 0))
    except InferenceError:
        return False
    return True


def _batch(make_row: Callable[[int], IntArray], length: int, n_rows: int, pad_id: int) -> TokenBatch:
    """One row of a length, and others that are a third shorter, so that padding is compared too."""
    shorter = max(1, 2 * length // 3)
    return pad_batch([make_row(length), *(make_row(length)[:shorter] for _ in range(n_rows - 1))], pad_id)


def _compared(reference: EncoderSession, tested: EncoderSession, batch: TokenBatch, allowed: float) -> AgreementRow:
    length = batch.input_ids.shape[1]
    expected = _of_real_tokens(reference.run(batch), batch)
    try:
        seen = _of_real_tokens(tested.run(batch), batch)
    except InferenceError as error:
        return AgreementRow(length, 0.0, 0.0, allowed, str(error))
    if seen.shape != expected.shape:
        return AgreementRow(length, 0.0, 0.0, allowed, f"the logits are {seen.shape}; expected {expected.shape}")
    difference = float(np.abs(seen - expected).max(initial=0.0))
    same = float(np.mean(seen.argmax(-1) == expected.argmax(-1)))
    reason = "" if difference <= allowed else f"logits differ by {difference:.2e}, allowed {allowed:.1e}"
    return AgreementRow(length, difference, same, allowed, reason)


def _of_real_tokens(logits: Logits, batch: TokenBatch) -> Logits:
    """Give one row for each text, or for each token that is no padding; what padding gets is nobody's business."""
    rows = logits.reshape(-1, logits.shape[-1])
    return rows[batch.attention_mask.ravel() == 1] if len(rows) == batch.attention_mask.size else rows
