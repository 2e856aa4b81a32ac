"""A glance at tokens: it computes what it says it does, other text hides nothing from it, and it checks its file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import doubts
from routekit.embedded.doubt import WIDTH, Doubt, gram_rows
from routekit.errors import ModelFormatError

Ids: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
#: Tokens on either side of a place that its features depend on.
REACH = WIDTH // 2 * (1 + 4)
TOKENS = st.integers(0, doubts.N_IDS - 1)
IDS = arrays(np.int64, st.integers(1, 60), elements=TOKENS)
LONG = arrays(np.int64, st.integers(2 * REACH + 1, 60), elements=TOKENS)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Doubt:
    return Doubt.from_file(doubts.save(tmp_path_factory.mktemp("doubt")))


def plain_rows(ids: list[int], n_bits: int) -> list[list[int]]:
    """Hash every n-gram on its own, in Python integers."""

    def row(kind: int, *back: tuple[int, int]) -> int:
        factors = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
        mixed = (kind + sum((token + 1) * factors[place] for place, token in back)) % 2**64
        mixed = (mixed ^ mixed >> 32) * 0xFF51AFD7ED558CCD % 2**64
        return mixed >> (64 - n_bits)

    kinds = ((0,), (0, 1), (0, 1, 2), (0, 2))
    return [
        [row(k, *((b, ids[i - b]) for b in places)) if i >= places[-1] else 0 for i in range(len(ids))]
        for k, places in enumerate(kinds)
    ]


@given(IDS)
def test_n_grams_are_hashed_as_one_by_one(ids: Ids) -> None:
    assert gram_rows(ids, 12).tolist() == plain_rows(ids.tolist(), 12)


@given(IDS)
def test_both_scores_are_those_of_the_formula(model: Doubt, ids: Ids) -> None:
    weights = model.grams[np.array(plain_rows(ids.tolist(), doubts.N_BITS))].astype(float).sum(axis=0)
    whole = model.scales[-1]
    highest = whole.slope * weights.sum() / math.sqrt(len(ids)) + whole.bias
    for scale in model.scales[:-1]:
        for start in range(len(ids) - scale.n_tokens + 1):
            part = weights[start : start + scale.n_tokens].sum() / math.sqrt(scale.n_tokens)
            highest = max(highest, scale.slope * part + scale.bias)
    assert model.gram_score(ids) == pytest.approx(highest)
    assert model.shape_score(ids) == pytest.approx(
        float(_places(model, ids).max(axis=0) @ model.out), rel=1e-4, abs=1e-4
    )
    assert model.log_odds(ids) == model.gram_score(ids) + model.share * model.shape_score(ids)


def _places(model: Doubt, ids: Ids) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Give the features of every place, one product at a time."""
    values = model.vectors[ids].astype(np.float64)
    for (kernel, bias), dilation in zip(model.layers, (1, 4), strict=True):
        parts = kernel.astype(np.float64).reshape(WIDTH, values.shape[1], -1)
        found = np.tile(bias.astype(np.float64), (len(values), 1))
        for at in range(len(values)):
            for place in range(WIDTH):
                other = at + (place - WIDTH // 2) * dilation
                if 0 <= other < len(values):
                    found[at] += values[other] @ parts[place]
        values = np.maximum(found, 0)
    return values


@given(IDS, LONG, IDS)
def test_text_farther_off_hides_nothing(model: Doubt, before: Ids, order: Ids, after: Ids) -> None:
    inside = _places(model, order)[REACH:-REACH].max(axis=0)
    assert model.shape_score(np.concatenate((before, order, after))) >= float(inside @ model.out) - 1e-3


def test_a_text_without_tokens_is_not_cleared(model: Doubt) -> None:
    assert model.log_odds(np.zeros(0, np.int64)) == math.inf


@pytest.mark.parametrize(
    "change",
    [
        {"format": "routekit-doubt-0"},
        {"scales": []},
        {"scales": [{"n_tokens": 8, "slope": 1.0, "bias": 0.0}]},
        {"scales": [{"n_tokens": 0, "slope": -1.0, "bias": 0.0}]},
        {"share": -1.0},
        {"grams": np.zeros(100, np.int8)},
        {"grams": np.zeros(128, np.int16)},
        {"vectors": np.zeros((4, 2), np.int8)},
        {"out": np.full(5, -1.0, np.float32)},
        {"kernel1": np.full((20, 5), np.nan, np.float32)},
        {"bias0": np.zeros(4)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_file_that_does_not_fit_together_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = doubts.save(tmp_path, **change)
    with pytest.raises(ModelFormatError, match=r"doubt\.npz.*reinstall routekit"):
        Doubt.from_file(path)


def test_what_is_no_file_of_a_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "doubt.npz"
    with pytest.raises(ModelFormatError, match="FileNotFoundError"):
        Doubt.from_file(path)
    path.write_bytes(b"no archive")
    with pytest.raises(ModelFormatError, match="BadZipFile"):
        Doubt.from_file(path)
    settings = np.frombuffer(json.dumps({}).encode(), np.uint8)
    np.savez(path, settings=settings, grams=np.zeros(1 << 25, np.int8))
    with pytest.raises(ModelFormatError, match="unpacks to"):
        Doubt.from_file(path)
