"""The tables of docs/performance.md are those of its results, and nobody edited them by hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def test_tables_of_the_page_are_those_of_the_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    from performance_page import PAGE, write_page

    found = json.loads((BENCHMARKS / "results" / "run_all.json").read_text())["results"]
    copy = tmp_path / "performance.md"
    copy.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    write_page(found, copy)
    assert copy.read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8"), "run benchmarks/performance_page.py"


def test_page_without_a_marker_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    from performance_page import write_page

    (tmp_path / "page.md").write_text("# Performance\n")
    with pytest.raises(SystemExit, match="no marker"):
        write_page({}, tmp_path / "page.md")
