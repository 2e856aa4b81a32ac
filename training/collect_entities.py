"""Collects the permissively licensed texts with named entities that the PII token head is trained and measured on.

    python training/collect_entities.py --mirrors MIRRORS --out EXTRA

As `collect.py`: `entity_sources.json` pins repository, commit and licence, MIRRORS holds the clones. EXTRA gets
``entities.jsonl``: text, spans (start, end, label), the labels that the source annotates, and the source's name. A
source that ``measures`` is never trained on.
"""

from __future__ import annotations

import json
import re
import zlib
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

#: What requests name that is a person or not, as the set does not say.
_UNCLEAR = frozenset(
    "artist_name song_name audiobook_name audiobook_author podcast_name playlist_name movie_name music_album "
    "news_topic "
    "radio_name personal_info email_address game_name business_name definition_word".split()
)
#: What novels call people beside titles.
_KIN = frozenset(
    "aunt uncle cousin brother sister mother mamma mama papa grandfather grandmother granny nurse cook dame "
    "madam madame "
    "mademoiselle signor signora count countess baron squire saint st. don old poor little young dear master messrs. "
    "duke duchess earl marquis lieutenant abbé reverend rev. capt. col. maj. gen. hon. heaven providence fate".split()
)
_NAME = re.compile(r"(?:[A-Z][\w.'’-]*|de|la|van|von|du|der|le|of)(?: (?:[A-Z][\w.'’-]*|de|la|van|von|du|der|le)){0,3}")


def from_conll(mirror: Mirror, source: dict[str, Any]) -> Iterator[Marked]:
    for _, raw in mirror.read(source["files"]):
        for block in re.split(r"\n\s*\n", raw.decode().replace("\r", "")):
            rows = [line.split() for line in block.split("\n") if len(line.split()) > 1 and "-DOCSTART-" not in line]
            text, spans = joined([row[0] for row in rows], [row[-1] for row in rows], source["names"])
            if not any(text[start:end].lower() in _PARTIES for start, end, _ in spans):
                yield text, spans


def from_requests(mirror: Mirror, source: dict[str, Any]) -> Iterator[Marked]:
    """Read requests to an assistant, without those that name a title or performer, who may be a person or not."""
    for _, raw in mirror.read(source["files"]):
        for row in json.loads(raw)["rasa_nlu_data"]["common_examples"]:
            kinds = {entity["entity"] for entity in row["entities"]}
            if kinds & _UNCLEAR or not (kinds & {*source["names"]} or zlib.crc32(row["text"].encode()) % 4 == 0):
                continue
            marks = [(e["start"], e["end"], source["names"].get(e["entity"])) for e in row["entities"]]
            spans = (_untitled(row["text"], start, end, label) for start, end, label in sorted(marks) if label)
            yield row["text"], tuple(span for span in spans if span)


def from_novels(mirror: Mirror, source: dict[str, Any]) -> Iterator[Marked]:
    """Read three sentences at a time; without those in which a person is named by more than a name."""
    names = [name for name in mirror.names() if name.startswith(source["files"][0]) and name.endswith(".txt")]
    for name, raw in mirror.read(names):
        _, notes = next(mirror.read([name.removesuffix(".txt") + ".ann"]))
        marked = re.findall(r"(?m)^T\d+\tPROP_PER (\d+) (\d+)\t", notes.decode())
        lines = list(re.finditer(r".+", raw.decode()))
        for i in range(0, len(lines), 3):
            start, end = lines[i].start(), lines[min(i + 2, len(lines) - 1)].end()
            inside = sorted((int(a), int(b)) for a, b in marked if start <= int(a) and int(b) <= end)
            row = _passage(raw.decode()[start:end], [(a - start, b - start) for a, b in inside])
            if row and (row[1] or zlib.crc32(row[0].encode()) % 4 == 0):
                yield row


def _passage(text: str, named: list[tuple[int, int]]) -> Marked | None:
    inner = [(a, b) for a, b in named if not any(a <= c and d <= b and (a, b) != (c, d) for c, d in named)]
    cut = [_untitled(text, a, b, "PERSON") for a, b in inner]
    if any(span and not _NAME.fullmatch(text[span[0] : span[1]]) for span in cut):
        return None
    tokens = list(re.finditer(r"\S+", text))
    tags = ["O"] * len(tokens)
    for span in filter(None, cut):
        hit = [i for i, token in enumerate(tokens) if span[0] <= token.start() < span[1]]
        for i in hit:
            tags[i] = "B-PER" if i == hit[0] else "I-PER"
    return joined([token[0] for token in tokens], tags, {"PER": "PERSON"})


def _untitled(text: str, start: int, end: int, label: str) -> Mark | None:
    """Cut what stands before a name off it; None if nothing is left."""
    if label != "PERSON":
        return start, end, label
    for word in re.finditer(r"\S+", text[start:end]):
        if not is_title(word[0]) and word[0].lower() not in _KIN:
            return start + word.start(), end, label
    return None


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


FORMS: dict[str, Callable[[Mirror, dict[str, Any]], Iterator[Marked]]] = {
    "conll": from_conll,
    "gum": from_gum,
    "requests": from_requests,
    "novels": from_novels,
}


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
