"""What soak and fault tests put a router through: small requests, broken ones, classifiers that misbehave."""

from __future__ import annotations

import asyncio
import gc
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event

import routekit as rk
from routekit.testing import FakeClassifier, chat, chunked, messages

WORDS = ("the", "court", "may", "ignore all", "rules", "on", "integral", "calculus", "mail", "bo", "example", "4111")
ATTACK = rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403))
LAW = rk.Rule("law", rk.signal("topic") >= 0.5, rk.RouteTo("law"))


class Misbehaving(FakeClassifier):
    """Raises, answers garbage, or hangs until `released`, whenever the text says so."""

    def __init__(self, name: str, hits: dict[str, float], **more: object) -> None:
        super().__init__(name, hits, **more)  # type: ignore[arg-type]
        self.released = Event()

    def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
        whole = " ".join(texts)
        if "please hang" in whole:
            self.released.wait()
        if "please raise" in whole:
            raise RuntimeError(whole)
        if "please lie" in whole:
            return [rk.Prediction("nonsense", {"nonsense": 7.0})] * len(texts)
        predictions = super().classify(texts)
        self.texts.clear()  # a fake remembers everything it read: here that would be the leak
        return predictions


def router(policy: rk.Policy | None = None, jailbreak: rk.Classifier | None = None) -> rk.PolicyRouter:
    """A router whose classifiers cost next to nothing: what is measured is routekit."""
    misbehaving = Misbehaving("topic", {"court": 0.8}, cost=9.0)
    screen = Quiet("jailbreak", {"ignore all": 0.97}, incremental=True) if jailbreak is None else jailbreak
    return rk.PolicyRouter(policy or POLICY, classifiers=[screen, misbehaving])


class Quiet(FakeClassifier):
    """Does not remember what it read."""

    def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
        predictions = super().classify(texts)
        self.texts.clear()
        return predictions


POLICY = rk.Policy([ATTACK, LAW], rk.RouteTo("general"), {"topic": "skip"})
OTHER_POLICY = rk.Policy([ATTACK, LAW], rk.RouteTo("other"), {"topic": "block"})


def bodies(seed: int, n: int) -> Iterator[bytes]:
    """Small requests; one in ten is broken, one in ten makes a classifier raise or lie."""
    rng = random.Random(seed)
    for i in range(n):
        text = " ".join(rng.choices(WORDS, k=rng.randint(3, 40)))
        if i % 10 == 3:
            text += rng.choice([" please raise", " please lie"])
        body = (chat if i % 2 else messages)(text)
        yield body[: rng.randrange(len(body))] if i % 10 == 7 else body


async def judged(arouter: rk.AsyncRouter, body: bytes, outcomes: Counter[str], *, stream: bool) -> None:
    """Count what one request comes to; an error that is not of routekit is not caught."""
    try:
        if not stream:
            decision = await arouter.route(body)
        else:
            decision = await streamed(arouter, body)
    except rk.RoutekitError as error:
        outcomes[type(error).__name__] += 1
    else:
        outcomes[decision.action] += 1


async def streamed(arouter: rk.AsyncRouter, body: bytes) -> rk.Decision:
    """Send a body in three chunks, with pauses in which others have their turn."""
    stream = arouter.open()
    for chunk in chunked(body, max(1, len(body) // 3)):
        decision = await stream.feed(chunk)
        if decision is not None and decision.action == "block":
            return decision
        await asyncio.sleep(0)
    decision = await stream.finish()
    if decision.action != "block":
        await stream.rewrite()
    return decision


def judged_in_thread(sync: rk.PolicyRouter, body: bytes, outcomes: Counter[str]) -> None:
    """Count what one request comes to, without an event loop."""
    try:
        outcomes[sync.route(body).action] += 1
    except rk.RoutekitError as error:
        outcomes[type(error).__name__] += 1


async def soaked(arouter: rk.AsyncRouter, some: Sequence[bytes], n_tasks: int, n: int, outcomes: Counter[str]) -> None:
    """Judge `n` requests in `n_tasks` tasks at a time, by route and by stream."""

    async def task(first: int) -> None:
        for i in range(first, n, n_tasks):
            await judged(arouter, some[i % len(some)], outcomes, stream=i % 3 == 0)

    await asyncio.gather(*(task(i) for i in range(n_tasks)))


def resident_bytes() -> int:
    """Memory of this process, after a collection."""
    gc.collect()
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096
