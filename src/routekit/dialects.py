"""The request dialects: where each keeps its texts, and how they are told apart.

There is one grammar, the union of all dialects, because no key means text in one dialect and something unreadable in
another. What is judged is therefore independent of the dialect, and a body cannot hide text by posing as another one.
The dialect only decides what a body must hold, and which name the view carries.

Inside messages, items, prompts and tools every string is text, known key or not, except what the tables below name:
identifiers (while they look like some), opaque data, and media. Outside, only the listed keys are read. Keys of text
objects are text too unless they look like identifiers: a model that sees a tool schema sees its keys.

Sources: the OpenAI API reference (chat completions, completions, responses, embeddings), the Anthropic Messages
reference, and the extra parameters of vLLM's OpenAI-compatible server.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal, TypeAlias, get_args

from routekit.errors import ConfigError, MalformedBody, UnsupportedBody, quoted
from routekit.grammar import Grammar, Node, Use
from routekit.request import Dialect

DialectChoice: TypeAlias = Literal[Dialect, "auto"]

#: A body that repeats one of these in any object is refused, and so is a case variant at top level.
SINGLE_KEYS: Final = (
    "model",
    "messages",
    "input",
    "prompt",
    "system",
    "instructions",
    "role",
    "content",
    "type",
    "text",
    "stream",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
)

_ROLES: Final = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}

#: Types of items that a model produced; in the Responses dialect they carry no role.
_ASSISTANT_TYPES: Final = frozenset(
    [
        "reasoning",
        "function_call",
        "custom_tool_call",
        "web_search_call",
        "file_search_call",
        "computer_call",
        "code_interpreter_call",
        "local_shell_call",
        "shell_call",
        "apply_patch_call",
        "mcp_call",
        "mcp_list_tools",
        "mcp_approval_request",
        "image_generation_call",
        "tool_search_call",
        "compaction",
    ]
)

#: Beside one of these types, ``data``, ``url`` and ``result`` hold encoded bytes or an address, not text.
_OPAQUE_TYPES: Final = frozenset(
    ["base64", "url", "file", "image", "video", "audio", "redacted_thinking", "image_generation_call", "url_citation"]
)
_MEDIA_TYPES: Final = frozenset(("base64", "url", "file"))

_NAMES: Final = [
    "id",
    "type",
    "status",
    "call_id",
    "tool_call_id",
    "tool_use_id",
    "item_id",
    "approval_request_id",
    "container_id",
    "file_id",
    "media_type",
    "format",
    "detail",
    "phase",
]
_OPAQUE: Final = ["signature", "encrypted_content", "encrypted_index", "cache_control", "logprobs"]
_MEDIA: Final = [
    "image",
    "image_url",
    "input_audio",
    "audio",
    "audio_url",
    "video",
    "video_url",
    "file",
    "file_data",
    "file_url",
]
_RESULTS: Final = ["output", "outputs", "results"]
_ARGUMENTS: Final = ["input", "arguments", "parameters", "action"]

_PART_MEMBERS: Final[dict[str, str]] = {
    **dict.fromkeys(_NAMES, "name"),
    **dict.fromkeys(_OPAQUE, "skip"),
    **dict.fromkeys(_MEDIA, "media"),
    **dict.fromkeys(_RESULTS, "result"),
    **dict.fromkeys(_ARGUMENTS, "anything"),
    "type": "type",
    "file_id": "media",
    "data": "data",
    "url": "data",
    "result": "result_data",
    "source": "source",
    "content": "result",
    "tools": "schema",
}
_MESSAGE_MEMBERS: Final = {**_PART_MEMBERS, "role": "role", "content": "part"}
_PART: Final = Node(string=Use.TEXT, elements="part", members=_PART_MEMBERS, others="part", judge_keys=True)
_ANYTHING: Final = Node(string=Use.TEXT, elements="anything", others="anything", judge_keys=True)
_WRONG: Final = Node(string=Use.WRONG, number=Use.WRONG, boolean=Use.WRONG)

_NODES: Final[dict[str, Node]] = {
    "root": replace(
        _WRONG,
        others="skip",
        members={
            "model": "model",
            "stream": "stream",
            **dict.fromkeys(("max_tokens", "max_completion_tokens", "max_output_tokens"), "max_tokens"),
            "messages": "messages",
            "input": "input",
            "prompt": "prompt",
            "suffix": "prompt",
            "prompt_embeds": "unreadable",
            **dict.fromkeys(("system", "instructions", "chat_template", "chat_template_kwargs"), "system"),
            **dict.fromkeys(("tools", "functions"), "tools"),
            **dict.fromkeys(("response_format", "text", "output_format", "output_config"), "schema"),
            "documents": "documents",
            "prediction": "prediction",
            # Read for their presence only: they tell the dialects apart.
            **dict.fromkeys(("anthropic_version", "stop_sequences", "encoding_format", "dimensions"), "skip"),
            **dict.fromkeys(("previous_response_id", "conversation", "max_tool_calls", "reasoning"), "skip"),
        },
    ),
    "skip": Node(elements="skip", others="skip"),
    "model": replace(_WRONG, string=Use.MODEL),
    "stream": replace(_WRONG, boolean=Use.STREAM),
    "max_tokens": replace(_WRONG, number=Use.MAX_TOKENS),
    "unreadable": Node(string=Use.TOKEN_IDS, number=Use.TOKEN_IDS, elements="unreadable", others="skip"),
    # Conversations
    "messages": replace(_WRONG, elements="message"),
    "message": replace(_WRONG, members=_MESSAGE_MEMBERS, others="part", message=True, judge_keys=True),
    "role": replace(_WRONG, string=Use.ROLE),
    "part": _PART,
    "result": replace(_PART, role="tool", kind="tool_result"),
    "result_data": replace(_PART, string=Use.DATA, role="tool", kind="tool_result"),
    "data": replace(_PART, string=Use.DATA),
    "name": replace(_PART, string=Use.NAME),
    "type": replace(_PART, string=Use.TYPE),
    "media": Node(
        elements="media",
        members=dict.fromkeys(("url", "data", "id", "file_data", "file_id", "format", "detail", "media_type"), "skip"),
        others="part",
        media=True,
        judge_keys=True,
    ),
    "source": replace(_PART, members={**_PART_MEMBERS, "content": "part"}),
    "anything": _ANYTHING,
    # Prompts: a string, several, or what stands in for one
    "prompt": replace(_PART, number=Use.WRONG, boolean=Use.WRONG, elements="prompts", role="user", turn=True),
    "prompts": replace(_WRONG, string=Use.TEXT, number=Use.TOKEN_IDS, elements="prompts", others=None),
    "input": replace(_WRONG, string=Use.TEXT, elements="item", role="user", turn=True),
    "item": replace(
        _WRONG,
        string=Use.TEXT,
        number=Use.TOKEN_IDS,
        elements="item",
        members=_MESSAGE_MEMBERS,
        others="part",
        message=True,
        judge_keys=True,
    ),
    # Outside the conversation
    "system": replace(_PART, role="system"),
    "documents": replace(_ANYTHING, role="tool", kind="tool_result"),
    "prediction": replace(_PART, members={**_PART_MEMBERS, "content": "part"}, role="assistant"),
    "schema": replace(_ANYTHING, role="system", kind="tool_schema"),
    "tools": replace(_WRONG, elements="tool", role="system", kind="tool_schema"),
    "tool": replace(_ANYTHING, members={"type": "name", "name": "tool_name", "function": "function"}),
    "function": replace(_ANYTHING, members={"name": "tool_name"}),
    "tool_name": replace(_ANYTHING, string=Use.TOOL_NAME),
}

GRAMMAR: Final = Grammar(
    nodes=_NODES,
    single_keys=SINGLE_KEYS,
    roles=_ROLES,  # type: ignore[arg-type]  # a dict of literals infers as dict[str, str]
    assistant_types=_ASSISTANT_TYPES,
    opaque_types=_OPAQUE_TYPES,
    media_types=_MEDIA_TYPES,
)

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
    raise ConfigError(f"unknown dialect {quoted(dialect)}; allowed: auto, {', '.join(DIALECTS)}")


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
    dialect = _dialect_by_keys(seen) if choice == "auto" else choice
    if not any(key in seen for key in _NEEDS[dialect]):
        needed = " or ".join(map(repr, _NEEDS[dialect]))
        raise MalformedBody(f"a body of the dialect {dialect} needs {needed} at top level; it has none")
    return dialect


def _dialect_by_keys(seen: Mapping[str, str]) -> Dialect:
    has_prompt = seen.get("prompt", "{") != "{"  # an object is a stored prompt of the Responses API
    found = [
        name
        for name, there in (("messages", "messages" in seen), ("prompt", has_prompt), ("input", "input" in seen))
        if there
    ]
    if len(found) > 1:
        raise UnsupportedBody(
            f"the body has {' and '.join(map(repr, found))}, so its dialect is ambiguous; "
            f"pass dialect= ({', '.join(DIALECTS)}) or path="
        )
    if found == ["messages"]:
        return "openai-chat" if _ANTHROPIC_MARKERS.isdisjoint(seen) else "anthropic-messages"
    if found == ["prompt"]:
        return "openai-completions"
    if found == ["input"]:
        embeds = not _EMBEDDING_MARKERS.isdisjoint(seen) and _RESPONSES_MARKERS.isdisjoint(seen)
        return "openai-embeddings" if embeds else "openai-responses"
    if any(key in seen for key in _NEEDS["openai-responses"]):
        return "openai-responses"
    raise MalformedBody("the body is a JSON object but no request: it has none of 'messages', 'prompt' and 'input'")
