"""Which signals exist besides classifiers, and what may be asked of each.

======================  ========================================================  =========================
key                     value                                                     known
======================  ========================================================  =========================
``model``               text: the model that the client asked for                 as soon as it was read
``header:NAME``         text from the caller's metadata, name in lower case       from the start
``metadata:NAME``       text, number or flag from the caller's metadata           from the start
``context_tokens``      number: bytes of text / bytes per token, rounded up       lower bound early
``n_images``            number: images, audio and files that no classifier reads  at the end
``has_tools``           flag: the request declares tools                          at the end
``keywords:NAME``       flag: a keyword of the set occurs                         true early, false at the end
``language``            text: code of the user's language, e.g. zh; may FAIL      at the end
``pattern:NAME``        flag: the regular expression matches; may FAIL            at the end
any other               a classifier's verdict; may FAIL                          lower bounds early
======================  ========================================================  =========================
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from routekit.errors import PolicyError, quoted
from routekit.expressions import Comparison

Kind: TypeAlias = Literal["text", "number", "flag", "any", "classifier"]

#: Names that no classifier may take.
VALUE_KINDS: dict[str, Kind] = {
    "model": "text",
    "context_tokens": "number",
    "n_images": "number",
    "has_tools": "flag",
    "language": "text",
}
FAMILY_KINDS: dict[str, Kind] = {"header": "any", "metadata": "any", "keywords": "flag", "pattern": "flag"}
#: Milliseconds for 1K tokens, as for classifiers: what is cheap is asked first.
COSTS = {"keywords": 0.02, "language": 0.05, "pattern": 0.2}

_ORDERINGS = (">=", ">", "<=", "<")
#: How to ask what is no classifier.
_ASK: dict[Kind, str] = {
    "text": "ask == or any_of, in a policy file equals or any_of",
    "number": "ask >=, >, <= or <, in a policy file at_least, above, at_most or below",
    "flag": "ask is_true(), in a policy file equals = true",
    "any": "ask == or any_of, in a policy file equals or any_of",
}


def family(key: str) -> str:
    """Give the part of a key that stands for a whole family: ``"header"`` for ``"header:x-tier"``.

    >>> family("header:x-tier"), family("jailbreak")
    ('header', 'jailbreak')
    """
    head, colon, _ = key.partition(":")
    return head if colon and head in FAMILY_KINDS else key


def kind_of(key: str) -> Kind:
    """Tell what a signal's value is.

    Raises
    ------
    PolicyError
        For a family without a name, such as ``signal("header")``.
    """
    head = family(key)
    if head != key:
        return FAMILY_KINDS[head]
    if key in FAMILY_KINDS:
        raise PolicyError(f'signal {quoted(key)} needs a name: rk.{key}("...") in code; name or set in a policy file')
    return VALUE_KINDS.get(key, "classifier")


def can_fail(key: str) -> bool:
    """Say whether a signal may end as FAILED: those that run someone's code or model."""
    return kind_of(key) == "classifier" or family(key) in ("language", "pattern")


def check_comparison(test: Comparison) -> None:
    """Refuse a question that a signal cannot answer, as far as its name tells.

    Raises
    ------
    PolicyError
        E.g. for ``signal("model") >= 3`` or ``signal("jailbreak") >= 1.5``.
    """
    kind = kind_of(test.signal)
    ordering = test.op in _ORDERINGS
    if kind == "classifier":
        if ordering and not 0 <= _as_number(test.operand) <= 1:
            raise PolicyError(f"classifier {quoted(test.signal)} is compared with {test.operand}; allowed: 0 to 1")
        if test.op == "in" and not all(isinstance(value, str) for value in _operands(test)):
            raise PolicyError(
                f"classifier {quoted(test.signal)} is compared by == with {test.operand}; allowed: labels"
            )
        return
    if test.op in ("fires", "ran") or test.label is not None:
        raise PolicyError(
            f"signal {quoted(test.signal)} is a {kind}, no classifier: it has no labels and never fires; {_ASK[kind]}"
        )
    if ordering and kind in ("text", "flag"):
        raise PolicyError(f"signal {quoted(test.signal)} is a {kind}; {test.op} needs a number: use == or any_of")
    wanted = {"text": str, "flag": bool, "number": (int, float)}.get(kind)
    if test.op == "in" and wanted is not None and not all(isinstance(v, wanted) for v in _operands(test)):  # type: ignore[arg-type]
        raise PolicyError(f"signal {quoted(test.signal)} is a {kind}; it cannot equal {test.operand}")


def _as_number(operand: object) -> float:
    return operand if isinstance(operand, (int, float)) else 0.0


def _operands(test: Comparison) -> tuple[object, ...]:
    return test.operand if isinstance(test.operand, tuple) else ()
