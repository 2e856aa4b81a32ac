"""Values made by filling their slots equal those made by their class."""

from __future__ import annotations

import copy
import gc
import sys
from dataclasses import FrozenInstanceError, dataclass, fields
from typing import Any

import pytest

import routekit as rk
from routekit.pools.constructors import constructor_of

VALUES: list[tuple[type, tuple[object, ...]]] = [
    (rk.Decision, ("route", "m", "short", "r", None, {}, False, 7, rk.Trace())),
    (rk.Trace, ((), (), ("shadow",), None, (), None)),
    (rk.Budget, ("prose", 9, 4.0, 3, 4, 7, True, "fits", False, 0)),
]


@pytest.mark.parametrize(("made", "values"), VALUES, ids=lambda v: v.__name__ if isinstance(v, type) else "")
def test_a_value_equals_that_of_its_class(made: type, values: tuple[object, ...]) -> None:
    assert len(values) == len(fields(made))
    built: Any = constructor_of(made)(*values)
    plain = made(*values)
    assert type(built) is made
    assert built == plain
    assert repr(built) == repr(plain)
    assert copy.copy(built) == plain
    with pytest.raises(FrozenInstanceError):
        setattr(built, fields(made)[0].name, "other")
    assert gc.is_tracked(built)


@pytest.mark.parametrize("values", [(), ("prose",), tuple(range(11))])
def test_another_number_of_fields_is_refused(values: tuple[object, ...]) -> None:
    with pytest.raises(TypeError):
        constructor_of(rk.Budget)(*values)


def test_values_neither_leak_nor_vanish() -> None:
    build, shared = constructor_of(rk.Budget), ["a list that many share"]
    before = sys.getrefcount(shared)
    made = [build(shared, *range(9)) for _ in range(1000)]
    assert sys.getrefcount(shared) == before + 1000
    del made
    assert sys.getrefcount(shared) == before


def test_classes_that_do_more_are_left_alone() -> None:
    @dataclass(frozen=True)
    class WithoutSlots:
        a: int

    assert constructor_of(rk.Block) is rk.Block
    assert constructor_of(WithoutSlots) is WithoutSlots


def test_without_the_native_part_it_is_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "routekit._pools", None)
    assert constructor_of(rk.Budget) is rk.Budget


def test_only_slots_can_be_filled() -> None:
    native = pytest.importorskip("routekit._pools", reason="needs the native part (native/build_inplace.sh)")
    for made, names in (
        (int, ("real",)),
        (rk.Block, ("status", "__class__")),
        (type("Sub", (rk.Block,), {}), ("status",)),
    ):
        with pytest.raises(TypeError, match="is not a slot"):
            native.bind(made, names)
    with pytest.raises(AttributeError):
        native.bind(rk.Block, ("absent",))
