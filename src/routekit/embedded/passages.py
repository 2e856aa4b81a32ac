"""Which passages of a text the encoder reads: all of a short one, what matters of a long one, at a bounded cost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from routekit.compression import ExtractiveCompressor
from routekit.compression.screens import screen_units
from routekit.embedded.rough_tokens import RoughTokens
from routekit.long_text import Reading, windows
from routekit.shared_work import once
from routekit.tensors import Encoding, WindowScores
from routekit.text_reader import Screen
from routekit.tokenization import JsonTokenizer

if TYPE_CHECKING:
    from routekit.tensors import FloatArray, IntArray

Range: TypeAlias = tuple[int, int]

#: Texts up to so many tokens are read whole; longer ones are cut to about as many.
READ_TOKENS: Final = 512
#: What screens flag beyond that is read too, in windows of its own, up to so many tokens: the highest scores first.
OVERFLOW_TOKENS: Final = 1024
#: Texts with more characters than that for each token allowed are not tokenized to find out that they are too long.
CHARACTERS_PER_TOKEN: Final = 16
#: Length of the pieces among which is chosen; up to twice as much where no white space comes.
PIECE_CHARACTERS: Final = 400
_SPACE = re.compile(r"\s")


def whole_text(tokenizer: JsonTokenizer, text: str, n_tokens: int) -> Encoding | None:
    """Tokenize a text of up to so many tokens, once inside `sharing_work`; None for a longer one."""
    if len(text) > CHARACTERS_PER_TOKEN * n_tokens:
        return None
    encoding = once((JsonTokenizer, id(tokenizer), text), partial(tokenizer.encode, text))
    return encoding if len(encoding.input_ids) <= n_tokens else None


def what_matters(text: str, screens: Sequence[Screen]) -> tuple[list[list[Range]], bool]:
    """Choose the passages of a long text that decide.

    Returns
    -------
    groups of character ranges, each to be read side by side, and whether everything that was flagged is among them.
    """
    scores = [once((Screen, id(screen), text), partial(screen.screen, text)) for screen in screens]
    kept = ExtractiveCompressor().compress(text, READ_TOKENS, scores=scores, tokenizer=RoughTokens())
    overflow = [piece for start, end in kept.overflow for piece in _pieces(text, start, end)]
    flagging = [screen for screen in scores if np.isfinite(screen.threshold)]
    telling = sum((_scores(screen, overflow, len(text)) for screen in flagging), np.zeros(len(overflow)))
    chosen = _best(text, overflow, telling, OVERFLOW_TOKENS) if overflow else []
    return [list(kept.spans), *([part] for part in _merged(chosen))], len(chosen) == len(overflow)


def telling_passages(text: str, n_tokens: int) -> list[Range]:
    """Choose passages of at most about so many tokens: those with the most capitals and digits, as names have."""
    pieces = list(_pieces(text, 0, len(text)))
    telling = [sum(word[0].isupper() or word[0].isdigit() for word in text[a:b].split()) for a, b in pieces]
    return _merged(_best(text, pieces, np.array(telling, dtype=np.float64), n_tokens))


def read_whole(encoding: Encoding, size: int, stride: int) -> Reading:
    """Lay windows over a whole text."""
    numbers = np.arange(len(encoding.input_ids))
    return Reading(encoding, tuple(numbers[a:b] for a, b in windows(len(numbers), size, stride)))


def read_passages(
    tokenizer: JsonTokenizer, text: str, groups: Sequence[Sequence[Range]], size: int, stride: int
) -> Reading:
    """Tokenize passages and lay windows over them; no window crosses from one group into the next.

    Behind each group stands a token that no window reads, so that nothing joins across a gap.
    """
    parts: list[Encoding] = []
    rows: list[IntArray] = []
    at = 0
    for group in groups or [[]]:
        encodings = [_encoded(tokenizer, text, span) for span in group]
        n_tokens = sum(len(encoding.input_ids) for encoding in encodings)
        rows += [np.arange(at + a, at + b) for a, b in windows(n_tokens, size, stride) if b]
        parts += [*encodings, _gap(group[-1][1] if group else 0)]
        at += n_tokens + 1
    ids = np.concatenate([part.input_ids for part in parts])
    offsets = np.concatenate([part.offsets for part in parts])
    n_read = sum(end - start for group in groups for start, end in group)
    return Reading(Encoding(ids, offsets), tuple(rows) or (np.arange(0),), n_read / len(text))


def _encoded(tokenizer: JsonTokenizer, text: str, span: Range) -> Encoding:
    encoding = tokenizer.encode(text[span[0] : span[1]])
    return Encoding(encoding.input_ids, encoding.offsets + span[0])


def _gap(at: int) -> Encoding:
    return Encoding(np.zeros(1, dtype=np.int64), np.full((1, 2), at, dtype=np.int64))


def _pieces(text: str, start: int, stop: int) -> Iterator[Range]:
    """Cut a stretch into pieces, between words where there are any."""
    while start < stop:
        end = start + PIECE_CHARACTERS
        space = _SPACE.search(text, end, end + PIECE_CHARACTERS)
        end = min(stop, space.start() if space else end + PIECE_CHARACTERS)
        yield start, end
        start = end


def _scores(screen: WindowScores, pieces: Sequence[Range], n_characters: int) -> FloatArray:
    """Give each piece the highest score of the windows that overlap it."""
    bounds = np.unique([0, n_characters, *(edge for piece in pieces for edge in piece)])
    units = np.searchsorted(bounds, [start for start, _ in pieces])
    return np.asarray(screen_units(screen, bounds).scores[units])


def _best(text: str, pieces: Sequence[Range], scores: FloatArray, n_tokens: int) -> list[Range]:
    """Choose the pieces with the highest scores, as many as fit; among equals the first. Ascending."""
    starts = RoughTokens().encode(text).offsets[:, 0]
    edges = np.searchsorted(starts, np.array(pieces, dtype=np.int64).reshape(-1, 2))
    order = np.argsort(-scores, kind="stable")
    fits = np.cumsum((edges[:, 1] - edges[:, 0])[order]) <= n_tokens
    return [pieces[i] for i in sorted(order[fits].tolist())]


def _merged(ranges: Sequence[Range]) -> list[Range]:
    merged: list[Range] = []
    for start, end in ranges:
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged
