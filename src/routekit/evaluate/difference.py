"""What changes between two evaluations of the same requests: which rules gain, which lose, and which requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, Union

from routekit.errors import UsageError, plain
from routekit.evaluate.estimates import Estimate, mcnemar, paired_difference
from routekit.evaluate.evaluation import Evaluation
from routekit.evaluate.request_log import Requests
from routekit.evaluate.row import Row
from routekit.evaluate.running import evaluate
from routekit.interfaces import Classifier
from routekit.policy import Policy
from routekit.router import PolicyRouter

#: What stands for the rule of a refused request.
REFUSED = "(refused)"

Side: TypeAlias = Union[Evaluation, Policy, PolicyRouter]


@dataclass(frozen=True, slots=True)
class RuleChange:
    """Requests that one rule gains and loses.

    Attributes
    ----------
    change
        Change of its share of the requests, with an interval for paired measurements.
    p_value
        Of McNemar's exact test: how likely a change at least this one-sided is by chance.
    """

    name: str
    n_before: int
    n_after: int
    n_gained: int
    n_lost: int
    change: Estimate | None
    p_value: float

    def to_dict(self) -> dict[str, object]:
        """Give everything JSON-ready."""
        return {
            "n_before": self.n_before,
            "n_after": self.n_after,
            "n_gained": self.n_gained,
            "n_lost": self.n_lost,
            "change": None if self.change is None else self.change.to_dict(),
            "p_value": self.p_value,
        }


@dataclass(frozen=True, slots=True)
class Correctness:
    """Requests with an expectation that became right, or wrong."""

    n: int
    n_fixed: int
    n_broken: int
    change: Estimate | None
    p_value: float

    def to_dict(self) -> dict[str, object]:
        """Give everything JSON-ready."""
        return {
            "n": self.n,
            "n_fixed": self.n_fixed,
            "n_broken": self.n_broken,
            "change": None if self.change is None else self.change.to_dict(),
            "p_value": self.p_value,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """What `compare` gives.

    Attributes
    ----------
    n
        Requests in both.
    n_only_before, n_only_after
        Requests in one only; they count nowhere else.
    n_changed
        Requests whose action, model, pool, rule or status differs.
    rules
        Rule -> what it gains and loses.
    transitions
        (rule before, rule after) -> requests, over those that changed.
    ids
        The same -> ids of requests, at most `max_ids` of each.
    correctness
        Where rows say what they expect; None where none does.
    """

    n: int
    n_only_before: int
    n_only_after: int
    n_changed: int
    rules: Mapping[str, RuleChange]
    transitions: Mapping[tuple[str, str], int]
    ids: Mapping[tuple[str, str], tuple[str, ...]]
    correctness: Correctness | None

    def to_dict(self) -> dict[str, object]:
        """Give everything JSON-ready."""
        moves = [
            {"before": before, "after": after, "n": n, "ids": list(self.ids[before, after])}
            for (before, after), n in self.transitions.items()
        ]
        return {
            "n": self.n,
            "n_only_before": self.n_only_before,
            "n_only_after": self.n_only_after,
            "n_changed": self.n_changed,
            "rules": {name: change.to_dict() for name, change in self.rules.items()},
            "transitions": moves,
            "correctness": None if self.correctness is None else self.correctness.to_dict(),
        }

    def to_markdown(self) -> str:
        """Give tables of Markdown."""
        from routekit.evaluate.views import difference_markdown

        return difference_markdown(self)

    def _repr_html_(self) -> str:
        from routekit.evaluate.views import difference_html

        return difference_html(self)


def compare(
    before: Side,
    after: Side,
    requests: Requests | None = None,
    *,
    classifiers: Sequence[Classifier] | None = None,
    max_ids: int = 1000,
) -> Difference:
    """Say what changes from one policy to another on the same requests.

    A policy beside an evaluation is replayed on it; two policies need `requests`, which are classified once.

    Parameters
    ----------
    before, after
        Evaluations of the same log, or policies; `before` may be a router.
    classifiers
        As for `PolicyRouter`; only with requests.
    max_ids
        Most ids that are kept for each transition.

    Raises
    ------
    UsageError
        If there is nothing to replay on, or the evaluations are of different logs.

    Examples
    --------
    >>> import routekit as rk
    >>> from routekit.evaluate import with_threshold
    >>> from routekit.testing import FakeClassifier
    >>> policy = rk.Policy([rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403))], default=rk.Keep())
    >>> fakes = [FakeClassifier("jailbreak", {"ignore": 0.95, "pretend": 0.85})]
    >>> rows = [{"id": word, "text": word} for word in ("ignore", "pretend", "egg")]
    >>> difference = compare(policy, with_threshold(policy, "jailbreak", 0.8), rows, classifiers=fakes)
    >>> difference.rules["attack"].n_gained, difference.ids["default", "attack"]
    (1, ('pretend',))
    """
    if not isinstance(before, Evaluation) and isinstance(after, Evaluation):
        if isinstance(before, PolicyRouter):
            before = before.policy
        before = after.replay(before)
    elif not isinstance(before, Evaluation):
        if requests is None:
            raise UsageError("two policies are compared on requests: give them, or an evaluation")
        also = [] if isinstance(after, Evaluation) else [after.policy if isinstance(after, PolicyRouter) else after]
        before = evaluate(before, requests, classifiers=classifiers, signals=also)
    if not isinstance(after, Evaluation):
        after = before.replay(after.policy if isinstance(after, PolicyRouter) else after)
    tally = _Tally(max_ids)
    for pair in paired(before.rows, after.rows):
        tally.add(*pair)
    return tally.difference()


def paired(before: Iterator[Row], after: Iterator[Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """Join two walks over rows in order, by log and line; None where one has no such row."""
    left, right = next(before, None), next(after, None)
    while left is not None or right is not None:
        if right is None or (left is not None and left.key < right.key):
            yield left, None
            left = next(before, None)
        elif left is None or right.key < left.key:
            yield None, right
            right = next(after, None)
        else:
            if left.id != right.id or left.n_body_bytes != right.n_body_bytes:
                where = f"{plain(left.source)}, line {left.line}"
                raise UsageError(f"the evaluations are of different logs: {where} holds another request in each")
            yield left, right
            left, right = next(before, None), next(after, None)


@dataclass(slots=True)
class _Tally:
    max_ids: int
    n: int = 0
    n_changed: int = 0
    n_only: Counter[bool] = field(default_factory=Counter)
    before: Counter[str] = field(default_factory=Counter)
    after: Counter[str] = field(default_factory=Counter)
    moves: Counter[tuple[str, str]] = field(default_factory=Counter)
    ids: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    right: Counter[tuple[bool, bool]] = field(default_factory=Counter)

    def add(self, before: Row | None, after: Row | None) -> None:
        if before is None or after is None:
            self.n_only[before is None] += 1
            return
        self.n += 1
        move = before.named("rule") or REFUSED, after.named("rule") or REFUSED
        self.before[move[0]] += 1
        self.after[move[1]] += 1
        if before.expected:
            self.right[_is_right(before), _is_right(after)] += 1
        if before.outcome != after.outcome or before.refused != after.refused:
            self.n_changed += 1
            self.moves[move] += 1
            kept = self.ids.setdefault(move, [])
            if len(kept) < self.max_ids:
                kept.append(before.id)

    def difference(self) -> Difference:
        names = dict.fromkeys([*self.before, *self.after])
        return Difference(
            self.n,
            self.n_only[False],
            self.n_only[True],
            self.n_changed,
            {name: self._change(name) for name in sorted(names)},
            dict(self.moves.most_common()),
            {move: tuple(ids) for move, ids in self.ids.items()},
            self._correctness(),
        )

    def _change(self, name: str) -> RuleChange:
        gained = sum(n for (old, new), n in self.moves.items() if new == name != old)
        lost = sum(n for (old, new), n in self.moves.items() if old == name != new)
        change = paired_difference(gained, lost, self.n)
        return RuleChange(name, self.before[name], self.after[name], gained, lost, change, mcnemar(gained, lost))

    def _correctness(self) -> Correctness | None:
        n = self.right.total()
        if not n:
            return None
        fixed, broken = self.right[False, True], self.right[True, False]
        return Correctness(n, fixed, broken, paired_difference(fixed, broken, n), mcnemar(fixed, broken))


def _is_right(row: Row) -> bool:
    return all(row.named(what) == name for what, name in row.expected.items())
