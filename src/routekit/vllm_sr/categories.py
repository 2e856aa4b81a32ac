"""The oldest layout: no decisions, but a model for each domain, and a jailbreak classifier before all of them."""

from __future__ import annotations

from collections.abc import Iterator

from routekit.vllm_sr.fields import Table
from routekit.vllm_sr.findings import Findings
from routekit.vllm_sr.layout import Layout

#: Keys of a category that describe it or say which model to take.
_READ = frozenset({"name", "description", "mmlu_categories", "model_scores"})
_GUARD = "prompt_guard"


def decisions_of(layout: Layout, findings: Findings) -> list[Table]:
    """Write the categories as decisions of the later layouts; the guard becomes the first."""
    decisions = [*_guard(layout), *(_decision(category, findings) for category in layout.decisions)]
    layout.signals["domain"][:] = [_domain(category) for category in layout.decisions]
    return [decision for decision in decisions if decision is not None]


def _guard(layout: Layout) -> Iterator[Table]:
    """Refuse what the jailbreak classifier finds, where it is on."""
    if not layout.guard.flag("enabled", False):
        return
    guard = {"name": _GUARD, "threshold": layout.guard.values.get("threshold")}
    layout.signals["jailbreak"].append(Table(layout.guard.path, guard))
    rules = {"type": "jailbreak", "name": _GUARD}
    plugins = [{"type": "fast_response"}]
    yield Table(layout.guard.path, {"name": _GUARD, "priority": 1, "rules": rules, "plugins": plugins})


def _domain(category: Table) -> Table:
    """Keep what says which labels of the classifier a category stands for."""
    return Table(category.path, {key: category.values.get(key) for key in ("name", "mmlu_categories")})


def _decision(category: Table, findings: Findings) -> Table | None:
    models = category.tables("model_scores")
    if not models:
        return None
    best = max(models, key=lambda model: model.number("score", 0))
    for key in category.values:
        if key not in _READ:
            findings.lose(category.at(key), "no route; only the model of a category is read")
    reference = {key: value for key, value in best.values.items() if key != "score"}
    name = category.text("name")
    return Table(category.path, {"name": name, "rules": {"type": "domain", "name": name}, "modelRefs": [reference]})
