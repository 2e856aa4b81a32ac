"""Which labels of a classifier a policy asks for: one that is cheaper without the others need not find them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from routekit.decision import Block

if TYPE_CHECKING:
    from routekit.policy import Policy


def asked_labels(policy: Policy, signal: str) -> frozenset[str]:
    """Collect the labels of a signal that rules compare or actions redact.

    Examples
    --------
    >>> import routekit as rk
    >>> rule = rk.Rule("home", when=rk.signal("pii").any_of("US_SSN"), then=rk.Keep(redact=("CREDIT_CARD",)))
    >>> sorted(asked_labels(rk.Policy([rule], default=rk.Keep()), "pii"))
    ['CREDIT_CARD', 'US_SSN']
    """
    tests = [test for rule in policy.rules for test in rule.when.comparisons() if test.signal == signal]
    named = {test.label for test in tests if test.label is not None}
    listed = {str(value) for test in tests if isinstance(test.operand, tuple) for value in test.operand}
    redacted = {
        label
        for action in policy.actions()
        if signal == "pii" and not isinstance(action, Block)
        for label in action.redact
    }
    return frozenset(named | listed | redacted)
