"""Where a sentence stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from routekit.errors import ConfigError

if TYPE_CHECKING:
    from routekit.tensors import FloatArray


def position(n_units: int, depth: float = 0.5) -> FloatArray:
    """Favour the edges of a prompt over its middle.

    Parameters
    ----------
    n_units
        At least 0.
    depth
        Dip at the centre, in [0, 1]; 0 is flat. Dimensionless.

    Returns
    -------
    scores, shape (n_units,), float64, in [1 - depth, 1].

    Raises
    ------
    ConfigError
        If depth lies outside [0, 1].

    Examples
    --------
    >>> position(3, 0.5).tolist()
    [1.0, 0.5, 1.0]

    References
    ----------
    The effect: Liu et al. 2024, arXiv:2307.03172. The sine form is a choice of arXiv:2603.12646.
    """
    if not 0 <= depth <= 1:
        raise ConfigError(f"depth is {depth!r}; allowed: 0 to 1")
    if n_units < 2:
        return np.ones(n_units)
    order = np.arange(n_units)
    from_edge = np.minimum(order, order[::-1])
    return 1.0 - depth * np.sin(np.pi * from_edge / (n_units - 1))
