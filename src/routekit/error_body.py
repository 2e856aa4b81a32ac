"""Answers to a request that is not forwarded: HTTP status and JSON in the error shape of the client's dialect.

The official clients turn these into their own exceptions, so that an application needs to know nothing of routekit.

>>> from routekit.errors import BodyTooLarge
>>> refusal = ErrorAnswer.of(BodyTooLarge("the body has over 10 bytes"), dialect="anthropic-messages")
>>> refusal.status, refusal.to_dict()["error"]["type"]
(413, 'request_too_large')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import orjson

from routekit.errors import (
    Blocked,
    BodyTimeout,
    BodyTooLarge,
    ContextOverflow,
    MalformedBody,
    Overloaded,
    RoutekitError,
    UnsupportedBody,
)
from routekit.request import Dialect

#: Status -> error type, as the APIs name them; the rest of 4xx and 5xx goes by `_otherwise`.
_OPENAI_TYPES: Final = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}
_ANTHROPIC_TYPES: Final = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
    529: "overloaded_error",
}
#: Error class -> code for programs to read; the first that fits counts.
_CODES: Final[tuple[tuple[type[RoutekitError], str], ...]] = (
    (Blocked, "blocked_by_policy"),
    (MalformedBody, "malformed_body"),
    (BodyTooLarge, "body_too_large"),
    (BodyTimeout, "body_timeout"),
    (UnsupportedBody, "unsupported_body"),
    (ContextOverflow, "context_length_exceeded"),
    (Overloaded, "overloaded"),
)
_BLOCKED_MESSAGE: Final = "This request was blocked by policy."


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """One refusal, ready to be sent.

    Attributes
    ----------
    status
        HTTP status.
    message
        For people; never prompt text.
    code
        For programs, e.g. ``"blocked_by_policy"``.
    dialect
        Decides the shape: ``"anthropic-messages"`` has its own, everything else has OpenAI's.
    """

    status: int
    message: str
    code: str
    dialect: Dialect | None = None

    @classmethod
    def of(cls, error: BaseException, *, dialect: Dialect | None = None) -> ErrorAnswer:
        """Answer an error; one that is not of routekit tells the client nothing but its existence.

        >>> ErrorAnswer.of(KeyError("secret")).message
        'The request could not be judged.'
        """
        status = getattr(error, "status_hint", None)
        if not isinstance(error, RoutekitError) or status is None:
            return cls(500, "The request could not be judged.", "internal_error", dialect)
        code = next((code for kind, code in _CODES if isinstance(error, kind)), "refused")
        message = _BLOCKED_MESSAGE if isinstance(error, Blocked) else str(error)
        return cls(status, message, code, dialect)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON object of the dialect."""
        if self.dialect == "anthropic-messages":
            kind = _ANTHROPIC_TYPES.get(self.status) or self._otherwise("api_error")
            return {"type": "error", "error": {"type": kind, "message": self.message}}
        kind = _OPENAI_TYPES.get(self.status) or self._otherwise("server_error")
        return {"error": {"message": self.message, "type": kind, "param": None, "code": self.code}}

    def to_json(self) -> bytes:
        """Give the body."""
        return orjson.dumps(self.to_dict())

    def _otherwise(self, server_error: str) -> str:
        return "invalid_request_error" if self.status < 500 else server_error
