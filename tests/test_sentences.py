"""Sentences tile the text, follow the marks of their script, and are the same compiled or not, whole or in pieces."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given

from hostile_texts import texts
from routekit.compiled import compiled_text
from routekit.sentences import python_sentence_starts, sentence_starts, split_sentences


@given(texts)
def test_sentences_tile_the_text(text: str) -> None:
    starts = sentence_starts(text).tolist()
    assert starts == sorted(set(starts))
    assert starts[:1] == ([0] if text else [])
    assert all(0 <= start < len(text) for start in starts)
    pieces = [text[a:b] for a, b in pairwise([*starts, len(text)])]
    assert "".join(pieces) == text
    assert not any(piece.isspace() for piece in pieces[1:])


@pytest.mark.skipif(compiled_text() is None, reason="routekit._text is not built: run native/build_inplace.sh")
@given(texts)
def test_sentences_compiled_and_not_are_the_same(text: str) -> None:
    assert sentence_starts(text).tolist() == python_sentence_starts(text).tolist()


@given(texts, texts)
def test_sentences_end_at_newlines(before: str, after: str) -> None:
    starts = set(sentence_starts(f"a{before}\nb{after}").tolist())
    assert len(before) + 2 in starts


def test_sentences_of_english_follow_the_golden_rules(shared: Path) -> None:
    cases = json.loads((shared / "cases/sentences/english.json").read_text())
    right = [split_sentences(case["text"]) == case["sentences"] for case in cases]
    assert sum(right) >= 47


@pytest.mark.parametrize(
    "sentences",
    [
        ["„Keine Zeit“, sagte sie leise: „Und keine Lust.“", "Wir haben 1.000.000 Euro."],
        ["Was sind die Folgen der Abstimmung vom 12. Juni?", "Es ist z. B. ratsam, d.h. gut."],
        ["Pablo, ¿adónde vas?", "¡¿Qué viste?!", "Es el Dr. Naser."],
        ["Le texte « LL.AA.II.RR. » est court.", "À 11 heures ce matin, rien."],
        ["«К чему ты готовишься? – спросила мама. – Завтра ведь выходной».", "Потом ушла."],
        ["Πού είναι οι τουαλέτες;", "Τις Κυριακές δε δούλευε κανένας."],
        ["كيف حالك؟", "أنا بخير.", "ثم ذهب."],
        ["کیا حال ہے؟", "میرا نام علی ہے۔", "میں یہاں ہوں۔"],
        ["सच्चाई यह है।", "हो सकता है यह सच हो।"],
        ["आज दसरा आहे.", "आज खूप शुभ दिवस आहे."],
        ["我们一起去看《摔跤吧！爸爸》好吗？", "好！", "价格是3．5元。"],
        ["「今日は。明日も。」と言った。", "次です。"],
        ["안녕하세요.", "저는 학생입니다."],
        ["Մոտենում ենք ավարտին:", "Տրամադրությունը հիանալի էր:"],
        ["နေကောင်းလား။", "ကောင်းပါတယ်။"],
        ["እንደምን አለህ፧", "መልካም ቀን ይሁንልህ።"],
    ],
    ids=["de", "de-date", "es", "fr", "ru", "el", "ar", "ur", "hi", "mr", "zh", "ja", "ko", "hy", "my", "am"],
)
def test_sentences_of_other_languages(sentences: list[str]) -> None:
    assert split_sentences(" ".join(sentences)) == sentences


def test_sentences_without_spaces_between() -> None:
    assert split_sentences("他走了。然后呢？好!我来.再见") == ["他走了。", "然后呢？", "好!", "我来.", "再见"]


def test_sentences_of_thai_end_at_spaces() -> None:
    clauses = ["สวัสดีครับผมชื่อสมชายและผมเป็นคนไทยที่อาศัยอยู่ในกรุงเทพ", "วันนี้อากาศดีมากจึงออกไปเดินเล่นในสวนกับเพื่อน"]
    assert split_sentences(" ".join(clauses)) == clauses


def test_sentences_of_code_and_logs_are_lines() -> None:
    lines = [
        'if (x >= y) { z = a ? Foo : Bar; print("Done. Next!"); }',
        "2024-01-01 12:00:00 INFO Server started. Listening.",
        "    return x",
        "At https://a.b/c.html? Yes.",
    ]
    expected = [*(line.strip() for line in lines[:3]), "At https://a.b/c.html?", "Yes."]
    assert split_sentences("\n".join(lines)) == expected


@pytest.mark.parametrize(
    "text", ["\n" * 100_000, "• " * 50_000, ". " * 50_000, "?" * 100_000, "1. 2. " * 30_000, "(“" * 50_000]
)
def test_sentences_of_long_nonsense_are_found(text: str) -> None:
    assert sentence_starts(text)[0] == 0
