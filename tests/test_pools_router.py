"""Which pool a request goes to, what feedback teaches, and what is certain before a body ends."""

from __future__ import annotations

import base64
import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import routekit as rk
from routekit.errors import ConfigError, ContextOverflow, MalformedBody, Overloaded, UsageError
from routekit.pools import CATEGORIES, CompressRoute, PoolRouter, PoolSpec, RatioEstimator, category_of, prompt_tokens

TWO = (PoolSpec("short", 8192), PoolSpec("long", 65536))
THREE = (PoolSpec("s", 2048), PoolSpec("m", 16384), PoolSpec("l", 131072))


def _view(n_bytes: int, output: int | None = 100, **fields: object) -> rk.RequestView:
    view = rk.RequestView("openai-chat", "m", False, (), 0, (), output, n_bytes)
    return replace(view, **fields)  # type: ignore[arg-type]


def _text_view(text: str) -> rk.RequestView:
    segment = rk.Segment("user", "text", text, 0, 0, 0)
    return _view(len(text.encode()), segments=(segment,))


def _budget(decision: rk.Decision) -> rk.Budget:
    assert decision.trace.budget is not None
    return decision.trace.budget


LOADS = st.lists(st.tuples(st.sampled_from("sml"), st.floats(0, 2), st.booleans()), max_size=4)


@given(st.integers(0, 500_000), st.integers(1, 70_000), LOADS, st.sampled_from([None, 500, [1000, 4000]]))
def test_no_pool_smaller_than_the_budget_is_ever_chosen(
    n_bytes: int, output: int, conditions: list[tuple[str, float, bool]], threshold: int | list[int] | None
) -> None:
    router = PoolRouter(THREE, threshold, spill_at=1.0)
    for pool, load, up in conditions:
        router.set_load(pool, load)
        router.set_health(pool, up)
    contexts = {pool.name: pool.max_context for pool in THREE}
    try:
        decision = router.route(_view(n_bytes, output), category="prose")
    except ContextOverflow:
        assert -(-n_bytes // 4) + output > contexts["l"]
        return
    except Overloaded:
        assert any(not up for _, _, up in conditions)
        return
    assert decision.pool is not None
    assert _budget(decision).total_tokens <= contexts[decision.pool]


@given(st.integers(0, 10**6), st.integers(0, 10**5), st.integers(1, 10**4), st.integers(0, 10**4))
def test_budget_is_monotone_in_bytes_and_output(n_bytes: int, more: int, output: int, longer: int) -> None:
    router = PoolRouter([PoolSpec("all", 10**7)], None)
    small = router.assign(n_bytes, output, "code")
    large = router.assign(n_bytes + more, output + longer, "code")
    assert small.total_tokens <= large.total_tokens
    assert small.prompt_tokens <= large.prompt_tokens


@given(st.lists(st.tuples(st.integers(1, 30_000), st.integers(1, 30_000)), max_size=40))
def test_the_same_stream_gives_the_same_decisions(requests: list[tuple[int, int]]) -> None:
    def decided() -> list[rk.Decision]:
        router = PoolRouter(TWO, estimator=RatioEstimator(target_unsafe=0.01))
        decisions = []
        for n_bytes, n_tokens in requests:
            decisions.append(router.route(_view(n_bytes), category="prose"))
            router.feedback(decisions[-1], {"prompt_tokens": n_tokens})
        return decisions

    assert decided() == decided()


def test_no_bytes_are_no_tokens() -> None:
    assert PoolRouter(TWO).assign(0, 5, "prose")[2:5] == (0, 5, 5)


@pytest.mark.parametrize(
    ("n_bytes", "output", "pool", "reason"),
    [
        (4000, 100, "short", "fits"),
        (4 * 7000, 1000, "short", "fits"),
        (4 * 8000, 192, "short", "fits"),
        (4 * 8000, 193, "long", "hard"),
        (4 * 65000, 536, "long", "hard"),
    ],
)
def test_limits_are_inclusive(n_bytes: int, output: int, pool: str, reason: str) -> None:
    decision = PoolRouter(TWO).route(_view(n_bytes, output), category="prose")
    assert (decision.action, decision.pool, _budget(decision).reason) == ("route", pool, reason)
    assert decision.estimated_tokens == n_bytes // 4 + output


def test_threshold_below_the_context_sends_long_earlier() -> None:
    decision = PoolRouter(TWO, 1000).route(_view(4000, 100), category="prose")
    assert (decision.pool, _budget(decision).reason) == ("long", "threshold")


def test_nothing_that_fits_is_an_overflow() -> None:
    with pytest.raises(ContextOverflow, match="65536") as caught:
        PoolRouter(TWO).route(_view(4 * 65536, 1), category="prose")
    assert caught.value.status_hint == 413


def test_absent_limit_takes_the_default_or_all_that_is_left() -> None:
    assert PoolRouter(TWO, default_max_tokens=256).route(_view(400, None), category="prose").estimated_tokens == 356
    decision = PoolRouter(TWO).route(_view(400, None), category="prose")
    assert (decision.pool, decision.estimated_tokens) == ("long", 65536)
    embeddings = _view(400, None, dialect="openai-embeddings")
    assert PoolRouter(TWO).route(embeddings, category="prose").estimated_tokens == 100


@pytest.mark.parametrize("limit", [0, -1, True, False, 1.0, 2**63, "7"])
def test_output_limit_without_sense_is_refused(limit: object) -> None:
    with pytest.raises(MalformedBody, match="allowed"):
        PoolRouter(TWO).route(_view(400, limit))  # type: ignore[arg-type]


def test_spill_goes_only_where_the_budget_fits() -> None:
    router = PoolRouter(TWO, 1000, spill_at=0.9)
    router.set_load("long", 1.0)
    spilled = router.route(_view(4000, 100), category="prose")
    assert (spilled.pool, _budget(spilled).reason, _budget(spilled).spilled) == ("short", "spill", True)
    assert router.route(_view(4 * 9000, 100), category="prose").pool == "long"
    router.set_load("short", 0.95)
    assert router.route(_view(4000, 100), category="prose").pool == "long"
    router.set_load("long", 0.1)
    router.set_load("short", 1.5)
    assert router.route(_view(400, 100), category="prose").pool == "long"


def test_pools_that_are_down_get_nothing() -> None:
    router = PoolRouter(TWO)
    router.set_health("short", up=False)
    decision = router.route(_view(400), category="prose")
    assert (decision.pool, _budget(decision).reason) == ("long", "health")
    router.set_health("long", up=False)
    with pytest.raises(Overloaded):
        router.route(_view(400), category="prose")
    router.set_health("short", up=True)
    assert router.route(_view(400), category="prose").pool == "short"
    with pytest.raises(Overloaded):
        router.route(_view(4 * 9000), category="prose")


def test_pools_that_want_certainty_count_every_byte() -> None:
    router = PoolRouter([PoolSpec("short", 8192, certain=True), PoolSpec("long", 65536)])
    assert router.route(_view(4000), category="prose").pool == "short"
    assert router.route(_view(9000), category="prose").pool == "long"


def test_place_keeps_what_the_policy_chose() -> None:
    router = PoolRouter([*TWO, PoolSpec("math", 4096, model="math")])
    block = rk.Decision("block", None, None, "no", 403)
    assert router.place(block, _view(400)) is block
    math = router.place(rk.Decision("route", "math", None, "r"), _view(400), category="prose")
    assert (math.model, math.pool, math.rule) == ("math", "math", "r")
    named = router.place(rk.Decision("route", "m", "long", "r"), _view(400), category="prose")
    assert (named.pool, _budget(named).reason) == ("long", "policy")
    foreign = router.place(rk.Decision("route", "m", "elsewhere", "r"), _view(10**6), category="prose")
    assert foreign.pool == "elsewhere"
    small = router.place(rk.Decision("route", "m", "short", "r"), _view(4 * 9000), category="prose")
    assert small.pool == "long"


def test_named_pool_of_another_model_is_not_kept() -> None:
    router = PoolRouter([*TWO, PoolSpec("math", 4096, model="math")])
    named = rk.Decision("route", "m", "math", "r")
    assert router.place(named, _view(4 * 6000), category="prose").pool == "short"
    assert router.place_early(named, n_text_bytes=10) is None


def test_named_pool_that_is_down_gets_nothing() -> None:
    router = PoolRouter(THREE)
    router.set_health("m", False)
    with pytest.raises(Overloaded, match="'m', which was named for the request, is down"):
        router.place(rk.Decision("route", "m", "m", "r"), _view(400), category="prose")
    moved = router.place(rk.Decision("route", "m", "s", "r"), _view(4 * 3000), category="prose")
    assert (moved.pool, _budget(moved).reason) == ("l", "health")


def test_pool_that_wants_certainty_holds_the_estimate_too() -> None:
    estimator = RatioEstimator(cold=0.5)
    router = PoolRouter([PoolSpec("short", 2048, certain=True), PoolSpec("long", 65536)], estimator=estimator)
    assert router.route(_view(1000), category="prose").pool == "long"


def test_a_model_without_pools_is_left_alone() -> None:
    router = PoolRouter([PoolSpec("math", 4096, model="math")])
    other = rk.Decision("route", "other", None, "r")
    assert router.place(other, _view(400)) is other
    assert router.place_early(other, n_text_bytes=10**9) is other


@pytest.mark.parametrize(
    ("usage", "n_tokens"),
    [
        ({"prompt_tokens": 7, "completion_tokens": 3}, 7),
        ({"prompt_tokens": 7, "prompt_tokens_details": {"cached_tokens": 5}}, 7),
        ({"input_tokens": 7, "input_tokens_details": {"cached_tokens": 5}}, 7),
        ({"input_tokens": 2, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 3}, 10),
        ({"input_tokens": 0, "cache_read_input_tokens": 5}, 5),
        ({"usage": {"prompt_tokens": 7}}, 7),
        ({"prompt_tokens": 7.0}, 7),
        ({}, None),
        (None, None),
        ({"prompt_tokens": 0}, None),
        ({"prompt_tokens": -3}, None),
        ({"prompt_tokens": True}, None),
        ({"prompt_tokens": float("nan")}, None),
        ({"prompt_tokens": float("inf")}, None),
        ({"prompt_tokens": "7"}, None),
        ({"prompt_tokens": 10**30}, None),
    ],
)
def test_usage_is_read_as_it_comes(usage: object, n_tokens: int | None) -> None:
    assert prompt_tokens(usage) == n_tokens


def test_usage_objects_of_sdks_are_read_by_attribute() -> None:
    class Usage:
        input_tokens, cache_read_input_tokens, cache_creation_input_tokens = 2, 5, None

    assert prompt_tokens(Usage()) == 7


def test_feedback_without_use_is_counted() -> None:
    router = PoolRouter(TWO)
    for view in (_view(400), _view(400, n_images=2)):
        router.feedback(router.route(view, category="prose"), None if not view.n_images else {"prompt_tokens": 9})
    early = router.place_early(rk.Decision("route", "m", None, "r"), n_text_bytes=4 * 9000)
    assert early is not None
    router.feedback(early, {"prompt_tokens": 9000})
    assert router.estimator.n_ignored == 3
    assert router.estimator.mean("prose") is None
    with pytest.raises(UsageError):
        router.feedback(rk.Decision("route", "m", "short", "r"), {"prompt_tokens": 9})


def test_feedback_moves_the_gain_when_the_pool_was_exceeded() -> None:
    router = PoolRouter(TWO, estimator=RatioEstimator(target_unsafe=0.005))
    decision = router.route(_view(4 * 8000, 100), category="prose")
    before = router.estimator.gain
    router.feedback(decision, {"prompt_tokens": 8092})
    assert router.estimator.gain < before
    router.feedback(decision, {"prompt_tokens": 8093})
    assert router.estimator.gain > before


def test_an_overflow_reply_moves_the_request_once_and_lowers_the_ratio() -> None:
    router = PoolRouter(TWO)
    for _ in range(20):
        router.feedback(router.route(_view(460), category="prose"), {"prompt_tokens": 100})
    decision = router.route(_view(36_000, 100), category="prose")
    before = router.estimator.low("prose")
    moved = router.overflowed(decision)
    assert (decision.pool, moved.pool, _budget(moved).reason) == ("short", "long", "retry")
    assert router.estimator.low("prose") < before
    with pytest.raises(ContextOverflow):
        router.overflowed(moved)
    with pytest.raises(UsageError, match="elsewhere"):
        router.overflowed(replace(decision, pool="elsewhere"))


BODY_TEXT = (
    st.text(max_size=300) | st.integers(0, 400).map(lambda n: "word " * n) | st.integers(0, 99).map("漢字".__mul__)
)


@given(st.lists(BODY_TEXT, max_size=4), st.integers(1, 3000), st.integers(1, 97), st.booleans())
def test_an_early_decision_is_the_final_one(texts: list[str], output: int, step: int, loaded: bool) -> None:
    router = PoolRouter([PoolSpec("s", 100), PoolSpec("m", 400), PoolSpec("l", 10**6)], 80, spill_at=1.0)
    if loaded:
        router.set_load("l", 2.0)
    messages = [{"role": "user", "content": text} for text in texts]
    body = json.dumps({"messages": messages, "max_tokens": output, "model": "m"}).encode()
    stream = router.open()
    early = None
    for at in range(0, len(body), step):
        decision = stream.feed(body[at : at + step])
        assert early is None or (decision is not None and decision.pool == early.pool)
        early = decision
        router.estimator.observe("prose", 10**4, 10**3 * 2)  # what others teach meanwhile does not show
    final = stream.finish()
    assert early is None or (early.early and early.pool == final.pool)
    if early is not None:
        assert _budget(early).total_tokens <= _budget(final).total_tokens


def test_a_long_stream_is_known_long_before_its_end() -> None:
    stream = PoolRouter(TWO).open()
    assert stream.feed(b'{"model":"m","messages":[{"role":"user","content":"') is None
    n_chunks = 0
    while stream.feed(b"word " * 200) is None:
        n_chunks += 1
    assert 8192 * 4 <= n_chunks * 1000 + 1000 <= 8192 * 4 + 2000


def test_bytes_mapping_and_view_are_placed_alike() -> None:
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Où est-ce ? " * 50}]}
    router = PoolRouter(TWO)
    raw = json.dumps(body).encode()
    assert router.route(body) == router.route(raw) == router.route(rk.read_request(raw))


def test_borderline_prose_may_be_compressed_below_the_limit() -> None:
    router = PoolRouter(TWO)
    route = CompressRoute(router, gamma=1.5)
    decision = router.route(_view(36_000, 500), category="prose")
    assert route.cap(decision) == 7692
    text = "word " * 5000
    fits = rk.CompressedText(text, ((0, len(text)),), 9000, 7000, True)
    moved = route.moved(decision, fits)
    assert (moved.pool, moved.estimated_tokens, moved.trace.transforms) == ("short", 7500, ("compress:7692",))
    assert route.moved(decision, replace(fits, n_tokens_after=7693)) is decision
    assert route.moved(decision, replace(fits, text="x" * 40_000, exact=False)) is decision
    router.feedback(moved, {"prompt_tokens": 7000})
    assert router.estimator.n_ignored == 1


@pytest.mark.parametrize(("n_bytes", "category"), [(4000, "prose"), (36_000, "code"), (90_000, "prose")])
def test_what_is_not_borderline_prose_is_not_compressed(n_bytes: int, category: str) -> None:
    router = PoolRouter(TWO)
    decision = router.route(_view(n_bytes), category=category)
    assert CompressRoute(router).cap(decision) is None
    with pytest.raises(UsageError):
        CompressRoute(router).moved(decision, rk.CompressedText("", (), 0, 0, True))


@given(st.lists(st.text(max_size=500), max_size=5))
def test_every_text_has_a_category(texts: list[str]) -> None:
    segments = tuple(rk.Segment("user", "text", text, 0, 0, i) for i, text in enumerate(texts))
    assert category_of(_view(0, segments=segments)) in CATEGORIES


RNG = random.Random(0)
KINDS = {
    "prose": "It was the best of times, it was the worst of times, it was the age of wisdom. " * 20,
    "cjk": "今天天气很好，我们去公园散步吧。请帮我写一封邮件。" * 20,
    "script": "Сегодня хорошая погода, пойдём гулять в парк. " * 20,
    "code": "for (int i = 0; i < n; ++i) {\n    total += values[i] * scale(i);\n}\n" * 20,
    "json": json.dumps([{"id": i, "name": f"item {i}", "tags": ["a", "b"]} for i in range(40)]),
    "base64": base64.b64encode(RNG.randbytes(3000)).decode(),
    "empty": "",
}


@pytest.mark.parametrize("category", list(KINDS))
def test_categories_are_told_apart(category: str) -> None:
    assert category_of(_text_view(KINDS[category])) == category


def test_tools_and_hidden_base64_are_categories_of_their_own() -> None:
    assert category_of(replace(_text_view(KINDS["prose"]), tools=("search",))) == "tools"
    assert category_of(_text_view(KINDS["prose"] + KINDS["base64"])) == "base64"


@pytest.mark.parametrize(
    "build",
    [
        lambda: PoolRouter([]),
        lambda: PoolRouter([PoolSpec("a", 10), PoolSpec("a", 20)]),
        lambda: PoolRouter(TWO, 0),
        lambda: PoolRouter(THREE, [1500, 1000]),
        lambda: PoolRouter(TWO, default_max_tokens=0),
        lambda: PoolSpec("", 10),
        lambda: PoolSpec("a", 0),
        lambda: PoolSpec("a", True),
        lambda: CompressRoute(PoolRouter(TWO), gamma=1.0),
    ],
)
def test_settings_without_sense_are_refused(build: object) -> None:
    with pytest.raises(ConfigError):
        build()  # type: ignore[operator]


def test_unknown_pools_are_named_in_the_error() -> None:
    router = PoolRouter(TWO)
    with pytest.raises(UsageError, match="known: long, short"):
        router.set_load("medium", 1.0)
    with pytest.raises(UsageError, match="allowed"):
        router.set_load("long", float("nan"))
