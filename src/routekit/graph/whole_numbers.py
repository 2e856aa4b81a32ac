"""Linear layers in whole numbers: what `routekit::QuantizedLinear` computes, and how it wants its weights laid out.

Every row of the input is scaled by its own largest value, so a text never changes its neighbours in a batch, and every
column of the weights by its own. A channel far larger than the rest would leave the others few steps: so rows are first
rotated, in blocks of 64, by a Hadamard matrix, which spreads every channel over its block, and the weights are rotated
the other way, which changes no product (Ashkboos et al. 2024, arXiv:2404.00456, rotate language models so).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]

#: Rows of fewer than this, at their largest, are taken for zero.
SMALLEST_ROW = 1e-30
#: Sums of more 8-bit products would leave 32 bits.
MAX_DEPTH = 65536
ROTATED = 64
_PANEL_COLUMNS, _STEP_BYTES = 16, 64


@dataclass(frozen=True, slots=True)
class WholeWeights:
    """Weights of one linear layer as whole numbers, rotated.

    Attributes
    ----------
    numbers
        shape (depth, columns), int32; at most `limit` in magnitude.
    scales
        shape (columns,), float32: what a number of a column is worth.
    bits
        8 or 16.
    """

    numbers: NDArray[np.int32]
    scales: NDArray[np.float32]
    bits: int

    @classmethod
    def of(cls, weights: Floats, bits: int) -> WholeWeights:
        """Round weights of shape (depth, columns)."""
        exact = rotated(weights.T.astype(np.float64)).T / ROTATED
        scales = np.abs(exact).max(axis=0, initial=0) / limit(len(exact), bits)
        scales = np.where(scales > 0, scales, 1.0).astype(np.float32)
        return cls(np.rint(exact / scales).astype(np.int32), scales, bits)

    def packed(self) -> NDArray[np.uint8]:
        """Lay the weights out as the op reads them, shape (panels, steps, 64).

        A panel is 16 columns; a step is 4 rows of 8 bits, 128 too large, or 2 rows of 16 bits; beside each other lie
        the rows of one column.
        """
        rows = 32 // self.bits
        depth, columns = self.numbers.shape
        padded = np.pad(self.numbers, ((0, -depth % rows), (0, -columns % _PANEL_COLUMNS)))
        steps = padded.reshape(-1, rows, padded.shape[1] // _PANEL_COLUMNS, _PANEL_COLUMNS).transpose(2, 0, 3, 1)
        stored = (steps + 128).astype(np.uint8) if self.bits == 8 else steps.astype("<i2")
        return np.ascontiguousarray(stored).view(np.uint8).reshape(len(stored), -1, _STEP_BYTES)

    def apply(self, x: Floats) -> Floats:
        """Compute the layer on rows of shape (..., depth): the oracle of the op."""
        turned = rotated(x)
        most = limit(x.shape[-1], self.bits)
        largest = np.maximum(np.abs(turned).max(axis=-1, keepdims=True, initial=0), SMALLEST_ROW).astype(np.float32)
        numbers = np.rint(turned * (np.float32(most) / largest))
        sums = numbers.astype(np.float64) @ self.numbers
        out: Floats = (sums * self.scales * (largest / np.float32(most))).astype(np.float32)
        return out


def limit(depth: int, bits: int) -> int:
    """Give the largest magnitude of a number, such that no sum of `depth` products leaves 32 bits.

    >>> limit(768, 8), limit(768, 16)
    (127, 1672)
    """
    return 127 if bits == 8 else min(32767, int(np.sqrt((2**31 - 1) / max(1, depth))))


def rotated(x: Floats) -> Floats:
    """Rotate whole blocks of 64 along the last axis, not what is left over, and make all 8 times as long.

    >>> rotated(np.ones(65))[[0, 1, 64]].tolist()
    [64.0, 0.0, 8.0]
    """
    whole = x.shape[-1] // ROTATED * ROTATED
    blocks = x[..., :whole].reshape(*x.shape[:-1], whole // ROTATED, ROTATED) @ hadamard().astype(x.dtype)
    return np.concatenate([blocks.reshape(*x.shape[:-1], whole), 8 * x[..., whole:]], axis=-1)


def hadamard() -> NDArray[np.float64]:
    """Give the Hadamard matrix of 64, entries 1 and -1 (Sylvester's construction): symmetric, its square is 64."""
    matrix = np.ones((1, 1))
    while len(matrix) < ROTATED:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix
