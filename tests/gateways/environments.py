"""Where the gateways under test are installed: an interpreter that a variable names, or an environment made for them.

LiteLLM and Envoy conflict with what routekit's own tests need, so each has an environment of its own. Made only on
request, as LiteLLM alone is 750 MB: by ``CI=true`` or ``ROUTEKIT_GATEWAYS=1``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]


def interpreter(variable: str, folder: Path, packages: list[str]) -> Path:
    """Give the Python that a gateway is installed for, or skip.

    Parameters
    ----------
    variable
        Names an interpreter that has the packages.
    folder
        Where else an environment may be made, for the rest of the session.
    """
    named = os.environ.get(variable)
    if named:
        return Path(named)
    if os.environ.get("CI", "") not in ("1", "true") and os.environ.get("ROUTEKIT_GATEWAYS") != "1":
        pytest.skip(f"needs {', '.join(packages)}: set {variable} to a Python that has them, or ROUTEKIT_GATEWAYS=1")
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    # Pure Python is enough here, and spares the build of the native parts.
    build = ["--config-settings=wheel.cmake=false"] if str(CHECKOUT) in packages else []
    subprocess.run([python, "-m", "pip", "install", "-q", *build, *packages], check=True)
    return python
