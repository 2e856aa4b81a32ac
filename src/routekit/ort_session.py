"""An encoder on ONNX Runtime: what all backends share. Importing this module imports no ONNX Runtime."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from routekit.attention import DOMAIN, register_attention
from routekit.errors import BackendUnavailable, ConfigError, InferenceError, ModelFormatError, quoted
from routekit.execution_provider import Provider, import_runtime, insist_on, refuse_missing_libraries
from routekit.onnx_file import OnnxSummary, read_onnx_summary
from routekit.tensors import ModelFiles, TokenBatch

if TYPE_CHECKING:
    from routekit.tensors import Logits

#: Operators that graphs may use, by domain; those of `DOMAIN` need the library of `routekit.attention`.
_KNOWN_DOMAINS = frozenset({"", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc", "com.ms.internal.nhwc", DOMAIN})
_OUTPUT_ORDER = ("logits", "output", "predictions", "output_0", "token_logits")
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_OPTIONS = frozenset({"n_threads", "provider_options", "heads"})
_MAX_DEFAULT_THREADS = 8
_FATAL_ONLY = 4


def load_encoder(model: ModelFiles, provider: Provider) -> OrtEncoder:
    """Load the first candidate graph that loads on this provider.

    Raises
    ------
    ModelFormatError
        If none does; lists each file with its failure.
    BackendUnavailable
        If ONNX Runtime or the provider is missing or not active.
    ConfigError
        If an option is unknown or of the wrong type.
    """
    runtime = import_runtime(provider)
    settings = _Settings.of(model.options, provider)
    failures = []
    for graph in model.graphs:
        try:
            return OrtEncoder(runtime, check_graph(graph, model.root), settings)
        except ModelFormatError as error:
            failures.append(f"{quoted(graph.name)}: {error}")
    raise ModelFormatError(f"no graph loads on {provider.name}: {'; '.join(failures)}; export the model again")


@dataclass(frozen=True, slots=True)
class _Settings:
    provider: Provider
    provider_options: Mapping[str, str]
    n_threads: int
    heads: tuple[str, ...]

    @property
    def n_runs(self) -> int:
        """Runs at the same time: more than there are cores for would cost memory and cache, and gain nothing."""
        return self.provider.n_runs or max(1, _n_cores() // self.n_threads)

    @classmethod
    def of(cls, options: Mapping[str, object], provider: Provider) -> _Settings:
        unknown = sorted(set(options) - _OPTIONS)
        if unknown:
            raise ConfigError(f"unknown backend option {quoted(unknown[0])}; allowed: {', '.join(sorted(_OPTIONS))}")
        heads = tuple(map(str, cast("Iterable[object]", options.get("heads", ()))))
        return cls(provider, _provider_options(options, provider), _n_threads(options.get("n_threads")), heads)


def _provider_options(options: Mapping[str, object], provider: Provider) -> dict[str, str]:
    given = options.get("provider_options") or {}
    if not isinstance(given, Mapping):
        raise ConfigError(f"provider_options is a {type(given).__name__}; expected a mapping of names to values")
    return {**provider.defaults, **{str(key): str(value) for key, value in given.items()}}


def _n_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _n_threads(given: object) -> int:
    if given is None:
        return min(_n_cores(), _MAX_DEFAULT_THREADS)
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= 1024:
        raise ConfigError(f"n_threads is {given!r}; allowed: 1 to 1024")
    return given


@dataclass(frozen=True, slots=True)
class _Graph:
    path: Path
    summary: OnnxSummary


def check_graph(path: Path, root: Path) -> _Graph:
    """Read what a graph needs; refuse what would read outside the model directory or needs unknown operators."""
    summary = read_onnx_summary(path)
    for location in sorted(summary.external):
        weights = (path.parent / location).resolve()
        if not weights.is_relative_to(root.resolve()):
            raise ModelFormatError(f"its weights {quoted(location)} lie outside the model directory; move them into it")
        if not weights.is_file():
            raise ModelFormatError(f"its weights {quoted(location)} are missing; copy them beside the graph")
    foreign = sorted(summary.domains - _KNOWN_DOMAINS)
    if foreign:
        raise ModelFormatError(f"it needs operators of {quoted(foreign[0])}, which routekit does not load")
    return _Graph(path, summary)


class OrtEncoder:
    """A graph loaded on ONNX Runtime. `run` is thread-safe; calls over the number of useful runs wait for their turn.

    A process forked after loading (gunicorn's preload) loads its own session at the first run: threads of the
    parent's session do not exist there.

    Attributes
    ----------
    graph
        The file that was loaded.
    n_embeddings
        Token ids that the graph knows, None if it cannot tell.
    max_batch_rows
        1 where rows of a batch would influence each other, else None.
    batch_tokens
        Tokens in one batch that the device runs best.
    warms_up
        True when a run at load time makes the first request faster.
    """

    def __init__(self, runtime: Any, graph: _Graph, settings: _Settings) -> None:
        self._runtime, self._settings = runtime, settings
        self.graph = graph.path
        self.n_embeddings = graph.summary.n_embeddings
        self.max_batch_rows = 1 if graph.summary.batch_shares_scales else None
        self.warms_up, self.batch_tokens = settings.provider.warms_up, settings.provider.batch_tokens
        self._needs_custom_op = DOMAIN in graph.summary.domains
        self._sessions: dict[int, _PerProcess] = {}
        session = self._session()
        self._inputs = _input_types(session.get_inputs())
        self._heads = _head_names([output.name for output in session.get_outputs()], settings.heads)

    def run(self, batch: TokenBatch) -> Logits:
        """Run one batch; of a graph with several heads, give the first.

        Returns
        -------
        the raw output, in float32: (batch, n_labels) or (batch, sequence_length, n_labels), or what the graph gives.

        Raises
        ------
        InferenceError
            If ONNX Runtime fails; its own message is shortened and holds no text.
        """
        return self.run_heads(batch)[self._heads[0]]

    def run_heads(self, batch: TokenBatch) -> dict[str, Logits]:
        """Run one batch and give the raw output of every head, as `run` does: those that the option ``heads`` names."""
        feeds = {name: self._feed(batch, name, dtype) for name, dtype in self._inputs.items()}
        session = self._session()
        try:
            with self._own().turns:
                outputs = session.run(list(self._heads), feeds)
        except Exception as error:
            shape = batch.input_ids.shape
            raise InferenceError(
                f"{self.graph.name} failed on a batch of shape {shape}: {_reason(error, self.graph)}"
            ) from None
        return {head: np.asarray(output, dtype=np.float32) for head, output in zip(self._heads, outputs, strict=True)}

    def _feed(self, batch: TokenBatch, name: str, dtype: str) -> Any:
        array = getattr(batch, name)
        if array is None:
            array = np.zeros_like(batch.input_ids)
        return array.astype(dtype, copy=False)

    def _session(self) -> Any:
        own = self._own()
        with own.lock:
            if own.session is None:
                own.session = _open(self._runtime, self.graph, self._settings, self._needs_custom_op)
            return own.session

    def _own(self) -> _PerProcess:
        pid = os.getpid()
        return self._sessions.get(pid) or self._sessions.setdefault(pid, _PerProcess(self._settings.n_runs))


class _PerProcess:
    """A session, the lock under which it is made, and the turns of its runs; each process makes its own."""

    __slots__ = ("lock", "session", "turns")

    def __init__(self, n_runs: int) -> None:
        self.lock, self.turns = Lock(), BoundedSemaphore(n_runs)
        self.session: Any = None


def _open(runtime: Any, graph: Path, settings: _Settings, needs_custom_op: bool) -> Any:
    options = _session_options(runtime, settings)
    if needs_custom_op:
        _register_attention(options)
    providers = [(settings.provider.name, dict(settings.provider_options))]
    try:
        session = runtime.InferenceSession(str(graph), options, providers=providers, enable_fallback=0)
    except Exception as error:
        refuse_missing_libraries(runtime, settings.provider)
        raise ModelFormatError(_reason(error, graph)) from None
    session.disable_fallback()
    insist_on(runtime, session.get_providers(), settings.provider)
    return session


def _register_attention(options: Any) -> None:
    try:
        register_attention(options)
    except BackendUnavailable as error:  # this graph cannot run, the next candidate may
        raise ModelFormatError(str(error)) from None


def _session_options(runtime: Any, settings: _Settings) -> Any:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = settings.n_threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _FATAL_ONLY
    # Threads that wait by spinning burn the cores of the gateway around us.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    return options


def _input_types(inputs: Sequence[Any]) -> dict[str, str]:
    types = {}
    for value in inputs:
        if value.name not in _INPUTS:
            raise ModelFormatError(f"it asks for input {quoted(value.name)}; allowed: {', '.join(sorted(_INPUTS))}")
        types[value.name] = value.type.removeprefix("tensor(").removesuffix(")")
    if "input_ids" not in types:
        raise ModelFormatError("it has no input input_ids; export it with transformers' input names")
    odd = {name: kind for name, kind in types.items() if kind not in ("int64", "int32")}
    if odd:
        raise ModelFormatError(f"its inputs have types {odd}; allowed: int64, int32")
    return types


def _head_names(names: Sequence[str], wanted: tuple[str, ...]) -> tuple[str, ...]:
    if missing := sorted(set(wanted) - set(names)):
        raise ModelFormatError(f"it has no output {quoted(missing[0])}; it has {', '.join(map(quoted, names))}")
    return wanted or (_output_name(names),)


def _output_name(names: Sequence[str]) -> str:
    for name in _OUTPUT_ORDER:
        if name in names:
            return name
    if len(names) == 1:
        return names[0]
    raise ModelFormatError(f"none of its outputs {', '.join(map(quoted, names))} is one of {', '.join(_OUTPUT_ORDER)}")


def _reason(error: Exception, graph: Path) -> str:
    """Shorten a foreign message to one line, without the path."""
    message = " ".join(str(error).replace(str(graph), graph.name).split())
    return ascii(message[:300])[1:-1]
