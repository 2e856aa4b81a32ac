"""What an evaluation keeps of one request: signals, decision, times. Never prompt text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TypeAlias, Union

from routekit.evaluate.columns import Label
from routekit.expressions import Scalar
from routekit.pools.categories import category_of
from routekit.program import Outcome
from routekit.request import Dialect, RequestView, Segment
from routekit.signals import family
from routekit.states import State, Value

_SEALED = "blake2b:"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a policy and a pool router ask of a request beside its text; counts as in `RequestView`.

    Attributes
    ----------
    model
        What the client asked for.
    category
        Kind of text, as the pools' ratios know it.
    """

    dialect: Dialect
    model: str | None
    n_text_bytes: int
    n_images: int
    n_segments: int
    has_tools: bool
    max_output_tokens: int | None
    category: str

    @classmethod
    def of(cls, view: RequestView) -> Facts:
        return cls(
            view.dialect,
            view.model,
            view.n_text_bytes,
            view.n_images,
            len(view.segments),
            bool(view.tools),
            view.max_output_tokens,
            category_of(view),
        )

    def view(self) -> RequestView:
        """Give a request of this shape without any text: a pool router chooses the same for it."""
        segments = (Segment("user", "text", "", 0, 0, 0),) * self.n_segments
        return RequestView(
            self.dialect, self.model, False, segments, self.n_images, (), self.max_output_tokens, self.n_text_bytes
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One request of a log, judged.

    Attributes
    ----------
    source, line, id
        Which request.
    outcome
        What was decided; None if the request was refused.
    refused, status
        Type name of the error that refused it, and the status a gateway would answer with; of a decision, the status
        of a block.
    facts
        None if the body could not be read.
    states
        Signal -> its final state. Values of headers and metadata are digests, unless they are numbers.
    ran
        Classifiers and other costly signals that the decision needed; the rest was recorded after it.
    shadow
        Shadow rules that would have decided.
    estimated_tokens
        The budget that placed it in a pool.
    decided_at
        Share of the body after which a stream was decided; None where that was not measured.
    wall_seconds, cpu_seconds
        From the bytes to the decision; None for a replay. CPU time is that of the deciding thread.
    """

    source: str
    line: int
    id: str
    n_body_bytes: int
    outcome: Outcome | None
    refused: str | None = None
    status: int | None = None
    facts: Facts | None = None
    states: Mapping[str, State] = field(default_factory=dict)
    ran: tuple[str, ...] = ()
    shadow: tuple[str, ...] = ()
    labels: Mapping[str, Label] = field(default_factory=dict)
    expected: Mapping[str, str] = field(default_factory=dict)
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    estimated_tokens: int | None = None
    decided_at: float | None = None
    wall_seconds: float | None = field(default=None, compare=False)
    cpu_seconds: float | None = field(default=None, compare=False)

    @property
    def key(self) -> tuple[str, int]:
        """The identity of the row: ids may repeat."""
        return self.source, self.line

    @property
    def action(self) -> str:
        """``"route"``, ``"block"``, ``"keep"`` or ``"refused"``."""
        return "refused" if self.outcome is None else self.outcome.action

    def named(self, what: str) -> str | None:
        """Give the rule, model, pool or action of the decision; None where there is none."""
        if what == "action":
            return self.action
        name = None if self.outcome is None else getattr(self.outcome, what)
        return name if name is None else str(name)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row of a log that is none, passed over on request."""

    source: str
    line: int
    reason: str

    @property
    def key(self) -> tuple[str, int]:
        return self.source, self.line


Entry: TypeAlias = Union[Row, Skipped]


def sealed(key: str, state: State) -> State:
    """Replace a text that the caller's metadata holds, maybe a token, by a digest; equality can still be tested.

    >>> sealed("header:x-tier", Value("gold", final=True)) == sealed("header:x-tier", Value("gold", final=True))
    True
    """
    if not isinstance(state, Value) or family(key) not in ("header", "metadata") or not isinstance(state.value, str):
        return state
    return state if _is_number(state.value) else Value(seal(state.value), final=True)


def seal(text: str) -> str:
    """Digest a text."""
    return _SEALED + blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, person=b"routekit").hexdigest()


def unsealed(state: State, wanted: Mapping[str, str]) -> State:
    """Open a digest that one of the texts a policy asks for has; `wanted` is digest -> text."""
    value: Scalar | None = state.value if isinstance(state, Value) else None
    return Value(wanted[value], final=True) if isinstance(value, str) and value in wanted else state


def _is_number(text: str) -> bool:
    try:
        return float(text) == float(text)
    except ValueError:
        return False
