"""Where requests keep their texts: the one grammar that the scanners walk.

It is the union of all dialects, because no key means text in one dialect and something unreadable in another. What is
judged is therefore independent of the dialect, and a body cannot hide text by posing as another one.

Inside messages, items, prompts and tools every string is text, known key or not, except what the tables below name:
identifiers (while they look like some), opaque data, and media. Outside, only the listed keys are read. Keys of text
objects are text too unless they look like identifiers: a model that sees a tool schema sees its keys.

Sources: the OpenAI API reference (chat completions, completions, responses, embeddings), the Anthropic Messages
reference, and the extra parameters of vLLM's OpenAI-compatible server.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from routekit.grammar import Grammar, Node, Use

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
        "program",
        "compaction",
    ]
)

#: Beside one of these types, ``data``, ``url`` and ``result`` hold encoded bytes or an address, not text.
_OPAQUE_TYPES: Final = frozenset(
    ["base64", "url", "file", "image", "video", "audio", "redacted_thinking", "image_generation_call", "url_citation"]
)
#: An image part of the Messages API counts by the type of its source, so ``image`` and ``document`` are not here.
_MEDIA_TYPES: Final = frozenset(
    ("base64", "url", "file", "input_image", "input_file", "input_audio", "container_upload")
)

_NAMES: Final = [
    "id",
    "type",
    "status",
    "call_id",
    "tool_call_id",
    "tool_use_id",
    "item_id",
    "approval_request_id",
    "caller_id",
    "tool_id",
    "server_label",
    "container_id",
    "file_id",
    "media_type",
    "format",
    "detail",
    "phase",
]
_OPAQUE: Final = [
    "signature",
    "encrypted_content",
    "encrypted_index",
    "encrypted_stdout",
    "cache_control",
    "prompt_cache_breakpoint",
    "logprobs",
]
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
    **dict.fromkeys(("annotations", "citations"), "citation"),
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
            **dict.fromkeys(("response_format", "text", "output_format", "output_config"), "format"),
            "web_search_options": "schema",
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
    "citation": replace(_PART, elements="citation", members={"type": "type", "file_id": "name", "url": "data"}),
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
    "format": replace(
        _ANYTHING,
        members={**dict.fromkeys(("type", "name", "verbosity", "effort"), "name"), "format": "format"},
        role="system",
        kind="tool_schema",
    ),
    "tools": replace(_WRONG, elements="tool", role="system", kind="tool_schema"),
    "tool": replace(
        _ANYTHING,
        members={
            "type": "tool_type",
            "name": "tool_name",
            "server_label": "name",
            **dict.fromkeys(("function", "custom"), "function"),
            "input_image_mask": "media",
        },
    ),
    "function": replace(_ANYTHING, members={"name": "tool_name"}),
    "tool_type": replace(_ANYTHING, string=Use.TOOL_TYPE),
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
