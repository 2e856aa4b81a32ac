"""The interfaces of routekit, on one page. Protocols: nothing needs to be inherited.

Attributes marked optional are read with a default when a class does not have them; `routekit.checks` tests a
plugin against all of this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, Union, runtime_checkable

from typing_extensions import Buffer

from routekit.decision import Decision
from routekit.prediction import Prediction
from routekit.request import BodyEvent, RequestView
from routekit.tensors import CompressedText, Encoding, ModelFiles, TokenBatch, WindowScores

if TYPE_CHECKING:
    from routekit.tensors import Logits

RequestLike: TypeAlias = Union[bytes, bytearray, memoryview, Mapping[str, object], RequestView]


@runtime_checkable
class Classifier(Protocol):
    """Gives every text a prediction; thread-safe, deterministic, and independent of batch order.

    Optional attributes: ``positive: frozenset[str]`` (labels that count as a hit; default: none), ``threshold: float``
    (P at or over which a positive label is always the verdict; default 0.5), ``multi_label: bool`` (labels do not
    exclude each other; default False), ``cost: float`` (ms for 1K tokens; default 1.0), ``scope: Scope`` (default
    ``"all"``), ``open() -> IncrementalClassifier``, ``warm_up()`` (loads what the first request would wait for),
    ``for_labels(asked: frozenset[str]) -> Classifier`` (one that answers for these labels and the positive ones only,
    where that is cheaper), ``for_redaction(redacted: frozenset[str]) -> Classifier`` (one that reads all of a text for
    these labels, where this one may leave some unread: what it overlooks is forwarded).
    """

    name: str
    labels: tuple[str, ...]

    def classify(self, texts: Sequence[str]) -> list[Prediction]: ...


@runtime_checkable
class IncrementalClassifier(Protocol):
    """Reads one text as it arrives. ``finish()`` equals ``classify([everything fed])``, whatever the pieces.

    Optional: ``settled() -> bool``, called once everything is fed. False says that ``finish()`` would be expensive: a
    router then asks for ``classify([text])``, where that may wait for a thread, instead.
    """

    def feed(self, text: str) -> None:
        """Take the next piece of the text."""
        ...

    def lower_bound(self) -> Mapping[str, float]:
        """Give lower bounds of P(label) that no later text can undo; labels left out are bounded by 0."""
        ...

    def finish(self) -> Prediction: ...


@runtime_checkable
class Tokenizer(Protocol):
    """Counts and cuts text for one vocabulary."""

    #: Special tokens that a model adds around one text.
    n_special_tokens: int

    def encode(self, text: str) -> Encoding: ...


@runtime_checkable
class Compressor(Protocol):
    """Cuts a text to at most `max_tokens`, special tokens included; a hard cap."""

    def compress(
        self,
        text: str,
        max_tokens: int,
        *,
        scores: WindowScores | Sequence[WindowScores] | None = None,
        tokenizer: Tokenizer | None = None,
    ) -> CompressedText: ...


@runtime_checkable
class StreamingBodyReader(Protocol):
    """Reads one request body, sans-IO: the caller brings the bytes and the time."""

    def feed(self, chunk: Buffer, *, now: float | None = None) -> tuple[BodyEvent, ...]: ...
    def close(self) -> RequestView: ...
    def rewrite(self, *, model: str) -> list[memoryview]: ...


@runtime_checkable
class Router(Protocol):
    """Turns a request into a decision."""

    def route(
        self, request: RequestLike, *, metadata: Mapping[str, object] | None = None, now: float | None = None
    ) -> Decision: ...


@runtime_checkable
class Backend(Protocol):
    """Runs a classifier's graph somewhere: CPU, ROCm, CUDA."""

    name: str

    def load(self, model: ModelFiles) -> EncoderSession: ...


@runtime_checkable
class EncoderSession(Protocol):
    """A loaded graph; ``run`` is thread-safe."""

    def run(self, batch: TokenBatch) -> Logits: ...
