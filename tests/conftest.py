"""What tests share."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from routekit import scanners

# No timed assertions: the machines that run tests are busy.
settings.register_profile("routekit", deadline=None)
settings.load_profile("routekit")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of labelled data and cases beside the checkout; tests that need it skip without it."""
    folder = Path(os.environ.get("ROUTEKIT_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        pytest.skip("needs the shared data folder beside the checkout (or ROUTEKIT_SHARED)")
    return folder


@pytest.fixture(scope="session")
def encoder_dir(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Make small encoder directories, ``encoder_dir("bert", "token", half=True)``; each once a session. Read only."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    from encoder_models import save

    @cache
    def make(architecture: str, task: str = "sequence", **shape: Any) -> Path:
        return save(tmp_path_factory.mktemp("encoders") / f"{architecture}-{task}", architecture, task, **shape)

    return make


@pytest.fixture(scope="session", params=["python", "native"])
def scanner(request: pytest.FixtureRequest) -> scanners.ScannerFactory:
    """Each body scanner; the native one is skipped where it was not built."""
    factory = scanners.PYTHON if request.param == "python" else scanners.NATIVE
    if factory is None:
        pytest.skip("routekit._json is not built: run native/build_inplace.sh")
    return factory
