"""A policy in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from routekit.explanation import table_html

if TYPE_CHECKING:
    from routekit.policy import Policy


def policy_html(policy: Policy) -> str:
    """Show rules in order, the default and `on_error`; everything is escaped."""
    rows = [[r.name + (" (shadow)" if r.shadow else ""), repr(r.when), repr(r.then)] for r in policy.rules]
    rows.append(["default", "otherwise", repr(policy.default)])
    errors = [[signal, policy.remedy(signal)] for signal in policy.signals()]
    return table_html(("rule", "when", "then"), rows) + table_html(("signal", "on error"), errors)
