"""The summary of an ONNX file against the onnx package, and against damage."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from routekit.errors import ModelFormatError
from routekit.onnx_file import n_weight_bytes, read_onnx_summary

onnx = pytest.importorskip("onnx")


@pytest.mark.parametrize("architecture", ["bert", "roberta", "deberta-v2", "modernbert"])
def test_summary_agrees_with_the_onnx_package(encoder_dir: Callable[..., Path], architecture: str) -> None:
    path = encoder_dir(architecture) / "model.onnx"
    summary = read_onnx_summary(path)
    graph = onnx.load(path).graph
    assert summary.operators == {(node.domain, node.op_type) for node in graph.node}
    assert summary.external == frozenset()
    (table,) = (node.input[0] for node in graph.node if node.op_type == "Gather" and node.input[1] == "input_ids")
    assert summary.n_embeddings == next(w.dims[0] for w in graph.initializer if w.name == table)
    assert not summary.batch_shares_scales


def test_summary_looks_into_subgraphs_and_finds_weights_elsewhere(tmp_path: Path) -> None:
    helper = onnx.helper
    weight = onnx.numpy_helper.from_array(np.zeros((4, 4), np.float32), "w")
    inner = helper.make_graph(
        [helper.make_node("FlashAttention", ["w"], ["y"], domain="routekit")], "inner", [], [], [weight]
    )
    branch = helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)
    model = helper.make_model(helper.make_graph([branch], "outer", [], []))
    path = tmp_path / "m.onnx"
    onnx.save(model, path)
    assert read_onnx_summary(path).domains == {"", "routekit"}
    onnx.external_data_helper.set_external_data(weight, "elsewhere.bin")
    weight.data_location = onnx.TensorProto.EXTERNAL
    model = helper.make_model(helper.make_graph([helper.make_node("Relu", ["w"], ["y"])], "g", [], [], [weight]))
    path.write_bytes(model.SerializeToString())
    assert read_onnx_summary(path).external == {"elsewhere.bin"}
    (tmp_path / "elsewhere.bin").write_bytes(b"x" * 100)
    assert n_weight_bytes(path) == path.stat().st_size + 100


def test_summary_reads_packed_and_unpacked_dims(tmp_path: Path) -> None:
    node = onnx.helper.make_node("Gather", ["w", "input_ids"], ["y"]).SerializeToString()
    for dims in (b"\x08\x07\x08\x03", b"\x0a\x02\x07\x03"):
        tensor = dims + b"\x42\x01w"
        graph = b"\x0a" + bytes([len(node)]) + node + b"\x2a" + bytes([len(tensor)]) + tensor
        path = tmp_path / "m.onnx"
        path.write_bytes(b"\x3a" + bytes([len(graph)]) + graph)
        assert read_onnx_summary(path).n_embeddings == 7


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(data=st.data())
def test_damaged_files_give_a_summary_or_a_typed_error(
    encoder_dir: Callable[..., Path], tmp_path: Path, data: st.DataObject
) -> None:
    original = (encoder_dir("bert") / "model.onnx").read_bytes()
    damaged = bytearray(original[: data.draw(st.integers(0, len(original)))])
    for _ in range(data.draw(st.integers(0, 4))):
        if damaged:
            # Most of a file is weights, so most hits are drawn among the nodes, which come first.
            at = data.draw(st.integers(0, min(len(damaged), 20_000) - 1))
            damaged[at] = data.draw(st.integers(0, 255))
    path = tmp_path / "m.onnx"
    path.write_bytes(damaged)
    with contextlib.suppress(ModelFormatError):
        read_onnx_summary(path)


def test_graphs_nested_without_end_are_refused(tmp_path: Path) -> None:
    def wrapped(field: bytes, inner: bytes) -> bytes:
        size, out = len(inner), bytearray()
        while size >= 0x80:
            out.append(size & 0x7F | 0x80)
            size >>= 7
        return field + bytes([*out, size]) + inner

    graph = b""
    for _ in range(2000):
        graph = wrapped(b"\x0a", wrapped(b"\x2a", wrapped(b"\x32", graph)))  # node, attribute, graph
    path = tmp_path / "deep.onnx"
    path.write_bytes(wrapped(b"\x3a", graph))
    with pytest.raises(ModelFormatError, match=r"deep\.onnx"):
        read_onnx_summary(path)
