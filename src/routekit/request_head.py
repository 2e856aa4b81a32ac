"""What a request asks for beside its texts: model, stream flag, cap on output tokens, tools."""

from __future__ import annotations

from routekit.errors import MalformedBody
from routekit.grammar import Use
from routekit.request import BodyEvent, ModelFound, StreamFound

#: The largest cap a client may send; what fits a signed 64-bit count and then some.
MAX_OUTPUT_TOKENS = 2**63
#: Tools of these types go by their name; the others by their type (``web_search``), and by their name too if any.
_NAMED_TOOL_TYPES = frozenset(("function", "custom"))
_MAX_DIGITS = len(str(MAX_OUTPUT_TOKENS))


class RequestHead:
    """Collects the head of one request while its body is scanned.

    Attributes
    ----------
    model, stream, tools, max_output_tokens
        As in `RequestView`; of several caps the largest counts, which is the safe side for a token budget.
    """

    __slots__ = ("max_output_tokens", "model", "stream", "tools")

    def __init__(self) -> None:
        self.model: str | None = None
        self.stream = False
        self.tools: list[str] = []
        self.max_output_tokens: int | None = None

    def capture(self, use: Use | int, value: object, at: int) -> BodyEvent | None:
        """Take a value from the scanner: a string, or the token of a number or boolean as text.

        Raises
        ------
        MalformedBody
            If a cap on output tokens is no integer in [1, 2**63].
        """
        text = str(value)
        if use == Use.MODEL:
            self.model = text
            return ModelFound(text)
        if use == Use.STREAM:
            self.stream = text == "true"
            return StreamFound(self.stream)
        if use == Use.TOOL_NAME or (use == Use.TOOL_TYPE and text not in _NAMED_TOOL_TYPES):
            self.tools.append(text)
        elif use == Use.MAX_TOKENS:
            self.max_output_tokens = max(_token_cap(text, at), self.max_output_tokens or 0)
        return None


def _token_cap(token: str, at: int) -> int:
    if token.isdecimal() and len(token) <= _MAX_DIGITS and 0 < int(token) <= MAX_OUTPUT_TOKENS:
        return int(token)
    raise MalformedBody(
        f"the cap on output tokens at byte {at} is no integer from 1 to 2**63; send a positive integer or leave it out"
    )
