"""Rewriting real exports: ModernBERT and BERT of every exporter agree afterwards; what is not understood is refused."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from routekit.attention import library_path
from routekit.errors import ConfigError, ModelFormatError
from routekit.onnx_file import read_onnx_summary

onnx = pytest.importorskip("onnx", reason="needs routekit[rewrite]")
ort = pytest.importorskip("onnxruntime", reason="needs routekit[rewrite]")

from routekit.graph import rewrite  # noqa: E402
from routekit.graph.command import main  # noqa: E402
from routekit.graph.quantized import quantize_linear_layers  # noqa: E402
from routekit.graph.rewriter import Precision, Target  # noqa: E402

EXPORTS = Path(__file__).parent / "exports"
REFUSED = {"modernbert_seq_sdpa_torchscript_fp16", "deberta_seq_eager_torchscript"}
NAMES = sorted(path.name.removesuffix(".onnx.gz") for path in EXPORTS.glob("*.gz"))
MODERNBERT = "modernbert_seq_sdpa_torchscript"
needs_op = pytest.mark.skipif(library_path() is None, reason="routekit's op library is not built")


Export = Callable[[str], Path]


@pytest.fixture
def export(tmp_path: Path) -> Export:
    def unpack(name: str) -> Path:
        path = tmp_path / f"{name}.onnx"
        path.write_bytes(gzip.decompress((EXPORTS / f"{name}.onnx.gz").read_bytes()))
        return path

    return unpack


def _run(path: Path, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
    options = ort.SessionOptions()
    options.log_severity_level = 4
    library = library_path()
    if library is not None:
        options.register_custom_ops_library(str(library))
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"input_ids": ids, "attention_mask": mask})[0])


@pytest.mark.parametrize("target", ["cpu", "stock"])
@pytest.mark.parametrize("name", [name for name in NAMES if name not in REFUSED])
def test_rewrite_agrees_with_the_original(export: Export, tmp_path: Path, name: str, target: Target) -> None:
    source, out = export(name), tmp_path / "out.onnx"
    report = rewrite(source, out, target)
    assert report.max_error < (2e-3 if "fp16" in name else 2e-5)
    assert report.max_layer_error < (2e-3 if "fp16" in name else 1e-5)
    half_stock = "fp16" in name and (target == "stock" or library_path() is None)
    assert report.n_rewritten == (1 if half_stock else 3), str(report)
    if name.startswith("modernbert") and not half_stock:
        assert [(x.window_left, x.window_right) for x in report.layers] == [(-1, -1), (16, 16), (16, 16)]
    rng = np.random.default_rng(7)
    length = 150 if name.startswith("bert") else 333
    ids, mask = rng.integers(5, 48, (1, length)), np.ones((1, length), np.int64)
    gap = np.abs(_run(out, ids, mask).astype(float) - _run(source, ids, mask))
    assert gap.max() < (5e-3 if "fp16" in name else 5e-5)


@pytest.mark.parametrize("target", ["cpu", "stock"])
def test_rewrite_hides_padding_wherever_it_stands(export: Export, tmp_path: Path, target: Target) -> None:
    source, out = export(MODERNBERT), tmp_path / "out.onnx"
    rewrite(source, out, target)
    rng = np.random.default_rng(3)
    ids = rng.integers(5, 48, (4, 120))
    mask = (rng.random((4, 120)) < 0.7).astype(np.int64)
    mask[:, 40] = 1
    np.testing.assert_allclose(_run(out, ids, mask), _run(source, ids, mask), atol=2e-4)


def test_rewrite_removes_every_square_mask(export: Export, tmp_path: Path) -> None:
    out = tmp_path / "out.onnx"
    rewrite(export(MODERNBERT), out, "cpu")
    ops = [node.op_type for node in onnx.load(out).graph.node]
    assert "Softmax" not in ops or library_path() is None
    assert "IsNaN" not in ops
    assert "LessOrEqual" not in ops


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_rewrite_of_what_it_does_not_understand_is_refused(export: Export, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out.onnx"
    with pytest.raises(ModelFormatError) as caught:
        rewrite(export(name), out)
    assert ("relative positions" if "deberta" in name else "does not load") in str(caught.value)
    assert not out.exists()


def test_rewrite_that_would_differ_is_refused_and_nothing_is_written(export: Export, tmp_path: Path) -> None:
    out = tmp_path / "out.onnx"
    with pytest.raises(ModelFormatError, match=r"differs by .* nothing was written"):
        rewrite(export(MODERNBERT), out, precision="int8", max_error=1e-6)
    assert not out.exists()


def test_rewrite_of_a_mask_that_is_no_window_leaves_the_layer_alone(export: Export, tmp_path: Path) -> None:
    """A dilated window compares with the same constant, so only reading the numbers can tell it apart."""
    path = export("modernbert_seq_sdpa_dynamo")
    model = onnx.load(path)
    node = next(node for node in model.graph.node if node.op_type == "LessOrEqual")
    distance = node.input[0]
    two = onnx.numpy_helper.from_array(np.array(2, np.int64), "two")
    model.graph.initializer.append(two)
    index = list(model.graph.node).index(node)
    model.graph.node.insert(index, onnx.helper.make_node("Mod", [distance, "two"], ["odd"]))
    model.graph.node.insert(index + 1, onnx.helper.make_node("Mul", ["odd", node.input[1]], ["far"]))
    model.graph.node.insert(index + 2, onnx.helper.make_node("Add", [distance, "far"], ["dilated"]))
    node.input[0] = "dilated"
    onnx.save(model, path)
    report = rewrite(path, tmp_path / "out.onnx")
    assert [layer.op == "unchanged" for layer in report.layers] == [False, True, True]
    assert "neither a window nor all keys" in report.layers[1].reason


def test_rewrite_with_an_additive_bias_of_values_leaves_the_layer_alone(export: Export, tmp_path: Path) -> None:
    """ALiBi-like: the mask's zeros become a slope over distance."""
    path = export("modernbert_seq_sdpa_dynamo")
    model = onnx.load(path)
    distance = next(node for node in model.graph.node if node.op_type == "Abs").output[0]
    softmax = [node for node in model.graph.node if node.op_type == "Softmax"][1]
    added = next(node for node in model.graph.node if softmax.input[0] in node.output)
    slope = onnx.numpy_helper.from_array(np.array(-0.1, np.float32), "slope")
    model.graph.initializer.append(slope)
    index = list(model.graph.node).index(added)
    model.graph.node.insert(index, onnx.helper.make_node("Cast", [distance], ["float_distance"], to=1))
    model.graph.node.insert(index + 1, onnx.helper.make_node("Mul", ["float_distance", "slope"], ["alibi"]))
    model.graph.node.insert(index + 2, onnx.helper.make_node("Add", [added.input[1], "alibi"], ["biased"]))
    added.input[1] = "biased"
    onnx.save(model, path)
    report = rewrite(path, tmp_path / "out.onnx")
    assert [layer.op == "unchanged" for layer in report.layers] == [False, True, False]
    assert "additive bias" in report.layers[1].reason


@pytest.mark.parametrize("precision", ["bf16", "int16", "int8", "fp16"])
@pytest.mark.parametrize("name", [MODERNBERT, "bert_seq_sdpa_dynamo"])
def test_rewrite_in_lower_precision_stays_within_its_error(
    export: Export, tmp_path: Path, name: str, precision: Precision
) -> None:
    report = rewrite(export(name), tmp_path / "out.onnx", precision=precision)
    assert 0 < report.max_error <= report.allowed_error
    assert report.max_layer_error < 1e-5  # proven in float32, before precision was given up


@pytest.mark.parametrize("target", ["cpu", "stock"])
@pytest.mark.parametrize("precision", ["int16", "int8"])
@pytest.mark.parametrize("name", [MODERNBERT, "bert_seq_sdpa_dynamo"])
def test_quantised_text_gives_the_same_alone_and_beside_an_outlier(
    export: Export, tmp_path: Path, name: str, precision: Precision, target: Target
) -> None:
    out = tmp_path / "out.onnx"
    rewrite(export(name), out, target, precision=precision)
    assert not read_onnx_summary(out).batch_shares_scales
    rng = np.random.default_rng(11)
    ids = rng.integers(5, 48, (4, 90))
    ids[2:] = [
        [5],
        [47],
    ]  # one token, repeated
    mask = np.ones_like(ids)
    mask[1, 60:] = 0
    together = _run(out, ids, mask)
    alone = np.concatenate([_run(out, ids[i : i + 1], mask[i : i + 1]) for i in range(4)])
    # ONNX Runtime's own products round otherwise by the number of rows: 1e-6, unless it turns a number of 8 bits.
    np.testing.assert_allclose(together, alone, atol=1e-5 if precision == "int16" else 2e-2)


@pytest.mark.parametrize("kind", ["MatMul", "Gemm"])
def test_quantised_head_keeps_small_weights_beside_a_huge_one(kind: str) -> None:
    """Heads trained on a feature that is nearly constant look like this; one int8 scale would leave a constant."""
    rng = np.random.default_rng(5)
    body, head = rng.normal(size=(64, 64)).astype(np.float32), rng.normal(size=(64, 2)).astype(np.float32)
    body[:, 0], head[0] = 0.0, 1e5
    tensors = [onnx.numpy_helper.from_array(body, "body"), onnx.numpy_helper.from_array(head, "head")]
    nodes = [
        onnx.helper.make_node("MatMul", ["input", "body"], ["hidden"], name="first"),
        onnx.helper.make_node(kind, ["hidden", "head"], ["logits"], name="last"),
    ]
    values = [onnx.helper.make_tensor_value_info(name, 1, ["n", None]) for name in ("input", "logits")]
    graph = onnx.helper.make_graph(nodes, "head", values[:1], values[1:], tensors)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    quantised = quantize_linear_layers(model, with_op=False)
    assert sum(node.op_type == "MatMulInteger" for node in quantised.graph.node) == 1
    given = rng.normal(size=(8, 64)).astype(np.float32)
    session = ort.InferenceSession(quantised.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = given @ body @ head
    assert np.abs(session.run(None, {"input": given})[0] - expected).max() < 0.05 * np.abs(expected).max()


@needs_op
def test_bf16_is_allowed_only_when_asked_for(export: Export, tmp_path: Path) -> None:
    settings: tuple[tuple[Precision, int], ...] = (("fp32", 0), ("bf16", 1))
    for precision, allowed in settings:
        out = tmp_path / f"{precision}.onnx"
        rewrite(export(MODERNBERT), out, precision=precision)
        ours = [node for node in onnx.load(out).graph.node if node.domain == "routekit"]
        assert {a.i for node in ours for a in node.attribute if a.name == "allow_bf16"} == {allowed}


def test_rewrite_arguments_that_cannot_be_are_config_errors(export: Export, tmp_path: Path) -> None:
    source = export(MODERNBERT)
    for arguments in ({"target": "tpu"}, {"precision": "fp8"}, {"max_error": -1.0}, {"max_error": float("nan")}):
        with pytest.raises(ConfigError):
            rewrite(source, tmp_path / "out.onnx", **arguments)
    with pytest.raises(ConfigError, match="out_path is in_path"):
        rewrite(source, source)


@pytest.mark.parametrize("content", [b"", b"not onnx", b"\x08\x07" * 50])
def test_rewrite_of_no_onnx_file_names_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelFormatError):
        rewrite(path, tmp_path / "out.onnx")


def test_command_prints_what_became_of_every_layer(
    export: Export, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(export(MODERNBERT)), str(tmp_path / "out.onnx"), "--target", "stock"]) == 0
    printed = capsys.readouterr().out
    assert "3 of 3 attention layers rewritten" in printed
    assert "window 16 left, 16 right" in printed


def test_command_fails_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "absent.onnx"), str(tmp_path / "out.onnx")]) == 2
    assert capsys.readouterr().err.startswith("routekit rewrite: ModelFormatError: 'absent.onnx' cannot be read")


def test_large_weights_are_saved_beside_the_graph(
    export: Export, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routekit.graph.rewriter._LARGE_BYTES", 1000)
    source, out = export(MODERNBERT), tmp_path / "out.onnx"
    for _ in range(2):  # the second time over the first
        rewrite(source, out)
    weights = tmp_path / "out.onnx.weights"
    assert out.stat().st_size + weights.stat().st_size < 1.2 * source.stat().st_size
    assert read_onnx_summary(out).external == {weights.name}
    assert weights.stat().st_mode == out.stat().st_mode
    ids = np.random.default_rng(7).integers(5, 48, (1, 80))
    np.testing.assert_allclose(_run(out, ids, np.ones_like(ids)), _run(source, ids, np.ones_like(ids)), atol=5e-5)
