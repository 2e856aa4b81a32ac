"""Which conditions cannot hold together: there is one domain and one language, and one number of tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, Union

Condition: TypeAlias = "dict[str, Any]"
#: What must hold: the labels of which a signal has one, or the least and the largest number that it can be.
Claim: TypeAlias = "Union[frozenset[str], tuple[float, float]]"


def claims_of(condition: Condition) -> dict[str, Claim]:
    """Give, by signal, what must hold wherever a condition does; nothing that need not.

    Examples
    --------
    >>> claims_of({"all": [{"signal": "language", "equals": "de"}, {"signal": "pii", "any_of": ["US_SSN"]}]})
    {'language': frozenset({'de'})}
    """
    claims: dict[str, Claim] = {}
    for part in condition.get("all", ()):
        for signal, claim in claims_of(part).items():
            claims[signal] = _both(claims[signal], claim) if signal in claims else claim
    alternatives = [_label(part) for part in condition.get("any", (condition,))]
    known = [alternative for alternative in alternatives if alternative is not None]
    if len(known) == len(alternatives) and len({signal for signal, _ in known}) == 1:
        claims[known[0][0]] = frozenset(label for _, label in known)
    if condition.get("signal") == "context_tokens":
        claims["context_tokens"] = (condition.get("at_least", 0), condition.get("at_most", float("inf")))
    return claims


def exclude_each_other(left: Mapping[str, Claim], right: Mapping[str, Claim]) -> bool:
    """Say whether two conditions can never hold for the same request.

    >>> exclude_each_other({"language": frozenset({"de"})}, {"language": frozenset({"en", "fr"})})
    True
    """
    return any(_is_empty(_both(claim, right[signal])) for signal, claim in left.items() if signal in right)


def _label(condition: Condition) -> tuple[str, str] | None:
    """Give the one label that a condition asks for; of a domain from 0.5 on, which two reach at an exact tie only."""
    if condition.get("signal") == "language" and "equals" in condition:
        return "language", condition["equals"]
    if condition.get("signal") == "domain" and condition.get("at_least", 0) >= 0.5:
        return "domain", condition["label"]
    return None


def _both(one: Claim, other: Claim) -> Claim:
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return one & other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return max(one[0], other[0]), min(one[1], other[1])
    return one


def _is_empty(claim: Claim) -> bool:
    return claim[0] > claim[1] if isinstance(claim, tuple) else not claim
