"""Routers to try the async one with, and classifiers that wait until a test lets them answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from threading import Event

import routekit as rk
from routekit.testing import FakeClassifier, chat

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
    """Make a router of one policy, which sends what no rule takes to `general`."""
    return rk.PolicyRouter(rk.Policy(rules, rk.RouteTo("general"), on_error), classifiers=classifiers)


@asynccontextmanager
async def gated(classifier: Gated, arouter: rk.AsyncRouter) -> AsyncIterator[None]:
    """Keep one call of the classifier waiting inside."""
    first = asyncio.ensure_future(arouter.route(chat("first")))
    await classifier.has_begun()
    yield
    classifier.gate.set()
    assert (await first).model == "general"
