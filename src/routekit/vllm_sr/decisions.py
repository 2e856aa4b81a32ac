"""One decision of the router: its condition, its action, and what its choice among others depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from routekit.errors import quoted
from routekit.vllm_sr.exclusion import Claim, claims_of
from routekit.vllm_sr.fields import Table
from routekit.vllm_sr.findings import Findings
from routekit.vllm_sr.keyword_rules import Condition, Untranslatable
from routekit.vllm_sr.signal_rules import GUARDS, SignalRules

#: An action as a policy file has it.
Action: TypeAlias = "dict[str, Any]"

#: What always and what never holds, as a condition.
ALWAYS: Condition = {"signal": "context_tokens", "at_least": 0}
NEVER: Condition = {"signal": "context_tokens", "below": 0}
#: Signals whose confidence is always 1 in the router.
_CERTAIN = frozenset({"keyword", "language", "context", "metadata", "conversation", "pii", "classifier"})
#: Keys that change no route: they describe, or no algorithm that can be mapped reads them.
_SILENT = frozenset({"description", "annotations", "name", "priority", "tier", "rules", "modelRefs", "plugins"})
_BEYOND_ROUTING = {
    "adaptations": "learning across requests",
    "candidateIterations": "loops over candidates",
    "emits": "directives to caches",
    "output_contract": "instructions to the model",
    "output_contract_spec": "instructions to the model",
}
_MODEL_KEYS = frozenset({"model", "lora_name", "weight", "use_reasoning", "reasoning_description", "reasoning_effort"})
#: Deepest nesting of conditions that a policy takes.
_MAX_DEPTH = 45
REFUSED = 403


@dataclass(frozen=True, slots=True)
class RouterDecision:
    """A decision, translated.

    Attributes
    ----------
    confidence
        What the router's confidence is whenever it matches; None where that depends on the request.
    claims
        What must hold whenever it matches; see `exclusion`.
    guards
        By name, what it refuses although it matches.
    """

    name: str
    path: str
    priority: float
    tier: float
    condition: Condition
    action: Action
    confidence: float | None
    claims: Mapping[str, Claim]
    guards: Mapping[str, Condition]

    @property
    def refuses(self) -> bool:
        """True where it answers some requests, which then go nowhere."""
        return "block" in self.action or bool(self.guards)


def translated(decision: Table, signals: SignalRules, default_model: str, findings: Findings) -> RouterDecision | None:
    """Translate a decision; None, with findings, where any part that decides cannot be carried over."""
    name = decision.text("name")
    lost = _Lost(findings, name)
    if name == "default":
        lost.all(decision.at("name"), "'default' is taken by what happens when no rule holds; rename it")
    rules = decision.table("rules")
    condition = _condition(rules, signals, lost, 0) if rules.values else ALWAYS
    guards, answer = _plugins(decision, signals, lost)
    action = answer or _action(decision, default_model, signals.has_scores(name), lost)
    _list_unmapped_keys(decision, lost)
    if condition is None or action is None or lost.is_left_out:
        return None
    return RouterDecision(
        name,
        decision.path,
        decision.number("priority", 0),
        decision.number("tier", 0),
        condition,
        action,
        _confidence(rules) if rules.values else 0.0,
        claims_of(condition),
        {} if answer else guards,
    )


@dataclass(slots=True)
class _Lost:
    """Findings about one decision."""

    findings: Findings
    name: str
    is_left_out: bool = False

    def all(self, path: str, reason: str) -> None:
        self.is_left_out = True
        self.findings.lose(path, reason, self.name)

    def part(self, path: str, reason: str) -> None:
        self.findings.lose(path, reason)


def _condition(node: Table, signals: SignalRules, lost: _Lost, depth: int) -> Condition | None:
    """Translate a condition; None where a part of it cannot be, after all parts were looked at."""
    if depth > _MAX_DEPTH:
        lost.all(node.path, f"conditions nest over {_MAX_DEPTH} deep; write them flatter")
        return None
    if node.has("type"):
        try:
            return signals.condition(node)
        except Untranslatable as error:
            lost.all(node.path, f"{quoted(node.text('name', ''))}: {error}")
            return None
    for key in node.beyond(("operator", "conditions")):
        lost.all(node.at(key), "is no key of a condition that this knows")
    operator = node.text("operator", "OR").upper()
    parts = [_condition(part, signals, lost, depth + 1) for part in node.tables("conditions")]
    if operator not in ("AND", "OR", "NOT"):
        lost.all(node.at("operator"), "is none of AND, OR, NOT; the router would take it for OR")
    elif operator == "NOT" and len(parts) != 1:
        lost.all(node.path, f"NOT has {len(parts)} conditions, so the router never matches it; give it one")
    mapped = [part for part in parts if part is not None]
    if len(mapped) < len(parts) or lost.is_left_out:
        return None
    return _combined(operator, mapped)


def _combined(operator: str, parts: list[Condition]) -> Condition:
    if operator == "NOT":
        return {"not": parts[0]}
    if not parts:
        return ALWAYS if operator == "AND" else NEVER
    return parts[0] if len(parts) == 1 else {"all" if operator == "AND" else "any": parts}


def _confidence(node: Table) -> float | None:
    """Give the confidence that the router computes, where it is the same for every request that matches."""
    if node.has("type"):
        return 1.0 if node.text("type").strip().lower() in _CERTAIN else None
    operator = node.text("operator", "OR").upper()
    parts = [_confidence(part) for part in node.tables("conditions")]
    if operator == "NOT":
        return 1.0
    if not parts:
        return 0.0
    return parts[0] if len(set(parts)) == 1 else None


def _action(decision: Table, default_model: str, is_scored: bool, lost: _Lost) -> Action | None:
    """Translate modelRefs and the algorithm that chooses among them."""
    models = decision.tables("modelRefs")
    kind = decision.table("algorithm").text("type", "static")
    if len(models) > 1 and kind != "static":
        lost.all(decision.at("algorithm.type"), f"{quoted(kind)} chooses a model, or several, for each request")
        return None
    if len(models) > 1 and is_scored:
        lost.all(decision.at("modelRefs"), "the domain of the same name scores models; leave the best one only")
        return None
    if kind in ("remom", "fusion", "workflows"):
        lost.all(decision.at("algorithm.type"), f"{quoted(kind)} asks models several times for one request")
        return None
    if not models:
        return {"route": default_model}
    _list_lost_of_model(models[0], lost)
    return {"route": models[0].text("lora_name", models[0].text("model"))}


def _list_lost_of_model(model: Table, lost: _Lost) -> None:
    if model.flag("use_reasoning", False):
        lost.part(model.at("use_reasoning"), "routekit chooses the model, not how it reasons; name a model that does")
    if model.has("reasoning_effort"):
        lost.part(model.at("reasoning_effort"), "routekit chooses the model, not how it reasons")
    for key in model.values:
        if key not in _MODEL_KEYS:
            lost.part(model.at(key), "is no key that this knows")


def _plugins(decision: Table, signals: SignalRules, lost: _Lost) -> tuple[dict[str, Condition], Action | None]:
    """Translate plugins that refuse some requests, or answer all; list the others."""
    guards: dict[str, Condition] = {}
    answer: Action | None = None
    for plugin in decision.tables("plugins"):
        kind, settings = plugin.text("type"), plugin.table("configuration")
        if not settings.flag("enabled", True):
            continue
        if kind == "fast_response":
            answer = {"block": REFUSED}
            lost.findings.note(plugin.path, f"the router answers 200 with its message, routekit blocks with {REFUSED}")
        elif kind in GUARDS:
            try:
                guards[kind] = signals.guard(kind, settings)
            except Untranslatable as error:
                lost.all(settings.path, str(error))
        else:
            lost.part(plugin.path, f"{quoted(kind)} changes or stores requests or responses; it is no route")
    return guards, answer


def _list_unmapped_keys(decision: Table, lost: _Lost) -> None:
    for key in decision.values:
        if key in _BEYOND_ROUTING:
            lost.part(decision.at(key), f"{_BEYOND_ROUTING[key]}: no route")
        elif key not in _SILENT and key != "algorithm":
            lost.all(decision.at(key), "is no key that this knows; it may say when the decision holds")
