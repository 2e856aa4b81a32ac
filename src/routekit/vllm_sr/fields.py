"""Values of a document, by kind; what is of another kind is the document's error and ends the translation."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from routekit.errors import PolicyError, quoted
from routekit.valid_text import is_text


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping of the document, and the path where it stands."""

    path: str
    values: Mapping[str, Any]

    def at(self, key: str) -> str:
        """Give the path of a key."""
        return f"{self.path}.{key}" if self.path else key

    def has(self, key: str) -> bool:
        """Say whether a key is there with a value; ``key:`` alone is none."""
        return self.values.get(key) is not None

    def table(self, key: str) -> Table:
        """Give a mapping; an empty one where there is none."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, dict):
            raise _wrong(self.at(key), value, "a mapping")
        return Table(self.at(key), value or {})

    def tables(self, key: str) -> list[Table]:
        """Give the mappings of a list; none where there is no list."""
        items = self.items(key)
        for i, item in enumerate(items):
            if not isinstance(item, dict):
                raise _wrong(f"{self.at(key)}[{i}]", item, "a mapping")
        return [Table(f"{self.at(key)}[{i}]", item) for i, item in enumerate(items)]

    def items(self, key: str) -> list[Any]:
        """Give a list; an empty one where there is none."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, list):
            raise _wrong(self.at(key), value, "a list")
        return value or []

    def texts(self, key: str) -> list[str]:
        """Give a list of texts."""
        return [_text(item, f"{self.at(key)}[{i}]") for i, item in enumerate(self.items(key))]

    def beyond(self, known: Collection[str]) -> list[str]:
        """List the keys that are none of these: misspelt, or of a version that came later."""
        return [key for key in self.values if key not in known]

    def text(self, key: str, default: str | None = None) -> str:
        """Give a text.

        Raises
        ------
        PolicyError
            Where it is missing and has no default, empty, or no text; a number is one, a flag is not.
        """
        if not self.has(key):
            if default is None:
                raise PolicyError(f"{quoted(self.at(key), 200)} is missing")
            return default
        return _text(self.values[key], self.at(key))

    def number(self, key: str, default: float) -> float:
        """Give a number."""
        value = self.values.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1e15 <= value <= 1e15:
            raise _wrong(self.at(key), value, "a number")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Give a flag."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, bool):
            raise _wrong(self.at(key), value, "true or false")
        return default if value is None else value


def _text(value: object, path: str) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not is_text(value):
        raise _wrong(path, value, "a text; put quotes around it")
    if "${" in value:
        raise PolicyError(f"{quoted(path, 200)} names a variable of the environment; write its value there")
    return value


def _wrong(path: str, value: object, allowed: str) -> PolicyError:
    kind = {"str": "text", "bool": "flag", "dict": "mapping", "NoneType": "nothing"}.get(type(value).__name__)
    return PolicyError(f"{quoted(path, 200)} is a {kind or type(value).__name__}; allowed: {allowed}")
