"""Label tables of every published form."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.errors import ModelFormatError
from routekit.labels import MAX_LABELS, agreed_labels

FORMS = ("id2label", "id_to_label", "idx_to_label", "idx_to_category")
REVERSE = ("label2id", "label_to_id", "label_to_idx", "category_to_idx")


def table(form: str, labels: list[str]) -> Mapping[str, object]:
    if form in FORMS:
        return {form: {str(i): label for i, label in enumerate(labels)}}
    return {form: {label: i for i, label in enumerate(labels)}}


@given(
    labels=st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=40, unique=True),
    forms=st.lists(st.sampled_from(FORMS + REVERSE), min_size=1, max_size=4),
    order=st.randoms(use_true_random=False),
)
def test_labels_are_read_from_any_form_in_any_order(labels: list[str], forms: list[str], order: object) -> None:
    sources = {}
    for n, form in enumerate(forms):
        ((key, entries),) = table(form, labels).items()
        shuffled = list(entries.items())  # type: ignore[attr-defined]
        order.shuffle(shuffled)  # type: ignore[attr-defined]
        sources[f"{n}.json"] = {key: dict(shuffled)}
    assert agreed_labels(sources) == tuple(labels)


@given(
    labels=st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=8, unique=True),
    form=st.sampled_from(FORMS + REVERSE),
)
def test_labels_in_another_order_in_another_file_are_refused(labels: list[str], form: str) -> None:
    sources = {"config.json": table("id2label", labels), "m.json": table(form, labels[::-1])}
    if labels == labels[::-1]:
        return
    with pytest.raises(ModelFormatError, match=r"config.json.*id2label says label 0 is .*m.json"):
        agreed_labels(sources)


def test_placeholder_names_yield_to_a_mapping() -> None:
    config = {"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}
    assert agreed_labels({"config.json": config, "m.json": {"label_to_idx": {"benign": 1, "jailbreak": 0}}}) == (
        "jailbreak",
        "benign",
    )
    assert agreed_labels({"config.json": config}) == ("LABEL_0", "LABEL_1")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "no labels"),
        ({"id2label": {}}, "0 labels"),
        ({"id2label": ["a", "b"]}, "is a list"),
        ({"id2label": {"0": "a", "2": "b"}}, "without a gap"),
        ({"id2label": {"1": "a", "2": "b"}}, "without a gap"),
        ({"id2label": {"0": "a", "00": "b"}}, "without a gap"),
        ({"id2label": {"0": "a", "1": "a"}}, "repeats"),
        ({"id2label": {"0": "a", "x": "b"}}, "no number"),
        ({"id2label": {"0": "a", "-1": "b"}}, "no number"),
        ({"id2label": {"0": "a", "9" * 5000: "b"}}, "no number"),
        ({"label2id": {"a": True, "b": 0}}, "no number"),
        ({"label2id": {"a": 0.0}}, "no number"),
        ({"id2label": {"0": None}}, "not text"),
        ({"id2label": {"0": "x" * 1000}}, "not text"),
        ({"id2label": {str(i): str(i) for i in range(MAX_LABELS + 1)}}, "labels; allowed"),
    ],
)
def test_bad_tables_are_refused_with_the_file(data: dict[str, object], message: str) -> None:
    with pytest.raises(ModelFormatError, match=message) as caught:
        agreed_labels({"config.json": data})
    assert "config.json" in str(caught.value)
    assert len(str(caught.value)) < 500
