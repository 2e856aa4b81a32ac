"""Keyword rules: literal words become keyword sets, regular expressions and case-sensitive words become patterns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from routekit.errors import PolicyError, quoted
from routekit.keyword_sets import folded
from routekit.patterns import MAX_PATTERN_CHARACTERS, Pattern
from routekit.vllm_sr.fields import Table
from routekit.vllm_sr.findings import Findings

#: A condition as a policy file has it.
Condition: TypeAlias = "dict[str, Any]"
T = TypeVar("T")

#: Of all patterns together: compiling one of the longest may take seconds.
_MAX_CHARACTERS = 20_000
_OPERATORS = ("AND", "OR", "NOR")
_LEADING_FLAGS = re.compile(r"\(\?([ims]+)\)")
#: An escape, a set of characters, a counted repeat, the head of a group with flags or a name, any other sign.
_SIGNS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|\(\?(?:P<\w+>|[a-zA-Z-]*[:)]|.)|.", re.DOTALL)
_ESCAPE = re.compile(r"\\.", re.DOTALL)
#: Escapes that mean the same in RE2, which knows ASCII only, and here; an escaped sign is literal in both.
_SAME_ESCAPES = frozenset("dDwWsSbBnrtf")
_CLASSES = ("\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\b", "\\B")
_SAME_GROUP = re.compile(r"\(\?(?:P<\w+>|[is]?:)")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


class Untranslatable(Exception):
    """A part of a rule that cannot be carried over; the message says why."""


class KeywordRules:
    """Translates keyword rules and gathers the sets and patterns that they need."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self.keywords: dict[str, list[str]] = {}
        self.patterns: dict[str, str] = {}

    def condition(self, rule: Table) -> Condition:
        """Translate one rule.

        Raises
        ------
        Untranslatable
            If it is matched by similarity, or is a regular expression that reads differently here.
        """
        operator, method = rule.text("operator"), rule.text("method", "literal").lower()
        words = rule.texts("keywords")
        if operator not in _OPERATORS:
            raise Untranslatable(f"its operator is none of {', '.join(_OPERATORS)}")
        if not words:
            raise Untranslatable("it has no keywords")
        if method not in ("literal", "regex") or rule.flag("fuzzy_match", False):
            raise Untranslatable("it is matched by similarity (bm25, ngram or fuzzy); routekit matches literally")
        build = self._pattern if method == "regex" else self._word if rule.flag("case_sensitive", False) else None
        matched = self._each(rule, words, build, operator) if build else self._set(rule, words, operator)
        return {"not": matched} if operator == "NOR" else matched

    def _set(self, rule: Table, words: list[str], operator: str) -> Condition:
        """Put words that match in any case into one set, or, where all must occur, into one set each."""
        name = rule.text("name")
        for i, word in enumerate(words):
            if not folded(word).strip():
                raise Untranslatable(f"keywords[{i}] is blank")
            if not re.fullmatch(r"\w(.*\w)?", word, re.ASCII | re.DOTALL) and not _HAN.search(word):
                self._findings.note(
                    rule.at(f"keywords[{i}]"),
                    "begins or ends with a sign or a letter beyond ASCII; there it matches only between ASCII letters "
                    "that continue it, here as a whole word",
                )
        if operator != "AND":
            _put(self.keywords, name, words)
            return {"signal": "keywords", "set": name}
        names = [f"{name}/{i}" for i in range(len(words))]
        for each, word in zip(names, words, strict=True):
            _put(self.keywords, each, [word])
        return _joined([{"signal": "keywords", "set": each} for each in names], "all")

    def _each(self, rule: Table, words: list[str], build: Callable[[str, bool], str], operator: str) -> Condition:
        conditions = []
        for i, word in enumerate(words):
            name = f"{rule.text('name')}/{i}"
            text = build(word, not rule.flag("case_sensitive", False))
            if sum(map(len, self.patterns.values())) + len(text) > _MAX_CHARACTERS:
                raise Untranslatable(f"patterns have over {_MAX_CHARACTERS} characters in all; match words in any case")
            try:
                Pattern.of(name, text)
            except PolicyError as error:
                raise Untranslatable(f"keywords[{i}]: {error}") from None
            _put(self.patterns, name, text)
            conditions.append({"signal": "pattern", "name": name})
        return _joined(conditions, "all" if operator == "AND" else "any")

    @staticmethod
    def _word(word: str, ignore_case: bool) -> str:
        """Write a case-sensitive word as a pattern, with the boundaries of the router: ASCII, none around Chinese."""
        literal = re.escape(word)
        has_word_character = any(c.isalnum() or c == "_" for c in word)
        return rf"(?a)\b{literal}\b" if has_word_character and not _HAN.search(word) else literal

    @staticmethod
    def _pattern(text: str, ignore_case: bool) -> str:
        return python_pattern(text, ignore_case)


def _put(into: dict[str, T], name: str, value: T) -> None:
    """Define a set or a pattern; another rule may be called as a part of this one is."""
    if into.setdefault(name, value) != value:
        raise Untranslatable(f"another rule has a part that is called {quoted(name)}; rename one")


def _joined(conditions: list[Condition], how: str) -> Condition:
    return conditions[0] if len(conditions) == 1 else {how: conditions}


def python_pattern(text: str, ignore_case: bool) -> str:
    r"""Write a regular expression of RE2 (Go) so that it matches the same here.

    Raises
    ------
    Untranslatable
        For what has another meaning here, or none.

    Examples
    --------
    >>> python_pattern(r"^INC-\d{7}$", True)
    '(?ai)^INC-\\d{7}\\Z'
    """
    if len(text) > MAX_PATTERN_CHARACTERS:
        raise Untranslatable(f"a pattern has {len(text)} characters; allowed: {MAX_PATTERN_CHARACTERS}")
    leading = _LEADING_FLAGS.match(text)
    flags = set(leading.group(1) if leading else "") | ({"i"} if ignore_case else set())
    signs = _SIGNS.findall(text, leading.end() if leading else 0)
    if text.isascii() or "i" not in flags:
        flags.add("a")
    elif any(letter in sign for sign in signs for letter in _CLASSES):
        raise Untranslatable(r"\b, \d, \s and \w know only ASCII there, and here not beside letters beyond ASCII")
    pieces = [_piece(sign, multiline="m" in flags) for sign in signs]
    return (f"(?{''.join(sorted(flags))})" if flags else "") + "".join(pieces)


def _piece(sign: str, *, multiline: bool) -> str:
    for escape in _ESCAPE.findall(sign):
        if escape[1:].isalnum() and escape[1:] not in _SAME_ESCAPES:
            raise Untranslatable(f"a pattern has {quoted(escape)}, which reads differently here")
    if sign.startswith("[") and "[:" in sign:
        raise Untranslatable("a pattern has a class such as [:alpha:]; write it out")
    if sign.startswith("(?") and not _SAME_GROUP.fullmatch(sign):
        raise Untranslatable(f"a pattern has {quoted(sign)}, which reads differently here")
    if sign == "$" and not multiline:  # here it also matches before a last line break
        return r"\Z"
    return r"\{" if sign == "{" else sign
