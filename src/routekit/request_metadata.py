"""What a caller says about a request beside its body: headers, tenant, tags."""

from __future__ import annotations

from collections.abc import Mapping

from routekit.errors import UsageError, quoted
from routekit.expressions import Scalar


def metadata_value(metadata: Mapping[str, object], key: str) -> Scalar | None:
    """Look up the signal ``"header:NAME"`` (in any case) or ``"metadata:NAME"`` (spelled exactly so); None: missing.

    A header that occurs more than once, or holds a list, is joined with ``", "`` as HTTP does.

    Raises
    ------
    UsageError
        If the value is no text, bytes, number, flag or list of texts.

    Examples
    --------
    >>> metadata_value({"X-Tier": "gold"}, "header:x-tier")
    'gold'
    """
    family, _, name = key.partition(":")
    if family == "metadata":
        return _scalar(metadata.get(name), name)
    found = [value for header, value in metadata.items() if _text(header).lower() == name.lower()]
    return _scalar(found[0] if len(found) == 1 else found or None, name)


def _scalar(value: object, name: str) -> Scalar | None:
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, bytes):
        return _text(value)
    if isinstance(value, (list, tuple)) and all(isinstance(item, (str, bytes)) for item in value):
        return ", ".join(_text(item) for item in value)
    raise UsageError(
        f"metadata {quoted(name)} is a {type(value).__name__}; allowed: text, bytes, number, flag or a list of texts"
    )


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value
