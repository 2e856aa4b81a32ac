"""HTML for notebooks: tables, texts and trees; everything is escaped, and what cannot be seen is made visible."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import TypeAlias, Union

#: Characters that act rather than show: controls but tab and newline, marks of direction and of width, and what is no
#: character. They could hide text or turn it around, in the page beside it too.
_ACTING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e007f]"
)

#: A node of a tree: a line, or a line over branches.
Node: TypeAlias = Union[str, "tuple[str, Sequence[Node]]"]


def text_html(text: str) -> str:
    r"""Escape a text, and write the code of each character that would act rather than show.

    >>> text_html("<b>\x1b[2J\u202e")
    '&lt;b&gt;<small>\\x1b</small>[2J<small>\\u202e</small>'
    """
    return _ACTING.sub(lambda found: f"<small>{_code(found.group())}</small>", escape(text))


def plain_html(text: str) -> str:
    r"""Do the same without tags, for an attribute.

    >>> plain_html('"\u202e')
    '&quot;\\u202e'
    """
    return _ACTING.sub(lambda found: _code(found.group()), escape(text))


def table_html(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write an HTML table; every cell is escaped.

    >>> table_html(["a"], [["<b>"]])
    '<table><tr><th>a</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    return table_of_html([text_html(cell) for cell in header], [[text_html(cell) for cell in row] for row in rows])


def table_of_html(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write an HTML table of cells that are HTML already; nothing without rows."""
    if not rows:
        return ""
    cells = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    head = "".join(f"<th>{cell}</th>" for cell in header)
    return f"<table><tr>{head}</tr>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


def tree_html(node: Node) -> str:
    """Write a tree as nested lists; every line is escaped.

    >>> tree_html(("all of", ["a", "b"]))
    'all of<ul><li>a</li><li>b</li></ul>'
    """
    if isinstance(node, str):
        return text_html(node)
    line, branches = node
    return text_html(line) + "<ul>" + "".join(f"<li>{tree_html(branch)}</li>" for branch in branches) + "</ul>"


def _code(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
