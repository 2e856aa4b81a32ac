"""The training cuts text as the library reads it, its templates are complete, and its sources are pinned."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

import attacks
import decoys
import glossary
from grammar import sample
from requests_of_length import benign_requests, n_units

TRAINING = Path(__file__).parents[1] / "training"
PERMISSIVE = {"CC0-1.0", "CC-BY-4.0", "MIT", "Apache-2.0", "MIT OR Apache-2.0"}


@pytest.mark.parametrize("module", [attacks, decoys], ids=["attacks", "decoys"])
def test_templates_have_no_empty_or_unknown_slots(module: object) -> None:
    drawn = sample(module.TEMPLATES, module.SLOTS, 500, seed=1)  # type: ignore[attr-defined]
    assert len(drawn) == 500
    assert not any("{" in text for text in drawn)
    assert drawn == sample(module.TEMPLATES, module.SLOTS, 500, seed=1)  # type: ignore[attr-defined]


def test_attacks_and_decoys_share_no_sentence() -> None:
    assert not set(sample(attacks.TEMPLATES, attacks.SLOTS, 3000, 1)) & set(
        sample(decoys.TEMPLATES, decoys.SLOTS, 3000, 1)
    )


def test_every_domain_has_subjects_and_names() -> None:
    assert len(glossary.SUBJECTS) == 14
    assert glossary.SUBJECTS.keys() == glossary.NAMES.keys()
    assert min(len(subjects.split("|")) for subjects in glossary.SUBJECTS.values()) >= 50


def test_no_subject_belongs_to_two_domains() -> None:
    seen = [subject for subjects in glossary.SUBJECTS.values() for subject in subjects.split("|")]
    assert len(seen) == len(set(seen))


def test_sources_are_pinned_and_permissive() -> None:
    for source in json.loads((TRAINING / "sources.json").read_text()):
        assert len(source["commit"]) == 40
        assert source["licence"] in PERMISSIVE


@pytest.mark.parametrize("n_words", [100, 3000])
def test_benign_requests_have_the_length_asked_for(n_words: int) -> None:
    from corpus import Row

    rng = random.Random(1)
    pool = [Row(" ".join(["word"] * rng.randint(1, 80)), "benign", f"source {i % 3}") for i in range(50)]
    lengths = [n_units(text) for text in benign_requests(pool, n_words, 30, seed=1)]
    assert max(lengths) < n_words + 80
    assert sum(length >= n_words for length in lengths) >= 20


@pytest.mark.parametrize("n_words", [3, 40, 150])
def test_training_scores_texts_as_the_library_does(n_words: int) -> None:
    pytest.importorskip("scipy", reason="the training needs the extra [training]")
    from fit import highest_window, text_keys, token_weights
    from routekit.linear import LinearClassifier
    from routekit.readings import Peak, Scale
    from routekit.weights import LinearWeights

    kinds, n_bits = ("word", "pair"), 10
    text = " ".join(random.Random(2).choices(["ignore", "all", "my", "rules", "now", "please"], k=n_words))
    table = np.random.default_rng(3).integers(-9, 10, (1 << n_bits, 1)).astype(np.int8)
    table[0] = 0
    score = highest_window(token_weights(text_keys(text, kinds), table)[:, 0], (16, 64), (0.3, 0.1), 0.5)

    peak = Peak(("no", "yes"), (Scale(16, 1.0, -0.3), Scale(64, 1.0, -0.1)), ((float("inf"), 0.5),), 0.5)
    library = LinearClassifier(LinearWeights("test", kinds, table, peak, {})).classify([text])[0]
    assert library.probabilities["yes"] == pytest.approx(1 / (1 + np.exp(-score)))


def test_training_windows_add_up_the_weights_of_their_tokens() -> None:
    pytest.importorskip("scipy", reason="the training needs the extra [training]")
    from fit import common_keys, cut, text_keys, token_weights

    n_bits = 10
    keys = text_keys(
        " ".join(random.Random(2).choices(["ignore", "all", "my", "rules", "now"], k=150)), ("word", "pair")
    )
    table = np.random.default_rng(3).integers(-9, 10, (1 << n_bits, 1)).astype(np.float32)
    table[0] = 0
    rows = cut([keys], common_keys([keys], 1), (16, 64), n_bits, most=1000)
    scores = (rows.matrix @ table)[:, 0]
    each = token_weights(keys, table)[:, 0]
    windows = [each[at : at + size] for size in (16, 64) for at in range(0, 150 - size // 2, size // 2)]
    assert np.allclose(scores, [window.sum() / np.sqrt(len(window)) for window in windows], atol=1e-3)


def test_rounding_keeps_the_order_of_weights() -> None:
    pytest.importorskip("scipy", reason="the training needs the extra [training]")
    from fit import quantized

    table = np.linspace(-1, 1, 1001, dtype=np.float32)[:, None]
    small, step = quantized(table, clip=1.0)
    assert (np.diff(small[1:, 0].astype(int)) >= 0).all()
    assert np.abs(small[1:] * step - table[1:]).max() <= step / 2 + 1e-6


def test_texts_that_set_thresholds_measure_nothing() -> None:
    from corpus import HELD_SOURCES, Row

    rows = [Row(f"text {i}", "benign", "books") for i in range(1000)]
    for rows_of_kind in ([row for row in rows if row.is_held_out], [row for row in rows if not row.is_held_out]):
        share = sum(row.sets_thresholds for row in rows_of_kind) / len(rows_of_kind)
        assert 0.3 < share < 0.7
    assert not any(Row(f"text {i}", "benign", HELD_SOURCES[0]).sets_thresholds for i in range(50))


def test_texts_measured_on_are_not_written_for_training() -> None:
    sys.path.insert(0, str(TRAINING.parent / "benchmarks"))
    from disguises import DISGUISES, FOREIGN, PLAIN
    from everyday import EVERYDAY, ROLE_PLAY, SECURITY, TRIGGERS

    measured = {*EVERYDAY, *TRIGGERS, *SECURITY, *ROLE_PLAY, *FOREIGN, *PLAIN}
    measured |= {disguise(text) for disguise in DISGUISES.values() for text in PLAIN}
    assert len(measured) == sum(map(len, (EVERYDAY, TRIGGERS, SECURITY, ROLE_PLAY, FOREIGN, PLAIN))) + 10 * len(PLAIN)
    trained = {*sample(attacks.TEMPLATES, attacks.SLOTS, 6000, 1), *sample(decoys.TEMPLATES, decoys.SLOTS, 7000, 1)}
    assert not trained & measured


def test_machine_text_depends_on_the_seed_alone() -> None:
    sys.path.insert(0, str(TRAINING.parent / "benchmarks"))
    from machine_text import machine_text

    assert machine_text() == machine_text()
