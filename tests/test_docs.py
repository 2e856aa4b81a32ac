"""What README and documentation show runs; what they name exists; what is public is explained."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import doc_blocks
import routekit as rk
from doc_blocks import ROOT
from routekit import errors
from routekit.attention import library_path

PAGES = doc_blocks.pages()
RESULTS = re.compile(r"`(?:benchmarks/results/)?([a-z_0-9]+\.json)`")
#: Blocks that nothing runs: AMD GPUs, servers that never return. Raise it with a reason only.
MAX_NOT_RUN = 8


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


every_page = pytest.mark.parametrize("page", PAGES, ids=_name)


@pytest.mark.parametrize("page", [p for p in PAGES if any(b.runs_here for b in doc_blocks.blocks(p))], ids=_name)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_blocks_of_the_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = doc_blocks.blocks(page)
    if any("compiled" in block.marks for block in found) and library_path() is None:
        pytest.skip("the page shows routekit's op, which is not built: run native/build_inplace.sh")
    for needed in doc_blocks.needs(found):
        pytest.importorskip(needed, reason=f"the page shows {needed}, which is not installed")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "page"}
    for block in found:
        if block.runs_here:
            doc_blocks.run(block, namespace)


@every_page
def test_blocks_of_the_page_are_marked_well(page: Path) -> None:
    for block in doc_blocks.blocks(page):
        assert block.language in doc_blocks.LANGUAGES, f"{block.name} is of unknown language {block.language!r}"
        assert set(block.marks) <= set(doc_blocks.MARKS), f"{block.name} has unknown marks"
        assert len(block.marks.get("not run", "a long reason")) > 10, f"{block.name} does not say why it is not run"
        if other := block.marks.get("run by"):
            assert (ROOT / other).is_file(), f"{block.name}: {other} does not exist"
        if command := block.marks.get("command"):
            assert f"command: {command}" in (ROOT / ".ci" / "run").read_text(), f"{block.name} is not run by CI"


@every_page
def test_page_has_no_block_that_no_test_sees(page: Path) -> None:
    text = re.sub(r"<!--.*?-->", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert text.count("```") == 2 * len(doc_blocks.blocks(page)), "a fence is not closed, or not read"
    prose = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.DOTALL | re.MULTILINE)
    indented = re.findall(r"(?:\A|\n\n) {4}(?![-*\d])\S.*", prose)
    assert not indented, f"indented code is not run; put a fence around {indented[0]!r}"


def test_blocks_that_nothing_runs_are_few() -> None:
    idle = [block.name for page in PAGES for block in doc_blocks.blocks(page) if "not run" in block.marks]
    assert len(idle) <= MAX_NOT_RUN, idle


@every_page
def test_results_and_pages_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in RESULTS.findall(text) if page.name in ("README.md", "performance.md") else ():
        assert (ROOT / "benchmarks" / "results" / name).is_file(), name
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), target


def _referenced() -> set[str]:
    folder = ROOT / "docs" / "reference"
    text = "\n".join(page.read_text(encoding="utf-8") for page in [*folder.glob("*.md"), ROOT / "docs" / "errors.md"])
    return set(re.findall(r"^::: (routekit[\w.]*)$", text, re.MULTILINE))


@pytest.mark.parametrize("name", rk.__all__)
def test_public_name_is_on_a_page_of_the_reference(name: str) -> None:
    assert f"routekit.{name}" in _referenced()


def test_reference_names_exist() -> None:
    for path in _referenced():
        assert _exists(path), path


def _exists(path: str) -> bool:
    module, _, name = path.rpartition(".")
    try:
        return hasattr(import_module(module), name) or bool(import_module(path))
    except ModuleNotFoundError as error:
        return not (error.name or "").startswith("routekit")  # a gateway's own package may be absent


@pytest.mark.parametrize("name", [n for n in errors.__all__ if n[0].isupper()])
def test_error_has_a_remedy_on_its_page(name: str) -> None:
    rows = [row.split("|") for row in (ROOT / "docs" / "errors.md").read_text(encoding="utf-8").splitlines()]
    row = next((row for row in rows if len(row) > 4 and f"`{name}`" in row[1]), None)
    assert row is not None, f"{name} is missing in docs/errors.md"
    assert all(cell.strip() for cell in row[1:5]), f"{name}: say when it is raised, its status, and what to do"


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert listed == {page.relative_to(ROOT / "docs").as_posix() for page in PAGES if "docs" in page.parts}
