"""Windows over a text, and one verdict out of many."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.batching import MIN_FILL, length_buckets, pad_batch
from routekit.errors import InferenceError
from routekit.logits import probabilities, sequence_logits, token_logits
from routekit.long_text import Aggregate, aggregate_windows, read_all, read_parts, windows
from routekit.tensors import Encoding
from routekit.verdict import VerdictRule

sizes = st.integers(1, 40)


@given(n_tokens=st.integers(0, 300), size=sizes, data=st.data())
def test_windows_cover_everything_and_are_full(n_tokens: int, size: int, data: st.DataObject) -> None:
    stride = data.draw(st.integers(1, size))
    found = windows(n_tokens, size, stride)
    assert found[0][0] == 0
    assert found[-1][1] == n_tokens
    assert all(stop - start == min(size, n_tokens) for start, stop in found)
    assert all(0 < later[0] - earlier[0] <= stride for earlier, later in pairwise(found))


def encoding_of(lengths: list[int]) -> Encoding:
    stops = np.cumsum(lengths, dtype=np.int64)
    return Encoding(np.arange(len(lengths)), np.stack([stops - lengths, stops], axis=1).astype(np.int64).reshape(-1, 2))


@given(
    lengths=st.lists(st.integers(1, 5), max_size=60),
    cuts=st.lists(st.integers(0, 200), max_size=6, unique=True),
    size=sizes,
)
def test_parts_are_read_and_nothing_else(lengths: list[int], cuts: list[int], size: int) -> None:
    encoding, n = encoding_of(lengths), sum(lengths)
    edges = sorted(min(cut, n) for cut in cuts)
    spans = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False) if a < b]
    reading = read_parts(encoding, [spans], size, max(1, size // 2), n)
    wanted = {
        i for i, (start, stop) in enumerate(encoding.offsets.tolist()) if any(start < b and a < stop for a, b in spans)
    }
    assert {int(i) for window in reading.windows for i in window} == wanted
    assert reading.n_tokens == len(wanted)
    assert all(len(window) <= size for window in reading.windows)
    assert reading.coverage == pytest.approx(sum(b - a for a, b in spans) / n if n else 1.0)


def test_tokens_in_overlapping_windows_count_once() -> None:
    assert read_all(encoding_of([1] * 100), 10, 3).n_tokens == 100


LABELS = ("a", "b", "c")
rows = st.tuples(*[st.floats(-9, 9)] * 3)
rules = st.builds(
    VerdictRule,
    labels=st.just(LABELS),
    positive=st.frozensets(st.sampled_from(LABELS)),
    threshold=st.floats(0.01, 1.0),
    multi_label=st.booleans(),
)


def merged(scores: list[tuple[float, ...]], aggregate: Aggregate, rule: VerdictRule) -> dict[str, float]:
    per_window = probabilities(np.array(scores), multi_label=rule.multi_label)
    found = aggregate_windows(per_window, [5] * len(scores), aggregate, rule)
    return dict(zip(LABELS, found.tolist(), strict=True))


@given(scores=st.lists(rows, min_size=1, max_size=8), more=rows, rule=rules)
def test_maximum_of_a_hit_never_falls_with_more_text(
    scores: list[tuple[float, ...]], more: tuple[float, ...], rule: VerdictRule
) -> None:
    before, after = merged(scores, "max", rule), merged([*scores, more], "max", rule)
    assert rule.hit(after) >= rule.hit(before) - 1e-12
    if rule.label(before) in rule.positive:
        assert rule.label(after) in rule.positive


@given(scores=st.lists(rows, min_size=1, max_size=8), rule=rules, aggregate=st.sampled_from(["max", "mean"]))
def test_labels_that_exclude_each_other_sum_to_one(
    scores: list[tuple[float, ...]], rule: VerdictRule, aggregate: Aggregate
) -> None:
    found = merged(scores, aggregate, rule)
    assert all(0 <= p <= 1 + 1e-12 for p in found.values())
    assert rule.multi_label or sum(found.values()) == pytest.approx(1.0)


@given(row=rows, rule=rules)
def test_label_is_positive_exactly_when_a_hit_reaches_the_threshold(row: tuple[float, ...], rule: VerdictRule) -> None:
    found = merged([row], "mean", rule)
    expected = bool(rule.positive) and (rule.hit(found) >= rule.threshold or rule.positive == set(LABELS))
    assert (rule.label(found) in rule.positive) == expected


@given(lengths=st.lists(st.integers(1, 700), max_size=60), n_rows=st.sampled_from([None, 1, 4]))
def test_buckets_hold_every_row_once_within_the_budget(lengths: list[int], n_rows: int | None) -> None:
    buckets = length_buckets(lengths, 1024, n_rows)
    assert sorted(row for bucket in buckets for row in bucket) == list(range(len(lengths)))
    for bucket in buckets:
        longest = max(lengths[row] for row in bucket)
        assert len(bucket) == 1 or len(bucket) * longest <= 1024
        assert min(lengths[row] for row in bucket) >= MIN_FILL * longest
        assert n_rows is None or len(bucket) <= n_rows


def test_batch_is_padded_and_masked() -> None:
    batch = pad_batch([np.array([5, 6, 7]), np.array([8])], pad_id=1)
    assert batch.input_ids.tolist() == [[5, 6, 7], [8, 1, 1]]
    assert batch.attention_mask.tolist() == [[1, 1, 1], [1, 0, 0]]


@given(st.lists(st.floats(-1e30, 1e30), min_size=1, max_size=20))
def test_probabilities_are_stable(values: list[float]) -> None:
    logits = np.array(values, dtype=np.float32)
    softmax, sigmoid = (probabilities(logits, multi_label=multi) for multi in (False, True))
    assert softmax.sum() == pytest.approx(1.0)
    assert ((softmax >= 0) & (softmax <= 1) & (sigmoid >= 0) & (sigmoid <= 1)).all()
    assert softmax.dtype == sigmoid.dtype == np.float64
    assert sigmoid == pytest.approx(1 - probabilities(-logits, multi_label=True))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_logits_that_are_no_numbers_are_refused(bad: float) -> None:
    with pytest.raises(InferenceError, match="1 of 3 logits"):
        probabilities(np.array([0.0, bad, 1.0], np.float16), multi_label=False)


@pytest.mark.parametrize("shape", [(2, 3), (2, 1, 3), (1, 2, 3)])
def test_sequence_shapes_that_fit(shape: tuple[int, ...]) -> None:
    assert sequence_logits(np.arange(6).reshape(shape), 2, 3).tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("shape", [(3, 2), (6,), (2, 4), (1, 6), (2, 3, 1), (4, 3), ()])
def test_sequence_shapes_that_do_not_fit_are_quoted(shape: tuple[int, ...]) -> None:
    with pytest.raises(InferenceError, match="expected \\(2, 3\\)") as caught:
        sequence_logits(np.zeros(shape), 2, 3)
    assert str(shape) in str(caught.value)


@pytest.mark.parametrize("shape", [(2, 4, 3), (8, 3), (1, 2, 4, 3), (2, 1, 4, 3), (2, 4, 1, 3), (1, 8, 3)])
def test_token_shapes_that_fit(shape: tuple[int, ...]) -> None:
    expected = np.arange(24).reshape(2, 4, 3)
    assert (token_logits(expected.reshape(shape), 2, 4, 3) == expected).all()


@pytest.mark.parametrize("shape", [(2, 3), (4, 2, 3), (2, 4, 4), (24,), (2, 4, 3, 1), (1, 1, 2, 4, 3), (2, 2, 2, 3)])
def test_token_shapes_that_do_not_fit_are_quoted(shape: tuple[int, ...]) -> None:
    with pytest.raises(InferenceError) as caught:
        token_logits(np.zeros(shape), 2, 4, 3)
    assert str(shape) in str(caught.value)
