"""Write look-alike digits, dashes and spaces plainly, and remember where every character stood.

A card number does not become harmless because its digits are full-width, its dashes are en dashes or a zero-width
joiner stands in its middle. Folding works character by character, so it can be done piece by piece as text arrives.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes: TypeAlias = NDArray[np.uint8]
    CodePoints: TypeAlias = NDArray[np.uint32]

#: Code points from here on stand for themselves; below lie all scripts with digits of their own that Unicode 16 has.
_LIMIT = 0x20000
#: Marks a character that folding drops.
_DROP = 0xFFFFFFFF
_DASHES = "\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63\uff0d"
_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff\u180e\u034f\u061c\ufe0e\ufe0f"
#: Scripts that write words without spaces between them: a number may touch them.
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x2E80, 0xD7FF), (0xF900, 0xFAFF))

#: Bytes that stand for non-ASCII characters in `Folded.raw`.
OTHER = 1
UNSPACED = 2


@cache
def _fold_table() -> CodePoints:
    """Map each code point to its plain form; shape (_LIMIT,)."""
    table = np.arange(_LIMIT, dtype=np.uint32)
    for code in range(0x80, _LIMIT):
        value = unicodedata.decimal(chr(code), None)
        if value is not None:
            table[code] = ord("0") + value
    table[0xFF01:0xFF5F] = np.arange(0x21, 0x7F)
    for characters, plain in ((_DASHES, "-"), (_SPACES, " "), ("\u3002\uff61\u2024", ".")):
        table[[ord(c) for c in characters]] = ord(plain)
    table[[ord(c) for c in _INVISIBLE]] = _DROP
    return table


@cache
def _byte_table() -> Bytes:
    """Map each plain code point to one byte: ASCII to itself, letters to their base letter or to 128..255."""
    table = np.full(_LIMIT, OTHER, dtype=np.uint8)
    table[:128] = np.arange(128)
    for code in range(0x80, 0x3000):
        table[code] = letter_byte(chr(code))
    for first, last in _UNSPACED:
        table[first : last + 1] = UNSPACED
    return table


def letter_byte(character: str) -> int:
    """Give the byte that stands for a character: accents and case of non-ASCII letters do not count."""
    if not character.isalpha():
        return ord(character) if character < "\x80" else OTHER
    base = unicodedata.normalize("NFKD", character)[0].casefold()[0]
    return ord(base) if base < "\x80" else 0x80 | (ord(base) & 0x7F)


class Fold:
    """Folds a text that comes in pieces and maps positions back.

    Examples
    --------
    >>> fold = Fold()
    >>> fold.feed("\uff14\u200b1"), fold.feed("11")
    ('41', '11')
    >>> fold.origin(1)
    2
    """

    __slots__ = ("_dropped", "_n_kept")

    def __init__(self) -> None:
        self._n_kept = 0
        self._dropped: list[int] = []

    def feed(self, text: str) -> str:
        """Return the folded form of the next piece."""
        folded = text if text.isascii() else self._fold(text)
        self._n_kept += len(folded)
        return folded

    def _fold(self, text: str) -> str:
        codes = code_points(text)
        plain = _fold_table()[codes]
        dropped = np.flatnonzero(plain == _DROP)
        if len(dropped):
            self._dropped.extend((dropped - np.arange(len(dropped)) + self._n_kept).tolist())
            plain = np.delete(plain, dropped)
            codes = np.delete(codes, dropped)
        elif np.array_equal(plain, codes):
            return text
        return plain.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")

    def origin(self, position: int) -> int:
        """Return where a folded character stood in the text as given."""
        return position + bisect_right(self._dropped, position)

    def origin_end(self, end: int) -> int:
        """Return the end, in the text as given, of a non-empty range that ends at `end`."""
        return self.origin(end - 1) + 1


def code_points(text: str) -> CodePoints:
    """Return the code points of a text, those beyond the tables as U+FFFD; shape (len(text),)."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.where(codes < _LIMIT, codes, np.uint32(0xFFFD))


def to_bytes(folded: str) -> bytes:
    """Write a folded text as one byte a character: see `letter_byte`."""
    if folded.isascii():
        return folded.encode("ascii")
    return _byte_table()[code_points(folded)].tobytes()
