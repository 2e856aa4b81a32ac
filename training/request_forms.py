"""Reads the texts out of one file of a source of `collect_requests.py`, by the form of the file.

Each reader takes the file's text, the source's entry and a random number generator, and gives texts.
"""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

#: Sentences joined to one text: most stand alone, as short requests do.
GROUPS = (1, 1, 1, 2, 2, 3, 4, 6)
_SLOT = re.compile(r"%\((\w+)\)[a-z]|\{\{?\s*\$?([\w.]*)[^{}]*\}?\}|%[sdr]|<\/?\w+[^<>]*>")


def records(text: str, source: dict[str, Any], rng: random.Random) -> Iterator[str]:
    """Read a list of objects, or an object on each line; the texts of some keys make one text."""
    listed = json.loads(text) if text.lstrip().startswith("[") else map(json.loads, filter(None, text.split("\n")))
    for record in listed:
        parts = [str(record.get(key) or "").strip() for key in source["keys"]]
        yield rng.choice(("\n", "\n\n", " ")).join(part for part in parts if part)


def leaves(text: str, source: dict[str, Any], rng: random.Random) -> Iterator[str]:
    """Read a catalogue of sentences in nested objects."""
    yield from grouped(
        [filled(leaf) for leaf in _leaves(json.loads(text)) if _is_sentence(leaf) and "plural," not in leaf], rng
    )


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for child in value.values() if isinstance(value, dict) else value:
            yield from _leaves(child)


def po(text: str, source: dict[str, Any], rng: random.Random) -> Iterator[str]:
    """Read the finished entries of a catalogue of gettext."""
    sentences = []
    for entry in re.split(r"\n\s*\n", text)[1:]:
        if re.search(r"(?m)^#,.*fuzzy|^#~", entry):
            continue
        blocks = re.findall(r'(?m)^msgstr(?:\[\d\])? ((?:".*"\n?)+)', entry)
        joined = "".join(re.findall(r'"(.*)"', blocks[-1])) if blocks else ""
        joined = joined.replace(r"\"", '"').replace(r"\n", "\n").replace("\\\\", "\\")
        if _is_sentence(joined):
            sentences.append(filled(joined))
    yield from grouped(sentences, rng)


def manual(text: str, source: dict[str, Any], rng: random.Random) -> Iterator[str]:
    """Read the prose of a page in Markdown: one paragraph or some, without code."""
    text = re.sub(r"(?s)\A---.*?\n---|```.*?```|~~~.*?~~~|<!--.*?-->|\{/\*.*?\*/\}", "", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(?m)^(?:import|export) .*$|</?[A-Za-z][^<>]*>|\{#[^}]*\}|^///.*$|^:::.*$|^\{\*.*$|``", "", text)
    blocks = [re.sub(r"[ \t]+", " ", block).strip(" *>\n") for block in re.split(r"\n\s*\n", text)]
    yield from grouped([block for block in blocks if _is_sentence(block)], rng)


def prompts(text: str, source: dict[str, Any], rng: random.Random) -> Iterator[str]:
    """Read a file that is a prompt: its opening as it stands, and some runs of its paragraphs."""
    text = re.sub(r"(?s)\A---\n.*?\n---\n", "", text.replace("\r", "")).strip()
    text = re.sub(r"\{%.*?%\}|\{#.*?#\}", "", text)
    text = _SLOT.sub(_name, text)
    yield text[: rng.choice((600, 1500, 3000, 6000))]
    blocks = [block.strip() for block in re.split(r"\n\s*\n", text) if block.strip()]
    runs = list(grouped(blocks, rng, (1, 2, 3, 5, 8), joint="\n\n"))
    yield from rng.sample(runs, min(len(runs), source.get("runs", 4)))


def strings(text: str, source: dict[str, Any], rng: random.Random) -> Iterator[str]:
    """Read the long strings of a Python module that holds prompts."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_sentence(node.value):
            yield filled(node.value).strip()


def tasks(text: str, source: dict[str, Any], rng: random.Random) -> Iterator[str]:
    """Read task definitions of Natural Instructions out of a module; their inputs are of sets with other licences."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            for task in ast.literal_eval(node.value).values():
                yield from _task(str(task.get("definition") or "").strip(), rng)


def _task(definition: str, rng: random.Random) -> Iterator[str]:
    yield definition
    sentences = re.split(r"(?<=[.!?])\s+", definition)
    if len(sentences) > 2:
        at = rng.randrange(len(sentences) - 1)
        yield " ".join(sentences[at : at + rng.choice((1, 2, 3))])


def templates(text: str, source: dict[str, Any], rng: random.Random) -> Iterator[str]:
    """Read the questions of promptsource's templates; names stand where its texts would."""
    for quoted in re.findall(r"(?ms)^    jinja: (.*?)\n    metadata:", text):
        if quoted.startswith('"'):
            folded = re.sub(r"\\\n\s*(?:\\(?= ))?", "", quoted)
            folded = re.sub(r"\n\s*", " ", folded)
            try:
                plain = str(json.loads(folded, strict=False))
            except json.JSONDecodeError:
                continue
        else:
            paragraphs = re.split(r"\n\s*\n", re.sub(r"\A\|[-+]?\s*", "", quoted.strip("'")).replace("''", "'"))
            plain = "\n".join(re.sub(r"\s*\n\s*", " ", paragraph) for paragraph in paragraphs)
        plain = re.sub(r"(?s)\{%.*?%\}", "", plain.split("|||")[0])
        yield filled(re.sub(r"\{\{\s*[\"']([^\"']*)[\"']\s*\}\}", r"\1", plain)).strip()


def agents(text: str, source: dict[str, Any], rng: random.Random) -> Iterator[str]:
    """Read what an assistant is told to be, and what users may ask it first."""
    agent = json.loads(text)
    role = str((agent.get("config") or {}).get("systemRole") or "").strip()
    if role:
        yield role[: rng.choice((400, 1000, 3000, 6000))]
    blocks = [block for block in re.split(r"\n\s*\n", role) if _is_sentence(block)]
    if len(blocks) > 2:
        yield rng.choice(list(grouped(blocks, rng, (1, 2, 3), joint="\n\n")))
    asked = (agent.get("config") or {}).get("openingQuestions") or []
    yield from (str(question) for question in asked)


def grouped(texts: Sequence[str], rng: random.Random, sizes: Sequence[int] = GROUPS, joint: str = "") -> Iterator[str]:
    """Join runs of consecutive texts, so that lengths vary."""
    at = 0
    while at < len(texts):
        n = rng.choice(sizes)
        yield (joint or rng.choice((" ", "\n", "\n\n"))).join(texts[at : at + n])
        at += n


def filled(text: str) -> str:
    """Put the name of a slot in its place, as its braces would give the form away."""
    return re.sub(r"[ \t]+", " ", _SLOT.sub(_name, text)).strip()


def _name(slot: re.Match[str]) -> str:
    name = slot[1] or slot[2] or ""
    return re.sub(r"[._]+", " ", name) if name else ("12" if slot[0].startswith("%") else "")


def _is_sentence(text: str) -> bool:
    dense = re.search(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text)
    return len(text.strip()) >= (12 if dense else 25) and (bool(dense) or " " in text.strip())
