"""What the guides on async, ASGI and telemetry show runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GUIDES = Path(__file__).parents[1] / "docs" / "guides"
NEEDS = {"async": (), "asgi": ("fastapi", "httpx"), "telemetry": ("opentelemetry.sdk",)}


@pytest.mark.parametrize("name", NEEDS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_python_of_the_guide_runs(name: str) -> None:
    for needed in NEEDS[name]:
        pytest.importorskip(needed, reason=f"the guide shows {needed}: pip install 'routekit[gateways-test]'")
    text = (GUIDES / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    scope: dict[str, object] = {"__name__": f"guide_{name}"}
    for block in blocks:
        exec(compile(block, f"{name}.md", "exec"), scope)  # noqa: S102
