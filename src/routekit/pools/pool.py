"""One pool of identical model servers, as the router needs to know it."""

from __future__ import annotations

from dataclasses import dataclass

from routekit.errors import ConfigError, quoted


@dataclass(frozen=True, slots=True)
class PoolSpec:
    """A pool of servers that share a model and a context window.

    Attributes
    ----------
    name
        What `Decision.pool` will say.
    max_context
        Prompt and output tokens that one request may take there (the server's ``max_model_len``).
    slots
        Requests that one instance serves at a time; None leaves it to the simulator's profile.
    instances
        Servers in the pool.
    url
        Where it is; routekit does not connect to it.
    model
        The model (group) it serves; None serves every model.
    certain
        True takes only requests that fit even at one token per byte, whatever their text pretends to be. Costs most
        of the pool's use; for servers that must never see an overflow.

    Raises
    ------
    ConfigError
        If a number is not a positive integer, or the name is empty.

    Examples
    --------
    >>> PoolSpec("short", max_context=8192, slots=128).max_context
    8192
    """

    name: str
    max_context: int
    slots: int | None = None
    instances: int = 1
    url: str | None = None
    model: str | None = None
    certain: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ConfigError("PoolSpec.name is empty; give the pool a name")
        for field in ("max_context", "slots", "instances"):
            value = getattr(self, field)
            if field == "slots" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 2**53:
                raise ConfigError(
                    f"PoolSpec.{field} of {quoted(self.name)} is {quoted(str(value))}; allowed: integers, 1 to 2**53"
                )
