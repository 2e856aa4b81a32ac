"""What is written as attacks and twins is complete, repeats itself, and keeps its two sides apart."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent.parent / "training"))

import encoder_attack_pairs as more
import encoder_persuasion_slots as wording
import encoder_planted as planted
import encoder_suffixes as suffixes
from encoder_persuasion_fill import FOLDER, templates

WRITERS = (
    more.framed_attack,
    more.framed_twin,
    more.suffix_attack,
    more.suffix_twin,
    more.extraction_attack,
    more.extraction_twin,
    planted.attack,
    planted.twin,
)


@pytest.mark.parametrize("write", WRITERS)
@given(seed=st.integers(0, 2**32))
def test_writer_fills_all_slots_and_repeats_itself(write: Callable[[random.Random], str], seed: int) -> None:
    text = write(random.Random(seed))
    assert text.strip()
    assert text == write(random.Random(seed))
    # One letter may be a name in pasted code.
    names = [name for name in {*wording.SLOTS, *planted.SLOTS, "deed", "harm"} if len(name) > 1]
    assert not [name for name in names if "{" + name + "}" in text]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_file_of_templates_has_no_empty_line(path: Path) -> None:
    lines = templates(path.stem)
    assert lines
    assert all(line.strip() for line in lines)


def test_deeds_are_harmful_or_harmless() -> None:
    assert not set(wording.HARMFUL) & set(wording.HARMLESS)


def test_frame_for_both_sides_differs_in_its_deed_only() -> None:
    texts = [more._framed(frame, "X", random.Random(1)) for frame in more.FRAMES]
    assert all("X" in text for text in texts)
    assert not set(more.FRAMES) & {*more.PRESSED, *more.FRAME_TWINS}


@given(seed=st.integers(0, 2**32))
def test_optimised_suffix_is_one_line(seed: int) -> None:
    assert "\n" not in suffixes.optimised(random.Random(seed))
