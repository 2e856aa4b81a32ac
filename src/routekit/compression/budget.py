"""How many tokens a text takes: counted by a tokenizer, or bounded without one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from routekit.compression.common_words import COMMON_WORDS
from routekit.interfaces import Tokenizer

if TYPE_CHECKING:
    from routekit.tensors import IntArray

#: Two special tokens around a text, and the word-start mark that SentencePiece may put before it.
BOUND_OVERHEAD: Final = 3

#: No token that the bound counts stands for more bytes: the longest common word and its space.
_MAX_BYTES_PER_TOKEN: Final = 1 + max(map(len, COMMON_WORDS))
#: Longer texts are estimated from this many characters of theirs: a bound on all of them takes longer than the rest.
_ESTIMATED_CHARACTERS: Final = 1 << 13
_WORD: Final = re.compile(r"(?<=[!-~]) ([a-z]+)(?=[ \n.,;:!?])")
_NORMAL_FORMS: Final = ("NFC", "NFD", "NFKC", "NFKD")


class TokenCounter(Protocol):
    """Counts tokens for a compressor; `exact` says whether a tokenizer did."""

    @property
    def exact(self) -> bool: ...
    @property
    def overhead(self) -> int:
        """Tokens that come with any text."""
        ...

    def fits(self, text: str, max_tokens: int) -> bool:
        """Say whether the whole text, special tokens included, takes at most `max_tokens`."""
        ...

    def total(self, text: str) -> int:
        """Count a whole text, special tokens included; 0 for an empty one."""
        ...

    def estimate(self, text: str) -> int:
        """Count a whole text as `total` does, or estimate what it would give, cheaply."""
        ...

    def cost(self, start: int, end: int) -> int:
        """Count the range of the original, without special tokens."""
        ...

    def fit(self, start: int, end: int, n_tokens: int) -> int:
        """Return the largest end such that the range from `start` takes at most `n_tokens`."""
        ...


def token_bound(text: str) -> int:
    """Bound the tokens of a text for every vocabulary in common use, without special tokens.

    A token stands for at least one byte of UTF-8 after the tokenizer's normalization, whichever of the Unicode forms
    and case mappings that is. Common words are one token with their space, where nothing near them can change that.
    Vocabularies of bytes or characters are bounded too, except that the common words are spelled out there.

    Examples
    --------
    >>> token_bound("Show me the code.")
    8
    >>> token_bound("ﷺ")  # one character that some tokenizers spell out in eighteen
    33
    """
    saved = sum(len(word) for word in _WORD.findall(text) if word in COMMON_WORDS)
    return (len(text) if text.isascii() else sum(map(_character_bound, text))) - saved


@lru_cache(maxsize=1 << 14)
def _character_bound(character: str) -> int:
    if character.isascii():
        return 1
    cased = {character, character.lower(), character.upper(), character.casefold()}
    forms = {unicodedata.normalize(form, variant) for form in _NORMAL_FORMS for variant in cased}
    forms |= {form.lower() for form in forms} | {form.casefold() for form in forms} | cased
    return max(len(form.encode("utf-8", "surrogatepass")) for form in forms)


@dataclass(frozen=True, slots=True)
class BoundCounter:
    """Counts by `token_bound`: never less than any common tokenizer."""

    text: str
    exact: bool = False
    overhead: int = BOUND_OVERHEAD

    def fits(self, text: str, max_tokens: int) -> bool:
        return len(text) <= max_tokens * _MAX_BYTES_PER_TOKEN and self.total(text) <= max_tokens

    def total(self, text: str) -> int:
        return token_bound(text) + self.overhead if text else 0

    def estimate(self, text: str) -> int:
        part = _ESTIMATED_CHARACTERS // 2
        if len(text) <= 2 * part:
            return self.total(text)
        return (token_bound(text[:part]) + token_bound(text[-part:])) * len(text) // (2 * part) + self.overhead

    def cost(self, start: int, end: int) -> int:
        return token_bound(self.text[start:end])

    def fit(self, start: int, end: int, n_tokens: int) -> int:
        widths = accumulate(map(_character_bound, self.text[start:end]))
        return start + sum(1 for width in widths if width <= n_tokens)


class ExactCounter:
    """Counts with the classifier's own tokenizer; the original is tokenized once."""

    exact = True

    def __init__(self, text: str, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.overhead = tokenizer.n_special_tokens
        self._n_tokens, self._starts, self._ends = 0, _EMPTY, _EMPTY
        self._whole = text
        if text:
            offsets = tokenizer.encode(text).offsets
            self._starts = np.maximum.accumulate(offsets[:, 0])
            self._ends = np.maximum.accumulate(offsets[:, 1])

    def fits(self, text: str, max_tokens: int) -> bool:
        return self.total(text) <= max_tokens

    def total(self, text: str) -> int:
        if text == self._whole:
            return len(self._starts) + self.overhead if text else 0
        return len(self._tokenizer.encode(text).input_ids) + self.overhead if text else 0

    def estimate(self, text: str) -> int:
        return self.total(text)

    def cost(self, start: int, end: int) -> int:
        low, high = np.searchsorted(self._starts, (start, end))
        return int(high - low)

    def fit(self, start: int, end: int, n_tokens: int) -> int:
        first, last = np.searchsorted(self._starts, (start, end))
        if n_tokens >= last - first:
            return end
        return int(min(end, max(start, self._starts[first + n_tokens]))) if n_tokens > 0 else start


_EMPTY: Final[IntArray] = np.zeros(0, np.int64)
