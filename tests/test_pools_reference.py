"""Reference values of pool routing on public lengths and texts; needs the shared data."""

from __future__ import annotations

import csv
import json
import math
import random
import statistics
from pathlib import Path

import pytest

from routekit.pools import RatioEstimator

MIX = {"en_prose": 45, "zh_prose": 15, "go_code": 10, "py_code": 15, "json_yaml": 13, "base64": 2}
DRIFT = {"en_prose": "zh_prose", "py_code": "json_yaml"}


@pytest.fixture(scope="module")
def ratios(shared: Path) -> dict[str, list[float]]:
    pairs = json.loads((shared / "data" / "traffic" / "bytes_tokens_pairs.json").read_text())
    return {kind: [b / t for b, t in pairs[f"{kind}|cl100k_base"] if t >= 20] for kind in MIX}


@pytest.fixture(scope="module")
def lengths(shared: Path) -> list[tuple[int, int]]:
    rows = []
    for name in ("conv", "code"):
        with (shared / "data" / "traffic" / f"AzureLLMInferenceTrace_{name}.csv").open() as file:
            rows += [(int(row["ContextTokens"]), int(row["GeneratedTokens"])) for row in csv.DictReader(file)]
    return rows


def _replay(
    estimator: RatioEstimator,
    ratios: dict[str, list[float]],
    lengths: list[tuple[int, int]],
    limit: int,
    *,
    learns: bool = True,
    drifts: bool = False,
    n: int = 40_000,
) -> tuple[float, float]:
    """Give the shares of all requests that were unsafe and wasted, in percent."""
    rng = random.Random(1)
    n_unsafe = n_wasted = 0
    for i, kind in enumerate(rng.choices(list(MIX), list(MIX.values()), k=n)):
        held = DRIFT[kind] if drifts and kind in DRIFT and rng.random() < i / n else kind
        prompt, output = rng.choice(lengths)
        n_bytes = math.ceil(prompt * rng.choice(ratios[held]))
        short = math.ceil(n_bytes / estimator.low(kind)) + output <= limit
        unsafe = short and prompt + output > limit
        if i >= 2000:
            n_unsafe += unsafe
            n_wasted += not short and prompt + output <= limit
        if learns:
            estimator.observe(kind, n_bytes, prompt, unsafe=unsafe)
    return 100 * n_unsafe / (n - 2000), 100 * n_wasted / (n - 2000)


@pytest.mark.parametrize(("limit", "reference", "most"), [(2048, 0.45, 0.55), (4096, 1.13, 1.25)])
def test_paper_rule_misjudges_as_measured(
    ratios: dict[str, list[float]], lengths: list[tuple[int, int]], limit: int, reference: float, most: float
) -> None:
    unsafe, _ = _replay(RatioEstimator(), ratios, lengths, limit)
    assert unsafe == pytest.approx(reference, rel=0.2)
    assert unsafe <= most


@pytest.mark.parametrize(("limit", "reference"), [(2048, 2.35), (4096, 2.70)])
def test_a_static_ratio_misjudges_as_measured(
    ratios: dict[str, list[float]], lengths: list[tuple[int, int]], limit: int, reference: float
) -> None:
    assert _replay(RatioEstimator(), ratios, lengths, limit, learns=False)[0] == pytest.approx(reference, rel=0.1)


@pytest.mark.parametrize("limit", [2048, 4096])
@pytest.mark.parametrize("drifts", [False, True])
def test_target_unsafe_is_held_on_public_traffic(
    ratios: dict[str, list[float]], lengths: list[tuple[int, int]], limit: int, drifts: bool
) -> None:
    unsafe, _ = _replay(RatioEstimator(target_unsafe=0.005), ratios, lengths, limit, drifts=drifts)
    assert 0.3 <= unsafe <= 0.6


@pytest.mark.parametrize("kind", ["en_prose", "zh_prose", "go_code", "base64"])
def test_ten_samples_are_enough_for_the_mean(ratios: dict[str, list[float]], kind: str) -> None:
    truth, errors = statistics.fmean(ratios[kind]), []
    for seed in range(100):
        estimator = RatioEstimator()
        for ratio in random.Random(seed).choices(ratios[kind], k=10):
            estimator.observe(kind, round(10_000 * ratio), 10_000)
        errors.append(abs((estimator.mean(kind) or 0.0) / truth - 1))
    assert statistics.fmean(errors) <= 0.035
