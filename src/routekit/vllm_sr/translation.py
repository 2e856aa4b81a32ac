"""A configuration of the router as a policy: see `translate`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from routekit.errors import PolicyError
from routekit.interfaces import Classifier
from routekit.vllm_sr.categories import decisions_of
from routekit.vllm_sr.decisions import REFUSED, RouterDecision, translated
from routekit.vllm_sr.document import Source, read_document
from routekit.vllm_sr.findings import Findings, Translation
from routekit.vllm_sr.keyword_rules import Condition
from routekit.vllm_sr.layout import Layout, layout_of
from routekit.vllm_sr.ordering import in_order
from routekit.vllm_sr.signal_rules import GUARDS, SignalRules

#: The rule that leaves alone the model that a client names.
EXPLICIT = "explicit-model"


def translate(source: Source, *, recipe: str | None = None, classifiers: Sequence[Classifier] = ()) -> Translation:
    """Translate the routing part of a vLLM Semantic Router configuration into a policy, as far as that goes.

    A decision with a part that cannot be expressed is left out as a whole, never widened; what it would have caught
    goes to the rules after it. `Policy.from_vllm_sr` refuses a document that loses anything.

    Parameters
    ----------
    source
        YAML text, the `Path` of a file, or data that was read already.
    recipe
        Which policy, of a document with several; None for the one that has no name.
    classifiers
        Those that will judge: their labels count instead of the router's, and thresholds on PII are theirs.

    Raises
    ------
    PolicyError
        If the document is not well formed, has no routing part, or nothing of it can be mapped.

    Examples
    --------
    >>> from routekit.vllm_sr import translate
    >>> found = translate({
    ...     "providers": {"defaults": {"default_model": "small"}},
    ...     "routing": {
    ...         "signals": {"domains": [{"name": "math"}]},
    ...         "decisions": [
    ...             {"name": "sums", "rules": {"type": "domain", "name": "math"}, "modelRefs": [{"model": "large"}]},
    ...             {"name": "near", "rules": {"type": "embedding", "name": "x"}, "modelRefs": [{"model": "large"}]},
    ...         ],
    ...     },
    ... })
    >>> [rule["name"] for rule in found.policy["rules"]]
    ['explicit-model', 'sums']
    >>> found.unmapped[0].path, found.unmapped[0].left_out
    ('routing.decisions[1].rules', 'near')
    """
    findings = Findings()
    layout = layout_of(read_document(source), findings, recipe)
    labels = {classifier.name: tuple(classifier.labels) for classifier in classifiers}
    signals = SignalRules(layout, labels, findings)
    tables = decisions_of(layout, findings) if layout.by_category else layout.decisions
    each = [translated(table, signals, layout.default_model, findings) for table in tables]
    decisions = [decision for decision in each if decision is not None]
    _check_names(decisions)
    if tables and not decisions:
        listed = "; ".join(map(str, findings.unmapped[:20]))
        raise PolicyError(f"none of {len(tables)} decisions can be mapped: {listed}")
    rules = list(_rules(in_order(decisions, layout.strategy, findings), layout))
    policy: dict[str, object] = {"default": layout.default_model}
    parts = {
        "on_error": _of_used(signals.on_error, rules),
        "keywords": _of_used(signals.keyword_rules.keywords, rules),
        "patterns": _of_used(signals.keyword_rules.patterns, rules),
    }
    policy.update({key: part for key, part in parts.items() if part})
    return Translation({**policy, "rules": rules}, tuple(findings.unmapped), tuple(findings.notes))


def _check_names(decisions: Sequence[RouterDecision]) -> None:
    names = [decision.name for decision in decisions]
    taken = (EXPLICIT, *(f"/{part}" for part in (EXPLICIT, *GUARDS)))
    if len(set(names)) < len(names) or any(name.endswith(taken) for name in names):
        raise PolicyError(f"two decisions have one name, or that of one ends in one of {', '.join(taken)}; rename it")


def _rules(decisions: Sequence[RouterDecision], layout: Layout) -> Iterator[dict[str, object]]:
    """Write decisions as rules.

    The router judges a request that names a model like any other: a decision that answers it counts, one that routes it
    leaves the model alone. So the rule that keeps such models stands after the last decision that answers some, and a
    decision that routes before that has a twin. What guards a decision stands right before it.
    """
    explicit: Condition = {"not": {"signal": "model", "any_of": list(layout.auto_models)}} if layout.auto_models else {}
    n_before = max((i + 1 for i, decision in enumerate(decisions) if decision.refuses), default=0)
    for decision in decisions[:n_before]:
        for kind, guard in decision.guards.items():
            yield {
                "name": f"{decision.name}/{kind}",
                "when": _both(decision.condition, guard),
                "then": {"block": REFUSED},
            }
        if "block" not in decision.action:
            when = _both(explicit, decision.condition) if explicit else decision.condition
            yield {"name": f"{decision.name}/{EXPLICIT}", "when": when, "then": {"keep": True}}
        yield _rule(decision)
    yield {"name": EXPLICIT, "when": explicit or {"signal": "context_tokens", "at_least": 0}, "then": {"keep": True}}
    yield from map(_rule, decisions[n_before:])


def _both(one: Condition, other: Condition) -> Condition:
    return {"all": [one, other]}


def _rule(decision: RouterDecision) -> dict[str, object]:
    return {"name": decision.name, "when": decision.condition, "then": decision.action}


def _of_used(parts: Mapping[str, object], rules: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Keep what a rule reads; the rest belongs to decisions that were left out."""
    read = set(_names_in([rule["when"] for rule in rules]))
    return {name: part for name, part in parts.items() if name in read}


def _names_in(value: object) -> Iterator[str]:
    """Walk over all texts in a condition."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _names_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from _names_in(part)
