"""Reads harmless source code out of installed packages of permissive licences, at the versions that a file pins."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from corpus import BENIGN, Row

PACKAGES = Path(__file__).with_name("encoder_packages.json")
#: Packages that nothing is trained on: they tell how code of a new author is met.
HELD_PACKAGES = ("networkx",)
ENDINGS = (".py", ".h", ".pyi", ".js", ".css", ".md", ".rst", ".txt", ".cpp", ".yaml")
MAX_FILES, MAX_BYTES = 250, 60_000


def code_rows(seed: int = 1, n_each: int = 900) -> list[Row]:
    """Give up to `n_each` pieces of 4 to 24 lines of each package; the source is ``packages/NAME``."""
    rows = []
    for entry in json.loads(PACKAGES.read_text()):
        rng = random.Random(f"{seed} {entry['package']}")
        pieces = [piece for text in _files(entry, rng) for piece in _pieces(text, rng)]
        rows += [Row(piece, BENIGN, f"packages/{entry['package']}", "code") for piece in pieces[:n_each]]
    return rows


def _files(entry: dict[str, str], rng: random.Random) -> Iterator[str]:
    try:
        found = distribution(entry["package"])
    except PackageNotFoundError:
        raise SystemExit(f"pip install {entry['package']}=={entry['version']}") from None
    if found.version.split("+")[0] != entry["version"]:
        print(f"{entry['package']} {found.version} is not the pinned {entry['version']}: the rows will differ")
    names = sorted(str(file) for file in found.files or () if str(file).endswith(ENDINGS) and "info/" not in str(file))
    for name in rng.sample(names, min(len(names), MAX_FILES)):
        path = Path(str(found.locate_file(name)))
        if path.is_file() and path.stat().st_size < MAX_BYTES:
            yield path.read_text(encoding="utf-8", errors="ignore")


def _pieces(text: str, rng: random.Random) -> Iterator[str]:
    lines = text.split("\n")
    for _ in range(min(6, len(lines) // 25)):
        at = rng.randrange(len(lines))
        piece = "\n".join(lines[at : at + rng.randint(4, 24)]).strip("\n")
        if 40 <= len(piece) <= 2000:
            yield piece
