"""Learned ratios survive a restart exactly, damaged files do not hurt, and merging ignores order."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.errors import ConfigError, UsageError
from routekit.pools import RatioEstimator, load_state, merge_states, save_state

SAMPLES = st.lists(
    st.tuples(st.sampled_from(["a", "b", "日本語"]), st.integers(1, 10**6), st.integers(1, 10**6), st.booleans()),
    max_size=40,
)


def _learned(samples: list[tuple[str, int, int, bool]], target: float | None = 0.005) -> RatioEstimator:
    estimator = RatioEstimator(target_unsafe=target)
    for now, (category, n_bytes, n_tokens, unsafe) in enumerate(samples):
        estimator.observe(category, n_bytes, n_tokens, unsafe=unsafe, now=float(now))
    return estimator


@given(SAMPLES, st.sampled_from([None, 0.005]))
def test_state_round_trip_is_exact(
    tmp_path_factory: pytest.TempPathFactory, samples: list[tuple[str, int, int, bool]], target: float | None
) -> None:
    path = tmp_path_factory.mktemp("state") / "ratios.json"
    before, after = _learned(samples, target), _learned([], target)
    save_state(before, path)
    assert load_state(after, path)
    assert after.snapshot() == before.snapshot()
    assert list(path.parent.iterdir()) == [path]


def _saved(path: Path) -> dict[str, object]:
    save_state(_learned([("a", 400, 100, False)] * 12), path)
    record: dict[str, object] = json.loads(path.read_text())
    return record


@pytest.mark.parametrize(
    "damage",
    [
        {"format": "other"},
        {"version": 2},
        {"rule": "paper"},
        {"beta": 0.5},
        {"gain": -1},
        {"gain": "1"},
        {"categories": []},
        {"categories": {"a": [1, 2]}},
        {"categories": {"a": [0, 0.5, 2.0, 0.1, 0.0]}},
        {"categories": {"a": [9, 0.5, 900.0, 0.1, 0.0]}},
        {"categories": {"a": [9, 0.5, 2.0, -0.1, 0.0]}},
        {"categories": {"a": [9, 0.5, 2.0, None, 0.0]}},
        {"categories": {"a": [9, 0.5, 2.0, 1e308, 0.0]}},
        {"categories": {"a": [9, 1e-300, 4e-300, 0.0, 0.0]}},
        {"categories": {"a": [1e308, 0.5, 2.0, 0.1, 0.0]}},
        {"categories": {"a" * 500: [9, 0.5, 2.0, 0.1, 0.0]}},
        {"categories": {str(i): [9, 0.5, 2.0, 0.1, 0.0] for i in range(300)}},
    ],
)
def test_damaged_or_foreign_state_means_a_cold_start(tmp_path: Path, damage: dict[str, object]) -> None:
    path = tmp_path / "ratios.json"
    path.write_text(json.dumps({**_saved(path), **damage}))
    estimator = _learned([])
    with pytest.warns(RuntimeWarning, match="starts cold"):
        assert not load_state(estimator, path)
    assert not estimator.snapshot().states


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"null"])
def test_files_that_are_no_state_mean_a_cold_start(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ratios.json"
    path.write_bytes(content)
    with pytest.warns(RuntimeWarning, match=r"ratios\.json"):
        assert not load_state(_learned([]), path)
    with pytest.warns(RuntimeWarning, match="FileNotFoundError"):
        assert not load_state(_learned([]), tmp_path / "absent.json")


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "ratios.json"
    _saved(path)
    with pytest.raises(ConfigError, match=r"as '.*ratios\.json': No such file or directory; give a file in a folder"):
        save_state(_learned([]), tmp_path / "absent" / "ratios.json")
    assert load_state(_learned([]), path)


@given(st.lists(SAMPLES, min_size=1, max_size=4))
def test_merging_ignores_the_order(parts: list[list[tuple[str, int, int, bool]]]) -> None:
    states = [_learned(samples).snapshot() for samples in parts]
    merged = merge_states(states)
    assert all(merge_states(order) == merged for order in itertools.permutations(states))
    assert sum(s.n for s in merged.states.values()) == sum(map(len, parts))


@given(SAMPLES)
def test_merging_one_state_changes_nothing(samples: list[tuple[str, int, int, bool]]) -> None:
    state = _learned(samples).snapshot()
    merged = merge_states([state])
    for name, ratio in state.states.items():
        assert merged.states[name] == pytest.approx(ratio)
    assert merged.gain == pytest.approx(state.gain)


def test_merging_needs_one_set_of_rules() -> None:
    with pytest.raises(UsageError):
        merge_states([])
    with pytest.raises(UsageError):
        merge_states([_learned([]).snapshot(), _learned([], None).snapshot()])
