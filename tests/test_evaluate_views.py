"""What notebooks show of evaluations: escaped whatever the names are, and pictures that can be drawn."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

import routekit as rk
from routekit.evaluate import Evaluation, Sweep, compare, evaluate, sweep, with_threshold
from routekit.testing import FakeClassifier, chat

HOSTILE = "<script>alert(1)</script>&\"'`|*_\x1b[2J\x00\u202e\u2066\n# $x^2$ é"
TAGS = re.compile(r"<(?!/?(?:table|tr|th|td|p|b|details|summary|code|pre|ul|ol|li|mark|span|small|i)[ >])")


def hostile_evaluation() -> Evaluation:
    label = HOSTILE + "label"
    fake = FakeClassifier(HOSTILE, {label: {"ignore all": 0.95}, "other": {"egg": 0.9}})
    failing = FakeClassifier("broken", {}, error=type(HOSTILE.replace("\0", ""), (Exception,), {})())
    rules = [
        rk.Rule(HOSTILE + "rule", rk.signal(HOSTILE) >= 0.9, rk.RouteTo(HOSTILE + "model", pool=HOSTILE)),
        rk.Rule("broken", rk.signal("broken") >= 0.9, rk.Block(403)),
    ]
    rows: list[object] = [
        {"id": HOSTILE + "id", "text": "ignore all", "labels": {HOSTILE: label, HOSTILE + "x": True}},
        {"text": "egg", "labels": {HOSTILE: HOSTILE + "unknown"}, "expected": {"model": HOSTILE, "rule": HOSTILE}},
        {"request": chat("hello", model=HOSTILE), "labels": {HOSTILE: []}},
        {"text": 3},
        b"{",
    ]
    policy = rk.Policy(rules, rk.Keep(), {"broken": "skip"})
    return evaluate(policy, rows, classifiers=[fake, failing], on_bad_row="skip", source=HOSTILE)


def hostile_sweep(evaluation: Evaluation) -> Sweep:
    return sweep(evaluation, HOSTILE, None, [0.5], policy=lambda t: with_threshold(policy_of(evaluation), HOSTILE, t))


def policy_of(evaluation: Evaluation) -> rk.Policy:
    assert evaluation.provenance.policy is not None
    return evaluation.provenance.policy


@pytest.fixture(scope="module")
def shown() -> list[object]:
    evaluation = hostile_evaluation()
    other = with_threshold(policy_of(evaluation), HOSTILE, 0.99)
    return [evaluation, compare(evaluation, other), hostile_sweep(evaluation)]


def test_html_is_escaped(shown: list[object]) -> None:
    for value in shown:
        html = value._repr_html_()  # type: ignore[attr-defined]
        assert not TAGS.search(html), TAGS.search(html)
        assert html.isascii() or all(c in "–" for c in html if not c.isascii())
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", html)


def test_markdown_is_escaped(shown: list[object]) -> None:
    for value in shown:
        text = value.to_markdown()  # type: ignore[attr-defined]
        assert "<script" not in text
        assert "\u202e" not in text
        assert "\x1b" not in text
        rows = [line for line in text.splitlines() if line.startswith("|")]
        widths = {len(re.findall(r"(?<!\\)\|", row)) for row in rows}
        assert rows
        assert not [row for row in rows if re.search(r"(?<!\\)[`*_]", row)]
        assert min(widths) > 1


def test_long_tables_are_cut() -> None:
    labels = [f"label-{i:03}" for i in range(70)]
    fake = FakeClassifier("many", {label: {label: 0.9} for label in labels}, positive=())
    policy = rk.Policy([rk.Rule("r", rk.signal("many") == labels[0], rk.RouteTo("m"))], rk.Keep())
    rows = [{"text": label, "labels": {"many": label}} for label in labels]
    assert "and 20 more" in evaluate(policy, rows, classifiers=[fake]).to_markdown()


# Pictures.


@pytest.fixture
def pyplot() -> Iterator[object]:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def test_importing_plots_loads_no_pyplot() -> None:
    program = "import sys, routekit.evaluate.plots; print(*(m for m in sys.modules if m.startswith('matplotlib')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_pictures_are_drawn_on_the_axes_they_are_given(pyplot: object) -> None:
    from matplotlib.figure import Figure

    from routekit.evaluate import plots

    evaluation = hostile_evaluation()
    difference = compare(evaluation, with_threshold(policy_of(evaluation), HOSTILE, 0.99))
    drawings: list[Callable[..., object]] = [
        lambda **a: plots.reliability(evaluation, HOSTILE, "other", **a),
        lambda **a: plots.sweep(hostile_sweep(evaluation), **a),
        lambda **a: plots.confusion(evaluation, HOSTILE, **a),
        lambda **a: plots.confusion(evaluation, "model", **a),
        lambda **a: plots.latency(evaluation, **a),
        lambda **a: plots.latency(evaluation, clock="cpu", **a),
        lambda **a: plots.shares(evaluation, "pool", **a),
        lambda **a: plots.shares(evaluation, "rule", **a),
        lambda **a: plots.changes(difference, **a),
    ]
    for draw in drawings:
        figure = Figure()
        axes = figure.add_subplot()
        assert draw(ax=axes) is axes
        figure.savefig(io.BytesIO(), format="svg")
        assert draw() is not axes
        pyplot.close("all")  # type: ignore[attr-defined]


def test_roc_is_drawn_with_both_axes(pyplot: object) -> None:
    from routekit.evaluate import plots

    fake = FakeClassifier("jailbreak", {"a": 0.9, "b": 0.6})
    policy = rk.Policy([rk.Rule("r", rk.signal("jailbreak") >= 0.9, rk.Block(403))], rk.Keep())
    rows = [{"text": text, "labels": {"jailbreak": text in "ac"}} for text in "abcde"]
    evaluation = evaluate(policy, rows, classifiers=[fake])
    assert plots.roc(evaluation, "jailbreak").get_xscale() == "linear"
    assert plots.roc(evaluation, "jailbreak", log=True).get_xscale() == "log"
    assert plots.confusion(evaluation, "jailbreak").get_ylabel() == "true"


def test_what_cannot_be_drawn_says_why(pyplot: object) -> None:
    from routekit.evaluate import plots

    empty = evaluate(rk.Policy([rk.Rule("r", rk.signal("jailbreak").fires(), rk.Block(403))], rk.Keep()), [])
    drawings: list[tuple[Callable[[], object], str]] = [
        (lambda: plots.reliability(empty, "jailbreak"), "nothing to draw"),
        (lambda: plots.roc(empty, "jailbreak"), "nothing to draw"),
        (lambda: plots.confusion(empty, "jailbreak"), "no labelled request"),
        (lambda: plots.confusion(empty, "colour"), "no recorded classifier"),
        (lambda: plots.latency(empty), "no request was timed"),
        (lambda: plots.shares(empty), "no requests to draw"),
    ]
    for draw, message in drawings:
        with pytest.raises(rk.UsageError, match=message):
            draw()
    assert plots.sweep(sweep(empty, "jailbreak")).get_xlabel()
    assert plots.changes(compare(empty, empty)).get_xlabel() == "requests"
