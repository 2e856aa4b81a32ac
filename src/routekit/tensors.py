"""Arrays and texts on their way into and out of classifiers: values only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from routekit.compressed_view import compressed_html

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray: TypeAlias = NDArray[np.floating[Any]]
    IntArray: TypeAlias = NDArray[np.int64]
    #: (batch, n_labels), or (batch, sequence_length, n_labels) for token classifiers; float32.
    Logits: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """One tokenized text, without special tokens.

    Attributes
    ----------
    input_ids
        shape (n_tokens,), int64.
    offsets
        shape (n_tokens, 2), int64: character range of each token in the text.
    """

    input_ids: IntArray
    offsets: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class TokenBatch:
    """Input of an encoder; all arrays int64 of shape (batch, sequence_length)."""

    input_ids: IntArray
    attention_mask: IntArray
    token_type_ids: IntArray | None = None


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A checked model directory: every path lies inside `root`.

    Attributes
    ----------
    graphs
        Candidate ONNX files, best first; a backend falls through on a load failure.
    options
        Provider options and backend settings given by the caller.
    """

    root: Path
    graphs: tuple[Path, ...]
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class WindowScores:
    """Scores that a screen gave to windows of a text; windows may overlap.

    Attributes
    ----------
    name
        The signal's name, e.g. ``"jailbreak"``.
    spans
        shape (n_windows, 2), int64: character ranges in the text, ascending by start.
    scores
        shape (n_windows,), float, in [0, 1].
    threshold
        Text that scores at least this much is flagged: kept first, and never dropped silently. Infinite for a screen
        that ranks text without flagging any.
    contexts
        shape (n_windows,), int64: where the text begins that a window's score depends on, at most the window's start.
        None where a score depends on its window alone.
    """

    name: str
    spans: IntArray
    scores: FloatArray
    threshold: float
    contexts: IntArray | None = None


@dataclass(frozen=True, slots=True)
class CompressedText:
    """A text cut down to a token budget.

    Attributes
    ----------
    text
        The kept text.
    spans
        Kept ``(start, end)`` character ranges of the original, ascending, disjoint.
    n_tokens_before
        Tokens of the original; an estimate unless `exact`.
    n_tokens_after
        Tokens of `text`, special tokens included: exact with a tokenizer, else an upper bound.
    exact
        True when a tokenizer counted.
    overflow
        Flagged ranges that exceeded the budget and belong into further windows; ascending, disjoint.
    scores
        Per sentence and scorer, when asked for: name to one value per sentence.
    sentences
        Ranges of those sentences in the original, when asked for: ascending, they tile it.
    """

    text: str = field(repr=False)
    spans: tuple[tuple[int, int], ...] = field(repr=False)
    n_tokens_before: int
    n_tokens_after: int
    exact: bool
    overflow: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    scores: Mapping[str, Sequence[float]] | None = field(default=None, repr=False)
    sentences: tuple[tuple[int, int], ...] | None = field(default=None, repr=False)

    @property
    def ratio(self) -> float:
        """Kept share of the tokens, in [0, 1]; 1.0 for an empty text."""
        return min(1.0, self.n_tokens_after / self.n_tokens_before) if self.n_tokens_before else 1.0

    def _repr_html_(self) -> str:
        return compressed_html(self)
