"""What the encoder's collectors read is pinned and permissive; question templates fill without a slot left over."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

import collect_requests
import collect_subjects
from corpus import DOMAINS, Row, domain_weights
from problems import questions


@pytest.mark.parametrize("collector", [collect_requests, collect_subjects])
def test_sources_are_pinned_permissive_and_of_a_known_form(collector: object) -> None:
    for source in json.loads(collector.SOURCES.read_text()):  # type: ignore[attr-defined]
        assert len(source["commit"]) == 40 if "repo" in source else source["version"]
        assert source["licence"].startswith(("MIT", "Apache-2.0", "BSD", "CC0", "CC-BY-4.0"))
        assert "package" in source or source["form"] in collector.FORMS  # type: ignore[attr-defined]


def test_questions_are_of_every_subject_filled_and_the_same_for_a_seed() -> None:
    asked = questions(seed=3, n_variants=2)
    assert {label for _, label in asked} == set(DOMAINS)
    assert not [text for text, _ in asked if re.search(r"\{(?:int|big|num|pct|name|len|mass)\}", text)]
    assert asked == questions(seed=3, n_variants=2) != questions(seed=4, n_variants=2)


def test_labels_weigh_alike_and_a_large_source_does_not_set_the_style() -> None:
    rows = [Row(f"a{i}", "math", "large") for i in range(5000)] + [Row(f"b{i}", "math", "small") for i in range(100)]
    rows += [Row("c", "law", "small")]
    weights = domain_weights(rows)
    assert sum(weights[:5100]) == pytest.approx(weights[5100]) == pytest.approx(1.0)
    assert sum(weights[:5000]) < 0.9
