"""From priorities, tiers and confidences to a list: the first rule that holds decides."""

from __future__ import annotations

from collections.abc import Sequence

from routekit.errors import PolicyError, quoted
from routekit.vllm_sr.decisions import RouterDecision
from routekit.vllm_sr.exclusion import exclude_each_other
from routekit.vllm_sr.findings import Findings

#: Every decision is compared with every other.
MAX_DECISIONS = 500
_SHOWN = 3


def in_order(decisions: Sequence[RouterDecision], strategy: str, findings: Findings) -> list[RouterDecision]:
    """Sort decisions so that the first that holds is the one that the router would choose.

    The router chooses, among those that match: by tier, lowest first, then confidence, priority, name, if any of them
    has a tier; else by priority, highest first, then confidence and name; or, with the strategy ``confidence``, by
    confidence, priority and name. Where a confidence decides that depends on the request, no list can say the same:
    that is a finding, and priority decides. It is none between decisions that cannot hold together, or do the same.

    Raises
    ------
    PolicyError
        If there are too many decisions, or the strategy is unknown.
    """
    if strategy not in ("priority", "confidence"):
        raise PolicyError(f"the strategy is {quoted(strategy)}; allowed: 'priority', 'confidence'")
    if len(decisions) > MAX_DECISIONS:
        raise PolicyError(f"there are {len(decisions)} decisions; allowed: {MAX_DECISIONS}")
    order = _Order(strategy, any(decision.tier > 0 for decision in decisions))
    ordered = sorted(decisions, key=order.key)
    for i, first in enumerate(ordered):
        rivals = [other for other in ordered[i + 1 :] if not order.is_certain(first, other) and _matters(first, other)]
        if rivals:
            listed = ", ".join(quoted(other.name) for other in rivals[:_SHOWN])
            more = f" and {len(rivals) - _SHOWN} more" if len(rivals) > _SHOWN else ""
            findings.lose(
                first.path,
                f"{quoted(first.name)} and {listed}{more} are chosen between by confidence where both match; here "
                f"{quoted(first.name)} comes first: give each its own priority, no tier, strategy priority",
            )
    return ordered


def _matters(first: RouterDecision, second: RouterDecision) -> bool:
    same = (first.action, first.guards) == (second.action, second.guards)
    return not same and not exclude_each_other(first.claims, second.claims)


class _Order:
    """How the router compares decisions that match."""

    def __init__(self, strategy: str, tiered: bool) -> None:
        self._by_confidence, self._tiered = strategy == "confidence", tiered

    def key(self, decision: RouterDecision) -> tuple[object, ...]:
        """Give what to sort by; a confidence that depends on the request counts as 1."""
        confidence = 1.0 if decision.confidence is None else decision.confidence
        known_first = -confidence if self._by_confidence or self._tiered else 0.0
        return (decision.tier, known_first, -decision.priority, -confidence, decision.name)

    def is_certain(self, first: RouterDecision, second: RouterDecision) -> bool:
        """Say whether the first would always be chosen when both match."""
        compared = []
        if self._tiered:
            compared.append(_tiers(first, second))
        if first.tier <= 0 and second.tier <= 0:  # without tiers, or where none that has a tier matches
            compared.append(_confidences(first, second) if self._by_confidence else _priorities(first, second))
        return all(compared)


def _tiers(first: RouterDecision, second: RouterDecision) -> bool:
    return first.tier < second.tier if first.tier != second.tier else _confidences(first, second)


def _confidences(first: RouterDecision, second: RouterDecision) -> bool:
    if first.confidence is None or second.confidence is None:
        return False
    if first.confidence != second.confidence:
        return first.confidence > second.confidence
    return (-first.priority, first.name) < (-second.priority, second.name)


def _priorities(first: RouterDecision, second: RouterDecision) -> bool:
    if first.priority != second.priority:
        return first.priority > second.priority
    return _confidences(first, second)
