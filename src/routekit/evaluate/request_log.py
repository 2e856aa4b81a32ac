"""Reads logs of requests: files of JSON lines, plain or gzipped, data frames, and whatever can be iterated.

One row at a time; a row that is none is a `BadRow`, handed on as a value so that the caller decides.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Protocol, TypeAlias, Union, cast

import orjson

from routekit.errors import BadRow, UsageError, quoted
from routekit.evaluate.columns import Columns, LabelledRequest, is_unicode

#: A log: files, an open file, a data frame, or rows.
Requests: TypeAlias = Union[str, Path, Sequence[Union[str, Path]], IO[bytes], IO[str], Iterable[object]]
#: Place and content of a row before its columns are looked at.
RawRow: TypeAlias = "tuple[str, int, object]"

#: Longest line that is read: a body of 64 MiB is far beyond any context window.
MAX_LINE_BYTES = 64 * 2**20
_BOM = b"\xef\xbb\xbf"


class Readable(Protocol):
    """The one method of a file that is needed."""

    def readline(self, size: int = -1, /) -> bytes | str: ...


def labelled(requests: Requests, columns: Columns, source: str | None = None) -> Iterator[LabelledRequest | BadRow]:
    """Walk over the rows of a log.

    Parameters
    ----------
    source
        Name of the log, for messages and for telling rows of several logs apart; default: the file's name.
    """
    for name, line, row in raw_rows(requests, source):
        yield read_row(name, line, row, columns)


def read_row(source: str, line: int, row: object, columns: Columns) -> LabelledRequest | BadRow:
    """Read the columns of one row."""
    if isinstance(row, BadRow):
        return row
    try:
        return columns.read(row, source, line)
    except UsageError as error:
        return BadRow(source, line, str(error))


def raw_rows(requests: Requests, source: str | None = None) -> Iterator[RawRow]:
    """Walk over the rows of a log before their columns are looked at; what cannot be read at all is a `BadRow`."""
    if source is not None and not is_unicode(source):
        raise UsageError(f"source is a {type(source).__name__}; expected: a text of valid Unicode")
    if isinstance(requests, (str, Path)):
        requests = [Path(requests)]
    if isinstance(requests, (bytes, bytearray, Mapping)):
        raise UsageError(f"requests is a {type(requests).__name__}; for a single request give a list of one")
    if _is_paths(requests):
        yield from _rows_of_files([Path(path) for path in cast("Sequence[str | Path]", requests)], source)
    elif hasattr(requests, "readline"):
        name = source or Path(str(getattr(requests, "name", "log"))).name
        yield from ((name, line, row) for line, row in rows_of(cast("Readable", requests), name))
    else:
        yield from ((source or "requests", line, row) for line, row in enumerate(_records(requests), 1))


def rows_of(file: Readable, source: str, first_line: int = 1) -> Iterator[tuple[int, object]]:
    """Parse JSON lines; blank ones count but are no rows."""
    for line, content in _lines(file, source, first_line):
        if isinstance(content, BadRow):
            yield line, content
            continue
        text = content.removeprefix(_BOM) if line == 1 else content
        if text.strip():
            yield line, _parsed(text, source, line)


def file_source(path: Path) -> str:
    """Name a log by its file, without the folders of a machine; bytes that are no UTF-8 are escaped."""
    return path.name.encode("utf-8", "backslashreplace").decode()


def opened(path: Path) -> IO[bytes]:
    """Open a file of JSON lines, gzipped or not: told by its first bytes."""
    return cast("IO[bytes]", gzip.open(path)) if is_zipped(path) else path.open("rb")


def is_zipped(path: Path) -> bool:
    """Tell a gzipped file by its first bytes."""
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def _rows_of_files(paths: Sequence[Path], source: str | None) -> Iterator[RawRow]:
    names = [source or file_source(path) for path in paths]
    if twice := {name for name in names if names.count(name) > 1}:
        raise UsageError(f"two logs are named {quoted(min(twice))}; evaluate them one by one, each with source=...")
    for path, name in zip(paths, names, strict=True):
        with opened(path) as file:
            yield from ((name, line, row) for line, row in rows_of(cast("Readable", file), name))


def _lines(file: Readable, source: str, first_line: int) -> Iterator[tuple[int, bytes | BadRow]]:
    line = first_line
    while True:
        try:
            content = _line(file)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            yield line, BadRow(source, line, "the gzip stream is damaged or cut off; nothing after it can be read")
            return
        except UnicodeDecodeError:
            yield line, BadRow(source, line, "not UTF-8, and opened as text; open the file in binary mode")
            return
        if content == b"":
            return
        too_long = f"the line exceeds {MAX_LINE_BYTES} bytes; expected: one JSON object a line"
        yield line, BadRow(source, line, too_long) if content is None else content
        line += 1


def _line(file: Readable) -> bytes | None:
    """Read one line; None for one that is too long, which is passed over in pieces."""
    content = _as_bytes(file.readline(MAX_LINE_BYTES + 1))
    if len(content) <= MAX_LINE_BYTES or content.endswith(b"\n"):
        return content
    while (more := _as_bytes(file.readline(2**20))) and not more.endswith(b"\n"):
        pass
    return None


def _as_bytes(line: bytes | str) -> bytes:
    return line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line


def _parsed(content: bytes, source: str, line: int) -> object:
    try:
        row: object = orjson.loads(content)
    except orjson.JSONDecodeError:
        return BadRow(source, line, "no JSON (or not UTF-8); expected: one JSON object a line")
    if not isinstance(row, dict):
        return BadRow(source, line, f"a JSON {type(row).__name__}; expected: one JSON object a line")
    return row


def _is_paths(requests: object) -> bool:
    return isinstance(requests, (list, tuple)) and bool(requests) and all(isinstance(r, Path) for r in requests)


def _records(requests: object) -> Iterator[object]:
    """Walk over a data frame of pandas or polars row by row, or over any iterable."""
    frame = cast("Any", requests)
    if hasattr(frame, "iter_rows"):
        return iter(frame.iter_rows(named=True))
    if hasattr(frame, "itertuples") and hasattr(frame, "columns"):
        names = [str(name) for name in frame.columns]
        return (dict(zip(names, values, strict=True)) for values in frame.itertuples(index=False, name=None))
    if not isinstance(requests, Iterable):
        kind = type(requests).__name__
        raise UsageError(f"requests is a {kind}; allowed: a path, an open file, a data frame, or rows to iterate over")
    return iter(requests)


__all__ = ["MAX_LINE_BYTES", "Requests", "file_source", "labelled", "opened", "raw_rows", "read_row", "rows_of"]
