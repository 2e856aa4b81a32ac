"""Everything that one walk over the rows of an evaluation gives."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from routekit.evaluate.estimates import Estimate, proportion
from routekit.evaluate.latency import Latency
from routekit.evaluate.provenance import Provenance
from routekit.evaluate.replay import Replay
from routekit.evaluate.row import Entry, Row
from routekit.evaluate.rule_report import RuleReport, RuleTally
from routekit.evaluate.signal_report import SignalReport, SignalTally
from routekit.rule import DEFAULT_RULE
from routekit.states import Verdict


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts, reports and latencies.

    Attributes
    ----------
    refused
        Type of error -> requests that it refused.
    fully_read
        Share of the requests of which every classifier read everything.
    early
        ``share_decided_early`` and the percentiles of the share of a body that was needed.
    unrecorded
        Labelled signals that were not recorded -> requests: nothing is said about them.
    """

    n_requests: int
    n_skipped: int
    refused: Counter[str]
    signals: Mapping[str, SignalReport]
    rules: Mapping[str, RuleReport]
    latency: Latency
    fully_read: Estimate | None
    early: Mapping[str, float]
    unrecorded: Mapping[str, int]

    @classmethod
    def of(cls, entries: Iterable[Entry], provenance: Provenance) -> Summary:
        """Walk over the rows."""
        tally = _Tally.of(provenance)
        for entry in entries:
            if isinstance(entry, Row):
                tally.add(entry)
            else:
                tally.n_skipped += 1
        return tally.summary()

    def to_dict(self) -> dict[str, object]:
        """Give everything JSON-ready."""
        return {
            "n_requests": self.n_requests,
            "n_skipped": self.n_skipped,
            "refused": dict(sorted(self.refused.items())),
            "fully_read": None if self.fully_read is None else self.fully_read.to_dict(),
            "signals": {name: report.to_dict() for name, report in self.signals.items()},
            "rules": {name: report.to_dict() for name, report in self.rules.items()},
            "latency": self.latency.to_dict(),
            "early": dict(self.early),
            "unrecorded": dict(self.unrecorded),
        }


@dataclass(slots=True)
class _Tally:
    signals: dict[str, SignalTally]
    rules: RuleTally
    n_requests: int = 0
    n_skipped: int = 0
    n_read: int = 0
    n_fully_read: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    unrecorded: Counter[str] = field(default_factory=Counter)
    wall: array[float] = field(default_factory=lambda: array("d"))
    cpu: array[float] = field(default_factory=lambda: array("d"))
    decided_at: array[float] = field(default_factory=lambda: array("d"))

    @classmethod
    def of(cls, provenance: Provenance) -> _Tally:
        signals = {name: SignalTally(name, traits) for name, traits in sorted(provenance.traits.items())}
        policy = provenance.policy
        if policy is None:
            return cls(signals, RuleTally((), None))
        names = (*(rule.name for rule in policy.rules), DEFAULT_RULE)
        return cls(signals, RuleTally(names, Replay.of(policy, provenance, None)))

    def add(self, row: Row) -> None:
        self.n_requests += 1
        if row.refused is not None:
            self.refused[row.refused] += 1
        for tally in self.signals.values():
            tally.add(row)
        self.rules.add(row)
        self.unrecorded.update(signal for signal in row.labels if signal not in self.signals)
        for value, values in (
            (row.wall_seconds, self.wall),
            (row.cpu_seconds, self.cpu),
            (row.decided_at, self.decided_at),
        ):
            if value is not None:
                values.append(value)
        readings = [state.prediction for state in row.states.values() if isinstance(state, Verdict)]
        if readings:
            self.n_read += 1
            self.n_fully_read += all(r is not None and r.coverage >= 1 and not r.truncated for r in readings)

    def summary(self) -> Summary:
        is_replay = not self.wall
        return Summary(
            self.n_requests,
            self.n_skipped,
            self.refused,
            {name: tally.report(is_replay=is_replay) for name, tally in self.signals.items()},
            self.rules.reports(),
            Latency.of(self.wall, self.cpu),
            proportion(self.n_fully_read, self.n_read),
            self._early(),
            dict(sorted(self.unrecorded.items())),
        )

    def _early(self) -> dict[str, float]:
        if not self.decided_at:
            return {}
        shares = np.frombuffer(self.decided_at, np.float64)
        median, most = np.percentile(shares, [50, 95]).tolist()
        return {"share_decided_early": float((shares < 1).mean()), "read_p50": median, "read_p95": most}
