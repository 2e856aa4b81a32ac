"""Builds documents of many forms out of harmless passages, with one foreign line in a natural place of each form.

The line is an attack, an order, or what such a document says anyway; everything else is drawn alike, so that only the
line decides the label.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence

_NAMES = "Ana|Ben|Carla|Deniz|Erik|Fatima|Goran|Hana|Ivan|Julia|Kofi|Lena|Mateo|Nadia|Omar|Priya|Quinn|Rosa|Sven|Tariq"
_LEVELS = "INFO|WARNING|DEBUG|ERROR|TRACE"
_KEYS = "content|text|body|result|summary|description|message|snippet|note|title|answer|comment|value|data"


def sentences(passage: str) -> list[str]:
    return [part for part in re.split(r"(?<=[.!?。])\s+|\n+", passage) if part.strip()] or [passage]


def _insert(parts: Sequence[str], line: str, rng: random.Random, joint: str) -> str:
    at = rng.randint(0, len(parts))
    return joint.join((*parts[:at], line, *parts[at:]))


def prose(passage: str, line: str, rng: random.Random) -> str:
    return _insert(sentences(passage), line, rng, rng.choice((" ", " ", "\n", "\n\n")))


def words(passage: str, line: str, rng: random.Random) -> str:
    """Put the line between any two words."""
    return _insert(passage.split(), line, rng, " ")


def list_items(passage: str, line: str, rng: random.Random) -> str:
    mark = rng.choice(("- ", "* ", "• ", "1. ", "> "))
    return _insert([mark + part for part in sentences(passage)], mark + line, rng, "\n")


def mail(passage: str, line: str, rng: random.Random) -> str:
    name, other = rng.sample(_NAMES.split("|"), 2)
    head = rng.choice((
        f"From: {name} <{name.lower()}@mail.example>\nTo: {other}\nSubject: {passage.split('.')[0][:40]}\n\n",
        f"EMAIL FROM: {name}\nSUBJECT: Re: {passage[:25]}\nCONTENT:\n", f"Hi {other},\n\n", f"Dear {other},\n",
    ))  # fmt: skip
    body = prose(passage, line, rng)
    return f"{head}{body}\n\n{rng.choice(('Best', 'Regards', 'Thanks', 'Cheers', 'Kind regards'))},\n{name}"


def html(passage: str, line: str, rng: random.Random) -> str:
    tag = rng.choice(("p", "div", "li", "td", "span"))
    hidden = rng.choice((
        f"<!-- {line} -->", f"<!--{line}-->", f'<div style="display:none">{line}</div>', f"<p>{line}</p>",
        f'<img alt="{line}" src="a.png">', f'<span style="font-size:0">{line}</span>', f'<a title="{line}">more</a>',
        f'<meta name="description" content="{line}">',
    ))  # fmt: skip
    return _insert([f"<{tag}>{part}</{tag}>" for part in sentences(passage)], hidden, rng, rng.choice(("\n", "")))


def tool_result(passage: str, line: str, rng: random.Random) -> str:
    keys = rng.sample(_KEYS.split("|"), 3)
    parts = sentences(passage)
    half = len(parts) // 2
    record = {keys[0]: " ".join(parts[:half]), keys[1]: line, keys[2]: " ".join(parts[half:])}
    if rng.random() < 0.5:
        record = {keys[0]: prose(passage, line, rng), "id": rng.randint(1, 9999), "status": "ok"}  # type: ignore[dict-item]
    text = json.dumps(record, ensure_ascii=rng.random() < 0.3, indent=rng.choice((None, 2)))
    return rng.choice(("", "", "Tool result: ", "Observation: ", '{"role": "tool", "content": ')) + text


def table(passage: str, line: str, rng: random.Random) -> str:
    cells = passage.split()
    width = rng.randint(2, 5)
    rows = [cells[i : i + width] for i in range(0, min(len(cells), 60), width)] or [[passage]]
    if rng.random() < 0.6:
        chosen = rng.choice(rows)
        chosen[rng.randrange(len(chosen))] = line
    else:
        rows.insert(rng.randint(0, len(rows)), [line])
    mark = rng.choice((" | ", ",", "\t", ";"))
    edge = "| " if mark == " | " else ""
    return "\n".join(edge + mark.join(row) + edge[::-1] for row in rows)


def code(passage: str, line: str, rng: random.Random) -> str:
    lines = passage.split("\n")
    comment = rng.choice(
        ("# {}", "// {}", "/* {} */", '"""{}"""', "    # {}", 'note = "{}"', 'print("{}")', "{}", "{}")
    )
    return _insert(lines, comment.format(line), rng, "\n")


def log(passage: str, line: str, rng: random.Random) -> str:
    def stamp() -> str:
        clock = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}"
        return f"2024-0{rng.randint(1, 9)}-1{rng.randint(0, 9)} {clock} {rng.choice(_LEVELS.split('|'))} "

    return _insert([stamp() + part for part in sentences(passage)], stamp() + line, rng, "\n")


def chat(passage: str, line: str, rng: random.Random) -> str:
    one, two = rng.sample([*_NAMES.split("|"), "User", "Assistant", "Customer", "Agent"], 2)
    turns = [*sentences(passage)]
    turns.insert(rng.randint(0, len(turns)), line)
    return "\n".join(f"{one if i % 2 else two}: {turn}" for i, turn in enumerate(turns))


FORMS: tuple[Callable[[str, str, random.Random], str], ...] = (
    prose, prose, prose, prose, words, list_items, mail, mail, html, tool_result, table, table, log, chat,
)  # fmt: skip


def document(passage: str, line: str, rng: random.Random, *, is_code: bool) -> str:
    """Put a line into a document of a random form around a passage.

    Examples
    --------
    >>> document("x = 1\\ny = 2", "a note", random.Random(1), is_code=True).count("a note")
    1
    """
    return (code if is_code else rng.choice(FORMS))(passage, line, rng)
