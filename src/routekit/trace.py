"""How a decision came about: values only, never prompt text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

#: Kleene truth of a rule; ``error`` marks a rule that a failed signal left unknown.
Outcome: TypeAlias = Literal["true", "false", "unknown", "not_reached"]


@dataclass(frozen=True, slots=True)
class RuleTrace:
    """One rule, in list order: what it came to, and why (the expression with its signal values, no text)."""

    name: str
    outcome: Outcome
    shadow: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SignalTrace:
    """One signal: its final state, what it read and what it cost."""

    name: str
    state: Literal["final", "bounded", "failed", "not_run"]
    summary: str = ""
    coverage: float = 1.0
    seconds: float = 0.0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """The token budget behind a choice of pool: all in tokens.

    Attributes
    ----------
    prompt_tokens
        Estimate from bytes and the category's ratio.
    max_output_tokens
        The request's cap, or the configured default.
    reason
        Why this pool, e.g. ``"hard"``, ``"threshold"``, ``"spill"``.
    """

    category: str
    n_bytes: int
    bytes_per_token: float
    prompt_tokens: int
    max_output_tokens: int
    total_tokens: int
    calibrated: bool
    reason: str
    spilled: bool = False


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything that led to a decision.

    Attributes
    ----------
    shadow
        Names of the shadow rules that would have won.
    transforms
        What the policy changed in the prompt, e.g. ``"redact:CREDIT_CARD"``; empty when bytes pass untouched.
    """

    rules: tuple[RuleTrace, ...] = ()
    signals: tuple[SignalTrace, ...] = ()
    shadow: tuple[str, ...] = ()
    budget: Budget | None = None
    transforms: tuple[str, ...] = ()
    metadata: Mapping[str, str] | None = None
