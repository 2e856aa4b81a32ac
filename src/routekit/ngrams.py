"""Hashed n-grams of the words of a text: the features of the linear classifiers.

A token is a run of letters and digits of at most `MAX_WORD` characters, or one ideograph. It gives one key for each
kind of feature, which ends at it; so features come in the order of the text and a sum over any stretch of tokens is a
difference of two prefix sums. All arithmetic is on unsigned 64-bit integers, so keys are the same everywhere.

References
----------
The hashing trick: Weinberger et al. 2009, arXiv:0902.2206. The word hash is a polynomial over the character codes
(Karp and Rabin 1987), which a cumulative sum gives for all words at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from routekit.normalize import (
    CLASS_SHIFT,
    CODE_MASK,
    DIGIT,
    IDEOGRAPH,
    LETTER,
    Folded,
    LetterJoiner,
    Values,
    fold,
)

Keys: TypeAlias = NDArray[np.uint64]

#: Features that a model can use, each ending at a token: the word; it and the word before; the last three; its stem
#: (the first characters); its stem and the one before; it and the word before the last; the stems likewise.
KINDS = ("word", "pair", "triple", "stem", "stem_pair", "skip", "stem_skip")
#: Words that each kind looks back over.
_REACH = {"word": 0, "pair": 1, "triple": 2, "stem": 0, "stem_pair": 1, "skip": 2, "stem_skip": 2}
MAX_WORD = 64
STEM = 5
#: Characters handled at once: bounds the temporaries, and the tables of powers.
BLOCK = 1 << 15
#: A feature counts again only when the last so many tokens do not have it: repeating a word proves nothing new.
MEMORY = 32
#: Tokens before a stretch that its features depend on.
CONTEXT = MEMORY + max(_REACH.values())
#: Key of a repeated feature, or of one that would reach back before the text; no weight is ever kept for it.
NO_FEATURE = 0

_BASE = 0x9E3779B97F4A7C15  # odd, so it has an inverse modulo 2**64
_FAR = np.uint64(0xC2B2AE3D27D4EB4F)  # odd multipliers that tell the places of an n-gram apart
_FARTHER = np.uint64(0x165667B19E3779F9)
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_NUMBER = np.uint64(0x27D4EB2F165667C5)
_SALTS = {kind: np.uint64((i + 1) * 0xD6E8FEB86659FD93 % 2**64) for i, kind in enumerate(KINDS)}
_HALF = np.uint64(32)

#: Digits and symbols read as letters inside a word that has letters too.
_LEET = np.arange(ord("€") + 1, dtype=np.uint64)
for _digit, _letter in zip("0123456789@$€", "oizeasgtbgase", strict=True):
    _LEET[ord(_digit)] = ord(_letter)
_LEET.setflags(write=False)


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Tokens of a stretch of text.

    Attributes
    ----------
    words, stems
        shape (n,), uint64: hash of each word and of its first characters.
    starts, ends
        shape (n,), int64: character range of each token in the original text.
    """

    words: Keys
    stems: Keys
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


class TokenStream:
    """Turns text into tokens as it arrives; the tokens do not depend on how the text was cut.

    Examples
    --------
    >>> stream = TokenStream()
    >>> [len(stream.feed(piece).words) for piece in ("Ignore all prev", "ious rules.", " ")], len(stream.close().words)
    ([2, 1, 0], 1)
    """

    def __init__(self) -> None:
        self._joiner = LetterJoiner()
        self._open = _none()
        self._n_read = 0

    def feed(self, text: str) -> Tokens:
        """Take the next piece of text and give the tokens that no later text can change."""
        folded = fold(text, self._n_read)
        self._n_read += len(text)
        return self._tokens(self._joiner.feed(folded), at_end=False)

    def close(self) -> Tokens:
        """Give the last tokens."""
        return self._tokens(self._joiner.close(), at_end=True)

    def _tokens(self, folded: Folded, *, at_end: bool) -> Tokens:
        held = self._open
        values = np.append(held.values, folded.values) if len(held.values) else folded.values
        offsets = np.append(held.offsets, folded.offsets) if len(held.values) else folded.offsets
        starts, ends = _bounds(values)
        n_kept = len(values)
        if not at_end and len(ends) and ends[-1] == len(values) and values[-1] >> CLASS_SHIFT != IDEOGRAPH:
            n_kept = int(starts[-1])
            starts, ends = starts[:-1], ends[:-1]
        self._open = Folded(values[n_kept:], offsets[n_kept:])
        words, stems = _hashes(values[:n_kept], starts, ends)
        return Tokens(words, stems, offsets[starts], offsets[ends - 1] + 1)


def _none() -> Folded:
    return Folded(np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.int64))


def _bounds(values: Values) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where tokens start and end: runs of letters and digits, cut at MAX_WORD, and single ideographs."""
    classes = values >> CLASS_SHIFT
    in_word = (classes == LETTER) | (classes == DIGIT)
    alone = classes == IDEOGRAPH
    starting, ending = in_word.copy(), in_word.copy()
    starting[1:] &= ~in_word[:-1]
    ending[:-1] &= ~in_word[1:]
    starts = np.flatnonzero(starting | alone)
    ends = np.flatnonzero(ending | alone) + 1
    n_pieces = (ends - starts + MAX_WORD - 1) // MAX_WORD
    if not (n_pieces > 1).any():
        return starts, ends
    piece = np.arange(n_pieces.sum()) - np.repeat(np.cumsum(n_pieces) - n_pieces, n_pieces)
    starts = np.repeat(starts, n_pieces) + piece * MAX_WORD
    return starts, np.minimum(starts + MAX_WORD, np.repeat(ends, n_pieces))


@lru_cache(maxsize=1)
def _powers() -> tuple[Keys, Keys]:
    """Give the powers of the base and of its inverse modulo 2**64, for the positions in a block."""
    inverse = pow(_BASE, -1, 1 << 64)
    tables = []
    for base in (_BASE, inverse):
        factors = np.full(BLOCK + MAX_WORD, base, dtype=np.uint64)
        factors[0] = 1
        table = np.multiply.accumulate(factors)
        table.setflags(write=False)
        tables.append(table)
    return tables[0], tables[1]


def _hashes(values: Values, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> tuple[Keys, Keys]:
    """Hash each word and its stem; a number only by its length, digits inside a word as the letters they look like."""
    powers, inverses = _powers()
    words, stems = np.empty(len(starts), dtype=np.uint64), np.empty(len(starts), dtype=np.uint64)
    first = 0
    while first < len(starts):  # one turn for each block of characters
        base = int(starts[first])
        last = int(np.searchsorted(ends, base + BLOCK, side="right"))
        start, end = starts[first:last] - base, ends[first:last] - base
        codes, is_number = _spelled(values[base : base + int(end[-1])], start, end)
        sums = np.zeros(len(codes) + 1, dtype=np.uint64)
        np.cumsum(codes * powers[: len(codes)], out=sums[1:])
        words[first:last] = (sums[end] - sums[start]) * inverses[start]
        stems[first:last] = (sums[np.minimum(start + STEM, end)] - sums[start]) * inverses[start]
        number = np.flatnonzero(is_number) + first
        words[number] = stems[number] = _NUMBER * np.minimum(ends[number] - starts[number], STEM).astype(np.uint64)
        first = last
    return words, stems


def _spelled(values: Values, start: NDArray[np.int64], end: NDArray[np.int64]) -> tuple[Keys, NDArray[np.bool_]]:
    """Give the codes with digits in words read as letters, and which tokens are numbers."""
    codes = (values & CODE_MASK).astype(np.uint64)
    digits = np.flatnonzero(values >> CLASS_SHIFT == DIGIT)
    token = np.searchsorted(start, digits, side="right") - 1
    n_digits = np.bincount(token, minlength=len(start))
    is_number = n_digits == end - start
    inside = digits[~is_number[token]]
    codes[inside] = _LEET[codes[inside]]
    return codes, is_number


class NgramStream:
    """Turns text into the feature keys of its tokens as it arrives.

    Parameters
    ----------
    kinds
        Names from `KINDS`; row i of the keys is of kind i.

    Examples
    --------
    >>> stream = NgramStream(("word", "pair"))
    >>> keys, tokens = stream.feed("to be or not to be ")
    >>> keys.shape, bool(keys[1, 0] == NO_FEATURE), tokens.starts.tolist()
    ((2, 4), True, [0, 3, 6, 9])
    >>> keys, tokens = stream.close()
    >>> keys.shape
    (2, 2)
    """

    def __init__(self, kinds: Sequence[str]) -> None:
        self._kinds = tuple(kinds)
        self._stream = TokenStream()
        self._words = np.zeros(0, dtype=np.uint64)  # the last two of each
        self._stems = np.zeros(0, dtype=np.uint64)
        self._seen = np.zeros((len(self._kinds), MEMORY), dtype=np.uint32)  # marks of the last tokens' keys

    def feed(self, text: str) -> tuple[Keys, Tokens]:
        """Take the next piece of text; give keys of shape (n_kinds, n_tokens) and the closed tokens they end at."""
        return self._keys(self._stream.feed(text))

    def close(self) -> tuple[Keys, Tokens]:
        """Give the keys of the last tokens."""
        return self._keys(self._stream.close())

    def _keys(self, tokens: Tokens) -> tuple[Keys, Tokens]:
        words = np.append(self._words, tokens.words)
        stems = np.append(self._stems, tokens.stems)
        self._words, self._stems = words[-2:], stems[-2:]
        n, n_before = len(tokens.words), len(words) - len(tokens.words)
        keys = np.full((len(self._kinds), n), NO_FEATURE, dtype=np.uint64)
        for row, kind in zip(keys, self._kinds, strict=True):
            skipped = max(0, _REACH[kind] - n_before)
            row[skipped:] = _kind_keys(kind, words, stems)[max(0, n_before - _REACH[kind]) :]
        self._drop_repeats(keys)
        return keys, tokens

    def _drop_repeats(self, keys: Keys) -> None:
        # The low half of a key tells it apart well enough, and compares twice as fast.
        marks = np.concatenate((self._seen, keys.astype(np.uint32)), axis=1)
        repeats = np.zeros(keys.shape, dtype=np.bool_)
        for back in range(1, MEMORY + 1):
            repeats |= marks[:, MEMORY:] == marks[:, MEMORY - back : marks.shape[1] - back]
        keys[repeats] = NO_FEATURE
        self._seen = marks[:, marks.shape[1] - MEMORY :]


def _kind_keys(kind: str, words: Keys, stems: Keys) -> Keys:
    """Give the key of every position from the reach of the kind on."""
    base = stems if kind.startswith("stem") else words
    reach = _REACH[kind]
    mixed: Keys = base[reach:] + _SALTS[kind]
    if kind in ("pair", "triple", "stem_pair"):
        mixed += base[reach - 1 : len(base) - 1] * _FAR
    if kind in ("triple", "skip", "stem_skip"):
        mixed += base[: max(0, len(base) - 2)] * _FARTHER
    mixed ^= mixed >> _HALF
    mixed *= _MIX
    mixed ^= mixed >> _HALF
    mixed *= _MIX
    return mixed
