"""Which text can be written anywhere."""

from __future__ import annotations


def is_text(value: object) -> bool:
    """Say whether it is text, and not empty: a lone surrogate, which JSON files can hold, is no Unicode."""
    if not isinstance(value, str):
        return False
    return bool(value) and value == value.encode("utf-8", "ignore").decode()
