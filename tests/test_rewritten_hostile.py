"""Rewritten and quantised encoders under what breaks encoders: no text, no rows, NaN weights, callers that give up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import routekit as rk
from routekit.tensors import TokenBatch

onnx = pytest.importorskip("onnx", reason="needs routekit[rewrite]")
pytest.importorskip("onnxruntime", reason="needs routekit[rewrite]")

from routekit.graph import rewrite  # noqa: E402

ODD = ["", " ", "[SEP] </s> [CLS] [PAD]", "[PAD]" * 300, "\x00\ufffd\u200b", "a"]


@pytest.fixture(scope="module", params=["int8", "int16"])
def classifier(encoder_dir: Callable[..., Path], request: pytest.FixtureRequest) -> rk.OnnxClassifier:
    return rk.OnnxClassifier.from_dir(encoder_dir("modernbert"), signal="jailbreak", rewrite=request.param, n_threads=1)


def probabilities(classifier: rk.OnnxClassifier, texts: list[str]) -> np.ndarray[Any, Any]:
    return np.array([list(prediction.probabilities.values()) for prediction in classifier.classify(texts)])


def test_odd_texts_get_probabilities_alone_as_beside_others(classifier: rk.OnnxClassifier) -> None:
    together = probabilities(classifier, ODD)
    np.testing.assert_allclose(together.sum(axis=1), 1.0, atol=1e-6)
    alone = np.concatenate([probabilities(classifier, [text]) for text in ODD])
    np.testing.assert_allclose(together, alone, atol=5e-3)
    assert classifier.classify([]) == []


@pytest.mark.parametrize("shape", [(0, 5), (0, 0)])
def test_batch_of_no_rows_gives_no_rows(classifier: rk.OnnxClassifier, shape: tuple[int, int]) -> None:
    none = np.zeros(shape, np.int64)
    session: Any = classifier._session
    refusal = ""
    try:
        rows = session.run(TokenBatch(none, none))
    except rk.InferenceError as error:  # some exports cannot reshape nothing; that is theirs to say
        rows, refusal = [], str(error)
    assert len(rows) == 0
    assert not refusal or "failed on a batch of shape (0," in refusal
    assert len(classifier.classify(["still usable"])) == 1


def test_rewrite_of_weights_that_are_not_finite_is_refused(encoder_dir: Callable[..., Path], tmp_path: Path) -> None:
    model = onnx.load(encoder_dir("modernbert") / "model.onnx")
    tensor = next(t for t in model.graph.initializer if len(t.dims) == 2 and t.data_type == onnx.TensorProto.FLOAT)
    values = onnx.numpy_helper.to_array(tensor).copy()
    values[:] = np.nan
    tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))
    onnx.save(model, tmp_path / "nan.onnx")
    for precision in ("fp32", "int8"):
        with pytest.raises(rk.ModelFormatError, match="not finite"):
            rewrite(tmp_path / "nan.onnx", tmp_path / "out.onnx", precision=precision)
    assert not (tmp_path / "out.onnx").exists()


def test_cancelled_calls_leave_the_session_as_it_was(classifier: rk.OnnxClassifier) -> None:
    texts = [f"a text of some length, number {i} " * 20 for i in range(12)]
    before = probabilities(classifier, texts[:2])

    async def give_up() -> None:
        tasks = [asyncio.create_task(asyncio.to_thread(classifier.classify, [text])) for text in texts]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert any(isinstance(result, asyncio.CancelledError) for result in done)

    asyncio.run(give_up())
    np.testing.assert_array_equal(probabilities(classifier, texts[:2]), before)
