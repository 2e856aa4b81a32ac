"""How one evaluation shares the interpreter with others: whether it pauses, and what it does not read by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

#: Bytes of a body that are read between two pauses: well under a millisecond, whatever the scanner.
PIECE_BYTES: Final = 16 * 1024


class Pause(Enum):
    """Yielded among the steps of an evaluation: a good moment to do something else; nothing needs to be sent."""

    PAUSE = "pause"


@dataclass(frozen=True, slots=True)
class Pace:
    """What a caller asks of an evaluation beside its decision, which stays the same.

    Attributes
    ----------
    pauses
        Yield a `Pause` about every millisecond of work.
    piece_characters
        Longer texts are then read in pieces of this length: the default takes about a millisecond, and hardly more CPU
        than reading at once.
    asked
        Signals that are asked for by an `Ask`, as a whole, though their classifiers could read as the body arrives:
        whoever answers may give up waiting.
    """

    pauses: bool = False
    asked: frozenset[str] = frozenset()
    piece_characters: int = 32 * 1024


#: As fast as it goes, everything in the caller's thread.
AT_ONCE: Final = Pace()


def pieces(body: bytes | memoryview, size: int = PIECE_BYTES) -> Iterator[memoryview]:
    """Cut a body without copying it.

    >>> [bytes(piece) for piece in pieces(b"abcde", 2)]
    [b'ab', b'cd', b'e']
    """
    view = memoryview(body)
    return (view[start : start + size] for start in range(0, len(view), size))
