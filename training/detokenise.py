"""Writes tokens with BIO tags as running text with labelled spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

#: Half-open character range and label.
Mark = tuple[int, int, str]
_NO_SPACE_BEFORE = frozenset(". , ; : ! ? ) ] } % '' n't … ” _".split())
_NO_SPACE_AFTER = frozenset("( [ { # @ $ £ € `` “ _".split())
_QUOTES = frozenset("\"'")


def joined(tokens: Sequence[str], tags: Sequence[str], names: Mapping[str, str]) -> tuple[str, tuple[Mark, ...]]:
    """Join tokens with the spaces that a writer would set, and give the spans of the tags.

    Parameters
    ----------
    tokens, tags
        Of one length. Tags are BIO or IOB1: ``B-`` opens a span, ``I-`` goes on or opens one after another label.
    names
        Label of the tags -> label of the span; other labels give no span, nor do account names and hashtags.

    Examples
    --------
    >>> joined(["Ann", "Lee", "'s", "dog", "."], ["B-PER", "I-PER", "O", "O", "O"], {"PER": "PERSON"})
    ("Ann Lee's dog.", ((0, 7, 'PERSON'),))
    """
    text, starts = "", []
    opened: set[str] = set()
    for i, token in enumerate(tokens):
        text += "" if i == 0 or _is_glued(tokens, i, opened) else " "
        starts.append(len(text))
        text += token
        if token in _QUOTES and not _ends_plural(tokens, i, opened):
            opened ^= {token}
    return text, tuple(_spans(text, starts, tokens, tags, names))


def _is_glued(tokens: Sequence[str], i: int, opened: set[str]) -> bool:
    before, token = tokens[i - 1], tokens[i]
    if token in _NO_SPACE_BEFORE or before in _NO_SPACE_AFTER:
        return True
    if token.startswith(("'", "’")) and token.lower().lstrip("'’") in ("s", "t", "re", "ve", "ll", "d", "m"):
        return True
    if token in _QUOTES and (token in opened or _ends_plural(tokens, i, opened)):
        return True
    return before in opened or _is_split_number(tokens, i)


def _ends_plural(tokens: Sequence[str], i: int, opened: set[str]) -> bool:
    """Whether a single quotation mark stands for possession, as in ``the members' vote``."""
    return tokens[i] == "'" and i > 0 and tokens[i - 1].endswith("s") and "'" not in opened


def _is_split_number(tokens: Sequence[str], i: int) -> bool:
    """Whether a tokenizer cut here a number, ``7 . 1``, or an abbreviation, ``U . S .``, in pieces."""
    if i < 2 or tokens[i - 1] not in (".", ","):
        return False
    first, after = tokens[i - 2], tokens[i]
    is_letters = len(first) == len(after) == 1 and first.isupper() and after.isupper()
    return (first.isdigit() and after[:1].isdigit()) or (tokens[i - 1] == "." and is_letters)


def _spans(
    text: str, starts: Sequence[int], tokens: Sequence[str], tags: Sequence[str], names: Mapping[str, str]
) -> Iterable[Mark]:
    for first, stop, kind in _runs(tags):
        start, end = starts[first], starts[stop - 1] + len(tokens[stop - 1])
        is_word = any(character.isalpha() for character in text[start:end])
        if kind in names and is_word and not re.match(r"[@#]", text[max(0, start - 1) : start + 1].strip()):
            yield start, end, names[kind]


def _runs(tags: Sequence[str]) -> Iterable[tuple[int, int, str]]:
    """Give first token, end and kind of each tagged run."""
    first, kind = 0, ""
    for i, tag in enumerate((*tags, "O")):
        mark, _, now = tag.partition("-")
        if kind and (mark != "I" or now != kind):
            yield first, i, kind
            kind = ""
        if now and not kind:
            first, kind = i, now
