"""Faster construction of the values that every decision is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TypeVar

T = TypeVar("T")


def constructor_of(made: type[T]) -> Callable[..., T]:
    """Give a callable that makes instances of a frozen, slotted dataclass from all its fields, in order.

    A frozen dataclass sets field by field through ``object.__setattr__``, which is most of the time of a pool decision.
    Where the native part was built, the slots are filled at once; else, and for a class that does more in its
    ``__init__`` than set its fields, this is the class itself.

    Examples
    --------
    >>> from routekit import Block
    >>> constructor_of(Block)(403)
    Block(status=403)
    """
    names = tuple(field.name for field in fields(made) if field.init)  # type: ignore[arg-type]
    plain = not hasattr(made, "__post_init__") and names == getattr(made, "__slots__", None)
    try:
        from routekit._pools import bind
    except ImportError:
        return made
    return bind(made, names) if plain else made
