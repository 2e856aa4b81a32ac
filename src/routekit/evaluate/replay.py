"""Decides recorded requests by another policy, without running a classifier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, TypeAlias, Union

from routekit.decision import Decision
from routekit.errors import PolicyError, UsageError, quoted
from routekit.evaluate.judging import FACTS, REFUSALS
from routekit.evaluate.provenance import Provenance, definitions_of
from routekit.evaluate.row import Entry, Facts, Row, seal, unsealed
from routekit.kleene import TRUE
from routekit.policy import Policy
from routekit.policy_check import errors_of
from routekit.program import Outcome, Program, compiled
from routekit.states import State, Value

if TYPE_CHECKING:
    from routekit.pools.router import PoolRouter

#: Pools behind the models, as `PolicyRouter` takes them.
PoolChoice: TypeAlias = Union["PoolRouter", Mapping[str, "PoolRouter"], None]


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """A policy over recorded signals.

    Attributes
    ----------
    texts
        Signal of metadata -> digest -> text that the policy compares it with.
    """

    program: Program
    bytes_per_token: float
    pools: PoolChoice
    texts: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, policy: Policy, provenance: Provenance, pools: PoolChoice) -> Replay:
        """Prepare a policy.

        Raises
        ------
        UsageError
            If it asks for what was not recorded.
        PolicyError
            If it does not fit the classifiers.
        """
        _check_recorded(policy, provenance)
        if errors := errors_of(policy, provenance.traits):
            raise PolicyError("; ".join(error.message for error in errors))
        program = compiled(policy, provenance.traits)
        texts = {key: _operands(program, key) for key in program.metadata_keys}
        return cls(program, provenance.bytes_per_token, pools, texts)

    def entries(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Decide each row again; what was skipped, or could not be read, stays so."""
        for entry in entries:
            yield self.row(entry) if isinstance(entry, Row) and entry.facts is not None else entry

    def row(self, row: Row, states: Mapping[str, State] | None = None) -> Row:
        """Decide one row again.

        Parameters
        ----------
        states
            In place of those that were recorded.
        """
        assert row.facts is not None  # noqa: S101 - `entries` passes no other
        outcome, shadow = self.outcome(row.facts, row.states if states is None else states)
        again = replace(row, outcome=outcome, status=outcome.status, shadow=shadow, refused=None, estimated_tokens=None)
        again = replace(again, ran=(), decided_at=None, wall_seconds=None, cpu_seconds=None)
        return self._placed(again, outcome, row.facts)

    def outcome(self, facts: Facts, states: Mapping[str, State]) -> tuple[Outcome, tuple[str, ...]]:
        """Give what the policy comes to, and the shadow rules that would have decided."""
        program, results = self.program, list(self.program.start)
        for key, groups in program.asked.items():
            state = self._state(key, facts, states)
            for group in groups:
                end = group.start + len(group.comparisons)
                results[group.start : end] = group.results(state, program.traits.get(key))
        outcome = program.verdict(results)
        if not isinstance(outcome, Outcome):
            raise UsageError("a recorded signal has no final state; evaluate again")
        if outcome.action == "keep":
            outcome = outcome._replace(model=facts.model)
        return outcome, tuple(rule.name for rule in program.watching(results) if rule.test(results) == TRUE)

    def _state(self, key: str, facts: Facts, states: Mapping[str, State]) -> State:
        if key in FACTS:
            return Value(self._fact(key, facts), final=True)
        if key not in states:
            raise UsageError(f"signal {quoted(key)} was not recorded for every request; evaluate again")
        return unsealed(states[key], self.texts[key]) if key in self.texts else states[key]

    def _fact(self, key: str, facts: Facts) -> str | float | None:
        if key == "context_tokens":
            return ceil(facts.n_text_bytes / self.bytes_per_token)
        return {"model": facts.model, "n_images": facts.n_images, "has_tools": facts.has_tools}[key]

    def _placed(self, row: Row, outcome: Outcome, facts: Facts) -> Row:
        pools = self.pools.get(outcome.model or "") if isinstance(self.pools, Mapping) else self.pools
        if pools is None or outcome.action == "block":
            return row
        try:
            decision = pools.place(Decision(*outcome), facts.view(), category=facts.category)
        except REFUSALS as error:
            return replace(row, outcome=None, refused=type(error).__name__, status=error.status_hint, shadow=())
        budget = decision.trace.budget
        n_tokens = None if budget is None else budget.total_tokens
        return replace(row, outcome=outcome._replace(pool=decision.pool), estimated_tokens=n_tokens)


def _check_recorded(policy: Policy, provenance: Provenance) -> None:
    asked = [key for key in policy.signals() if key not in FACTS]
    missing = [key for key in asked if key not in provenance.recorded]
    if missing:
        raise UsageError(
            f"the policy asks for {', '.join(quoted(key) for key in missing)}, which the evaluation did not record; "
            "evaluate with signals=[...], naming them or the policy"
        )
    definitions = definitions_of([policy])
    for key in asked:
        if key in definitions and definitions[key] != provenance.definitions.get(key):
            raise UsageError(f"{quoted(key)} means something else than what was recorded; rename it and evaluate again")


def _operands(program: Program, key: str) -> dict[str, str]:
    operands = [
        value
        for test in program.comparisons
        if test.signal == key and isinstance(test.operand, tuple)
        for value in test.operand
    ]
    return {seal(value): value for value in operands if isinstance(value, str)}
