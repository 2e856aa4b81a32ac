"""Where in a row of a log the request is, and what is known about it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard, Union

import orjson

from routekit.body import json_of
from routekit.errors import UsageError, quoted
from routekit.pools.usage import prompt_tokens

#: What is true of a request for one signal: whether it is positive, or its labels.
Label: TypeAlias = Union[bool, frozenset[str]]

#: What may be expected of a decision.
EXPECTATIONS = ("rule", "model", "action")
#: Longest label: a longer text is a prompt in the wrong column, which no file may hold.
_MAX_LABEL = 200
#: Keys that tell a request body, in any dialect.
_BODY_KEYS = ("messages", "input", "prompt")


@dataclass(frozen=True, slots=True)
class LabelledRequest:
    """One row of a log.

    Attributes
    ----------
    source, line
        Name of the log and place in it, from 1; together the identity of the row.
    body
        The request as bytes, left out of the repr.
    metadata
        What rules ask for by `header` and `metadata`.
    labels
        Signal -> what is true.
    expected
        ``"rule"``, ``"model"``, ``"action"`` -> what the decision should say.
    prompt_tokens, completion_tokens
        What the server counted, None if unknown.
    """

    source: str
    line: int
    id: str
    body: bytes = field(repr=False)
    metadata: Mapping[str, object] = field(default_factory=dict, repr=False)
    labels: Mapping[str, Label] = field(default_factory=dict)
    expected: Mapping[str, str] = field(default_factory=dict)
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of the columns, or keys, of a row; those that a row does not have are optional.

    Attributes
    ----------
    request
        The body: a mapping, or JSON as text or bytes.
    text
        A prompt, where there is no body: it becomes a chat completion request for `model`.
    labels
        One column that holds a mapping of signals to labels, or signal -> column. A label is true or false (or 1, 0),
        a label's name, or a list of names.
    expected
        One column that holds a mapping with ``rule``, ``model`` or ``action``, or such a mapping to columns.
    usage
        A usage object of OpenAI or Anthropic.

    A row that has neither column but ``messages``, ``input`` or ``prompt`` is a body itself; its ``metadata`` is then
    the client's, and no header.

    Examples
    --------
    >>> columns = Columns(text="prompt_text", labels={"jailbreak": "is_attack"})
    >>> columns.read({"prompt_text": "Hello", "is_attack": 0}, "log", 1).labels
    {'jailbreak': False}
    """

    request: str = "request"
    text: str = "text"
    id: str = "id"
    labels: str | Mapping[str, str] = "labels"
    expected: str | Mapping[str, str] = "expected"
    metadata: str = "metadata"
    usage: str = "usage"
    model: str = "auto"

    def __post_init__(self) -> None:
        if not isinstance(self.expected, str) and (unknown := set(self.expected) - set(EXPECTATIONS)):
            raise UsageError(f"Columns.expected has {quoted(str(min(unknown)))}; allowed: {', '.join(EXPECTATIONS)}")

    def read(self, row: object, source: str, line: int) -> LabelledRequest:
        """Read one row.

        Raises
        ------
        UsageError
            Saying what is wrong with the row, without its text.
        """
        if isinstance(row, (bytes, bytearray, memoryview)):
            return LabelledRequest(source, line, str(line), bytes(row))
        if isinstance(row, str):
            return LabelledRequest(source, line, str(line), self._chat(row))
        if not isinstance(row, Mapping):
            raise UsageError(f"the row is a {type(row).__name__}; expected: a mapping, a body as bytes or a prompt")
        body, is_whole = self._body(row)
        usage = row.get(self.usage)
        return LabelledRequest(
            source,
            line,
            _id(row.get(self.id), line),
            body,
            {} if is_whole else _mapping(row.get(self.metadata), "metadata"),
            _labels(_gathered(row, self.labels, "labels")),
            _expected(_gathered(row, self.expected, "expected")),
            prompt_tokens(usage),
            _completion_tokens(usage),
        )

    def _body(self, row: Mapping[str, object]) -> tuple[bytes, bool]:
        """Give the body, and whether the row is nothing else."""
        request, text = _known(row.get(self.request)), _known(row.get(self.text))
        if isinstance(request, Mapping):
            return json_of(request), False
        if isinstance(request, (str, bytes)):
            return request.encode("utf-8", "surrogatepass") if isinstance(request, str) else request, False
        if isinstance(text, str):
            return self._chat(text), False
        if request is None and text is None and any(key in row for key in _BODY_KEYS):
            return json_of(row), True
        found = f"{quoted(self.request)} is a {type(row.get(self.request)).__name__} and {quoted(self.text)}"
        raise UsageError(
            f"{found} a {type(row.get(self.text)).__name__}; expected: a body (mapping or JSON) in "
            f"{quoted(self.request)}, a prompt in {quoted(self.text)}, or a body as the row; see Columns"
        )

    def _chat(self, text: str) -> bytes:
        try:
            return orjson.dumps({"model": self.model, "messages": [{"role": "user", "content": text}]})
        except TypeError:
            raise UsageError("the prompt holds lone surrogates; expected: valid Unicode") from None


def _known(value: object) -> object:
    """Take NaN and NA, which data frames put for what is missing, for None."""
    missing = isinstance(value, float) and math.isnan(value)
    return None if missing or type(value).__name__ in ("NAType", "NaTType") else value


def is_unicode(value: object) -> TypeGuard[str]:
    """Say whether a value is a text that a file can hold: without lone surrogates."""
    return isinstance(value, str) and (value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value))


def _id(value: object, line: int) -> str:
    value = _known(value)
    if value is None:
        return str(line)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**200:
        value = str(value)
    if not is_unicode(value) or len(value) > 200:
        raise UsageError(
            f"the id is a {type(value).__name__}; expected: an integer, or a text of at most 200 characters, all of "
            "them valid Unicode"
        )
    return value


def _mapping(value: object, what: str) -> dict[str, object]:
    value = _known(value)
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(map(is_unicode, value)):
        raise UsageError(f"{what} is a {type(value).__name__}; expected: a mapping of names, valid Unicode, to values")
    return dict(value)


def _gathered(row: Mapping[str, object], where: str | Mapping[str, str], what: str) -> dict[str, object]:
    if isinstance(where, str):
        return _mapping(row.get(where), what)
    return {name: row.get(column) for name, column in where.items()}


def _labels(values: Mapping[str, object]) -> dict[str, Label]:
    known = {signal: _known(value) for signal, value in values.items()}
    return {signal: _label(signal, value) for signal, value in known.items() if value is not None}


def _label(signal: str, value: object) -> Label:
    value = value.tolist() if hasattr(value, "tolist") else value  # arrays and scalars of numpy
    if isinstance(value, (bool, int, float)) and value in (0, 1):
        return bool(value)
    if _is_label(value):
        return frozenset({value})
    if isinstance(value, (list, tuple, Set)) and all(map(_is_label, value)):
        return frozenset(value)
    raise UsageError(
        f"the label of {quoted(signal)} is a {type(value).__name__}; expected: true or false (1 or 0), a label, or a "
        f"list of labels, each a text of at most {_MAX_LABEL} characters"
    )


def _is_label(value: object) -> TypeGuard[str]:
    return is_unicode(value) and len(value) <= _MAX_LABEL


def _expected(values: Mapping[str, object]) -> dict[str, str]:
    expected = {name: _known(value) for name, value in values.items()}
    for name, value in expected.items():
        if name not in EXPECTATIONS:
            raise UsageError(f"expected has the key {quoted(name)}; allowed: {', '.join(EXPECTATIONS)}")
        if value is not None and not is_unicode(value):
            raise UsageError(f"expected {name} is a {type(value).__name__}; expected: a text of valid Unicode")
    return {name: value for name, value in expected.items() if isinstance(value, str)}


def _completion_tokens(usage: object) -> int | None:
    if not isinstance(usage, Mapping):
        return None
    for name in ("completion_tokens", "output_tokens"):
        n_tokens = usage.get(name)
        if type(n_tokens) is int and 0 <= n_tokens < 2**63:
            return n_tokens
    return None
