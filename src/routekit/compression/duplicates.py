"""Units that say what a kept one already says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from routekit.compression.terms import TermMatrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Share of common terms (Jaccard) from which two units count as the same.
THRESHOLD: Final = 0.8

#: Odd multipliers of three hash functions (fractional bits of square roots of 2, 3 and 5).
_MULTIPLIERS: Final = (0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B)


class Redundancy:
    """Tells whether a unit repeats one that was taken.

    Candidates come from three minima over hashed terms: two units of similarity J share one with probability J, so
    at 0.9 one pair in a thousand is missed. A candidate counts only if the term sets really are that similar: a decoy
    made to collide with an attack cannot pass for it. Linear: a unit is compared with three others at most.
    """

    def __init__(self, matrix: TermMatrix) -> None:
        self._matrix = matrix
        self._signatures = _signatures(matrix).tolist()
        self._owners: dict[tuple[int, int], frozenset[int]] = {}

    def repeats(self, unit: int) -> bool:
        """Say whether a taken unit is nearly the same."""
        signature = self._signatures[unit]
        found = [owner for key in enumerate(signature) if (owner := self._owners.get(key)) is not None]
        terms = self._terms(unit) if found else frozenset()
        return any(len(terms & owner) >= THRESHOLD * len(terms | owner) for owner in found)

    def take(self, unit: int) -> None:
        """Remember a unit that was taken."""
        terms = self._terms(unit)
        for key in enumerate(self._signatures[unit]):
            self._owners.setdefault(key, terms)

    def _terms(self, unit: int) -> frozenset[int]:
        starts = self._matrix.starts
        return frozenset(self._matrix.terms[starts[unit] : starts[unit + 1]].tolist())


def _signatures(matrix: TermMatrix) -> NDArray[np.uint64]:
    """Return three minima of hashed terms for each unit, shape (n_units, 3), all 0 for units without terms."""
    signatures = np.zeros((matrix.n_units, len(_MULTIPLIERS)), np.uint64)
    filled = np.flatnonzero(np.diff(matrix.starts))
    if filled.size:
        terms = matrix.terms.astype(np.uint64) + np.uint64(1)
        for column, multiplier in enumerate(_MULTIPLIERS):
            hashes = terms * np.uint64(multiplier)
            hashes ^= hashes >> np.uint64(29)
            hashes *= np.uint64(multiplier)
            signatures[filled, column] = np.minimum.reduceat(hashes, matrix.starts[filled])
    return signatures
