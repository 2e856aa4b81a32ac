"""Conditions over signals: what stands in the `when` of a rule.

A comparison asks one signal one question; ``&``, ``|`` and ``~`` combine comparisons. Nothing is evaluated here: an
expression is a value that a policy compiles, prints and writes to a file.

>>> import routekit as rk
>>> (rk.signal("jailbreak") >= 0.9) & ~rk.signal("pii").any()
jailbreak >= 0.9 & ~pii.fires()
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, Union, cast

from routekit.errors import PolicyError, UsageError, plain, quoted

Scalar: TypeAlias = Union[str, float, bool]
#: ``in`` tests equality with one of several values; ``ran`` holds as soon as the signal has any value at all.
Op: TypeAlias = Literal[">=", ">", "<=", "<", "in", "fires", "ran"]

#: Integers beyond it are no float any more.
_LARGEST = 1e300


@dataclass(frozen=True, slots=True)
class Comparison:
    """One question to one signal.

    Attributes
    ----------
    signal
        Key of the signal: its name, or family and name as in ``"header:x-tier"``.
    operand
        A number for an ordering, the tuple of accepted values for ``in``, else None.
    label
        The label whose probability an ordering reads; None reads the signal's own number.
    """

    signal: str
    op: Op
    operand: float | tuple[Scalar, ...] | None = None
    label: str | None = None

    @property
    def value(self) -> Scalar | None:
        """The one value that an equality accepts; None for several, for a set flag, and for other questions."""
        values = self.operand if isinstance(self.operand, tuple) else ()
        return values[0] if len(values) == 1 and values[0] is not True else None

    def __str__(self) -> str:
        return self.written("==")

    def written(self, equals: Literal["==", "!="]) -> str:
        """Write it as in code, an equality with this sign."""
        subject = plain(self.signal) + ("" if self.label is None else f"[{quoted(self.label)}]")
        if self.op in ("fires", "ran"):
            return f"{subject}.{self.op}()"
        if self.op != "in":
            return f"{subject} {self.op} {self.operand}"
        values = cast("tuple[Scalar, ...]", self.operand)
        if len(values) == 1 and values[0] is True:
            return subject
        shown = [quoted(v) if isinstance(v, str) else str(v) for v in values]
        return subject + (f" {equals} {shown[0]}" if len(shown) == 1 else f".any_of({', '.join(shown)})")


@dataclass(frozen=True, slots=True, repr=False)
class Expression:
    """A condition: one comparison, or ``all``, ``any``, ``not`` of other conditions.

    Build it with `signal` and the operators; ``bool()`` of it is an error, so that ``and``, ``or``, ``not``, ``if`` and
    chained comparisons cannot go wrong silently.
    """

    op: Literal["test", "all", "any", "not"]
    parts: tuple[Expression, ...] = ()
    test: Comparison | None = None

    def __and__(self, other: Expression) -> Expression:
        return _combined("all", self, other)

    def __or__(self, other: Expression) -> Expression:
        return _combined("any", self, other)

    def __invert__(self) -> Expression:
        return self.parts[0] if self.op == "not" else Expression("not", (self,))

    def __bool__(self) -> bool:
        raise UsageError("a condition has no truth value before a request is read; combine conditions with & | ~")

    def __repr__(self) -> str:
        if self.op == "test":
            return str(self.test)
        if self.op == "not":
            test = self.parts[0].test
            return "~" + _nested(self.parts[0]) if test is None or test.value is None else test.written("!=")
        return (" & " if self.op == "all" else " | ").join(_nested(part) for part in self.parts)

    def comparisons(self) -> Iterator[Comparison]:
        """Walk over every comparison, left to right."""
        if self.test is not None:
            yield self.test
        for part in self.parts:
            yield from part.comparisons()


def _combined(op: Literal["all", "any"], left: Expression, right: object) -> Expression:
    if not isinstance(right, Expression):
        raise UsageError(
            f"& and | combine conditions; got {type(right).__name__}: compare a signal with something first"
        )
    flat = [*(left.parts if left.op == op else (left,)), *(right.parts if right.op == op else (right,))]
    return Expression(op, tuple(flat))


def _nested(part: Expression) -> str:
    return f"({part!r})" if part.op in ("all", "any") else repr(part)


def _test(
    signal: str, op: Op, operand: float | tuple[Scalar, ...] | None = None, label: str | None = None
) -> Expression:
    return Expression("test", test=Comparison(signal, op, operand, label))


def _number(signal: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -_LARGEST <= value <= _LARGEST:
        # An integer is not shown: those of thousands of digits cannot be.
        shown = f"{value}" if isinstance(value, float) else f"a {type(value).__name__}"
        raise PolicyError(f"signal {quoted(signal)} is compared with {shown}; allowed: a finite number")
    return value


@dataclass(frozen=True, slots=True)
class Probability:
    """P of one label of a classifier; compare it with a number from 0 to 1."""

    signal: str
    label: str

    def _ordering(self, op: Op, value: object) -> Expression:
        threshold = _number(self.signal, value)
        if not 0 <= threshold <= 1:
            raise PolicyError(f"{self.signal}[{quoted(self.label)}] is compared with {threshold}; allowed: 0 to 1")
        return _test(self.signal, op, threshold, self.label)

    def __ge__(self, value: float) -> Expression:
        return self._ordering(">=", value)

    def __gt__(self, value: float) -> Expression:
        return self._ordering(">", value)

    def __le__(self, value: float) -> Expression:
        return self._ordering("<=", value)

    def __lt__(self, value: float) -> Expression:
        return self._ordering("<", value)


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """A named signal, to be compared.

    What a comparison reads depends on the signal:

    * classifiers: orderings read P of the positive labels (their sum, or their maximum if the classifier is
      `multi_label`); ``==`` and `any_of` read the verdict's label, for a `multi_label` classifier the labels whose P
      reaches its threshold; `fires` asks whether a positive label is the verdict, by the classifier's own threshold.
    * numbers (``context_tokens``, ``n_images``), texts (``model``, ``language``), flags (``has_tools``) and metadata
      are read as they are. What is missing (no such header, no model in the body) equals nothing, so ``!=`` holds,
      and stands in no order to anything.
    """

    key: str

    def __getitem__(self, label: str) -> Probability:
        return Probability(self.key, label)

    def __contains__(self, label: object) -> bool:
        raise UsageError(f"in does not ask {quoted(self.key)}; compare it: ==, any_of(...), or [label] >= 0.5")

    #: Without it, Python would iterate by asking for label 0, 1, 2 and so on, for ever.
    __iter__ = None

    def __ge__(self, value: float) -> Expression:
        return _test(self.key, ">=", _number(self.key, value))

    def __gt__(self, value: float) -> Expression:
        return _test(self.key, ">", _number(self.key, value))

    def __le__(self, value: float) -> Expression:
        return _test(self.key, "<=", _number(self.key, value))

    def __lt__(self, value: float) -> Expression:
        return _test(self.key, "<", _number(self.key, value))

    def __eq__(self, value: object) -> Expression:  # type: ignore[override]
        return self.any_of(cast("Scalar", value))

    def __ne__(self, value: object) -> Expression:  # type: ignore[override]
        return ~self.any_of(cast("Scalar", value))

    __hash__ = None  # type: ignore[assignment]

    def any_of(self, *values: Scalar) -> Expression:
        """Hold when the signal's value, label or one of its labels is among `values`."""
        for value in values:
            if isinstance(value, (list, tuple, set, frozenset)):
                raise PolicyError(f"signal {quoted(self.key)}: == takes one value, any_of(...) several, not in a list")
            if not isinstance(value, str):
                _number(self.key, int(value) if isinstance(value, bool) else value)
        if not values:
            raise PolicyError(f"signal {quoted(self.key)}: any_of() needs at least one value")
        return _test(self.key, "in", tuple(values))

    def fires(self) -> Expression:
        """Hold when a positive label is the classifier's own verdict."""
        return _test(self.key, "fires")

    #: The same question; reads better for PII: ``pii.any()``.
    any = fires

    def is_true(self) -> Expression:
        """Hold when a flag such as ``has_tools`` is set."""
        return _test(self.key, "in", (True,))

    def __bool__(self) -> bool:
        raise UsageError(f"signal {quoted(self.key)} has no truth value before a request is read; compare it first")


def signal(name: str) -> Signal:
    """Name a signal, to be compared.

    Parameters
    ----------
    name
        A classifier's name (``"jailbreak"``, ``"domain"``, ``"pii"``, or one of your own), or one of the built-in
        ``"model"``, ``"context_tokens"``, ``"n_images"``, ``"has_tools"``, ``"language"``.

    Examples
    --------
    >>> signal("domain")["math"] >= 0.6
    domain['math'] >= 0.6
    >>> signal("model") != "auto"
    model != 'auto'
    """
    return Signal(name)


def header(name: str) -> Signal:
    """Name a header in the caller's metadata; upper and lower case do not matter.

    Examples
    --------
    >>> header("X-Tier") == "gold"
    header:x-tier == 'gold'
    """
    return Signal(f"header:{name.lower()}")


def metadata(name: str) -> Signal:
    """Name a value of the caller's metadata, spelled exactly so."""
    return Signal(f"metadata:{name}")


def keywords(name: str) -> Expression:
    """Hold when the text contains a member of the policy's keyword set `name`."""
    return _test(f"keywords:{name}", "in", (True,))


def pattern(name: str) -> Expression:
    """Hold when the policy's regular expression `name` matches somewhere in the text."""
    return _test(f"pattern:{name}", "in", (True,))
