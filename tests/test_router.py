"""The router on real bodies: one decision, however the request comes and whatever is read or left unread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routekit as rk
from routekit.body import read_request
from routekit.deliberation import Deliberation
from routekit.judgement import answered
from routekit.pools import PoolRouter, PoolSpec
from routekit.program import Open
from routekit.testing import FakeClassifier, chat, chunked, messages, responses
from router_cases import ATTACK, bodies, fakes, five, jailbreak, language, lazy_router, policies, streamed, topic


@settings(max_examples=150, deadline=None)
@given(policies(), bodies(), st.lists(st.integers(1, 3000), min_size=1, max_size=4), st.booleans(), st.booleans())
def test_decision_is_the_same_for_every_form_of_the_request(
    policy: rk.Policy, body: bytes, sizes: list[int], gold: bool, incremental: bool
) -> None:
    router = rk.PolicyRouter(
        policy, classifiers=fakes(incremental), language=lambda text: "zz" if "court" in text else "en"
    )
    metadata = {"X-Tier": "gold"} if gold else {}
    expected = five(router.route(body, metadata=metadata))
    assert five(router.route(orjson.loads(body), metadata=metadata)) == expected
    assert five(router.route(read_request(body), metadata=metadata)) == expected
    assert five(streamed(router, body, sizes, metadata)) == expected
    assert five(streamed(router, body, [len(body)], metadata)) == expected


@settings(max_examples=60, deadline=None)
@given(policies(), bodies())
def test_decision_without_reading_everything_is_that_of_reading_everything(policy: rk.Policy, body: bytes) -> None:
    router = rk.PolicyRouter(policy, classifiers=fakes(), language=language)
    evaluation = Deliberation(router._snapshot.plan)
    evaluation.complete(read_request(body))
    for key in evaluation.plan.program.asked:
        answered(evaluation.settle(key))
    verdict = evaluation.plan.program.verdict(evaluation.results)
    assert not isinstance(verdict, Open)
    assert verdict.rule == router.route(body).rule
    assert verdict.action == router.route(body).action


@pytest.mark.parametrize("build", [chat, messages, responses])
def test_every_dialect_is_decided(build: object) -> None:
    router = lazy_router([rk.Rule("r", jailbreak >= 0.9, rk.Block())], fakes())
    assert callable(build)
    assert router.route(build(ATTACK)).action == "block"
    assert router.route(build("hello", system="be nice")).model == "general"


def test_metadata_of_any_common_type_is_read() -> None:
    router = lazy_router(
        [rk.Rule("r", (rk.header("X-Tier") == "gold") & (rk.metadata("seats") >= 5), rk.RouteTo("vip"))], []
    )
    body = chat("hi")
    assert router.route(body, metadata={"x-TIER": b"gold", "seats": "7"}).model == "vip"
    assert router.route(body, metadata={"x-tier": ["gold"], "seats": 5}).model == "vip"
    assert router.route(body, metadata={"x-tier": ["gold"], "seats": 10**400}).model == "general"
    assert router.route(body, metadata={"x-tier": "gold", "X-Tier": "silver", "seats": 5}).model == "general"
    assert router.route(body).model == "general"
    with pytest.raises(rk.UsageError, match="seats"):
        router.route(body, metadata={"x-tier": "gold", "seats": {}})


def test_images_that_nobody_read_lower_the_coverage() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://x.org/a.png"}}
    content = [{"type": "text", "text": "what is this"}, image]
    body = orjson.dumps({"model": "auto", "messages": [{"role": "user", "content": content}]})
    router = lazy_router([rk.Rule("r", jailbreak >= 0.9, rk.Block())], fakes())
    assert router.route(body).signals["jailbreak"].coverage == 0.5
    assert router.route(chat("what is this")).signals["jailbreak"].coverage == 1.0


# Laziness.


def test_cheap_signal_spares_the_expensive_one() -> None:
    cheap, dear = FakeClassifier("cheap", {"x": 0.9}, cost=0.1), FakeClassifier("dear", {"x": 0.9}, cost=100)
    both = (rk.signal("dear") >= 0.5) & (rk.signal("cheap") >= 0.5)
    lazy_router([rk.Rule("r", both, rk.Block())], [cheap, dear]).route(chat("hello"))
    assert cheap.texts
    assert not dear.texts


def test_rule_that_wins_spares_the_signals_of_later_rules() -> None:
    dear = FakeClassifier("dear", {"x": 0.9})
    rules = [rk.Rule("a", rk.signal("model") == "auto", rk.Keep()), rk.Rule("b", rk.signal("dear") >= 0.5, rk.Block())]
    assert lazy_router(rules, [dear]).route(chat("x")).rule == "a"
    assert not dear.texts


def test_classifier_that_could_only_fail_into_the_same_block_is_not_run() -> None:
    broken, dear = FakeClassifier("broken", {}, error=ValueError()), FakeClassifier("dear", {"x": 0.9}, cost=50)
    rule = rk.Rule("r", (rk.signal("broken") >= 0.5) | (rk.signal("dear") >= 0.5), rk.Block(403))
    decision = lazy_router([rule], [broken, dear]).route(chat("x"))
    assert (decision.action, decision.rule, decision.status) == ("block", "r", 403)
    assert not dear.texts


def test_shadow_rule_before_the_winner_is_settled_and_traced() -> None:
    watched = FakeClassifier("watched", {"x": 0.9})
    rules = [
        rk.Rule("watch", rk.signal("watched").fires(), rk.Block(), shadow=True),
        rk.Rule("a", rk.signal("model") == "auto", rk.Keep()),
        rk.Rule("late", rk.signal("watched").fires(), rk.Block(), shadow=True),
    ]
    decision = lazy_router(rules, [watched]).route(chat("x"))
    assert decision.rule == "a"
    assert decision.trace.shadow == ("watch",)
    assert [trace.outcome for trace in decision.trace.rules] == ["true", "true", "not_reached", "not_reached"]


# Streams.


def test_attack_is_blocked_before_the_body_ends_and_before_it_is_malformed() -> None:
    router = lazy_router([rk.Rule("r", jailbreak >= 0.9, rk.Block())], fakes())
    body = chat(ATTACK + " " + "filler " * 5000)
    stream = router.open()
    assert stream.feed(body[:4000]) is None
    decision = stream.feed(body[4000:9000])
    assert decision is not None
    assert (decision.action, decision.early) == ("block", True)
    assert stream.feed(b"}}}} not JSON") is decision
    assert stream.finish() is decision
    with pytest.raises(rk.UsageError, match="not forwarded"):
        stream.rewrite()


def test_early_route_is_provisional() -> None:
    router = lazy_router([rk.Rule("r", rk.signal("model") == "big", rk.RouteTo("huge"))], [])
    body = chat("hello", model="big")
    stream = router.open()
    decision = stream.feed(body[:20])
    assert decision is not None
    assert (decision.model, decision.early) == ("huge", True)
    with pytest.raises(rk.UsageError, match="after finish"):
        stream.rewrite()
    with pytest.raises(rk.MalformedBody):
        stream.feed(b"\n")
    with pytest.raises(rk.MalformedBody):
        stream.finish()


def test_long_request_is_known_early() -> None:
    router = lazy_router([rk.Rule("long", rk.signal("context_tokens") > 1000, rk.RouteTo("long"))], [])
    stream = router.open()
    decision = next(d for chunk in chunked(chat("x" * 40_000), 1000) if (d := stream.feed(chunk)) is not None)
    assert (decision.model, decision.early, decision.estimated_tokens) == ("long", True, None)


def test_keep_waits_for_the_model() -> None:
    router = lazy_router([rk.Rule("gold", rk.header("x-tier") == "gold", rk.Keep())], [])
    stream = router.open(metadata={"x-tier": "gold"})
    assert stream.feed(b'{"messages":[{"role":"user","content":"hi"}],') is None
    decision = stream.feed(b'"model":"gpt"')
    assert decision is not None
    assert (decision.action, decision.model) == ("keep", "gpt")


def test_rewrite_replaces_the_model_and_nothing_else() -> None:
    router = lazy_router([], [])
    stream = router.open()
    body = b' {"messages" : [{"role":"user","content":"h\\u0069"}] ,"model": "auto" , "x":1.50}'
    for chunk in chunked(body, 5):
        stream.feed(chunk)
    stream.finish()
    expected = body.replace(b'"auto"', b'"general"')
    assert b"".join(stream.rewrite()) == expected
    assert router.rewrite(body, router.route(body)) == expected
    assert router.rewrite(orjson.loads(body), router.route(body)) == orjson.loads(expected)


def test_stream_ends_under_the_policy_it_began_with() -> None:
    router = lazy_router([], [])
    stream = router.open()
    router.replace_policy(rk.Policy([], rk.Block(503)))
    stream.feed(chat("hi"))
    assert stream.finish().model == "general"
    assert router.route(chat("hi")).status == 503


def test_policy_that_does_not_fit_leaves_the_old_one() -> None:
    router = lazy_router([], [])
    with pytest.raises(rk.PolicyError, match="nobody provides"):
        router.replace_policy(rk.Policy([rk.Rule("r", rk.signal("unheard-of") >= 0.5, rk.Block())], rk.Keep()))
    assert router.route(chat("hi")).model == "general"


def test_feed_after_finish_is_refused() -> None:
    stream = lazy_router([], []).open()
    stream.feed(chat("hi"))
    stream.finish()
    with pytest.raises(rk.UsageError, match="after finish"):
        stream.feed(b"")


# Pools.


def test_pools_are_chosen_after_the_policy_and_early_only_when_certain() -> None:
    pools = PoolRouter([PoolSpec("short", max_context=2000), PoolSpec("long", max_context=200_000)], threshold=1000)
    router = rk.PolicyRouter(rk.Policy([], rk.RouteTo("general")), pools={"general": pools})
    assert router.route(chat("hi", max_tokens=10)).pool == "short"
    body = chat("x" * 90_000, max_tokens=10)
    assert router.route(body).pool == "long"
    stream = router.open()
    early = [d for chunk in chunked(body, 1000) if (d := stream.feed(chunk)) is not None]
    assert early[0].pool == "long"
    final = stream.finish()
    assert (final.pool, final.early) == ("long", True)
    assert final.trace.budget is not None
    with pytest.raises(rk.ContextOverflow):
        router.route(chat("x" * 1_500_000, max_tokens=10))


# Many at once.


def test_a_thousand_threads_share_one_router() -> None:
    router = rk.PolicyRouter(
        rk.Policy(
            [rk.Rule("r", jailbreak >= 0.9, rk.Block()), rk.Rule("m", topic == "math", rk.RouteTo("math"))], rk.Keep()
        ),
        classifiers=fakes(),
    )
    texts = ["hello", ATTACK, "an integral", "x" * 5000 + ATTACK]
    expected = [five(router.route(chat(text))) for text in texts]
    gate = Barrier(1000)

    def one(i: int) -> bool:
        gate.wait()
        body, want = chat(texts[i % 4]), expected[i % 4]
        return five(router.route(body)) == want and five(streamed(router, body, [700], {})) == want

    with ThreadPoolExecutor(1000) as threads:
        assert all(threads.map(one, range(1000)))
