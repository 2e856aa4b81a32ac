"""What tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of labelled data and cases beside the checkout; tests that need it skip without it."""
    folder = Path(os.environ.get("ROUTEKIT_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        pytest.skip("needs the shared data folder beside the checkout (or ROUTEKIT_SHARED)")
    return folder
