"""Hold the attention op, wherever a session runs it, to the float64 reference: the core of a backend's self-test.

A case is a one-node model, written here byte by byte so that a machine needs ONNX Runtime and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np

from routekit.attention import DOMAIN, attention_reference

if TYPE_CHECKING:
    from routekit.tensors import FloatArray

__all__ = ["GRID", "AttentionCase", "AttentionResult", "attention_model", "check_attention"]

Bias: TypeAlias = Literal["none", "padding", "full"]

_ELEMENT = {"float32": 1, "float16": 10}
_BIASES: tuple[Bias, ...] = ("none", "padding", "full")


@dataclass(frozen=True, slots=True)
class AttentionCase:
    """One call: sizes, the window on both sides (-1: open), and what bias it has.

    Attributes
    ----------
    bias
        ``"padding"``: one row per sequence, whose last third is masked; ``"full"``: one number per query and key.
    """

    batch: int
    heads: int
    n_tokens: int
    head_dim: int
    window: int
    bias: Bias


#: What every device takes: head_dim 32, 64 and 128; lengths that fill tiles and lengths that do not.
GRID: tuple[AttentionCase, ...] = tuple(
    AttentionCase(2, 3, n_tokens, head_dim, window, bias)
    for n_tokens, head_dim, window, bias in product((1, 77, 256, 515), (32, 64, 128), (-1, 64), _BIASES)
)


@dataclass(frozen=True, slots=True)
class AttentionResult:
    """How far a case lies from float64, and how far it may: twice the plain computation in the same precision."""

    case: AttentionCase
    max_error: float
    allowed: float

    @property
    def passed(self) -> bool:
        return self.max_error <= self.allowed


class Session(Protocol):
    """The part of ``onnxruntime.InferenceSession`` that a check needs."""

    def run(self, names: None, feeds: Mapping[str, FloatArray], /) -> list[Any]: ...


def check_attention(
    open_session: Callable[[bytes], Session],
    dtype: Literal["float32", "float16"] = "float32",
    cases: Iterable[AttentionCase] = GRID,
) -> list[AttentionResult]:
    """Run cases of the op and compare each with the float64 reference.

    Parameters
    ----------
    open_session
        Makes a session of a serialized model, with the op registered and on the device in question.
    dtype
        The device's element type.

    Returns
    -------
    One result per case, in their order. NaN in an output is an infinite error.
    """
    return [_check(open_session, dtype, case) for case in cases]


def _check(
    open_session: Callable[[bytes], Session], dtype: Literal["float32", "float16"], case: AttentionCase
) -> AttentionResult:
    feeds = {name: x.astype(dtype) for name, x in _draw(case).items()}
    out = np.asarray(open_session(attention_model(dtype, case)).run(None, feeds)[0], np.float64)
    exact, plain = (_reference(feeds, case, precision) for precision in ("float64", dtype))
    rounding = 4 * float(np.finfo(dtype).eps) * float(np.abs(feeds["v"]).max())
    error = float(np.abs(out - exact).max()) if out.shape == exact.shape else np.inf
    return AttentionResult(case, error if error == error else np.inf, 2 * float(np.abs(plain - exact).max()) + rounding)


def _draw(case: AttentionCase) -> dict[str, FloatArray]:
    rng = np.random.default_rng([case.n_tokens, case.head_dim])
    shape = (case.batch, case.heads, case.n_tokens, case.head_dim)
    feeds: dict[str, FloatArray] = {name: rng.standard_normal(shape) for name in "qkv"}
    if case.bias == "padding":
        feeds["bias"] = np.zeros((case.batch, 1, 1, case.n_tokens))
        feeds["bias"][..., case.n_tokens - case.n_tokens // 3 :] = -np.inf
    elif case.bias == "full":
        feeds["bias"] = rng.standard_normal((case.batch, case.heads, case.n_tokens, case.n_tokens))
    return feeds


def _reference(feeds: Mapping[str, FloatArray], case: AttentionCase, precision: str) -> FloatArray:
    inputs: dict[str, Any] = {name: x.astype(precision) for name, x in feeds.items()}
    out = attention_reference(**inputs, window_left=case.window, window_right=case.window)
    exact: FloatArray = out.astype(np.float64)
    return exact


def attention_model(dtype: Literal["float32", "float16"], case: AttentionCase) -> bytes:
    """Serialize the one-node ONNX model of a case; its inputs are q, k, v and, where it has one, bias.

    Examples
    --------
    >>> b"FlashAttention" in attention_model("float32", AttentionCase(1, 1, 8, 32, -1, "none"))
    True
    """
    names = ["q", "k", "v", *(["bias"] if case.bias != "none" else [])]
    attributes = {"window_left": case.window, "window_right": case.window}
    node = b"".join(_field(1, name.encode()) for name in names) + _field(2, b"out") + _field(4, b"FlashAttention")
    node += b"".join(_field(5, _int_attribute(*item)) for item in attributes.items()) + _field(7, DOMAIN.encode())
    graph = _field(1, node) + _field(2, b"attention")
    graph += b"".join(_field(11, _value(name, _ELEMENT[dtype])) for name in names)
    graph += _field(12, _value("out", _ELEMENT[dtype]))
    opsets = _field(8, _field(1, b"") + _number(2, 17)) + _field(8, _field(1, DOMAIN.encode()) + _number(2, 1))
    return _number(1, 8) + _field(7, graph) + opsets


def _value(name: str, element: int) -> bytes:
    """Encode a ValueInfoProto of rank 4 whose sizes are open but named."""
    shape = b"".join(_field(1, _field(2, f"{name}{axis}".encode())) for axis in range(4))
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, element) + _field(2, shape)))


def _int_attribute(name: str, value: int) -> bytes:
    attribute_is_int = 2
    return _field(1, name.encode()) + _number(3, value) + _number(20, attribute_is_int)


def _field(tag: int, payload: bytes) -> bytes:
    """Encode a length-delimited protobuf field."""
    return _varint(tag << 3 | 2) + _varint(len(payload)) + payload


def _number(tag: int, value: int) -> bytes:
    return _varint(tag << 3) + _varint(value & (1 << 64) - 1)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
