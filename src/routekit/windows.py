"""Overlapping windows over the tokens of a text, whose scores are differences of prefix sums.

Tokens are added up in cells of `CELL`; a window is a run of cells, the next one starts half a window later, and only
the last may be short. Sums are integers, so they do not depend on how the text was cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Sums: TypeAlias = NDArray[np.int64]

#: Tokens in a cell; window sizes are even multiples of it.
CELL = 8


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Windows of one size.

    Attributes
    ----------
    sums
        shape (n_windows, n_labels), int64: summed weights.
    n_tokens
        shape (n_windows,), int64: tokens in each.
    spans
        shape (n_windows, 2), int64: character range in the text.
    """

    sums: Sums
    n_tokens: NDArray[np.int64]
    spans: NDArray[np.int64]


class Cells:
    """Sums of the weights of tokens, by cell, growing as the text arrives.

    Examples
    --------
    >>> cells = Cells(n_labels=1)
    >>> at = np.arange(20)
    >>> cells.feed(np.ones((20, 1), dtype=np.int16), at * 2, at * 2 + 1)
    >>> cells.n_closed
    2
    >>> cells.close()
    >>> cells.windows(16, 0).sums.ravel().tolist(), cells.windows(16, 0).spans.tolist()
    ([16, 12], [[0, 31], [16, 39]])
    """

    def __init__(self, n_labels: int) -> None:
        self.n_tokens = 0
        self.n_closed = 0  # cells that no later token changes
        self._is_done = False
        self._prefix = np.zeros((16, n_labels), dtype=np.int64)  # row i: sum of the cells before i
        self._starts = np.zeros(16, dtype=np.int64)
        self._ends = np.zeros(16, dtype=np.int64)
        self._open = (np.zeros((0, n_labels), np.int16), np.zeros(0, np.int64), np.zeros(0, np.int64))

    def feed(self, weights: NDArray[np.int16], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        """Take the weights of the next tokens, shape (n, n_labels), and their character ranges."""
        self.n_tokens += len(weights)
        weights = np.concatenate((self._open[0], weights))
        starts, ends = np.append(self._open[1], starts), np.append(self._open[2], ends)
        n_full = len(weights) // CELL * CELL
        if n_full:
            sums = weights[:n_full].reshape(-1, CELL, weights.shape[1]).sum(axis=1, dtype=np.int64)
            self._add(sums, starts[:n_full:CELL], ends[CELL - 1 : n_full : CELL])
        self._open = (weights[n_full:], starts[n_full:], ends[n_full:])

    def close(self) -> None:
        """Close the last cell, which may be short."""
        weights, starts, ends = self._open
        if len(weights):
            self._add(weights.sum(axis=0, keepdims=True, dtype=np.int64), starts[:1], ends[-1:])
        self._is_done = True

    def total(self) -> Sums:
        """Sum over the closed cells, shape (n_labels,)."""
        sums: Sums = self._prefix[self.n_closed]
        return sums

    def n_full(self, n_tokens: int) -> int:
        """Count the windows of a size that no later token can change; a short last one is not among them."""
        n_full_cells = self.n_tokens // CELL if self._is_done else self.n_closed
        return max(0, (n_full_cells * CELL - n_tokens) // (n_tokens // 2) + 1)

    def windows(self, n_tokens: int, first: int) -> Windows:
        """Give the windows of a size from the first-th on; once closed, the short last one too."""
        stop = self.n_full(n_tokens)
        if self._is_done and (stop == 0 or (stop - 1) * (n_tokens // 2) + n_tokens < self.n_tokens):
            stop += 1
        stride, width = n_tokens // 2 // CELL, n_tokens // CELL
        start = np.arange(first, stop, dtype=np.int64) * stride
        end = np.minimum(start + width, self.n_closed)
        counts = np.minimum(end * CELL, self.n_tokens) - start * CELL
        spans = np.stack((self._starts[start], self._ends[np.maximum(end - 1, 0)]), axis=1)
        return Windows(self._prefix[end] - self._prefix[start], counts, spans)

    def _add(self, sums: Sums, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        before, after = self.n_closed, self.n_closed + len(sums)
        if after >= len(self._starts):
            self._grow(2 * after)
        np.cumsum(sums, axis=0, out=self._prefix[before + 1 : after + 1])
        self._prefix[before + 1 : after + 1] += self._prefix[before]
        self._starts[before:after], self._ends[before:after] = starts, ends
        self.n_closed = after

    def _grow(self, size: int) -> None:
        """Make room for `size` cells; doubling keeps the cost of many small pieces linear."""
        more = size + 1 - len(self._starts)
        self._prefix = np.concatenate((self._prefix, np.zeros((more, self._prefix.shape[1]), np.int64)))
        self._starts, self._ends = (np.append(a, np.zeros(more, np.int64)) for a in (self._starts, self._ends))
