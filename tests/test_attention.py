"""Finding and registering the op's library, and the reference it is held to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from routekit import attention
from routekit.attention import attention_reference, library_path, register_attention
from routekit.errors import BackendUnavailable, UsageError


class Options:
    def __init__(self, error: Exception | None = None) -> None:
        self.error, self.paths = error, list[str]()

    def register_custom_ops_library(self, path: str, /) -> None:
        if self.error:
            raise self.error
        self.paths.append(path)


def test_library_that_is_absent_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(attention, "_LIBRARY", tmp_path / "librk_flash_attention.so")
    assert library_path() is None
    with pytest.raises(BackendUnavailable, match=r"librk_flash_attention\.so is not installed"):
        register_attention(Options())


def test_library_that_is_refused_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    library = tmp_path / "librk_flash_attention.so"
    library.touch()
    monkeypatch.setattr(attention, "_LIBRARY", library)
    options = Options()
    assert register_attention(options) == library
    assert options.paths == [str(library)]
    with pytest.raises(BackendUnavailable, match=r"needs onnxruntime 1\.17"):
        register_attention(Options(RuntimeError("needs onnxruntime 1.17 or newer")))


def test_attention_does_not_import_onnxruntime() -> None:
    code = "import sys, routekit.attention; sys.exit('onnxruntime' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_reference_agrees_with_a_loop() -> None:
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((2, 2, n, 5)) for n in (6, 7, 7))
    bias = rng.standard_normal((2, 1, 6, 7))
    out = attention_reference(q, k, v, bias, scale=0.7, window_left=2, window_right=1)
    for b, h, i in np.ndindex(2, 2, 6):
        keys = range(max(0, i - 2), min(7, i + 2))
        weights = np.array([np.exp(0.7 * q[b, h, i] @ k[b, h, j] + bias[b, 0, i, j]) for j in keys])
        np.testing.assert_allclose(out[b, h, i], weights @ v[b, h, keys] / weights.sum())


def test_reference_refuses_shapes_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match=r"\(1, 1, 2, 3\)"):
        attention_reference(np.zeros((1, 1, 2, 3)), np.zeros((1, 1, 2, 4)), np.zeros((1, 1, 2, 4)))
