"""Rows for the PII token head: spans name what they should, and nothing held out is trained on."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

import people
import token_nobody
import token_persons
import token_social
import token_templates
import token_wire
from collect_entities import from_conll, from_gum, from_novels, from_requests
from detokenise import joined
from token_rows import LABELS, TokenRow, full_names, renamed, rows, varied
from token_writer import SLOTS, drawn, fill

TRAINING = Path(__file__).parents[1] / "training"
POSTS = {
    "social": token_social.SOCIAL + token_persons.SOCIAL,
    "wire": token_wire.WIRE + token_persons.WIRE,
    "nobody": token_wire.NOBODY + token_nobody.NOBODY,
}
KINDS = ("REQUESTS", "LETTERS", "CHATS", "FORMS", "MACHINE", "NEWS", "CASES", "NOTHING")
NAMES = {"PER": "PERSON"}
words = st.lists(st.sampled_from(["Ann", "Lee", ",", "'s", '"', "(", ")", "@", "x", "1", "."]), min_size=1, max_size=12)


def assert_sound(text: str, spans: tuple[tuple[int, int, str], ...]) -> None:
    end_before = 0
    for start, end, label in spans:
        assert end_before <= start < end <= len(text)
        assert text[start:end].strip() == text[start:end]
        assert label in LABELS
        end_before = end


@given(words, st.randoms(use_true_random=False))
def test_joined_tokens_keep_their_letters_and_order(tokens: list[str], rng: random.Random) -> None:
    tags = [rng.choice(("O", "B-PER", "I-PER", "B-LOC")) for _ in tokens]
    text, spans = joined(tokens, tags, NAMES)
    assert text.replace(" ", "") == "".join(tokens)
    assert_sound(text, spans)


def test_joined_text_reads_as_written() -> None:
    tokens = ["He", "said", ":", '"', "I", "don", "'t", "know", '"', "(", "U", ".", "S", ".", ")", "1", ",", "200", "!"]
    assert joined(tokens, ["O"] * len(tokens), {})[0] == 'He said: "I don\'t know" (U.S.) 1,200!'


def test_account_names_and_hashtags_are_no_persons() -> None:
    tokens = ["@", "annlee", "met", "Ann", "#", "Lee"]
    text, spans = joined(tokens, ["O", "B-PER", "O", "B-PER", "B-PER", "I-PER"], NAMES)
    assert text == "@annlee met Ann #Lee"
    assert [text[start:end] for start, end, _ in spans] == ["Ann"]


def test_tags_without_beginnings_are_read() -> None:
    text, spans = joined(["Ann", "Lee", "in", "Oslo"], ["I-PER", "I-PER", "O", "I-LOC"], {**NAMES, "LOC": "GPE"})
    assert [(text[start:end], label) for start, end, label in spans] == [("Ann Lee", "PERSON"), ("Oslo", "GPE")]


@pytest.mark.parametrize("kind", KINDS)
def test_templates_fill_every_slot(kind: str) -> None:
    templates = getattr(token_templates, kind)
    for template, text, spans in drawn(templates, 3 * len(templates), random.Random(1)):
        assert_sound(text, spans)
        assert "{{" not in text
        n_slots = sum(template.count(f"{{{slot}}}") for slot in SLOTS)
        assert len(spans) == n_slots
        if kind == "NOTHING":
            assert {label for *_, label in spans} <= {"DATE_TIME"}


@pytest.mark.parametrize("kind", POSTS)
def test_posts_and_news_fill_every_slot(kind: str) -> None:
    for template, text, spans in drawn(POSTS[kind], 3 * len(POSTS[kind]), random.Random(1)):
        assert_sound(text, spans)
        assert "{" not in text
        persons = [text[start:end] for start, end, label in spans if label == "PERSON"]
        assert bool(persons) == (kind != "nobody"), template


def test_numbered_slots_name_one_person() -> None:
    text, spans = fill("{full1} met {full2}; {family1} left, said {given2}.", random.Random(1))
    first, second, family, given = (text[start:end] for start, end, _ in spans)
    assert first.endswith(f" {family}")
    assert second.startswith(f"{given} ")


def test_new_names_stand_where_the_old_ones_stood() -> None:
    row = TokenRow("ann and Bo Lee in Oslo", ((0, 3, "PERSON"), (8, 14, "PERSON"), (18, 22, "GPE")), "a", False)
    made = renamed(row, random.Random(3))
    assert_sound(made.text, made.spans)
    one, two, place = (made.text[start:end] for start, end, _ in made.spans)
    assert one.islower()
    assert " " in two
    assert place == "Oslo"


def test_objects_in_templates_are_json() -> None:
    for template in token_templates.MACHINE:
        if template.startswith("{{"):
            json.loads(fill(template, random.Random(2))[0].replace("\n", " "))


def test_templates_do_not_depend_on_anything_but_the_seed() -> None:
    assert drawn(token_templates.NEWS, 60, random.Random(4)) == drawn(token_templates.NEWS, 60, random.Random(4))


@given(st.randoms(use_true_random=False))
def test_names_have_no_leftover_marks_of_the_lists(rng: random.Random) -> None:
    for name in (people.person(rng), people.organisation(rng), people.street_address(rng)):
        assert name == name.strip()
        assert not set("{}|") & set(name)


@given(st.randoms(use_true_random=False))
def test_variation_moves_spans_with_their_text(rng: random.Random) -> None:
    row = TokenRow(
        "Ann Lee met Bo in Oslo.", ((0, 7, "PERSON"), (12, 14, "PERSON"), (18, 22, "GPE")), "written/a", False
    )
    other = TokenRow("Call Eve", ((5, 8, "PERSON"),), "written/a", False)
    made = varied(row, other, rng)
    assert_sound(made.text, made.spans)
    found = [made.text[start:end].lower() for start, end, _ in made.spans]
    assert found in (["ann lee", "bo", "oslo"], ["ann lee", "bo", "oslo", "eve"])


def test_full_names_need_a_known_given_name() -> None:
    text = "Priya Nair sued James City. Kant and Immanuel Kant disagree."
    assert [text[start:end] for start, end, _ in full_names(text)] == ["Priya Nair"]


class Files:
    """Stands for a repository: name -> text."""

    def __init__(self, **files: str) -> None:
        self._files = files

    def names(self) -> list[str]:
        return [f"{name}.conllu" for name in self._files]

    def read(self, names: list[str]) -> list[tuple[str, bytes]]:
        return [(name, self._files[name.removesuffix(".conllu")].encode()) for name in names]


def test_contract_parties_are_no_persons() -> None:
    text = "The O\nBorrower I-PER\npays O\n\nAnn I-PER\nLee I-PER\nsigns O\n"
    [(found, spans)] = from_conll(Files(a=text), {"files": ["a"], "names": NAMES})  # type: ignore[arg-type]
    assert (found, spans) == ("Ann Lee signs", ((0, 7, "PERSON"),))


def test_named_persons_are_read_from_brackets_without_titles() -> None:
    lines = (
        "1\tPresident\t_\t_\tNNP\t_\t3\tcompound\t_\tEntity=(1-person-new",
        "2\tAnn\t_\t_\tNNP\t_\t3\tcompound\t_\t_",
        "3\tLee\t_\t_\tNNP\t_\t4\tnsubj\t_\tEntity=1)",
        "4\tmet\t_\t_\tVBD\t_\t0\troot\t_\t_",
        "5\ther\t_\t_\tPRP\t_\t6\tposs\t_\tEntity=(2-person-new(1-person-new)",
        "6\tfriend\t_\t_\tNN\t_\t4\tobj\t_\tEntity=2)|SpaceAfter=No",
        "7\t.\t_\t_\t.\t_\t4\tpunct\t_\t_",
    )
    [(text, spans)] = from_gum(Files(x="\n".join(lines)), {"files": ["x"], "names": {"person": "PERSON"}})  # type: ignore[arg-type]
    assert (text, spans) == ("President Ann Lee met her friend.", ((10, 17, "PERSON"),))


def test_requests_with_performers_are_left_out() -> None:
    def said(text: str, *entities: tuple[int, int, str]) -> dict[str, object]:
        return {"text": text, "entities": [{"start": a, "end": b, "entity": kind} for a, b, kind in entities]}

    rows = [said("email dr smith", (6, 14, "person")), said("play queen for ann", (5, 10, "artist_name"))]
    stored = json.dumps({"rasa_nlu_data": {"common_examples": rows}})
    source = {"files": ["a"], "names": {"person": "PERSON"}}
    assert list(from_requests(Files(a=stored), source)) == [("email dr smith", ((9, 14, "PERSON"),))]  # type: ignore[arg-type]


class Novel(Files):
    def names(self) -> list[str]:
        return ["x.txt"]

    def read(self, names: list[str]) -> Iterator[tuple[str, bytes]]:  # type: ignore[override]
        return iter([(name, self._files[name].encode()) for name in names])


def test_persons_of_novels_lose_their_titles() -> None:
    text = "“ Go , ” said Aunt Polly .\nTom went ."
    notes = "T0\tPROP_PER 14 24\tAunt Polly\nT1\tPROP_PER 27 30\tTom\nT2\tNOM_PER 0 1\tx\n"
    [(found, spans)] = from_novels(Novel(**{"x.txt": text, "x.ann": notes}), {"files": ["x"]})  # type: ignore[arg-type]
    assert [found[start:end] for start, end, _ in spans] == ["Polly", "Tom"]


def test_entity_sources_are_pinned_and_permissive() -> None:
    for source in json.loads((TRAINING / "entity_sources.json").read_text()):
        assert len(source["commit"]) == 40
        assert source["licence"] in {"CC-BY-4.0", "CC-BY-3.0", "CC-BY-2.5"}
        assert set(source["names"].values()) <= set(LABELS)


def test_rows_are_sound_and_what_is_held_out_is_not_trained_on(shared: Path, tmp_path: Path) -> None:
    found = list(rows(shared, tmp_path))
    trained = {row.text for row in found if not row.is_held_out}
    held = {row.text for row in found if row.is_held_out}
    assert len(trained) > 25_000
    assert not trained & held
    assert {row.source for row in found if row.is_held_out} > {"btc/e", "btc/h", "mmlu", "presidio_synth"}
    assert not {"btc/e", "btc/h"} & {row.source for row in found if not row.is_held_out}
    for row in found:
        assert_sound(row.text, row.spans)
        assert {label for *_, label in row.spans} <= set(row.labels)
