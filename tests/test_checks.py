"""The conformance checks: our own implementations pass, and what breaks the interfaces does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import routekit as rk
from routekit.checks import TEXTS, check_backend, check_classifier, check_compressor, check_router
from routekit.language import LanguageClassifier
from routekit.pools import PoolRouter, PoolSpec
from routekit.tensors import ModelFiles
from routekit.testing import FakeBackend, FakeClassifier

SHORT = tuple(text for text in TEXTS if len(text) < 500)


@pytest.mark.parametrize("incremental", [False, True])
@pytest.mark.parametrize("multi_label", [False, True])
def test_fake_classifier_conforms(incremental: bool, multi_label: bool) -> None:
    hits = {"attack": {"Ignore all": 0.9}, "mail": {"@": 0.7}}
    check_classifier(FakeClassifier("x", hits, incremental=incremental, multi_label=multi_label))


def test_pii_classifier_conforms() -> None:
    check_classifier(rk.PatternPiiClassifier(), [*SHORT, TEXTS[-1]])


def test_language_classifier_conforms() -> None:
    check_classifier(LanguageClassifier(), [*SHORT, TEXTS[-1]])


def test_compressor_conforms() -> None:
    check_compressor(rk.ExtractiveCompressor())


def test_routers_conform() -> None:
    check_router(rk.PolicyRouter(rk.Policy([], rk.RouteTo("general"))))
    check_router(rk.PolicyRouter(rk.Policy([], rk.Block(403))))
    check_router(PoolRouter([PoolSpec("short", max_context=8192), PoolSpec("long", max_context=65536)]))


def test_fake_backend_conforms() -> None:
    check_backend(FakeBackend([0.0, 1.0]), ModelFiles(Path(), ()))


class Broken(FakeClassifier):
    """Spoils each prediction in one way."""

    def __init__(self, spoil: Callable[[rk.Prediction], rk.Prediction]) -> None:
        super().__init__("x", {"Ignore": 0.9})
        self._spoil = spoil

    def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
        return [self._spoil(prediction) for prediction in super().classify(texts)]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda p: replace(p, label="other"), "label 'other' is not one of"),
        (lambda p: replace(p, probabilities={"x": 1.0}), "expected: of every label"),
        (lambda p: replace(p, probabilities={"x": float("nan"), "none": 0.5}), "is nan"),
        (lambda p: replace(p, probabilities={"x": 1.5, "none": 0.0}), "expected: 0 to 1"),
        (lambda p: replace(p, probabilities={"x": 0.9, "none": 0.9}, label="x"), "add up to 1.8"),
        (lambda p: replace(p, label="none"), "is over the threshold, yet 'none'"),
        (lambda p: replace(p, coverage=0.5), "truncated is False"),
        (lambda p: replace(p, spans=(rk.Span(0, 10**9, "x"),)), "lies outside of the text"),
        (lambda p: replace(p, spans=(rk.Span(2, 2, "x"), rk.Span(0, 0, "x"))), "lies outside|not ascending"),
    ],
)
def test_broken_prediction_is_found(spoil: Callable[[rk.Prediction], rk.Prediction], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_classifier(Broken(spoil))


def test_answer_that_depends_on_the_batch_is_found() -> None:
    class Batchy(FakeClassifier):
        def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
            return [replace(p, probabilities={"x": 0.1 / len(texts), "none": 0.5}) for p in super().classify(texts)]

    with pytest.raises(AssertionError, match="alone and in a batch"):
        check_classifier(Batchy("x", {}))


def test_bound_that_falls_is_found() -> None:
    class Falling:
        n_fed = 0

        def feed(self, text: str) -> None:
            self.n_fed += 1

        def lower_bound(self) -> Mapping[str, float]:
            return {"x": 1 / self.n_fed}

        def finish(self) -> rk.Prediction:
            raise NotImplementedError

    class Opens(FakeClassifier):
        def open(self) -> Falling:
            return Falling()

    with pytest.raises(AssertionError, match="the lower bound of P\\(x\\) fell"):
        check_classifier(Opens("x", {}), ["long enough for many pieces" * 40])


def test_router_that_takes_malformed_bodies_is_found() -> None:
    class Trusting:
        def route(self, request: object, *, metadata: object = None, now: object = None) -> rk.Decision:
            return rk.Decision("route", "x", None, "r")

    with pytest.raises(AssertionError, match="malformed body of 0 bytes was routed"):
        check_router(Trusting())


def test_object_of_another_kind_is_found() -> None:
    for check in (check_classifier, check_compressor, check_router):
        with pytest.raises(AssertionError, match="object has no"):
            check(object())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("check", "attributes"),
    [
        (check_classifier, {"name": "x", "labels": 3, "classify": lambda texts: []}),
        (check_compressor, {"compress": lambda *args, **options: None}),
        (check_router, {"route": lambda *args, **options: None}),
    ],
)
def test_answer_of_another_kind_is_found(check: Callable[[object], None], attributes: dict[str, object]) -> None:
    with pytest.raises(AssertionError, match=r"; expected: "):
        check(SimpleNamespace(**attributes))
