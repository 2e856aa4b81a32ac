"""The received bytes of one body, kept so that they can be forwarded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from typing_extensions import Buffer

from routekit.errors import UsageError

#: Chunks below this are joined, so that many small ones do not cost an object each; the usual page.
SMALL_BYTES = 4096
#: Small chunks are joined whenever the number of chunks is a multiple of this, while they are still in the cache.
JOIN_EVERY = 64
#: Up to this many chunks, views over the small ones cost less than joining them.
FEW = 8


class KeptBytes:
    """Keeps chunks: large immutable ones by reference, small ones joined, each byte at most once.

    Attributes
    ----------
    chunks
        What was kept, in order.

    Examples
    --------
    >>> body = KeptBytes()
    >>> body.keep(b'{"a":1'), body.keep(b"}")
    (None, None)
    >>> b"".join(body.splice([(5, 6, b"2")]))
    b'{"a":2}'
    """

    __slots__ = ("_n_joined", "chunks")

    def __init__(self) -> None:
        self.chunks: list[bytes | memoryview] = []
        self._n_joined = 0  # chunks that were looked at before

    def keep(self, chunk: bytes | memoryview) -> None:
        """Keep the next chunk, which nobody may change any more (see `frozen`)."""
        self.chunks.append(chunk)
        if not len(self.chunks) % JOIN_EVERY:
            self.join_small()

    def splice(self, patches: Sequence[tuple[int, int, bytes]]) -> list[memoryview]:
        """Give the bytes with some ranges replaced.

        Parameters
        ----------
        patches
            (start, end, new bytes), ascending and disjoint.

        Returns
        -------
        views over the kept chunks and the new bytes; none is empty.
        """
        if len(self.chunks) > FEW:
            self.join_small()
        starts = list(accumulate(map(len, self.chunks), initial=0))
        views: list[memoryview] = []
        at = 0
        for start, end, new in patches:
            views += self._range(starts, at, start)
            views.append(memoryview(new))
            at = end
        return views + self._range(starts, at, starts[-1])

    def _range(self, starts: Sequence[int], begin: int, end: int) -> list[memoryview]:
        if begin == end:
            return []
        first, last = bisect_right(starts, begin) - 1, bisect_left(starts, end) - 1
        if first == last:
            return [memoryview(self.chunks[first])[begin - starts[first] : end - starts[first]]]
        views = [memoryview(chunk) for chunk in self.chunks[first : last + 1] if chunk]
        views[0] = views[0][begin - starts[first] :]
        views[-1] = views[-1][: end - starts[last]]
        return views

    def join_small(self) -> None:
        """Join the small chunks that came since the last time."""
        self.chunks[self._n_joined :] = _joined(self.chunks[self._n_joined :])
        self._n_joined = len(self.chunks)


def _joined(chunks: Iterable[bytes | memoryview]) -> Iterator[bytes | memoryview]:
    run: list[bytes | memoryview] = []
    for chunk in chunks:
        if len(chunk) < SMALL_BYTES:
            run.append(chunk)
            continue
        if run:
            yield b"".join(run)
            run.clear()
        yield chunk
    if run:
        yield b"".join(run)


def frozen(chunk: Buffer) -> bytes | memoryview:
    """Give the bytes of any bytes-like object, copied unless they are immutable.

    Raises
    ------
    UsageError
        If `chunk` is not bytes-like, or its buffer was released.
    """
    try:
        view = memoryview(chunk)
        if isinstance(view.obj, bytes) and view.format == "B" and view.ndim == 1 and view.c_contiguous:
            return view
        return view.tobytes()
    except (TypeError, ValueError, BufferError):
        raise UsageError(
            f"a body or chunk is a {type(chunk).__name__}; allowed: a readable bytes-like object, "
            "and for a whole request its mapping or a RequestView"
        ) from None
