"""Makes the folding table of `routekit.normalize`: what every character looks like.

    python training/make_fold.py

Written from the Unicode database of the running Python and the short look-alike lists below, so that a model and its
normaliser never depend on the Python that runs them. Rerun it only together with the models.
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import numpy as np

from routekit.normalize import CLASS_SHIFT, DIGIT, DROPPED, EXPANDED, IDEOGRAPH, LETTER, SEPARATOR

OUT = Path(__file__).parents[1] / "src" / "routekit" / "embedded" / "fold.npz"

#: Lower-case letters that pass for Latin ones: pairs of look-alike and letter, from looking at common fonts.
LOOK_ALIKES = (
    "аaеeоoрpсcхxуyіiјjѕsԁdһhӏlкkмmтtвbнhгrпnьbшwԛqԝwѵvғfԍgԌgєeқkүyәeөo"  # Cyrillic
    "αaβbεeηnιiκkνvοoρpτtυuχxωwγyσoςcμuζz"  # Greek
    "օoսuհhոnզqցgկyքp"  # Armenian
    "ıiɑaɡgɩiʟlɪiʀrɴnʏyʙbɢgʜhøołlđdħhŧtŋnƒfɛeɔcəeʋvʍwɯmɐaɹrʇtʌvʎyɟfɥhɓbɗdɠgƙkɲn"  # Latin
    "ꓐbꓚcꓓdꓰeꓝfꓖgꓧhꓲiꓙjꓗkꓡlꓟmꓠnꓳoꓑpꓣrꓢsꓔtꓴuꓦvꓪwꓫxꓬyꓜz"  # Lisu
    "ᎪaᏴbᏟcᎠdᎬeᏀgᎻhᎥiᎫjᏦkᏞlᎷmᏢpᎡrᏚsᎢtᏙvᎳwᏃz"  # Cherokee
    "@@$$€€"
)
LOOKS = dict(zip(LOOK_ALIKES[::2], LOOK_ALIKES[1::2], strict=True))
#: Read as letters inside a word (``p@ssword``), so they count as digits do.
SYMBOL_DIGITS = "@$€"
#: Scripts written without spaces, or whose syllables are words in themselves: every character is a token.
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "BOPOMOFO", "YI")
INVISIBLE = {0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x034F, 0x180E}


def visible(char: str) -> str:
    """Spell what a character looks like, in lower case; empty when it cannot be seen."""
    code = ord(char)
    if 0xE0020 <= code <= 0xE007E:  # tag characters smuggle ASCII that models read
        return visible(chr(code - 0xE0000))
    if code in INVISIBLE:
        return ""
    named = _named_letter(unicodedata.name(char, ""))
    if named:
        return named
    plain = unicodedata.normalize("NFKC", char).casefold()
    decomposed = unicodedata.normalize("NFKD", plain)
    keeps_marks = any(unicodedata.name(c, "").startswith(UNSPACED) for c in decomposed)
    letters = unicodedata.normalize("NFC", decomposed) if keeps_marks else decomposed
    return "".join(_fold_one(c) for c in letters)


def _named_letter(name: str) -> str:
    """Spell enclosed, small-capital and regional letters, which normalisation forms leave alone."""
    for prefix in (
        "NEGATIVE SQUARED LATIN CAPITAL LETTER ",
        "NEGATIVE CIRCLED LATIN CAPITAL LETTER ",
        "REGIONAL INDICATOR SYMBOL LETTER ",
        "LATIN LETTER SMALL CAPITAL ",
    ):
        letter = name.removeprefix(prefix)
        if letter != name and len(letter) == 1:
            return letter.lower()
    return ""


def _fold_one(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Mn", "Me", "Cf") or 0xFE00 <= ord(char) <= 0xFE0F:
        return ""
    digit = unicodedata.digit(char, None)
    return str(digit) if digit is not None else LOOKS.get(char, char)


def char_class(char: str) -> int:
    """Class of a folded character."""
    if char in SYMBOL_DIGITS or char.isdigit():
        return DIGIT
    if unicodedata.name(char, "").startswith(UNSPACED) and unicodedata.category(char)[0] == "L":
        return IDEOGRAPH
    return LETTER if unicodedata.category(char)[0] in "LMN" else SEPARATOR


def value_of(char: str) -> int:
    """Packed class and code; separators are all alike."""
    kind = char_class(char)
    return 0 if kind == SEPARATOR else kind << CLASS_SHIFT | ord(char)


def main() -> None:
    codes: list[int] = []
    values: list[int] = []
    letters: list[int] = []
    first = [0]
    for code in range(sys.maxunicode + 1):
        seen = visible(chr(code))
        folded = [value_of(c) for c in seen]
        if unicodedata.category(chr(code)) in ("Cn", "Co", "Cc", "Cs"):
            continue
        if len(folded) > 1 and any(folded):
            letters += folded
            first.append(len(letters))
            folded = [EXPANDED << CLASS_SHIFT | len(first) - 2]
        value = folded[0] if len(folded) >= 1 else DROPPED << CLASS_SHIFT
        if value:
            codes.append(code)
            values.append(value)
    np.savez_compressed(
        OUT,
        code_steps=np.diff(codes, prepend=0).astype(np.uint32),
        shifts=np.array(values, dtype=np.int64) - np.array(codes),  # mostly constant, so it packs well
        first=np.array(first, dtype=np.int64),
        letters=np.array(letters, dtype=np.uint32),
    )
    print(f"{len(codes)} characters, {len(first) - 1} expansions, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
