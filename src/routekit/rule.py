"""A rule: a name, a condition, and what happens when it holds."""

from __future__ import annotations

from dataclasses import dataclass

from routekit.decision import Action, Block, Keep, RouteTo
from routekit.errors import PolicyError, quoted
from routekit.expressions import Expression

#: What `Decision.rule` says when no rule held.
DEFAULT_RULE = "default"


@dataclass(frozen=True, slots=True)
class Rule:
    """When a condition holds, do this.

    Attributes
    ----------
    name
        Unique in the policy; ``"default"`` is taken.
    shadow
        A shadow rule is evaluated and traced but never decides: for trying a rule on live traffic.

    Examples
    --------
    >>> import routekit as rk
    >>> rk.Rule("math", when=rk.signal("domain") == "math", then=rk.RouteTo("qwen-math")).name
    'math'
    """

    name: str
    when: Expression
    then: Action
    shadow: bool = False

    def __post_init__(self) -> None:
        if not is_text(self.name) or self.name == DEFAULT_RULE:
            raise PolicyError(
                f"rule name {quoted(str(self.name))}: allowed is any text but '', 'default' and lone surrogates"
            )
        if not isinstance(self.when, Expression):
            kind = type(self.when).__name__
            raise PolicyError(f"rule {quoted(self.name)}: when is a {kind}; allowed: a comparison of a signal")
        check_action(self.then, f"rule {quoted(self.name)}: then")


def check_action(action: object, where: str) -> None:
    """Refuse what is no action, or one that says nothing that can be done."""
    if not isinstance(action, (Block, RouteTo, Keep)):
        raise PolicyError(f"{where} is a {type(action).__name__}; allowed: Block, RouteTo, Keep")
    if isinstance(action, Block):
        return
    if isinstance(action, RouteTo) and not is_text(action.model):
        raise PolicyError(f"{where}: the model is empty or no valid text; name the model or model group to route to")
    if action.pool is not None and not is_text(action.pool):
        raise PolicyError(f"{where}: the pool is empty or no valid text; name a pool, or leave it out")
    if action.compress_to is not None and (type(action.compress_to) is not int or action.compress_to < 1):
        raise PolicyError(f"{where}: compress_to is {action.compress_to!r}; allowed: a number of tokens over 0")
    if isinstance(action.redact, str) or not all(isinstance(label, str) for label in action.redact):
        raise PolicyError(f"{where}: redact is {type(action.redact).__name__}; allowed: a tuple of PII labels")


def is_text(value: object) -> bool:
    """Say whether it can be written anywhere: a lone surrogate, which JSON files can hold, is no Unicode."""
    if not isinstance(value, str):
        return False
    return bool(value) and value == value.encode("utf-8", "ignore").decode()
