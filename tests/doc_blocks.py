"""Code blocks of a Markdown page, and what it takes to run them.

A page runs from top to bottom in an empty folder: its Python in one namespace (prompts as doctests), its shell blocks
there too, with this interpreter; configuration is parsed. A comment in the line before a block says more:

    <!-- file: policy.toml -->   the block is the content of that file, for the blocks that follow
    <!-- setup: code -->         Python that prepares what a reader would have, run before the block
    <!-- needs: fastapi -->      the page is skipped where a module is absent
    <!-- compiled: op -->        the page is skipped where the compiled op is absent
    <!-- exit: 1 -->             exit status of a shell block, if not 0
    <!-- run by: tests/x.py -->  something else runs it
    <!-- not run: reason -->     nothing does; few
"""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
MARKS = ("file", "setup", "needs", "compiled", "exit", "run by", "not run", "command")
_BLOCK = re.compile(
    r"(?P<marks>(?:^ *<!--(?:(?!-->).)*?-->\n)*)^(?P<indent> *)```(?P<language>\w*)\n(?P<code>.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)
_MARK = re.compile(r"<!--\s*([\w ]+?):(.*?)-->", re.DOTALL)
_PIP = re.compile(r"^pip install .*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block; `line` is where its code begins."""

    page: Path
    line: int
    language: str
    code: str
    marks: Mapping[str, str]

    @property
    def runs_here(self) -> bool:
        return not {"run by", "not run", "command"} & set(self.marks)

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """List the pages of the site, and those at the root."""
    return [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """Cut the fenced blocks out of a page, in order."""
    return list(_blocks(page, page.read_text(encoding="utf-8")))


def _blocks(page: Path, text: str) -> Iterator[Block]:
    for found in _BLOCK.finditer(text):
        marks = {name: value.strip() for name, value in _MARK.findall(found["marks"])}
        indent = len(found["indent"])
        code = "".join(line[indent:] or "\n" for line in found["code"].splitlines(keepends=True))
        yield Block(page, text.count("\n", 0, found.start("code")) + 1, found["language"], code, marks)


def needs(found: Iterable[Block]) -> list[str]:
    """List the modules without which a page cannot run."""
    named = [name.strip() for block in found for name in block.marks.get("needs", "").split(",") if name]
    return [*named, *("yaml" for block in found if block.language == "yaml" and block.runs_here)]


def run(block: Block, namespace: dict[str, object]) -> None:
    """Run one block in the current folder, or raise what went wrong."""
    if setup := block.marks.get("setup"):
        exec(compile(setup, block.name, "exec"), namespace)  # noqa: S102 - our own documentation
    if name := block.marks.get("file"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(block.code, encoding="utf-8")
    _RUN[block.language](block, namespace)


def _python(block: Block, namespace: dict[str, object]) -> None:
    if block.marks.get("file", "").startswith("test_"):
        _succeeds(block, f"{sys.executable} -m pytest -q -p no:cacheprovider {block.marks['file']}")
    elif block.code.startswith(">>>"):
        _doctest(block, namespace)
    else:
        padded = "\n" * (block.line - 1) + block.code  # tracebacks then name the line of the page
        exec(compile(padded, str(block.page), "exec"), namespace)  # noqa: S102


def _doctest(block: Block, namespace: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(block.code, {}, block.name, str(block.page), block.line - 1)
    test.globs = namespace
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=report.append, clear_globs=False)
    assert not runner.failures, "".join(report)


def _shell(block: Block, namespace: dict[str, object]) -> None:
    _known_extras(block)
    code = re.sub(r"^\$ ", "", block.code, flags=re.MULTILINE)
    _succeeds(block, _PIP.sub("", code))


def _succeeds(block: Block, script: str) -> None:
    folders = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], env={**os.environ, "PATH": folders},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    expected = int(block.marks.get("exit", "0"))
    assert done.returncode == expected, f"{block.name}: {done.returncode}\n{done.stdout}\n{done.stderr}"


def _known_extras(block: Block) -> None:
    """See that an installation asks for extras that exist; it is not carried out."""
    extras = parsed_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    asked = [name for names in re.findall(r"pip install .*?\[([\w,-]+)\]", block.code) for name in names.split(",")]
    assert not set(asked) - set(extras), f"{block.name} installs unknown extras"


def parsed_toml(text: str) -> dict[str, dict[str, dict[str, object]]]:
    module = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    parsed: dict[str, dict[str, dict[str, object]]] = module.loads(text)
    return parsed


def _parse_toml(block: Block, namespace: dict[str, object]) -> None:
    parsed_toml(block.code)


def _parse_json(block: Block, namespace: dict[str, object]) -> None:
    json.loads(block.code)


def _parse_yaml(block: Block, namespace: dict[str, object]) -> None:
    import_module("yaml").safe_load(block.code)


def _nothing(block: Block, namespace: dict[str, object]) -> None:
    """Text is a diagram or an output."""


#: Language of a block -> what running it means.
_RUN = {
    "python": _python,
    "bash": _shell,
    "console": _shell,
    "toml": _parse_toml,
    "json": _parse_json,
    "yaml": _parse_yaml,
    "text": _nothing,
    "mermaid": _nothing,
}
LANGUAGES = frozenset(_RUN)
