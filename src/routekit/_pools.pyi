from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

def bind(made: type[T], names: tuple[str, ...], /) -> Callable[..., T]: ...
