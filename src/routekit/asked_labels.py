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
    return redacted_labels(policy, signal).union(named, listed)


def redacted_labels(policy: Policy, signal: str) -> frozenset[str]:
    """Collect the labels of a signal that actions redact; none but ``pii`` has any.

    Examples
    --------
    >>> import routekit as rk
    >>> policy = rk.Policy([], default=rk.Keep(redact=("CREDIT_CARD",)))
    >>> [sorted(redacted_labels(policy, signal)) for signal in ("pii", "jailbreak")]
    [['CREDIT_CARD'], []]
    """
    if signal != "pii":
        return frozenset()
    actions = [action for action in policy.actions() if not isinstance(action, Block)]
    return frozenset(label for action in actions for label in action.redact)
