"""Every error routekit raises, in one tree.

Messages give the measured value, the allowed value and the remedy. They never carry prompt text: whoever logs an
error must not leak a request. Errors caused by input are therefore raised ``from None``, and text that came from
outside (a key, a model name, a path) passes through `quoted` first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from routekit.decision import Decision

__all__ = [
    "BackendError",
    "BackendNameTaken",
    "BackendNotFound",
    "BackendUnavailable",
    "BadRow",
    "Blocked",
    "BodyError",
    "BodyTimeout",
    "BodyTooLarge",
    "ConfigError",
    "ContextOverflow",
    "InferenceError",
    "MalformedBody",
    "ModelFormatError",
    "Overloaded",
    "PluginLoadError",
    "PolicyError",
    "RoutekitError",
    "UnsupportedBody",
    "UsageError",
    "plain",
    "quoted",
]


def plain(name: str) -> str:
    r"""Write a foreign name without quotes: control characters escaped.

    Examples
    --------
    >>> plain("x-tier\x1b[31m")
    'x-tier\\x1b[31m'
    """
    return ascii(name)[1:-1]


def quoted(name: str, limit: int = 64) -> str:
    r"""Quote a short foreign name for a message: control characters escaped, length bounded.

    Only for names (keys, labels, paths, model names), never for prompt text.

    Examples
    --------
    >>> quoted("Model\x1b[31m")
    "'Model\\x1b[31m'"
    """
    clipped = name if len(name) <= limit else name[: limit - 3] + "..."
    return ascii(clipped)


class RoutekitError(Exception):
    """The root: catch it to catch everything routekit raises on purpose."""


class UsageError(RoutekitError):
    """The library was called out of order or with an argument it cannot take."""


class BadRow(UsageError):
    """A row of a log is none; names the log and the line, and what is expected."""

    def __init__(self, source: str, line: int, reason: str) -> None:
        self.source, self.line, self.reason = source, line, reason
        super().__init__(f"{plain(source)}, line {line}: {reason}")

    def __reduce__(self) -> tuple[type[BadRow], tuple[str, int, str]]:
        return BadRow, (self.source, self.line, self.reason)


class ConfigError(RoutekitError):
    """A constructor or a settings file got a value outside what is allowed."""


class PolicyError(ConfigError):
    """A policy is not well formed: an unknown key, label, signal or rule."""


class BodyError(RoutekitError):
    """A request body was refused. `status_hint` is the HTTP status to answer with."""

    status_hint: ClassVar[int] = 400


class MalformedBody(BodyError):
    """The body is not the JSON of a request, or parsers would disagree on what it says."""

    status_hint: ClassVar[int] = 400


class BodyTimeout(BodyError):
    """The body did not arrive before its deadline."""

    status_hint: ClassVar[int] = 408


class BodyTooLarge(BodyError):
    """The body exceeds a limit on bytes, depth or segments."""

    status_hint: ClassVar[int] = 413


class UnsupportedBody(BodyError):
    """The body is valid but of a kind that routekit does not judge, so it must not pass unjudged."""

    status_hint: ClassVar[int] = 415


class ContextOverflow(RoutekitError):
    """No pool has a context window that fits the request."""

    status_hint: ClassVar[int] = 413


class Overloaded(RoutekitError):
    """The queue of an AsyncRouter is full: shed this request or try again later."""

    status_hint: ClassVar[int] = 503


class Blocked(RoutekitError):
    """Raised by `Decision.raise_if_blocked`; carries the decision."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        super().__init__(f"request blocked by rule {quoted(decision.rule)} with status {decision.status}")

    @property
    def status_hint(self) -> int:
        return self.decision.status or 403


class BackendError(RoutekitError):
    """The root of everything that goes wrong between routekit and a backend or plugin."""


class BackendNotFound(BackendError):
    """No installed backend has this name."""


class BackendNameTaken(BackendError):
    """Two plugins register the same name."""


class PluginLoadError(BackendError):
    """A plugin could not be imported or registered; the others still work."""


class BackendUnavailable(BackendError):
    """The backend is known, but a library, a device or an execution provider is missing."""


class ModelFormatError(BackendError):
    """A model directory is incomplete, inconsistent or unsafe; the message names the file and the remedy."""


class InferenceError(BackendError):
    """A model ran and failed, or gave an output of the wrong shape or with NaN."""
