"""The text of a scope, cut into blocks that do not depend on how the body arrived.

Classifiers that read incrementally are fed these blocks. The cuts depend on the text and its segments alone, so a
classifier comes to the same bounds, and fails at the same place, for every chunking of the body.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from routekit.request import SEAM, Scope, Segment, TextGrown, in_scope

#: A block in the midst of a segment: about 1K tokens, so that a verdict is never far behind the bytes.
BLOCK_CHARACTERS = 4096
#: The end of a segment cuts a block too, unless less than this has come together: many tiny segments stay cheap.
CLOSING_CHARACTERS = 256


@dataclass(slots=True)
class BlockCutter:
    """Joins segments and cuts the result into blocks."""

    pending: list[str] = field(default_factory=list)
    n_pending: int = 0
    n_segments: int = 0

    def begin_segment(self) -> Iterator[str]:
        """Start the next segment; all but the first begin with the seam."""
        self.n_segments += 1
        if self.n_segments > 1:
            yield from self.push(SEAM)

    def push(self, text: str) -> Iterator[str]:
        """Take text of the open segment, give the blocks it completes."""
        self.pending.append(text)
        self.n_pending += len(text)
        if self.n_pending < BLOCK_CHARACTERS:
            return
        joined = self.take()
        n_whole = len(joined) - len(joined) % BLOCK_CHARACTERS
        yield from (joined[i : i + BLOCK_CHARACTERS] for i in range(0, n_whole, BLOCK_CHARACTERS))
        self.pending, self.n_pending = [joined[n_whole:]], len(joined) - n_whole

    def end_segment(self) -> Iterator[str]:
        """End the open segment."""
        if self.n_pending >= CLOSING_CHARACTERS:
            yield self.take()

    def take(self) -> str:
        """Give what has not been cut yet."""
        joined = "".join(self.pending)
        self.pending, self.n_pending = [], 0
        return joined


def blocks_of(segments: Iterable[Segment]) -> list[str]:
    """Cut segments, joined as `RequestView.text` joins them, into blocks; the last is the rest.

    Examples
    --------
    >>> both = [Segment("user", "text", "a" * 300, 0, 0, 0), Segment("user", "text", "b", 0, 0, 0)]
    >>> [len(block) for block in blocks_of(both)]
    [300, 2]
    """
    cutter = BlockCutter()
    blocks: list[str] = []
    for segment in segments:
        blocks += cutter.begin_segment()
        blocks += cutter.push(segment.text)
        blocks += cutter.end_segment()
    rest = cutter.take()
    return [*blocks, rest] if rest else blocks


@dataclass(slots=True)
class _Waiting:
    """A segment whose text has not all been passed on."""

    texts: list[str] = field(default_factory=list)
    member: bool | None = None
    begun: bool = False
    closed: bool = False


@dataclass(slots=True)
class ScopeText:
    """Collects the text of one scope from the events of a body, in the order of the body.

    Text waits until it is known whether it belongs to the scope; all that stands behind it waits too.

    Attributes
    ----------
    blocks
        What can be read so far.
    """

    scope: Scope
    blocks: list[str] = field(default_factory=list)
    _cutter: BlockCutter = field(default_factory=BlockCutter)
    _waiting: dict[int, _Waiting] = field(default_factory=dict)
    _n_passed: int = 0

    def push(self, event: TextGrown) -> None:
        """Take the next piece of text."""
        if event.segment < self._n_passed:
            return
        entry = self._waiting.setdefault(event.segment, _Waiting())
        entry.texts.append(event.text)
        entry.closed = entry.closed or event.closed
        entry.member = self._member(event)
        self._pass_on()

    def _member(self, event: TextGrown) -> bool | None:
        if self.scope == "all":
            return True
        if event.role is None or event.kind is None:
            return None
        return in_scope(event.role, event.kind, self.scope)

    def _pass_on(self) -> None:
        while self._waiting:
            number, entry = next(iter(self._waiting.items()))
            if entry.member is None:
                return
            if entry.member:
                self._emit(entry)
            if not entry.closed and len(self._waiting) == 1:
                return
            if entry.member:
                self.blocks += self._cutter.end_segment()
            del self._waiting[number]
            self._n_passed = number + 1

    def _emit(self, entry: _Waiting) -> None:
        if not entry.begun:
            entry.begun = True
            self.blocks += self._cutter.begin_segment()
        self.blocks += self._cutter.push("".join(entry.texts))
        entry.texts.clear()
