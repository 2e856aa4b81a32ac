"""How far a sentence lies from what the text is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from routekit.compression.scorers.scale import to_unit_maximum
from routekit.compression.terms import TermMatrix

if TYPE_CHECKING:
    from routekit.tensors import FloatArray


def novelty(matrix: TermMatrix) -> FloatArray:
    """Take one minus the cosine between the sentence and the centroid of all sentences, divided by the maximum.

    Parameters
    ----------
    matrix
        Terms of the sentences.

    Returns
    -------
    scores, shape (n_units,), float64, in [0, 1]; 0 for a sentence without terms.

    References
    ----------
    arXiv:2603.12646; the idea goes back to maximal marginal relevance, doi:10.1145/290941.291025.
    """
    centroid = matrix.term_sums(matrix.frequencies) / max(matrix.n_units, 1)
    dots = matrix.row_sums(matrix.frequencies * centroid[matrix.terms])
    lengths = matrix.norms * np.sqrt((centroid**2).sum())
    cosines = np.divide(dots, lengths, out=np.ones_like(dots), where=lengths > 0)
    return to_unit_maximum(np.clip(1.0 - cosines, 0.0, None))
