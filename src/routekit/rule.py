"""A rule: a name, a condition, and what happens when it holds."""

from __future__ import annotations

from dataclasses import dataclass

from routekit.decision import Action, Block, Keep, RouteTo
from routekit.errors import PolicyError, quoted
from routekit.expressions import Expression
from routekit.valid_text import is_text

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
    """Refuse what is no action."""
    if not isinstance(action, (Block, RouteTo, Keep)):
        raise PolicyError(f"{where} is a {type(action).__name__}; allowed: Block, RouteTo, Keep")
