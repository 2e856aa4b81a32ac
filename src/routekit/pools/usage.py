"""What a server says it read: prompt tokens out of OpenAI, Anthropic and Responses usage objects."""

from __future__ import annotations

from collections.abc import Mapping

#: Anthropic reports cached prompt tokens beside `input_tokens`; OpenAI's dialects count them in already.
_BESIDE_INPUT = ("cache_creation_input_tokens", "cache_read_input_tokens")
_TOO_MANY = 2**63


def prompt_tokens(usage: object) -> int | None:
    """Count the prompt tokens of a usage object, cached ones included.

    Parameters
    ----------
    usage
        A mapping or an SDK object with ``prompt_tokens`` (chat completions) or ``input_tokens`` (Responses, Anthropic
        Messages, where the cached tokens are added back); a whole response with a ``usage`` member also goes.

    Returns
    -------
    At least 1; None when nothing usable is there: no usage (streaming without it), zero, negative, not a finite
    whole number.

    Examples
    --------
    >>> prompt_tokens({"prompt_tokens": 120, "prompt_tokens_details": {"cached_tokens": 100}})
    120
    >>> prompt_tokens({"input_tokens": 20, "cache_read_input_tokens": 100})
    120
    >>> prompt_tokens({"completion_tokens": 3}) is None
    True
    """
    if type(usage) is dict:
        n_tokens = usage.get("prompt_tokens")
        if type(n_tokens) is int and 0 < n_tokens < _TOO_MANY:
            return n_tokens
    return _from_any(usage)


def _from_any(usage: object) -> int | None:
    inner = _member(usage, "usage")
    if inner is not None:
        usage = inner
    n_tokens = _count(_member(usage, "prompt_tokens"))
    if n_tokens is None:
        n_tokens = _count(_member(usage, "input_tokens"))
        if n_tokens is not None:
            n_tokens += sum(_count(_member(usage, name)) or 0 for name in _BESIDE_INPUT)
    return n_tokens or None


def _member(usage: object, name: str) -> object:
    if isinstance(usage, Mapping):
        return usage.get(name)
    return getattr(usage, name, None)


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not value.is_integer():  # NaN and infinity are no integers either
        return None
    return int(value) if 0 <= value < _TOO_MANY else None
