"""Telemetry, as the in-memory exporters of the SDK see it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

import routekit as rk
from routekit.pools import PoolRouter, PoolSpec
from routekit.testing import FakeClassifier, chat

pytest.importorskip("opentelemetry.sdk", reason="needs opentelemetry-sdk: pip install 'routekit[test]'")

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from routekit.integrations import otel

SECRET = "canary-5b1c"
ATTACK = rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403))
LAW = rk.Rule("law", rk.signal("topic") >= 0.5, rk.RouteTo("law"))


class Observatory:
    """Providers that keep what they are told."""

    def __init__(self) -> None:
        self._spans = InMemorySpanExporter()
        self.tracer_provider = TracerProvider(shutdown_on_exit=False)
        self.tracer_provider.add_span_processor(SimpleSpanProcessor(self._spans))
        self._reader = InMemoryMetricReader()
        self.meter_provider = MeterProvider([self._reader], shutdown_on_exit=False)

    def spans(self) -> tuple[ReadableSpan, ...]:
        return self._spans.get_finished_spans()

    def metrics(self) -> dict[str, list[tuple[Mapping[str, Any], Any]]]:
        data: Any = self._reader.get_metrics_data()
        found = [m for r in data.resource_metrics for s in r.scope_metrics for m in s.metrics] if data else []
        return {m.name: [(dict(p.attributes), p) for p in m.data.data_points] for m in found}

    def instrument(self, router: rk.PolicyRouter, **more: Any) -> otel.Telemetry:
        return otel.instrument(router, tracer_provider=self.tracer_provider, meter_provider=self.meter_provider, **more)


def router(**more: Any) -> rk.PolicyRouter:
    fakes = [
        FakeClassifier("jailbreak", {"ignore": 0.99}),
        FakeClassifier("topic", {"court": 0.8}, error=ValueError(SECRET), cost=9),
    ]
    policy = rk.Policy([ATTACK, LAW], rk.RouteTo("general"), {"topic": "skip"})
    return rk.PolicyRouter(policy, classifiers=fakes, **more)


def test_decision_becomes_a_span_under_the_current_one() -> None:
    seen, judge = Observatory(), router()
    seen.instrument(judge)
    with seen.tracer_provider.get_tracer("app").start_as_current_span("chat general") as parent:
        judge.route(chat(SECRET))
    span = seen.spans()[0]
    assert span.parent == parent.get_span_context()
    assert span.name == "routekit.decide"
    assert span.attributes == {
        "gen_ai.request.model": "general",
        "routekit.action": "route",
        "routekit.rule": "default",
        "routekit.early": False,
    }
    events: list[dict[str, Any]] = [dict(event.attributes or {}) for event in span.events]
    assert [(e["routekit.signal.name"], e["routekit.signal.state"], e.get("error.type")) for e in events] == [
        ("jailbreak", "final", None),
        ("topic", "failed", "ValueError"),
    ]
    assert (span.end_time or 0) - (span.start_time or 0) >= sum(e["routekit.signal.duration"] for e in events) * 1e9 - 2


def test_span_of_an_async_decision_lies_under_the_tasks_own() -> None:
    seen, judge = Observatory(), router()
    seen.instrument(judge)
    tracer = seen.tracer_provider.get_tracer("app")

    async def request(arouter: rk.AsyncRouter, name: str) -> None:
        with tracer.start_as_current_span(name):
            await arouter.route(chat(name))

    async def main() -> None:
        async with rk.AsyncRouter(judge) as arouter:
            await asyncio.gather(*(request(arouter, name) for name in ("ignore", "hello", "you")))

    asyncio.run(main())
    names = {span.context.span_id: span.name for span in seen.spans() if span.context is not None}
    decided = [span for span in seen.spans() if span.name == "routekit.decide"]
    actions = {names[s.parent.span_id]: str((s.attributes or {})["routekit.action"]) for s in decided if s.parent}
    assert actions == {"ignore": "block", "hello": "route", "you": "route"}


def test_decisions_are_counted_and_signals_measured() -> None:
    seen, judge = Observatory(), router()
    telemetry = seen.instrument(judge)
    for text in ("ignore", "hello", "hello"):
        judge.route(chat(text))
    judge.replace_policy(rk.Policy([], rk.Keep()))
    judge.route(chat("hello", model="whatever the client says"))
    telemetry.refused(rk.Overloaded("full"))
    metrics = seen.metrics()
    counts = {(a["routekit.action"], a["routekit.rule"]): p.value for a, p in metrics["routekit.decisions"]}
    assert counts == {("block", "attack"): 1, ("route", "default"): 2, ("keep", "default"): 1}
    models = {a.get("gen_ai.request.model") for a, _ in metrics["routekit.decisions"]}
    assert models == {None, "general"}  # what a client says is no label
    durations = {
        (a["routekit.signal.name"], a["routekit.signal.state"]): p.count for a, p in metrics["routekit.signal.duration"]
    }
    assert durations == {("jailbreak", "final"): 3, ("topic", "failed"): 2}
    assert [(a, p.sum) for a, p in metrics["routekit.signal.coverage"]] == [({"routekit.signal.name": "jailbreak"}, 3)]
    [(attributes, point)] = metrics["routekit.signal.failures"]
    assert (attributes["error.type"], point.value) == ("ValueError", 2)
    assert [(a, p.value) for a, p in metrics["routekit.refusals"]] == [({"error.type": "Overloaded"}, 1)]
    assert sum(p.count for _, p in metrics["routekit.decision.duration"]) == 4


def test_pools_report_budgets_and_learned_ratios() -> None:
    pools = PoolRouter([PoolSpec("short", max_context=8192), PoolSpec("long", max_context=65536)])
    seen, judge = Observatory(), rk.PolicyRouter(rk.Policy([], rk.RouteTo("general")), pools=pools)
    seen.instrument(judge, pools=pools)
    decision = judge.route(chat("word " * 400, max_tokens=10))
    for _ in range(30):
        pools.feedback(decision, {"prompt_tokens": 500})
    metrics = seen.metrics()
    [(attributes, point)] = metrics["routekit.pool.bytes_per_token"]
    assert attributes == {"routekit.pool.category": "prose"}
    assert point.value == pools.estimator.low("prose")
    [(attributes, point)] = metrics["routekit.request.tokens"]
    assert (attributes, point.sum) == ({"routekit.pool": "short"}, decision.estimated_tokens)
    told = seen.spans()[0].attributes or {}
    assert (told["routekit.pool"], told["routekit.pool.category"], told["routekit.pool.reason"]) == (
        "short",
        "prose",
        "fits",
    )


def test_telemetry_never_tells_the_prompt_unless_asked() -> None:
    seen, judge = Observatory(), router()
    seen.instrument(judge)
    judge.route(chat(f"ignore {SECRET}", system=SECRET), metadata={"x": SECRET})
    assert SECRET not in str([span.to_json() for span in seen.spans()]) + str(seen.metrics())
    view = rk.read_request(chat(SECRET))
    with seen.tracer_provider.get_tracer("app").start_as_current_span("asked") as span:
        span.set_attribute("gen_ai.input.messages", otel.input_messages(view))
    assert SECRET in seen.spans()[-1].to_json()


def test_long_model_name_is_cut() -> None:
    seen, judge = Observatory(), rk.PolicyRouter(rk.Policy([], rk.Keep()))
    seen.instrument(judge)
    judge.route(chat("hello", model="m" * 10_000))
    assert (seen.spans()[0].attributes or {})["gen_ai.request.model"] == "m" * 256


def test_missing_api_names_the_extra() -> None:
    program = "import sys; sys.modules['opentelemetry.metrics'] = None; import routekit.integrations.otel"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert "pip install 'routekit[otel]'" in run.stderr
