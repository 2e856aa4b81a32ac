"""How much a sentence has in common with the others: PageRank on the graph of similarities, without the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from routekit.compression.scorers.scale import to_unit_maximum
from routekit.compression.terms import TermMatrix

if TYPE_CHECKING:
    from routekit.tensors import FloatArray


def textrank(
    matrix: TermMatrix, damping: float = 0.85, max_iterations: int = 100, tolerance: float = 1e-5
) -> FloatArray:
    """Rank sentences by PageRank; the weight between two is the cosine of their term frequencies.

    The similarities S = X Xᵀ - diag(X Xᵀ), X holding the unit-length rows, are never formed: a step of the power
    iteration needs ``S v = X (Xᵀ v) - diag * v`` only. Exact, and linear in the text. A term of one sentence only adds
    to the diagonal, which is taken off again, so such terms are left out.

    Parameters
    ----------
    matrix
        Terms of n sentences.
    damping
        Share of rank that flows along similarities, in [0, 1).
    max_iterations, tolerance
        Stop after so many steps, or when no rank moved by `tolerance` or more.

    Returns
    -------
    scores, shape (n_units,), float64, in [0, 1], the maximum 1.

    References
    ----------
    Mihalcea and Tarau 2004, https://aclanthology.org/W04-3252.
    """
    n_units = matrix.n_units
    if not n_units:
        return np.zeros(0)
    shared = matrix.n_units_with_term[matrix.terms] > 1
    terms, rows = matrix.terms[shared], matrix.rows[shared]
    entries = matrix.frequencies[shared] / matrix.norms[rows]
    diagonal = np.bincount(rows, entries**2, n_units)

    def similarity_times(vector: FloatArray) -> FloatArray:
        sums = np.bincount(terms, entries * vector[rows], matrix.n_terms)
        shares: FloatArray = np.bincount(rows, entries * sums[terms], n_units) - diagonal * vector
        return shares

    degrees = similarity_times(np.ones(n_units))
    shares = np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 1e-12)
    ranks = np.full(n_units, 1.0 / n_units)
    for _ in range(max_iterations):
        before = ranks
        ranks = (1.0 - damping) / n_units + damping * similarity_times(ranks * shares)
        if np.abs(ranks - before).max(initial=0.0) < tolerance:
            break
    return to_unit_maximum(ranks)
