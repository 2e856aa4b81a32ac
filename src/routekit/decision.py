"""What happens to a request: actions that a policy may name, and the decision it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, Union

from routekit.errors import Blocked, ConfigError
from routekit.explanation import decision_html, decision_to_dict, explained
from routekit.prediction import Prediction
from routekit.trace import Trace
from routekit.valid_text import is_text


@dataclass(frozen=True, slots=True)
class Block:
    """Refuse the request with an HTTP status, 400 to 599."""

    status: int = 403

    def __post_init__(self) -> None:
        if isinstance(self.status, bool) or not isinstance(self.status, int) or not 400 <= self.status <= 599:
            raise ConfigError(f"Block.status is {self.status!r}; allowed: an integer from 400 to 599")


@dataclass(frozen=True, slots=True)
class RouteTo:
    """Send the request to a model (or model group).

    Attributes
    ----------
    pool
        Deployment pool within the group; None leaves it to a PoolRouter or the gateway.
    redact
        PII labels to mask in the forwarded prompt; the only way, with `compress_to`, to change what the model reads.
    compress_to
        Token cap that the forwarded user text is compressed to.
    """

    model: str
    pool: str | None = None
    redact: tuple[str, ...] = ()
    compress_to: int | None = None

    def __post_init__(self) -> None:
        if not is_text(self.model):
            raise ConfigError("the model is empty or no valid text; name the model or model group to route to")
        _check_forward(self)


@dataclass(frozen=True, slots=True)
class Keep:
    """Leave the client's model as it is."""

    pool: str | None = None
    redact: tuple[str, ...] = ()
    compress_to: int | None = None

    def __post_init__(self) -> None:
        _check_forward(self)


def _check_forward(action: RouteTo | Keep) -> None:
    """Refuse what cannot be done to a prompt, or where it cannot be sent."""
    if action.pool is not None and not is_text(action.pool):
        raise ConfigError("the pool is empty or no valid text; name a pool, or leave it out")
    if action.compress_to is not None and (type(action.compress_to) is not int or action.compress_to < 1):
        raise ConfigError(f"compress_to is {action.compress_to!r}; allowed: a number of tokens over 0")
    redact: object = action.redact
    if not isinstance(redact, (tuple, list)) or not all(isinstance(label, str) for label in redact):
        raise ConfigError(
            f'redact is a {type(redact).__name__}; allowed: a tuple of PII labels, as in redact=("EMAIL_ADDRESS",)'
        )


Action: TypeAlias = Union[Block, RouteTo, Keep]


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome for one request.

    ``(action, model, pool, rule, status)`` are the same whatever the chunking, the order of evaluation or the threads;
    `signals`, `early` and `trace` tell how this evaluation got there.

    Attributes
    ----------
    rule
        Name of the rule that won, ``"default"`` if none did.
    status
        HTTP status of a block, else None.
    signals
        Predictions of the classifiers that ran to their end.
    early
        True when it was made before the body was complete.
    estimated_tokens
        Estimated token budget of the request, None if nobody asked for it.
    """

    action: Literal["route", "block", "keep"]
    model: str | None
    pool: str | None
    rule: str
    status: int | None = None
    signals: Mapping[str, Prediction] = field(default_factory=dict, repr=False)
    early: bool = False
    estimated_tokens: int | None = None
    trace: Trace = field(default_factory=Trace, repr=False)

    def raise_if_blocked(self) -> None:
        """Raise `Blocked` when the action is ``"block"``."""
        if self.action == "block":
            raise Blocked(self)

    def explain(self) -> str:
        """Say in plain text how it came about: rules, signals with coverage and time, errors. Never prompt text."""
        return explained(self)

    def to_dict(self) -> dict[str, object]:
        """Give everything as JSON-ready data with stable keys, for logs. Never prompt text."""
        return decision_to_dict(self)

    def _repr_html_(self) -> str:
        return decision_html(self)
