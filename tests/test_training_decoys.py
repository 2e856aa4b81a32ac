"""Harmless text of the encoder's training is filled whole, differs, and follows its seed."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

import encoder_decoys_craft as craft
import encoder_decoys_crowded as crowded
import encoder_decoys_life as life
import encoder_decoys_machines as machines
import encoder_decoys_polite as polite
import encoder_decoys_study as study
import encoder_decoys_technical as technical
import encoder_decoys_tongues as tongues

KINDS = (
    pytest.param(technical.CODE + technical.SYSTEMS, technical.SLOTS, id="software"),
    pytest.param(machines.MACHINES + machines.MODELS + machines.ASSISTANTS, machines.SLOTS, id="machines"),
    pytest.param(crowded.CROWDED + crowded.TOLD, crowded.SLOTS, id="crowded"),
    pytest.param(polite.WISHES + polite.TEXTS, polite.SLOTS, id="polite"),
    pytest.param(life.EVERYDAY + life.CREATION, life.SLOTS, id="life"),
    pytest.param(craft.HANDS + craft.STAGES + study.MINDS + study.TECHNIQUE, craft.SLOTS, id="craft"),
    pytest.param([text for texts in tongues.TEXTS.values() for text in texts], tongues.SLOTS, id="tongues"),
)


@pytest.mark.parametrize(("templates", "slots"), KINDS)
def test_templates_differ_and_every_slot_has_a_use_and_choices(
    templates: Sequence[str], slots: Mapping[str, str]
) -> None:
    assert len(set(templates)) == len(templates)
    named = set(re.findall(r"\{(\w+)\}", " ".join([*templates, *slots.values()])))
    assert named <= set(slots)
    assert set(slots) - {"open"} <= named


def test_draws_are_whole_and_follow_the_seed() -> None:
    drawn = [technical.decoy(random.Random(seed)) for seed in range(2000)]
    assert drawn == [technical.decoy(random.Random(seed)) for seed in range(2000)]
    assert all(text and not re.search(r"[{}]|\|", text) for text in drawn)
    assert len(set(drawn)) > 1500
