"""Bodies as the clients of each dialect send them, and bodies that try to hide text from the judges."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from routekit.body import JsonBodyReader
from routekit.dialects import DIALECTS, dialect_of_path
from routekit.errors import MalformedBody, UnsupportedBody
from routekit.request import RequestView
from routekit.scanners import ScannerFactory


def view_of(scanner: ScannerFactory, request: dict[str, Any], dialect: str = "auto") -> RequestView:
    reader = JsonBodyReader(dialect, scanner=scanner)
    reader.feed(orjson.dumps(request))
    return reader.close()


def said(view: RequestView) -> list[tuple[str, str, str, int]]:
    return [(s.role, s.kind, s.text, s.turn) for s in view.segments]


def test_chat_completions_with_tools_and_images(scanner: ScannerFactory) -> None:
    view = view_of(
        scanner,
        {
            "model": "gpt-4o",
            "stream": True,
            "max_completion_tokens": 64,
            "temperature": 0.2,
            "messages": [
                {"role": "developer", "content": "Be brief."},
                {
                    "role": "user",
                    "name": "Ann",
                    "content": [
                        {"type": "text", "text": "What is this?"},
                        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}},
                        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
                        {"type": "file", "file": {"filename": "note one.pdf", "file_data": "data:;base64,AAAA"}},
                    ],
                },
                {
                    "role": "assistant",
                    "content": None,
                    "refusal": None,
                    "tool_calls": [
                        {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"q":"cat"}'}}
                    ],
                },
                {"role": "tool", "tool_call_id": "call_1", "content": "a cat"},
            ],
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "look",
                        "description": "Looks things up.",
                        "parameters": {"type": "object", "properties": {"q": {"type": "string", "enum": ["cat"]}}},
                        "strict": True,
                    },
                }
            ],
            "tool_choice": {"type": "function", "function": {"name": "look"}},
        },
    )
    assert (view.dialect, view.model, view.stream) == ("openai-chat", "gpt-4o", True)
    assert (view.n_images, view.tools, view.max_output_tokens) == (3, ("look",), 64)
    assert said(view) == [
        ("system", "text", "Be brief.", 0),
        ("user", "text", "Ann", 1),
        ("user", "text", "What is this?", 1),
        ("user", "text", "note one.pdf", 1),
        ("assistant", "text", "look", 2),
        ("assistant", "text", '{"q":"cat"}', 2),
        ("tool", "tool_result", "a cat", 3),
        ("system", "tool_schema", "look", -1),
        ("system", "tool_schema", "Looks things up.", -1),
        ("system", "tool_schema", "object", -1),
        ("system", "tool_schema", "string", -1),
        ("system", "tool_schema", "cat", -1),
    ]
    assert view.text("user") == "Ann\nWhat is this?\nnote one.pdf"


def test_anthropic_messages_with_blocks(scanner: ScannerFactory) -> None:
    view = view_of(
        scanner,
        {
            "model": "claude",
            "max_tokens": 1024,
            "system": [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}],
            "tools": [{"name": "get", "description": "Gets.", "input_schema": {"type": "object"}}],
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
                        {"type": "image", "source": {"type": "url", "url": "https://x.test/a b.png"}},
                        {
                            "type": "document",
                            "title": "T",
                            "source": {"type": "text", "media_type": "text/plain", "data": "A plain document."},
                        },
                        {"type": "text", "text": "Go."},
                    ],
                },
                {
                    "role": "assistant",
                    "content": [
                        {"type": "thinking", "thinking": "Hmm.", "signature": "c2lnbg== x"},
                        {"type": "redacted_thinking", "data": "b3BhcXVl x"},
                        {"type": "tool_use", "id": "toolu_1", "name": "get", "input": {"type": "all", "n": [1, "k v"]}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "R"}]},
                        {"type": "tool_result", "tool_use_id": "toolu_2", "content": "S", "is_error": True},
                        {"type": "text", "text": "Thanks."},
                    ],
                },
            ],
        },
    )
    assert (view.dialect, view.n_images, view.tools) == ("anthropic-messages", 2, ("get",))
    assert said(view) == [
        ("system", "text", "Be kind.", -1),
        ("system", "tool_schema", "get", -1),
        ("system", "tool_schema", "Gets.", -1),
        ("system", "tool_schema", "object", -1),
        ("user", "text", "T", 0),
        ("user", "text", "A plain document.", 0),
        ("user", "text", "Go.", 0),
        ("assistant", "text", "Hmm.", 1),
        ("assistant", "text", "get", 1),
        ("assistant", "text", "all", 1),
        ("assistant", "text", "k v", 1),
        ("tool", "tool_result", "R", 2),
        ("tool", "tool_result", "S", 2),
        ("user", "text", "Thanks.", 2),
    ]
    assert view.text("last_user") == "Thanks."


def test_responses_with_items(scanner: ScannerFactory) -> None:
    view = view_of(
        scanner,
        {
            "model": "gpt-5",
            "instructions": "Be exact.",
            "max_output_tokens": 9,
            "input": [
                {"role": "user", "content": "First."},
                {
                    "type": "message",
                    "role": "user",
                    "content": [
                        {"type": "input_text", "text": "Look."},
                        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
                        {"type": "input_file", "file_id": "file_1"},
                    ],
                },
                {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Think."}]},
                {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "call_1", "output": "done"},
                {"type": "image_generation_call", "id": "ig_1", "result": "AAAA BBBB"},
                {"type": "unheard_of", "payload": {"deep": ["hidden text"]}},
            ],
            "tools": [{"type": "web_search"}, {"type": "function", "name": "f", "parameters": {}}],
            "text": {"format": {"type": "json_schema", "name": "answer", "schema": {"title": "An answer"}}},
        },
    )
    assert (view.dialect, view.n_images, view.tools, view.max_output_tokens) == (
        "openai-responses",
        2,
        ("web_search", "f"),
        9,
    )
    assert said(view)[:8] == [
        ("system", "text", "Be exact.", -1),
        ("user", "text", "First.", 0),
        ("user", "text", "Look.", 1),
        ("assistant", "text", "Think.", 2),
        ("assistant", "text", "f", 3),
        ("assistant", "text", "{}", 3),
        ("tool", "tool_result", "done", 4),
        ("user", "text", "hidden text", 6),
    ]
    assert "An answer" in view.text()


@pytest.mark.parametrize(
    ("request_", "dialect", "text"),
    [
        ({"prompt": "Once"}, "openai-completions", "Once"),
        ({"prompt": ["Once", "Twice"], "suffix": "End"}, "openai-completions", "Once\nTwice\nEnd"),
        ({"input": "Hi"}, "openai-responses", "Hi"),
        ({"input": "Hi", "encoding_format": "float"}, "openai-embeddings", "Hi"),
        ({"input": ["a", "b"], "dimensions": 8}, "openai-embeddings", "a\nb"),
        ({"prompt": {"id": "pmpt_1", "variables": {"city": "Rome, now"}}}, "openai-responses", "Rome, now"),
        ({"messages": [{"role": "user", "content": "x"}], "stop_sequences": ["y"]}, "anthropic-messages", "x"),
    ],
)
def test_auto_decides_by_the_keys(scanner: ScannerFactory, request_: dict[str, Any], dialect: str, text: str) -> None:
    view = view_of(scanner, {"model": "m", **request_})
    assert (view.dialect, view.text("last_user")) == (dialect, text)
    assert {s.turn for s in view.segments} == {0}


@pytest.mark.parametrize(
    "request_",
    [
        {"prompt": [1, 2, 3]},
        {"prompt": [[1, 2], [3]]},
        {"prompt": ["a", 1]},
        {"input": [1, 2]},
        {"input": [[1], [2]]},
        {"prompt": "x", "prompt_embeds": "AAAA"},
    ],
)
def test_what_nobody_can_read_is_unsupported(scanner: ScannerFactory, request_: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedBody) as caught:
        view_of(scanner, request_)
    assert caught.value.status_hint == 415


@pytest.mark.parametrize("keys", [("messages", "prompt"), ("messages", "input"), ("prompt", "input")])
def test_keys_of_two_dialects_are_ambiguous_until_told(scanner: ScannerFactory, keys: tuple[str, str]) -> None:
    values: dict[str, Any] = {"messages": [{"role": "user", "content": "m"}], "prompt": "p", "input": "i"}
    request = {key: values[key] for key in keys}
    with pytest.raises(UnsupportedBody, match="ambiguous"):
        view_of(scanner, request)
    fits = {"messages": "openai-chat", "prompt": "openai-completions", "input": "openai-responses"}[keys[0]]
    assert sorted(view_of(scanner, request, fits).text().split()) == sorted(key[0] for key in keys)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_body_must_hold_what_its_dialect_needs(scanner: ScannerFactory, dialect: str) -> None:
    with pytest.raises(MalformedBody, match="needs"):
        view_of(scanner, {"model": "m", "messages": None, "input": None, "prompt": None}, dialect)


SECRET = "the hidden text"


@pytest.mark.parametrize(
    "request_",
    [
        {"messages": [{"role": "user", "content": {"text": SECRET}}]},
        {"messages": [{"role": "user", "content": [SECRET]}]},
        {"messages": [{"role": "user", "content": [[{"text": {"value": SECRET}}]]}]},
        {"messages": [{"role": "user", "content": [{"type": "unheard_of", "unheard_of": SECRET}]}]},
        {"messages": [{"role": "user", "content": [{SECRET: 1}]}]},
        {"messages": [{"role": SECRET, "content": ""}]},
        {"messages": [{"role": "user", "name": SECRET}]},
        {"messages": [{"role": "tool", "tool_call_id": SECRET}]},
        {"messages": [{"role": "assistant", "reasoning_content": SECRET}]},
        {"messages": [{"role": "assistant", "function_call": {"name": "f", "arguments": SECRET}}]},
        {"messages": [{"role": "assistant", "tool_calls": [{"function": {"arguments": {"image": SECRET}}}]}]},
        {"messages": [{"role": "user", "content": [{"type": SECRET}]}]},
        {"messages": [{"role": "user", "content": [{"source": {"data": SECRET, "type": "text"}}]}]},
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"title": SECRET}}]}]},
        {"messages": [{"role": "user", "content": [{"type": "tool_use", "input": {SECRET: 1, "file": "x"}}]}]},
        {"messages": [{"role": "user", "content": [{"type": "tool_use", "input": {"type": {"id": SECRET}}}]}]},
        {"messages": [], "tools": [{"name": "f", "input_schema": {"properties": {SECRET: {"type": "string"}}}}]},
        {"messages": [], "tools": [{"name": SECRET}]},
        {"messages": [], "tools": [{"function": {"name": "f", "parameters": {"enum": [[SECRET]]}}}]},
        {"messages": [], "functions": [{"name": "f", "description": SECRET}]},
        {"messages": [], "system": [{"text": SECRET}]},
        {"messages": [], "response_format": {"json_schema": {"schema": {"description": SECRET}}}},
        {"messages": [], "prediction": {"type": "content", "content": SECRET}},
        {"messages": [], "documents": [{"title": "t", "body": SECRET}]},
        {"messages": [], "chat_template": SECRET},
        {"prompt": "x", "suffix": SECRET},
        {"input": "x", "instructions": SECRET},
        {"input": [{"type": "custom_tool_call_output", "output": [{"type": "input_text", "text": SECRET}]}]},
        {"input": [{"type": "code_interpreter_call", "code": SECRET, "outputs": [{"logs": SECRET}]}]},
        {"input": [{"type": "file_search_call", "results": [{"text": SECRET}], "queries": ["q"]}]},
        {"input": [{"type": "web_search_call", "action": {"query": SECRET}}]},
        {"input": [{"type": "mcp_list_tools", "tools": [{"name": "t", "description": SECRET}]}]},
        {"input": "x", "text": {"format": {"schema": {"description": SECRET}}}},
    ],
    ids=lambda r: orjson.dumps(r).decode()[:70],
)
def test_no_place_hides_text(scanner: ScannerFactory, request_: dict[str, Any]) -> None:
    assert SECRET in view_of(scanner, request_).text()


def test_keys_and_ids_that_say_nothing_are_no_text(scanner: ScannerFactory) -> None:
    call = {"id": "call_9zX", "type": "function", "index": 0, "function": {"name": "f", "arguments": "{}"}}
    view = view_of(scanner, {"messages": [{"role": "assistant", "tool_calls": [call], "content": None}]})
    assert [s.text for s in view.segments] == ["f", "{}"]


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("/v1/chat/completions", "openai-chat"),
        ("/openai/deployments/gpt/chat/completions?api-version=1", "openai-chat"),
        ("chat/completions/", "openai-chat"),
        ("/v1/completions", "openai-completions"),
        ("/v1/responses", "openai-responses"),
        ("/api/v1/embeddings", "openai-embeddings"),
        ("/anthropic/v1/messages", "anthropic-messages"),
        ("/v1/threads/t_1/messages", None),
        ("/v1/messages/batches", None),
        ("/mychat/completionsx", None),
        ("", None),
    ],
)
def test_paths_tell_the_dialect(path: str, dialect: str | None) -> None:
    assert dialect_of_path(path) == dialect
