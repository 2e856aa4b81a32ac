"""Collects permissively licensed harmless text that looks unlike textbooks: what people and programs tell models, and
sentences of programs and manuals in many languages.

    python training/collect_requests.py --mirrors MIRRORS --out EXTRA

As `collect.py`: `request_sources.json` pins commit or version, and the licence. EXTRA gets ``requests.jsonl``: text,
label, source, language. What nearly equals a text of the sets that only measure (EXTRA/unseen.jsonl) is left out.
"""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import request_forms
from collect import Files, files_of, folders
from overlap import Known

SOURCES = Path(__file__).with_name("request_sources.json")
MIN_CHARS, MAX_CHARS = 25, 6000
#: Rows of one source in one language, unless the source says another number.
MOST = 400
#: Languages that requests are likely in; of the others an eighth as many rows are drawn.
COMMON = frozenset(
    "many en it pl nl tr sv id vi cs hu fi ro pt de fr es el ru uk ar he hi zh ja ko da no bg fa th".split()
)
#: Scripts whose words need few letters.
DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
#: What speaks of attacks, or quotes one, is dropped: it may be harmless, but its words are those of attacks.
ATTACK = re.compile(
    r"jail.?break|prompt.?injection|prompt.?leak|\bDAN\b|do anything now|developer mode|uncensored|unfiltered|\bNSFW\b"
    r"|(?:ignor|disregard|forget|overrid|bypass)\w*\W[^.\n]{0,40}?\b(?:instruction|prompt|rule|guideline|polic|filter|"
    r"restriction|safeguard|previous|above|everything|prior)|(?:no|without|any) (?:ethical|moral|restriction|filter|"
    r"limitation|censorship)|content polic|openai polic|never refuse|(?:evil|immoral|unethical|amoral) (?:ai|assistant|"
    r"bot|character|version)|forget (?:that )?you|system prompt|red.?team|malicious|exploit payload|"
    r"(?:ignor|omit|vergi|oubli|dimentic|olvid|esque)\w+ (?:\w+ ){0,4}(?:instru[ck]|istruzion|anweisung|consign|regel|"
    r"regras|reglas|regole)|игнорир\w+ (?:\w+ ){0,4}(?:инструк|правил|указан)|越狱|越獄|提示词注入|提示詞注入"
    r"|开发者模式|開發者模式|無視して|忽略(?:之前|以上|所有|先前)|無視(?:之前|以上)|脱獄|탈옥|忘[记記]|道德.{0,12}限制|"
    r"不受.{0,12}(?:限制|约束|約束)|프롬프트 인젝션|무시하고",
    re.IGNORECASE,
)
_ENGLISH = re.compile(r"\b(?:the|is|of|and|to|you|this|that|with|for|are|in|it|your|not|be|have|from)\b", re.IGNORECASE)
#: Languages of Latin letters; the others must show letters of their own.
_LATIN = frozenset(
    "it pl tr nl sv id vi cs hu fi ro pt de fr es da no nb nn et hr lt lv sk sl ms ca eu gl sw sq az is af cy ga eo "
    "br uz ku kab oc tl pcm hsb dsb io ia ast lb bar bs sr tk jv fy ht".split()
)


Form = Callable[[str, dict[str, Any], random.Random], Iterator[str]]
FORMS: dict[str, Form] = {
    "records": request_forms.records,
    "leaves": request_forms.leaves,
    "po": request_forms.po,
    "manual": request_forms.manual,
    "prompts": request_forms.prompts,
    "strings": request_forms.strings,
    "tasks": request_forms.tasks,
    "templates": request_forms.templates,
    "agents": request_forms.agents,
}


def rows_of(files: Files, source: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Give text and language of what a source holds."""
    wanted, unwanted = re.compile(source["files"]), re.compile(source.get("but", r"(?!)"))
    names = [name for name in files.names() if wanted.search(name) and not unwanted.search(name)]
    texts = [(name, raw.decode("utf-8", "ignore")) for name, raw in files.read(names)]
    # Translations of an attack are dropped with it, as the words of attacks are known in few languages.
    tainted = {name.rpartition("/")[0] for name, text in texts if "translated" in source and ATTACK.search(text)}
    for name, content in texts:
        if name.rpartition("/")[0] in tainted:
            continue
        language = source.get("language") or tag(wanted.search(name), source)
        rng = random.Random(f"{source['source']} {name}")
        for text in FORMS[source["form"]](content, source, rng):
            clean = unicodedata.normalize("NFC", text).replace("\x00", "").strip()
            if is_wanted(clean, language):
                yield clean[:MAX_CHARS], language


def tag(match: re.Match[str] | None, source: dict[str, Any]) -> str:
    """Give the language that a file's name has; what stands for a country or script is dropped, as in pt-BR."""
    code = match[1].lower() if match and match.re.groups and match[1] else "en"
    names = {"nb": "no", "nn": "no", **source.get("tags", {})}
    return str(names.get(code) or re.split(r"[-_@]", code)[0])


def is_wanted(text: str, language: str) -> bool:
    """Tell whether a text is long enough, in its language, and no attack."""
    if len(text) < (MIN_CHARS // 2 if DENSE.search(text) else MIN_CHARS) or ATTACK.search(text):
        return False
    letters = [c for c in text if c.isalpha()]
    if len(letters) * 2 < len(text):
        return False
    if language in ("en", "many"):
        return True
    if language in _LATIN:
        return len(_ENGLISH.findall(text)) * 8 < len(text.split())
    return sum(not c.isascii() for c in letters) * 3 > len(letters)


def share(found: Iterable[tuple[str, str]], source: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Draw a bounded number of texts in each language."""
    by_language: dict[str, list[str]] = {}
    for text, language in found:
        by_language.setdefault(language, []).append(text)
    for language, texts in sorted(by_language.items()):
        rng = random.Random(f"{source['source']} {language}")
        most = source.get("most", MOST) // (1 if language in COMMON else 8)
        for text in rng.sample(texts, min(len(texts), most)):
            yield text, language


def collect(mirrors: Path, out: Path) -> None:
    measured = Known.measured(out)
    seen: set[str] = set()
    with (out / "requests.jsonl").open("w", encoding="utf-8") as stream:
        for source in json.loads(SOURCES.read_text()):
            fresh = dict.fromkeys(row for row in rows_of(files_of(source, mirrors, out), source) if row[0] not in seen)
            counts: Counter[str] = Counter()
            for text, language in share(fresh, source):
                seen.add(text)
                counts["near"] += (near := measured.meets(text))
                if not near:
                    counts[language] += 1
                    row = {"text": text, "label": "benign", "source": source["source"], "language": language}
                    stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            n_near = counts.pop("near", 0)
            print(f"{source['source']}: {sum(counts.values())} texts, {len(counts)} languages; near unseen: {n_near}")


if __name__ == "__main__":
    collect(*folders(__doc__))
