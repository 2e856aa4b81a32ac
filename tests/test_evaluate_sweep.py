"""Intervals, thresholds and differences: against plain counting, and against other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routekit as rk
from routekit.evaluate import (
    Confusion,
    Estimate,
    Evaluation,
    choose_threshold,
    compare,
    evaluate,
    sweep,
    with_threshold,
)
from routekit.evaluate.difference import Side
from routekit.evaluate.estimates import auc, f1_score, mcnemar, paired_difference, proportion
from routekit.evaluate.sweeping import confusions_at
from routekit.testing import FakeClassifier

POLICY = rk.Policy(
    [
        rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403)),
        rk.Rule("odd", rk.signal("jailbreak") > 0.7, rk.RouteTo("guarded")),
    ],
    rk.RouteTo("general"),
)
#: Text -> P, and what is true.
TEXTS = {"w0": (0.05, False), "w1": (0.3, False), "w2": (0.6, True), "w3": (0.75, False), "w4": (0.92, True)}


def evaluation(names: list[str]) -> Evaluation:
    rows = [
        {"id": f"{i}-{name}", "text": name, "labels": {"jailbreak": TEXTS[name][1]}} for i, name in enumerate(names)
    ]
    fake = FakeClassifier("jailbreak", {name: p for name, (p, _) in TEXTS.items()})
    return evaluate(POLICY, rows, classifiers=[fake])


logs = st.lists(st.sampled_from(sorted(TEXTS)), max_size=12).map(evaluation)
counts = st.integers(0, 60)


@given(counts, counts, counts, counts)
def test_every_interval_holds_its_value(tp: int, fp: int, fn: int, tn: int) -> None:
    confusion = Confusion(tp, fp, fn, tn)
    rates = [confusion.recall, confusion.precision, confusion.fpr, confusion.accuracy, confusion.f1]
    rates += [paired_difference(tp, fp, tp + fp + fn)]
    for rate in rates:
        assert rate is None or -1 <= rate.low <= rate.value <= rate.high <= 1
    assert (confusion.recall is None) == (tp + fn == 0)
    assert 0 <= mcnemar(tp, fp) <= 1
    assert mcnemar(tp, fp) == pytest.approx(mcnemar(fp, tp))


@given(st.integers(0, 40), st.integers(1, 40))
def test_wilson_and_mcnemar_agree_with_scipy(k: int, n: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    k = min(k, n)
    interval = stats.binomtest(k, n).proportion_ci(method="wilson")
    mine = proportion(k, n)
    assert mine is not None
    assert (mine.low, mine.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
    if k != n - k:
        assert mcnemar(k, n - k) == pytest.approx(stats.binomtest(k, n).pvalue)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), st.booleans()), min_size=2, max_size=30))
def test_area_is_that_of_all_pairs(pairs: list[tuple[float, bool]]) -> None:
    scores, truth = np.array([p for p, _ in pairs]), np.array([t for _, t in pairs])
    area = auc(scores, truth)
    wins = [(a > b) + 0.5 * (a == b) for a, t in pairs if t for b, f in pairs if not f]
    if not wins:
        assert area is None
        return
    assert area is not None
    assert area.value == pytest.approx(np.mean(wins))
    assert 0 <= area.low <= area.value <= area.high <= 1
    assert area.low < area.high


def test_intervals_cover_what_they_promise() -> None:
    random = np.random.default_rng(7)
    n_covered = 0
    for _ in range(300):
        truth = random.random(60) < 0.4
        scores = random.normal(size=60) + truth  # the true area is Phi(1 / sqrt 2) = 0.7602
        area = auc(scores, truth)
        n_covered += area is not None and area.low <= 0.7602 <= area.high
    assert n_covered >= 276  # 92 %: five deviations below 95 % would be 88.7 %


def test_f1_is_undefined_without_positives_and_the_same_every_time() -> None:
    assert f1_score(0, 0, 0, 5) is None
    assert f1_score(8, 2, 2, 8) == f1_score(8, 2, 2, 8)
    assert str(Estimate(0.5, 0.25, 0.75, 4)) == "0.500 (0.250 to 0.750)"


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=20), st.lists(st.floats(0, 1), min_size=1, max_size=5)
)
def test_counting_by_one_sort_is_counting(pairs: list[tuple[float, bool]], thresholds: list[float]) -> None:
    scores, truth = np.array([p for p, _ in pairs], float), np.array([t for _, t in pairs], bool)
    for threshold, found in zip(thresholds, confusions_at(scores, truth, np.array(thresholds)), strict=True):
        assert found == Confusion.of((p >= threshold, t) for p, t in pairs)


@settings(max_examples=25)
@given(logs, st.sampled_from([0.0, 0.3, 0.6, 0.61, 1.0]))
def test_sweep_equals_the_policy_with_that_threshold(log: Evaluation, threshold: float) -> None:
    result = sweep(log, "jailbreak", None, [threshold], policy=lambda t: with_threshold(POLICY, "jailbreak", t))
    blocked = [row.action == "block" for row in log.replay(with_threshold(POLICY, "jailbreak", threshold)).rows]
    truth = [row.labels["jailbreak"] is True for row in log.rows]
    assert result.points[0].confusion == Confusion.of(zip(blocked, truth, strict=True))
    share = result.points[0].shares.get("attack")
    assert (share.n if share else 0) == sum(blocked)


@settings(max_examples=25)
@given(logs, st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.booleans())
def test_chosen_threshold_is_the_lowest_that_is_low_enough(log: Evaluation, max_fpr: float, surely: bool) -> None:
    scores, truth = log.scores("jailbreak")

    def rate(threshold: float) -> float:
        found = confusions_at(scores, truth, np.array([threshold]))[0].fpr
        assert found is not None
        return found.high if surely else found.value

    if truth.all():
        with pytest.raises(rk.UsageError, match="no labelled request is negative"):
            choose_threshold(log, "jailbreak", max_fpr=max_fpr, surely=surely)
        return
    try:
        chosen = choose_threshold(log, "jailbreak", max_fpr=max_fpr, surely=surely).threshold
    except rk.UsageError:
        assert rate(np.nextafter(scores.max(), 2)) > max_fpr
        return
    assert rate(chosen) <= max_fpr
    assert all(rate(lower) > max_fpr for lower in scores[scores < chosen])


@pytest.mark.parametrize("thresholds", [[], [-0.1], [1.5], [float("nan")]])
def test_thresholds_outside_of_zero_to_one_are_refused(thresholds: list[float]) -> None:
    with pytest.raises(rk.UsageError, match=r"\[0, 1\]"):
        sweep(evaluation(["w0"]), "jailbreak", None, thresholds)
    with pytest.raises(rk.UsageError, match="allowed: 0 to 1"):
        choose_threshold(evaluation(["w0"]), "jailbreak", max_fpr=float("nan"))


def test_with_threshold_replaces_what_is_meant_and_nothing_else() -> None:
    jailbreak, domain = rk.signal("jailbreak"), rk.signal("domain")
    when = (jailbreak.fires() | ~(jailbreak > 0.5)) & (jailbreak < 0.2) & (domain["math"] >= 0.6)
    policy = rk.Policy([rk.Rule("r", when, rk.Block(403))], rk.Keep())
    shown = repr(with_threshold(policy, "jailbreak", 0.8).rules[0].when)
    assert shown == "(jailbreak >= 0.8 | ~jailbreak > 0.8) & jailbreak < 0.2 & domain['math'] >= 0.6"
    assert "domain['math'] >= 0.7" in repr(with_threshold(policy, "domain", 0.7, label="math").rules[0].when)
    for arguments in (("domain", 0.7), ("mood", 0.7)):
        with pytest.raises(rk.UsageError, match="no rule compares"):
            with_threshold(policy, *arguments)
    with pytest.raises(rk.UsageError, match="allowed: 0 to 1"):
        with_threshold(policy, "jailbreak", 1.5)


@settings(max_examples=25)
@given(logs, st.sampled_from([0.1, 0.6, 0.8, 0.95]))
def test_difference_adds_up(log: Evaluation, threshold: float) -> None:
    other = with_threshold(POLICY, "jailbreak", threshold)
    difference = compare(log, other)
    replayed = log.replay(other)
    changed = [(a, b) for a, b in zip(log.rows, replayed.rows, strict=True) if a.outcome != b.outcome]
    assert difference.n_changed == len(changed) == sum(difference.transitions.values())
    assert sorted(i for ids in difference.ids.values() for i in ids) == sorted(a.id for a, _ in changed)
    for name, change in difference.rules.items():
        assert change.n_after - change.n_before == change.n_gained - change.n_lost
        assert (change.n_before, change.n_after) == (log.rules[name].n, replayed.rules[name].n)
    assert sum(change.n_gained - change.n_lost for change in difference.rules.values()) == 0
    assert compare(log, log).n_changed == 0


def test_policies_routers_and_evaluations_compare_alike() -> None:
    rows = [{"id": name, "text": name} for name in TEXTS]
    fakes = [FakeClassifier("jailbreak", {name: p for name, (p, _) in TEXTS.items()})]
    other = with_threshold(POLICY, "jailbreak", 0.5)
    expected = compare(POLICY, other, rows, classifiers=fakes).to_dict()
    router = rk.PolicyRouter(POLICY, classifiers=fakes)
    log = evaluate(router, rows)
    pairs: list[tuple[Side, Side]] = [
        (router, other),
        (log, other),
        (log, router.with_policy(other)),
        (log, log.replay(other)),
    ]
    assert [compare(*pair, rows).to_dict() for pair in pairs] == [expected] * 4
    assert compare(other, log).rules["attack"].n_lost == expected["rules"]["attack"]["n_gained"]  # type: ignore[index]
    with pytest.raises(rk.UsageError, match="compared on requests"):
        compare(POLICY, other)


def test_logs_that_differ_are_told_or_refused() -> None:
    log = evaluation(["w0", "w1", "w4"])
    shorter = evaluation(["w0", "w1"])
    difference = compare(log, shorter)
    assert (difference.n, difference.n_only_before, difference.n_only_after) == (2, 1, 0)
    assert compare(shorter, log).n_only_after == 1
    with pytest.raises(rk.UsageError, match="of different logs: requests, line 1"):
        compare(log, evaluation(["w1", "w1"]))


def test_expectations_tell_what_becomes_right() -> None:
    rows = [{"text": name, "expected": {"action": "block" if true else "route"}} for name, (_, true) in TEXTS.items()]
    fakes = [FakeClassifier("jailbreak", {name: p for name, (p, _) in TEXTS.items()})]
    difference = compare(evaluate(POLICY, rows, classifiers=fakes), with_threshold(POLICY, "jailbreak", 0.5))
    assert difference.correctness is not None
    assert (difference.correctness.n_fixed, difference.correctness.n_broken) == (1, 1)
    assert "1 become right and 1 wrong" in difference.to_markdown()


def test_ids_are_bounded() -> None:
    difference = compare(evaluation(["w2"] * 9), with_threshold(POLICY, "jailbreak", 0.5), max_ids=3)
    assert difference.transitions["default", "attack"] == 9
    assert len(difference.ids["default", "attack"]) == 3
