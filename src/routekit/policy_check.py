"""What is wrong or suspicious about a policy, found without a request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

from routekit.decision import Block
from routekit.embedded import why_unknown
from routekit.errors import BackendNotFound, PolicyError, RoutekitError, quoted
from routekit.expressions import Comparison, Expression, Scalar
from routekit.interfaces import Classifier
from routekit.plugins import Plugins
from routekit.rule import Rule
from routekit.signals import family, kind_of
from routekit.states import ClassifierTraits, Value, truth

if TYPE_CHECKING:
    from routekit.policy import Policy

#: Truth of some comparisons, as one set of signal values makes them.
Cell: TypeAlias = dict[Comparison, bool]
#: Conditions that need more cases than this to be decided are given the benefit of the doubt.
_MAX_CASES = 4096
#: Labels that a message lists one by one: those of a classifier of topics, not those of personal data.
_MAX_LISTED = 16


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to fix (``"error"``: a router refuses the policy) or to look at (``"warning"``).

    Attributes
    ----------
    rule
        Name of the rule it is about, None if it is about the policy.
    """

    severity: Literal["error", "warning"]
    rule: str | None
    message: str


def checked(policy: Policy, classifiers: Sequence[Classifier], plugins: Plugins) -> list[Finding]:
    """Check a policy; see `Policy.check`."""
    found: list[Finding] = []
    asked: dict[str, Classifier] = {}
    for key in policy.signals():
        if kind_of(key) == "classifier":
            try:
                asked[key] = provided(key, classifiers, plugins)
            except RoutekitError as error:
                found.append(Finding("error", None, str(error)))
    traits = {key: ClassifierTraits.of(classifier) for key, classifier in asked.items()}
    return [*found, *errors_of(policy, traits), *_unused(policy), *_never_firing(policy.rules)]


def provided(name: str, classifiers: Sequence[Classifier], plugins: Plugins) -> Classifier:
    """Find the classifier of a signal among those given, then those installed.

    Raises
    ------
    PolicyError
        If there is none; the message lists what is known.
    """
    for classifier in classifiers:
        if classifier.name == name:
            return classifier
    try:
        return plugins.classifier(name)
    except BackendNotFound as error:
        missing = f"nobody provides the signal {quoted(name)}: {error}; pass classifiers=[...] or install a plugin"
    raise PolicyError(missing)


def errors_of(policy: Policy, classifiers: Mapping[str, ClassifierTraits]) -> list[Finding]:
    """Find what makes a policy unusable with the classifiers at hand."""
    found = [Finding("error", rule.name, m) for rule in policy.rules for m in _label_errors(rule, classifiers)]
    return list(dict.fromkeys([*found, *_redact_errors(policy, classifiers)]))


def _label_errors(rule: Rule, classifiers: Mapping[str, ClassifierTraits]) -> Iterator[str]:
    for test in rule.when.comparisons():
        if test.signal not in classifiers:
            continue
        where = f"rule {quoted(rule.name)}"
        traits = classifiers[test.signal]
        named = [test.label] if test.label is not None else test.operand if isinstance(test.operand, tuple) else []
        yield from (
            f"{where} names the label {quoted(str(label))} of {quoted(test.signal)}; "
            f"{_hint(test.signal, str(label), traits.labels)}its labels: {_listed(traits.labels, str(label))}"
            for label in named
            if label not in traits.labels
        )
        if not traits.positive and (test.op == "fires" or (test.op not in ("in", "ran") and test.label is None)):
            yield (
                f"{where}: {test} reads the positive labels of {quoted(test.signal)}, which has none; name a label, "
                f'as in rk.signal("{test.signal}")["..."] >= 0.5; its labels: {_listed(traits.labels)}'
            )


def _redact_errors(policy: Policy, classifiers: Mapping[str, ClassifierTraits]) -> Iterator[Finding]:
    names = [*(rule.name for rule in policy.rules), "default"]
    for name, action in zip(names, policy.actions(), strict=True):
        if isinstance(action, Block) or not action.redact or "pii" not in classifiers:
            continue
        known = classifiers["pii"].labels
        for label in action.redact:
            if label not in known:
                message = f"rule {quoted(name)} redacts {quoted(label)}; "
                message += f"{_hint('pii', label, known)}the labels of 'pii': "
                message += _listed(known, label)
                yield Finding("error", name, message)


def _unused(policy: Policy) -> Iterator[Finding]:
    read = set(policy.signals())
    families = {family(key) for key in read}
    for key in policy.on_error:
        if key not in read and key not in families:
            yield Finding("warning", None, f"on_error names the signal {quoted(key)}, which no rule reads")
    for kind, defined in (("keywords", policy.keywords), ("pattern", policy.patterns)):
        for name in defined:
            if f"{kind}:{name}" not in read:
                yield Finding("warning", None, f"{kind} {quoted(name)} is defined, but no rule reads it")


def _never_firing(rules: Sequence[Rule]) -> Iterator[Finding]:
    earlier: list[Rule] = []
    for rule in rules:
        if not _possible(rule.when, None):
            yield Finding(
                "warning", rule.name, f"rule {quoted(rule.name)} can never fire: its condition contradicts itself"
            )
            continue
        for winner in earlier:
            if not _possible(rule.when, winner.when):
                why = "always holds" if not _possible(~winner.when, None) else "holds whenever it does"
                message = f"rule {quoted(rule.name)} can never fire: rule {quoted(winner.name)}, before it, {why}"
                yield Finding("warning", rule.name, message)
                break
        if not rule.shadow:
            earlier.append(rule)


def _possible(when: Expression, unless: Expression | None) -> bool:
    """Say whether some values make `when` true and `unless` not."""
    tests = dict.fromkeys([*when.comparisons(), *(unless.comparisons() if unless is not None else ())])
    groups: dict[tuple[str, str], list[Comparison]] = {}
    for test in tests:
        groups.setdefault(_group(test), []).append(test)
    cells = [list(_cells(group)) for group in groups.values()]
    if prod(len(choices) for choices in cells) > _MAX_CASES:
        return True
    for choice in product(*cells):
        case: Cell = {test: held for cell in choice for test, held in cell.items()}
        if _holds(when, case) and not (unless is not None and _holds(unless, case)):
            return True
    return False


def _group(test: Comparison) -> tuple[str, str]:
    """Comparisons that depend on one another share a group; the aspects of a classifier are taken as independent."""
    if kind_of(test.signal) != "classifier":
        return test.signal, ""
    return test.signal, f"label {test.label}" if test.op not in ("in", "fires", "ran") else test.op


def _cells(tests: Sequence[Comparison]) -> Iterator[Cell]:
    seen: set[tuple[bool, ...]] = set()
    for value in _representatives(tests):
        held = tuple(bool(truth(_as_value_test(test), Value(value, final=True), None)) for test in tests)
        if held not in seen:
            seen.add(held)
            yield dict(zip(tests, held, strict=True))


def _as_value_test(test: Comparison) -> Comparison:
    """Read a classifier's aspect as a value: its probability, its label, whether it fires."""
    if test.op in ("fires", "ran"):
        return Comparison(test.signal, "in", (True,))
    return Comparison(test.signal, test.op, test.operand)


def _representatives(tests: Sequence[Comparison]) -> list[Scalar | None]:
    """List values that stand for all: every threshold, a point between each two, every name, another, and none."""
    kind = kind_of(tests[0].signal)
    named = [v for test in tests if isinstance(test.operand, tuple) for v in test.operand]
    if kind == "flag" or tests[0].op in ("fires", "ran"):
        return [True, False]
    if kind == "text" or (kind == "classifier" and tests[0].op == "in"):
        return [*named, "\0 another", None]
    points = [float(t.operand) for t in tests if isinstance(t.operand, (int, float))]
    points = sorted({*points, *(float(v) for v in named if isinstance(v, (int, float)))})
    low, high = (0.0, 1.0) if kind == "classifier" else (0.0, float("inf")) if kind == "number" else _everything()
    between = [(a + b) / 2 for a, b in pairwise(points)]
    edges = [points[0] - 1, points[-1] + 1] if points else []
    numbers = sorted(p for p in {*points, *between, *edges, low, high} if low <= p <= high)
    texts = [v for v in named if isinstance(v, (str, bool))]
    return [*numbers, *texts, "\0 another", None] if kind == "any" else list(numbers)


def _everything() -> tuple[float, float]:
    return float("-inf"), float("inf")


def _holds(when: Expression, case: Mapping[Comparison, bool]) -> bool:
    if when.test is not None:
        return case[when.test]
    if when.op == "not":
        return not _holds(when.parts[0], case)
    held = (_holds(part, case) for part in when.parts)
    return all(held) if when.op == "all" else any(held)


def _hint(signal: str, label: str, labels: Iterable[str]) -> str:
    """Tell how to get the label, or which was meant."""
    why = why_unknown(label) if signal == "pii" else ""
    return f"{why}; " if why else _nearest(label, labels)


def _nearest(label: str, labels: Iterable[str]) -> str:
    """Ask for the label that was meant: a list of 82 kinds of personal data hides it."""
    spelled = {known.casefold(): known for known in labels}
    wanted = label.casefold() or "?"
    near = [known for known in spelled if known.startswith(wanted) or known.endswith(wanted)]
    near = near or get_close_matches(wanted, spelled, n=1, cutoff=0.75)
    return f"did you mean {quoted(spelled[near[0]])}? " if near else ""


def _listed(names: Iterable[str], wanted: str = "") -> str:
    """List labels; of many only those that are spelled most like the wanted one, and how many more there are."""
    names = sorted(names)
    if len(names) <= _MAX_LISTED:
        return ", ".join(map(quoted, names)) or "none"
    spelled = {name.casefold(): name for name in names}
    near = [spelled[name] for name in get_close_matches(wanted.casefold(), spelled, n=3, cutoff=0.0)]
    return f"{', '.join(map(quoted, near))} and {len(names) - len(near)} more"
