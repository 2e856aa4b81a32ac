"""A policy in a notebook: its rules as trees, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from routekit.errors import plain
from routekit.expressions import Expression
from routekit.markup import Node, table_html, table_of_html, text_html, tree_html

if TYPE_CHECKING:
    from routekit.policy import Policy

_OF = {"all": "all of", "any": "any of", "not": "not"}


def policy_html(policy: Policy) -> str:
    """Show rules in order, the default and `on_error`; everything is escaped."""
    rows = [
        [text_html(plain(r.name) + (" (shadow)" if r.shadow else "")), tree_html(tree(r.when)), text_html(repr(r.then))]
        for r in policy.rules
    ]
    rows.append(["default", "otherwise", text_html(repr(policy.default))])
    errors = [[plain(signal), plain(policy.remedy(signal))] for signal in policy.signals()]
    return table_of_html(("rule", "when", "then"), rows) + table_html(("signal", "on error"), errors)


def tree(when: Expression) -> Node:
    """Give a condition as a tree; what is one question is one line.

    >>> import routekit as rk
    >>> tree((rk.signal("jailbreak") >= 0.9) & ~rk.signal("pii").any())
    ('all of', ['jailbreak >= 0.9', '~pii.fires()'])
    """
    if when.test is not None or (when.op == "not" and when.parts[0].test is not None):
        return repr(when)
    return _OF[when.op], [tree(part) for part in when.parts]
