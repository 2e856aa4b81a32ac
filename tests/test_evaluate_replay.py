"""Policies over logs: what is recorded equals what a router decides, and replays and merges equal runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routekit as rk
from attack_log import ATTACK, ROWS, attack_evaluation, finder, short_and_long
from routekit.evaluate import Evaluation, evaluate, with_threshold
from routekit.evaluate.merging import MergedEntries
from routekit.evaluate.row import Entry
from routekit.evaluate.row_json import entry_from_dict, entry_to_dict
from routekit.testing import FakeClassifier
from router_cases import bodies, fakes, five, language, policies


class Metadata:
    """Rows with a header that some policies ask for."""

    def __init__(self, found: list[bytes]) -> None:
        self.rows = [
            {"request": orjson.loads(body), "metadata": {"X-Tier": "gold" if i % 2 else "tin"}, "id": str(i)}
            for i, body in enumerate(found)
        ]


def decided(
    router: rk.PolicyRouter, row: dict[str, object]
) -> tuple[tuple[object, ...] | None, str | None, tuple[str, ...]]:
    """Route a row; give the five promised fields, or what refused it, and the shadow rules."""
    try:
        decision = router.route(orjson.dumps(row["request"]), metadata=row["metadata"])  # type: ignore[arg-type]
    except rk.RoutekitError as error:
        return None, type(error).__name__, ()
    return five(decision), None, decision.trace.shadow


def assert_run(evaluation: Evaluation, router: rk.PolicyRouter, rows: Sequence[dict[str, object]]) -> None:
    """Every row says what the router says, refusals included."""
    for row, given_row in zip(evaluation.rows, rows, strict=True):
        outcome, refused, shadow = decided(router, given_row)
        assert (row.outcome, row.refused) == (outcome, refused)
        assert row.shadow == shadow


@settings(max_examples=40)
@given(policies(), policies(), st.lists(bodies(), max_size=3), st.booleans(), st.booleans())
def test_replay_equals_a_run(
    first: rk.Policy, second: rk.Policy, found: list[bytes], incremental: bool, placed: bool
) -> None:
    rows, pools = Metadata(found).rows, short_and_long() if placed else None

    def router(policy: rk.Policy) -> rk.PolicyRouter:
        return rk.PolicyRouter(policy, classifiers=fakes(incremental), language=language, pools=pools)

    evaluation = evaluate(router(first), rows, signals=[second])
    assert_run(evaluation, router(first), rows)
    replayed = evaluation.replay(second)
    assert_run(replayed, router(second), rows)
    assert_run(evaluation.replay(first), router(first), rows)
    assert_run(replayed.replay(first), router(first), rows)


@settings(max_examples=25)
@given(policies(), st.lists(bodies(), max_size=4), st.integers(2, 5))
def test_workers_and_files_change_nothing(policy: rk.Policy, found: list[bytes], n_workers: int) -> None:
    rows = Metadata(found).rows
    router = rk.PolicyRouter(policy, classifiers=fakes(), language=language)
    evaluation = evaluate(router, rows)
    assert list(evaluate(router, rows, n_workers=n_workers).entries) == list(evaluation.entries)
    for entry in evaluation.entries:
        assert entry_from_dict(json.loads(orjson.dumps(entry_to_dict(entry)))) == entry


@settings(max_examples=30)
@given(st.lists(st.sampled_from(ROWS), max_size=8), st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_merge_is_associative_and_commutative(rows: list[dict[str, object]], where: list[int]) -> None:
    whole = attack_evaluation(rows)
    parts = [Evaluation(whole.provenance, tuple(e for e in whole.entries if where[e.line - 1] == i)) for i in range(3)]
    a, b, c = parts
    expected = whole.to_dict() | {"latency": None}
    for merged in (a.merge(b).merge(c), a.merge(b.merge(c)), c.merge(a, b), b.merge(c, a)):
        assert list(merged.entries) == list(whole.entries)
        assert merged.to_dict() | {"latency": None} == expected


def test_shards_are_opened_one_at_a_time() -> None:
    n_open = n_most = 0

    class Counted:
        def __init__(self, entries: list[Entry]) -> None:
            self.entries = entries

        def __iter__(self) -> Iterator[Entry]:
            nonlocal n_open, n_most
            n_open += 1
            n_most = max(n_most, n_open)
            try:
                yield from self.entries
            finally:
                n_open -= 1

    whole = list(attack_evaluation([ROWS[0]] * 60).entries)
    merged = MergedEntries.of([Counted(whole[i : i + 5]) for i in range(55, -5, -5)])
    assert list(merged) == whole
    assert n_most <= 2


def test_merge_refuses_the_same_rows_twice_and_other_policies() -> None:
    evaluation = attack_evaluation()
    with pytest.raises(rk.UsageError, match=r"requests, line 1 is in two of the evaluations"):
        evaluation.merge(evaluation)
    other = attack_evaluation(source="day-2")
    assert evaluation.merge(other).n_requests == 8
    with pytest.raises(rk.UsageError, match="made with another policy"):
        other.merge(evaluation.replay(with_threshold(ATTACK, "jailbreak", 0.5)))
    assert isinstance(evaluation.merge(other)._entries, MergedEntries)


def test_signals_that_the_decision_did_not_need_are_recorded_too() -> None:
    domain = FakeClassifier("domain", {"math": {"integral": 0.9}}, positive=())
    evaluation = evaluate(ATTACK, ROWS, classifiers=[finder(), domain], signals=["domain", "language"])
    rows = list(evaluation.rows)
    assert all(set(row.states) == {"jailbreak", "domain", "language"} for row in rows)
    assert all(row.ran == ("jailbreak",) for row in rows)
    assert evaluation.signals["domain"].n_needed == 0
    policy = rk.Policy([rk.Rule("math", rk.signal("domain") == "math", rk.RouteTo("m"))], rk.Keep())
    assert evaluation.replay(policy).n_requests == 4
    with pytest.raises(rk.UsageError, match=r"asks for 'mood', which the evaluation did not record"):
        evaluation.replay(rk.Policy([rk.Rule("sad", rk.signal("mood").fires(), rk.Keep())], rk.Keep()))


def test_replay_refuses_keywords_that_mean_something_else() -> None:
    def policy(word: str) -> rk.Policy:
        return rk.Policy([rk.Rule("word", rk.keywords("names"), rk.Keep())], rk.Keep(), keywords={"names": [word]})

    evaluation = evaluate(policy("egg"), ROWS)
    assert evaluation.rules["word"].n == 1
    assert evaluation.replay(policy("egg")).rules["word"].n == 1
    with pytest.raises(rk.UsageError, match="means something else than what was recorded"):
        evaluation.replay(policy("ham"))
    with pytest.raises(rk.UsageError, match="define keywords 'names' differently"):
        evaluate(policy("egg"), ROWS, signals=[policy("ham")])


def test_headers_are_replayed_but_not_kept(tmp_path: Path) -> None:
    def policy(tier: str) -> rk.Policy:
        return rk.Policy([rk.Rule("vip", rk.header("x-key") == tier, rk.RouteTo("vip"))], rk.RouteTo("general"))

    rows = [{"text": "hi", "metadata": {"X-Key": key}} for key in ("secret-7f3a", "tin", "3")]
    evaluation = evaluate(policy("tin"), rows)
    evaluation.save(tmp_path / "e.jsonl")
    assert "secret-7f3a" not in (tmp_path / "e.jsonl").read_text() + repr(list(evaluation.rows))
    loaded = Evaluation.load(tmp_path / "e.jsonl")
    assert [row.named("model") for row in loaded.replay(policy("secret-7f3a")).rows] == ["vip", "general", "general"]
    numbers = rk.Policy([rk.Rule("few", rk.header("x-key") <= 3, rk.RouteTo("few"))], rk.RouteTo("general"))
    assert loaded.replay(numbers).rules["few"].n == 1


def test_placed_requests_are_replayed_with_pools_only(tmp_path: Path) -> None:
    evaluation = attack_evaluation([*ROWS, {"text": "x " * 5000}], pools=short_and_long())
    assert evaluation.refused == {"ContextOverflow": 1}
    assert evaluation.shares("pool")["short"].n == 3
    assert evaluation.shares("pool")["short"].estimated_tokens > 300
    evaluation.save(tmp_path / "e.jsonl.gz")
    loaded = Evaluation.load(tmp_path / "e.jsonl.gz")
    with pytest.raises(rk.UsageError, match="give pools="):
        loaded.replay(ATTACK)
    assert loaded.replay(ATTACK, pools=short_and_long()).shares("pool") == evaluation.shares("pool")


def test_other_routers_are_evaluated_without_signals() -> None:
    evaluation = evaluate(short_and_long(), [*ROWS, b"{"])
    assert evaluation.shares("pool")["short"].n == 4
    assert evaluation.refused == {"MalformedBody": 1}
    assert not evaluation.signals
    with pytest.raises(rk.UsageError, match="asks for 'jailbreak'"):
        evaluation.replay(ATTACK)
    with pytest.raises(rk.UsageError, match="go with a policy"):
        evaluate(short_and_long(), ROWS, classifiers=[finder()])
