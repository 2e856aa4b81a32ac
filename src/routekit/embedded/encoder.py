"""The small encoder that ships: one session, and one tokenization of a text, for three heads."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np

from routekit.batching import length_buckets, pad_batch
from routekit.embedded.encoder_settings import EncoderSettings, read_settings
from routekit.embedded.letter_case import letter_case
from routekit.embedded.passages import READ_TOKENS, read_passages, read_whole, what_matters, whole_text
from routekit.errors import InferenceError, ModelFormatError
from routekit.execution_provider import Provider
from routekit.logits import sequence_logits, token_logits
from routekit.long_text import Reading
from routekit.ort_session import OrtEncoder, load_encoder
from routekit.shared_work import once, sharing_work
from routekit.tensors import ModelFiles, TokenBatch
from routekit.text_reader import Screen
from routekit.tokenization import JsonTokenizer

if TYPE_CHECKING:
    from routekit.tensors import FloatArray, IntArray

HEADS: Final = ("jailbreak", "domain", "pii")
#: The same encoder twice, on the same weights: by routekit's own operators, for processors that gain by them, and by
#: those of ONNX Runtime alone.
GRAPHS: Final = ("encoder_fused.onnx", "encoder.onnx")
#: As in `routekit.backends.cpu`: 512 tokens in a batch run best.
CPU: Final = Provider("CPUExecutionProvider", "onnxruntime", extra="embedded", batch_tokens=512, n_runs=None)


@dataclass(frozen=True, slots=True, eq=False)
class HeadLogits:
    """What the three heads say about the windows of one text.

    Attributes
    ----------
    all_flagged_read
        Everything that a screen flagged was read.
    margins
        shape (n_windows,): by how much the logit for jailbreak exceeds that against it.
    domain
        shape (n_windows, n_labels).
    pii
        For each window, shape (its tokens, n_labels).
    """

    reading: Reading
    all_flagged_read: bool
    margins: FloatArray
    domain: FloatArray
    pii: tuple[FloatArray, ...]

    @property
    def mean_domain(self) -> FloatArray:
        """Logits of the whole text, shape (n_labels,): each window counts by its tokens."""
        weights = np.array([max(1, len(window)) for window in self.reading.windows], dtype=np.float64)
        return np.asarray(weights @ self.domain / weights.sum())


class Encoder:
    """The encoder in one folder; loaded when it is first needed, once in each process. Thread-safe.

    Parameters
    ----------
    folder
        Holds ``encoder.onnx``, ``tokenizer.json`` and ``encoder.json``; the last is read now.
    screens
        Read a long text first: what they flag is read.
    n_threads
        Threads inside one run; None for all cores up to 8.

    Raises
    ------
    ModelFormatError
        If ``encoder.json`` is missing or damaged.
    """

    def __init__(self, folder: Path, screens: Sequence[Screen] = (), *, n_threads: int | None = None) -> None:
        self.folder = folder
        self.settings = read_settings(folder / "encoder.json")
        self.screens = tuple(screens)
        self._n_threads = n_threads
        self._by_process: dict[int, _Loading] = {}

    def load(self) -> None:
        """Load now what `read` would load.

        Raises
        ------
        ModelFormatError
            If a file is missing, damaged or does not fit the others.
        BackendUnavailable
            If ONNX Runtime or tokenizers is missing.
        """
        self._model()

    @property
    def is_loaded(self) -> bool:
        """Whether this process has loaded it."""
        loading = self._by_process.get(os.getpid())
        return loading is not None and loading.model is not None

    def read(self, text: str) -> HeadLogits:
        """Read a text up to 512 tokens, or what matters of a longer one; shared inside `sharing_work`.

        Raises
        ------
        InferenceError
            If the model fails.
        ModelFormatError, BackendUnavailable
            As `load`.
        """
        return once((Encoder, id(self), text), partial(self._read, text))

    def reads_whole(self, text: str) -> bool:
        """Say whether `read` reads all of a text."""
        return whole_text(self.tokenizer, text, READ_TOKENS) is not None

    def _read(self, text: str) -> HeadLogits:
        model, size = self._model(), self.window_size
        encoding = whole_text(model.tokenizer, text, READ_TOKENS)
        if encoding is not None:
            return self.run(text, read_whole(encoding, size, self.settings.stride_tokens))
        with sharing_work():
            groups, all_read = what_matters(text, self.screens)
        reading = read_passages(model.tokenizer, text, groups, size, self.settings.stride_tokens)
        return self.run(text, reading, all_read=all_read)

    def run(self, text: str, reading: Reading, *, all_read: bool = True) -> HeadLogits:
        """Run the windows of a reading of the text."""
        model = self._model()
        n_windows = len(reading.windows)
        margins, domain = np.zeros(n_windows), np.zeros((n_windows, len(self.settings.domain_labels)))
        pii: list[FloatArray] = [np.zeros((0, len(self.settings.pii_labels)))] * n_windows
        for rows, found in model.run(text, reading):
            margins[rows], domain[rows] = found["jailbreak"][:, 1] - found["jailbreak"][:, 0], found["domain"]
            for row, logits in zip(rows, found["pii"], strict=True):
                first = len(model.tokenizer.prefix)
                pii[row] = logits[first : first + len(reading.windows[row])]
        return HeadLogits(reading, all_read, margins, domain, tuple(pii))

    @property
    def window_size(self) -> int:
        """Tokens of text in one window."""
        return self.settings.window_tokens - self._model().tokenizer.n_special_tokens

    @property
    def tokenizer(self) -> JsonTokenizer:
        return self._model().tokenizer

    def _model(self) -> _Model:
        own = self._by_process.setdefault(os.getpid(), _Loading())
        if own.model is None:
            with own.lock:
                own.model = own.model or _Model.load(self.folder, self.settings, self._n_threads)
        return own.model


class _Loading:
    """The model of one process, and the lock under which it is loaded: a fork must not inherit a held one."""

    __slots__ = ("lock", "model")

    def __init__(self) -> None:
        self.lock = Lock()
        self.model: _Model | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    tokenizer: JsonTokenizer
    session: OrtEncoder
    n_labels: tuple[int, int, int]

    @classmethod
    def load(cls, folder: Path, settings: EncoderSettings, n_threads: int | None) -> _Model:
        options = {"heads": HEADS, **({} if n_threads is None else {"n_threads": n_threads})}
        try:
            tokenizer = JsonTokenizer(folder / "tokenizer.json")
            session = load_encoder(ModelFiles(folder, _graphs(folder), options), CPU)
            if session.n_embeddings is not None and tokenizer.vocab_size > session.n_embeddings:
                n_ids = f"{tokenizer.vocab_size} token ids, 'encoder.onnx' {session.n_embeddings}"
                raise ModelFormatError(f"'tokenizer.json' has {n_ids}")
            model = cls(tokenizer, session, (2, len(settings.domain_labels), len(settings.pii_labels)))
            model.probe()
        except ModelFormatError as error:
            raise ModelFormatError(f"the embedded encoder does not load: {error}; reinstall routekit") from None
        return model

    def probe(self) -> None:
        """Run two short rows, so that a graph that does not match its settings is refused at load time."""
        ids = self.tokenizer.encode("a b").input_ids
        reading = Reading(self.tokenizer.encode("a b"), (np.arange(len(ids)), np.arange(1)))
        try:
            list(self.run("a b", reading))
        except InferenceError as error:
            raise ModelFormatError(f"'encoder.onnx' does not run as 'encoder.json' says: {error}") from None

    def run(self, text: str, reading: Reading) -> Iterator[tuple[list[int], dict[str, FloatArray]]]:
        """Run all windows in batches of similar length; yield the numbers of some and what the heads say of them."""
        lengths = [len(window) + self.tokenizer.n_special_tokens for window in reading.windows]
        cases = _cases(text, reading)
        for rows in length_buckets(lengths, self.session.batch_tokens, self.session.max_batch_rows):
            windows = [reading.windows[row] for row in rows]
            yield rows, self._heads([(reading.encoding.input_ids[window], cases[window]) for window in windows])

    def _heads(self, rows: Sequence[tuple[IntArray, IntArray]]) -> dict[str, FloatArray]:
        prefix, suffix = self.tokenizer.prefix, self.tokenizer.suffix
        batch = pad_batch([np.concatenate([prefix, ids, suffix]) for ids, _ in rows], 0)
        cases = [np.concatenate([np.zeros_like(prefix), case, np.zeros_like(suffix)]) for _, case in rows]
        n_rows, n_tokens = batch.input_ids.shape
        raw = self.session.run_heads(TokenBatch(batch.input_ids, batch.attention_mask, pad_batch(cases, 0).input_ids))
        jailbreak, domain, pii = self.n_labels
        found: dict[str, FloatArray] = {
            "jailbreak": sequence_logits(raw["jailbreak"], n_rows, jailbreak).astype(np.float64),
            "domain": sequence_logits(raw["domain"], n_rows, domain).astype(np.float64),
            "pii": token_logits(raw["pii"], n_rows, n_tokens, pii),
        }
        if not all(np.isfinite(logits).all() for logits in found.values()):
            raise InferenceError("the embedded encoder gave NaN or infinity; are its weights damaged?")
        return found


def _graphs(folder: Path) -> tuple[Path, ...]:
    fused, stock = (folder / name for name in GRAPHS)
    return (fused, stock) if fused.is_file() else (stock,)


def _cases(text: str, reading: Reading) -> IntArray:
    """Classify the letters of the tokens that are read, shape (n_tokens,)."""
    cases = np.zeros(len(reading.encoding.input_ids), dtype=np.int64)
    read = np.unique(np.concatenate(reading.windows))
    cases[read] = [letter_case(text[start:end]) for start, end in reading.encoding.offsets[read].tolist()]
    return cases
