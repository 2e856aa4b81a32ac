"""Folds text to what a reader sees, so that disguises do not hide words from the linear screen.

Every character is folded on its own by one table (`embedded/fold.npz`, made by `training/make_fold.py`): case, full
width, mathematical and enclosed letters, accents and look-alikes of other scripts become plain Latin letters;
zero-width, bidirectional and combining characters vanish; hidden tag characters become the ASCII they stand for.
Look-alikes are folded everywhere, not only beside Latin letters: what matters is that equal looks give equal codes.
Letters spaced out like ``i g n o r e`` are joined. Each folded character keeps the offset it came from.

The work is linear in the text, a handful of array operations for a block; lone surrogates and NUL are separators.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Values: TypeAlias = NDArray[np.uint32]
Offsets: TypeAlias = NDArray[np.int64]

#: A folded value holds its class above bit 24 and its code below.
CLASS_SHIFT = 24
CODE_MASK = (1 << CLASS_SHIFT) - 1
SEPARATOR, LETTER, DIGIT, IDEOGRAPH, DROPPED, EXPANDED = range(6)

#: Whether two separators around a letter belong to a spaced-out word shows within this many characters.
CONTEXT = 4


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """Folded characters.

    Attributes
    ----------
    values
        shape (n,), uint32: class and code of each folded character.
    offsets
        shape (n,), int64: offset in the original text of the character each one came from; ascending.
    """

    values: Values
    offsets: Offsets


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    values: Values  # by code point
    first: NDArray[np.int64]  # of expansion i in `letters`; one more than there are expansions
    letters: Values


@lru_cache(maxsize=1)
def _table() -> _Table:
    raw = (files("routekit") / "embedded" / "fold.npz").read_bytes()
    with np.load(BytesIO(raw), allow_pickle=False) as stored:
        values = np.zeros(0x110000, dtype=np.uint32)
        codes = np.cumsum(stored["code_steps"], dtype=np.int64)
        values[codes] = codes + stored["shifts"]
        table = _Table(values, stored["first"], stored["letters"])
    for array in (table.values, table.first, table.letters):
        array.setflags(write=False)
    return table


def fold(text: str, start: int = 0) -> Folded:
    """Fold every character of a text on its own; spaced-out letters are left to `LetterJoiner`.

    Parameters
    ----------
    start
        Offset of the text in what was read before it.

    Examples
    --------
    >>> folded = fold("Ｉgn\u200b\u043ere")
    >>> "".join(map(chr, folded.values & CODE_MASK)), folded.offsets.tolist()
    ('ignore', [0, 1, 2, 4, 5, 6])
    """
    table = _table()
    codes: NDArray[np.unsignedinteger] = (
        np.frombuffer(text.encode("ascii"), dtype=np.uint8)
        if text.isascii()
        else np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    )
    values = table.values[codes]
    offsets = np.arange(start, start + len(text), dtype=np.int64)
    if text.isascii():
        return Folded(values, offsets)
    return _expand(_visible(Folded(values, offsets)), table)


def _visible(folded: Folded) -> Folded:
    kept = folded.values >> CLASS_SHIFT != DROPPED
    return folded if kept.all() else Folded(folded.values[kept], folded.offsets[kept])


def _expand(folded: Folded, table: _Table) -> Folded:
    """Replace each ligature and the like by the characters it stands for."""
    is_expanded = folded.values >> CLASS_SHIFT == EXPANDED
    if not is_expanded.any():
        return folded
    rows = folded.values[is_expanded] & CODE_MASK
    counts = np.ones(len(folded.values), dtype=np.int64)
    counts[is_expanded] = table.first[rows + 1] - table.first[rows]
    values = np.repeat(folded.values, counts)
    first_out = np.cumsum(counts) - counts
    within = np.arange(len(values)) - np.repeat(first_out, counts)
    from_letters = np.repeat(is_expanded, counts)
    row_first = np.repeat(table.first[rows], counts[is_expanded])
    values[from_letters] = table.letters[row_first + within[from_letters]]
    return Folded(values, np.repeat(folded.offsets, counts))


class LetterJoiner:
    """Joins letters spaced out by single characters (``i g n o r e``, ``i-g-n-o-r-e``) into words, as they arrive.

    A separator between two single letters goes when a third single letter follows or precedes in the same way. Holds
    back `CONTEXT` characters, so that the outcome does not depend on how the text was cut.

    Examples
    --------
    >>> joiner = LetterJoiner()
    >>> parts = [joiner.feed(fold("a b")), joiner.feed(fold(" c: d", 3)), joiner.close()]
    >>> "".join(chr(value & CODE_MASK or 32) for part in parts for value in part.values)
    'abc  d'
    """

    def __init__(self) -> None:
        self._buffer = _separators()

    def feed(self, folded: Folded) -> Folded:
        """Take folded characters and give those whose fate is known."""
        held = self._buffer
        merged = Folded(np.append(held.values, folded.values), np.append(held.offsets, folded.offsets))
        end = len(merged.values) - CONTEXT
        if end <= CONTEXT:
            self._buffer = merged
            return Folded(merged.values[:0], merged.offsets[:0])
        self._buffer = Folded(merged.values[end - CONTEXT :], merged.offsets[end - CONTEXT :])
        kept = slice(CONTEXT, end)
        spacing = _is_spacing(merged.values)
        if spacing is None:
            return Folded(merged.values[kept], merged.offsets[kept])
        mask = ~spacing[kept]
        return Folded(merged.values[kept][mask], merged.offsets[kept][mask])

    def close(self) -> Folded:
        """Give what was held back; nothing may be fed afterwards."""
        return self.feed(_separators())


def _separators() -> Folded:
    return Folded(np.zeros(CONTEXT, dtype=np.uint32), np.zeros(CONTEXT, dtype=np.int64))


def _is_spacing(values: Values) -> NDArray[np.bool_] | None:
    """Mark the separators inside spaced-out words; None when there are none. The outer CONTEXT marks are void."""
    classes = values >> CLASS_SHIFT
    separator = classes == SEPARATOR
    single = separator[:-2] & separator[2:]
    single &= (classes[1:-1] == LETTER) | (classes[1:-1] == DIGIT)  # position 1 ... n-2
    if np.count_nonzero(single) < 3:
        return None
    link = np.zeros(len(values) + 4, dtype=np.bool_)  # position -2 ... n+1
    link[4:-4] = separator[2:-2] & single[:-2] & single[2:]
    spacing: NDArray[np.bool_] = link[2:-2] & (link[:-4] | link[4:])
    return spacing if spacing.any() else None
