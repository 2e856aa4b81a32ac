"""The notebooks: run them, and keep what they show.

``python tests/notebook_files.py [NAME ...]`` runs the notebooks (all, or those whose names begin so) and writes them
back with their outputs, without times of the machine they ran on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
#: What one notebook may take, on a machine that does other things too.
SECONDS = 300
#: Untyped, as all of nbformat.
_NODE: Any = nbformat.NotebookNode
_ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebooks() -> list[Path]:
    """List all notebooks, in the order in which to read them."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Any:
    """Read a notebook, and check its form."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    return notebook


def executed(path: Path) -> Any:
    """Run a notebook in its folder, on one core; raises where a cell does."""
    notebook = read(path)
    client = NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(path.parent)}})
    client.execute(env={**os.environ, **_ONE_CORE})
    return notebook


def cleaned(notebook: Any) -> Any:
    """Leave cells, outputs and nothing about the machine."""
    notebook.metadata = _NODE(_METADATA)
    for number, cell in enumerate(notebook.cells):
        cell.metadata = _NODE({})
        cell.id = f"cell-{number:02}"
        for output in cell.get("outputs", ()):
            output.pop("metadata", None)
            if output.output_type in ("display_data", "execute_result"):
                output.metadata = _NODE({})
                _shorten(output.data)
    return notebook


def _shorten(data: Any) -> None:
    """Cut the plain text of what is shown as a table or a picture anyway."""
    plain = data.get("text/plain", "")
    if len(data) > 1 and len(plain) > 200:
        data["text/plain"] = f"<{plain.split('(')[0]}>"


def outputs(notebook: Any) -> Iterator[Any]:
    """Walk over the outputs of all cells."""
    for cell in notebook.cells:
        yield from cell.get("outputs", ())


def main(names: list[str]) -> None:
    for path in notebooks():
        if not names or any(path.name.startswith(name) for name in names):
            text = nbformat.writes(cleaned(executed(path)))  # type: ignore[no-untyped-call]
            path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
            print(f"{path.name}: {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main(sys.argv[1:])
