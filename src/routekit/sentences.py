"""Where sentences begin: one linear pass, exact offsets, the same for every script.

A newline always ends a sentence, so code and logs fall into lines. Within a line a sentence ends at a mark of its
script, unless what stands around the mark says otherwise: abbreviations, decimals, addresses, list numbers, quotations.
A decision reads nothing before its sentence's start and at most `LOOKAHEAD` characters past the next word's start;
that lets a stream cut its text as it arrives.

The compiled `routekit._text` takes the same decisions in the same order; this module is what it is tested against.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from routekit import characters as ch
from routekit.abbreviations import BINDING, MONTHS, NUMERIC, OPEN, STARTERS
from routekit.compiled import compiled_text

if TYPE_CHECKING:
    from routekit.tensors import IntArray

#: Characters past the start of the next word that a decision may read.
LOOKAHEAD: Final = 64

#: A quotation longer than this no longer holds its sentences together: nobody may glue a text with one quote.
MAX_QUOTED: Final = 200
#: The next item of a list within a line is looked for this far.
MAX_ITEM: Final = 400
MAX_WORD: Final = 24
MAX_DOTS: Final = 16
#: Thai and Lao put spaces between phrases; one ends a sentence that is at least this long.
MIN_UNMARKED: Final = 40
#: After a lower-case word at least this long a full stop ends a sentence even if the next one is not capitalised.
LONG_WORD: Final = 7
#: Marks of two of these kinds near its start make a line code; tags and ``{slots}`` alone do not.
CODE_MARKS: Final = ("{}", "=", ";", "|", "\\")
CODE_PREFIX: Final = 200
CLOCK_PREFIX: Final = 40

_END: Final = -1
_CLOSER_OF: Final = dict(zip("«„“‹「『《〈（【〔", "»“”›」』》〉）】〕", strict=True))
_TERMINATORS: Final = frozenset({ch.STOP, ch.STRONG, ch.FULL})
_BLANK: Final = frozenset({ch.SPACE, ch.NEWLINE})
_BEFORE_WORD: Final = frozenset({ch.OTHER, ch.OPENER, ch.CLOSER, ch.QUOTE, ch.BULLET, ch.MARK})
_LETTERS: Final = frozenset({ch.LOWER, ch.UPPER, ch.LETTER})
_CAPITAL: Final = frozenset({ch.UPPER, ch.LETTER})
_ITEM: Final = re.compile(r"([0-9]{1,3}|[a-y])(\.\)|[.)]) ")
_CLOCK: Final = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}")


def split_sentences(text: str) -> list[str]:
    """Cut a text into sentences, stripped of surrounding white space; lines end sentences.

    Examples
    --------
    >>> split_sentences("Mr. Smith paid $3.50. 他走了。然后呢？")
    ['Mr. Smith paid $3.50.', '他走了。', '然后呢？']
    """
    starts = sentence_starts(text).tolist()
    ends = [*starts[1:], len(text)]
    stripped = (text[start:end].strip() for start, end in zip(starts, ends, strict=True))
    return [sentence for sentence in stripped if sentence]


def sentence_starts(text: str) -> IntArray:
    """Return where each sentence begins, ascending from 0; sentences tile the text, white space behind them included.

    Returns
    -------
    starts, shape (n_sentences,), int64; empty for an empty text.

    Examples
    --------
    >>> sentence_starts("One. Two.\\nThree").tolist()
    [0, 5, 10]
    """
    compiled = compiled_text()
    if compiled is None:
        return python_sentence_starts(text)
    words = (BINDING, NUMERIC, OPEN, STARTERS, MONTHS)
    return np.frombuffer(compiled.sentence_starts(text, ch.kind_table(), words), np.int64)


def python_sentence_starts(text: str) -> IntArray:
    """Do what `sentence_starts` does, without compiled code."""
    return np.array(_Splitter(text).run() if text else [], np.int64)


@cache
def _events() -> re.Pattern[str]:
    """Match everything at which the splitter has something to decide."""
    marks = ch.character_class(ch.NEWLINE, ch.STOP, ch.STRONG, ch.FULL, ch.COLON, ch.BULLET)
    brackets = re.escape("".join({*_CLOSER_OF, *_CLOSER_OF.values()}))
    return re.compile(f"[{marks}{brackets}]|(?<=[\u0e00-\u0eff])[{ch.character_class(ch.SPACE)}]")


class _Splitter:
    """One pass over one text. `start` is the open sentence's; the rest is state that ends with it."""

    __slots__ = ("body", "closer", "first", "item", "n", "opened", "resume", "start", "starts", "table", "text")

    def __init__(self, text: str) -> None:
        self.text, self.n, self.table = text, len(text), ch.kind_table()
        self.starts: list[int] = []
        self.resume = 0  # what lies before is decided
        self._begin(0)

    def run(self) -> list[int]:
        for match in _events().finditer(self.text):
            position = match.start()
            if position < self.resume:
                continue
            while 0 <= self.item < position:
                self._begin(self.item)
            boundary = self._judge(position)
            if 0 <= boundary < self.n:
                self._begin(boundary)
        while self.item >= 0:
            self._begin(self.item)
        return self.starts

    def _kind(self, i: int) -> int:
        if i >= self.n:
            return _END
        code = ord(self.text[i])
        return self.table[code] if code < ch.TABLE_SIZE else ch.kind_of(code)

    def _skip(self, i: int, kinds: frozenset[int] | set[int]) -> int:
        while self._kind(i) in kinds:
            i += 1
        return i

    def _begin(self, start: int) -> None:
        self.starts.append(start)
        self.start, self.closer, self.opened = start, "", 0
        self.first = self._skip(start, _BLANK)
        self.body = self._skip(self.first, {ch.SPACE, ch.BULLET})
        self.item = self._next_item()

    def _next_item(self) -> int:
        """Return where the list item after this one begins in the same line, -1 if this is no item."""
        match = _ITEM.match(self.text, self.body)
        if match is None:
            return -1
        label, mark = match.groups()
        successor = str(int(label) + 1) if label.isdecimal() else chr(ord(label) + 1)
        found = self.text.find(f" {successor}{mark} ", match.end() - 1, self.body + MAX_ITEM)
        return found + 1 if found >= 0 else -1

    def _judge(self, i: int) -> int:
        """Return where the next sentence begins if this one ends at the mark at `i`, else -1."""
        kind = self._kind(i)
        if kind == ch.NEWLINE:
            return self._newline(i)
        if kind in _TERMINATORS:
            return self._terminator(i)
        if kind == ch.COLON:
            return self._colon(i)
        if kind == ch.BULLET:
            return i if i > self.body and self._kind(i - 1) == ch.SPACE else -1
        if kind == ch.SPACE:
            return self._phrase(i)
        self._bracket(i)
        return -1

    def _newline(self, i: int) -> int:
        self.resume = self._skip(i, _BLANK)
        if i < self.first or self.resume >= self.n:
            return -1
        boundary = self.resume
        while self._kind(boundary - 1) != ch.NEWLINE:
            boundary -= 1
        return boundary

    def _phrase(self, i: int) -> int:
        """Thai and Lao: a space between two stretches of the script."""
        self.resume = after = self._skip(i, {ch.SPACE})
        long = i - self.start >= MIN_UNMARKED
        return after if long and self._kind(after) == ch.UNMARKED else -1

    def _bracket(self, i: int) -> None:
        mark = self.text[i]
        if self._quoted(i):
            if mark == self.closer:
                self.closer = ""
        elif mark in _CLOSER_OF:
            self.closer, self.opened = _CLOSER_OF[mark], i

    def _quoted(self, i: int) -> bool:
        return bool(self.closer) and i - self.opened <= MAX_QUOTED

    def _colon(self, i: int) -> int:
        after = self._skip(i + 1, {ch.SPACE})
        if after == i + 1 or i == self.start or self._quoted(i):
            return -1
        before, mark = ord(self.text[i - 1]), self.text[i]
        greek = mark == ";" and (0x370 <= before < 0x400 or 0x1F00 <= before < 0x2000)
        armenian = mark == ":" and 0x530 <= before < 0x590
        return after if greek or armenian else -1

    def _terminator(self, i: int) -> int:
        spaced = self._spaced_dots(i)
        if spaced > 1 and (i == self.first or self._kind(i - 1) in _BLANK):
            return self._spaced_ellipsis(i, spaced)
        quoted, full, closed, j = self._quoted(i), False, False, i
        n_marks = 0
        while True:
            kind = self._kind(j)
            if kind in _TERMINATORS:
                full, n_marks = full or kind == ch.FULL, n_marks + 1
            elif kind in {ch.CLOSER, ch.QUOTE} or (quoted and self.text[j : j + 1] == self.closer):
                closed = True
                if quoted and self.text[j] == self.closer:
                    quoted, self.closer = False, ""
            elif kind != ch.MARK:
                break
            j += 1
        self.resume = j
        after = self._skip(j, {ch.SPACE})
        following = self._kind(after)
        if quoted or following in {_END, ch.NEWLINE}:
            return -1
        before = self._kind(i - 1) if i > self.start else _END
        if full:
            joined = after == j and ((closed and following != ch.OPENER) or before == following == ch.DIGIT)
            return -1 if joined else after
        if after == j:
            return after if before == following == ch.IDEOGRAPH else -1
        single = n_marks == 1 and self._kind(i) == ch.STOP
        if before == ch.OPENER or self._is_code(i):
            return -1
        return after if self._ends_before(i, j, after, single) else -1

    def _ends_before(self, i: int, j: int, after: int, single: bool) -> bool:
        """Decide for marks ``[i, j)`` with white space behind them and the next word at `after`."""
        if self.text[after] == ".":
            spaced = self._spaced_dots(after)
            if spaced == 1:
                return True
            end = after + 2 * spaced - 1
            if self._kind(end) == ch.SPACE and self._kind(end + 1) in _CAPITAL:
                return True
            self.resume = end
            return False
        word = after
        while word < after + 4 and self._kind(word) in _BEFORE_WORD:
            word += 1
        if self._kind(word) == ch.LOWER:
            return single and j == i + 1 and self._long_lower_word(i)
        return not single or self._word_ends(i, word)

    def _long_lower_word(self, i: int) -> bool:
        a = i
        while a > self.start and self._kind(a - 1) == ch.LOWER and i - a < MAX_WORD:
            a -= 1
        whole = a == self.start or self._kind(a - 1) in _BLANK
        return whole and i - a >= LONG_WORD

    def _word_ends(self, i: int, following: int) -> bool:
        """Decide for a single full stop at `i` by the word before it and the word at `following`."""
        a = i
        while a > self.start and i - a < MAX_WORD and self._kind(a - 1) not in _BLANK:
            a -= 1
        while a < i and self._kind(a) in {ch.OPENER, ch.QUOTE, ch.BULLET}:
            a += 1
        word = self.text[a:i]
        if a == self.body and ((word.isdecimal() and len(word) <= 3) or len(word) == 1):
            return False
        lower = word.lower()
        if lower in BINDING or (lower in NUMERIC and self._kind(following) == ch.DIGIT):
            return False
        if lower in OPEN or self._is_acronym(a, i):
            return self._word_at(following) in STARTERS
        return not (word.isdecimal() and len(word) <= 2 and self._word_at(following) in MONTHS)

    def _is_acronym(self, a: int, end: int) -> bool:
        """Say whether letters and full stops alternate, as in E, U.S and p.m."""
        return (end - a) % 2 == 1 and all(
            self._kind(at) in _LETTERS if (at - a) % 2 == 0 else self._kind(at) == ch.STOP for at in range(a, end)
        )

    def _word_at(self, i: int) -> str:
        end = i
        while end - i < MAX_WORD and self._kind(end) in _LETTERS:
            end += 1
        return self.text[i:end]

    def _spaced_dots(self, i: int) -> int:
        """Count full stops at `i` that stand alone between single spaces, as in ``. . .``"""
        if self.text[i] != ".":
            return 0
        count = 1
        while count < MAX_DOTS and self.text[i + 1 : i + 3] == " .":
            i, count = i + 2, count + 1
        return count

    def _spaced_ellipsis(self, i: int, n_dots: int) -> int:
        self.resume = i + 2 * n_dots - 1
        after = self._skip(self.resume, {ch.SPACE})
        return after if n_dots > 3 and self._kind(after) in _CAPITAL else -1

    def _is_code(self, i: int) -> bool:
        """Say whether the sentence up to `i` looks like a line of code or of a log."""
        prefix = self.text[self.first : min(i, self.first + CODE_PREFIX)]
        if sum(any(mark in prefix for mark in kind) for kind in CODE_MARKS) > 1:
            return True
        return prefix[:1] in set("[(0123456789") and bool(_CLOCK.search(prefix[:CLOCK_PREFIX]))
