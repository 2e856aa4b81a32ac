"""Which shared libraries a library needs, and which of them the loader cannot find.

Read from the ELF file itself (System V ABI, chapter 5), so that one that cannot be loaded can still be explained.
"""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path

from routekit.errors import BackendUnavailable, quoted

_ELF64_LITTLE = b"\x7fELF\x02\x01"
_LOAD_SEGMENT, _DYNAMIC_SEGMENT = 1, 2
_NEEDED, _STRING_TABLE, _RPATH, _RUNPATH = 1, 5, 15, 29
_MAX_STRING_BYTES, _MAX_TABLE_BYTES = 4096, 1 << 20


def needed_libraries(path: Path) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """Return what a library needs, and the folders where it asks the loader to look first.

    Raises
    ------
    BackendUnavailable
        If the file is no 64-bit little-endian ELF library.
    """
    try:
        with path.open("rb") as file:
            entries = _dynamic_entries(file.fileno())
    except (OSError, ValueError, OverflowError, StopIteration, struct.error):
        raise BackendUnavailable(f"{quoted(path.name)} is no 64-bit ELF library; install it again") from None
    names = tuple(text for tag, text in entries if tag == _NEEDED)
    folders = ":".join(text for tag, text in entries if tag in (_RPATH, _RUNPATH)).split(":")
    return names, tuple(Path(folder.replace("$ORIGIN", str(path.parent))) for folder in folders if folder)


def missing_libraries(path: Path) -> tuple[str, ...]:
    """Return the needed libraries that are neither in the library's own folders nor where the loader looks.

    Libraries that the loader finds stay loaded in this process.
    """
    names, folders = needed_libraries(path)
    return tuple(n for n in names if not any((f / n).exists() for f in (path.parent, *folders)) and not _loads(n))


def _dynamic_entries(descriptor: int) -> list[tuple[int, str]]:
    """Return the entries of the dynamic section that point to a string, with the string."""
    header = os.pread(descriptor, 64, 0)
    if not header.startswith(_ELF64_LITTLE):
        raise ValueError
    (table,), (entry_size, n_segments) = struct.unpack_from("<Q", header, 32), struct.unpack_from("<HH", header, 54)
    raw = os.pread(descriptor, min(entry_size * n_segments, _MAX_TABLE_BYTES), table)
    segments = [struct.unpack_from("<IIQQQQ", raw, i * entry_size) for i in range(n_segments)]
    offset, size = next((offset, size) for kind, _, offset, _, _, size in segments if kind == _DYNAMIC_SEGMENT)
    entries = list(struct.iter_unpack("<QQ", os.pread(descriptor, min(size // 16 * 16, _MAX_TABLE_BYTES), offset)))
    address = next(value for tag, value in entries if tag == _STRING_TABLE)
    strings = next(
        offset + address - start
        for kind, _, offset, start, _, size in segments
        if kind == _LOAD_SEGMENT and start <= address < start + size
    )
    return [(tag, _string(descriptor, strings + value)) for tag, value in entries if tag in (_NEEDED, _RPATH, _RUNPATH)]


def _string(descriptor: int, offset: int) -> str:
    return os.pread(descriptor, _MAX_STRING_BYTES, offset).split(b"\0", 1)[0].decode()


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
