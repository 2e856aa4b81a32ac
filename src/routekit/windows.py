"""Overlapping windows over the tokens of a text, whose sums are differences of prefix sums.

Tokens are added up in cells; a window is a run of cells and the next one begins a cell later. With cells of one token,
a window begins at every token, so that no cut of the text moves them. Only the last window may be short. Sums are
integers, so they do not depend on how the text was cut into pieces either.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Sums: TypeAlias = NDArray[np.int64]


class Cells:
    """Sums of the weights of tokens, by cell, growing as the text arrives.

    Parameters
    ----------
    n_labels
        Weights of each token.
    cell
        Tokens in a cell; window sizes are multiples of it.

    Examples
    --------
    >>> cells = Cells(n_labels=1, cell=8)
    >>> at = np.arange(20)
    >>> cells.feed(np.ones((20, 1), dtype=np.int16), at * 2, at * 2 + 1)
    >>> cells.n_windows(16)
    1
    >>> cells.close()
    >>> cells.sums(16).ravel().tolist(), cells.counts(16).tolist(), cells.spans(16, np.arange(2)).tolist()
    ([16, 12], [16, 12], [[0, 31], [16, 39]])
    """

    def __init__(self, n_labels: int, cell: int = 1) -> None:
        self.n_tokens = 0
        self._cell = cell
        self._n_closed = 0  # cells that no later token changes
        self._is_done = False
        self._prefix = np.zeros((16, n_labels), dtype=np.int64)  # row i: sum of the cells before i
        self._starts = np.zeros(16, dtype=np.int64)
        self._ends = np.zeros(16, dtype=np.int64)
        self._open = (np.zeros((0, n_labels), np.int16), np.zeros(0, np.int64), np.zeros(0, np.int64))

    def feed(self, weights: NDArray[np.int16], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        """Take the weights of the next tokens, shape (n, n_labels), and their character ranges."""
        self.n_tokens += len(weights)
        cell = self._cell
        if len(self._open[0]):
            weights = np.concatenate((self._open[0], weights))
            starts, ends = np.append(self._open[1], starts), np.append(self._open[2], ends)
        n_full = len(weights) // cell * cell
        if n_full:
            sums = weights[:n_full].reshape(-1, cell, weights.shape[1]).sum(axis=1, dtype=np.int64)
            self._add(sums, starts[:n_full:cell], ends[cell - 1 : n_full : cell])
        self._open = (weights[n_full:], starts[n_full:], ends[n_full:])

    def close(self) -> None:
        """Close the last cell, which may be short."""
        weights, starts, ends = self._open
        if len(weights):
            self._add(weights.sum(axis=0, keepdims=True, dtype=np.int64), starts[:1], ends[-1:])
        self._is_done = True

    def total(self) -> Sums:
        """Sum over the closed cells, shape (n_labels,)."""
        sums: Sums = self._prefix[self._n_closed]
        return sums

    def n_windows(self, width: int) -> int:
        """Count the windows of `width` tokens that no later token can change; once closed, the short last one too."""
        if self._is_done:
            return max(0, -(-(self.n_tokens - width) // self._cell)) + 1
        return max(0, self._n_closed - width // self._cell + 1)

    def sums(self, width: int, first: int = 0) -> Sums:
        """Sum the windows of `width` tokens from the first-th on, shape (n, n_labels)."""
        stop = self.n_windows(width)
        ends = self._prefix[first + width // self._cell : min(stop + width // self._cell, self._n_closed + 1)]
        if len(ends) < stop - first:  # the last one is short
            ends = np.concatenate((ends, self.total()[None]))
        return ends - self._prefix[first:stop]

    def counts(self, width: int) -> NDArray[np.int64]:
        """Count the tokens of each window of `width` tokens, shape (n,)."""
        starts = np.arange(self.n_windows(width), dtype=np.int64) * self._cell
        return np.minimum(width, self.n_tokens - starts)

    def spans(self, width: int, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the character ranges of the windows of these numbers, shape (n, 2); (0, 0) in a text without tokens."""
        last = np.minimum(numbers + width // self._cell, self._n_closed) - 1
        return np.stack((self._starts[numbers], self._ends[np.maximum(last, 0)]), axis=1)

    def starts(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the first characters of the windows of these numbers, or of the text for numbers below 0."""
        starts: NDArray[np.int64] = self._starts[np.maximum(numbers, 0)]
        return starts

    def _add(self, sums: Sums, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        before, after = self._n_closed, self._n_closed + len(sums)
        if after >= len(self._starts):
            self._grow(2 * after)
        np.cumsum(sums, axis=0, out=self._prefix[before + 1 : after + 1])
        self._prefix[before + 1 : after + 1] += self._prefix[before]
        self._starts[before:after], self._ends[before:after] = starts, ends
        self._n_closed = after

    def _grow(self, size: int) -> None:
        """Make room for `size` cells; doubling keeps the cost of many small pieces linear."""
        more = size + 1 - len(self._starts)
        self._prefix = np.concatenate((self._prefix, np.zeros((more, self._prefix.shape[1]), np.int64)))
        self._starts, self._ends = (np.append(a, np.zeros(more, np.int64)) for a in (self._starts, self._ends))
