"""What the README and the guides show in Python runs, each page from top to bottom in one namespace."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Pages of gateways and policies have tests of their own, which start what they need.
PAGES = ("README.md", "docs/compression.md", "docs/pools.md")
RESULTS = re.compile(r"`(?:benchmarks/results/)?([a-z_]+\.json)`")


@pytest.mark.parametrize("page", PAGES)
def test_python_of_the_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, page, "exec"), namespace)  # noqa: S102 - our own documentation


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda p: p.name)
def test_results_and_pages_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if page.name == "README.md":
        for name in RESULTS.findall(text):
            assert (ROOT / "benchmarks" / "results" / name).is_file(), name
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), target
