"""Collects the permissively licensed texts with named entities that the PII token head is trained and measured on.

    python training/collect_entities.py --mirrors MIRRORS --out EXTRA

As `collect.py`: `entity_sources.json` pins repository, commit and licence, MIRRORS holds the clones. EXTRA gets
``entities.jsonl``: text, spans (start, end, label), the labels that the source annotates, and the source's name. A
source that ``measures`` is never trained on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from collect import Mirror, folders
from detokenise import Mark, joined
from people import is_title

SOURCES = Path(__file__).with_name("entity_sources.json")
Marked = tuple[str, tuple[Mark, ...]]
#: Parties of a contract, which one source calls persons and organisations.
_PARTIES = frozenset("borrower lender bank company tenant landlord executive guarantor agent holder".split())


def from_conll(mirror: Mirror, source: dict[str, Any]) -> Iterator[Marked]:
    for _, raw in mirror.read(source["files"]):
        for block in re.split(r"\n\s*\n", raw.decode().replace("\r", "")):
            rows = [line.split() for line in block.split("\n") if len(line.split()) > 1 and "-DOCSTART-" not in line]
            text, spans = joined([row[0] for row in rows], [row[-1] for row in rows], source["names"])
            if not any(text[start:end].lower() in _PARTIES for start, end, _ in spans):
                yield text, spans


def from_gum(mirror: Mirror, source: dict[str, Any]) -> Iterator[Marked]:
    names = [n for n in mirror.names() if n.startswith(source["files"][0]) and n.endswith(".conllu")]
    for _, raw in mirror.read(names):
        for paragraph in re.split(r"(?m)^# newpar\b.*$", raw.decode()):
            yield _paragraph(paragraph, source["names"])


def _paragraph(conllu: str, names: dict[str, str]) -> Marked:
    text, spans = "", []
    for sentence in re.split(r"\n\n+", conllu):
        rows = [line.split("\t") for line in sentence.split("\n") if re.match(r"\d+\t", line)]
        joints = _joints(sentence)
        starts = []
        for row in rows:
            starts.append(len(text))
            text += row[1] + ("" if "SpaceAfter=No" in row[9] or row[0] in joints else " ")
        found = sorted(_entities(rows), key=lambda entity: entity[1] - entity[0])
        for n, (first, last, kind) in enumerate(found):
            inner = {i for a, b, other in found[:n] if other != kind for i in range(a, b + 1)}
            if kind in names and (run := _proper(rows, first, last, kind, inner)):
                spans.append((starts[run[0]], starts[run[1]] + len(rows[run[1]][1]), names[kind]))
    return text.rstrip(), tuple(_outermost(spans))


def _joints(sentence: str) -> set[str]:
    """Give the tokens after which no space stands, as they are parts of one word, such as ``do`` of ``don't``."""
    found: set[str] = set()
    for first, last, rest in re.findall(r"(?m)^(\d+)-(\d+)\t(.*)$", sentence):
        found.update(map(str, range(int(first), int(last) + ("SpaceAfter=No" in rest))))
    return found


def _entities(rows: list[list[str]]) -> Iterator[tuple[int, int, str]]:
    """Read the bracketed entities of a sentence: first token, last token, kind."""
    opened: list[tuple[str, int, str]] = []
    for i, row in enumerate(rows):
        marks = re.search(r"(?:^|\|)Entity=([^|]*)", row[9])
        for opening, name, rest, closing in re.findall(r"(\()?(\d+)((?:-[^()]*)?)(\))?", marks[1] if marks else ""):
            if opening:
                opened.append((name, i, rest.split("-")[1] if rest else ""))
            if closing:
                at = max((k for k, entry in enumerate(opened) if entry[0] == name), default=None)
                if at is not None:
                    _, first, kind = opened.pop(at)
                    yield first, i, kind


def _proper(rows: list[list[str]], first: int, last: int, kind: str, inner: set[int]) -> tuple[int, int] | None:
    """Give the run of proper nouns around the head of an entity; None if it has no name.

    Titles, and names of another kind in front of a person, as in "Ohio Senator Ann Lee", are cut off.
    """
    inside = {rows[i][0] for i in range(first, last + 1)}
    head = next((i for i in range(first, last + 1) if rows[i][6] not in inside), first)
    if kind == "person" and rows[head][4] == "NN" and head < last and rows[head + 1][4] == "NNP":
        head += 1  # as in "spokeswoman Ann Lee"
    elif rows[head][4] != "NNP" and (kind == "person" or rows[head][4] != "NNPS"):
        return None
    start = stop = head
    while start > first and rows[start - 1][4] in ("NNP", "NNPS", "HYPH"):
        start -= 1
    while stop < last and rows[stop + 1][4] in ("NNP", "NNPS", "HYPH"):
        stop += 1
    if kind == "person":
        words = [row[1] for row in rows[start : stop + 1]]
        cut = max((i + 1 for i, word in enumerate(words) if is_title(word) or start + i in inner), default=0)
        start += cut
    return (start, stop) if start <= stop else None


def _outermost(spans: list[Mark]) -> Iterator[Mark]:
    end = 0
    for span in sorted(set(spans), key=lambda s: (s[0], -s[1])):
        if span[0] >= end:
            yield span
            end = span[1]


FORMS: dict[str, Callable[[Mirror, dict[str, Any]], Iterator[Marked]]] = {"conll": from_conll, "gum": from_gum}


def collect(mirrors: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with (out / "entities.jsonl").open("w", encoding="utf-8") as stream:
        for source in json.loads(SOURCES.read_text()):
            mirror = Mirror.of(mirrors, source)
            found = dict(row for row in FORMS[source["form"]](mirror, source) if len(row[0]) > 1)
            labels = sorted(set(source["names"].values()))
            for text, spans in found.items():
                row = {"text": text, "spans": spans, "labels": labels, "source": source["source"]}
                stream.write(json.dumps({**row, "measures": source.get("measures", False)}, ensure_ascii=False) + "\n")
            n_names = sum(span[2] == "PERSON" for spans in found.values() for span in spans)
            print(f"{source['source']}: {len(found)} texts, {n_names} persons")


if __name__ == "__main__":
    collect(*folders(__doc__))
