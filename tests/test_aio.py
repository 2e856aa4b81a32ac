"""The async router: the decisions of the sync one, whatever is slow, broken, cancelled or too much."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import weakref
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from threading import Event

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routekit as rk
from routekit import engine
from routekit.body import read_request
from routekit.pace import Pace, Pause
from routekit.testing import FakeClassifier, chat, chunked
from router_cases import bodies, fakes, five, language, policies

ATTACK = rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403))
LAW = rk.Rule("law", rk.signal("topic") >= 0.5, rk.RouteTo("law"))


class Gated(FakeClassifier):
    """Runs when its gate opens; `begun` is set when a call waits there."""

    def __init__(self, name: str = "jailbreak", hits: dict[str, float] | None = None) -> None:
        super().__init__(name, hits or {"ignore": 0.99})
        self.gate, self.begun = Event(), Event()
        self.batches: list[list[str]] = []

    def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
        self.batches.append(list(texts))
        self.begun.set()
        self.gate.wait(20)
        return super().classify(texts)

    async def has_begun(self) -> None:
        while not self.begun.is_set():
            await asyncio.sleep(0.001)


class Awaitable(FakeClassifier):
    """A classifier somewhere else."""

    def __init__(self) -> None:
        super().__init__("jailbreak", {"ignore": 0.99})
        self.batches: list[list[str]] = []
        self.cancelled = False
        self.gate = asyncio.Event()

    async def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:  # type: ignore[override]
        self.batches.append(list(texts))
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        if any("boom" in text for text in texts):
            raise ValueError(texts)
        return super().classify(texts)


def router_of(*classifiers: FakeClassifier, rules: Sequence[rk.Rule] = (ATTACK,), **on_error: str) -> rk.PolicyRouter:
    return rk.PolicyRouter(rk.Policy(rules, rk.RouteTo("general"), on_error), classifiers=classifiers)


@asynccontextmanager
async def gated(classifier: Gated, arouter: rk.AsyncRouter) -> AsyncIterator[None]:
    """Keep one call of the classifier waiting inside."""
    first = asyncio.ensure_future(arouter.route(chat("first")))
    await classifier.has_begun()
    yield
    classifier.gate.set()
    assert (await first).model == "general"


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


# Too much, too slow, given up.


async def test_request_too_many_is_refused_at_once() -> None:
    jailbreak = Gated()
    async with rk.AsyncRouter(router_of(jailbreak), max_queue=3) as arouter:
        async with gated(jailbreak, arouter):
            rest = [asyncio.ensure_future(arouter.route(chat("x"))) for _ in range(2)]
            stream = arouter.open()
            await asyncio.sleep(0)
            for refused in (arouter.route(chat("x")), stream.feed(b"{"), arouter.warm_up()):
                with pytest.raises(rk.Overloaded, match="3 requests are being judged or wait; allowed: 3"):
                    await refused
        await asyncio.gather(*rest)
        assert (await arouter.route(chat("x"))).model == "general"
        await stream.feed(chat("x"))
        assert (await stream.finish()).model == "general"


async def test_cancelling_stops_the_waiting_and_nothing_else() -> None:
    jailbreak = Gated()
    async with rk.AsyncRouter(router_of(jailbreak), n_threads=1, max_queue=2) as arouter:
        running = asyncio.ensure_future(arouter.route(chat("first")))
        await jailbreak.has_begun()
        waiting = asyncio.ensure_future(arouter.route(chat("second")))
        await asyncio.sleep(0.02)
        for task in (running, waiting):
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        jailbreak.gate.set()
        assert (await arouter.route(chat("ignore"))).action == "block"
    assert ["second"] not in jailbreak.batches


async def test_classifier_that_hangs_fails_its_signal_and_no_other() -> None:
    jailbreak, topic = Gated(), FakeClassifier("topic", {"court": 0.9}, cost=9)
    router = router_of(jailbreak, topic, rules=[ATTACK, LAW], jailbreak="skip")
    async with rk.AsyncRouter(router, n_threads=1, signal_timeouts={"jailbreak": 0.05}) as arouter:
        decisions = await asyncio.gather(*(arouter.route(chat("the court")) for _ in range(5)))
        assert {decision.model for decision in decisions} == {"law"}
        failed = [signal for signal in decisions[0].trace.signals if signal.state == "failed"]
        assert [(signal.name, signal.error) for signal in failed] == [("jailbreak", "TimeoutError")]
        assert len(jailbreak.batches) == 1  # not called again while it hangs
        assert len(arouter._engine().queue("jailbreak", jailbreak)._waiting) <= 5  # and who gave up is forgotten
        jailbreak.gate.set()
        while (await arouter.route(chat("ignore"))).action != "block":
            await asyncio.sleep(0.001)


async def test_time_limit_holds_for_what_reads_incrementally_too() -> None:
    class Hanging(Gated):
        def open(self) -> rk.IncrementalClassifier:
            raise AssertionError

    jailbreak = Hanging()
    async with rk.AsyncRouter(router_of(jailbreak), signal_timeouts={"jailbreak": 0.02}) as arouter:
        stream = arouter.open()
        await stream.feed(chat("x" * 10_000))
        decision = await stream.finish()
        jailbreak.gate.set()
    assert (decision.action, decision.status, decision.rule) == ("block", 403, "attack")


async def test_time_limit_cancels_an_awaitable_classifier() -> None:
    jailbreak = Awaitable()
    async with rk.AsyncRouter(router_of(jailbreak, jailbreak="skip"), signal_timeouts={"jailbreak": 0.02}) as arouter:
        assert (await arouter.route(chat("ignore"))).action == "route"
        await asyncio.sleep(0)
        assert jailbreak.cancelled
        jailbreak.gate.set()
        assert (await arouter.route(chat("ignore"))).action == "block"


async def test_hanging_reader_does_not_stop_other_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "STUCK_SECONDS", 0.01)
    gate = Event()

    class Hanging(FakeClassifier):
        def bounds(self, text: str) -> dict[str, float]:
            return super().bounds(text) if "hang" not in text or gate.wait(20) else {}

    router = router_of(Hanging("jailbreak", {"ignore": 0.99}, incremental=True))
    async with rk.AsyncRouter(router) as arouter:
        stuck = asyncio.ensure_future(arouter.route(chat("hang")))
        await asyncio.sleep(0)
        assert (await arouter.route(chat("ignore"))).action == "block"
        gate.set()
        assert (await stuck).model == "general"


# Streams are for one task at a time.


async def test_stream_refuses_a_second_task_and_goes_on() -> None:
    jailbreak = Gated()
    async with rk.AsyncRouter(router_of(jailbreak)) as arouter:
        stream = arouter.open()
        await stream.feed(chat("x"))
        first = asyncio.ensure_future(stream.finish())
        await jailbreak.has_begun()
        with pytest.raises(rk.UsageError, match="one task at a time"):
            await stream.finish()
        jailbreak.gate.set()
        assert (await first).model == "general"
        assert await stream.finish() is await first


async def test_cancelled_call_ends_its_stream() -> None:
    jailbreak = Gated()
    async with rk.AsyncRouter(router_of(jailbreak)) as arouter:
        stream = arouter.open()
        await stream.feed(chat("x"))
        call = asyncio.ensure_future(stream.finish())
        await jailbreak.has_begun()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        with pytest.raises(rk.UsageError, match="a call was cancelled"):
            await stream.finish()
        jailbreak.gate.set()
        assert (await arouter.route(chat("x"))).model == "general"


# Opening and closing.


async def test_close_waits_for_requests_under_way_and_refuses_further_ones() -> None:
    jailbreak = Gated()
    arouter = rk.AsyncRouter(router_of(jailbreak))
    stream = arouter.open()
    under_way = asyncio.ensure_future(arouter.route(chat("x")))
    await jailbreak.has_begun()
    closing = asyncio.ensure_future(arouter.aclose())
    await asyncio.sleep(0)
    for refused in (arouter.route(chat("x")), stream.feed(b"{"), arouter.rewrite(b"{}", rk.Decision("keep", *"mpr"))):
        with pytest.raises(rk.UsageError, match="closed"):
            await refused
    assert not closing.done()
    jailbreak.gate.set()
    await closing
    assert (await under_way).model == "general"
    await arouter.aclose()
    with pytest.raises(rk.UsageError, match="closed"):
        arouter.open()


async def test_close_does_not_wait_for_ever() -> None:
    jailbreak = Gated()
    arouter = rk.AsyncRouter(router_of(jailbreak), n_threads=1, max_batch=1, drain_seconds=0.02)
    under_way = [asyncio.ensure_future(arouter.route(chat("x"))) for _ in range(4)]
    await jailbreak.has_begun()
    await arouter.aclose()
    jailbreak.gate.set()
    for task in under_way:
        with pytest.raises(rk.UsageError, match="closed before this request was judged"):
            await task


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


@pytest.mark.parametrize("where", ["classify", "bounds"])
def test_process_ends_though_a_classifier_hangs(where: str) -> None:
    program = f"""
import asyncio, threading
import routekit as rk
from routekit.testing import FakeClassifier, chat

class Hanging(FakeClassifier):
    def {where}(self, text):
        threading.Event().wait()

async def main():
    rule = rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block())
    classifier = Hanging("jailbreak", {{}}, incremental={where == "bounds"})
    router = rk.PolicyRouter(rk.Policy([rule], rk.Keep()), classifiers=[classifier])
    async with rk.AsyncRouter(router, drain_seconds=0.01) as arouter:
        task = asyncio.ensure_future(arouter.route(chat("x")))
        await asyncio.sleep(0.05)
        task.cancel()
asyncio.run(main())
print("ended")
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("ended\n", "", 0)


@pytest.mark.parametrize(
    "setting",
    [
        {"n_threads": 0},
        {"max_queue": 0},
        {"max_batch": 0},
        {"max_wait_seconds": -1.0},
        {"drain_seconds": float("nan")},
        {"signal_timeouts": {"jailbreak": 0.0}},
        {"signal_timeouts": {"jailbreak": "x"}},
        {"signal_timeouts": {"jailbreak": True}},
        {"signal_timeouts": 1.0},
        {"signal_timeouts": {"unheard-of": 1.0}},
    ],
)
def test_setting_out_of_range_is_refused(setting: dict[str, object]) -> None:
    with pytest.raises(rk.ConfigError, match=next(iter(setting))):
        rk.AsyncRouter(router_of(FakeClassifier("jailbreak", {})), **setting)  # type: ignore[arg-type]


def test_other_routers_are_refused() -> None:
    with pytest.raises(rk.UsageError, match="allowed: PolicyRouter"):
        rk.AsyncRouter(object())  # type: ignore[arg-type]
