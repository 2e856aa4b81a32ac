"""What an entry under ``guardrails`` in LiteLLM's config.yaml says to routekit. Needs no litellm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from routekit.aio import AsyncRouter
from routekit.body import DEFAULT_MAX_BYTES, JsonBodyReader
from routekit.decision import Keep, RouteTo
from routekit.errors import ConfigError, PolicyError, quoted
from routekit.integrations.pool_table import GatewayPools
from routekit.policy import Policy
from routekit.router import PolicyRouter

#: Keys of ours under ``litellm_params``.
KEYS = ("let_pass", "max_bytes", "max_queue", "n_threads", "policy", "pools", "signal_timeouts", "tag")
MODES = ("pre_call", "during_call")


@dataclass(frozen=True, slots=True, eq=False)
class Gate:
    """What judges the requests of one guardrail.

    Attributes
    ----------
    let_pass
        Call types that are forwarded unjudged, e.g. ``"rerank"``.
    tag
        Whether routed requests get the tag ``routekit:<rule>``.
    """

    router: AsyncRouter
    pools: GatewayPools | None
    let_pass: frozenset[str]
    tag: bool


def mode_of(mode: object) -> str:
    """Read when a guardrail runs: before the call, or while it runs, but not both.

    Raises
    ------
    ConfigError
        For anything else.
    """
    modes = [mode] if isinstance(mode, str) else mode
    if isinstance(modes, (list, tuple)) and len(modes) == 1 and modes[0] in MODES:
        return str(modes[0])
    raise ConfigError(
        f"mode is {quoted(str(mode))}; allowed: pre_call (block, route, redact) or during_call (block, while the model "
        "already works); for both, two guardrails"
    )


def gate_of(params: Mapping[str, Any], mode: str, foreign: Iterable[str], folder: Path) -> Gate:
    """Build what judges, from the parameters of a guardrail.

    Parameters
    ----------
    params
        All of ``litellm_params`` that reaches the guardrail.
    foreign
        Keys that LiteLLM itself defines; they are not looked at.
    folder
        What relative paths are relative to.

    Raises
    ------
    ConfigError
        For an unknown key, a value of the wrong kind, or a policy that is not well formed.
    BackendError
        If a classifier cannot be loaded.
    """
    known = set(foreign)
    for key in params:
        if key not in KEYS and key not in known:
            raise ConfigError(f"unknown key {quoted(key)}; allowed beside LiteLLM's own: {', '.join(KEYS)}")
    if params.get("run_in_parallel") or params.get("scan_raw_request"):
        raise ConfigError("run_in_parallel and scan_raw_request discard what a guardrail changes; leave them out")
    policy = _policy(params.get("policy"), mode, folder)
    pools = GatewayPools.of(params["pools"], folder) if params.get("pools") is not None else None
    router = PolicyRouter(
        policy,
        pools=None if pools is None else pools.router,
        reader=partial(JsonBodyReader, max_bytes=_whole(params, "max_bytes", DEFAULT_MAX_BYTES)),
    )
    router.warm_up()
    arouter = AsyncRouter(
        router,
        n_threads=_whole(params, "n_threads", 2),
        max_queue=_whole(params, "max_queue", 1024),
        signal_timeouts=_timeouts(params.get("signal_timeouts", {})),
    )
    return Gate(arouter, pools, _names(params.get("let_pass", [])), _flag(params, "tag"))


def _policy(path: object, mode: str, folder: Path) -> Policy:
    if not isinstance(path, str) or not path:
        raise ConfigError("policy is missing; give the path of a policy file, .toml or .json")
    policy = Policy.load(folder / path)
    if mode == "during_call":
        for action in policy.actions():
            if isinstance(action, RouteTo) or (isinstance(action, Keep) and (action.redact or action.compress_to)):
                raise PolicyError(
                    "a guardrail in during_call can only block: the request is sent already; let the policy's rules "
                    'block and its default be "keep"'
                )
    return policy


def _whole(params: Mapping[str, Any], key: str, default: int) -> int:
    value = params.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(f"{key} is {quoted(str(value))}; allowed: a whole number from 1")
    return value


def _flag(params: Mapping[str, Any], key: str) -> bool:
    value = params.get(key, True)
    if not isinstance(value, bool):
        raise ConfigError(f"{key} is {quoted(str(value))}; allowed: true or false")
    return value


def _names(value: object) -> frozenset[str]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(name, str) for name in value):
        raise ConfigError("let_pass: allowed is a list of LiteLLM's call types, e.g. [rerank, amoderation]")
    return frozenset(value)


def _timeouts(value: object) -> dict[str, float]:
    if not isinstance(value, Mapping) or not all(
        isinstance(seconds, (int, float)) and not isinstance(seconds, bool) for seconds in value.values()
    ):
        raise ConfigError("signal_timeouts: allowed is a table from signal to seconds")
    return {str(signal): float(seconds) for signal, seconds in value.items()}
