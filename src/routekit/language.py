"""Tell the language of a text: by its script where the script decides, else by its most common words.

All of the text is counted, in time linear in its length. Codes are ISO 639-1; ``"und"`` says that nothing decides, as
for code, numbers or a lone name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from routekit.pii.context import ContextWords
from routekit.pii.fold import code_points, to_bytes
from routekit.pii.groups import split
from routekit.prediction import Prediction
from routekit.request import Scope
from routekit.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes: TypeAlias = NDArray[np.uint8]

UNDETERMINED = "und"
#: Script -> inclusive ranges of code points.
_SCRIPTS: Mapping[str, tuple[tuple[int, int], ...]] = MappingProxyType(
    {
        "latin": ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x24F), (0x1E00, 0x1EFF)),
        "greek": ((0x370, 0x3FF), (0x1F00, 0x1FFF)),
        "cyrillic": ((0x400, 0x52F),),
        "armenian": ((0x531, 0x58F),),
        "hebrew": ((0x591, 0x5F4),),
        "arabic": ((0x620, 0x6FF), (0x750, 0x77F), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC)),
        "devanagari": ((0x900, 0x97F),),
        "bengali": ((0x980, 0x9FF),),
        "gurmukhi": ((0xA00, 0xA7F),),
        "gujarati": ((0xA80, 0xAFF),),
        "oriya": ((0xB00, 0xB7F),),
        "tamil": ((0xB80, 0xBFF),),
        "telugu": ((0xC00, 0xC7F),),
        "kannada": ((0xC80, 0xCFF),),
        "malayalam": ((0xD00, 0xD7F),),
        "sinhala": ((0xD80, 0xDFF),),
        "thai": ((0xE00, 0xE7F),),
        "lao": ((0xE80, 0xEFF),),
        "tibetan": ((0xF00, 0xFFF),),
        "burmese": ((0x1000, 0x109F),),
        "georgian": ((0x10A0, 0x10FF),),
        "ethiopic": ((0x1200, 0x139F),),
        "khmer": ((0x1780, 0x17FF),),
        "hangul": ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF)),
        "kana": ((0x3041, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9D)),
        "han": ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)),
    }
)
#: Scripts that one language, or one by far, is written in.
_LANGUAGE_OF = MappingProxyType(
    {
        "greek": "el",
        "armenian": "hy",
        "hebrew": "he",
        "devanagari": "hi",
        "bengali": "bn",
        "gurmukhi": "pa",
        "gujarati": "gu",
        "oriya": "or",
        "tamil": "ta",
        "telugu": "te",
        "kannada": "kn",
        "malayalam": "ml",
        "sinhala": "si",
        "thai": "th",
        "lao": "lo",
        "tibetan": "bo",
        "burmese": "my",
        "georgian": "ka",
        "ethiopic": "am",
        "khmer": "km",
        "hangul": "ko",
    }
)
#: A character of these says about as much as three letters of an alphabet.
_DENSE = {"han": 3, "kana": 2, "hangul": 2}
#: Japanese has at least this share of kana among its Chinese characters and kana; a Chinese text may quote some.
_KANA_SHARE = 0.08
#: Letters that tell languages of one script apart, most telling first; the last language has none.
_CYRILLIC = (("uk", "іїєґ"), ("be", "ў"), ("sr", "јљњћђџ"), ("kk", "әғқңөұү"), ("bg", "ъ"), ("ru", ""))
_ARABIC = (("ur", "ٹڈڑںے"), ("fa", "پچژگ"), ("ar", ""))
#: Share of a script's letters from which on its telling letters decide.
_TELLING_SHARE = 0.004
_LATIN = tuple(STOP_WORDS)
#: Letters that one language in the Latin script has to itself; each counts like a common word.
_LATIN_LETTERS = MappingProxyType(
    {
        "de": "ß",
        "es": "ñ¿¡",
        "fr": "œ",
        "pt": "ãõ",
        "pl": "ąęłńśźż",
        "cs": "ěřů",
        "hu": "őű",
        "ro": "șț",
        "tr": "ğış",
        "vi": "đơưạảấầẩậắằặẹẻếềểễệịọỏốồổộớờởợụủứừửữự",
    }
)
_TELLING_WEIGHT = 0.6
#: Common words, and their share of all words and numbers, that name a language: prose has a quarter, base64 1 %.
_LEAST_WORDS, _LEAST_SHARE = 0.5, 0.03

LABELS: tuple[str, ...] = (
    *_LATIN,
    *("zh", "ja"),
    *(language for language, _ in (*_CYRILLIC, *_ARABIC)),
    *_LANGUAGE_OF.values(),
    UNDETERMINED,
)


def detect(text: str) -> str:
    """Return the ISO 639-1 code of the language that most of a text is in, or ``"und"``.

    Examples
    --------
    >>> detect("Wie wird das Wetter morgen in Berlin?"), detect("今天天气很好"), detect("x = 1"), detect("Привет, мир")
    ('de', 'zh', 'und', 'ru')
    """
    shares = _shares(text)
    best = max(shares, key=lambda language: shares[language], default=UNDETERMINED)
    return best if shares else UNDETERMINED


class LanguageClassifier:
    """The language of a text as a signal; see `detect`.

    P of a language is the share of the text's letters whose script and words speak for it.

    Examples
    --------
    >>> LanguageClassifier().classify(["Où est la gare, s'il vous plaît ?"])[0].label
    'fr'
    """

    name = "language"
    labels = LABELS
    cost = 0.05
    scope: Scope = "last_user"

    def classify(self, texts: Sequence[str]) -> list[Prediction]:
        """Return one prediction for each text."""
        return [self._classify(text) for text in texts]

    def _classify(self, text: str) -> Prediction:
        began = perf_counter()
        shares = _shares(text)
        probabilities = dict.fromkeys(LABELS, 0.0) | shares
        probabilities[UNDETERMINED] += max(0.0, 1.0 - sum(shares.values()))
        best = max(shares, key=lambda language: shares[language], default=UNDETERMINED)
        return Prediction(best, probabilities, n_tokens=len(text), seconds=perf_counter() - began)


def _shares(text: str) -> dict[str, float]:
    """Return the share of each language that the text shows; they sum to 1, or to 0 where nothing decides."""
    counts = _script_counts(text)
    total = sum(counts.values())
    shares: dict[str, float] = {}
    for script, weight in counts.items():
        language = _language(script, counts, text)
        shares[language] = shares.get(language, 0.0) + weight / total
    return shares


def _language(script: str, counts: Mapping[str, int], text: str) -> str:
    """Name the language of the part of a text that is in one script."""
    if script == "latin":
        return _latin(text)
    if script in ("han", "kana"):
        kana = counts.get("kana", 0)
        return "ja" if kana > _KANA_SHARE * (kana + counts.get("han", 0)) else "zh"
    if script == "cyrillic":
        return _by_letters(text, _CYRILLIC, counts[script])
    if script == "arabic":
        return _by_letters(text, _ARABIC, counts[script])
    return _LANGUAGE_OF[script]


def _by_letters(text: str, languages: Sequence[tuple[str, str]], n_letters: int) -> str:
    for language, letters in languages[:-1]:
        n_telling = sum(map(text.count, letters + letters.upper()))
        is_russian = language == "bg" and "ы" in text
        if n_telling > _TELLING_SHARE * n_letters * (4 if language == "bg" else 1) and not is_russian:
            return language
    return languages[-1][0]


def _latin(text: str) -> str:
    """Count the common words of each language; the language with most wins, if it has any that others have not."""
    raw = to_bytes(text)
    groups = split(raw)
    masks = _stop_words().find(text, raw, groups).mask
    bits = np.unpackbits(masks.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    # A word that several languages share says less of each.
    languages = bits[:, : len(_LATIN)].astype(np.float32)
    scores = (1 / languages.sum(axis=1)) @ languages if len(masks) else np.zeros(len(_LATIN))
    if not text.isascii():
        scores += _telling_letters(text)
    best = int(np.argmax(scores))
    return _LATIN[best] if scores[best] > max(_LEAST_WORDS, _LEAST_SHARE * len(groups.start)) else UNDETERMINED


def _telling_letters(text: str) -> list[float]:
    """Weigh, for each language in the Latin script, the letters that it has to itself."""
    counts = np.bincount(np.minimum(code_points(text), 0x2000), minlength=0x2001)
    return [_TELLING_WEIGHT * sum(int(counts[ord(c)]) for c in _LATIN_LETTERS.get(language, "")) for language in _LATIN]


@cache
def _stop_words() -> ContextWords:
    return ContextWords(STOP_WORDS)


@cache
def _script_table() -> Bytes:
    """Map each code point of the basic plane to 1 + the index of its script, 0 for none."""
    table = np.zeros(0x20000, dtype=np.uint8)
    for index, ranges in enumerate(_SCRIPTS.values()):
        for first, last in ranges:
            table[first : last + 1] = index + 1
    return table


def _script_counts(text: str) -> dict[str, int]:
    """Count letters by script, dense scripts at their weight."""
    if text.isascii():
        raw = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
        letters = int(np.count_nonzero(_script_table()[:128][raw]))
        return {"latin": letters} if letters else {}
    counts = np.bincount(_script_table()[code_points(text)], minlength=len(_SCRIPTS) + 1)[1:].tolist()
    return {script: n * _DENSE.get(script, 1) for script, n in zip(_SCRIPTS, counts, strict=True) if n}
