"""One scale for all scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from routekit.tensors import FloatArray


def to_unit_maximum(scores: FloatArray) -> FloatArray:
    """Divide by the maximum where there is a positive one.

    Examples
    --------
    >>> import numpy as np
    >>> to_unit_maximum(np.array([1.0, 4.0])).tolist()
    [0.25, 1.0]
    """
    highest = scores.max(initial=0.0)
    return scores / highest if highest > 0 else scores
