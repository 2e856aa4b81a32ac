"""Token-budget pool routing: estimate a request's tokens from its bytes, and send it to the smallest pool it fits.

`RatioEstimator` learns bytes per token from the usage that servers report, `PoolRouter` chooses among `PoolSpec`s,
`CostModel` says what a split saves. The idea is that of arXiv:2604.09613 and 2604.08075.

>>> from routekit.pools import PoolRouter, PoolSpec
>>> router = PoolRouter([PoolSpec("short", max_context=8192), PoolSpec("long", max_context=65536)])
>>> body = {"model": "auto", "max_tokens": 200, "messages": [{"role": "user", "content": "Hello"}]}
>>> router.route(body).pool
'short'
"""

from __future__ import annotations

from routekit.pools.categories import CATEGORIES, category_of
from routekit.pools.compress import CompressRoute
from routekit.pools.conditions import PoolSnapshot
from routekit.pools.cost import CostModel, threshold_sweep
from routekit.pools.estimator import RatioEstimator, Ratios
from routekit.pools.pool import PoolSpec
from routekit.pools.router import PoolRouter
from routekit.pools.state import load_state, merge_states, save_state
from routekit.pools.stream import PoolStream
from routekit.pools.usage import prompt_tokens

__all__ = [
    "CATEGORIES",
    "CompressRoute",
    "CostModel",
    "PoolRouter",
    "PoolSnapshot",
    "PoolSpec",
    "PoolStream",
    "RatioEstimator",
    "Ratios",
    "category_of",
    "load_state",
    "merge_states",
    "prompt_tokens",
    "save_state",
    "threshold_sweep",
]
