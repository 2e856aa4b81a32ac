"""Reading a model directory: what is accepted, and that what is wrong is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from routekit import model_directory
from routekit.errors import ModelFormatError
from routekit.model_directory import read_model_directory

CONFIG: dict[str, Any] = {
    "architectures": ["BertForSequenceClassification"],
    "model_type": "bert",
    "id2label": {"0": "benign", "1": "jailbreak"},
    "max_position_embeddings": 512,
    "pad_token_id": 0,
    "vocab_size": 100,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "model"
    (root / "onnx").mkdir(parents=True)
    write(root)
    (root / "tokenizer.json").write_text("{}")
    (root / "model.onnx").write_bytes(b"x")
    return root


def write(root: Path, **changes: Any) -> None:
    (root / "config.json").write_text(json.dumps({**CONFIG, **changes}))


def test_directory_of_transformers_is_read(folder: Path) -> None:
    directory = read_model_directory(folder)
    assert directory.labels == ("benign", "jailbreak")
    assert (directory.task, directory.multi_label, directory.max_tokens) == ("sequence", False, 512)
    assert (directory.pad_id, directory.vocab_size) == (0, 100)


def test_graphs_are_tried_in_the_published_order(folder: Path) -> None:
    for name in ("zoo.onnx", "model_optimized.onnx", "model_sdpa_fp16.onnx", "classifier.onnx", "model_fa.onnx"):
        (folder / name).write_bytes(b"x")
    (folder / "model_fa_fp16.onnx").write_bytes(b"x")
    (folder / "onnx" / "model.onnx").write_bytes(b"x")
    plain = [str(graph.relative_to(folder)) for graph in read_model_directory(folder).graphs]
    assert plain == [
        "model_sdpa_fp16.onnx",
        "model.onnx",
        "classifier.onnx",
        "model_optimized.onnx",
        "zoo.onnx",
        "onnx/model.onnx",
    ]
    flash = [graph.name for graph in read_model_directory(folder, with_custom_op=True).graphs]
    assert flash[:3] == ["model_fa_fp16.onnx", "model_fa.onnx", "model_sdpa_fp16.onnx"]


@pytest.mark.parametrize(
    ("changes", "task"),
    [
        ({"architectures": ["XForTokenClassification"]}, "token"),
        ({"architectures": None, "id2label": {"0": "O", "1": "B-PERSON"}}, "token"),
        ({"architectures": None}, "sequence"),
        ({"architectures": ["Odd"], "id2label": {"0": "O", "1": "yes"}}, "sequence"),
    ],
)
def test_task_follows_architecture_then_labels(folder: Path, changes: dict[str, Any], task: str) -> None:
    write(folder, **changes)
    assert read_model_directory(folder).task == task


def test_positions_of_roberta_begin_after_padding(folder: Path) -> None:
    write(folder, model_type="xlm-roberta", max_position_embeddings=514, pad_token_id=1)
    assert read_model_directory(folder).max_tokens == 512


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.onnx"])
def test_missing_file_is_named_with_a_remedy(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelFormatError) as caught:
        read_model_directory(folder)
    assert name in str(caught.value)
    assert "save" in str(caught.value) or "export" in str(caught.value)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.onnx", "jailbreak_type_mapping.json"])
def test_links_out_of_the_directory_are_refused(folder: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    source = folder / name if (folder / name).exists() else folder / "config.json"
    shutil.copy(source, outside)
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    with pytest.raises(ModelFormatError, match="link out of the model directory"):
        read_model_directory(folder)


def test_linked_directory_itself_and_links_inside_are_fine(folder: Path, tmp_path: Path) -> None:
    (folder / "classifier.onnx").symlink_to(folder / "model.onnx")
    (tmp_path / "link").symlink_to(folder)
    assert len(read_model_directory(tmp_path / "link").graphs) == 2


def test_linked_onnx_folder_outside_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "model.onnx").write_bytes(b"x")
    (folder / "onnx").rmdir()
    (folder / "onnx").symlink_to(tmp_path / "other")
    with pytest.raises(ModelFormatError, match="link out"):
        read_model_directory(folder)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'"x"', b"[" * 100_000])
def test_damaged_config_is_named(folder: Path, content: bytes) -> None:
    (folder / "config.json").write_bytes(content)
    with pytest.raises(ModelFormatError, match=r"config\.json"):
        read_model_directory(folder)


def test_large_files_are_refused_by_size(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_directory, "MAX_JSON_BYTES", 10)
    with pytest.raises(ModelFormatError, match=r"config\.json' has \d+ bytes; allowed: 10"):
        read_model_directory(folder)
    monkeypatch.undo()
    monkeypatch.setattr(model_directory, "MAX_TOKENIZER_BYTES", 1)
    with pytest.raises(ModelFormatError, match=r"tokenizer\.json' has 2 bytes; allowed: 1"):
        read_model_directory(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_labels": 3}, "num_labels is '3', but 2 labels"),
        ({"pad_token_id": -1}, "pad_token_id"),
        ({"vocab_size": "many"}, "vocab_size"),
        ({"max_position_embeddings": 1 << 40}, "max_position_embeddings"),
        ({"pad_token_id": True}, "pad_token_id"),
    ],
)
def test_wrong_numbers_are_named(folder: Path, changes: dict[str, Any], message: str) -> None:
    write(folder, **changes)
    with pytest.raises(ModelFormatError, match=message):
        read_model_directory(folder)


def test_mapping_beside_the_config_must_agree(folder: Path) -> None:
    mapping = folder / "jailbreak_type_mapping.json"
    mapping.write_text(
        '{"label_to_idx": {"jailbreak": 1, "benign": 0}, "idx_to_label": {"0": "benign", "1": "jailbreak"}}'
    )
    assert read_model_directory(folder).labels == ("benign", "jailbreak")
    mapping.write_text('{"label_to_idx": {"jailbreak": 0, "benign": 1}}')
    with pytest.raises(ModelFormatError, match=r"config\.json.*jailbreak_type_mapping\.json.*correct or remove"):
        read_model_directory(folder)


def test_no_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFormatError, match="no directory"):
        read_model_directory(tmp_path / "nowhere")
