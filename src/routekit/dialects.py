"""The request dialects, and how they are told apart: by what the caller says, by the path, or by the keys.

The dialect decides what a body must hold, and which name the view carries; not what is judged, which is the same for
all of them (`routekit.request_grammar`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from routekit.errors import ConfigError, MalformedBody, UnsupportedBody, quoted
from routekit.request import Dialect

DialectChoice: TypeAlias = Literal[Dialect, "auto"]

#: Ends of normalised paths, longest first.
_PATH_ENDS: Final[tuple[tuple[str, Dialect], ...]] = (
    ("/chat/completions", "openai-chat"),
    ("/completions", "openai-completions"),
    ("/embeddings", "openai-embeddings"),
    ("/responses", "openai-responses"),
    ("/v1/messages", "anthropic-messages"),
)

#: At top level, these exist in the Messages API and not in chat completions.
_ANTHROPIC_MARKERS: Final = frozenset(("system", "anthropic_version", "stop_sequences"))
_EMBEDDING_MARKERS: Final = frozenset(("encoding_format", "dimensions"))
_RESPONSES_MARKERS: Final = frozenset(
    [
        "instructions",
        "max_output_tokens",
        "previous_response_id",
        "conversation",
        "max_tool_calls",
        "reasoning",
        "text",
        "tools",
        "stream",
    ]
)
#: What a body of each dialect must hold: one of these keys, not null.
_NEEDS: Final[dict[Dialect, tuple[str, ...]]] = {
    "openai-chat": ("messages",),
    "openai-completions": ("prompt",),
    "openai-responses": ("input", "prompt", "previous_response_id", "conversation"),
    "openai-embeddings": ("input",),
    "anthropic-messages": ("messages",),
}
DIALECTS: Final[tuple[Dialect, ...]] = get_args(Dialect)


def dialect_of_path(path: str) -> Dialect | None:
    """Tell the dialect from the path of a request, None when the path tells nothing.

    Parameters
    ----------
    path
        A normalised URL path; prefixes of gateways and deployments, a query and a final slash do not matter.

    Examples
    --------
    >>> dialect_of_path("/openai/deployments/x/chat/completions?api-version=2024-10-21")
    'openai-chat'
    >>> dialect_of_path("/v1/models") is None
    True
    """
    bare = "/" + path.split("?", 1)[0].strip("/")
    return next((dialect for end, dialect in _PATH_ENDS if bare.endswith(end)), None)


def dialect_choice(dialect: str, path: str | None = None) -> DialectChoice:
    """Settle what the caller told: an explicit dialect, else the one of the path, else ``"auto"``.

    Raises
    ------
    ConfigError
        If `dialect` is unknown.
    """
    if dialect == "auto":
        return (dialect_of_path(path) if path is not None else None) or "auto"
    for known in DIALECTS:
        if dialect == known:
            return known
    raise ConfigError(f"unknown dialect {quoted(str(dialect))}; allowed: auto, {', '.join(DIALECTS)}")


def settle_dialect(choice: DialectChoice, seen: Mapping[str, str]) -> Dialect:
    """Name the dialect of a complete body.

    Parameters
    ----------
    choice
        What the caller told.
    seen
        Key -> first character of the value, for every known top-level key whose value is not null.

    Raises
    ------
    MalformedBody
        If the body lacks what its dialect needs.
    UnsupportedBody
        If nothing was told and the keys fit several dialects.

    Notes
    -----
    ``{"model", "input"}`` alone fits responses and embeddings; it counts as responses, since the text is the same.

    Examples
    --------
    >>> settle_dialect("auto", {"messages": "[", "system": '"'})
    'anthropic-messages'
    """
    if choice == "auto":
        return _dialect_by_keys(seen)
    if seen.keys().isdisjoint(_NEEDS[choice]):
        needed = " or ".join(map(repr, _NEEDS[choice]))
        raise MalformedBody(f"a body of the dialect {choice} needs {needed} at top level; it has none")
    return choice


def _dialect_by_keys(seen: Mapping[str, str]) -> Dialect:
    has_messages, has_input = "messages" in seen, "input" in seen
    has_prompt = seen.get("prompt", "{") != "{"  # an object is a stored prompt of the Responses API
    if has_messages + has_prompt + has_input > 1:
        there = " and ".join(key for key in ("messages", "prompt", "input") if key in seen)
        raise UnsupportedBody(
            f"the body has {there}, so its dialect is ambiguous; pass dialect= ({', '.join(DIALECTS)}) or path="
        )
    if has_messages:
        return "openai-chat" if _ANTHROPIC_MARKERS.isdisjoint(seen) else "anthropic-messages"
    if has_prompt:
        return "openai-completions"
    if has_input:
        embeds = not _EMBEDDING_MARKERS.isdisjoint(seen) and _RESPONSES_MARKERS.isdisjoint(seen)
        return "openai-embeddings" if embeds else "openai-responses"
    if seen.keys().isdisjoint(_NEEDS["openai-responses"]):
        raise MalformedBody("the body is a JSON object but no request: it has none of 'messages', 'prompt' and 'input'")
    return "openai-responses"
