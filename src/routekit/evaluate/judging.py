"""Judges one request of a log as a gateway would, timed, and then records every signal that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter, thread_time
from typing import Protocol, TypeAlias, TypeVar, Union

from routekit.body import read_request
from routekit.decision import Decision, Keep
from routekit.deliberation import Answer, Deliberation, Step
from routekit.errors import BadRow, BodyError, ContextOverflow, Overloaded, PolicyError, UsageError, quoted
from routekit.evaluate.columns import LabelledRequest
from routekit.evaluate.row import Facts, Row, sealed
from routekit.expressions import Comparison, Expression
from routekit.interfaces import Router
from routekit.judgement import answered, concluded
from routekit.policy import Policy
from routekit.program import Outcome
from routekit.request_metadata import metadata_values
from routekit.router import PolicyRouter
from routekit.rule import Rule
from routekit.shared_work import sharing_work
from routekit.signals import VALUE_KINDS, family, kind_of
from routekit.states import State, Verdict

T = TypeVar("T")

#: What refuses a request, rather than saying that the caller made a mistake.
Refusal: TypeAlias = Union[BodyError, ContextOverflow, Overloaded]
REFUSALS = (BodyError, ContextOverflow, Overloaded)

#: Signals that `Facts` answer.
FACTS = frozenset(VALUE_KINDS) - {"language"}


class Judge(Protocol):
    """Turns a request of a log into a row; raises `BadRow` where the row, not the request, is wrong."""

    def row(self, request: LabelledRequest) -> Row: ...


@dataclass(frozen=True, slots=True, eq=False)
class PolicyJudge:
    """Judges by a policy.

    Attributes
    ----------
    router
        Without listeners: what is evaluated is no traffic.
    recorder
        Asks for the signals that are to be recorded and that the policy does not ask for.
    chunk_bytes
        Size of the chunks in which a stream is fed, to see how early it is decided; None does without.
    """

    router: PolicyRouter
    recorder: PolicyRouter | None = None
    chunk_bytes: int | None = None

    def row(self, request: LabelledRequest) -> Row:
        self._check_metadata(request)
        begun: list[Deliberation] = []
        with sharing_work():
            came = _timed(lambda: self._decide(request, begun))
            ran = [key for deliberation in begun for key in _settled(deliberation.states)]
            states = self._recorded(begun[0], request) if begun else {}
        view = begun[0].view if begun else None
        row = _row(request, came, None if view is None else Facts.of(view), states)
        return replace(row, ran=tuple(filter(_is_work, ran)), decided_at=self._decided_at(request))

    def _decide(self, request: LabelledRequest, begun: list[Deliberation]) -> Decision:
        """Decide; what the body made known is kept where no pool holds the request."""
        snapshot = self.router.snapshot
        begun.append(answered(self.router.begin_steps(request.body, snapshot, metadata=request.metadata)))
        return answered(concluded(begun[0], snapshot, snapshot.pools, None, early=False))

    def _check_metadata(self, request: LabelledRequest) -> None:
        routers = [self.router] if self.recorder is None else [self.router, self.recorder]
        try:
            for router in routers:
                metadata_values(request.metadata, router.snapshot.plan.program.metadata_keys)
        except UsageError as error:
            raise BadRow(request.source, request.line, str(error)) from None

    def _recorded(self, deliberation: Deliberation, request: LabelledRequest) -> dict[str, State]:
        """Bring every signal to its end, those that the decision did not need included."""
        states = _ended(deliberation)
        if self.recorder is not None and deliberation.view is not None:
            more = Deliberation(self.recorder.snapshot.plan, request.metadata)
            more.complete(deliberation.view)
            states |= {key: state for key, state in _ended(more).items() if key not in states}
        return {key: _kept(key, state) for key, state in states.items() if key not in FACTS}

    def _decided_at(self, request: LabelledRequest) -> float | None:
        """Feed the body in chunks; give the share after which the decision was certain."""
        if self.chunk_bytes is None or not request.body:
            return None
        stream = self.router.open(metadata=request.metadata)
        try:
            for start in range(0, len(request.body), self.chunk_bytes):
                end = min(len(request.body), start + self.chunk_bytes)
                if stream.feed(request.body[start:end]) is not None:
                    return end / len(request.body)
        except REFUSALS:
            return None
        return 1.0


@dataclass(frozen=True, slots=True, eq=False)
class RouterJudge:
    """Judges by any router, from whose decisions all that is known of signals comes."""

    router: Router

    def row(self, request: LabelledRequest) -> Row:
        came = _timed(lambda: self.router.route(request.body, metadata=request.metadata))
        try:
            facts = Facts.of(read_request(request.body))
        except BodyError as error:
            facts, came = None, replace(came, refusal=came.refusal or error)
        signals = {} if came.decision is None else came.decision.signals
        states = {key: _kept(key, Verdict(prediction=found)) for key, found in signals.items()}
        return replace(_row(request, came, facts, states), ran=tuple(states))


@dataclass(frozen=True, slots=True)
class _Came:
    """What came of a request: a decision or a refusal, and how long it took."""

    decision: Decision | None
    refusal: Refusal | None
    wall_seconds: float
    cpu_seconds: float


def _timed(decide: Callable[[], Decision]) -> _Came:
    decision, refusal = None, None
    wall, cpu = perf_counter(), thread_time()
    try:
        decision = decide()
    except REFUSALS as error:
        refusal = error
    return _Came(decision, refusal, perf_counter() - wall, thread_time() - cpu)


def _row(request: LabelledRequest, came: _Came, facts: Facts | None, states: Mapping[str, State]) -> Row:
    decision, refusal = came.decision, came.refusal
    row = Row(
        request.source,
        request.line,
        request.id,
        len(request.body),
        None,
        facts=facts,
        states=states,
        labels=request.labels,
        expected=request.expected,
        prompt_tokens=request.prompt_tokens,
        completion_tokens=request.completion_tokens,
        wall_seconds=came.wall_seconds,
        cpu_seconds=came.cpu_seconds,
    )
    if refusal is not None or decision is None:
        return row if refusal is None else replace(row, refused=type(refusal).__name__, status=refusal.status_hint)
    budget = decision.trace.budget
    return replace(
        row,
        outcome=Outcome(decision.action, decision.model, decision.pool, decision.rule, decision.status),
        status=decision.status,
        shadow=decision.trace.shadow,
        estimated_tokens=None if budget is None else budget.total_tokens,
    )


def _is_work(key: str) -> bool:
    """Say whether a signal costs anything: facts and metadata do not."""
    return key not in FACTS and family(key) not in ("header", "metadata")


def recorder_of(router: PolicyRouter, wanted: Sequence[str | Policy]) -> PolicyRouter | None:
    """Give a router whose policy asks for the wanted signals, None where the router's own policy asks for all.

    Parameters
    ----------
    wanted
        Names of signals, or policies that are to be replayed, whose signals, keywords and patterns are recorded.
    """
    policies = [router.policy, *(item for item in wanted if isinstance(item, Policy))]
    keywords = _joined("keywords", [policy.keywords for policy in policies])
    patterns = _joined("pattern", [policy.patterns for policy in policies])
    keys = [key for item in wanted for key in (item.signals() if isinstance(item, Policy) else (item,))]
    more = [key for key in dict.fromkeys(keys) if key not in router.policy.signals() and key not in FACTS]
    if not more:
        return None
    for key in more:
        head, _, name = key.partition(":")
        if family(key) != key and head in ("keywords", "pattern") and name not in (keywords | patterns):
            raise PolicyError(f"signal {quoted(key)} is defined by no policy here; give the policy that defines it")
    rule = Rule("recorded", Expression("any", tuple(_asking(key) for key in more)), Keep())
    seconds = max(policy.pattern_seconds for policy in policies)
    used_words = {name: words for name, words in keywords.items() if f"keywords:{name}" in more}
    used_patterns = {name: text for name, text in patterns.items() if f"pattern:{name}" in more}
    return router.with_policy(Policy([rule], Keep(), {}, used_words, used_patterns, seconds))


def _asking(key: str) -> Expression:
    kind = kind_of(key)
    if kind == "classifier":
        return Expression("test", test=Comparison(key, "ran"))
    return Expression("test", test=Comparison(key, "in", (True,) if kind == "flag" else ("",)))


def _joined(what: str, definitions: Iterable[Mapping[str, T]]) -> dict[str, T]:
    joined: dict[str, T] = {}
    for names in definitions:
        for name, definition in names.items():
            if joined.setdefault(name, definition) != definition:
                raise UsageError(f"two policies define {what} {quoted(name)} differently; rename one, or run both")
    return joined


def _ended(deliberation: Deliberation) -> dict[str, State]:
    answered(_settling(deliberation))
    return dict(deliberation.states)


def _settling(deliberation: Deliberation) -> Generator[Step, Answer, None]:
    for key in deliberation.plan.program.asked:
        yield from deliberation.settle(key)


def _settled(states: Mapping[str, State]) -> list[str]:
    return [key for key, state in states.items() if state.final or state.failed is not None]


def _kept(key: str, state: State) -> State:
    """Leave out where things were found, which no decision reads, and what has P = 0, as whatever is not named has."""
    if not isinstance(state, Verdict):
        return sealed(key, state)
    if state.prediction is None:
        return state
    probabilities = {label: float(p) for label, p in state.prediction.probabilities.items() if p > 0}
    return Verdict(prediction=replace(state.prediction, probabilities=probabilities, spans=()))
