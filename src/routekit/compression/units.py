"""Units of selection: sentences, and pieces of sentences too long to keep or drop as a whole.

A base64 blob, minified JSON or one endless sentence becomes many pieces, so nothing is too big to be windowed.
Cuts never fall inside a user-perceived character, except in runs of marks no writing system has.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from routekit.characters import MARK, kind_of

if TYPE_CHECKING:
    from routekit.tensors import IntArray

#: Longest unit in characters: about 90 tokens of English, or of a script that takes more bytes for a character.
MAX_ASCII: Final = 400
MAX_OTHER: Final = 160

_MAX_CLUSTER: Final = 32
_JOINER: Final = "\u200d"
_VIRAMA: Final = 9


def cut_units(text: str, starts: IntArray, end: int) -> IntArray:
    """Return the starts of all units of the sentences that begin at `starts`; the last one ends at `end`.

    Examples
    --------
    >>> cut_units("x" * 1000, np.array([0]), 1000).tolist()
    [0, 400, 800]
    """
    ends = np.append(starts[1:], end)
    longest = MAX_ASCII if text.isascii() else MAX_OTHER
    long = np.flatnonzero(ends - starts > longest)
    cuts = [cut for i in long.tolist() for cut in _cuts(text, int(starts[i]), int(ends[i]))]
    return np.sort(np.append(starts, np.array(cuts, np.int64))) if cuts else starts


def _cuts(text: str, a: int, b: int) -> Iterator[int]:
    while True:
        longest = MAX_ASCII if text[a : a + MAX_ASCII].isascii() else MAX_OTHER
        if b - a <= longest:
            return
        a = _cut_position(text, a, a + longest)
        yield a


def _cut_position(text: str, a: int, limit: int) -> int:
    """Prefer the last space in the second half of ``[a, limit)``."""
    space = text.rfind(" ", a + (limit - a) // 2, limit)
    return space + 1 if space > a else cluster_start(text, limit, a + 1)


def cluster_start(text: str, i: int, lowest: int) -> int:
    """Move a cut at `i` left, to where a user-perceived character begins, but not below `lowest`.

    Gives up after 32 characters: such a run of marks is no writing.

    Examples
    --------
    >>> cluster_start("cafe\\u0301", 4, 0)
    3
    """
    at = i
    while at > max(lowest, i - _MAX_CLUSTER) and at < len(text) and _is_inside(text, at):
        at -= 1
    return at if at == lowest or at == len(text) or not _is_inside(text, at) else i


def _is_inside(text: str, i: int) -> bool:
    """Say whether a cut at `i` splits what is seen as one character."""
    before, after = text[i - 1], text[i]
    if before.isascii() and after.isascii():
        return before == "\r" and after == "\n"
    if kind_of(ord(after)) == MARK or before == _JOINER or unicodedata.combining(before) == _VIRAMA:
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff":  # skin tones
        return True
    if "\u1160" <= after <= "\u11ff":  # vowels and finals of conjoining Hangul
        return True
    return _is_flag_half(before) and _is_flag_half(after) and _n_flag_halves(text, i) % 2 == 1


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _n_flag_halves(text: str, i: int) -> int:
    n = 0
    while n < i and n <= _MAX_CLUSTER and _is_flag_half(text[i - 1 - n]):
        n += 1
    return n
