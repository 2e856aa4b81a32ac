"""How a decision came about: values only, never prompt text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, Union, overload

from routekit.explanation import trace_html

#: Kleene truth of a rule; a failed signal may leave it unknown.
Outcome: TypeAlias = Literal["true", "false", "unknown", "not_reached"]
T = TypeVar("T")


class LateTuple(Sequence[T]):
    """A tuple that is made when somebody looks: most decisions are never explained."""

    __slots__ = ("_items",)

    def __init__(self, make: Callable[[], tuple[T, ...]]) -> None:
        self._items: Callable[[], tuple[T, ...]] | tuple[T, ...] = make

    def _made(self) -> tuple[T, ...]:
        if not isinstance(self._items, tuple):
            self._items = self._items()
        return self._items

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._made()[index]

    def __iter__(self) -> Iterator[T]:
        return iter(self._made())

    def __len__(self) -> int:
        return len(self._made())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (tuple, LateTuple)) and self._made() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._made())

    def __repr__(self) -> str:
        return repr(self._made())

    def __reduce__(self) -> tuple[type[tuple[T, ...]], tuple[tuple[T, ...]]]:
        return tuple, (self._made(),)


@dataclass(frozen=True, slots=True)
class RuleTrace:
    """One rule, in list order: what it came to, and why (the expression with its signal values, no text)."""

    name: str
    outcome: Outcome
    shadow: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SignalTrace:
    """One signal: its final state, what it read, what it cost, and which stage settled it, where there are several.

    Attributes
    ----------
    coverage
        Share of the text that was read; None for a signal that did not come to its end: the share is not known while
        text arrives.
    """

    name: str
    state: Literal["final", "bounded", "failed", "not_run"]
    summary: str = ""
    coverage: float | None = 1.0
    seconds: float = 0.0
    error: str | None = None
    tier: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """The token budget behind a choice of pool: all in tokens.

    Attributes
    ----------
    prompt_tokens
        Estimate from bytes and the category's ratio, images at a fixed reserve.
    max_output_tokens
        The request's cap, or the configured default.
    reason
        Why this pool: ``"fits"`` (the smallest), ``"threshold"`` or ``"hard"`` (a smaller one is not given it, or
        cannot hold it), ``"spill"`` or ``"health"`` (another is overloaded or down), ``"policy"``, ``"retry"`` (after
        an overflow), ``"compress"`` (after the prompt was cut), ``"early"`` (before the body ended: all lower bounds).
    n_images
        Images and other parts counted at the reserve; such a request teaches no ratio.
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
    n_images: int = 0


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

    rules: Union[tuple[RuleTrace, ...], LateTuple[RuleTrace]] = ()
    signals: Union[tuple[SignalTrace, ...], LateTuple[SignalTrace]] = ()
    shadow: tuple[str, ...] = ()
    budget: Budget | None = None
    transforms: tuple[str, ...] = ()
    metadata: Mapping[str, str] | None = None

    def _repr_html_(self) -> str:
        return trace_html(self)
