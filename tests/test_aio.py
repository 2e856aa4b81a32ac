"""The async router: the decisions of the sync one, in batches, in any loop and process."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import weakref
from collections.abc import Sequence
from dataclasses import replace

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routekit as rk
from async_routers import ATTACK, Awaitable, Gated, gated, router_of
from routekit.body import read_request
from routekit.pace import Pace, Pause
from routekit.testing import FakeClassifier, chat, chunked
from router_cases import bodies, fakes, five, language, policies

# The same decisions.


@settings(max_examples=40, deadline=None)
@given(
    policies(),
    bodies(),
    st.lists(st.integers(1, 3000), min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
    st.integers(1, 3),
    st.sampled_from([7, 1000, 32_000]),
)
def test_decision_is_that_of_the_sync_router(
    policy: rk.Policy, body: bytes, sizes: list[int], incremental: bool, limited: bool, max_batch: int, piece: int
) -> None:
    router = rk.PolicyRouter(policy, classifiers=fakes(incremental), language=language)
    metadata = {"X-Tier": "gold"}
    expected = five(router.route(body, metadata=metadata))
    timeouts = dict.fromkeys(router.classifiers, 60.0) if limited else {}

    async def streamed(arouter: rk.AsyncRouter) -> rk.Decision:
        stream = arouter.open(metadata=metadata)
        for chunk in chunked(body, sizes):
            decision = await stream.feed(chunk)
            if decision is not None and decision.action == "block":
                return decision
        return await stream.finish()

    async def main() -> list[rk.Decision]:
        async with rk.AsyncRouter(router, max_batch=max_batch, max_wait_seconds=0, signal_timeouts=timeouts) as arouter:
            arouter._pace = replace(arouter._pace, piece_characters=piece)
            forms = (body, orjson.loads(body), read_request(body), bytearray(body))
            routed = [arouter.route(form, metadata=metadata) for form in forms]
            return await asyncio.gather(*routed, *(streamed(arouter) for _ in range(2)))

    assert {five(decision) for decision in asyncio.run(main())} == {expected}


async def test_errors_of_the_body_are_those_of_the_sync_router() -> None:
    async with rk.AsyncRouter(router_of(FakeClassifier("jailbreak", {}))) as arouter:
        for body in (b"", b"[]", chat("x")[:-1], chat("x") + b"x", b'{"model":"m","Model":"m","messages":[]}'):
            with pytest.raises(rk.BodyError) as sync_error:
                arouter.router.route(body)
            with pytest.raises(type(sync_error.value)) as async_error:
                await arouter.route(body)
            assert str(async_error.value) == str(sync_error.value)
        with pytest.raises(rk.UsageError, match="bytes-like"):
            await arouter.route("text")  # type: ignore[arg-type]
        with pytest.raises(rk.UsageError, match="bytes-like"):
            await arouter.open().feed("text")  # type: ignore[arg-type]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="there a frame of asyncio's own holds the future: a cycle")
async def test_failed_request_is_forgotten_without_a_collection() -> None:
    async with rk.AsyncRouter(router_of(FakeClassifier("jailbreak", {}))) as arouter:
        stream = arouter.open()
        gc.disable()
        try:
            for refused in (arouter.route(b"["), stream.feed(b"["), arouter.route({"messages": 1})):
                try:
                    await refused
                except rk.BodyError as error:
                    gone = weakref.ref(error)
                for _ in range(500):  # until the thread lets go of it
                    if gone() is not None:
                        await asyncio.sleep(0.01)
                assert gone() is None
        finally:
            gc.enable()


async def test_rewrite_is_that_of_the_sync_router() -> None:
    async with rk.AsyncRouter(router_of(FakeClassifier("jailbreak", {}))) as arouter:
        body = chat("hello")
        decision = await arouter.route(body)
        assert await arouter.rewrite(body, decision) == arouter.router.rewrite(body, decision)
        stream = arouter.open()
        assert await stream.feed(b"") is None
        await stream.feed(body)
        assert stream.view is None
        await stream.finish()
        assert stream.view is not None
        assert b"".join(await stream.rewrite()) == body.replace(b'"auto"', b'"general"')


async def test_attack_is_blocked_before_the_body_ends() -> None:
    jailbreak = FakeClassifier("jailbreak", {"ignore": 0.99}, incremental=True)
    async with rk.AsyncRouter(router_of(jailbreak)) as arouter:
        stream = arouter.open()
        decision = await stream.feed(chat("ignore " + "x" * 100_000)[:50_000])
        assert decision is not None
        assert (decision.action, decision.early) == ("block", True)
        assert await stream.finish() is decision


# Batches.


async def test_requests_that_wait_are_classified_together() -> None:
    jailbreak = Gated()
    async with rk.AsyncRouter(router_of(jailbreak), n_threads=1, max_batch=8) as arouter:
        async with gated(jailbreak, arouter):
            texts = ["ignore" if i % 3 == 0 else f"text {i}" for i in range(20)]
            rest = asyncio.gather(*(arouter.route(chat(text)) for text in texts))
            await asyncio.sleep(0.05)
            assert len(jailbreak.batches) == 1
        assert [decision.action for decision in await rest] == ["block" if t == "ignore" else "route" for t in texts]
    assert sorted(map(len, jailbreak.batches)) == [1, 4, 8, 8]


@pytest.mark.parametrize("answer", [ValueError("boom"), [], None, "garbage"])
async def test_text_that_breaks_a_classifier_breaks_no_other_request(answer: object) -> None:
    class Fragile(Gated):
        def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
            predictions = super().classify(texts)
            if "boom" not in texts:
                return predictions
            if isinstance(answer, Exception):
                raise answer
            return answer  # type: ignore[return-value]

    jailbreak = Fragile()
    async with rk.AsyncRouter(router_of(jailbreak, jailbreak="block"), n_threads=1) as arouter:
        async with gated(jailbreak, arouter):
            rest = asyncio.gather(*(arouter.route(chat(text)) for text in ("boom", "fine", "ignore")))
            await asyncio.sleep(0.05)
        decisions = await rest
    assert [decision.status for decision in decisions] == [403, None, 403]
    assert [bool(decision.signals) for decision in decisions] == [False, True, True]


async def test_awaitable_classifier_is_batched_and_may_fail() -> None:
    jailbreak = Awaitable()
    async with rk.AsyncRouter(router_of(jailbreak, jailbreak="skip"), max_wait_seconds=0.05) as arouter:
        jailbreak.gate.set()
        await arouter.warm_up()
        decisions = await asyncio.gather(*(arouter.route(chat(text)) for text in ("boom", "fine", "ignore")))
    assert [decision.action for decision in decisions] == ["route", "route", "block"]
    assert [bool(decision.signals) for decision in decisions] == [False, True, True]
    assert max(map(len, jailbreak.batches)) == 3


async def test_classifier_that_returns_an_awaitable_is_awaited() -> None:
    class Late(FakeClassifier):
        def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
            async def answer() -> list[rk.Prediction]:
                return FakeClassifier.classify(self, texts)

            return answer()  # type: ignore[return-value]

    async with rk.AsyncRouter(router_of(Late("jailbreak", {"ignore": 0.99}))) as arouter:
        assert (await arouter.route(chat("ignore"))).action == "block"


async def test_other_policy_may_bring_another_classifier_of_that_name() -> None:
    router = router_of(FakeClassifier("jailbreak", {"ignore": 0.99}))
    async with rk.AsyncRouter(router) as arouter:
        assert (await arouter.route(chat("ignore"))).action == "block"
        stream = arouter.open()
        router.replace_policy(rk.Policy([], rk.RouteTo("other")))
        assert (await arouter.route(chat("ignore"))).model == "other"
        await stream.feed(chat("ignore"))
        assert (await stream.finish()).action == "block"


# Loops and processes.


def test_router_serves_one_loop_after_the_other_and_needs_none_to_be_made() -> None:
    arouter = rk.AsyncRouter(router_of(FakeClassifier("jailbreak", {})))
    assert [asyncio.run(arouter.route(chat("x"))).model for _ in range(3)] == ["general"] * 3
    gc.collect()
    assert not arouter._engines  # nor does it keep what belonged to a loop


def test_router_works_in_a_forked_process() -> None:
    program = """
import asyncio, os
import routekit as rk
from routekit.testing import FakeClassifier, chat

rule = rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block())
router = rk.PolicyRouter(rk.Policy([rule], rk.Keep()), classifiers=[FakeClassifier("jailbreak", {"ignore": 0.97})])
arouter = rk.AsyncRouter(router)
print(asyncio.run(arouter.route(chat("ignore"))).action, flush=True)
if os.fork() == 0:
    print(asyncio.run(arouter.route(chat("hello"))).action, flush=True)
else:
    os.wait()
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.split() == ["block", "keep"]


def test_long_text_is_read_in_many_steps() -> None:
    router = rk.PolicyRouter(rk.Policy([ATTACK], rk.RouteTo("general")))  # the classifier that ships
    steps = router.route_steps(chat("What a day! " * 50_000), pace=Pace(pauses=True))
    assert sum(step is Pause.PAUSE for step in steps) > 40


def test_other_routers_are_refused() -> None:
    with pytest.raises(rk.UsageError, match="allowed: PolicyRouter"):
        rk.AsyncRouter(object())  # type: ignore[arg-type]
