"""Words near a number that tell what it is.

Words of scripts with spaces are found among the groups of letters, by their first sixteen letters, without accents
and case; words of scripts without spaces are found as substrings. Both cost time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from routekit.errors import ConfigError
from routekit.pii.fold import UNSPACED, to_bytes
from routekit.pii.groups import LETTERS, MAX_LENGTH, Groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Words: TypeAlias = NDArray[np.uint64]

#: Characters before and after a match in which a word counts.
BEFORE, AFTER = 64, 28
_LONGEST = 32
_SLOTS = 4096
_LOWER = np.uint64(0x2020202020202020)
_KEEP = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """The context words of one block, ascending: where they start and which sets they belong to (a bit mask)."""

    start: Ints
    mask: Words

    def masks(self, start: Ints, end: Ints) -> Words:
        """Return, for each match, the sets that have a word before or after it; shape (n_matches,)."""
        before = self._any(np.searchsorted(self.start, start - BEFORE), np.searchsorted(self.start, start))
        return before | self._any(np.searchsorted(self.start, end), np.searchsorted(self.start, end + AFTER))

    def positions(self, mask: int) -> list[int]:
        """Return where the words of some sets start."""
        found: list[int] = self.start[self.mask & np.uint64(mask) != 0].tolist()
        return found

    def _any(self, low: Ints, high: Ints) -> Words:
        if not len(self.start) or not len(low):
            return np.zeros(len(low), dtype=np.uint64)
        padded = np.append(self.mask, np.uint64(0))
        joined = np.bitwise_or.reduceat(padded, np.column_stack((low, high)).ravel())[::2]
        return np.where(high > low, joined, np.uint64(0))


class ContextWords:
    """Sets of context words, each set one bit of a mask; at most 64 sets.

    Examples
    --------
    >>> from routekit.pii.groups import split
    >>> words = ContextWords({"phone": "tel phone téléphone 电话", "card": "card carte"})
    >>> near = words.find("Téléphone: 0123", b"Telephone: 0123", split(b"Telephone: 0123"))
    >>> near.start.tolist(), near.mask.tolist()
    ([0], [1])
    """

    __slots__ = ("_bits", "_keys", "_masks", "_occupied", "_unspaced", "_unspaced_masks")

    def __init__(self, sets: Mapping[str, str]) -> None:
        if len(sets) > 64:
            raise ConfigError(f"{len(sets)} sets of context words; allowed: 64; join some")
        self._bits = {name: 1 << i for i, name in enumerate(sets)}
        masks: dict[str, int] = {}
        for name, words in sets.items():
            for word in words.split():
                masks[word.casefold()] = masks.get(word.casefold(), 0) | self._bits[name]
        unspaced = {word: mask for word, mask in masks.items() if UNSPACED in to_bytes(word)}
        self._unspaced_masks = unspaced
        self._unspaced = re.compile("|".join(sorted(map(re.escape, unspaced), key=len, reverse=True)) or r"(?!)")
        self._index({word: mask for word, mask in masks.items() if word not in unspaced})

    def _index(self, masks: Mapping[str, int]) -> None:
        by_key: dict[int, int] = {}
        for word, mask in masks.items():
            raw = to_bytes(word)
            key = int(_keys(raw, np.array([0]), np.array([len(raw)]))[0])
            by_key[key] = by_key.get(key, 0) | mask
        self._keys = np.array(sorted(by_key), dtype=np.uint64)
        self._masks = np.array([by_key[k] for k in sorted(by_key)], dtype=np.uint64)
        self._occupied = np.zeros(_SLOTS, dtype=bool)
        self._occupied[_slot(self._keys)] = True

    def mask(self, names: Sequence[str]) -> int:
        """Return the mask of some sets."""
        return sum(self._bits[name] for name in names)

    def find(self, folded: str, raw: bytes, groups: Groups) -> Near:
        """Find all context words of a block."""
        word = np.flatnonzero((groups.code // (MAX_LENGTH + 1) == LETTERS) & (groups.end - groups.start <= _LONGEST))
        start = groups.start[word]
        keys = _keys(raw, start, groups.end[word] - start)
        likely = np.flatnonzero(self._occupied[_slot(keys)])
        at = np.minimum(np.searchsorted(self._keys, keys[likely]), max(len(self._keys) - 1, 0))
        likely, at = (a[self._keys[at] == keys[likely]] for a in (likely, at)) if len(likely) else (likely, at)
        near = Near(start[likely], self._masks[at])
        return self._with_unspaced(near, folded) if bytes([UNSPACED]) in raw else near

    def _with_unspaced(self, near: Near, folded: str) -> Near:
        found = [(m.start(), self._unspaced_masks[m[0]]) for m in self._unspaced.finditer(folded)]
        start = np.concatenate((near.start, np.array([s for s, _ in found], dtype=np.int64)))
        mask = np.concatenate((near.mask, np.array([m for _, m in found], dtype=np.uint64)))
        order = np.argsort(start, kind="stable")
        return Near(start[order], mask[order])


def _keys(raw: bytes, start: Ints, length: Ints) -> Words:
    """Hash the first sixteen letters of words, case aside."""
    padded = raw + bytes(16)
    eight: NDArray[np.uint64] = np.ndarray((len(padded) - 7,), dtype="<u8", buffer=padded, strides=(1,))
    low = (eight[start] | _LOWER) & _KEEP[np.minimum(length, 8)]
    high = (eight[start + 8] | _LOWER) & _KEEP[np.clip(length - 8, 0, 8)]
    mixed: Words = low * _MIX[0] ^ (high + length.astype(np.uint64)) * _MIX[1]
    return mixed


def _slot(keys: Words) -> Ints:
    slots: Ints = (keys >> np.uint64(52)).astype(np.int64)
    return slots
