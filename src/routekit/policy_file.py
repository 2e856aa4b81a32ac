"""Policies as plain data: JSON and TOML files, read strictly and written back.

    default = "general"                                    # an action; a plain text is the model to route to
    on_error = { jailbreak = "block", domain = "skip" }

    [keywords]
    customer-names = ["Acme Corp", "Globex"]

    [patterns]
    ticket = 'INC-\\d{7}'

    [[rules]]
    name = "block-jailbreak"
    when = { signal = "jailbreak", at_least = 0.9 }
    then = { block = 403 }

Conditions: ``all``, ``any``, ``not`` of conditions, or a signal with one question: ``at_least``, ``above``,
``at_most``, ``below`` (with ``label`` for one label's probability), ``equals``, ``not_equals``, ``any_of``,
``fires = true``, ``any = true``. The signal ``keywords`` takes ``set``; ``pattern``, ``header`` and ``metadata`` take
``name``. Actions: ``{ block = 403 }``, ``{ route = "model" }``, ``{ keep = true }``, the last two with ``pool``,
``redact``, ``compress_to``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from routekit.decision import Action, Block, Keep, RouteTo
from routekit.errors import ConfigError, PolicyError, quoted
from routekit.expressions import (
    Comparison,
    Expression,
    Op,
    Probability,
    Scalar,
    Signal,
    header,
    keywords,
    metadata,
    pattern,
)
from routekit.policy_values import (
    flag_at,
    integer_at,
    list_at,
    listed,
    mapping_at,
    number_at,
    table_at,
    text_at,
    texts_at,
)
from routekit.rule import Rule
from routekit.signals import check_comparison

if TYPE_CHECKING:
    from routekit.policy import Policy

T = TypeVar("T")

_POLICY_KEYS = ("default", "keywords", "on_error", "pattern_seconds", "patterns", "rules")
_RULE_KEYS = ("name", "shadow", "then", "when")
_ORDERINGS: dict[str, Op] = {"at_least": ">=", "above": ">", "at_most": "<=", "below": "<"}
_QUESTIONS = (*_ORDERINGS, "equals", "not_equals", "any_of", "fires", "any")
_CONDITION_KEYS = ("all", "any", "not", "signal", "label", "name", "set", *_QUESTIONS)
_NAMED: dict[str, tuple[str, Callable[[str], Signal | Expression]]] = {
    "keywords": ("set", keywords),
    "pattern": ("name", pattern),
    "header": ("name", header),
    "metadata": ("name", metadata),
}
_FORWARD_KEYS = ("pool", "redact", "compress_to")
#: Deepest nesting of conditions: far more than anyone writes, far less than the interpreter's stack.
_MAX_DEPTH = 50


def read_policy_file(path: Path) -> Mapping[str, object]:
    """Read a JSON or TOML file into plain data; see `Policy.load`.

    Raises
    ------
    PolicyError
        If the file cannot be read, or is neither JSON nor TOML.
    """
    if path.suffix not in (".json", ".toml"):
        raise PolicyError(f"its name ends in {quoted(path.suffix)}; allowed: .json, .toml")
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text, object_pairs_hook=_distinct) if path.suffix == ".json" else _toml(text)
    except OSError as error:
        raise PolicyError(f"it cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise PolicyError(f"it is not valid {path.suffix[1:].upper()}: {error}") from None
    return mapping_at(data, "policy")


def _distinct(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """TOML refuses a key that is written twice; JSON parsers take the last and hide the first."""
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise PolicyError(f"the key {quoted(twice)} stands twice in one table; keep one")
    return table


def _toml(text: str) -> object:
    for module in ("tomllib", "tomli"):
        if find_spec(module) is not None:
            return import_module(module).loads(text)
    raise PolicyError("TOML needs Python 3.11, or: pip install routekit[toml]; or write the policy as JSON")


def policy_fields(data: object) -> dict[str, Any]:
    """Read plain data into the arguments of `Policy`; see `Policy.from_dict`."""
    table = table_at(data, "policy", _POLICY_KEYS)
    if "default" not in table:
        raise PolicyError("policy: default is missing; name the model that requests go to when no rule holds")
    rules = list_at(table.get("rules", []), "rules")
    return {
        "rules": [_rule(rule, f"rules[{i}]") for i, rule in enumerate(rules)],
        "default": _action(table["default"], "default"),
        "on_error": texts_at(table.get("on_error", {}), "on_error"),
        "keywords": mapping_at(table.get("keywords", {}), "keywords"),
        "patterns": texts_at(table.get("patterns", {}), "patterns"),
        "pattern_seconds": number_at(table.get("pattern_seconds", 0.25), "pattern_seconds"),
    }


def policy_problems(data: object) -> list[str]:
    """List what stops plain data from being a policy: the first problem of each rule, and of the rest.

    What is wrong between sound parts, such as names that repeat, is for `Policy` to say.
    """
    problems = list(_problems(lambda: table_at(data, "policy", _POLICY_KEYS)))
    if not isinstance(data, Mapping):
        return problems
    rules = data.get("rules", [])
    if isinstance(rules, (list, tuple)):
        for i, rule in enumerate(rules):
            problems += _problems(partial(_rule, rule, f"rules[{i}]"))
        rules = []
    rest = {**{key: value for key, value in data.items() if key in _POLICY_KEYS}, "rules": rules}
    problems += _problems(lambda: policy_fields(rest))
    return problems


def _problems(build: Callable[[], object]) -> Iterator[str]:
    try:
        build()
    except ConfigError as error:
        yield str(error)


def _rule(data: object, where: str) -> Rule:
    table = table_at(data, where, _RULE_KEYS)
    for key in ("name", "when", "then"):
        if key not in table:
            raise PolicyError(f"{where}: {key} is missing")
    name = text_at(table["name"], f"{where}.name")
    when = _condition(table["when"], f"{where}.when", 0)
    then = _action(table["then"], f"{where}.then")
    shadow = flag_at(table.get("shadow", False), f"{where}.shadow")
    return _placed(lambda: Rule(name, when, then, shadow), where)


def _condition(data: object, where: str, depth: int) -> Expression:
    table = table_at(data, where, _CONDITION_KEYS)
    if depth > _MAX_DEPTH:
        raise PolicyError(f"{where}: conditions are nested over {_MAX_DEPTH} deep; write them flatter")
    if "signal" in table:
        return _question(table, where)
    if len(table) != 1 or (key := next(iter(table))) not in ("all", "any", "not"):
        raise PolicyError(
            f"{where} has the keys {listed(table)}; allowed: signal with one question, or all, any, not alone"
        )
    if key == "not":
        return ~_condition(table[key], f"{where}.not", depth + 1)
    parts = [
        _condition(p, f"{where}.{key}[{i}]", depth + 1) for i, p in enumerate(list_at(table[key], f"{where}.{key}"))
    ]
    if not parts:
        raise PolicyError(f"{where}.{key} is empty; allowed: a list of at least one condition")
    result = parts[0]
    for part in parts[1:]:
        result = result & part if key == "all" else result | part
    return result


def _question(table: Mapping[str, object], where: str) -> Expression:
    name = text_at(table["signal"], f"{where}.signal")
    subject: Signal | Expression = Signal(name)
    allowed = ["signal", "label", *_QUESTIONS]
    if name in _NAMED:
        key, build = _NAMED[name]
        if key not in table:
            raise PolicyError(f"{where}: the signal {quoted(name)} needs the key {quoted(key)}")
        subject = build(text_at(table[key], f"{where}.{key}"))
        allowed = ["signal", key, *(_QUESTIONS if isinstance(subject, Signal) else ())]
    for key in table:
        if key not in allowed:
            raise PolicyError(f"{where}.{key} is not allowed for the signal {quoted(name)}; allowed: {listed(allowed)}")
    if isinstance(subject, Expression):
        return subject
    asked = [key for key in _QUESTIONS if key in table]
    if len(asked) != 1:
        raise PolicyError(
            f"{where} asks {listed(asked) if asked else 'nothing'}; allowed: exactly one of {listed(_QUESTIONS)}"
        )
    return _answerable(subject, asked[0], table, where)


def _answerable(subject: Signal, question: str, table: Mapping[str, object], where: str) -> Expression:
    value, at = table[question], f"{where}.{question}"
    if question in _ORDERINGS:
        number = number_at(value, at)
        target: Signal | Probability = subject
        if "label" in table:
            target = subject[text_at(table["label"], f"{where}.label")]
        operators: dict[str, Callable[[float], Expression]] = {
            "at_least": target.__ge__,
            "above": target.__gt__,
            "at_most": target.__le__,
            "below": target.__lt__,
        }
        return _checked(lambda: operators[question](number), at)
    if "label" in table:
        raise PolicyError(f"{where}.label goes with {listed(_ORDERINGS)} only")
    if question in ("fires", "any"):
        fires = _checked(subject.fires, at)
        return fires if flag_at(value, at) else ~fires
    values = list_at(value, at) if question == "any_of" else [value]
    if not values or not all(isinstance(v, (str, int, float)) for v in values):
        raise PolicyError(
            f"{at}: allowed is a text, a number or a flag" + (", or several" if question == "any_of" else "")
        )
    held = _checked(lambda: subject.any_of(*cast("list[Scalar]", values)), at)
    return ~held if question == "not_equals" else held


def _checked(build: Callable[[], Expression], where: str) -> Expression:
    """Build the expression of one question, and refuse what the signal cannot answer."""

    def answerable() -> Expression:
        expression = build()
        for test in expression.comparisons():
            check_comparison(test)
        return expression

    return _placed(answerable, where)


def _placed(build: Callable[[], T], where: str) -> T:
    """Put the place into the error of what is built there."""
    try:
        return build()
    except ConfigError as error:
        raise PolicyError(f"{where}: {error}") from None


def _action(data: object, where: str) -> Action:
    if data == "keep":
        return Keep()
    if isinstance(data, str):
        return _placed(lambda: RouteTo(data), where)
    table = table_at(data, where, ("block", "keep", "route", *_FORWARD_KEYS))
    kinds = [key for key in ("block", "keep", "route") if key in table]
    if len(kinds) != 1:
        raise PolicyError(
            f"{where} has {listed(kinds) if kinds else 'no action'}; allowed: exactly one of block, keep, route"
        )
    if kinds == ["block"]:
        table_at(table, where, ("block",))
        status = integer_at(table["block"], f"{where}.block")
        return _placed(lambda: Block(status), f"{where}.block")
    pool = None if "pool" not in table else text_at(table["pool"], f"{where}.pool")
    redact = tuple(
        text_at(x, f"{where}.redact[{i}]") for i, x in enumerate(list_at(table.get("redact", []), f"{where}.redact"))
    )
    cap = integer_at(table["compress_to"], f"{where}.compress_to") if "compress_to" in table else None
    if kinds == ["route"]:
        model = text_at(table["route"], f"{where}.route")
        return _placed(lambda: RouteTo(model, pool, redact, cap), where)
    if table["keep"] is not True:
        raise PolicyError(f"{where}.keep: allowed is true")
    return _placed(lambda: Keep(pool, redact, cap), where)


def policy_to_dict(policy: Policy) -> dict[str, object]:
    """Write a policy as plain data; see `Policy.to_dict`."""
    data: dict[str, object] = {
        "default": _action_data(policy.default),
        "on_error": dict(policy.on_error),
        "keywords": {name: list(words) for name, words in policy.keywords.items()},
        "patterns": dict(policy.patterns),
        "pattern_seconds": policy.pattern_seconds,
        "rules": [_rule_data(rule) for rule in policy.rules],
    }
    return {key: value for key, value in data.items() if value or key == "default"}


def _rule_data(rule: Rule) -> dict[str, object]:
    data: dict[str, object] = {"name": rule.name, "when": _condition_data(rule.when), "then": _action_data(rule.then)}
    return {**data, "shadow": True} if rule.shadow else data


def _condition_data(when: Expression) -> dict[str, object]:
    if when.test is not None:
        return _question_data(when.test)
    if when.op == "not":
        return {"not": _condition_data(when.parts[0])}
    return {when.op: [_condition_data(part) for part in when.parts]}


def _question_data(test: Comparison) -> dict[str, object]:
    head, colon, name = test.signal.partition(":")
    # ``keywords`` and ``pattern`` by name are conditions by themselves; another question goes by the whole key.
    named = colon and head in _NAMED and (head in ("header", "metadata") or test.operand == (True,))
    data: dict[str, object] = {"signal": head, _NAMED[head][0]: name} if named else {"signal": test.signal}
    if named and head in ("keywords", "pattern"):
        return data
    if test.label is not None:
        data["label"] = test.label
    if test.op == "fires":
        return {**data, "fires": True}
    if test.op == "in":
        values = list(cast("tuple[Scalar, ...]", test.operand))
        return {**data, "equals": values[0]} if len(values) == 1 else {**data, "any_of": values}
    words = {op: word for word, op in _ORDERINGS.items()}
    return {**data, words[test.op]: test.operand}


def _action_data(action: Action) -> dict[str, object]:
    if isinstance(action, Block):
        return {"block": action.status}
    data: dict[str, object] = {"route": action.model} if isinstance(action, RouteTo) else {"keep": True}
    extra = {"pool": action.pool, "redact": list(action.redact), "compress_to": action.compress_to}
    return {**data, **{key: value for key, value in extra.items() if value}}
