"""Turns the markup of textbooks, notebooks and docstrings to running text, formulas and numbers kept."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from corpus import Row

#: LaTeX commands that stand for a sign or a word; others are dropped with their backslash.
_SIGNS = {"times": "×", "cdot": "·", "pi": "π", "theta": "θ", "omega": "ω", "Omega": "Ω", "mu": "μ", "rho": "ρ"}
_SIGNS |= {"alpha": "α", "beta": "β", "Delta": "Δ", "delta": "δ", "sigma": "σ", "tau": "τ", "lambda": "λ", "leq": "≤"}
_SIGNS |= {"geq": "≥", "approx": "≈", "circ": "°", "degree": "°", "infty": "∞", "sqrt": "√", "partial": "∂", "phi": "φ"}
#: Commands about the look of a formula.
_LOOK = re.compile(
    r"\\(?:left|right|mathrm|mathbf|mathit|text|rm|bf|displaystyle|limits|quad|qquad|[,;:! ])\b ?|\\[,;:!]"
)


def plain(markup: str) -> str:
    """Drop tags and entities, and squeeze space.

    >>> plain("<para>A <term>force</term> of 3&#160;N</para>")
    'A force of 3 N'
    """
    bare = html.unescape(re.sub(r"<[^>]+>", " ", markup)).replace("\u200b", "")
    return re.sub(r" (?=[,.;:?!)])", "", re.sub(r"\s+", " ", bare)).strip()


def plain_mathml(markup: str) -> str:
    """Write a formula of MathML in one line.

    >>> plain_mathml("<m:math><m:mn>3</m:mn><m:mo>×</m:mo><m:msup><m:mn>10</m:mn><m:mn>8</m:mn></m:msup></m:math>")
    '3×10^8'
    """
    try:
        root = ElementTree.fromstring(f'<x xmlns:m="m">{markup}</x>')  # noqa: S314 - a formula at a pinned commit
    except ElementTree.ParseError:
        return plain(markup)
    return re.sub(r"\s+", " ", _line(root)).strip()


def _line(node: ElementTree.Element) -> str:
    name = node.tag.removeprefix("{m}")
    parts = [_line(child) for child in node]
    if name == "mspace":
        return " "
    if name == "mtext":
        return f" {node.text or ''} "
    if name == "mo" and (node.text or "").strip() in {"=", "+", "−", "-", "<", ">", "≈", "≤", "≥"}:
        return f" {(node.text or '').strip()} "
    if name == "mfrac" and len(parts) == 2:
        return "/".join(_grouped(part) for part in parts)
    if name == "msup" and len(parts) == 2:
        return f"{parts[0]}°" if parts[1].strip() == "∘" else f"{parts[0]}^{_grouped(parts[1])}"
    if name == "msqrt":
        return f"√({''.join(parts)})"
    return (node.text or "").strip() + "".join(parts)


def _grouped(part: str) -> str:
    part = part.strip()
    return part if re.fullmatch(r"[\w.−-]*", part) else f"({part})"


def plain_latex(text: str) -> str:
    r"""Write the formulas of LaTeX in a text plainly.

    >>> plain_latex(r"a flow of $\frac{3}{4} \times 10^{5}$ m/s")
    'a flow of 3/4 × 10^5 m/s'
    """
    text = _LOOK.sub("", text)
    text = re.sub(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"\1/\2", text)
    text = re.sub(r"\\(?:begin|end)\{[^}]*\}|\\(?:label|ref|eqref|cite)\{[^}]*\}", " ", text)
    text = re.sub(r"\\([A-Za-z]+)", lambda found: _SIGNS.get(found[1], " "), text)
    return re.sub(r"[{}$]|\\.", "", text)


def passages_of_cnxml(text: str) -> Iterator[tuple[str, str]]:
    """Give problems, worked examples and paragraphs with formulas, each with its group.

    The group is the first paragraph without its formulas, as `collect.py` reads it. A problem some of whose
    paragraphs that reading holds out, and some not, is left out.
    """
    for problem in re.findall(r"(?s)<problem\b[^>]*>(.*?)</problem>", text):
        yield from _of_paragraphs(problem)
    text = re.sub(r"(?s)<problem\b.*?</problem>|<solution\b.*?</solution>|<glossary\b.*?</glossary>", " ", text)
    for example in re.findall(r"(?s)<example\b[^>]*>(.*?)</example>", text):
        yield from _of_paragraphs(example)
    for paragraph in re.findall(r"(?s)<(?:para|item)\b[^>]*>.*?</(?:para|item)>", text):
        if re.search(r"<m:math|\d", re.sub(r"<(?!m:math)[^>]+>", "", paragraph)):
            yield from _of_paragraphs(paragraph)


def _of_paragraphs(markup: str) -> Iterator[tuple[str, str]]:
    markup = re.sub(
        r"(?s)<title>.*?</title>|<media\b.*?</media>|<figure\b.*?</figure>|<table\b.*?</table>", " ", markup
    )
    paragraphs = re.findall(r"(?s)<(?:para|item)\b[^>]*>(.*?)</(?:para|item)>", markup)
    groups = [plain_as_collected(paragraph) for paragraph in paragraphs]
    if len({Row(group, "", "").is_held_out for group in groups}) == 1:
        joined = " ".join(plain_with_formulas(paragraph) for paragraph in paragraphs)
        whole = joined if len(joined) <= 900 else plain_with_formulas(paragraphs[0])
        yield whole, groups[0]


def plain_as_collected(paragraph: str) -> str:
    """Read a paragraph as `collect.py` does: formulas dropped."""
    bare = html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<m:math.*?</m:math>", " ", paragraph)))
    return re.sub(r"[ \t\n]+", " ", bare).strip()


def plain_with_formulas(paragraph: str) -> str:
    written = re.sub(r"(?s)<m:math.*?</m:math>", lambda found: html.escape(plain_mathml(found[0])), paragraph)
    return plain(written)


def passages_of_markdown(text: str) -> Iterator[str]:
    """Give the paragraphs of a page without headings, listings, tables and links."""
    text = re.sub(r"(?s)^---\n.*?\n---\n|```.*?```|~~~.*?~~~|<!--.*?-->|<style.*?</style>", "", text)
    text = re.sub(r"</?[A-Za-z][^<>]*>", " ", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(?m)^\s*(?:#.*|\|.*|:{3}.*|[-=*_]{3,}\s*)$", "\n", text)
    for passage in re.split(r"\n\s*\n", text):
        yield plain(plain_latex(re.sub(r"[*`>]+|^\s*[-+] |(?<=\n)\s*[-+] ", " ", passage)))


def passages_of_rst(text: str) -> Iterator[str]:
    """Give the paragraphs of reStructuredText without headings, directives, listings and roles."""
    text = re.sub(r"(?m)^(.*)\n[-=~^\"'*+#]{3,}\s*$", "\n", text)
    text = re.sub(r":math:`([^`]*)`", lambda found: plain_latex(found[1]), text)
    text = re.sub(r":[a-zA-Z:+-]+:`~?!?([^`<]*?)(?: *<[^`]*>)?`_*", r"\1", text)
    text = re.sub(r"`([^`<]*?)(?: *<[^`]*>)?`_+", r"\1", text)
    for passage in re.split(r"\n\s*\n", text):
        if not re.match(r"\s*(?:\.\.|>>>|:\w|[-=+|]{3}|In \[)", passage) and ">>>" not in passage:
            yield plain(
                re.sub(r"\[[\d#]+\]_|\*\*|``|`|::$|\|(\w+)\|", " ", plain_latex(passage) if "$" in passage else passage)
            )
