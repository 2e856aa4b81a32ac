"""The async router at its limits: too much, too slow, given up, closed; and nothing else suffers from it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from threading import Event

import pytest

import routekit as rk
from async_routers import ATTACK, LAW, Awaitable, Gated, gated, router_of
from routekit import engine
from routekit.testing import FakeClassifier, chat

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


# Settings.


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
