"""Which conditions cannot hold together: there is one domain and one language, and one number of tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias, Union

Condition: TypeAlias = "dict[str, Any]"
#: What must hold: a signal and the labels of which it has one, or the least and the largest number that it can be.
Claim: TypeAlias = "tuple[str, Union[frozenset[str], tuple[float, float]]]"


def claims_of(condition: Condition) -> Iterator[Claim]:
    """List what must hold wherever a condition does; nothing is listed that need not.

    Examples
    --------
    >>> list(claims_of({"all": [{"signal": "language", "equals": "de"}, {"signal": "pii", "any_of": ["US_SSN"]}]}))
    [('language', frozenset({'de'}))]
    """
    for part in condition.get("all", ()):
        yield from claims_of(part)
    alternatives = [_label(part) for part in condition.get("any", (condition,))]
    signals = {alternative[0] for alternative in alternatives if alternative is not None}
    if len(signals) == 1 and None not in alternatives:
        yield signals.pop(), frozenset(alternative[1] for alternative in alternatives if alternative is not None)
    if condition.get("signal") == "context_tokens":
        yield "context_tokens", (condition.get("at_least", 0), condition.get("at_most", float("inf")))


def exclude_each_other(left: tuple[Claim, ...], right: tuple[Claim, ...]) -> bool:
    """Say whether two conditions can never hold for the same request.

    >>> exclude_each_other((("language", frozenset({"de"})),), (("language", frozenset({"en", "fr"})),))
    True
    """
    return any(one == other and _apart(mine, theirs) for one, mine in left for other, theirs in right)


def _label(condition: Condition) -> tuple[str, str] | None:
    """Give the one label that a condition asks for; of a domain from 0.5 on, which two reach at an exact tie only."""
    if condition.get("signal") == "language" and "equals" in condition:
        return "language", condition["equals"]
    if condition.get("signal") == "domain" and condition.get("at_least", 0) >= 0.5:
        return "domain", condition["label"]
    return None


def _apart(mine: frozenset[str] | tuple[float, float], theirs: frozenset[str] | tuple[float, float]) -> bool:
    if isinstance(mine, frozenset) and isinstance(theirs, frozenset):
        return not mine & theirs
    if isinstance(mine, tuple) and isinstance(theirs, tuple):
        return mine[0] > theirs[1] or theirs[0] > mine[1]
    return False
