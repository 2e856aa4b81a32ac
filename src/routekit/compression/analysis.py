"""Sentences and terms of a text, worked out as it arrives."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from routekit.compression.terms import TermMatrix, UnitTerms, new_vocabulary
from routekit.compression.units import cut_units
from routekit.sentences import LOOKAHEAD, sentence_starts

if TYPE_CHECKING:
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
        self._rows: list[UnitTerms] = []

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
        matrix = TermMatrix.of(self._rows, len(self._vocabulary))
        return Analysis("".join(self._pieces), np.concatenate(self._bounds), matrix)

    def _read(self, *, final: bool) -> None:
        self._open += "".join(self._pieces[self._n_read :])
        self._n_read, self._n_waiting = len(self._pieces), 0
        starts = sentence_starts(self._open)
        end = len(self._open)
        if not final:
            starts, end = _settled(starts, end)
        if not len(starts):
            return
        units = cut_units(self._open, starts, end)
        rows = self._vocabulary.add(self._open, units, end)
        self._bounds.append(units + self._offset)
        self._rows.append(rows)
        self._open, self._offset = self._open[end:], self._offset + end


def _settled(starts: IntArray, length: int) -> tuple[IntArray, int]:
    """Drop what more text could still change: the last start that has its lookahead opens the sentence to keep."""
    n_final = int(np.searchsorted(starts, length - LOOKAHEAD, side="right"))
    return (starts[: n_final - 1], int(starts[n_final - 1])) if n_final > 1 else (starts[:0], 0)
