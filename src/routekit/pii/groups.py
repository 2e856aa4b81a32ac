"""Cut a text into groups of letters and digits, and say what joins each to the next.

A number as people write it, ``415-555-0132``, is three groups with glue between them. Groups, their kinds and their
glue are computed for a whole block of text at once, so the cost does not depend on what the text holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Codes: TypeAlias = NDArray[np.int16]
    Bytes: TypeAlias = NDArray[np.uint8]

#: What may join two groups. ``,`` also stands for comma and space, ``=`` for an equals sign or colon and space,
#: ``x`` for the extension mark between two runs of digits; a line break or anything else joins nothing.
GLUE = "-. /:_,=x"
#: Lengths are told apart below this; longer groups count as this long.
MAX_LENGTH = 63
DIGITS, LETTERS, MIXED = range(3)
N_CODES = 3 * (MAX_LENGTH + 1)
_TWO_CHARACTER_GLUE = {", ": ",", ": ": "=", "= ": "="}
_ONE_CHARACTER_GLUE = {c: c for c in "-. /:_,="}


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of one block, ascending.

    Attributes
    ----------
    start, end
        shape (n_groups,), int64: half-open character ranges.
    code
        shape (n_groups,), int16: kind and length, see `group_code`.
    glue
        shape (n_groups,), uint8: 1 + index in `GLUE` of what joins a group to the next; 0 for nothing.
    """

    start: Ints
    end: Ints
    code: Codes
    glue: Bytes


def group_code(kind: int, length: int) -> int:
    """Put kind and length of a group into one number below `N_CODES`."""
    return kind * (MAX_LENGTH + 1) + min(length, MAX_LENGTH)


@cache
def _class_table() -> Bytes:
    """Map a byte to 0 (separator), 1 (digit) or 2 (letter)."""
    table = np.zeros(256, dtype=np.uint8)
    table[[ord(c) for c in "0123456789"]] = 1
    table[[*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1), *range(128, 256)]] = 2
    return table


@cache
def _glue_table() -> Bytes:
    """Map a pair of bytes (the second is 0 for glue of one character) to its glue; shape (65536,)."""
    table = np.zeros(65536, dtype=np.uint8)
    for text, glue in _ONE_CHARACTER_GLUE.items():
        table[ord(text)] = GLUE.index(glue) + 1
    for text, glue in _TWO_CHARACTER_GLUE.items():
        table[ord(text[0]) | ord(text[1]) << 8] = GLUE.index(glue) + 1
    return table


def split(raw: bytes) -> Groups:
    """Cut a block, one byte a character, into groups.

    Examples
    --------
    >>> groups = split(b"tel 415-555-0132")
    >>> groups.start.tolist(), groups.end.tolist()
    ([0, 4, 8, 12], [3, 7, 11, 16])
    >>> [GLUE[g - 1] for g in groups.glue[:-1]]
    [' ', '-', '-']
    """
    text = np.frombuffer(b"\0" + raw + b"\0\0", dtype=np.uint8)
    kinds = _class_table()[text]
    text = text[1:]
    _open_extensions(text, kinds[1:])
    inside = kinds != 0
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    start, end = edges[0::2], edges[1::2]
    # Digits are 1, letters 2, so a group of both comes to 3; separators are 0 and change nothing.
    kind = np.bitwise_or.reduceat(kinds[1:], start) - 1 if len(start) else kinds[:0]
    code = kind * np.int16(MAX_LENGTH + 1) + np.minimum(end - start, MAX_LENGTH)
    return Groups(start, end, code.astype(np.int16), _glue(text, start, end))


def _open_extensions(text: Bytes, kinds: Bytes) -> None:
    """Take the x of ``555-0132x17`` out of its group, so that the number is seen; ``0x17`` stays whole."""
    marks = np.flatnonzero(text[2:-1] == ord("x")) + 2
    kinds[marks[(kinds[marks - 2] == 1) & (kinds[marks - 1] == 1) & (kinds[marks + 1] == 1)]] = 0


def _glue(text: Bytes, start: Ints, end: Ints) -> Bytes:
    glue = np.zeros(len(start), dtype=np.uint8)
    if len(start) < 2:
        return glue
    gap = start[1:] - end[:-1]
    first = text[end[:-1]].astype(np.int64)
    second = text[end[:-1] + 1].astype(np.int64)
    pair = np.where(gap == 1, first, first | second << 8)
    glue[:-1] = np.where(gap <= 2, _glue_table()[pair], 0)
    is_extension = (gap == 1) & (first == ord("x"))
    glue[:-1][is_extension] = GLUE.index("x") + 1
    return glue
