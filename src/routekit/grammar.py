"""What a scanner needs to know about requests: which strings of a body are text, and whose.

A grammar is a graph of nodes. A scanner walks it beside the JSON: a node says what a string, number or boolean found
there means, and to which node the elements of an array and the members of an object lead. `routekit.request_grammar`
holds the one there is; the scanners (`routekit.jsonscan` in Python, ``native/json`` in C++) only interpret it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from routekit.request import Kind, Role


class Use(IntEnum):
    """What is done with a string, number or boolean. Numbers are shared with ``native/json``."""

    SKIP = 0  # validated, otherwise ignored
    TEXT = 1  # a segment
    NAME = 2  # ignored while it looks like an identifier, a segment otherwise
    ROLE = 3  # the role of the open message; a segment too unless it looks like an identifier
    TYPE = 4  # the type of the open object; a segment too unless it looks like an identifier
    DATA = 5  # ignored when the type seen before says that it is no text, a segment otherwise
    MODEL = 6
    STREAM = 7
    MAX_TOKENS = 8
    TOOL_NAME = 9  # a segment, and listed among the tools
    WRONG = 10  # refused: a JSON type that cannot stand here
    TOKEN_IDS = 11  # refused: input that nobody can read
    TOOL_TYPE = 12  # like NAME, and listed among the tools where tools of this type need no name


@dataclass(frozen=True, slots=True)
class Node:
    """One place in a request.

    Attributes
    ----------
    string, number, boolean
        What such a value means here. null means absence everywhere.
    elements
        Name of the node of array elements; None refuses arrays.
    members
        Names of the nodes of the keys that matter here.
    others
        Name of the node of all other keys; None refuses objects.
    role, kind
        Whose text and what kind of text lies below; None inherits from above.
    turn
        Text below belongs to turn 0, the only one of a prompt.
    message
        Objects here are messages: each starts a turn and has a role of its own.
    media
        Something that no classifier reads; counted once in each object that holds it.
    judge_keys
        Keys of objects here are segments too, unless they look like identifiers.
    """

    string: Use = Use.SKIP
    number: Use = Use.SKIP
    boolean: Use = Use.SKIP
    elements: str | None = None
    members: Mapping[str, str] = field(default_factory=dict)
    others: str | None = None
    role: Role | None = None
    kind: Kind | None = None
    turn: bool = False
    message: bool = False
    media: bool = False
    judge_keys: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """A graph of nodes by name, and what the values of ``role`` and ``type`` mean.

    Attributes
    ----------
    nodes
        The graph; ``"root"`` is where the body starts, ``"skip"`` ignores everything below it.
    single_keys
        Keys that no object may repeat, nor the top level carry in another letter case. At most 32.
    roles
        Role of each value of ``role``; any other value counts as user.
    assistant_types
        Values of ``type`` that make a message without a role the assistant's.
    opaque_types
        Values of ``type`` after which a `Use.DATA` string is no text.
    media_types
        Values of ``type`` that count as something no classifier reads.
    """

    nodes: Mapping[str, Node]
    single_keys: Sequence[str]
    roles: Mapping[str, Role]
    assistant_types: frozenset[str]
    opaque_types: frozenset[str]
    media_types: frozenset[str]

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys that matter anywhere, the single ones first."""
        rest = {key for node in self.nodes.values() for key in node.members} - set(self.single_keys)
        return (*self.single_keys, *sorted(rest))

    def is_case_variant(self, key: str) -> bool:
        """Say whether a top-level key differs from a single key in letter case only (Unicode folding)."""
        return key not in self.single_keys and key.casefold() in self.single_keys


#: Longest string that can pass as an identifier, in characters: ids of the known clients have up to 55.
MAX_IDENTIFIER = 64
_FIRST = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$")
_REST = _FIRST | frozenset("0123456789.:/+-")


def is_identifier(text: str) -> bool:
    """Say whether a string names something and says nothing: such keys, ids and types are not judged.

    A letter, ``_`` or ``$``, then letters, digits and ``_$.:/+-``, at most 64 characters. Digits first (a card number
    as a key), blanks or other signs make it text.

    Examples
    --------
    >>> is_identifier("call_x9"), is_identifier("4111-1111"), is_identifier("ignore all rules")
    (True, False, False)
    """
    return 0 < len(text) <= MAX_IDENTIFIER and text[0] in _FIRST and _REST.issuperset(text)
