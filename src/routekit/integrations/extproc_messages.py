"""What an external processor answers to Envoy, as protobuf messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from envoy.config.core.v3.base_pb2 import HeaderValue, HeaderValueOption
from envoy.extensions.filters.http.ext_proc.v3.processing_mode_pb2 import ProcessingMode
from envoy.service.ext_proc.v3.external_processor_pb2 import (
    BodyMutation,
    BodyResponse,
    CommonResponse,
    HeaderMutation,
    HeadersResponse,
    ImmediateResponse,
    ProcessingResponse,
    StreamedBodyResponse,
    TrailersResponse,
)

from routekit.error_body import ErrorAnswer
from routekit.integrations.decision_headers import DECISION_HEADERS

#: The generated classes come without types.
Message: TypeAlias = Any

BODY_MODES: Mapping[str, int] = dict(ProcessingMode.BodySendMode.items())
#: A streamed answer is cut into messages of this many bytes, so that flow control can work between them.
CHUNK_BYTES = 64 * 1024


def header_values(headers: Message) -> dict[str, str]:
    """Read a header map: names in lower case, repeated ones joined as HTTP does."""
    values: dict[str, str] = {}
    for header in headers.headers:
        name, value = header.key.lower(), header.raw_value.decode("latin-1") if header.raw_value else header.value
        values[name] = f"{values[name]}, {value}" if name in values else value
    return values


def header_change(headers: Mapping[str, str], remove: Sequence[str] = ()) -> Message:
    """Set headers, and remove those that nobody but us may set."""
    options = [
        HeaderValueOption(
            header=HeaderValue(key=name, raw_value=value.encode("latin-1")),
            append_action=HeaderValueOption.HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD,
        )
        for name, value in headers.items()
    ]
    ours = [name for name in DECISION_HEADERS if name not in headers]
    return HeaderMutation(set_headers=options, remove_headers=[*ours, *remove])


def request_headers(change: Message, *, reroute: bool = False) -> Message:
    """Let the headers of a request go, changed."""
    common = CommonResponse(header_mutation=change, clear_route_cache=reroute)
    return ProcessingResponse(request_headers=HeadersResponse(response=common))


def request_body(body: bytes | None, change: Message | None = None) -> Message:
    """Let a part of a request's body go as it is (None), or something in its place."""
    mutation = None if body is None else BodyMutation(body=body)
    common = CommonResponse(header_mutation=change, body_mutation=mutation, clear_route_cache=change is not None)
    return ProcessingResponse(request_body=BodyResponse(response=common))


def request_parts(views: Iterable[memoryview], *, ends: bool) -> Iterator[Message]:
    """Send a whole request body in full-duplex mode; without an end where trailers follow."""
    pieces = [view[start : start + CHUNK_BYTES] for view in views for start in range(0, len(view), CHUNK_BYTES)]
    for i, piece in enumerate(pieces):
        yield duplex_body(bytes(piece), end=ends and i == len(pieces) - 1)


def duplex_body(body: bytes, *, end: bool) -> Message:
    """Send one part of a request's body in full-duplex mode."""
    streamed = BodyMutation(streamed_response=StreamedBodyResponse(body=body, end_of_stream=end))
    return ProcessingResponse(request_body=BodyResponse(response=CommonResponse(body_mutation=streamed)))


def request_trailers() -> Message:
    """Let the trailers of a request go."""
    return ProcessingResponse(request_trailers=TrailersResponse())


def response_headers(headers: Mapping[str, str]) -> Message:
    """Let the headers of a response go, with ours added."""
    common = CommonResponse(header_mutation=header_change(headers))
    return ProcessingResponse(response_headers=HeadersResponse(response=common))


def response_body(part: Message, *, duplex: bool) -> Message:
    """Let a part of a response's body go; in full-duplex mode it has to be sent back."""
    streamed = StreamedBodyResponse(body=part.body, end_of_stream=part.end_of_stream) if duplex else None
    mutation = None if streamed is None else BodyMutation(streamed_response=streamed)
    return ProcessingResponse(response_body=BodyResponse(response=CommonResponse(body_mutation=mutation)))


def response_trailers() -> Message:
    """Let the trailers of a response go."""
    return ProcessingResponse(response_trailers=TrailersResponse())


def refusal(answer: ErrorAnswer, headers: Mapping[str, str]) -> Message:
    """Answer the client in place of the model."""
    change = header_change({"content-type": "application/json", **headers})
    immediate = ImmediateResponse(
        status={"code": answer.status}, headers=change, body=answer.to_json(), details=f"routekit_{answer.code}"
    )
    return ProcessingResponse(immediate_response=immediate)
