"""The compiled text scanner, where it was built."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Protocol, cast


class CompiledVocabulary(Protocol):
    """Numbers terms; see `routekit.compression.terms`."""

    def __len__(self) -> int: ...
    def add(self, text: str, kinds: bytes, starts: bytes, end: int) -> tuple[bytes, bytes, bytes]: ...


class CompiledText(Protocol):
    """What ``routekit._text`` offers; arrays come as bytes of native integers."""

    def sentence_starts(self, text: str, kinds: bytes, words: tuple[frozenset[str], ...]) -> bytes: ...
    def Vocabulary(self) -> CompiledVocabulary: ...  # noqa: N802 - a class of the extension


@cache
def compiled_text() -> CompiledText | None:
    """Return the extension module, None where the package was installed without a compiler."""
    try:
        return cast("CompiledText", import_module("routekit._text"))
    except ImportError:
        return None
