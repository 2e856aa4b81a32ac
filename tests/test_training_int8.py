"""The encoder's int8 graph gives a row the same result in any batch, and one close to the float graph's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))


@pytest.fixture(scope="module")
def int8() -> Any:
    pytest.importorskip("onnx", reason="the encoder's training writes ONNX")
    pytest.importorskip("onnxruntime", reason="the encoder's training measures with ONNX Runtime")
    import encoder_int8

    return encoder_int8


def _graph(rng: np.random.Generator) -> Any:
    import onnx
    from onnx import helper

    weights = {"w1": rng.normal(size=(64, 96)), "w2": rng.normal(size=(96, 64)), "table": rng.normal(size=(1500, 64))}
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["words"]),
        helper.make_node("MatMul", ["words", "w1"], ["inner"]),
        helper.make_node("Relu", ["inner"], ["active"]),
        helper.make_node("MatMul", ["active", "w2"], ["out"]),
    ]
    graph = helper.make_graph(
        nodes,
        "two layers",
        [helper.make_tensor_value_info("ids", onnx.TensorProto.INT64, ["batch", "sequence"])],
        [helper.make_tensor_value_info("out", onnx.TensorProto.FLOAT, ["batch", "sequence", 64])],
        [onnx.numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _run(model: Any, ids: NDArray[np.int64]) -> NDArray[np.float32]:
    import onnxruntime  # type: ignore[import-untyped]

    logits: NDArray[np.float32] = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"ids": ids})[0]
    return logits


def test_int8_rows_do_not_depend_on_the_batch_and_stay_close(int8: Any) -> None:
    rng = np.random.default_rng(1)
    model = _graph(rng)
    ids = rng.integers(0, 1500, (6, 20))
    exact = _run(model, ids)
    rounded = int8.quantized(model, [{"ids": ids[:1]}])
    batch = _run(rounded, ids)
    assert all(np.array_equal(batch[i : i + 1], _run(rounded, ids[i : i + 1])) for i in range(6))
    assert np.abs(batch - exact).max() < 0.03 * np.abs(exact).max()


@given(lowest=st.floats(0.0, 4.0))
def test_zero_point_leaves_room_for_the_lowest_value(int8: Any, lowest: float) -> None:
    values = np.array([[1.0, -lowest], [1.0, 0.0]])
    zero = int8.zero_point(values)
    assert 1 <= zero <= 128
    assert zero / (255 - zero) >= min(lowest, 1.0 / lowest if lowest > 1 else lowest) * 0.99 or zero == 128
