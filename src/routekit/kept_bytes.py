"""The received bytes of one body, kept so that they can be forwarded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from typing_extensions import Buffer

from routekit.errors import UsageError

#: Chunks below this are gathered into one buffer, so that many small ones do not cost an object each; the usual page.
SMALL_BYTES = 4096


class KeptBytes:
    """Keeps chunks: large immutable ones by reference, small ones gathered, mutable ones copied once.

    Examples
    --------
    >>> body = KeptBytes()
    >>> _ = body.append(b'{"a":1'), body.append(b"}")
    >>> b"".join(body.splice([(5, 6, b"2")]))
    b'{"a":2}'
    """

    __slots__ = ("_chunks", "_small", "n_bytes")

    def __init__(self) -> None:
        self.n_bytes = 0
        self._chunks: list[bytes | memoryview] = []
        self._small = bytearray()

    def append(self, chunk: Buffer) -> bytes | memoryview:
        """Keep a chunk and give its bytes, which nobody can change any more.

        Raises
        ------
        UsageError
            If `chunk` is not bytes-like, or its buffer was released.
        """
        data = chunk if type(chunk) is bytes else _frozen(chunk)
        self.n_bytes += len(data)
        if len(data) < SMALL_BYTES:
            self._small += data
        else:
            self._gather()
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
        self._gather()
        starts = [0]
        for chunk in self._chunks:
            starts.append(starts[-1] + len(chunk))
        views: list[memoryview] = []
        at = 0
        for start, end, new in patches:
            views += self._range(starts, at, start)
            views.append(memoryview(new))
            at = end
        return views + self._range(starts, at, self.n_bytes)

    def _range(self, starts: Sequence[int], begin: int, end: int) -> list[memoryview]:
        views = []
        while begin < end:
            index = bisect_right(starts, begin) - 1
            stop = min(end, starts[index + 1])
            views.append(memoryview(self._chunks[index])[begin - starts[index] : stop - starts[index]])
            begin = stop
        return views

    def _gather(self) -> None:
        if self._small:
            self._chunks.append(bytes(self._small))
            self._small = bytearray()


def _frozen(chunk: Buffer) -> bytes | memoryview:
    try:
        view = memoryview(chunk)
        if isinstance(view.obj, bytes) and view.format == "B" and view.ndim == 1 and view.c_contiguous:
            return view
        return view.tobytes()
    except (TypeError, ValueError, BufferError):
        raise UsageError(f"a chunk must be a readable bytes-like object, not {type(chunk).__name__}") from None
