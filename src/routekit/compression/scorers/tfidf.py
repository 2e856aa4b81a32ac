"""How rare a sentence's words are in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from routekit.compression.scorers.scale import to_unit_maximum
from routekit.compression.terms import TermMatrix

if TYPE_CHECKING:
    from routekit.tensors import FloatArray


def tfidf(matrix: TermMatrix) -> FloatArray:
    """Sum the sentence's term frequencies, each weighted by ``ln((N + 1) / (df + 1))``, divided by the maximum.

    Parameters
    ----------
    matrix
        Terms of N sentences; df counts the sentences that use a term.

    Returns
    -------
    scores, shape (n_units,), float64, in [0, 1].

    References
    ----------
    Spärck Jones 1972, doi:10.1108/eb026526; the smoothing is that of arXiv:2603.12646.
    """
    idf = np.log((matrix.n_units + 1) / (matrix.n_units_with_term + 1))
    return to_unit_maximum(matrix.row_sums(matrix.frequencies * idf[matrix.terms]))
