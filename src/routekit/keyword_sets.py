"""Sets of literal words and phrases, found in a text of any length in linear time.

Words match whole and whatever their case and width: text and keywords are read in Unicode's compatibility form
(NFKC), case-folded, without invisible format characters. In scripts that write no spaces a keyword matches anywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\w+")
#: Above this many keywords, splitting the text into words once beats one substring search for each.
_MANY = 200
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
class Phrase:
    """One keyword.

    Attributes
    ----------
    needle
        Its longest stretch without spaces; most texts do not even hold that.
    words
        Its words; empty in scripts without spaces.
    pattern
        Regular expression that finds it between characters that do not continue it, with any white space for its
        spaces; compiled only for texts that may hold it, as sets may be large.
    """

    needle: str
    words: frozenset[str]
    pattern: str

    @classmethod
    def of(cls, keyword: str) -> Phrase:
        parts = keyword.split()
        before = r"(?<!\w)" if _bounded(keyword[0]) else ""
        after = r"(?!\w)" if _bounded(keyword[-1]) else ""
        words = frozenset() if _UNSPACED.search(keyword) else frozenset(_WORD.findall(keyword))
        pattern = before + r"\s+".join(map(re.escape, parts)) + after
        return cls(max(parts, key=len), words, pattern)


@dataclass(frozen=True, slots=True)
class KeywordSet:
    """Keywords, ready to be searched."""

    phrases: tuple[Phrase, ...]

    @classmethod
    def of(cls, words: Sequence[str]) -> KeywordSet:
        return cls(tuple(Phrase.of(keyword) for word in words if (keyword := folded(word).strip())))

    def found_in(self, text: str) -> bool:
        """Say whether any keyword occurs in `text`.

        Examples
        --------
        >>> KeywordSet.of(["Acme Corp"]).found_in("mail from ACME  corp."), KeywordSet.of(["cat"]).found_in("scatter")
        (True, False)
        """
        plain = folded(text)
        return any(re.search(phrase.pattern, plain) for phrase in self._likely(plain))

    def _likely(self, text: str) -> Iterator[Phrase]:
        """Pass over keywords that cannot occur: few by substring search, many by the words there are."""
        words = frozenset(_WORD.findall(text)) if len(self.phrases) > _MANY else None
        for phrase in self.phrases:
            if phrase.needle in text if words is None or not phrase.words else phrase.words <= words:
                yield phrase


def _bounded(edge: str) -> bool:
    """Say whether a word character next to this one would continue it."""
    return (edge.isalnum() or edge == "_") and not _UNSPACED.match(edge)
