"""What each threshold of a signal would give: recall, false positives, shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from routekit.errors import UsageError
from routekit.evaluate.confusion import Confusion
from routekit.evaluate.estimates import Estimate
from routekit.evaluate.shares import Share
from routekit.policy import Policy

if TYPE_CHECKING:
    from routekit.evaluate.evaluation import Evaluation

#: Thresholds of a sweep that names none.
_STEPS = tuple(round(0.05 * step, 2) for step in range(1, 20))


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One threshold: a request is positive from this P on.

    Attributes
    ----------
    confusion
        Over the labelled requests; `recall`, `fpr` and `precision` are its rates.
    shares
        Rule -> requests, under the policy with this threshold; empty unless a policy was given.
    """

    threshold: float
    confusion: Confusion
    shares: Mapping[str, Share] = field(default_factory=dict)

    @property
    def recall(self) -> Estimate | None:
        return self.confusion.recall

    @property
    def fpr(self) -> Estimate | None:
        return self.confusion.fpr

    @property
    def precision(self) -> Estimate | None:
        return self.confusion.precision

    def to_dict(self) -> dict[str, object]:
        """Give everything JSON-ready."""
        shares = {name: share.to_dict() for name, share in self.shares.items()}
        return {"threshold": self.threshold, **self.confusion.to_dict(), "shares": shares}


@dataclass(frozen=True, slots=True)
class Sweep:
    """Points by ascending threshold.

    Attributes
    ----------
    label
        Whose P the threshold is for; None for the positive labels together.
    """

    signal: str
    label: str | None
    points: tuple[SweepPoint, ...]

    def to_dict(self) -> dict[str, object]:
        """Give everything JSON-ready."""
        points = [point.to_dict() for point in self.points]
        return {"signal": self.signal, "label": self.label, "points": points}

    def to_frame(self) -> Any:
        """Give one row for each threshold as a pandas DataFrame; ImportError without pandas."""
        from routekit.evaluate.frame import pandas

        return pandas().DataFrame([_record(point) for point in self.points])

    def to_markdown(self) -> str:
        """Give a table of Markdown."""
        from routekit.evaluate.views import sweep_markdown

        return sweep_markdown(self)

    def _repr_html_(self) -> str:
        from routekit.evaluate.views import sweep_html

        return sweep_html(self)


def sweep(
    evaluation: Evaluation,
    signal: str,
    label: str | None = None,
    thresholds: Sequence[float] | None = None,
    *,
    policy: Callable[[float], Policy] | None = None,
) -> Sweep:
    """Try thresholds on recorded probabilities; nothing is classified again.

    Parameters
    ----------
    label
        Whose P to compare; None for the positive labels together.
    thresholds
        Each in [0, 1]; default: 0.05 to 0.95.
    policy
        Makes the policy for a threshold, such as ``lambda t: with_threshold(policy, "jailbreak", t)``; it is replayed,
        so that the shares of its rules are known. Walks over the rows once for each threshold.

    Raises
    ------
    UsageError
        If the signal was not recorded, or a threshold lies outside [0, 1].

    Examples
    --------
    >>> import routekit as rk
    >>> from routekit.evaluate import evaluate
    >>> from routekit.testing import FakeClassifier
    >>> rows = [{"text": word, "labels": {"jailbreak": word != "egg"}} for word in ("ignore", "pretend", "egg")]
    >>> attack = rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403))
    >>> fakes = [FakeClassifier("jailbreak", {"ignore": 0.95, "pretend": 0.6})]
    >>> result = sweep(evaluate(rk.Policy([attack], rk.Keep()), rows, classifiers=fakes), "jailbreak", None, [0.5, 0.9])
    >>> [point.recall.value for point in result.points]
    [1.0, 0.5]
    """
    chosen = sorted(set(_STEPS if thresholds is None else thresholds))
    if not chosen or not all(0 <= threshold <= 1 for threshold in chosen):
        raise UsageError("thresholds are empty or outside [0, 1]; give numbers from 0 to 1")
    scores, truth = evaluation.scores(signal, label)
    confusions = confusions_at(scores, truth, np.array(chosen))
    shares = [{} if policy is None else evaluation.replay(policy(t)).shares("rule") for t in chosen]
    points = zip(map(float, chosen), confusions, shares, strict=True)
    return Sweep(signal, label, tuple(SweepPoint(*point) for point in points))


def choose_threshold(
    evaluation: Evaluation, signal: str, *, max_fpr: float, label: str | None = None, surely: bool = False
) -> SweepPoint:
    """Find the lowest threshold, and so the highest recall, whose false positive rate is low enough.

    Parameters
    ----------
    max_fpr
        Largest false positive rate, in [0, 1].
    surely
        True compares the upper end of the rate's interval rather than the rate itself.

    Returns
    -------
    The point. Its threshold is one of the recorded probabilities.

    Raises
    ------
    UsageError
        If there are no negatives, or even the highest threshold is not low enough.
    """
    if not 0 <= max_fpr <= 1:
        raise UsageError(f"max_fpr is {max_fpr!r}; allowed: 0 to 1")
    scores, truth = evaluation.scores(signal, label)
    if truth.all():
        raise UsageError("no labelled request is negative, so there is no false positive rate; add harmless ones")
    candidates = np.append(np.unique(scores), np.nextafter(scores.max(), 2.0))
    candidates = candidates[candidates <= 1.0]
    for threshold, confusion in zip(candidates, confusions_at(scores, truth, candidates), strict=True):
        rate = confusion.fpr
        if rate is not None and (rate.high if surely else rate.value) <= max_fpr:
            return SweepPoint(float(threshold), confusion)
    raise UsageError(
        f"no threshold of {signal} keeps the false positive rate at {max_fpr:g} on {int((~truth).sum())} negatives; "
        "allow more, or add negatives"
    )


def confusions_at(
    scores: NDArray[np.float64], truth: NDArray[np.bool_], thresholds: NDArray[np.float64]
) -> list[Confusion]:
    """Count at each threshold, by one sort.

    Parameters
    ----------
    scores, truth
        shape (n,).
    thresholds
        shape (m,).
    """
    positive, negative = np.sort(scores[truth]), np.sort(scores[~truth])
    missed = np.searchsorted(positive, thresholds, "left").tolist()
    passed = np.searchsorted(negative, thresholds, "left").tolist()
    return [Confusion(positive.size - m, negative.size - p, m, p) for m, p in zip(missed, passed, strict=True)]


def _record(point: SweepPoint) -> dict[str, float | None]:
    record: dict[str, float | None] = {"threshold": point.threshold}
    for name in ("recall", "fpr", "precision"):
        rate: Estimate | None = getattr(point, name)
        record |= {name: None, f"{name}_low": None, f"{name}_high": None}
        if rate is not None:
            record |= {name: rate.value, f"{name}_low": rate.low, f"{name}_high": rate.high}
    return record | {f"share_{name}": s.share.value for name, s in point.shares.items() if s.share is not None}
