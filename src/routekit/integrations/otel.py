"""Traces and metrics of decisions through the OpenTelemetry API, named after its GenAI conventions.

    from routekit.integrations import otel

    otel.instrument(router)

Nothing here carries prompt text: a decision has none. Whoever wants the prompt on a span says so, for one span:

    span.set_attribute("gen_ai.input.messages", otel.input_messages(stream.view))

Attributes that the conventions do not name begin with ``routekit.``; docs/guides/telemetry.md lists them all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import orjson

try:
    from opentelemetry.metrics import CallbackOptions, MeterProvider, Observation, get_meter_provider
    from opentelemetry.trace import SpanKind, TracerProvider, get_tracer_provider
except ModuleNotFoundError:
    raise ImportError("telemetry needs the OpenTelemetry API: pip install 'routekit[otel]'") from None

from routekit import __version__
from routekit.decision import Decision
from routekit.request import RequestView
from routekit.router import PolicyRouter
from routekit.trace import SignalTrace

if TYPE_CHECKING:
    from routekit.pools.router import PoolRouter

#: Longest name that becomes an attribute: a model may be whatever a client wrote.
MAX_CHARACTERS = 256
#: Buckets in seconds: from the embedded classifiers on short prompts to an encoder on a long one.
DURATION_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
TOKEN_BUCKETS = (64, 256, 1024, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 1048576)
SHARE_BUCKETS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)


class Telemetry:
    """Turns decisions into spans and metrics; `instrument` makes one and connects it to a router.

    Parameters
    ----------
    tracer_provider, meter_provider
        Where they go; default: the global ones.
    pools
        Reports its learned ratios, by category of text.
    """

    def __init__(
        self,
        *,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
        pools: PoolRouter | None = None,
    ) -> None:
        self._tracer = (tracer_provider or get_tracer_provider()).get_tracer("routekit", __version__)
        meter = (meter_provider or get_meter_provider()).get_meter("routekit", __version__)
        self._decisions = meter.create_counter("routekit.decisions", "{decision}", "Decisions by outcome")
        self._refusals = meter.create_counter("routekit.refusals", "{request}", "Requests that came to no decision")
        self._failures = meter.create_counter("routekit.signal.failures", "{signal}", "Signals that failed")
        self._duration = meter.create_histogram(
            "routekit.decision.duration",
            "s",
            "Time spent on the signals of a decision",
            explicit_bucket_boundaries_advisory=DURATION_BUCKETS,
        )
        self._signal_duration = meter.create_histogram(
            "routekit.signal.duration",
            "s",
            "Time spent on one signal of a decision",
            explicit_bucket_boundaries_advisory=DURATION_BUCKETS,
        )
        self._coverage = meter.create_histogram(
            "routekit.signal.coverage",
            "1",
            "Share of the text that a signal read",
            explicit_bucket_boundaries_advisory=SHARE_BUCKETS,
        )
        self._tokens = meter.create_histogram(
            "routekit.request.tokens",
            "{token}",
            "Estimated token budget of a request",
            explicit_bucket_boundaries_advisory=TOKEN_BUCKETS,
        )
        if pools is not None:
            meter.create_observable_gauge(
                "routekit.pool.bytes_per_token",
                [lambda _: _ratios(pools, _)],
                "By/{token}",
                "Learned ratio that budgets are planned with",
            )

    def decided(self, decision: Decision) -> None:
        """Record one decision: a span under the current one, and metrics."""
        signals = [signal for signal in decision.trace.signals if signal.state != "not_run"]
        seconds = sum(signal.seconds for signal in signals)
        self._trace(decision, signals, seconds)
        outcome = _outcome(decision)
        self._decisions.add(1, outcome)
        self._duration.record(seconds, {"routekit.action": decision.action})
        if decision.estimated_tokens is not None:
            self._tokens.record(decision.estimated_tokens, _known({"routekit.pool": decision.pool}))
        for signal in signals:
            self._measure(signal)

    def refused(self, error: BaseException) -> None:
        """Count a request that came to no decision: a broken body, overload, no pool that holds it."""
        self._refusals.add(1, {"error.type": type(error).__name__})

    def _measure(self, signal: SignalTrace) -> None:
        which = {"routekit.signal.name": signal.name}
        self._signal_duration.record(signal.seconds, {**which, "routekit.signal.state": signal.state})
        if signal.state == "final" and signal.coverage is not None:
            self._coverage.record(signal.coverage, which)
        if signal.error is not None:
            self._failures.add(1, {**which, "error.type": signal.error})

    def _trace(self, decision: Decision, signals: list[SignalTrace], seconds: float) -> None:
        ended = time.time_ns()
        begun = ended - int(seconds * 1e9)
        span = self._tracer.start_span("routekit.decide", kind=SpanKind.INTERNAL, start_time=begun)
        if span.is_recording():
            span.set_attributes(_attributes(decision))
            for signal in signals:
                span.add_event("routekit.signal", _signal_attributes(signal), ended)
        span.end(ended)


def instrument(
    router: PolicyRouter,
    *,
    tracer_provider: TracerProvider | None = None,
    meter_provider: MeterProvider | None = None,
    pools: PoolRouter | None = None,
) -> Telemetry:
    """Report every decision of a router; see `Telemetry`.

    Returns
    -------
    telemetry, whose `refused` a gateway may tell of requests that came to no decision.
    """
    telemetry = Telemetry(tracer_provider=tracer_provider, meter_provider=meter_provider, pools=pools)
    router.add_listener("opentelemetry", telemetry.decided)
    return telemetry


def input_messages(view: RequestView) -> str:
    """Give the prompt as the value of ``gen_ai.input.messages``: THE TEXT ITSELF, for those who ask for it.

    >>> from routekit import read_request
    >>> input_messages(read_request({"model": "m", "messages": [{"role": "user", "content": "Hi"}]}))
    '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]'
    """
    said = [{"role": s.role, "parts": [{"type": "text", "content": s.text}]} for s in view.segments]
    return orjson.dumps(said).decode()


def _attributes(decision: Decision) -> dict[str, Any]:
    budget = decision.trace.budget
    tokens: Mapping[str, object] = (
        {"routekit.request.tokens": decision.estimated_tokens}
        if budget is None
        else {
            "routekit.request.tokens": budget.total_tokens,
            "routekit.pool.bytes_per_token": budget.bytes_per_token,
            "routekit.pool.category": budget.category,
            "routekit.pool.reason": budget.reason,
        }
    )
    return _known(
        {
            "gen_ai.request.model": decision.model[:MAX_CHARACTERS] if decision.model is not None else None,
            "routekit.action": decision.action,
            "routekit.rule": decision.rule,
            "routekit.pool": decision.pool,
            "routekit.status": decision.status,
            "routekit.early": decision.early,
            "routekit.shadow_rules": decision.trace.shadow or None,
            "routekit.transforms": decision.trace.transforms or None,
            **tokens,
        }
    )


def _outcome(decision: Decision) -> dict[str, Any]:
    """Label the outcome by what the policy names; a model that was kept is the client's word and has no bound."""
    model = decision.model if decision.action == "route" else None
    return _known(
        {
            "gen_ai.request.model": model,
            "routekit.action": decision.action,
            "routekit.rule": decision.rule,
            "routekit.pool": decision.pool,
            "routekit.early": decision.early,
        }
    )


def _signal_attributes(signal: SignalTrace) -> dict[str, Any]:
    return _known(
        {
            "routekit.signal.name": signal.name,
            "routekit.signal.state": signal.state,
            "routekit.signal.duration": signal.seconds,
            "routekit.signal.coverage": signal.coverage,
            "error.type": signal.error,
        }
    )


def _known(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}


def _ratios(pools: PoolRouter, _: CallbackOptions) -> Iterator[Observation]:
    for category in pools.estimator.snapshot().states:
        yield Observation(pools.estimator.low(category), {"routekit.pool.category": category})
