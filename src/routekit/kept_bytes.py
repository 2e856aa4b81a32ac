"""The received bytes of one body, kept so that they can be forwarded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from typing_extensions import Buffer

from routekit.errors import UsageError

#: Chunks below this are joined, so that many small ones do not cost a view each; the usual page.
SMALL_BYTES = 4096
#: Small chunks are joined at this many bytes or chunks: blocks large enough to be few, and never copied twice.
BLOCK_BYTES = 64 * 1024
BLOCK_CHUNKS = 4096


class KeptBytes:
    """Keeps chunks: large immutable ones by reference, small ones joined into blocks, mutable ones copied once.

    Examples
    --------
    >>> body = KeptBytes()
    >>> _ = body.append(b'{"a":1'), body.append(b"}")
    >>> b"".join(body.splice([(5, 6, b"2")]))
    b'{"a":2}'
    """

    __slots__ = ("_chunks", "_n_small_bytes", "_small", "n_bytes")

    def __init__(self) -> None:
        self.n_bytes = 0
        self._chunks: list[bytes | memoryview] = []
        self._small: list[bytes | memoryview] = []
        self._n_small_bytes = 0

    def append(self, chunk: Buffer) -> bytes | memoryview:
        """Keep a chunk and give its bytes, which nobody can change any more.

        Raises
        ------
        UsageError
            If `chunk` is not bytes-like, or its buffer was released.
        """
        data = chunk if type(chunk) is bytes else _frozen(chunk)
        n_bytes = len(data)
        self.n_bytes += n_bytes
        if n_bytes < SMALL_BYTES:
            self._small.append(data)
            self._n_small_bytes += n_bytes
            if self._n_small_bytes >= BLOCK_BYTES or len(self._small) >= BLOCK_CHUNKS:
                self._join_small()
        else:
            self._join_small()
            self._chunks.append(data)
        return data

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
        self._join_small()
        starts = list(accumulate(map(len, self._chunks), initial=0))
        views: list[memoryview] = []
        at = 0
        for start, end, new in patches:
            views += self._range(starts, at, start)
            views.append(memoryview(new))
            at = end
        return views + self._range(starts, at, self.n_bytes)

    def _range(self, starts: Sequence[int], begin: int, end: int) -> list[memoryview]:
        if begin == end:
            return []
        first, last = bisect_right(starts, begin) - 1, bisect_left(starts, end) - 1
        views = [memoryview(chunk) for chunk in self._chunks[first : last + 1]]
        views[-1] = views[-1][: end - starts[last]]
        views[0] = views[0][begin - starts[first] :]
        return views

    def _join_small(self) -> None:
        if self._n_small_bytes:
            self._chunks.append(b"".join(self._small))
            self._n_small_bytes = 0
        self._small.clear()


def _frozen(chunk: Buffer) -> bytes | memoryview:
    try:
        view = memoryview(chunk)
        if isinstance(view.obj, bytes) and view.format == "B" and view.ndim == 1 and view.c_contiguous:
            return view
        return view.tobytes()
    except (TypeError, ValueError, BufferError):
        raise UsageError(f"a chunk must be a readable bytes-like object, not {type(chunk).__name__}") from None
