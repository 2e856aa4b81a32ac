"""Sentences and terms of a text, worked out as it arrives."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from routekit.sentences import LOOKAHEAD, sentence_starts
from routekit.terms import TermMatrix, new_vocabulary
from routekit.units import cut_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from routekit.tensors import IntArray

#: Fewer new characters than this wait for more: every pass over the open sentence has a price.
MIN_PASS: Final = 4096

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    r"""Replace lone surrogates, which no encoding can carry, by U+FFFD; offsets stay.

    Examples
    --------
    >>> without_surrogates("a\ud800b")
    'a\ufffdb'
    """
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A text cut into units.

    Attributes
    ----------
    bounds
        shape (n_units + 1,), int64: unit `i` is characters ``[bounds[i], bounds[i + 1])``; units tile the text.
    matrix
        Their terms.
    """

    text: str
    bounds: IntArray
    matrix: TermMatrix


class TextAnalyser:
    """Analyses a text taken in pieces; ``finish()`` is the same for any pieces of the same text.

    Amortized linear: the open sentence is read again only when the unread text is at least as long.
    """

    def __init__(self) -> None:
        self._vocabulary = new_vocabulary()
        self._pieces: list[str] = []
        self._n_read = 0  # pieces that went into `_open`
        self._n_waiting = 0
        self._open = ""  # from the start of the last sentence that may still change
        self._offset = 0  # of `_open` in the text
        self._bounds: list[IntArray] = []
        self._sizes: list[IntArray] = []
        self._terms: list[NDArray[np.int32]] = []
        self._counts: list[NDArray[np.int32]] = []

    def hold(self, text: str) -> None:
        """Take the next piece, without lone surrogates, unread."""
        self._pieces.append(text)
        self._n_waiting += len(text)

    def advance(self) -> None:
        """Read what waits, if it is enough to be worth a pass."""
        if self._n_waiting >= max(MIN_PASS, len(self._open)):
            self._read(final=False)

    def text(self) -> str:
        """Return everything fed so far."""
        return "".join(self._pieces)

    def finish(self) -> Analysis:
        self._read(final=True)
        self._bounds.append(np.array([self._offset], np.int64))
        sizes = np.concatenate([np.zeros(1, np.int64), *self._sizes])
        matrix = TermMatrix(np.cumsum(sizes), _joined(self._terms), _joined(self._counts), len(self._vocabulary))
        return Analysis("".join(self._pieces), np.concatenate(self._bounds), matrix)

    def _read(self, *, final: bool) -> None:
        self._open += "".join(self._pieces[self._n_read :])
        self._n_read, self._n_waiting = len(self._pieces), 0
        starts = sentence_starts(self._open)
        end = len(self._open)
        if not final:
            starts, end = _settled(starts, end)
        if not starts:
            return
        units = cut_units(self._open, starts, end)
        sizes, terms, counts = self._vocabulary.add(self._open, units, end)
        self._bounds.append(np.array(units, np.int64) + self._offset)
        self._sizes.append(sizes)
        self._terms.append(terms)
        self._counts.append(counts)
        self._open, self._offset = self._open[end:], self._offset + end


def _settled(starts: list[int], length: int) -> tuple[list[int], int]:
    """Drop what more text could still change: the last start that has its lookahead opens the sentence to keep."""
    n_final = len(starts)
    while n_final and starts[n_final - 1] + LOOKAHEAD > length:
        n_final -= 1
    return (starts[: n_final - 1], starts[n_final - 1]) if n_final > 1 else ([], 0)


def _joined(arrays: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int32)
