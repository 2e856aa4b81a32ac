"""routekit::FlashAttention under a real ONNX Runtime, on every instruction set of this machine."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flash_attention_op import instruction_sets, model, open_session, random_feeds, reference, run, serialized
from routekit.attention import library_path

if TYPE_CHECKING:
    from routekit.tensors import FloatArray

pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")
pytestmark = pytest.mark.skipif(library_path() is None, reason="needs the compiled native/ck_fa")

ISAS = instruction_sets()
LOWEST = float(np.finfo(np.float32).min)
EVERY_ISA = pytest.mark.parametrize("isa", ISAS)


def assert_as_good_as_plain(out: FloatArray, feeds: Mapping[str, FloatArray], **attributes: Any) -> None:
    """Hold the op to twice the error of the plain float32 computation, both against float64.

    A score of magnitude m is rounded by up to eps m, which its weight then is off by, as a share: a plain computation
    that got away with less is luck.
    """
    attributes.pop("allow_bf16", None)
    exact = reference(feeds, **attributes)
    plain = reference(feeds, np.float32, **attributes)
    assert out.dtype == np.float32
    assert out.shape == exact.shape
    bias = feeds.get("bias", np.zeros(1, np.float32))
    largest_score = np.abs(bias[bias > LOWEST / 2]).max(initial=1)
    rounding = 4 * np.finfo(np.float32).eps * largest_score * np.abs(feeds["v"]).max(initial=0)
    allowed = 2 * np.abs(plain - exact).max(initial=0) + rounding
    assert np.abs(out - exact).max(initial=0) <= allowed


@st.composite
def problems(draw: st.DrawFn) -> tuple[dict[str, FloatArray], dict[str, Any]]:
    batch, heads = draw(st.integers(0, 3)), draw(st.integers(1, 3))
    n_queries, n_keys = draw(st.integers(0, 140)), draw(st.integers(0, 300))
    head_dim = draw(st.sampled_from((1, 3, 8, 16, 32, 33, 64, 80)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    feeds = random_feeds(rng, (batch, heads, n_queries, head_dim), n_keys)
    if draw(st.booleans()):
        sizes = [draw(st.sampled_from(sorted({1, n}))) for n in (batch, heads, n_queries)]
        feeds["bias"] = rng.standard_normal((*sizes, n_keys), dtype=np.float32)
        hidden = rng.random(feeds["bias"].shape) < draw(st.sampled_from((0.0, 0.3, 1.0)))
        feeds["bias"][hidden] = draw(st.sampled_from((-np.inf, LOWEST, -1e4)))
    windows = st.one_of(st.just(-1), st.integers(0, 80), st.just(2**62))
    return feeds, {
        "window_left": draw(windows),
        "window_right": draw(windows),
        "scale": draw(st.sampled_from((0.0, 0.3))),
    }


@settings(max_examples=150, deadline=None)
@given(problem=problems(), isa=st.sampled_from(ISAS))
def test_op_matches_reference(problem: tuple[dict[str, FloatArray], dict[str, Any]], isa: str) -> None:
    feeds, attributes = problem
    assert_as_good_as_plain(run(isa, feeds, **attributes), feeds, **attributes)


@EVERY_ISA
@pytest.mark.parametrize("head_dim", [1, 5, 16, 32, 64, 80, 128, 160, 256])
@pytest.mark.parametrize("window", [-1, 0, 20, 64])
def test_op_matches_reference_for_head_dim(isa: str, head_dim: int, window: int) -> None:
    feeds = random_feeds(np.random.default_rng(head_dim), (1, 2, 331, head_dim), 331)
    attributes = {"window_left": window, "window_right": window}
    assert_as_good_as_plain(run(isa, feeds, **attributes), feeds, **attributes)


@EVERY_ISA
@pytest.mark.parametrize("masked", [-np.inf, LOWEST])
@pytest.mark.parametrize("bias_queries", [1, 200])
def test_row_without_a_visible_key_is_zero(isa: str, masked: float, bias_queries: int) -> None:
    feeds = random_feeds(np.random.default_rng(0), (2, 2, 200, 16), 400)
    feeds["bias"] = np.zeros((2, 1, bias_queries, 400), np.float32)
    feeds["bias"][1] = masked
    out = run(isa, feeds)
    assert np.all(out[1] == 0)
    assert np.all(np.isfinite(out[0]))


@EVERY_ISA
def test_query_beyond_all_keys_of_its_window_is_zero(isa: str) -> None:
    feeds = random_feeds(np.random.default_rng(0), (1, 1, 100, 16), 10)
    out = run(isa, feeds, window_left=5, window_right=5)
    assert np.all(out[0, 0, 15:] == 0)
    assert np.all(np.any(out[0, 0, :15] != 0, axis=-1))


@EVERY_ISA
def test_keys_masked_by_a_finite_number_throughout_weigh_alike(isa: str) -> None:
    feeds = random_feeds(np.random.default_rng(0), (1, 1, 3, 16), 40)
    feeds["q"][:] = 0
    feeds["bias"] = np.full((1, 1, 1, 40), -1e4, np.float32)
    np.testing.assert_allclose(run(isa, feeds), np.repeat(feeds["v"].mean(2, keepdims=True), 3, 2).tolist(), atol=1e-6)


@EVERY_ISA
def test_large_scores_do_not_overflow(isa: str) -> None:
    feeds = random_feeds(np.random.default_rng(0), (1, 2, 60, 64), 300)
    feeds["q"] *= 300
    assert_as_good_as_plain(run(isa, feeds), feeds)


def as_bf16(x: FloatArray) -> FloatArray:
    """Round float32 to the nearest bfloat16, ties to even."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    values: FloatArray = rounded.astype(np.uint32).view(np.float32)
    return values


@pytest.mark.skipif("avx512_bf16" not in ISAS, reason="needs AVX512-BF16")
@pytest.mark.parametrize("head_dim", [3, 16, 33, 64, 128])
@pytest.mark.parametrize("window", [-1, 30])
def test_bf16_is_as_good_as_rounding_the_inputs(head_dim: int, window: int) -> None:
    feeds = random_feeds(np.random.default_rng(head_dim), (1, 3, 501, head_dim), 501)
    windows: dict[str, Any] = {"window_left": window, "window_right": window}
    exact = reference(feeds, **windows)
    rounded = reference({name: as_bf16(x) for name, x in feeds.items()}, **windows)
    out = run("avx512_bf16", feeds, allow_bf16=1, **windows)
    assert np.abs(out - exact).max() <= 2 * np.abs(rounded - exact).max()
    assert np.any(out != run("avx512_bf16", feeds, **windows))


@pytest.mark.skipif("avx512_bf16" not in ISAS, reason="needs AVX512-BF16")
def test_bf16_hides_what_is_masked() -> None:
    feeds = random_feeds(np.random.default_rng(0), (2, 1, 70, 16), 151)
    feeds["bias"] = np.zeros((2, 1, 1, 151), np.float32)
    feeds["bias"][0] = -np.inf
    feeds["bias"][1, ..., 75:] = LOWEST
    feeds["v"][1, ..., 75:, :] = 1e30
    out = run("avx512_bf16", feeds, allow_bf16=1)
    assert np.all(out[0] == 0)
    assert np.abs(out[1]).max() < 10


@EVERY_ISA
def test_nan_reaches_its_own_row_only(isa: str) -> None:
    feeds = random_feeds(np.random.default_rng(0), (1, 1, 60, 16), 200)
    feeds["q"][0, 0, 7, 3] = np.nan
    broken = np.isnan(run(isa, feeds)[0, 0]).all(axis=-1)
    assert np.flatnonzero(broken).tolist() == [7]
    feeds["v"][0, 0, 0, 0] = np.nan
    assert np.isnan(run(isa, feeds)[0, 0, :, 0]).all()


@EVERY_ISA
def test_result_does_not_depend_on_threads_or_neighbours(isa: str) -> None:
    feeds = random_feeds(np.random.default_rng(0), (4, 3, 130, 32), 130)
    alone = run(isa, feeds)
    np.testing.assert_array_equal(run(isa, feeds, n_threads=4), alone)
    np.testing.assert_array_equal(run(isa, {n: x[2:3] for n, x in feeds.items()}), alone[2:3])


def test_sessions_share_the_library_and_run_side_by_side() -> None:
    feeds = random_feeds(np.random.default_rng(0), (1, 4, 200, 32), 200)
    expected = run("portable", feeds)
    sessions = [open_session(model(), n_threads=2) for _ in range(3)]
    with ThreadPoolExecutor(6) as pool:
        futures = [pool.submit(sessions[i % 3].run, None, feeds) for i in range(24)]
        for future in futures:
            np.testing.assert_allclose(future.result()[0], expected, atol=2e-6)


def test_session_outlives_another_on_the_library() -> None:
    feeds = random_feeds(np.random.default_rng(0), (1, 1, 4, 8), 4)
    kept, dropped = open_session(model()), open_session(model())
    del dropped
    assert kept.run(None, feeds)[0].shape == (1, 1, 4, 8)


def test_float16_graph_runs_on_the_cpu() -> None:
    feeds = random_feeds(np.random.default_rng(0), (1, 2, 50, 32), 50)
    halves = {name: x.astype(np.float16) for name, x in feeds.items()}
    out = open_session(model(dtype="FLOAT16")).run(None, halves)[0]
    assert out.dtype == np.float16
    np.testing.assert_allclose(out, reference(halves), atol=2e-3)


def test_output_has_the_shape_of_q() -> None:
    assert open_session(model()).get_outputs()[0].shape == ["q0", "q1", "q2", "q3"]


def test_anonymous_dimension_is_not_folded_into_what_follows() -> None:
    from onnx import TensorProto, helper

    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, 2, None, 4]) for name in "qkv"]
    nodes = [
        helper.make_node("FlashAttention", list("qkv"), ["attended"], domain="routekit"),
        helper.make_node("Shape", ["attended"], ["shape"]),
    ]
    out = helper.make_tensor_value_info("shape", TensorProto.INT64, None)
    opened = open_session(serialized(helper.make_graph(nodes, "attention", inputs, [out])))
    for batch, length in ((1, 3), (2, 5)):
        feeds = {name: np.zeros((batch, 2, length, 4), np.float32) for name in "qkv"}
        assert opened.run(None, feeds)[0].tolist() == [batch, 2, length, 4]


@pytest.mark.parametrize(
    ("shapes", "quoted"),
    [
        ({"q": (1, 2, 3, 4), "k": (1, 2, 5, 8), "v": (1, 2, 5, 8)}, ["[1, 2, 3, 4]", "[1, 2, 5, 8]"]),
        ({"q": (1, 2, 3, 4), "k": (1, 2, 5, 4), "v": (1, 2, 6, 4)}, ["[1, 2, 5, 4]", "[1, 2, 6, 4]"]),
        ({"q": (1, 2, 3, 4), "k": (1, 1, 5, 4), "v": (1, 1, 5, 4)}, ["[1, 1, 5, 4]"]),
        ({"q": (2, 2, 3, 4), "k": (1, 2, 5, 4), "v": (1, 2, 5, 4)}, ["[2, 2, 3, 4]"]),
        ({"q": (1, 2, 3, 4), "k": (1, 2, 3, 4), "v": (1, 2, 3, 4), "bias": (1, 2, 3, 4)}, ["[1, 2, 3, 4]", "3 keys"]),
        ({"q": (1, 2, 3, 4), "k": (1, 2, 3, 4), "v": (1, 2, 3, 4), "bias": (2, 1, 1, 3)}, ["[2, 1, 1, 3]"]),
        ({"q": (1, 2, 3, 4), "k": (1, 2, 3, 4), "v": (1, 2, 3, 4), "bias": (1, 1, 0, 3)}, ["[1, 1, 0, 3]"]),
    ],
)
def test_shapes_that_do_not_fit_are_quoted(shapes: dict[str, tuple[int, ...]], quoted: list[str]) -> None:
    opened = open_session(model(len(shapes)))
    with pytest.raises(Exception, match=r"routekit\.FlashAttention") as caught:
        opened.run(None, {name: np.zeros(shape, np.float32) for name, shape in shapes.items()})
    assert "INVALID_ARGUMENT" in str(caught.value)
    for shape in quoted:
        assert shape in str(caught.value)


def test_rank_that_does_not_fit_is_quoted() -> None:
    from onnx import TensorProto, helper

    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in "qkv"]
    node = helper.make_node("FlashAttention", list("qkv"), ["out"], domain="routekit")
    out = helper.make_tensor_value_info("out", TensorProto.FLOAT, None)
    opened = open_session(serialized(helper.make_graph([node], "attention", inputs, [out])))
    with pytest.raises(Exception, match=r"\[2, 3, 4\]"):
        opened.run(None, {name: np.zeros((2, 3, 4), np.float32) for name in "qkv"})


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ((("window_left", -2),), "window is -2"),
        ((("scale", float("nan")),), "scale is nan"),
        ((("window_right", 1.5),), "window_right is not of type INT"),
        ((("scale", 1),), "scale is not of type FLOAT"),
    ],
)
def test_attribute_that_does_not_fit_is_refused_at_load(attributes: tuple[tuple[str, Any], ...], message: str) -> None:
    with pytest.raises(Exception, match=message):
        open_session(model(attributes=attributes))


def test_unknown_instruction_set_is_refused_at_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUTEKIT_CK_FA_ISA", "mmx")
    with pytest.raises(Exception, match=r"'mmx'; this machine and build run: .*portable"):
        open_session(model())
