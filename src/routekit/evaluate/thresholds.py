"""The same policy with another threshold."""

from __future__ import annotations

from dataclasses import replace

from routekit.errors import UsageError, quoted
from routekit.expressions import Comparison, Expression
from routekit.policy import Policy


def with_threshold(policy: Policy, signal: str, threshold: float, *, label: str | None = None) -> Policy:
    """Give the policy with another threshold for a signal: "what changes if it is 0.8".

    Every ``>=`` and ``>`` on the signal (or on that label of it) gets the threshold; without a label ``fires()``,
    which asks the classifier's own threshold, becomes ``>= threshold``.

    Raises
    ------
    UsageError
        If no rule compares the signal so.

    Examples
    --------
    >>> import routekit as rk
    >>> policy = rk.Policy([rk.Rule("attack", rk.signal("jailbreak").fires(), rk.Block(403))], default=rk.Keep())
    >>> with_threshold(policy, "jailbreak", 0.8).rules[0].when
    jailbreak >= 0.8
    """
    if not 0 <= threshold <= 1:
        raise UsageError(f"threshold is {threshold!r}; allowed: 0 to 1")
    rules = tuple(replace(rule, when=_replaced(rule.when, signal, threshold, label)) for rule in policy.rules)
    asked = [test for rule in policy.rules for test in rule.when.comparisons()]
    if not any(_is_meant(test, signal, label) for test in asked):
        subject = quoted(signal) + ("" if label is None else f"[{quoted(label)}]")
        raise UsageError(f"no rule compares {subject} with a threshold, by >=, > or fires()")
    return replace(policy, rules=rules)


def _replaced(when: Expression, signal: str, threshold: float, label: str | None) -> Expression:
    if when.test is not None:
        if not _is_meant(when.test, signal, label):
            return when
        return Expression("test", test=Comparison(signal, ">" if when.test.op == ">" else ">=", threshold, label))
    return Expression(when.op, tuple(_replaced(part, signal, threshold, label) for part in when.parts))


def _is_meant(test: Comparison, signal: str, label: str | None) -> bool:
    if test.signal != signal or test.label != label:
        return False
    return test.op in (">=", ">") or (test.op == "fires" and label is None)
