"""Imports point left only: errors, values, interfaces, concepts, plugins, router, aio, tools, edges."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "routekit"
LAYERS: list[set[str]] = [
    {"errors", "markup", "valid_text"},
    {"request", "prediction", "tensors", "trace", "explanation", "compressed_view", "decision"},
    {"interfaces"},
    set(),  # every concept that no other layer names
    {"plugins"},
    {"policy", "policy_check", "program", "deliberation", "state_words", "account"}
    | {"judgement", "onnx_classifier", "route_stream", "router"},
    {"engine", "aio"},
    {"evaluate", "testing", "checks", "check_command", "graph", "sim", "selftest", "doctor"},
    {"backends", "integrations", "__main__"},
]
CONCEPT = 3
LEAVES = {"backends", "integrations", "__main__"}


def _layer(unit: str) -> int:
    return next((i for i, names in enumerate(LAYERS) if unit in names), CONCEPT)


def _unit(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _typing_only(tree: ast.Module) -> set[ast.AST]:
    guarded: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            guarded.update(child for statement in node.body for child in ast.walk(statement))
    return guarded


def _imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    skipped = _typing_only(tree)
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            if node.module == "routekit":
                found.update(f"routekit.{alias.name}" for alias in node.names)
    return {name.split(".")[1] for name in found if name.startswith("routekit.")}


MODULES = sorted(p for p in PACKAGE.rglob("*.py") if _unit(p) != "__init__")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_left(path: Path) -> None:
    unit = _unit(path)
    for imported in _imports(path) - {unit}:
        assert _layer(imported) <= _layer(unit), f"{unit} imports {imported}, which lies to its right"
        assert imported not in LEAVES, f"{unit} imports the leaf {imported}"


def test_concepts_do_not_import_in_a_circle() -> None:
    edges: dict[str, set[str]] = {}
    for path in MODULES:
        edges.setdefault(_unit(path), set()).update(_imports(path) - {_unit(path)})
    done: set[str] = set()

    def visit(unit: str, open_units: tuple[str, ...]) -> None:
        assert unit not in open_units, f"import circle: {' -> '.join((*open_units, unit))}"
        if unit not in done:
            for imported in edges.get(unit, ()):
                visit(imported, (*open_units, unit))
            done.add(unit)

    for unit in edges:
        visit(unit, ())
