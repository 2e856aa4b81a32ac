"""What OnnxClassifier loads from a directory and serves, and what it refuses there: graphs, labels, arguments."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routekit import OnnxClassifier
from routekit.backends.cpu import CpuBackend
from routekit.checks import check_backend
from routekit.errors import BackendNotFound, BackendUnavailable, ConfigError, InferenceError, ModelFormatError
from routekit.tensors import ModelFiles

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
import encoder_models  # noqa: E402
import tiny_tokenizers  # noqa: E402
from tiny_tokenizers import LONG  # noqa: E402

EncoderDir = Callable[..., Path]


@pytest.fixture
def folder(encoder_dir: EncoderDir, tmp_path: Path) -> Path:
    """A copy that a test may break."""
    return Path(shutil.copytree(encoder_dir("bert"), tmp_path / "model"))


def graph_name(classifier: OnnxClassifier) -> str:
    session: Any = classifier._session
    return str(session.graph.name)


def edit(folder: Path, **changes: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **changes}))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("task", ["sequence", "token"])
def test_damaged_weights_are_an_inference_error_and_the_session_lives(folder: Path, bad: float, task: str) -> None:
    encoder_models.save(folder, "bert", task)
    model = onnx.load(folder / "model.onnx")
    table = max(model.graph.initializer, key=lambda w: w.dims[0] if len(w.dims) == 2 else 0)
    weights = onnx.numpy_helper.to_array(table).copy()
    classifier = OnnxClassifier.from_dir(folder)
    poisoned = int(classifier.tokenizer.encode("anna").input_ids[0])
    weights[poisoned] = bad
    table.CopyFrom(onnx.numpy_helper.from_array(weights, table.name))
    onnx.save(model, folder / "model.onnx")
    classifier = OnnxClassifier.from_dir(folder, n_threads=1)
    with pytest.raises(InferenceError, match="NaN or infinite"):
        classifier.classify(["Anna Smith"])
    assert classifier.classify(["what"])


def test_labels_that_the_graph_does_not_have_are_refused_at_load(folder: Path) -> None:
    edit(folder, id2label={"0": "a", "1": "b"}, label2id={"a": 0, "b": 1})
    with pytest.raises(ModelFormatError, match=r"model\.onnx.*2 labels.*\(1, 3\).*config\.json"):
        OnnxClassifier.from_dir(folder)


def test_wrong_task_is_refused_at_load(folder: Path) -> None:
    edit(folder, architectures=["XForTokenClassification"])
    with pytest.raises(ModelFormatError, match="token classification"):
        OnnxClassifier.from_dir(folder)


def test_tokenizer_of_another_vocabulary_is_refused(folder: Path) -> None:
    tokenizer = tiny_tokenizers.wordpiece()
    tokenizer.add_tokens([f"extra{i}" for i in range(50)])
    tokenizer.save(str(folder / "tokenizer.json"))
    with pytest.raises(ModelFormatError, match=r"tokenizer\.json' has \d+ token ids, the model \d+"):
        OnnxClassifier.from_dir(folder)
    encoder_models.save(folder, "bert", vocab_extra=5000)
    with pytest.raises(ModelFormatError, match=r"tokenizer\.json"):
        OnnxClassifier.from_dir(folder)


def test_padding_id_outside_the_vocabulary_is_refused(folder: Path) -> None:
    edit(folder, pad_token_id=100_000)
    with pytest.raises(ModelFormatError, match="pad_token_id is 100000"):
        OnnxClassifier.from_dir(folder)


def test_broken_graphs_fall_through_to_one_that_loads(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good = folder / "classifier.onnx"
    (folder / "model.onnx").rename(good)
    (folder / "model_sdpa_fp16.onnx").write_bytes(b"")
    (folder / "model.onnx").write_bytes(good.read_bytes()[:5000])
    classifier = OnnxClassifier.from_dir(folder)
    assert graph_name(classifier) == "classifier.onnx"
    good.write_bytes(b"no onnx at all")
    with pytest.raises(ModelFormatError) as caught:
        OnnxClassifier.from_dir(folder)
    for name in ("model_sdpa_fp16.onnx", "model.onnx", "classifier.onnx"):
        assert name in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_graph_that_only_the_runtime_refuses_falls_through(folder: Path) -> None:
    model = onnx.load(folder / "model.onnx")
    model.graph.node[0].op_type = "NoSuchOperator"
    onnx.save(model, folder / "model_sdpa_fp16.onnx")
    assert graph_name(OnnxClassifier.from_dir(folder)) == "model.onnx"
    (folder / "model.onnx").unlink()
    with pytest.raises(ModelFormatError, match=r"model_sdpa_fp16\.onnx.*NoSuchOperator") as caught:
        OnnxClassifier.from_dir(folder)
    assert str(folder) not in str(caught.value)


def test_weights_outside_the_directory_are_refused(folder: Path, tmp_path: Path) -> None:
    model = onnx.load(folder / "model.onnx")
    (tmp_path / "secret.bin").write_bytes(b"\0" * 100_000)
    weight = model.graph.initializer[0]
    onnx.external_data_helper.set_external_data(weight, "../secret.bin")
    weight.ClearField("raw_data")
    weight.data_location = onnx.TensorProto.EXTERNAL
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(ModelFormatError, match="outside the model directory"):
        OnnxClassifier.from_dir(folder)


def test_weights_beside_the_graph_are_read_or_missed(folder: Path) -> None:
    model = onnx.load(folder / "model.onnx")
    onnx.save(model, folder / "model.onnx", save_as_external_data=True, location="model.onnx_data", size_threshold=1000)
    assert OnnxClassifier.from_dir(folder).classify(["hello"])
    (folder / "model.onnx_data").unlink()
    with pytest.raises(ModelFormatError, match=r"model\.onnx_data' are missing"):
        OnnxClassifier.from_dir(folder)


def test_operators_of_strangers_are_not_loaded(folder: Path) -> None:
    model = onnx.load(folder / "model.onnx")
    model.graph.node[0].domain = "com.evil"
    onnx.save(model, folder / "model.onnx")
    (folder / "libevil.so").write_bytes(b"\x7fELF")
    with pytest.raises(ModelFormatError, match=r"operators of 'com\.evil'"):
        OnnxClassifier.from_dir(folder)


@pytest.mark.parametrize("name", ["output", "predictions", "output_0", "token_logits", "anything"])
def test_published_names_of_the_output_are_found(folder: Path, name: str) -> None:
    before = OnnxClassifier.from_dir(folder).classify(["hello"])
    model = onnx.load(folder / "model.onnx")
    model.graph.node[-1].output[0] = model.graph.output[0].name = name
    if name != "anything":
        norm = next(node for node in model.graph.node if node.op_type == "LayerNormalization")
        hidden = onnx.helper.make_tensor_value_info(norm.output[0], onnx.TensorProto.FLOAT, None)
        model.graph.output.insert(0, hidden)
    onnx.save(model, folder / "model.onnx")
    assert OnnxClassifier.from_dir(folder).classify(["hello"]) == before


def test_inputs_of_type_int32_are_served(folder: Path) -> None:
    before = OnnxClassifier.from_dir(folder).classify(["hello"])
    model = onnx.load(folder / "model.onnx")
    for value in model.graph.input:
        value.type.tensor_type.elem_type = onnx.TensorProto.INT32
        node = onnx.helper.make_node("Cast", [value.name], [f"{value.name}_64"], to=int(onnx.TensorProto.INT64))
        for other in model.graph.node:
            other.input[:] = [f"{name}_64" if name == value.name else name for name in other.input]
        model.graph.node.insert(0, node)
    onnx.save(model, folder / "model.onnx")
    assert OnnxClassifier.from_dir(folder).classify(["hello"]) == before


def test_graph_of_one_row_gets_one_row(folder: Path) -> None:
    texts = ["hello", "hello there", LONG]
    before = OnnxClassifier.from_dir(folder, signal="jailbreak").classify(texts)
    model = onnx.load(folder / "model.onnx")
    for value in model.graph.input:
        value.type.tensor_type.shape.dim[0].dim_value = 1
    onnx.save(model, folder / "model.onnx")
    for a, b in zip(before, OnnxClassifier.from_dir(folder, signal="jailbreak").classify(texts), strict=True):
        assert dict(a.probabilities) == pytest.approx(dict(b.probabilities), abs=1e-5)


def test_dynamic_scales_get_one_row_so_that_neighbours_cannot_shift_a_text(folder: Path) -> None:
    quantization = pytest.importorskip("onnxruntime.quantization")
    quantization.quantize_dynamic(folder / "model.onnx", folder / "int8.onnx", weight_type=quantization.QuantType.QInt8)
    (folder / "int8.onnx").rename(folder / "model.onnx")
    classifier = OnnxClassifier.from_dir(folder, n_threads=1)
    texts = ["Please summarise the report.", "0 " * 100, LONG, "x"]
    alone = [classifier.classify([text])[0] for text in texts]
    assert classifier.classify(texts) == alone


def test_multi_label_uses_the_sigmoid(folder: Path) -> None:
    single = OnnxClassifier.from_dir(folder).classify(["hello"])[0].probabilities
    edit(folder, problem_type="multi_label_classification")
    classifier = OnnxClassifier.from_dir(folder)
    assert classifier.multi_label
    several = classifier.classify(["hello"])[0].probabilities
    odds = {label: p / (1 - p) for label, p in several.items()}
    assert {label: o / sum(odds.values()) for label, o in odds.items()} == pytest.approx(dict(single))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"long_text": "cut"}, "long_text is 'cut'"),
        ({"max_tokens": 2}, "max_tokens is 2; allowed: at least 3"),
        ({"max_tokens": 10_000}, "max_tokens is 10000; the model allows at most 130"),
        ({"stride": 0}, "stride is 0; allowed: 1 to 128"),
        ({"stride": 129}, "stride is 129"),
        ({"aggregate": "median"}, "aggregate is 'median'"),
        ({"threshold": 0.0}, r"threshold is 0\.0"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"positive": {"evil"}}, "positive has 'evil'"),
        ({"positive": "jailbreak"}, "positive has 'jailbreak'; expected a set"),
        ({"n_threads": 0}, "n_threads is 0"),
        ({"provider_options": ["x"]}, "provider_options is a list"),
        ({"batch_tokens": 0}, "batch_tokens is 0"),
        ({"screens": [object()]}, "screens are for long_text='compress'"),
    ],
)
def test_arguments_outside_what_is_allowed_are_refused(
    encoder_dir: EncoderDir, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        OnnxClassifier.from_dir(encoder_dir("bert"), signal="jailbreak", **arguments)


def test_unknown_backend_is_named(encoder_dir: EncoderDir) -> None:
    with pytest.raises(BackendNotFound, match=r"'abacus'"):
        OnnxClassifier.from_dir(encoder_dir("bert"), "abacus")


@pytest.mark.parametrize("backend", ["cuda", "rocm", "migraphx"])
def test_absent_provider_is_unavailable_not_the_cpu(encoder_dir: EncoderDir, backend: str) -> None:
    if any(name.lower().startswith(backend) for name in runtime.get_available_providers()):
        pytest.skip("this ONNX Runtime has the provider")
    with pytest.raises(BackendUnavailable, match=f"(?i){backend}ExecutionProvider.*routekit.{backend}"):
        OnnxClassifier.from_dir(encoder_dir("bert"), backend)


def test_flash_graph_runs_where_the_op_is_built(folder: Path) -> None:
    from routekit.attention import DOMAIN, library_path

    model = onnx.load(folder / "model.onnx")
    graph = model.graph
    q = next(
        node.output[0]
        for node in graph.node
        if node.op_type == "Transpose" and list(node.attribute[0].ints) == [0, 2, 1, 3]
    )
    producer = next(i for i, node in enumerate(graph.node) if node.op_type == "MatMul" and node.input[0] == q)
    graph.node.insert(producer, onnx.helper.make_node("FlashAttention", [q, q, q], ["unused"], domain=DOMAIN))
    model.opset_import.append(onnx.helper.make_opsetid(DOMAIN, 1))
    graph.output.append(onnx.helper.make_tensor_value_info("unused", 1, None))
    onnx.save(model, folder / "model_fa.onnx")
    loaded = graph_name(OnnxClassifier.from_dir(folder))
    assert loaded == ("model.onnx" if library_path() is None else "model_fa.onnx")


def test_files_are_values_that_options_travel_in(encoder_dir: EncoderDir) -> None:

    files = ModelFiles(encoder_dir("bert"), (encoder_dir("bert") / "model.onnx",), {"n_threads": 1})
    assert CpuBackend().load(files).max_batch_rows is None
    with pytest.raises(ConfigError, match="unknown backend option 'speed'"):
        CpuBackend().load(replace(files, options={"speed": 9}))


def test_conformance_suite_of_plugins_accepts_the_backend(encoder_dir: EncoderDir) -> None:
    for task in ("sequence", "token"):
        folder = encoder_dir("modernbert", task)
        check_backend(CpuBackend(), ModelFiles(folder, (folder / "model.onnx",)))
