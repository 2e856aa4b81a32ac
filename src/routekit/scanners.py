"""The scanners there are: one in C++, where it was built, and one in Python. Both give the same events and errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Final, Protocol, TypeAlias

from routekit.jsonscan import PythonScanner
from routekit.request import BodyEvent, Dialect, RequestView
from routekit.request_grammar import GRAMMAR
from routekit.textwalk import Capture


class Scanner(Protocol):
    """What the body reader needs of a scanner; `routekit.jsonscan.PythonScanner` says what the names mean."""

    @property
    def complete(self) -> bool: ...
    @property
    def first_brace(self) -> int: ...
    @property
    def is_blank(self) -> bool: ...
    @property
    def seen(self) -> Mapping[str, str]: ...
    @property
    def model_span(self) -> tuple[int, int] | None: ...
    def feed(self, chunk: bytes | memoryview, /) -> tuple[BodyEvent, ...]: ...
    def finish(self) -> None: ...
    def view(
        self,
        dialect: Dialect,
        model: str | None,
        stream: bool,
        tools: tuple[str, ...],
        max_output_tokens: int | None,
        /,
    ) -> RequestView: ...


#: Makes a scanner for one body from (capture, max_bytes, max_depth, max_segments).
ScannerFactory: TypeAlias = Callable[[Capture, int, int, int], Scanner]


def _native() -> ScannerFactory | None:
    try:
        module = import_module("routekit._json")
    except ImportError:
        return None
    factory: ScannerFactory = module.Table(GRAMMAR).scanner
    return factory


PYTHON: Final[ScannerFactory] = partial(PythonScanner, GRAMMAR)
#: None where ``native/json`` was not built.
NATIVE: Final[ScannerFactory | None] = _native()
DEFAULT: Final[ScannerFactory] = NATIVE or PYTHON
