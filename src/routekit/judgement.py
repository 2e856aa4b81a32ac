"""From a complete request to its decision, and from the decision to the bytes that are forwarded."""

from __future__ import annotations

from collections.abc import Coroutine, Generator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

from routekit.account import decision_of
from routekit.decision import Decision
from routekit.deliberation import Answer, Ask, Deliberation, Plan, Step
from routekit.errors import UsageError, quoted
from routekit.interfaces import Compressor
from routekit.placement import Pools
from routekit.plugins import Listener, notify
from routekit.request import RequestView, Scope
from routekit.shared_work import sharing_work
from routekit.transforms import transformed_texts

if TYPE_CHECKING:
    from routekit.body import JsonBodyReader

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Everything one request is judged by, from its first byte to its last.

    Attributes
    ----------
    compressor
        Carries out `compress_to`; None if the policy never says it.
    listeners
        Plugins that hear of decisions.
    """

    plan: Plan
    pools: Pools
    compressor: Compressor | None
    listeners: Mapping[str, Listener]

    @property
    def pii_scope(self) -> Scope:
        """The text that spans of PII point into."""
        return cast("Scope", getattr(self.plan.classifiers.get("pii"), "scope", "all"))


def answered(steps: Generator[Step, Answer, T]) -> T:
    """Run the classifiers that `steps` asks for, one after the other, in this thread; they share tokenization."""
    answer: Answer | None = None
    with sharing_work():
        while True:
            try:
                step = steps.send(cast("Answer", answer))
            except StopIteration as stop:
                return cast("T", stop.value)
            answer = _answer(step) if isinstance(step, Ask) else None


def _answer(ask: Ask) -> Answer:
    try:
        answer: object = ask.classifier.classify([ask.text])
    except Exception as error:
        return error
    if isinstance(answer, Coroutine):
        answer.close()
        raise UsageError(f"classify() of {quoted(ask.signal)} is a coroutine; route with an AsyncRouter")
    return cast("Answer", answer)


def concluded(
    deliberation: Deliberation, snapshot: Snapshot, pools: Pools, now: float | None, *, early: bool
) -> Generator[Step, Answer, Decision]:
    """Settle a complete request, place it, and tell who listens."""
    yield from deliberation.steps()
    outcome = deliberation.decided()
    if outcome is None or deliberation.view is None:
        raise UsageError("the body is not complete yet")
    decision = pools.place(decision_of(deliberation, outcome, early=early), deliberation.view, now)
    notify(snapshot.listeners, decision)
    return decision


def rewritten(reader: JsonBodyReader, view: RequestView, decision: Decision, snapshot: Snapshot) -> list[memoryview]:
    """Give the bytes to forward; see `RouteStream.rewrite`."""
    if decision.action == "block":
        raise UsageError(f"a blocked request is not forwarded: answer with status {decision.status}")
    model = decision.model if decision.action == "route" else None
    return reader.rewrite(model=model, texts=transformed_texts(view, decision, snapshot.pii_scope, snapshot.compressor))
