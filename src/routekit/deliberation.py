"""One request under one policy: what is known, what is still wanted, and when it is decided.

No I/O and no threads. Text arrives as events; classifiers that cannot read incrementally are *asked* for: `steps` is a
generator that yields an `Ask` and is sent the answer, so that a sync caller, a batching thread or a coroutine can
answer it in its own way.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, Union, cast

from routekit.errors import UsageError
from routekit.interfaces import Classifier, IncrementalClassifier
from routekit.pace import AT_ONCE, Pace, Pause
from routekit.patterns import PatternClock
from routekit.prediction import Prediction
from routekit.program import Open, Outcome, Program
from routekit.request import BodyEvent, ModelFound, RequestView, Scope, TextGrown
from routekit.request_metadata import metadata_values
from routekit.scope_text import ScopeText, blocks_of
from routekit.scoring import Scoring, is_settled
from routekit.signals import COSTS, family
from routekit.states import State, Value

_SPACED = re.compile(r"\s.*\s", re.DOTALL)

#: What `steps` is sent for an `Ask`: what `classify` returned, or the error it raised.
Answer: TypeAlias = Union[Sequence[Prediction], BaseException]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What requests are judged by: one snapshot, shared by all requests that begin under it.

    Attributes
    ----------
    bytes_per_token
        What the ``context_tokens`` signal divides by.
    language
        Gives the language code of a text.
    """

    program: Program
    classifiers: Mapping[str, Classifier]
    bytes_per_token: float
    language: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Ask:
    """Run this classifier on this one text."""

    signal: str
    classifier: Classifier
    text: str = field(repr=False)


#: What the steps of a deliberation yield: an `Ask` wants its answer sent, a `Pause` nothing.
Step: TypeAlias = Union[Ask, Pause]


class Deliberation:
    """The state of one request; used by one thread at a time."""

    def __init__(self, plan: Plan, metadata: Mapping[str, object] | None = None, pace: Pace = AT_ONCE) -> None:
        self.plan = plan
        self._pace = pace
        self.results = list(plan.program.start)
        self.states: dict[str, State] = {}
        self.seconds: dict[str, float] = {}
        self.view: RequestView | None = None
        self._model: Value = Value()
        self.n_text_bytes = 0
        self._verdict: Outcome | Open | None = None
        self._ahead: list[str] | None = None
        self._texts: dict[Scope, str] = {}
        self._cut: dict[Scope, list[str]] = {}
        self._n_blocks = 0
        self._n_searched: dict[str, int] = {}
        asked = plan.program.asked
        self._scorings = {
            key: Scoring(plan.classifiers[key], plan.program.traits[key], whole=key in pace.asked)
            for key in asked
            if key in plan.classifiers
        }
        self._scopes: dict[Scope, ScopeText] | None = None
        self._clock = PatternClock(plan.program.policy.pattern_seconds, plan.program.policy.compiled_patterns)
        if plan.program.metadata_keys:
            for key, value in metadata_values(metadata or {}, plan.program.metadata_keys).items():
                self._learn(key, Value(value, final=True))

    def decided(self) -> Outcome | None:
        """Give the outcome that every completion comes to; None while there are several."""
        verdict = self._current()
        if isinstance(verdict, Open):
            return None
        if verdict.action != "keep":
            return verdict
        return verdict._replace(model=cast("str | None", self._model.value)) if self._model.final else None

    def estimated_tokens(self) -> int | None:
        """Give the ``context_tokens`` signal, once the whole request is known."""
        return None if self.view is None else self._tokens(self.view.n_text_bytes)

    # While the body arrives.

    def take(self, events: Sequence[BodyEvent]) -> None:
        """Note what the reader found."""
        scopes = () if isinstance(self._current(), Outcome) else self._scopes_to_read().values()
        for event in events:
            if isinstance(event, TextGrown):
                self.n_text_bytes += _n_bytes(event.text)
                for scope in scopes:
                    scope.push(event)
            elif isinstance(event, ModelFound):
                self._know_model(event.model)
        if "context_tokens" in self.plan.program.asked:
            self._learn("context_tokens", Value(lower=self._tokens(self.n_text_bytes)))

    def read_ahead(self) -> None:
        """Let what can read incrementally, and may still matter, read the text that is there; cheap ones first."""
        n_blocks = sum(len(scope.blocks) for scope in self._scopes_to_read().values())
        if n_blocks == self._n_blocks:
            return
        self._n_blocks = n_blocks
        for key in self._worth_reading():
            if isinstance(self._current(), Outcome):
                return
            begun = time.perf_counter()
            if family(key) == "keywords":
                self._search_ahead(key)
            else:
                scoring = self._scorings[key]
                scoring.feed(self._scopes_to_read()[scoring.scope].blocks)
                self._learn(key, scoring.state)
            self._spent(key, begun)

    def _scopes_to_read(self) -> dict[Scope, ScopeText]:
        """The texts to collect while the body arrives: those that something reads incrementally."""
        if self._scopes is None:
            scopes: set[Scope] = {s.scope for s in self._scorings.values() if s.incremental}
            if any(family(key) == "keywords" for key in self.plan.program.asked):
                scopes.add("all")
            self._scopes = {scope: ScopeText(scope) for scope in sorted(scopes)}
        return self._scopes

    def _worth_reading(self) -> list[str]:
        if self._ahead is None:
            able = [key for key in self.plan.program.reachable(self.results) if self._reads_ahead(key)]
            self._ahead = sorted(able, key=self._cost)
        return self._ahead

    def _reads_ahead(self, key: str) -> bool:
        return family(key) == "keywords" or (key in self._scorings and self._scorings[key].incremental)

    def _search_ahead(self, key: str) -> None:
        """Look into each block, without the words its edges may have cut: what is found there stays found."""
        keywords = self.plan.program.policy.keyword_sets[key.partition(":")[2]]
        blocks = self._scopes_to_read()["all"].blocks
        unread = blocks[self._n_searched.get(key, 0) :]
        self._n_searched[key] = len(blocks)
        if any(keywords.found_in(_between_spaces(block)) for block in unread):
            self._learn(key, Value(True, final=True))

    # When the body is complete.

    def complete(self, view: RequestView) -> None:
        """Take the whole request."""
        self.view = view
        self._know_model(view.model)
        n_tokens = max(self._tokens(view.n_text_bytes), self._tokens(self.n_text_bytes))
        finals = {"context_tokens": n_tokens, "n_images": view.n_images, "has_tools": bool(view.tools)}
        for key, value in finals.items():
            self._learn(key, Value(value, final=True))

    def steps(self) -> Generator[Step, Answer, None]:
        """Settle one wanted signal after the other, the cheapest first, until the request is decided.

        Shadow rules in front of the deciding rule are settled too: whoever adds one wants to see it.
        """
        while (key := self._wanted()) is not None:
            yield from self.settle(key)

    def settle(self, key: str) -> Generator[Step, Answer, None]:
        """Bring one signal to its end; one that has ended stays as it is."""
        state = self.states.get(key)
        if state is not None and (state.final or state.failed is not None):
            return
        begun = time.perf_counter()
        if key in self._scorings:
            yield from self._score(key)
        else:
            self._learn(key, self._value(key))
        self._spent(key, begun)

    def _wanted(self) -> str | None:
        verdict = self._current()
        rules = [verdict.rule] if isinstance(verdict, Open) else self.plan.program.watching(self.results)
        wanted = [key for rule in rules for key in rule.condition.wanted(self.results)]
        return min(wanted, key=self._cost, default=None)

    def _score(self, key: str) -> Generator[Step, Answer, None]:
        scoring = self._scorings[key]
        if not scoring.begun:
            yield from self._classify(key, scoring)
        else:
            yield from self._read_blocks(scoring)
            if not scoring.ended:
                text = self._text(scoring.scope)
                scoring.answer((yield Ask(key, scoring.classifier, text)), len(text))
        self._learn(key, self._with_images(scoring))

    def _read_blocks(self, scoring: Scoring) -> Generator[Step, Answer, None]:
        for _ in scoring.finishing(self._blocks(scoring.scope)):
            if self._pace.pauses:
                yield Pause.PAUSE

    def _classify(self, key: str, scoring: Scoring) -> Generator[Step, Answer, None]:
        """Read at once; after a failure block by block, for the bounds that a stream would have come to."""
        text = self._text(scoring.scope)
        ask = Ask(key, scoring.classifier, text)
        answer = (yield from _read(ask, self._pace)) if scoring.opens else (yield ask)
        expired = scoring.whole and isinstance(answer, TimeoutError)
        scoring.whole = False
        if isinstance(answer, BaseException) and scoring.incremental and not expired:
            yield from self._read_blocks(scoring)
        if not scoring.ended:
            scoring.answer(answer, len(text))

    def _with_images(self, scoring: Scoring) -> State:
        """Lower the coverage by what nobody reads: an image, audio or file counts as one segment of text."""
        state, view = scoring.state, self._request()
        if state.prediction is None or not view.n_images:
            return state
        n_read = len(view.select(scoring.scope))
        coverage = state.prediction.coverage * n_read / (n_read + view.n_images)
        return replace(state, prediction=replace(state.prediction, coverage=coverage))

    def _value(self, key: str) -> Value:
        head, _, name = key.partition(":")
        try:
            if head == "keywords":
                found = self.plan.program.policy.keyword_sets[name].found_in(self._text("all"))
                return Value(found, final=True)
            if head == "pattern":
                return Value(self._clock.search(name, self._text("all")), final=True)
            code: object = self.plan.language(self._text("user"))
            return Value(code, final=True) if isinstance(code, str) else Value(failed="InvalidPrediction")
        except Exception as error:
            return Value(failed=type(error).__name__)

    def _request(self) -> RequestView:
        if self.view is None:
            raise UsageError("the body is not complete yet: call complete() first")
        return self.view

    def _text(self, scope: Scope) -> str:
        if scope not in self._texts:
            self._texts[scope] = self._request().text(scope)
        return self._texts[scope]

    def _blocks(self, scope: Scope) -> list[str]:
        if scope not in self._cut:
            self._cut[scope] = blocks_of(self._request().select(scope))
        return self._cut[scope]

    # What is known.

    def _know_model(self, model: str | None) -> None:
        self._model = Value(model, final=True)
        self._learn("model", self._model)

    def _learn(self, key: str, state: State) -> None:
        """Narrow a signal; what its comparisons can come to only shrinks."""
        program = self.plan.program
        if key not in program.asked or state == self.states.get(key):
            return
        self.states[key] = state
        traits = program.traits.get(key)
        for questions in program.asked[key]:
            here = slice(questions.start, questions.start + len(questions.comparisons))
            now = questions.results(state, traits)
            if now != self.results[here]:
                self.results[here] = now
                self._verdict = self._ahead = None

    def _current(self) -> Outcome | Open:
        if self._verdict is None:
            self._verdict = self.plan.program.verdict(self.results)
        return self._verdict

    def _cost(self, key: str) -> float:
        if key in self._scorings:
            return float(getattr(self._scorings[key].classifier, "cost", 1.0))
        return COSTS.get(family(key), 0.0)

    def _tokens(self, n_bytes: int) -> int:
        return math.ceil(n_bytes / self.plan.bytes_per_token)

    def _spent(self, key: str, begun: float) -> None:
        self.seconds[key] = self.seconds.get(key, 0.0) + time.perf_counter() - begun


def _read(ask: Ask, pace: Pace) -> Generator[Step, Answer, Answer]:
    """Come to what `classify` comes to: at once or with pauses, and by asking only for what is expensive."""
    classifier, text = ask.classifier, ask.text
    try:
        scorer: IncrementalClassifier = classifier.open()  # type: ignore[attr-defined]
        is_staged = hasattr(scorer, "settled")
        if not is_staged and not (pace.pauses and len(text) > pace.piece_characters):
            return classifier.classify([text])
        size = pace.piece_characters if pace.pauses else len(text) + 1
        for start in range(0, len(text), size):
            scorer.feed(text[start : start + size])
            yield Pause.PAUSE
        if is_settled(scorer):
            return [scorer.finish()]
    except Exception as error:
        return error
    return (yield ask)


def _n_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _between_spaces(block: str) -> str:
    """Drop the words at both edges."""
    found = _SPACED.search(block)
    return found.group() if found else ""
