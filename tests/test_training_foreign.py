"""Attacks in other languages and their harmless twins are filled whole, differ, and follow their seed."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

import encoder_foreign_pairs as foreign


@pytest.mark.parametrize("draw", [foreign.attack, foreign.twin])
def test_draws_are_whole_and_follow_the_seed(draw: Callable[[random.Random], str]) -> None:
    drawn = [draw(random.Random(seed)) for seed in range(2000)]
    assert drawn == [draw(random.Random(seed)) for seed in range(2000)]
    assert not any(re.search(r"%[bxq]\b", text) or not text.strip() for text in drawn)
    assert len(set(drawn)) > 1800


@pytest.mark.parametrize("tongue", foreign.tongues(), ids=lambda tongue: tongue.code)
def test_each_language_has_lines_of_every_kind_and_none_on_both_sides(tongue: foreign.Tongue) -> None:
    assert all(tongue.lines[mark] for mark in "+-?>=")
    assert not set(tongue.lines["+"]) & set(tongue.lines["-"])
    drawn = [tongue.draw(mark, random.Random(seed)) for mark in "+-?>=" for seed in range(60)]
    assert not any("{" in text.replace("{}", "") and "|" in text for text in drawn)
