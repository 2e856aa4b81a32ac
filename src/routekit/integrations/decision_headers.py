"""What a gateway says of a decision in HTTP headers: names and numbers, never prompt text."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from routekit.decision import Decision

MODEL: Final = "x-routekit-model"
POOL: Final = "x-routekit-pool"
RULE: Final = "x-routekit-rule"
ESTIMATED_TOKENS: Final = "x-routekit-est-tokens"
#: All of them: a gateway removes those that a client sends.
DECISION_HEADERS: Final = (MODEL, POOL, RULE, ESTIMATED_TOKENS)
#: What an HTTP header may hold as it is; a rule or a model may be named in any script.
_SAFE: Final = "".join(map(chr, range(0x20, 0x7F))).replace("%", "")
_MAX_CHARS: Final = 200


def decision_headers(decision: Decision) -> dict[str, str]:
    r"""Give the headers of a decision; names beyond printable ASCII are percent-encoded.

    >>> from routekit import Decision
    >>> decision_headers(Decision("route", "größe\r\n", "short", "default", estimated_tokens=120))
    ... # doctest: +NORMALIZE_WHITESPACE
    {'x-routekit-model': 'gr%C3%B6%C3%9Fe%0D%0A', 'x-routekit-pool': 'short', 'x-routekit-rule': 'default',
     'x-routekit-est-tokens': '120'}
    """
    tokens = decision.estimated_tokens
    values = {MODEL: decision.model, POOL: decision.pool, RULE: decision.rule}
    headers = {name: quote(value, safe=_SAFE)[:_MAX_CHARS].strip() for name, value in values.items() if value}
    return headers if tokens is None else {**headers, ESTIMATED_TOKENS: str(tokens)}
