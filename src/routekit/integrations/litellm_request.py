"""What the LiteLLM proxy calls a request, and the part of it that is judged. Needs no litellm.

The proxy hands its hooks one dict: the client's parameters, the proxy's own entries, live objects. Judged are all keys
that carry text in any dialect, as `routekit.request_grammar` lists them; parameters by which a client could put other
text in their place are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, Final, cast

from routekit.body import json_of
from routekit.decision import Decision
from routekit.errors import MalformedBody, UnsupportedBody, UsageError, quoted
from routekit.request import Dialect
from routekit.request_grammar import GRAMMAR

#: Call type of the proxy -> dialect of its parameters; each also comes with an "a" before it, for async.
_DIALECTS: Final[dict[str, Dialect]] = {
    "completion": "openai-chat",
    "text_completion": "openai-completions",
    "responses": "openai-responses",
    "compact_responses": "openai-responses",
    "embedding": "openai-embeddings",
    "embeddings": "openai-embeddings",
    "anthropic_messages": "anthropic-messages",
}
#: Keys that are read at top level, whatever their case: the reader refuses variants.
_READ: Final = frozenset(GRAMMAR.nodes["root"].members)
#: Parameters that the proxy merges into the request, or sends in its place when a model fails.
_MERGED: Final = (
    "extra_body",
    "fallbacks",
    "context_window_fallbacks",
    "content_policy_fallbacks",
    "default_fallbacks",
)
#: Deeper than any use of these parameters.
_MAX_DEPTH: Final = 20


def dialect_of_call(call_type: str) -> Dialect | None:
    """Tell the dialect from the proxy's call type, None for calls that carry no request of a known dialect.

    >>> [dialect_of_call(kind) for kind in ("acompletion", "anthropic_messages", "aanthropic_messages", "rerank")]
    ['openai-chat', 'anthropic-messages', 'anthropic-messages', None]
    """
    return _DIALECTS.get(call_type) or _DIALECTS.get(call_type.removeprefix("a"))


def judged_body(data: Mapping[str, object]) -> bytes:
    """Write what is judged of a request as a body.

    Raises
    ------
    UnsupportedBody
        If a parameter carries text past the guard.
    MalformedBody
        If it cannot be written as JSON.

    Examples
    --------
    >>> judged_body({"model": "auto", "input": "Hi", "metadata": {"tags": []}, "litellm_call_id": "7"})
    b'{"model":"auto","input":"Hi"}'
    """
    for name in _MERGED:
        for key in _keys(data.get(name), 0):
            if key.lower() in _READ - {"model"}:
                raise UnsupportedBody(
                    f"the parameter {quoted(name)} holds {quoted(key)}, which would reach a model unjudged; "
                    "send it at top level"
                )
    judged = {key: value for key, value in data.items() if key.lower() in _READ and value is not None}
    try:
        return json_of(judged)
    except UsageError as error:
        raise MalformedBody(str(error)) from None


def replaced_texts(data: MutableMapping[str, object], rewritten: Mapping[str, object]) -> None:
    """Put the texts that a policy changed in place of the client's; nothing else changes."""
    data.update((key, value) for key, value in rewritten.items() if key != "model" and data.get(key) != value)


def rerouted(data: MutableMapping[str, object], decision: Decision) -> None:
    """Send a routed request to its model group: the one named like its pool, or like its model."""
    if decision.action == "route":
        data["model"] = decision.pool or decision.model


def metadata_of(data: MutableMapping[str, object]) -> dict[str, Any]:
    """Give the dict in which the proxy keeps what it knows of a request: its name depends on the endpoint."""
    key = "litellm_metadata" if "litellm_metadata" in data else "metadata"
    if not isinstance(data.get(key), dict):
        data[key] = {}
    return cast("dict[str, Any]", data[key])


def policy_metadata(data: Mapping[str, object], key: object) -> dict[str, object]:
    """Give what rules may ask by `header` and `metadata`.

    Headers are the client's claims; the rest is what the proxy knows of the API key: ``team_id``, ``team_alias``,
    ``user_id``, ``org_id``, ``key_alias``, and the scalars in the metadata of the team and of the key.

    Parameters
    ----------
    key
        The proxy's ``UserAPIKeyAuth``.
    """
    known: dict[str, object] = {}
    for source in ("team_metadata", "metadata"):
        table = getattr(key, source, None)
        known |= {n: v for n, v in table.items() if isinstance(v, (str, int, float))} if isinstance(table, dict) else {}
    for name in ("team_id", "team_alias", "user_id", "org_id", "key_alias"):
        value = getattr(key, name, None)
        known[name] = value if isinstance(value, str) else None
    return {**_headers(data), **known}


def _headers(data: Mapping[str, object]) -> dict[str, object]:
    """Headers under names that are bytes: `metadata` asks for text, so that no client can pass a header for it."""
    request = data.get("proxy_server_request")
    headers = request.get("headers") if isinstance(request, dict) else None
    if not isinstance(headers, Mapping):
        return {}
    named = {str(name).encode("latin-1", "replace"): str(value) for name, value in headers.items()}
    return cast("dict[str, object]", named)


def _keys(value: object, depth: int) -> Iterator[str]:
    if depth > _MAX_DEPTH:
        raise UnsupportedBody(f"a parameter nests deeper than {_MAX_DEPTH} levels; send its content at top level")
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _keys(item, depth + 1)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _keys(item, depth + 1)
