"""Graphs rewritten when a model directory is loaded: same verdicts, nothing left behind unless asked for."""

from __future__ import annotations

import gc
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="needs routekit[rewrite]")
pytest.importorskip("onnx", reason="needs routekit[rewrite]")

import routekit as rk

TEXTS = ["a short text", "another one that goes on for some more words, and then some"]


@pytest.fixture
def model(encoder_dir: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    shutil.copytree(encoder_dir("modernbert"), tmp_path / "model")
    return tmp_path / "model"


def _probabilities(classifier: rk.OnnxClassifier) -> list[list[float]]:
    return [list(prediction.probabilities.values()) for prediction in classifier.classify(TEXTS)]


@pytest.mark.parametrize(("precision", "error"), [("fp32", 1e-5), ("bf16", 2e-2), ("int16", 2e-2), ("int8", 0.1)])
def test_rewritten_model_gives_the_same_probabilities(model: Path, precision: str, error: float) -> None:
    plain = rk.OnnxClassifier.from_dir(model)
    rewritten = rk.OnnxClassifier.from_dir(model, rewrite=precision)
    np.testing.assert_allclose(_probabilities(rewritten), _probabilities(plain), atol=error)


def test_rewritten_graph_lives_as_long_as_its_classifier(model: Path, tmp_path: Path) -> None:
    before = sorted(path.name for path in model.rglob("*"))
    classifier = rk.OnnxClassifier.from_dir(model, rewrite="fp32")
    assert list((tmp_path / "scratch").glob("routekit-*/*.onnx"))
    del classifier
    gc.collect()
    assert not list((tmp_path / "scratch").glob("routekit-*"))
    assert sorted(path.name for path in model.rglob("*")) == before


def test_kept_graph_is_used_again_until_the_original_changes(model: Path) -> None:
    first = rk.OnnxClassifier.from_dir(model, rewrite="fp32", keep_rewritten=True)
    (kept,) = (model / ".routekit").iterdir()
    written = kept.stat().st_mtime_ns
    again = rk.OnnxClassifier.from_dir(model, rewrite="fp32", keep_rewritten=True)
    assert kept.stat().st_mtime_ns == written
    assert _probabilities(again) == _probabilities(first)
    original = next(model.glob("*.onnx"))
    original.write_bytes(original.read_bytes())
    rk.OnnxClassifier.from_dir(model, rewrite="fp32", keep_rewritten=True)
    assert len(list((model / ".routekit").iterdir())) == 2


def test_model_that_cannot_be_rewritten_says_so_and_leaves_nothing(
    encoder_dir: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(rk.ModelFormatError, match=r"no graph can be rewritten: .*relative positions.*rewrite='off'"):
        rk.OnnxClassifier.from_dir(encoder_dir("deberta-v2"), rewrite="fp32")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("options", [{"rewrite": "fp8"}, {"rewrite": 1}, {"keep_rewritten": "yes"}])
def test_options_outside_what_is_allowed_are_config_errors(model: Path, options: dict[str, object]) -> None:
    with pytest.raises(rk.ConfigError, match="allowed: off, fp32"):
        rk.OnnxClassifier.from_dir(model, **options)  # type: ignore[arg-type]


def test_rocm_backend_that_is_missing_is_named_before_any_rewriting(model: Path, tmp_path: Path) -> None:
    with pytest.raises(rk.BackendUnavailable):
        rk.OnnxClassifier.from_dir(model, backend="rocm")
    assert not list((tmp_path / "scratch").iterdir())
