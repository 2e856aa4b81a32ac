"""What goes wrong with a router: classifiers that fail or answer garbage, and mistakes that are refused."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

import routekit as rk
from routekit.body import JsonBodyReader
from routekit.patterns import Pattern, PatternClock
from routekit.testing import FakeClassifier, chat, chunked
from router_cases import fakes, jailbreak, lazy_router, topic

# Failures.


class Answers(FakeClassifier):
    """Answers what it is given, be it garbage."""

    def __init__(self, answer: object) -> None:
        super().__init__("jailbreak", {})
        self._answer = answer

    def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
        return self._answer  # type: ignore[return-value]


GOOD = {"jailbreak": 0.1, "none": 0.9}


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        [rk.Prediction("none", GOOD)] * 2,
        ["none"],
        [rk.Prediction("unknown", GOOD)],
        [rk.Prediction("none", {"none": 1.0})],
        [rk.Prediction("none", {**GOOD, "more": 0.0})],
        [rk.Prediction("none", {**GOOD, "jailbreak": float("nan")})],
        [rk.Prediction("none", {**GOOD, "jailbreak": 1.2})],
        [rk.Prediction("none", {**GOOD, "jailbreak": "0.1"})],  # type: ignore[dict-item]
        [rk.Prediction("none", GOOD, coverage=-1)],
        [rk.Prediction("none", GOOD, spans=(rk.Span(0, 999, "jailbreak"),))],
        [rk.Prediction("none", GOOD, spans=(rk.Span(3, 1, "jailbreak"),))],
        [rk.Prediction("none", GOOD, spans=(rk.Span(0.5, 1.5, "jailbreak"),))],  # type: ignore[arg-type]
        [rk.Prediction("none", GOOD, spans=(rk.Span(0, 1, "jailbreak", float("nan")),))],
        [rk.Prediction("none", GOOD, n_tokens="2")],  # type: ignore[arg-type]
        [rk.Prediction("none", GOOD, seconds=None)],  # type: ignore[arg-type]
    ],
)
def test_garbage_from_a_classifier_is_a_failure(answer: object) -> None:
    router = lazy_router([rk.Rule("r", jailbreak >= 0.9, rk.Block(451))], [Answers(answer)])
    decision = router.route(chat("hi"))
    assert (decision.action, decision.rule, decision.status) == ("block", "r", 451)
    assert decision.trace.signals[0].state == "failed"
    assert "jailbreak" not in decision.signals


@pytest.mark.parametrize("code", [None, 3, ["en"]])
def test_language_that_is_no_code_is_a_failure(code: object) -> None:
    rule = rk.Rule("english", rk.signal("language") == "en", rk.RouteTo("x"))
    router = rk.PolicyRouter(rk.Policy([rule], rk.Keep()), language=lambda text: code)  # type: ignore[arg-type, return-value]
    assert router.route(chat("hi")).trace.signals[0].error == "InvalidPrediction"


def test_bound_that_the_final_prediction_breaks_is_a_failure() -> None:
    class Liar(FakeClassifier):
        def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
            return [rk.Prediction("none", {"jailbreak": 0.0, "none": 1.0}) for _ in texts]

    router = lazy_router(
        [rk.Rule("r", jailbreak >= 0.9, rk.Block())], [Liar("jailbreak", {"x": 0.7}, incremental=True)]
    )
    stream = router.open()
    for chunk in chunked(chat("x" + "y" * 9000), 500):
        stream.feed(chunk)
    decision = stream.finish()
    assert decision.trace.signals[0].error == "InvalidPrediction"
    assert decision.action == "block"


def test_pattern_that_exceeds_its_time_fails() -> None:
    rule = rk.Rule("r", rk.pattern("slow"), rk.RouteTo("x"))
    policy = rk.Policy(
        [rule], rk.RouteTo("general"), {"pattern": "skip"}, patterns={"slow": "(a|aa)+$"}, pattern_seconds=0.01
    )
    decision = rk.PolicyRouter(policy).route(chat("a" * 5000 + "b"))
    assert decision.rule == "default"
    assert decision.trace.signals[0].error == "TimeoutError"


def test_search_that_other_threads_cut_short_is_tried_again() -> None:
    class Interrupted:
        n_calls = 0

        def search(self, text: str, **_: object) -> object:
            self.n_calls += 1
            if self.n_calls < 4:
                raise TimeoutError
            return text

    clock = PatternClock(1.0, {"p": Pattern("p", Interrupted())})  # type: ignore[arg-type]
    assert clock.search("p", "text")


# Construction.


def test_signal_nobody_provides_is_refused_with_what_is_known() -> None:
    with pytest.raises(rk.PolicyError, match="known: 'jailbreak', 'domain', 'pii'"):
        lazy_router([rk.Rule("r", rk.signal("toxicity") >= 0.5, rk.Block())], [])


@pytest.mark.parametrize(
    ("when", "message"),
    [
        (topic == "maths", r"label 'maths' of 'topic'; did you mean 'math'\? its labels: 'law', 'math', 'none'"),
        (topic["maths"] >= 0.5, "label 'maths' of 'topic'"),
        (rk.signal("mood") >= 0.5, "which has none; name a label"),
        (rk.signal("mood").fires(), "which has none; name a label"),
    ],
)
def test_question_that_a_classifier_cannot_answer_is_refused(when: rk.Expression, message: str) -> None:
    with pytest.raises(rk.PolicyError, match=message):
        lazy_router([rk.Rule("r", when, rk.Block())], [*fakes(), FakeClassifier("mood", {}, positive=())])


def test_classifier_may_not_take_a_built_in_name() -> None:
    with pytest.raises(rk.ConfigError, match="built-in signal"):
        lazy_router([], [FakeClassifier("model", {})])
    with pytest.raises(rk.ConfigError, match="unique"):
        lazy_router([], [FakeClassifier("a", {}), FakeClassifier("a", {})])


def test_dialect_that_does_not_exist_is_refused_at_once() -> None:
    with pytest.raises(rk.ConfigError):
        rk.PolicyRouter(rk.Policy([], rk.Keep()), dialect="telegram")


def test_limits_of_the_reader_hold_for_bytes_and_streams() -> None:
    router = rk.PolicyRouter(rk.Policy([], rk.Keep()), reader=partial(JsonBodyReader, max_bytes=100))
    with pytest.raises(rk.BodyTooLarge):
        router.route(chat("x" * 200))
    with pytest.raises(rk.BodyTooLarge):
        router.open().feed(chat("x" * 200))


@pytest.mark.parametrize("metadata", [{1: "x"}, {None: "x"}, [("x-tier", "gold")], "x-tier"])
def test_metadata_that_is_no_mapping_of_names_is_refused(metadata: object) -> None:
    router = lazy_router([rk.Rule("r", rk.header("x-tier") == "gold", rk.RouteTo("vip"))], [])
    with pytest.raises(rk.UsageError, match="metadata"):
        router.route(chat("hi"), metadata=metadata)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("labels", "jailbreak"),
        ("labels", ()),
        ("positive", "jailbreak"),
        ("positive", {"other"}),
        ("threshold", "0.5"),
        ("threshold", float("nan")),
        ("cost", None),
        ("cost", float("nan")),
        ("scope", "al"),
        ("scope", ["all"]),
    ],
)
def test_classifier_that_says_something_odd_of_itself_is_refused_at_once(attribute: str, value: object) -> None:
    fake = FakeClassifier("jailbreak", {})
    setattr(fake, attribute, value)
    with pytest.raises(rk.ConfigError, match=f"{attribute} of classifier 'jailbreak' is .*; allowed: "):
        lazy_router([rk.Rule("r", jailbreak >= 0.9, rk.Block())], [fake])


def test_what_is_no_pool_router_is_refused_at_once() -> None:
    with pytest.raises(rk.UsageError, match="pools holds a str"):
        rk.PolicyRouter(rk.Policy([], rk.Keep()), pools={"m": "short"})  # type: ignore[dict-item]


def test_classifier_that_must_be_awaited_is_refused_by_the_sync_router() -> None:
    class Awaited(FakeClassifier):
        async def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:  # type: ignore[override]
            return []

    router = lazy_router([rk.Rule("r", jailbreak >= 0.9, rk.Block())], [Awaited("jailbreak", {})])
    with pytest.raises(rk.UsageError, match="route with an AsyncRouter"):
        router.route(chat("hi"))


def test_classifiers_that_are_no_list_are_refused_with_the_remedy() -> None:
    policy = rk.Policy([], rk.RouteTo("general"))
    for single in (rk.PatternPiiClassifier(), "pii"):
        with pytest.raises(rk.UsageError, match=r"allowed: a list of classifiers: write classifiers=\[\.\.\.\]"):
            rk.PolicyRouter(policy, classifiers=single)  # type: ignore[arg-type]
