"""An evaluation in a file of JSON lines: first what it was made with, then one row a line. Never prompt text.

The same form serves as result, as checkpoint and as shard. A checkpoint grows at its end; a last line that was torn
when a run was killed is dropped.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

import orjson

from routekit.errors import PolicyError, UsageError, plain, quoted
from routekit.evaluate.provenance import FORMAT, Provenance
from routekit.evaluate.request_log import is_zipped, opened
from routekit.evaluate.row import Entry
from routekit.evaluate.row_json import entry_from_dict, entry_to_dict

_KIND = "routekit.evaluation"
#: How a file begins: one with less was torn in its first line, one with anything else is somebody's.
_START = f'{{"{_KIND}"'.encode()
_DAMAGED = (KeyError, TypeError, ValueError, AttributeError, PolicyError)


@dataclass(frozen=True, slots=True)
class FileEntries:
    """The rows of a file, read anew each time: a log may be larger than memory."""

    path: Path

    def __iter__(self) -> Iterator[Entry]:
        with opened(self.path) as file:
            for line, content in _whole_lines(file, self.path):
                if line == 1:
                    continue
                yield _entry(content, self.path, line)


def read_provenance(path: Path) -> Provenance:
    """Read the first line of an evaluation's file.

    Raises
    ------
    UsageError
        If the file is no evaluation, or one of another version.
    """
    with opened(path) as file:
        try:
            first: Any = orjson.loads(next(_whole_lines(file, path), (1, b""))[1])
            found = first[_KIND]
        except (ValueError, KeyError, TypeError):
            raise UsageError(
                f"{quoted(str(path), 200)} is no saved evaluation; give a file that save() wrote"
            ) from None
    if found != FORMAT:
        raise UsageError(f"{quoted(str(path), 200)} has format {plain(str(found)[:20])}; this version reads {FORMAT}")
    try:
        return Provenance.from_dict(first)
    except _DAMAGED:
        raise UsageError(f"{quoted(str(path), 200)} is damaged in line 1; evaluate again") from None


def header_line(provenance: Provenance) -> bytes:
    """Write the first line of a file."""
    return orjson.dumps({_KIND: FORMAT, **provenance.to_dict()}) + b"\n"


def entry_line(entry: Entry) -> bytes:
    """Write one row."""
    return orjson.dumps(entry_to_dict(entry)) + b"\n"


def entry_of_line(content: bytes) -> Entry:
    """Read one row; raise ValueError, KeyError or TypeError if it is none."""
    return entry_from_dict(orjson.loads(content))


def save(path: Path, provenance: Provenance, entries: Iterable[Entry]) -> None:
    """Write an evaluation, gzipped if the name ends in ``.gz``; through a temporary file, so never half of one."""
    part = path.with_name(path.name + ".part")
    file = cast("IO[bytes]", gzip.open(part, "wb") if path.suffix == ".gz" else part.open("wb"))  # noqa: SIM115
    try:
        with file:
            file.write(header_line(provenance))
            file.writelines(entry_line(entry) for entry in entries)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


class Checkpoint:
    """A file that grows by one row at a time, and that a later run continues.

    Parameters
    ----------
    path
        Made if there is none. A torn last line is cut off.

    Raises
    ------
    UsageError
        If the file was made with another policy or other classifiers, is no evaluation, or another run writes it.
    """

    def __init__(self, path: Path, provenance: Provenance) -> None:
        if path.suffix == ".gz" or (path.is_file() and is_zipped(path)):
            raise UsageError(
                f"checkpoint {quoted(path.name)} is gzipped; give a name without .gz, as it is appended to"
            )
        self.path = path
        self._file = path.open("ab")
        try:
            _lock(self._file, path)
            if _is_torn_in_first_line(path):
                path.write_bytes(header_line(provenance))
            read_provenance(path).require_same(provenance, f"checkpoint {quoted(str(path), 200)}")
            _cut_torn_line(path)
        except BaseException:
            self._file.close()
            raise

    def finished(self) -> Iterator[Entry]:
        """Walk over the rows of earlier runs."""
        return iter(FileEntries(self.path))

    def add(self, entry: Entry) -> None:
        """Append a row, and hand it to the operating system: a killed run loses none that was added."""
        self._file.write(entry_line(entry))
        self._file.flush()

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def _whole_lines(file: IO[bytes], path: Path) -> Iterator[tuple[int, bytes]]:
    """Number the lines; one without its end was torn."""
    try:
        yield from ((line, content) for line, content in enumerate(file, 1) if content.endswith(b"\n"))
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise UsageError(f"{quoted(str(path), 200)}: its gzip stream is damaged or cut off; evaluate again") from None


def _entry(content: bytes, path: Path, line: int) -> Entry:
    try:
        return entry_of_line(content)
    except _DAMAGED:
        raise UsageError(
            f"{quoted(str(path), 200)} is damaged in line {line}; evaluate again into a new file"
        ) from None


def _is_torn_in_first_line(path: Path) -> bool:
    """Say whether nothing is lost by starting the file anew; never where it holds something else."""
    with path.open("rb") as file:
        return _START.startswith(file.read(len(_START))) and not file.readline().endswith(b"\n")


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep a second run out, where the system can: it would add the same rows again."""
    if find_spec("fcntl") is None:
        return
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(
            f"checkpoint {quoted(str(path), 200)} is being written by another run; wait for it, or give another file"
        ) from None
    except OSError:
        return  # a file system without locks


def _cut_torn_line(path: Path) -> None:
    with path.open("r+b") as file:
        end = file.seek(0, 2)
        at = end
        while at > 0:
            start = max(0, at - 65536)
            file.seek(start)
            newline = file.read(at - start).rfind(b"\n")
            if newline >= 0:
                if start + newline + 1 < end:
                    file.truncate(start + newline + 1)
                return
            at = start
