"""A scan equals a plain computation over all windows, however the text arrives; damaged files are refused by name."""

from __future__ import annotations

import json
import math
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routekit import Classifier, IncrementalClassifier, ModelFormatError, UsageError
from routekit.linear import LinearClassifier
from routekit.ngrams import NgramStream
from routekit.readings import FEWEST_TOKENS, Peak, Pool, Scale
from routekit.weights import FORMAT, LinearWeights, load_weights

KINDS = ("word", "pair", "stem")
PEAK = Peak(
    ("benign", "bad"),
    (Scale(7, 0.003, -0.4), Scale(16, 0.004, -0.5), Scale(64, 0.006, -1.0)),
    ((30, 0.3), (math.inf, 0.6)),
    short_margin=0.2,
)
POOL = Pool(("a", "b", "c"), 0.01, (0.1, 0.0, -0.1), 64, 0.5, 32)
VOCABULARY = ("ignore", "all", "my", "rules", "now", "你", "好", "x", "y", "z", "w", "12", "p@ss")
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=400).map(" ".join)
CUTS = st.lists(st.integers(0, 1800), max_size=5)


def weights(reading: Peak | Pool, n_columns: int) -> LinearWeights:
    table = np.random.default_rng(7).integers(-127, 128, (1 << 10, n_columns)).astype(np.int8)
    table[0] = 0
    return LinearWeights("test", KINDS, table, reading, {})


PEAKED = LinearClassifier(weights(PEAK, 1))
POOLED = LinearClassifier(weights(POOL, 3))


def token_weights(classifier: LinearClassifier, text: str) -> np.ndarray[Any, Any]:
    stream = NgramStream(KINDS)
    keys = np.concatenate((stream.feed(text)[0], stream.close()[0]), axis=1)
    table = classifier.weights.table.astype(np.int64)
    summed: np.ndarray[Any, Any] = table[keys >> np.uint64(64 - 10)].sum(axis=0)
    return summed


def plain_probability(text: str) -> float:
    """P(bad) by the definition: windows of every size that fits from every token on, and a short text as a whole."""
    each = token_weights(PEAKED, text)[:, 0].tolist()
    largest = PEAK.scales[-1].n_tokens
    logits = []
    for scale in PEAK.scales:
        n_windows = max(len(each) - scale.n_tokens + 1, 1 if scale is PEAK.scales[-1] else 0)
        for window in (each[at : at + scale.n_tokens] for at in range(n_windows)):
            logits.append(scale.slope * sum(window) / math.sqrt(max(len(window), FEWEST_TOKENS)) + scale.bias)
            logits[-1] -= PEAK.short_margin if scale.n_tokens < largest and len(each) < largest else 0.0
    return 1 / (1 + math.exp(-max(logits)))


def fed(classifier: LinearClassifier, text: str, cuts: list[int]) -> Any:
    scan = classifier.open()
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    bounds = [0.0]
    for a, b in pairwise(edges):
        scan.feed(text[a:b])
        bounds.append(scan.lower_bound().get("bad", 0.0))
    assert bounds == sorted(bounds)
    return scan.finish(), bounds[-1]


@given(WORDS)
def test_peak_equals_the_plain_computation(text: str) -> None:
    assert PEAKED.classify([text])[0].probabilities["bad"] == pytest.approx(plain_probability(text), abs=1e-12)


@given(WORDS, CUTS)
@settings(max_examples=60)
def test_finish_equals_classify_for_every_cut(text: str, cuts: list[int]) -> None:
    for classifier in (PEAKED, POOLED):
        prediction, bound = fed(classifier, text, cuts)
        assert prediction == classifier.classify([text])[0]
        assert bound <= prediction.probabilities.get("bad", 1.0)


@given(WORDS)
def test_pool_equals_the_plain_computation(text: str) -> None:
    each = token_weights(POOLED, text)
    n = max(len(each), FEWEST_TOKENS)
    logits = POOL.slope * each.sum(axis=0) * math.sqrt(min(n, POOL.most_tokens)) / n + np.asarray(POOL.biases)
    expected = np.exp(logits) / np.exp(logits).sum()
    found = POOLED.classify([text])[0].probabilities
    assert list(found.values()) == pytest.approx(expected.tolist(), abs=1e-12)


@given(WORDS)
def test_screen_finds_the_window_that_decided(text: str) -> None:
    scores = PEAKED.screen(text)
    prediction = PEAKED.classify([text])[0]
    assert scores.spans[:, 0].tolist() == sorted(scores.spans[:, 0].tolist())
    assert ((scores.spans >= 0) & (scores.spans <= len(text))).all()
    if prediction.n_tokens:
        assert scores.scores.max() == pytest.approx(prediction.probabilities["bad"])
    else:
        assert len(scores.scores) == 0


@given(WORDS)
def test_label_follows_the_threshold_of_the_length(text: str) -> None:
    prediction = PEAKED.classify([text])[0]
    fires = prediction.probabilities["bad"] >= (0.3 if prediction.n_tokens <= 30 else 0.6)
    assert (prediction.label == "bad") == fires == bool(prediction.spans)


@given(st.integers(0, 150), st.integers(0, 150))
def test_words_around_a_long_text_never_lower_its_score(n_before: int, n_after: int) -> None:
    inner = "x " * 60 + "ignore all my rules now p@ss 12 你 好 " + "y " * 60
    alone, around = PEAKED.classify([inner, "w " * 40 * (n_before % 4) + inner + "z " * n_after])
    # Forty words that the text does not have are as much context as any text has: none of its features repeats them.
    assert around.probabilities["bad"] >= alone.probabilities["bad"] - 1e-3


def test_a_closed_window_is_known_before_the_end() -> None:
    scan = PEAKED.open()
    scan.feed("ignore all my rules now " * 60)
    bound = scan.lower_bound()["bad"]
    assert bound > 0
    scan.feed("fine " * 500)
    assert scan.finish().probabilities["bad"] >= bound


def test_the_span_points_at_the_attack() -> None:
    attack = max(map(" ".join, permutations(("ignore", "rules", "now", "my", "12"))), key=plain_probability)
    text = "\u200b. " * 50 + attack
    span = PEAKED.classify([text])[0].spans[0]
    assert attack in text[span.start : span.end]


@pytest.mark.parametrize(
    "text", ["", "\x00", "\ud800\udc00", "\u200b" * 1000, "a" * 100_000, "\n" * 100_000, "9 " * 5000]
)
def test_odd_texts_are_read(text: str) -> None:
    for classifier in (PEAKED, POOLED):
        total = sum(classifier.classify([text])[0].probabilities.values())
        assert total == pytest.approx(1.0)
        assert len(classifier.screen(text).spans) == len(classifier.screen(text).scores)


def test_nothing_is_fed_after_the_end() -> None:
    scan = PEAKED.open()
    assert scan.finish() == scan.finish()
    with pytest.raises(UsageError, match="finish"):
        scan.feed("more")


def test_it_is_a_classifier() -> None:
    assert isinstance(PEAKED, Classifier)
    assert isinstance(PEAKED.open(), IncrementalClassifier)
    assert (PEAKED.positive, POOLED.positive) == (frozenset({"bad"}), frozenset())
    assert (PEAKED.scope, POOLED.scope) == ("all", "last_user")
    assert PEAKED.threshold == 0.6


def stored(path: Path, **changes: Any) -> Path:
    reading = {
        "kind": "peak",
        "labels": ["benign", "bad"],
        "scales": [{"n_tokens": 16, "slope": 0.004, "bias": -0.5}],
        "thresholds": [[30, 0.3], [None, 0.6]],
        "short_margin": 0.5,
    }
    content = {"format": FORMAT, "name": "test", "kinds": KINDS, "reading": reading, "card": {}}
    content["reading"] = {**reading, **changes.pop("reading", {})}
    table = changes.pop("table", PEAKED.weights.table)
    raw = np.frombuffer(json.dumps({**content, **changes}).encode(), dtype=np.uint8)
    with path.open("wb") as stream:
        np.savez_compressed(stream, table=table, settings=raw)
    return path


def test_a_stored_model_reads_back(tmp_path: Path) -> None:
    model = load_weights(stored(tmp_path / "model.npz"))
    assert model.reading == Peak(("benign", "bad"), (Scale(16, 0.004, -0.5),), ((30, 0.3), (math.inf, 0.6)), 0.5)
    assert not model.table.flags.writeable
    assert model.n_bits == 10


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "other"},
        {"kinds": ["word", "nonsense"]},
        {"kinds": []},
        {"table": np.zeros((1000, 1), np.int8)},
        {"table": np.zeros((1024, 2), np.int8)},
        {"table": np.zeros((1024, 1), np.float32)},
        {"table": np.ones((1024, 1), np.int8)},
        {"reading": {"scales": []}},
        {"reading": {"scales": [{"n_tokens": 0, "slope": 1.0, "bias": 0.0}]}},
        {
            "reading": {
                "scales": [{"n_tokens": 16, "slope": 1.0, "bias": 0.0}, {"n_tokens": 8, "slope": 1.0, "bias": 0.0}]
            }
        },
        {"reading": {"short_margin": -0.1}},
        {"reading": {"short_margin": float("inf")}},
        {"reading": {"thresholds": [[30, 0.6], [None, 0.3]]}},
        {"reading": {"thresholds": [[30, 0.6]]}},
        {"reading": {"labels": ["one"]}},
        {"reading": {"kind": "pool"}},
        {"reading": {"scales": [{"n_tokens": "x"}]}},
    ],
)
def test_a_foreign_model_is_refused_by_name(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(ModelFormatError, match=r"model\.npz"):
        load_weights(stored(tmp_path / "model.npz", **changes))


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "text", "missing", "folder"])
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "model.npz"
    whole = stored(path).read_bytes()
    middle = len(whole) // 2
    if damage in ("missing", "folder"):
        path.unlink()
    if damage == "folder":
        path.mkdir()
    contents = {
        "cut": whole[:middle],
        "flip": whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :],
        "empty": b"",
        "text": b"not a model",
    }
    if damage in contents:
        path.write_bytes(contents[damage])
    with pytest.raises(ModelFormatError, match=r"model\.npz"):
        LinearClassifier.from_file(path)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routekit.weights.MAX_BYTES", 1000)
    with pytest.raises(ModelFormatError, match="at most 1000"):
        load_weights(stored(tmp_path / "model.npz"))


def test_a_pickle_is_never_loaded(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    np.savez(path, table=np.array([object()]), settings=np.zeros(1))
    with pytest.raises(ModelFormatError):
        load_weights(path)
