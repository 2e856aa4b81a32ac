"""What a caller says about a request beside its body: headers, tenant, tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from routekit.errors import UsageError, quoted
from routekit.expressions import Scalar


def metadata_values(metadata: Mapping[str, object], keys: Sequence[str]) -> dict[str, Scalar | None]:
    """Look up signals ``"header:NAME"`` (in any case) and ``"metadata:NAME"`` (spelled exactly so); None: missing.

    A header that occurs more than once, or holds a list, is joined with ``", "`` as HTTP does.

    Raises
    ------
    UsageError
        If `metadata` is no mapping of names, or a value that is looked up is no text, bytes, number, flag or list of
        texts.

    Examples
    --------
    >>> metadata_values({"X-Tier": "gold"}, ["header:x-tier", "metadata:team"])
    {'header:x-tier': 'gold', 'metadata:team': None}
    """
    if not isinstance(metadata, Mapping):
        raise UsageError(f"metadata is a {type(metadata).__name__}; allowed: a mapping of header names to values")
    headers: dict[str, list[object]] = {}
    for header, value in metadata.items():
        if not isinstance(header, (str, bytes)):
            raise UsageError(f"metadata has a key that is a {type(header).__name__}; allowed: text or bytes")
        headers.setdefault(_text(header).lower(), []).append(value)
    values: dict[str, Scalar | None] = {}
    for key in keys:
        family, _, name = key.partition(":")
        found = headers.get(name.lower(), []) if family == "header" else [metadata.get(name)]
        values[key] = _scalar(found[0] if len(found) == 1 else found or None, name)
    return values


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
