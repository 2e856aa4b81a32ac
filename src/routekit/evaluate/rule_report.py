"""How often a rule decided, and whether it should have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from routekit.evaluate.confusion import Confusion
from routekit.evaluate.estimates import Estimate, proportion
from routekit.evaluate.perfect import perfect_states
from routekit.evaluate.replay import Replay
from routekit.evaluate.row import Row

#: What says which rule should have decided: the rows themselves, or the policy over the labels of signals.
Truth: TypeAlias = Literal["expected", "labels"]


@dataclass(frozen=True, slots=True)
class RuleReport:
    """One rule, or the default, over all requests.

    Attributes
    ----------
    n, share
        Requests that it decided, and their share of those that were decided.
    n_shadow
        Requests that it would have decided, were it no shadow.
    confusion
        Decided against should have decided; None where nothing tells.
    truth
        ``"expected"``: rows name the rule they expect. ``"labels"``: the rule that would have decided, had every
        labelled classifier said what its label says.
    """

    name: str
    n: int
    share: Estimate | None
    n_shadow: int
    confusion: Confusion | None
    truth: Truth | None

    def to_dict(self) -> dict[str, object]:
        """Give everything JSON-ready."""
        return {
            "n": self.n,
            "share": None if self.share is None else self.share.to_dict(),
            "n_shadow": self.n_shadow,
            "confusion": None if self.confusion is None else self.confusion.to_dict(),
            "truth": self.truth,
        }


@dataclass(slots=True)
class RuleTally:
    """Collects what the `RuleReport`s tell, one row after the other.

    Attributes
    ----------
    names
        All rules in list order, the default last.
    replay
        The policy itself, to ask what it does over labels; None for a router without one.
    pairs
        (decided, should have decided) -> requests.
    """

    names: Sequence[str]
    replay: Replay | None
    decided: Counter[str] = field(default_factory=Counter)
    shadow: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_labels: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, row: Row) -> None:
        """Take one row."""
        self.shadow.update(row.shadow)
        if row.outcome is None:
            return
        self.decided[row.outcome.rule] += 1
        if "rule" in row.expected:
            self.pairs[row.outcome.rule, row.expected["rule"]] += 1
        elif (wanted := self._by_labels(row)) is not None:
            self.by_labels[row.outcome.rule, wanted] += 1

    def reports(self) -> dict[str, RuleReport]:
        """Sum up. Rules that rows expect by name count before those that follow from labels."""
        truth: Truth | None = "expected" if self.pairs else "labels" if self.by_labels else None
        pairs = self.pairs if self.pairs else self.by_labels
        names = list(dict.fromkeys([*self.names, *sorted({name for pair in pairs for name in pair})]))
        n_decided = self.decided.total()
        return {
            name: RuleReport(
                name,
                self.decided[name],
                proportion(self.decided[name], n_decided),
                self.shadow[name],
                one_against_rest(pairs, name) if pairs else None,
                truth,
            )
            for name in names or sorted(self.decided)
        }

    def _by_labels(self, row: Row) -> str | None:
        if self.replay is None or row.facts is None:
            return None
        states = perfect_states(row, self.replay.program.traits)
        return None if states is None else self.replay.outcome(row.facts, states)[0].rule


def one_against_rest(pairs: Mapping[tuple[str, str], int], name: str) -> Confusion:
    """Count one name against all others, from (predicted, true) -> requests.

    >>> one_against_rest({("a", "a"): 3, ("a", "b"): 1, ("b", "c"): 2}, "a")
    Confusion(tp=3, fp=1, fn=0, tn=2)
    """
    cells: Counter[tuple[bool, bool]] = Counter()
    for (predicted, true), n in pairs.items():
        cells[predicted == name, true == name] += n
    return Confusion(cells[True, True], cells[True, False], cells[False, True], cells[False, False])
