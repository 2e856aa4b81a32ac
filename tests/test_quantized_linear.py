"""routekit::QuantizedLinear and its stock ops against the plain arithmetic, on every instruction set of a machine."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flash_attention_op import instruction_sets, open_session, serialized
from routekit.attention import DOMAIN, library_path

onnx = pytest.importorskip("onnx", reason="needs routekit[rewrite]")
ort = pytest.importorskip("onnxruntime", reason="needs routekit[rewrite]")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from routekit.graph.quantized import quantize_linear_layers  # noqa: E402
from routekit.graph.whole_numbers import WholeWeights, limit, rotated  # noqa: E402

needs_op = pytest.mark.skipif(library_path() is None, reason="routekit's op library is not built")
EVERY_ISA = pytest.mark.parametrize("isa", instruction_sets())
BITS = pytest.mark.parametrize("bits", [8, 16])


def _graph(whole: WholeWeights, x_shape: list[Any], weights: np.ndarray | None = None, **attributes: Any) -> bytes:
    packed = whole.packed() if weights is None else weights
    values = [helper.make_tensor_value_info("x", TensorProto.FLOAT, x_shape)]
    outputs = [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)]
    node = helper.make_node(
        "QuantizedLinear", ["x", "weights", "scales"], ["out"], domain=DOMAIN, **{"bits": whole.bits, **attributes}
    )
    tensors = [numpy_helper.from_array(packed, "weights"), numpy_helper.from_array(whole.scales, "scales")]
    return serialized(helper.make_graph([node], "linear", values, outputs, tensors))


def _op(whole: WholeWeights, x: np.ndarray, isa: str = "", n_threads: int = 1) -> np.ndarray:
    if isa:
        os.environ["ROUTEKIT_CK_FA_ISA"] = isa
    try:
        session = open_session(_graph(whole, [f"axis{i}" for i in range(x.ndim - 1)] + [x.shape[-1]]), n_threads)
    finally:
        os.environ.pop("ROUTEKIT_CK_FA_ISA", None)
    return np.asarray(session.run(None, {"x": x})[0])


def _allowed(whole: WholeWeights, x: np.ndarray) -> Any:
    """Bound the difference that rounding can make: one step in few of a row's numbers, times the largest weight."""
    turned = rotated(x.astype(np.float64))
    step = np.abs(turned).max(axis=-1, keepdims=True, initial=0) / limit(x.shape[-1], whole.bits)
    largest = np.abs(whole.numbers * whole.scales.astype(np.float64)).max(initial=0)
    return (2 + x.shape[-1] / 200) * step * largest + 1e-6


@st.composite
def layers(draw: st.DrawFn) -> tuple[WholeWeights, np.ndarray]:
    depth, columns = draw(st.integers(1, 200)), draw(st.integers(1, 120))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lead = draw(st.sampled_from([(), (1,), (7,), (2, 33), (1, 2, 3), (0,), (2, 0)]))
    x = rng.standard_normal((*lead, depth), dtype=np.float32) * draw(st.sampled_from([0.0, 1e-3, 1.0, 1e4]))
    x[..., 0] *= draw(st.sampled_from([1, 1000]))
    weights = rng.standard_normal((depth, columns)) * draw(st.sampled_from([0.0, 1.0, 100.0]))
    return WholeWeights.of(weights.astype(np.float32), draw(st.sampled_from([8, 16]))), x.astype(np.float32)


@needs_op
@settings(max_examples=120, deadline=None)
@given(layer=layers(), isa=st.sampled_from(instruction_sets()), n_threads=st.sampled_from([1, 2]))
def test_op_matches_the_plain_arithmetic(layer: tuple[WholeWeights, np.ndarray], isa: str, n_threads: int) -> None:
    whole, x = layer
    out = _op(whole, x, isa, n_threads)
    assert out.shape == (*x.shape[:-1], len(whole.scales))
    assert np.all(np.abs(out - whole.apply(x)) <= _allowed(whole, x))


@needs_op
@EVERY_ISA
@BITS
def test_op_gives_every_row_the_same_whatever_stands_beside_it(isa: str, bits: int) -> None:
    rng = np.random.default_rng(0)
    whole = WholeWeights.of(rng.standard_normal((96, 50)), bits)
    x = rng.standard_normal((70, 96), dtype=np.float32)
    beside = x.copy()
    beside[1::2] *= 1e6
    np.testing.assert_array_equal(_op(whole, beside, isa)[::2], _op(whole, x, isa)[::2])
    np.testing.assert_array_equal(_op(whole, x[:1], isa), _op(whole, x, isa)[:1])


@needs_op
@EVERY_ISA
@BITS
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_reaches_its_row_and_no_other(isa: str, bits: int, value: float) -> None:
    rng = np.random.default_rng(0)
    whole = WholeWeights.of(rng.standard_normal((80, 20)), bits)
    x = rng.standard_normal((5, 80), dtype=np.float32)
    clean = _op(whole, x, isa)
    x[2, 71] = value
    out = _op(whole, x, isa)
    assert np.isnan(out[2]).all()
    np.testing.assert_array_equal(np.delete(out, 2, 0), np.delete(clean, 2, 0))


@needs_op
@EVERY_ISA
@BITS
@pytest.mark.parametrize("depth", [7, 768, 3072])
def test_largest_numbers_do_not_overflow(isa: str, bits: int, depth: int) -> None:
    most = limit(depth, bits)
    numbers = np.full((depth, 3), most, np.int32) * np.array([1, -1, 1], np.int32)
    whole = WholeWeights(numbers, np.ones(3, np.float32), bits)
    x = rotated(np.ones((2, depth), np.float32)) / 64  # rotated again, these are ones
    out = _op(whole, x, isa)
    np.testing.assert_allclose(out, np.array([[1, -1, 1]] * 2) * float(most) * depth, rtol=1e-6)


@BITS
def test_rounded_weights_are_near_the_exact_ones(bits: int) -> None:
    rng = np.random.default_rng(0)
    weights, x = rng.standard_normal((768, 96)), rng.standard_normal((20, 768))
    x[:, 5] *= 300  # as encoders have them
    gap = WholeWeights.of(weights, bits).apply(x) - x @ weights
    assert np.abs(gap).std() < (0.03 if bits == 8 else 2e-3) * (x @ weights).std()


@needs_op
@pytest.mark.parametrize(
    ("shape", "weights", "attributes", "message"),
    [
        ([2, 40], None, {}, r"x is \[2, 40\].*expected weights \[2, 10, 64\]"),
        ([2, 32], np.zeros((2, 8, 63), np.uint8), {}, r"weights are \[2, 8, 63\]"),
        ([], None, {}, r"x is \[\]"),
        ([2, 32], None, {"bits": 4}, "bits is 4"),
        ([2, 32], None, {"bits": 8.0}, "bits is not of type INT"),
    ],
)
def test_bad_arguments_are_quoted(
    shape: list[int], weights: np.ndarray | None, attributes: dict[str, Any], message: str
) -> None:
    whole = WholeWeights.of(np.ones((32, 20)), 8)
    with pytest.raises(Exception, match=message):
        open_session(_graph(whole, shape, weights, **attributes)).run(None, {"x": np.zeros(shape, np.float32)})


def _two_layers(kind: str, depth: int) -> Any:
    rng = np.random.default_rng(5)
    shapes = {"first": (depth, 96), "second": (80, 96) if kind == "Gemm" else (96, 80), "bias": (80,)}
    tensors = [numpy_helper.from_array(rng.normal(size=s).astype(np.float32), n) for n, s in shapes.items()]
    second = ["hidden", "second", "bias"] if kind == "Gemm" else ["hidden", "second"]
    attributes: dict[str, Any] = {"transB": 1} if kind == "Gemm" else {}
    nodes = [
        helper.make_node("MatMul", ["x", "first"], ["hidden"]),
        helper.make_node(kind, second, ["last"], **attributes),
        helper.make_node("Identity", ["last"], ["out"]),
    ]
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", depth])
    output = helper.make_tensor_value_info("out", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "layers", [value], [output], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


@needs_op
@pytest.mark.parametrize("kind", ["MatMul", "Gemm"])
@pytest.mark.parametrize("depth", [24, 128, 150])
def test_stock_ops_compute_what_the_op_computes(kind: str, depth: int) -> None:
    """But for the last bit of a sum, which may turn one of a row's numbers by a step."""
    model = _two_layers(kind, depth)
    x = np.random.default_rng(1).standard_normal((37, depth), dtype=np.float32)
    x[3], x[4], x[5, :2] = 0, 1e-35, 1e4
    exact = open_session(model.SerializeToString()).run(None, {"x": x})[0]
    outs = []
    for with_op in (True, False):
        quantised = quantize_linear_layers(_two_layers(kind, depth), 8, with_op=with_op)
        outs.append(open_session(quantised.SerializeToString()).run(None, {"x": x})[0])
    size = np.abs(exact).max(axis=1, keepdims=True) + 1e-30
    assert (np.abs(outs[0] - outs[1]) / size).max() < 5e-3
    assert np.median(np.abs(outs[0] - outs[1]) / size) < 2e-7
    assert 1e-4 < (np.abs(outs[0] - exact) / size).max() < 5e-2


def test_layers_that_are_no_plain_products_stay_as_they_are() -> None:
    model = _two_layers("Gemm", 64)
    model.graph.node[1].attribute.append(helper.make_attribute("alpha", 0.5))
    quantised = quantize_linear_layers(model, 8, with_op=False)
    assert [n.op_type for n in quantised.graph.node].count("Gemm") == 1
