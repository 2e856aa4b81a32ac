"""The op held to the reference through the public check, and the check's own model held to the onnx checker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

from flash_attention_op import open_session
from routekit.attention import attention_reference, library_path
from routekit.attention_check import GRID, AttentionCase, attention_model, check_attention

if TYPE_CHECKING:
    from routekit.tensors import FloatArray

CASE = AttentionCase(2, 3, 40, 32, -1, "padding")


class Reference:
    """A session that computes what the op should, plus an offset."""

    def __init__(self, offset: float = 0.0) -> None:
        self.offset = offset

    def run(self, names: None, feeds: Mapping[str, FloatArray], /) -> list[Any]:
        inputs: dict[str, Any] = dict(feeds)
        return [attention_reference(**inputs) + np.float32(self.offset)]


@pytest.mark.skipif(library_path() is None, reason="needs the compiled native/ck_fa")
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_op_passes_the_grid(dtype: Literal["float32", "float16"]) -> None:
    pytest.importorskip("onnxruntime")
    cases = GRID[::2] if dtype == "float32" else GRID[::13]  # NumPy multiplies float16 slowly
    assert [r for r in check_attention(open_session, dtype, cases) if not r.passed] == []


def test_check_passes_the_plain_computation() -> None:
    assert all(result.passed for result in check_attention(lambda graph: Reference(), cases=[CASE]))


@pytest.mark.parametrize("offset", [1e-3, np.nan, np.inf])
def test_check_fails_what_is_off(offset: float) -> None:
    (result,) = check_attention(lambda graph: Reference(offset), cases=[CASE])
    assert not result.passed
    assert result.case == CASE


def test_model_of_a_case_is_valid_onnx() -> None:
    onnx = pytest.importorskip("onnx")
    model = onnx.load_from_string(attention_model("float16", replace(CASE, window=64)))
    onnx.checker.check_model(model)
    node = model.graph.node[0]
    assert [node.domain, node.op_type, *node.input] == ["routekit", "FlashAttention", "q", "k", "v", "bias"]
    assert {a.name: a.i for a in node.attribute} == {"window_left": 64, "window_right": 64}
    opened = onnx.load_from_string(attention_model("float32", CASE)).graph.node[0].attribute
    assert [a.i for a in opened] == [-1, -1]
