"""A text classifier on ONNX Runtime (or any backend), read from a model directory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from routekit.attention import library_path
from routekit.batching import length_buckets, pad_batch
from routekit.errors import (
    ConfigError,
    InferenceError,
    ModelFormatError,
    UsageError,
    quoted,
)
from routekit.interfaces import Backend, Compressor, EncoderSession
from routekit.logits import probabilities, sequence_logits, token_logits
from routekit.long_text import Aggregate, LongText, Reading, WindowVotes
from routekit.model_directory import ModelDirectory, read_model_directory
from routekit.plugins import installed_plugins
from routekit.prediction import Prediction
from routekit.request import Scope
from routekit.shared_work import sharing_work
from routekit.tensors import ModelFiles
from routekit.text_reader import Screen, TextReader
from routekit.token_spans import OUTSIDE, TokenScheme, TokenVotes
from routekit.tokenization import JsonTokenizer
from routekit.verdict import VerdictRule

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Longest window by default: what the published classifiers were trained at, and attention costs the square of it.
DEFAULT_MAX_TOKENS = 512
#: Tokens in one batch, padding included, where the backend names no better number.
DEFAULT_BATCH_TOKENS = 4096


class OnnxClassifier:
    """Classifies texts of any length with an encoder; made by `from_dir`.

    Thread-safe, deterministic, and a text's verdict does not depend on its neighbours in a batch beyond rounding.
    Cancelling a caller does not stop a running kernel; the session stays usable.

    Attributes
    ----------
    name
        The signal's name.
    labels
        Labels that get a probability; for token classifiers the entities, without B- and I-, and O.
    positive
        Labels that count as a hit.
    threshold
        P from which a positive label is the verdict, and a token belongs to a span.
    multi_label
        True when labels do not exclude each other.
    cost
        Rough milliseconds for 1K tokens: orders signals, cheap ones first.
    tokenizer
        Hand it to another `from_dir` to load it once.
    """

    def __init__(
        self,
        name: str,
        directory: ModelDirectory,
        session: EncoderSession,
        reader: TextReader,
        *,
        positive: Collection[str] | None = None,
        threshold: float | None = None,
        aggregate: Aggregate | None = None,
        batch_tokens: int | None = None,
        cost: float = 500.0,
        scope: Scope = "all",
    ) -> None:
        self._scheme = TokenScheme.of(directory.labels) if directory.task == "token" else None
        self._directory, self._session, self._reader = directory, session, reader
        self.name, self.cost, self.scope = name, cost, scope
        self.labels = directory.labels if self._scheme is None else (*self._scheme.entities, OUTSIDE)
        self._rule = VerdictRule(
            self.labels,
            self._positive(positive),
            _threshold(threshold),
            directory.multi_label or self._scheme is not None,
        )
        self.positive, self.threshold, self.multi_label = (
            self._rule.positive,
            self._rule.threshold,
            self._rule.multi_label,
        )
        self._aggregate = _aggregate(aggregate, self.positive)
        self._batch_tokens = _batch_tokens(batch_tokens, session)
        self._max_batch_rows: int | None = getattr(session, "max_batch_rows", None)
        self._pad_id = _pad_id(directory, reader.tokenizer)
        self._probe()

    @classmethod
    def from_dir(
        cls,
        path: str | Path,
        backend: str | Backend = "cpu",
        signal: str | None = None,
        *,
        long_text: LongText = "window",
        stride: int | None = None,
        aggregate: Aggregate | None = None,
        max_tokens: int | None = None,
        threshold: float | None = None,
        positive: Collection[str] | None = None,
        provider_options: Mapping[str, object] | None = None,
        n_threads: int | None = None,
        rewrite: str | None = None,
        keep_rewritten: bool | None = None,
        tokenizer: JsonTokenizer | None = None,
        compressor: Compressor | None = None,
        screens: Sequence[Screen] = (),
        batch_tokens: int | None = None,
        cost: float = 500.0,
        scope: Scope = "all",
    ) -> OnnxClassifier:
        """Load a directory as transformers or the published router models write it; nothing is downloaded.

        Parameters
        ----------
        path
            Directory with ``config.json``, ``tokenizer.json``, ONNX files in it or in ``onnx/``, optional mappings.
        backend
            ``"cpu"``, ``"cuda"``, ``"rocm"``, ``"migraphx"``, a plugin's name, or a Backend.
        signal
            Name of the signal; None for the directory's name.
        long_text
            Texts over `max_tokens` are read in overlapping windows (``"window"``), cut to what matters
            (``"compress"``), or refused with InferenceError (``"refuse"``).
        stride
            Tokens from one window's start to the next one's; None for three quarters of a window.
        aggregate
            How windows become one verdict: ``"max"`` (the worst window decides) or ``"mean"``. None for ``"max"`` if
            there are positive labels, else ``"mean"``.
        max_tokens
            Tokens of one window, special tokens included. None for the model's limit or 512, whichever is less.
        threshold
            P from which a positive label is the verdict, and a token belongs to a span; None for 0.5.
        positive
            Labels that count as a hit. None for every entity of a token classifier, and for a sequence classifier the
            label that bears the signal's name, if there is one.
        provider_options, n_threads
            For the backend: options of the execution provider; threads inside one run, None for all cores up to 8.
        rewrite, keep_rewritten
            Rewrite attention at load (`routekit.graph.rewrite`): ``"fp32"``, ``"bf16"``, ``"int16"``, ``"int8"``,
            ``"fp16"`` or ``"off"``; None for what the backend does by itself: ``"fp16"`` on ``"rocm"``, else ``"off"``.
            It takes a minute for a base model; ``keep_rewritten=True`` keeps the result in ``.routekit`` inside the
            directory.
        tokenizer
            Of another classifier, to share its memory; must be the directory's own.
        compressor
            For ``long_text="compress"``; None for ExtractiveCompressor.
        screens
            For ``long_text="compress"``: classifiers with ``screen(text)``, such as the embedded ones. They read the
            whole text first; what they flag is kept, or read in further windows.
        batch_tokens
            Tokens in one batch, padding included, which bounds the memory whatever the texts; None for what the
            backend runs best: 512 on the CPU, 4096 on GPUs.

        Raises
        ------
        ModelFormatError
            If the directory is incomplete, inconsistent, damaged or unsafe; names the file and the remedy.
        BackendUnavailable, BackendNotFound
            If the backend cannot run here, or is unknown.
        ConfigError
            If an argument lies outside what is allowed.
        """
        directory = read_model_directory(path, with_custom_op=library_path() is not None)
        own = _tokenizer(directory, tokenizer)
        limit = _max_tokens(max_tokens, directory)
        if long_text == "compress" and compressor is None:
            compressor = installed_plugins().compressor("extractive")
        reader = TextReader(own, limit, stride, long_text, compressor, tuple(screens))
        options = {
            "provider_options": provider_options,
            "n_threads": n_threads,
            "rewrite": rewrite,
            "keep_rewritten": keep_rewritten,
        }
        given = {key: value for key, value in options.items() if value is not None}
        runner = installed_plugins().backend(backend) if isinstance(backend, str) else backend
        session = runner.load(ModelFiles(directory.root, directory.graphs, given))
        _check_vocabulary(own, getattr(session, "n_embeddings", None) or directory.vocab_size)
        return cls(
            signal or directory.root.name,
            directory,
            session,
            reader,
            positive=positive,
            threshold=threshold,
            aggregate=aggregate,
            batch_tokens=batch_tokens,
            cost=cost,
            scope=scope,
        )

    @property
    def tokenizer(self) -> JsonTokenizer:
        return self._reader.tokenizer

    def __repr__(self) -> str:
        return f"OnnxClassifier({self.name!r}, {len(self.labels)} labels, {self._directory.task})"

    def classify(self, texts: Sequence[str]) -> list[Prediction]:
        """Judge every text.

        Inside `routekit.shared_work.sharing_work`, classifiers with the same tokenizer tokenize a text once.

        Raises
        ------
        InferenceError
            If the model fails, gives NaN or a wrong shape, or a text is refused as too long.
        UsageError
            If `texts` is not a sequence of str.
        """
        started = perf_counter()
        with sharing_work():
            readings = [self._reader.read(text) for text in _checked(texts)]
        votes = [self._votes(text, reading) for text, reading in zip(texts, readings, strict=True)]
        for row, window, per_label in self._run(readings):
            votes[row].add(window, per_label)
        seconds = perf_counter() - started
        return [self._prediction(*pair, seconds) for pair in zip(readings, votes, strict=True)]

    def _votes(self, text: str, reading: Reading) -> WindowVotes | TokenVotes:
        if self._scheme is None:
            return WindowVotes(reading, self._rule, self._aggregate)
        return TokenVotes(text, reading, self._scheme, self.threshold)

    def _run(self, readings: Sequence[Reading]) -> Iterator[tuple[int, int, NDArray[Any]]]:
        """Run all windows of all texts in batches of similar length; yield (text, window, probabilities)."""
        places = [(i, j) for i, reading in enumerate(readings) for j in range(len(reading.windows))]
        n_special = self.tokenizer.n_special_tokens
        lengths = [len(readings[i].windows[j]) + n_special for i, j in places]
        for bucket in length_buckets(lengths, self._batch_tokens, self._max_batch_rows):
            rows = [self._row(readings[i], j) for i, j in (places[k] for k in bucket)]
            for k, per_label in zip(bucket, self._probabilities(rows), strict=True):
                yield (*places[k], per_label)

    def _row(self, reading: Reading, window: int) -> NDArray[np.int64]:
        ids = reading.encoding.input_ids[reading.windows[window]]
        return np.concatenate([self.tokenizer.prefix, ids, self.tokenizer.suffix])

    def _probabilities(self, rows: Sequence[NDArray[np.int64]]) -> Iterator[NDArray[Any]]:
        """Run one batch; yield P(label) per row: (n_labels,), or (tokens without special ones, n_labels)."""
        logits = self._logits(rows)
        first, n_special = len(self.tokenizer.prefix), self.tokenizer.n_special_tokens
        for row, row_logits in zip(rows, logits, strict=True):
            own = row_logits if self._scheme is None else row_logits[first : first + len(row) - n_special]
            yield probabilities(own, multi_label=self._directory.multi_label)

    def _logits(self, rows: Sequence[NDArray[np.int64]]) -> NDArray[Any]:
        batch = pad_batch(rows, self._pad_id)
        raw = self._session.run(batch)
        n_rows, n_tokens = batch.input_ids.shape
        if self._scheme is None:
            return sequence_logits(raw, n_rows, len(self._directory.labels))
        return token_logits(raw, n_rows, n_tokens, len(self._directory.labels))

    def _prediction(self, reading: Reading, votes: WindowVotes | TokenVotes, seconds: float) -> Prediction:
        per_label = votes.probabilities()
        return Prediction(
            label=self._rule.label(per_label),
            probabilities=per_label,
            spans=votes.spans(),
            coverage=reading.coverage,
            truncated=reading.coverage < 1.0,
            n_tokens=reading.n_tokens,
            seconds=seconds,
        )

    def _positive(self, given: Collection[str] | None) -> frozenset[str]:
        if given is None:
            if self._scheme is not None:
                return frozenset(self._scheme.entities)
            return frozenset(label for label in self.labels if label.casefold() == self.name.casefold())
        unknown = sorted(set(given) - set(self.labels))
        if isinstance(given, str) or unknown:
            wrong = given if isinstance(given, str) else unknown[0]
            raise ConfigError(f"positive has {quoted(wrong)}; expected a set of {', '.join(map(quoted, self.labels))}")
        return frozenset(given)

    def _probe(self) -> None:
        """Run two short rows, so that a graph that does not match its labels is refused at load time.

        Some exports take one row only (a fixed batch axis, or an operator that fails on more): they get one at a time.
        """
        ids = self.tokenizer.encode("a b").input_ids
        rows = [np.concatenate([self.tokenizer.prefix, ids[:n], self.tokenizer.suffix]) for n in (len(ids), 1)]
        try:
            self._logits(rows if self._max_batch_rows is None else rows[:1])
        except InferenceError:
            self._probe_single(rows[0])
        if getattr(self._session, "warms_up", False):
            self._logits([np.resize(rows[0], self._reader.max_tokens)])

    def _probe_single(self, row: NDArray[np.int64]) -> None:
        try:
            self._logits([row])
        except InferenceError as error:
            graph = quoted(str(getattr(getattr(self._session, "graph", None), "name", "the graph")))
            n_labels = len(self._directory.labels)
            raise ModelFormatError(
                f"{graph} does not run as config.json says ({n_labels} labels, {self._directory.task} classification): "
                f"{error}; correct config.json or export the model again"
            ) from None
        self._max_batch_rows = 1


def _checked(texts: Sequence[str]) -> Sequence[str]:
    if isinstance(texts, (str, bytes)):
        raise UsageError(f"classify got a single {type(texts).__name__}; expected a sequence of str: [text]")
    for text in texts:
        if not isinstance(text, str):
            raise UsageError(f"classify got a {type(text).__name__} among the texts; allowed: str")
    return texts


def _threshold(given: float | None) -> float:
    value = 0.5 if given is None else given
    if not 0.0 < value <= 1.0:
        raise ConfigError(f"threshold is {value}; allowed: over 0, at most 1")
    return value


def _batch_tokens(given: int | None, session: EncoderSession) -> int:
    if given is None:
        return int(getattr(session, "batch_tokens", DEFAULT_BATCH_TOKENS))
    if given < 1:
        raise ConfigError(f"batch_tokens is {given}; allowed: at least 1")
    return given


def _aggregate(given: Aggregate | None, positive: frozenset[str]) -> Aggregate:
    if given not in (None, "max", "mean"):
        raise ConfigError(f"aggregate is {given!r}; allowed: 'max', 'mean'")
    return given or ("max" if positive else "mean")


def _tokenizer(directory: ModelDirectory, given: JsonTokenizer | None) -> JsonTokenizer:
    if given is None:
        return JsonTokenizer(directory.tokenizer)
    if not given.matches(directory.tokenizer):
        raise ConfigError(f"the given tokenizer is not that of {quoted(directory.root.name)}; leave it out")
    return given


def _max_tokens(given: int | None, directory: ModelDirectory) -> int:
    if given is None:
        return min(directory.max_tokens, DEFAULT_MAX_TOKENS)
    if given > directory.max_tokens:
        raise ConfigError(f"max_tokens is {given}; the model allows at most {directory.max_tokens}")
    return given


def _check_vocabulary(tokenizer: JsonTokenizer, n_embeddings: int | None) -> None:
    """Refuse a tokenizer whose ids the model does not have, or that leaves much of the model's vocabulary unused."""
    if n_embeddings is None:
        return
    spare = max(256, n_embeddings // 10)
    if not n_embeddings - spare <= tokenizer.vocab_size <= n_embeddings:
        raise ModelFormatError(
            f"'tokenizer.json' has {tokenizer.vocab_size} token ids, the model {n_embeddings}: it belongs to another "
            "model; copy the tokenizer that the model was trained with"
        )


def _pad_id(directory: ModelDirectory, tokenizer: JsonTokenizer) -> int:
    if directory.pad_id is not None:
        if directory.pad_id >= tokenizer.vocab_size:
            raise ModelFormatError(
                f"config.json: pad_token_id is {directory.pad_id}, but 'tokenizer.json' has {tokenizer.vocab_size} ids"
            )
        return directory.pad_id
    return tokenizer.token_id("[PAD]", "<pad>", "<|pad|>", "<|padding|>") or 0
