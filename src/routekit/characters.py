"""What kind of character each code point is, as far as cutting text into sentences and terms goes."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

OTHER: Final = 0
SPACE: Final = 1
NEWLINE: Final = 2
LOWER: Final = 3
UPPER: Final = 4
#: A letter without case, in a script that puts spaces between words.
LETTER: Final = 5
#: A letter of a script without spaces between words: Han, kana, Hangul, Khmer, Burmese.
IDEOGRAPH: Final = 6
#: The same, in a script that has no sentence marks either: Thai and Lao.
UNMARKED: Final = 7
DIGIT: Final = 8
#: Combining marks, joiners, variation selectors: they belong to the character before them.
MARK: Final = 9
#: A full stop that may also be an abbreviation or a decimal point.
STOP: Final = 10
#: ``!`` and ``?``: they end a sentence where white space follows.
STRONG: Final = 11
#: A mark that ends a sentence by itself, like the ideographic full stop or the danda.
FULL: Final = 12
OPENER: Final = 13
CLOSER: Final = 14
#: A straight quote: opens or closes.
QUOTE: Final = 15
BULLET: Final = 16
#: Ends a sentence after a Greek letter (``;``) or an Armenian one (``:``).
COLON: Final = 17

#: Code points below this have their kind in the table; above lie ideographs and, in plane 14, selectors.
TABLE_SIZE: Final = 0x20000

_STRONG = "!?‼⁇⁈⁉…"
_FULL = "。｡！？．؟۔।॥։።፧፨။។៕།༎᙮꓿꘎꘏꛳꛷᠃᠉"
_BULLETS = "•⁃◦▪‣●○■□∙"
_NEWLINES = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_KIND_OF_CATEGORY = {
    "Lu": UPPER, "Lt": UPPER, "Ll": LOWER, "Lo": LETTER, "Lm": LETTER,
    "Nd": DIGIT, "Nl": DIGIT, "No": DIGIT,
    "Mn": MARK, "Mc": MARK, "Me": MARK, "Cf": MARK,
    "Ps": OPENER, "Pi": OPENER, "Pe": CLOSER, "Pf": CLOSER,
    "Zs": SPACE,
}  # fmt: skip
_WITHOUT_SPACES = (
    (0x0E00, 0x0EFF, UNMARKED), (0x1000, 0x109F, IDEOGRAPH), (0x1100, 0x11FF, IDEOGRAPH), (0x1780, 0x17FF, IDEOGRAPH),
    (0x3005, 0x3007, IDEOGRAPH), (0x3031, 0x3035, IDEOGRAPH), (0x3040, 0x318F, IDEOGRAPH), (0x31A0, 0x31BF, IDEOGRAPH),
    (0x31F0, 0x31FF, IDEOGRAPH), (0x3400, 0x4DBF, IDEOGRAPH), (0x4E00, 0xA4CF, IDEOGRAPH), (0xA960, 0xA97F, IDEOGRAPH),
    (0xAC00, 0xD7FF, IDEOGRAPH), (0xF900, 0xFAFF, IDEOGRAPH), (0xFF66, 0xFFDC, IDEOGRAPH),
    (0x16FE0, 0x18DFF, IDEOGRAPH), (0x1AFF0, 0x1B2FF, IDEOGRAPH),
)  # fmt: skip
_LETTER_CATEGORIES = frozenset({"Lo", "Lm", "Nl"})


@cache
def kind_table() -> bytes:
    """Return the kind of every code point below `TABLE_SIZE`, one byte each; made once, from `unicodedata`."""
    categories = list(map(unicodedata.category, map(chr, range(TABLE_SIZE))))
    kinds = bytearray(_KIND_OF_CATEGORY.get(category, OTHER) for category in categories)
    for first, last, kind in _WITHOUT_SPACES:
        for code in range(first, last + 1):
            if categories[code] in _LETTER_CATEGORIES:
                kinds[code] = kind
    special = {".": STOP, "\t": SPACE, "\x1f": SPACE, '"': QUOTE, "'": QUOTE, ":": COLON, ";": COLON}
    for marks, kind in ((_STRONG, STRONG), (_FULL, FULL), (_BULLETS, BULLET), (_NEWLINES, NEWLINE)):
        special.update(dict.fromkeys(marks, kind))
    for character, kind in special.items():
        kinds[ord(character)] = kind
    return bytes(kinds)


def kind_of(code: int) -> int:
    """Return the kind of one code point.

    Examples
    --------
    >>> kind_of(ord("a")) == LOWER, kind_of(ord("語")) == IDEOGRAPH, kind_of(0x0301) == MARK
    (True, True, True)
    """
    if code < TABLE_SIZE:
        return kind_table()[code]
    return IDEOGRAPH if code < 0x40000 else MARK if 0xE0000 <= code < 0xE1000 else OTHER


def character_class(*kinds: int) -> str:
    """Return the inside of a regular expression's ``[...]`` that matches characters of these kinds."""
    wanted = set(kinds)
    ranges: list[str] = []
    table, start = kind_table(), None
    for code in range(TABLE_SIZE + 1):
        inside = code < TABLE_SIZE and table[code] in wanted
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            ranges.append(_range(start, code - 1))
            start = None
    above = ((0x20000, 0x3FFFF, IDEOGRAPH), (0xE0000, 0xE0FFF, MARK))
    ranges.extend(_range(first, last) for first, last, kind in above if kind in wanted)
    return "".join(ranges)


def _range(first: int, last: int) -> str:
    low, high = re.escape(chr(first)), re.escape(chr(last))
    return low if first == last else f"{low}-{high}"
