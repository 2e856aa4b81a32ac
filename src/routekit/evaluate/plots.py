"""Pictures of evaluations; need the extra `plot`.

Each function draws on the Axes it is given, or on a new figure of pyplot, and returns the Axes. Nothing is imported
before. The colours are those of Okabe and Ito, which all readers can tell apart; names from outside are escaped, and
never read as mathematics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from routekit.errors import UsageError, plain
from routekit.evaluate.estimates import Estimate, proportion
from routekit.evaluate.evaluation import Evaluation
from routekit.evaluate.shares import By
from routekit.evaluate.signal_report import FAILED
from routekit.evaluate.sweeping import Sweep, confusions_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from routekit.evaluate.difference import Difference

BLUE, ORANGE, GREEN, RED, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#8C8C8C"
#: Most names along an axis.
MOST_NAMES = 24
#: Most dots of a cloud; further ones are thinned out evenly.
MOST_DOTS = 3000

Matrix: TypeAlias = Mapping[tuple[str, str], int]


def reliability(
    evaluation: Evaluation, signal: str, label: str | None = None, *, n_bins: int = 10, ax: Axes | None = None
) -> Axes:
    """Draw how often a probability comes true: on the diagonal a classifier is calibrated.

    Parameters
    ----------
    label
        Whose P; None for the positive labels together.
    n_bins
        Bins of equal width, each with a 95 % interval and, as a grey bar, its share of the requests.
    """
    scores, truth = _scores(evaluation, signal, label)
    axes = _axes(ax, (5.4, 5))
    which = np.minimum((scores * n_bins).astype(int), n_bins - 1)
    bins = [b for b in range(n_bins) if (which == b).any()]
    rates = [_sure(proportion(int(truth[which == b].sum()), int((which == b).sum()))) for b in bins]
    centres = [float(scores[which == b].mean()) for b in bins]
    shares = np.bincount(which, minlength=n_bins) / scores.size
    edges = (np.arange(n_bins) + 0.5) / n_bins
    axes.bar(edges, shares, width=0.9 / n_bins, color=GREY, alpha=0.3, label="share of requests")
    axes.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1, label="calibrated")
    _with_bars(axes, centres, rates, "came true, 95 % interval")
    error = sum(shares[b] * abs(rate.value - c) for b, rate, c in zip(bins, rates, centres, strict=True))
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel=f"P({_subject(signal, label)})", ylabel="share that is so")
    axes.set_title(f"{_subject(signal, label)}: calibration error {error:.3f}, n = {scores.size}")
    axes.legend(loc="upper left", frameon=False)
    return axes


def roc(
    evaluation: Evaluation, signal: str, label: str | None = None, *, log: bool = False, ax: Axes | None = None
) -> Axes:
    """Draw recall over false positive rate for every threshold, recall with its 95 % band.

    Parameters
    ----------
    log
        True spreads out small false positive rates, which is where gateways work.
    """
    scores, truth = _scores(evaluation, signal, label)
    if not 0 < truth.sum() < truth.size:
        raise UsageError("a ROC curve needs labelled requests of both kinds")
    axes = _axes(ax, (5.4, 5))
    thresholds = np.append(np.unique(scores)[::-1], 0.0)
    confusions = confusions_at(scores, truth, np.append(np.nextafter(1.0, 2.0), thresholds))
    recalls = [_sure(c.recall) for c in confusions]
    least = 0.5 / int((~truth).sum()) if log else 0.0
    rates = np.maximum([_sure(c.fpr).value for c in confusions], least)
    values = [r.value for r in recalls]
    axes.fill_between(
        rates, [r.low for r in recalls], [r.high for r in recalls], color=BLUE, alpha=0.2, step="post", linewidth=0
    )
    axes.step(rates, values, where="post", color=BLUE, label="recall, 95 % band")
    chance = np.geomspace(least, 1, 200) if log else np.array([0.0, 1.0])
    axes.plot(chance, chance, color=GREY, linestyle="--", linewidth=1, label="chance")
    _mark_own_threshold(axes, evaluation, signal, label, least)
    area = evaluation.signals[signal].auc if label is None else None
    axes.set(xlim=(least, 1), ylim=(0, 1.02), xlabel="false positive rate", ylabel="recall")
    if log:
        axes.set_xscale("log")
    title = f"{_subject(signal, label)}, n = {scores.size}"
    axes.set_title(title if area is None else f"{title}\nAUC {area.value:.3f} ({area.low:.3f} to {area.high:.3f})")
    axes.legend(loc="upper left" if log else "lower right", frameon=False)
    return axes


def sweep(result: Sweep, *, ax: Axes | None = None) -> Axes:
    """Draw recall, precision and false positive rate over the threshold, with 95 % bands."""
    axes = _axes(ax, (6.4, 4))
    lines: tuple[tuple[Literal["recall", "precision", "fpr"], str, str, str], ...] = (
        ("recall", "recall", BLUE, "-"),
        ("precision", "precision", GREEN, "-."),
        ("fpr", "false positive rate", RED, "--"),
    )
    for name, text, colour, style in lines:
        known = [(p.threshold, rate) for p in result.points if (rate := _rate(p.confusion, name)) is not None]
        at = [threshold for threshold, _ in known]
        axes.fill_between(
            at, [r.low for _, r in known], [r.high for _, r in known], color=colour, alpha=0.15, linewidth=0
        )
        axes.plot(at, [r.value for _, r in known], color=colour, linestyle=style, label=text)
    subject = _subject(result.signal, result.label)
    n = result.points[0].confusion.n
    axes.set(ylim=(0, 1.02), xlabel=f"threshold of P({subject})", ylabel="share", title=f"{subject}, n = {n}")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    axes.grid(alpha=0.25)
    return axes


def confusion(evaluation: Evaluation, what: str, *, ax: Axes | None = None) -> Axes:
    """Draw what was predicted against what is true, as shares of each true label.

    Parameters
    ----------
    what
        A signal with labels; or ``"rule"``, ``"model"`` or ``"action"``, where rows say what they expect.
    """
    matrix = _matrix(evaluation, what)
    if not matrix:
        raise UsageError(f"there is no labelled request to draw for {plain(what)}")
    true, predicted = _names(matrix)
    counts = np.array([[matrix.get((t, p), 0) for p in predicted] for t in true], float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    axes = _axes(ax, (max(4.2, 2.6 + 0.55 * len(predicted)), max(3.4, 1.8 + 0.42 * len(true))))
    image = axes.imshow(shares, cmap="cividis", vmin=0, vmax=1, aspect="auto")
    axes.figure.colorbar(image, ax=axes, label="share of the true label")
    for i, j in zip(*np.nonzero(counts), strict=True):
        ink = "black" if shares[i, j] > 0.55 else "white"
        axes.text(j, i, f"{int(counts[i, j])}", ha="center", va="center", color=ink, fontsize=8)
    axes.set_xticks(range(len(predicted)), [_text(name) for name in predicted])
    axes.set_yticks(range(len(true)), [_text(name) for name in true])
    axes.tick_params(axis="x", rotation=45 if max(map(len, predicted)) > 3 else 0)
    for tick in axes.get_xticklabels():
        tick.set_horizontalalignment("right" if max(map(len, predicted)) > 3 else "center")
    axes.set(xlabel="decided" if what in ("rule", "model", "action") else "predicted")
    axes.set(ylabel="expected" if what in ("rule", "model", "action") else "true")
    axes.set_title(f"{_text(what)}, n = {int(counts.sum())}")
    return axes


def latency(evaluation: Evaluation, *, clock: Literal["wall", "cpu"] = "wall", ax: Axes | None = None) -> Axes:
    """Draw the time of a decision over the length of the request's text: a dot a request, and percentiles.

    A percentile is drawn where a length, up to a factor of two, has requests enough to know it: 20 for p95, 100 for
    p99.
    """
    found = [
        (row.facts.n_text_bytes, row.wall_seconds if clock == "wall" else row.cpu_seconds)
        for row in evaluation.rows
        if row.facts is not None and row.wall_seconds is not None and row.facts.n_text_bytes > 0
    ]
    if not found:
        raise UsageError("no request was timed; a replay measures nothing")
    n_bytes, seconds = np.array(found, np.float64).T
    axes = _axes(ax, (6.4, 4))
    step = -(-len(found) // MOST_DOTS)
    axes.scatter(n_bytes[::step], 1e3 * seconds[::step], s=6, color=GREY, alpha=0.35, linewidths=0, label="a request")
    which = np.floor(np.log2(n_bytes)).astype(int)
    lengths = sorted(set(which.tolist()))
    for percent, least, colour, style in ((50, 1, BLUE, "o-"), (95, 20, ORANGE, "s--"), (99, 100, RED, "^:")):
        known = [length for length in lengths if (which == length).sum() >= least]
        at = [float(np.exp(np.log(n_bytes[which == length]).mean())) for length in known]
        values = [1e3 * float(np.percentile(seconds[which == length], percent)) for length in known]
        axes.plot(at, values, style, color=colour, markersize=4, label=f"p{percent}")
    name = "wall time" if clock == "wall" else "CPU time"
    axes.set(xscale="log", yscale="log", xlabel="text of the request, bytes", ylabel=f"{name} of the decision, ms")
    axes.set_title(f"{name.capitalize()} by length, n = {len(found)}")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    axes.grid(alpha=0.25)
    return axes


def shares(evaluation: Evaluation, by: By = "pool", *, ax: Axes | None = None) -> Axes:
    """Draw the share of requests, and of counted tokens, that each model, pool, action or rule gets."""
    found = list(evaluation.shares(by).values())[:MOST_NAMES]
    if not found:
        raise UsageError("there are no requests to draw")
    axes = _axes(ax, (6.4, 1.4 + 0.45 * len(found)))
    at = np.arange(len(found))
    estimates = [_sure(share.share) for share in found]
    values = np.array([100 * estimate.value for estimate in estimates])
    errors = [[100 * (e.value - e.low) for e in estimates], [100 * (e.high - e.value) for e in estimates]]
    counted = np.array([share.prompt_tokens + share.completion_tokens for share in found], float)
    tokens = counted if counted.any() else np.array([share.estimated_tokens for share in found], float)
    height = 0.36 if tokens.any() else 0.6
    offset = height / 2 if tokens.any() else 0.0
    axes.barh(at - offset, values, height, xerr=errors, color=BLUE, ecolor="black", capsize=2, label="requests")
    if tokens.any():
        axes.barh(at + offset, 100 * tokens / tokens.sum(), height, color=ORANGE, hatch="//", label="tokens")
    axes.set_yticks(at, [f"{_text(share.name)}  ({share.n})" for share in found])
    axes.invert_yaxis()
    axes.set(xlim=(0, 105), xlabel="share, %", title=f"By {by}, n = {evaluation.n_requests}")
    axes.legend(loc="lower right", frameon=False)
    return axes


def changes(difference: Difference, *, ax: Axes | None = None) -> Axes:
    """Draw how many requests each rule gains and loses."""
    rules = [change for change in difference.rules.values() if change.n_gained or change.n_lost][:MOST_NAMES]
    axes = _axes(ax, (6.4, 1.4 + 0.45 * max(1, len(rules))))
    at = np.arange(len(rules))
    gains, losses = [rule.n_gained for rule in rules], [-rule.n_lost for rule in rules]
    for values, colour, hatch, text in ((gains, BLUE, "", "gains"), (losses, ORANGE, "//", "loses")):
        bars = axes.barh(at, values, 0.6, color=colour, hatch=hatch, label=text)
        axes.bar_label(bars, [f"{value:+d}" if value else "" for value in values], padding=3)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(at, [_text(rule.name) for rule in rules])
    axes.invert_yaxis()
    most = max([*gains, *(-loss for loss in losses)], default=1)
    axes.set(xlim=(-1.25 * most, 1.25 * most), xlabel="requests")
    axes.set_title(f"{difference.n_changed} of {difference.n} requests are decided otherwise")
    axes.legend(loc="lower left", bbox_to_anchor=(1.01, 0), frameon=False)
    return axes


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError('plots need matplotlib: pip install "routekit[plot]"') from error
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def _scores(evaluation: Evaluation, signal: str, label: str | None) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    scores, truth = evaluation.scores(signal, label)
    if not scores.size:
        raise UsageError(f"no request is labelled for {plain(signal)}; there is nothing to draw")
    return scores, truth


def _with_bars(axes: Axes, at: Sequence[float], rates: Sequence[Estimate], text: str) -> None:
    values = [rate.value for rate in rates]
    errors = [[rate.value - rate.low for rate in rates], [rate.high - rate.value for rate in rates]]
    axes.errorbar(at, values, yerr=errors, fmt="o-", color=BLUE, capsize=3, markersize=5, label=text)


def _mark_own_threshold(axes: Axes, evaluation: Evaluation, signal: str, label: str | None, least: float) -> None:
    """Show where the classifier's own verdict lies, which a threshold by length need not put on the curve."""
    own = evaluation.signals[signal].confusion
    if label is None and own is not None and own.recall is not None and own.fpr is not None:
        at = max(own.fpr.value, least)
        axes.plot([at], [own.recall.value], "D", color=RED, markersize=7, label="own threshold", clip_on=False)


def _rate(confusion: Any, name: str) -> Estimate | None:
    rate: Estimate | None = getattr(confusion, name)
    return rate


def _matrix(evaluation: Evaluation, what: str) -> Matrix:
    if what in evaluation.signals:
        report = evaluation.signals[what]
        if report.matrix:
            return report.matrix
        own = report.confusion
        if own is None:
            return {}
        return {("yes", "yes"): own.tp, ("yes", "no"): own.fn, ("no", "yes"): own.fp, ("no", "no"): own.tn}
    if what not in ("rule", "model", "action"):
        raise UsageError(f"{plain(what)} is no recorded classifier; or give rule, model or action")
    return {(expected, decided): n for (decided, expected), n in evaluation.matrix(what).items()}  # type: ignore[arg-type]


def _names(matrix: Matrix) -> tuple[list[str], list[str]]:
    """List true and predicted names in the same order, what failed last; only the most frequent of very many."""
    counts: dict[str, int] = {}
    for (true, predicted), n in matrix.items():
        counts[true] = counts.get(true, 0) + n
        counts[predicted] = counts.get(predicted, 0) + n
    frequent = sorted(counts, key=lambda name: -counts[name])[:MOST_NAMES]
    names = sorted(frequent, key=lambda name: (name == FAILED, name))
    return [n for n in names if any(t == n for t, _ in matrix)], [n for n in names if any(p == n for _, p in matrix)]


def _subject(signal: str, label: str | None) -> str:
    return _text(signal) if label is None else f"{_text(signal)}: {_text(label)}"


def _text(name: str) -> str:
    """Shorten and escape a name from outside; a dollar sign would begin a formula."""
    shown = plain(name)
    return (shown if len(shown) <= 32 else shown[:29] + "...").replace("$", r"\$")


def _sure(estimate: Estimate | None) -> Estimate:
    assert estimate is not None  # noqa: S101 - callers have counted at least one request
    return estimate


__all__ = ["changes", "confusion", "latency", "reliability", "roc", "shares", "sweep"]
