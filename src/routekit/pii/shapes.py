"""Shapes of written numbers, compiled into one automaton that reads groups.

A shape is a row of groups with glue between them: ``d{3}-d{2}[-. ]d{4}``. ``d`` is a group of digits, ``a`` of letters,
``x`` of both, ``w`` any of the three; ``{n}`` or ``{m,n}`` is its length; between groups stands one glue or a choice.
All shapes run at once over all starting points: time is linear in the text, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from routekit.errors import ConfigError, quoted
from routekit.pii.groups import DIGITS, GLUE, LETTERS, MIXED, N_CODES, Groups, group_code

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]

_PART = re.compile(r"([daxw])\{(\d+)(?:,(\d+))?\}(\[[^\]]+\]|.)?")
_KINDS = {"d": (DIGITS,), "a": (LETTERS,), "x": (MIXED,), "w": (DIGITS, LETTERS, MIXED)}
_N_GLUE = len(GLUE) + 1

_State: TypeAlias = "frozenset[tuple[int, int]]"


@dataclass(frozen=True, slots=True)
class Shape:
    """A parsed shape: per group its possible codes, and the glue that may stand before it."""

    groups: tuple[frozenset[int], ...]
    glue_before: tuple[frozenset[int], ...]

    @property
    def glue(self) -> frozenset[int]:
        """All glue inside the shape."""
        return frozenset().union(*self.glue_before)


def parse(text: str) -> Shape:
    """Read a shape.

    Raises
    ------
    ConfigError
        If the text is not a shape.

    Examples
    --------
    >>> len(parse("d{3}-d{2}[-. ]d{4}").groups)
    3
    """
    groups: list[frozenset[int]] = []
    before: list[frozenset[int]] = [frozenset()]
    position = 0
    while part := _PART.match(text, position):
        kind, low, high, glue = part.groups()
        lengths = range(int(low), int(high or low) + 1)
        groups.append(frozenset(group_code(k, n) for k in _KINDS[kind] for n in lengths))
        before.append(frozenset(GLUE.index(c) + 1 for c in (glue or "").strip("[]")))
        position = part.end()
    if not groups or position != len(text) or before[-1]:
        raise ConfigError(f"{quoted(text)} is no shape; write groups such as d{{3}} with glue of {GLUE!r} between")
    return Shape(tuple(groups), tuple(before[:-1]))


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """All shapes in one deterministic automaton.

    Attributes
    ----------
    first
        shape (N_CODES,), int16: state after a first group, 0 for none.
    column
        shape (n_glue, N_CODES), int16: column of `step` for a further group.
    step
        shape (n_states, n_columns), int16: next state, 0 for none.
    accepts
        Per state, the indices of the shapes that end there.
    depth
        Groups in the longest shape.
    """

    first: NDArray[np.int16]
    column: NDArray[np.int16]
    step: NDArray[np.int16]
    accepts: tuple[tuple[int, ...], ...]
    depth: int

    def run(self, groups: Groups) -> tuple[Ints, Ints, Ints]:
        """Return first group, last group and state of every stretch of groups that has a shape."""
        accepting = np.array([bool(a) for a in self.accepts])
        alive = np.flatnonzero(self.first[groups.code])
        state = self.first[groups.code[alive]]
        found = [(alive[:0], alive[:0], state[:0])]
        for reach in range(self.depth):
            if not len(alive):
                break
            hit = accepting[state]
            found.append((alive[hit], alive[hit] + reach, state[hit]))
            inside = alive + reach + 1 < len(groups.code)
            alive, state = alive[inside], state[inside]
            after = alive + reach + 1
            state = self.step[state, self.column[groups.glue[after - 1], groups.code[after]]]
            alive, state = alive[state > 0], state[state > 0]
        begin, last, states = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return begin, last, states.astype(np.int64)


def compile_shapes(shapes: Sequence[Shape]) -> Automaton:
    """Build the automaton of many shapes by the subset construction."""
    numbers: dict[_State, int] = {frozenset(): 0}
    pending: list[_State] = []

    def number(items: set[tuple[int, int]]) -> int:
        state = frozenset(items)
        if state not in numbers:
            numbers[state] = len(numbers)
            pending.append(state)
        return numbers[state]

    first = np.zeros(N_CODES, dtype=np.int16)
    for code, items in _first_items(shapes).items():
        first[code] = number(items)
    rows: dict[int, dict[tuple[int, int], int]] = {}
    while pending:
        state = pending.pop()
        rows[numbers[state]] = {key: number(items) for key, items in _next_items(shapes, state).items()}
    step = np.zeros((len(numbers), _N_GLUE * N_CODES), dtype=np.int16)
    for row, cells in rows.items():
        for (glue, code), target in cells.items():
            step[row, glue * N_CODES + code] = target
    column, distinct = _distinct_columns(step)
    accepts = tuple(tuple(sorted(s for s, p in state if p + 1 == len(shapes[s].groups))) for state in numbers)
    return Automaton(
        first,
        column.reshape(_N_GLUE, N_CODES),
        distinct,
        accepts,
        max(len(shape.groups) for shape in shapes),
    )


def _distinct_columns(step: NDArray[np.int16]) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return, for each column, its place among the distinct ones, and those; most columns are alike."""
    columns = np.ascontiguousarray(step.T)
    places: dict[bytes, int] = {}
    column = [places.setdefault(row.tobytes(), len(places)) for row in columns]
    distinct = np.array([np.frombuffer(row, dtype=np.int16) for row in places])
    return np.array(column, dtype=np.int16), np.ascontiguousarray(distinct.T)


def _first_items(shapes: Sequence[Shape]) -> dict[int, set[tuple[int, int]]]:
    items: dict[int, set[tuple[int, int]]] = {}
    for index, shape in enumerate(shapes):
        for code in shape.groups[0]:
            items.setdefault(code, set()).add((index, 0))
    return items


def _next_items(shapes: Sequence[Shape], state: _State) -> dict[tuple[int, int], set[tuple[int, int]]]:
    items: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for index, position in state:
        shape, after = shapes[index], position + 1
        if after == len(shape.groups):
            continue
        for glue in shape.glue_before[after]:
            for code in shape.groups[after]:
                items.setdefault((glue, code), set()).add((index, after))
    return items
