"""Sets of literal words and phrases, found in a text of any length in linear time.

Words match whole and whatever their case and width: text and keywords are read in Unicode's compatibility form
(NFKC), case-folded, without invisible format characters. In scripts that write no spaces a keyword matches anywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\w+")
_SPACES = re.compile(r"\s+")
#: Zero-width characters, joiners, direction marks, soft hyphen, BOM: they hide a word from a reader of code points.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
#: Scripts without spaces between words: Thai, Lao, Myanmar, Khmer, kana, ideographs, and Hangul for its particles.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]"
)


def folded(text: str) -> str:
    """Bring a text to the form in which keywords are compared.

    >>> folded("ＩＧＮＯＲＥ\u200b this")
    'ignore this'
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()


@dataclass(frozen=True, slots=True)
class KeywordSet:
    """Keywords, ready to be searched.

    Attributes
    ----------
    phrases
        Folded keyword -> its words, all of which a text must have before the keyword is searched for.
    """

    phrases: dict[str, frozenset[str]]

    @classmethod
    def of(cls, words: Sequence[str]) -> KeywordSet:
        phrases = [_SPACES.sub(" ", folded(word)).strip() for word in words]
        return cls({p: frozenset() if _UNSPACED.search(p) else frozenset(_WORD.findall(p)) for p in phrases if p})

    def found_in(self, text: str) -> bool:
        """Say whether any keyword occurs in `text`.

        Examples
        --------
        >>> KeywordSet.of(["Acme Corp"]).found_in("mail from ACME  corp."), KeywordSet.of(["cat"]).found_in("scatter")
        (True, False)
        """
        plain = _SPACES.sub(" ", folded(text))
        words = set(_WORD.findall(plain))
        return any(words >= needed and _occurs(phrase, plain) for phrase, needed in self.phrases.items())


def _occurs(phrase: str, text: str) -> bool:
    """Find a phrase that no word character continues at either end."""
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if not _continues(text[start - 1 : start], phrase[0]) and not _continues(text[end : end + 1], phrase[-1]):
            return True
        start = text.find(phrase, start + 1)
    return False


def _continues(outside: str, edge: str) -> bool:
    return bool(outside) and _is_word(outside) and _is_word(edge) and not _UNSPACED.match(edge)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
