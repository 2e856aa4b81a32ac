"""Values of a policy file, by kind; of another kind, they are a `PolicyError` that says where they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from routekit.errors import PolicyError, plain, quoted
from routekit.valid_text import is_text


def mapping_at(value: object, where: str) -> dict[str, object]:
    """Give a table whose keys are texts."""
    if not isinstance(value, Mapping):
        raise PolicyError(f"{where} is a {_kind(value)}; allowed: a table")
    for key in value:
        if not isinstance(key, str):
            raise PolicyError(f"{where} has a key that is a {_kind(key)}; allowed: texts")
    return dict(value)


def table_at(value: object, where: str, allowed: Sequence[str]) -> dict[str, object]:
    """Give a table that has no key but the allowed ones."""
    table = mapping_at(value, where)
    for key in table:
        if key not in allowed:
            raise PolicyError(
                f"unknown key {quoted(f'{where}.{key}', 120)}; allowed here: {listed(sorted(set(allowed)))}"
            )
    return table


def list_at(value: object, where: str) -> list[Any]:
    """Give a list."""
    if not isinstance(value, (list, tuple)):
        raise PolicyError(f"{where} is a {_kind(value)}; allowed: a list")
    return list(value)


def text_at(value: object, where: str) -> str:
    """Give a text that is valid Unicode, and not empty."""
    if not isinstance(value, str) or not value:
        raise PolicyError(f"{where} is {'empty' if value == '' else 'a ' + _kind(value)}; allowed: a text")
    if not is_text(value):
        raise PolicyError(f"{where} holds a lone surrogate; allowed: valid Unicode")
    return value


def texts_at(value: object, where: str) -> dict[str, str]:
    """Give a table of texts."""
    return {key: text_at(item, f"{where}.{plain(key)}") for key, item in mapping_at(value, where).items()}


def number_at(value: object, where: str) -> float:
    """Give a number; an integer within 64 bits."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise PolicyError(f"{where} is a {_kind(value)}; allowed: a number")
    return integer_at(value, where) if isinstance(value, int) else value


def integer_at(value: object, where: str) -> int:
    """Give an integer within 64 bits."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise PolicyError(f"{where} is a {_kind(value)}; allowed: an integer")
    if not -(2**63) <= value < 2**63:
        raise PolicyError(f"{where} is an integer beyond 64 bits; allowed: one within them")
    return value


def flag_at(value: object, where: str) -> bool:
    """Give true or false."""
    if not isinstance(value, bool):
        raise PolicyError(f"{where} is a {_kind(value)}; allowed: true or false")
    return value


def _kind(value: object) -> str:
    return {"str": "text", "bool": "flag", "int": "number", "float": "number", "list": "list", "dict": "table"}.get(
        type(value).__name__, type(value).__name__
    )


def listed(names: Sequence[str] | Mapping[str, object]) -> str:
    """Quote names in a row, for a message."""
    return ", ".join(quoted(name) for name in names)
