"""Pools as the configuration of a gateway gives them, and what they learn, kept in a file.

    threshold = 8192
    default_max_tokens = 1024
    target_unsafe = 0.005
    state = "ratios.json"          # learned ratios; read at the start, written as they change

    [[pools]]
    name = "short"
    max_context = 8192

    [[pools]]
    name = "long"
    max_context = 65536

The same as a mapping, e.g. inside a YAML file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, cast

from routekit.decision import Decision
from routekit.errors import ConfigError, PolicyError, quoted
from routekit.policy_file import read_policy_file
from routekit.pools import PoolRouter, PoolSpec, RatioEstimator, load_state, save_state
from routekit.pools.categories import COLD_RATIOS

_ROUTER_KEYS = ("threshold", "default_max_tokens", "spill_at")
_ESTIMATOR_KEYS = ("target_unsafe", "half_life_seconds")
_KEYS = ("pools", "state", *_ROUTER_KEYS, *_ESTIMATOR_KEYS)
_POOL_KEYS = tuple(field.name for field in fields(PoolSpec))
#: Least time between two writes of what was learned: a crash loses no more than this.
SAVE_SECONDS = 10.0


class GatewayPools:
    """A `PoolRouter` of a gateway, which keeps what it learns. Thread-safe.

    Parameters
    ----------
    router
        Places requests.
    state
        File of learned ratios; read now if it exists. None keeps nothing.

    Examples
    --------
    >>> pools = GatewayPools.of({"pools": [{"name": "short", "max_context": 8192}]})
    >>> pools.router.pools[0].name
    'short'
    """

    def __init__(self, router: PoolRouter, state: Path | None = None) -> None:
        self.router = router
        self._state = state
        self._lock = Lock()
        self._saved_at = monotonic()
        if state is not None and state.exists():
            load_state(router.estimator, state)

    @classmethod
    def of(cls, data: object, folder: Path | None = None) -> GatewayPools:
        """Read pools from plain data, or from the ``.toml`` or ``.json`` file it names.

        Parameters
        ----------
        folder
            What relative paths are relative to; default: the current folder.

        Raises
        ------
        ConfigError
            For an unknown key or a value of the wrong kind.
        """
        folder = Path() if folder is None else folder
        if isinstance(data, (str, Path)):
            file = folder / data
            data, folder = _read(file), file.parent
        table = _table(data, "pools", _KEYS)
        state = table.get("state")
        if state is not None and (not isinstance(state, str) or not state):
            raise ConfigError(f"pools.state is a {type(state).__name__}; allowed: the path of a file")
        return cls(_router(table), None if state is None else folder / state)

    def learn(self, decision: Decision, usage: object, now: float | None = None) -> bool:
        """Take the usage of a placed request; say whether it is time to `save`."""
        self.router.feedback(decision, usage, now=now)
        return self._state is not None and monotonic() - self._saved_at >= SAVE_SECONDS

    def save(self) -> None:
        """Write what was learned, if there is a file for it.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        with self._lock:
            if self._state is not None:
                self._saved_at = monotonic()
                save_state(self.router.estimator, self._state)


def _read(file: Path) -> Mapping[str, object]:
    try:
        return read_policy_file(file)
    except PolicyError as error:
        raise ConfigError(f"pools file {quoted(str(file), 200)}: {error}") from None


def _router(table: Mapping[str, Any]) -> PoolRouter:
    pools = table.get("pools")
    if isinstance(pools, str) or not isinstance(pools, Sequence):
        raise ConfigError("pools.pools is missing or no list; give a list of tables with name and max_context")
    for key in ("spill_at", *_ESTIMATOR_KEYS):
        value = table.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise ConfigError(f"pools.{key} is a {type(value).__name__}; allowed: a number")
    try:
        specs = [PoolSpec(**_table(pool, f"pools.pools[{i}]", _POOL_KEYS)) for i, pool in enumerate(pools)]
        estimator = RatioEstimator(cold=COLD_RATIOS, **{key: table[key] for key in _ESTIMATOR_KEYS if key in table})
        return PoolRouter(specs, estimator=estimator, **{key: table[key] for key in _ROUTER_KEYS if key in table})
    except TypeError as error:  # a value of the wrong type, or a pool without a name
        raise ConfigError(f"pools: {quoted(str(error), 200)}") from None


def _table(value: object, where: str, allowed: Sequence[str]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where} is a {type(value).__name__}; allowed: a table")
    for key in value:
        if key not in allowed:
            raise ConfigError(
                f"unknown key {quoted(f'{where}.{key}', 120)}; allowed here: {', '.join(sorted(allowed))}"
            )
    return cast("dict[str, Any]", dict(value))
