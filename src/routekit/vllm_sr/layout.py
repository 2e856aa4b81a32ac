"""Where the routing part stands: the four layouts that the router's configuration has had.

======================  ==============================================================================================
layout                  how it is told, and what is read
======================  ==============================================================================================
v0.3                    ``routing:`` with signals, decisions and strategy; ``providers.defaults``; ``global``
command line, v0.1-0.2  ``signals:`` and ``decisions:`` at the top; ``providers.default_model``
flat                    ``decisions:`` at the top beside ``keyword_rules:``, ``categories:``, ...; ``default_model``
categories              no decisions: ``categories:`` with ``model_scores``; ``prompt_guard``
======================  ==============================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from routekit.errors import PolicyError
from routekit.vllm_sr.fields import Table
from routekit.vllm_sr.findings import Findings

#: Type of a condition -> its list in `signals`, its list at the top of the flat layout.
FAMILIES: Mapping[str, tuple[str, str]] = {
    "keyword": ("keywords", "keyword_rules"),
    "embedding": ("embeddings", "embedding_rules"),
    "domain": ("domains", "categories"),
    "fact_check": ("fact_check", "fact_check_rules"),
    "user_feedback": ("user_feedbacks", "user_feedback_rules"),
    "reask": ("reasks", "reask_rules"),
    "preference": ("preferences", "preference_rules"),
    "language": ("language", "language_rules"),
    "context": ("context", "context_rules"),
    "structure": ("structure", "structure_rules"),
    "complexity": ("complexity", "complexity_rules"),
    "modality": ("modality", "modality_rules"),
    "authz": ("role_bindings", "role_bindings"),
    "jailbreak": ("jailbreak", "jailbreak"),
    "pii": ("pii", "pii"),
    "kb": ("kb", "kb"),
    "conversation": ("conversation", "conversation"),
    "event": ("events", "events"),
    "metadata": ("metadata", "metadata"),
    "classifier": ("classifiers", "classifiers"),
}
#: Models that ask the router to choose; any other model that a client names is left alone.
_AUTO_MODELS = ("vllm-sr/auto", "auto", "MoM")


@dataclass(frozen=True, slots=True)
class Layout:
    """The routing part of a document.

    Attributes
    ----------
    signals
        Type of condition -> its rules.
    auto_models
        Models that a client names to have one chosen.
    domain_threshold
        P from which on a domain counts.
    guard
        Settings of the jailbreak classifier.
    by_category
        True for the oldest layout, which has no decisions.
    """

    signals: Mapping[str, list[Table]]
    decisions: list[Table]
    strategy: str
    default_model: str
    auto_models: tuple[str, ...]
    domain_threshold: float
    guard: Table
    by_category: bool


def layout_of(document: Mapping[str, object], findings: Findings) -> Layout:
    """Find the routing part.

    Raises
    ------
    PolicyError
        If there is none, or no default model.
    """
    top = Table("", document)
    if "routing" in document:
        layout = _canonical(top)
    elif "decisions" in document:
        layout = _top_level(top)
    elif any("model_scores" in category.values for category in top.tables("categories")):
        layout = _top_level(top, by_category=True)
    else:
        raise PolicyError(
            "the document has no routing part; allowed: routing, or decisions, or categories with model_scores"
        )
    _note_the_rest(top, findings)
    return layout


def _canonical(top: Table) -> Layout:
    routing, router = top.table("routing"), top.table("global").table("router")
    modules = top.table("global").table("model_catalog").table("modules")
    signals = routing.table("signals")
    return Layout(
        {kind: signals.tables(name) for kind, (name, _) in FAMILIES.items()},
        routing.tables("decisions"),
        routing.text("strategy", router.text("strategy", "priority")),
        _default_model(top),
        _auto_models(router),
        modules.table("classifier").table("domain").number("threshold", 0.5),
        modules.table("prompt_guard"),
        by_category=False,
    )


def _top_level(top: Table, *, by_category: bool = False) -> Layout:
    signals = top.table("signals")
    return Layout(
        {kind: signals.tables(name) or top.tables(flat) for kind, (name, flat) in FAMILIES.items()},
        top.tables("categories" if by_category else "decisions"),
        top.text("strategy", "priority"),
        _default_model(top),
        _auto_models(top),
        top.table("classifier").table("category_model").number("threshold", 0.5),
        top.table("prompt_guard"),
        by_category,
    )


def _default_model(top: Table) -> str:
    providers = top.table("providers")
    for table in (providers.table("defaults"), providers, top):
        if table.has("default_model"):
            return table.text("default_model")
    raise PolicyError(
        "the document names no default model; give providers.defaults.default_model, or default_model at the top"
    )


def _auto_models(table: Table) -> tuple[str, ...]:
    if table.has("auto_model_names"):
        return tuple(name.strip() for name in table.texts("auto_model_names"))
    return tuple(dict.fromkeys((*_AUTO_MODELS[:2], table.text("auto_model_name", _AUTO_MODELS[2]).strip())))


def _note_the_rest(top: Table, findings: Findings) -> None:
    """Say which sections are no routing, and list those that are and cannot be read."""
    routing = {"routing", "signals", "decisions", "strategy", "default_model", "auto_model_name", "auto_model_names"}
    routing |= {flat for _, flat in FAMILIES.values()}
    for key in top.values:
        if key in ("recipes", "entrypoints") and top.has(key):
            findings.lose(key, "several policies in one document; translate the routing of each by itself")
        elif key not in (*routing, "version"):
            findings.note(key, "no routing; only the default model, thresholds and automatic model names are read")
