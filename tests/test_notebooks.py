"""The notebooks run, and what they show is there, small, without errors, paths or text of others."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MAX_BYTES = 150_000
#: Folders of a machine, and the names of a kernel's temporary files.
MACHINE = re.compile(r"/(?:home|root|tmp|work|usr|opt|Users|var)/|ipykernel|site-packages")
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def _cells(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def _texts(outputs: list[dict[str, Any]]) -> Iterator[str]:
    for output in outputs:
        shown = [output.get("text", ""), *(v for k, v in output.get("data", {}).items() if k.startswith("text/"))]
        yield from ("".join(text) for text in shown)


def test_five_notebooks_tell_one_story() -> None:
    assert [path.name[:2] for path in NOTEBOOKS] == ["01", "02", "03", "04", "05"]


@each
def test_notebook_has_a_clean_form(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert [cell["id"] for cell in notebook["cells"]] == [f"cell-{i:02}" for i in range(len(notebook["cells"]))]
    assert all(cell["metadata"] == {} for cell in notebook["cells"])
    assert path.read_bytes().endswith(b"}\n")


@each
def test_notebook_was_run_from_top_to_bottom(path: Path) -> None:
    counts = [cell["execution_count"] for cell in _cells(path) if cell["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))


@each
def test_outputs_are_there_small_and_clean(path: Path) -> None:
    outputs = [output for cell in _cells(path) for output in cell.get("outputs", ())]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert path.stat().st_size < MAX_BYTES
    for output in outputs:
        assert output["output_type"] != "error"
        assert output.get("name") != "stderr"
        assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {})
    for text in _texts(outputs):
        assert not MACHINE.search(text), MACHINE.search(text)


@each
def test_links_lead_somewhere(path: Path) -> None:
    text = "\n".join("".join(cell["source"]) for cell in _cells(path) if cell["cell_type"] == "markdown")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (FOLDER / target).exists(), target


@each
def test_outputs_show_no_text_of_public_data(path: Path, shared: Path) -> None:
    shown = "\n".join(_texts([output for cell in _cells(path) for output in cell.get("outputs", ())]))
    names = re.findall(r'"([a-z_]+/[a-z_]+\.jsonl)"', path.read_text(encoding="utf-8").replace("\\", ""))
    for name in names:
        for line in (shared / "data" / name).read_text(encoding="utf-8").strip().split("\n"):
            text = json.loads(line)["text"].strip()
            assert len(text) < 12 or text[:60] not in shown


@pytest.mark.slow
@pytest.mark.parametrize("data", ["public data", "no data"])
@each
@pytest.mark.filterwarnings("ignore")  # of Jupyter's own; a cell that fails raises
def test_notebook_runs(path: Path, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nbclient", reason="needs routekit[notebooks]")
    pytest.importorskip("ipykernel", reason="needs routekit[notebooks]")
    pytest.importorskip("pandas", reason="needs routekit[notebooks]")
    pytest.importorskip("matplotlib", reason="needs routekit[notebooks]")
    from notebook_files import executed, outputs

    folder = Path(os.environ.get("ROUTEKIT_SHARED", Path(__file__).parents[2] / "shared"))
    if "ROUTEKIT_SHARED" not in path.read_text(encoding="utf-8") and data == "no data":
        pytest.skip("reads no public data, so one run says it all")
    if data == "no data":
        monkeypatch.setenv("ROUTEKIT_SHARED", str(FOLDER / "absent"))
    elif not folder.is_dir():
        pytest.skip("needs the shared data folder beside the checkout (or ROUTEKIT_SHARED)")
    notebook = executed(path)
    assert any(output.output_type != "stream" for output in outputs(notebook))
    assert not any(output.output_type == "error" for output in outputs(notebook))
