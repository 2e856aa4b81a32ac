"""Texts that break text tools: marks of many scripts, stray halves of characters, endless words."""

from __future__ import annotations

from hypothesis import strategies as st

FRAGMENTS = (
    *(" ", "  ", "\n", "\r\n", "\n\n  ", "\t", "\u2028", "\x85", "\x00", "\u00a0", "\u200b", "\u200d", "\u3000"),
    *(".", ". ", "..", "...", ". . .", " . . . . ", "!", "?!", "。", "！", "।", "؟", "።", "։", ";", ":", "…", "．"),
    *('"', "'", "“", "”", "«", "»", "„", "「", "」", "《", "》", "(", ")", "[", "]", "{", "}", "•", " • ", "= ", "; "),
    *("Mr.", "U.S.", "e.g.", "p. 55", "No. 5", "a.m.", "co. They", "1. ", " 2. ", "1.) ", " 2.) "),
    *("a. ", " b. ", "12. Juni", "12:34:56 ", "[2024-01-01 12:00:00] ", "if (a) { b = c; }", "QUJD+/==", "1026.253"),
    *("Hello", "the", " the", " instructions", "World", "a", "B", "x1", "3.14", "$5", "Jane.Doe@example.com"),
    *("привет", "Конец", "τέλος", "Ίσως", "שלום", "سلام", "हिन्दी", "中文", "日本語"),
    *("한국어", "ภาษาไทย", "ภา ษา", "ပြီ", "አማ", "ա", "ﷺ", "ŉ", "İ", "Σ", "ß", "http://a.b/c?d=e", "a" * 20),
    *("e\u0301", "\u0301", "👨‍👩‍👧", "🇩🇪", "🇩", "👍🏽", "\U0001d160", "\ud800", "\udfff", "𠮷", "\U000e0101"),
)  # fmt: skip

#: Sequences of the fragments above, with any other character now and then.
texts = st.lists(st.sampled_from(FRAGMENTS) | st.characters(), max_size=60).map("".join)
#: The same, repeated.
long_texts = st.builds(lambda text, n: text * n, texts, st.integers(1, 40))
