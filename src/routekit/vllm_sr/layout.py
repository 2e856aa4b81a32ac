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

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from routekit.errors import PolicyError, quoted
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
_ROUTING = frozenset({"signals", "decisions", "strategy", "modelCards", "projections"})
#: What the layouts without ``routing`` have at the top.
_TOP_LEVEL = frozenset(
    {"signals", "decisions", "strategy", "default_model", "auto_model_name", "auto_model_names"}
    | {flat for _, flat in FAMILIES.values()}
)
_SEVERAL = frozenset({"recipes", "entrypoints"})


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
    pii_threshold
        P from which on a finding of personal data counts, unless a decision says otherwise.
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
    pii_threshold: float
    guard: Table
    by_category: bool


def layout_of(document: Mapping[str, object], findings: Findings, recipe: str | None = None) -> Layout:
    """Find the routing part.

    Parameters
    ----------
    recipe
        Name of one of several policies in the document; None for the one that has no name.

    Raises
    ------
    PolicyError
        If there is none, no recipe of this name, or no default model.
    """
    top = Table("", document)
    if "routing" in document or recipe is not None:
        layout = _canonical(top, findings, recipe)
    elif "decisions" in document:
        layout = _top_level(top, findings)
    elif any("model_scores" in category.values for category in top.tables("categories")):
        layout = _top_level(top, findings, by_category=True)
    else:
        raise PolicyError(
            "the document has no routing part; allowed: routing, or decisions, or categories with model_scores"
        )
    if not layout.decisions:
        names = ", ".join(quoted(each.text("name")) for each in top.tables("recipes"))
        hint = f"; it has the recipes {names}: name one as recipe=" if names else ""
        raise PolicyError(f"the document has no decisions to make a policy of{hint}")
    return layout


def _canonical(top: Table, findings: Findings, recipe: str | None) -> Layout:
    router = top.table("global").table("router")
    modules = top.table("global").table("model_catalog").table("modules")
    routing = top.table("routing") if recipe is None else _recipe(top, recipe)
    _list_the_rest(top, {"routing"} if recipe is None else {"routing", *_SEVERAL}, findings)
    for key in routing.beyond(_ROUTING):
        findings.lose(routing.at(key), "is no key of routing that this knows")
    return Layout(
        _signals(routing, findings),
        routing.tables("decisions"),
        routing.text("strategy", router.text("strategy", "priority")),
        _default_model(top),
        _auto_models(router) if recipe is None else _entrypoints(top, recipe),
        modules.table("classifier").table("domain").number("threshold", 0.5),
        modules.table("classifier").table("pii").number("threshold", 0.9),
        modules.table("prompt_guard"),
        by_category=False,
    )


def _recipe(top: Table, name: str) -> Table:
    recipes = {recipe.text("name"): recipe for recipe in top.tables("recipes")}
    if name not in recipes:
        raise PolicyError(f"no recipe {quoted(name)}; the document has: {', '.join(map(quoted, recipes)) or 'none'}")
    return recipes[name].table("routing")


def _entrypoints(top: Table, recipe: str) -> tuple[str, ...]:
    """List the models that a client names to have this recipe choose."""
    found = [entry for entry in top.tables("entrypoints") if entry.text("recipe", "") == recipe]
    return tuple(name.strip() for entry in found for name in entry.texts("model_names"))


def _top_level(top: Table, findings: Findings, *, by_category: bool = False) -> Layout:
    signals = _signals(top, findings)
    for kind, (_, flat) in FAMILIES.items():
        if signals[kind] and top.has(flat):
            raise PolicyError(f"{flat} stands beside signals, which have such rules too; keep one")
        signals[kind] += top.tables(flat)
    _list_the_rest(top, _TOP_LEVEL, findings)
    guard, decisions = top.table("prompt_guard"), top.tables("categories" if by_category else "decisions")
    if not by_category and guard.flag("enabled", False) and not (signals["jailbreak"] or _guard_themselves(decisions)):
        findings.lose(
            guard.at("enabled"),
            "routers until v0.1 refuse attacks in every decision, later ones where a decision asks a jailbreak signal; "
            "write such a decision",
        )
    return Layout(
        signals,
        decisions,
        top.text("strategy", "priority"),
        _default_model(top),
        _auto_models(top),
        top.table("classifier").table("category_model").number("threshold", 0.5),
        top.table("classifier").table("pii_model").number("threshold", 0.9),
        guard,
        by_category,
    )


def _guard_themselves(decisions: Iterable[Table]) -> bool:
    return all(any(plugin.text("type") == "jailbreak" for plugin in each.tables("plugins")) for each in decisions)


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


def _signals(parent: Table, findings: Findings) -> dict[str, list[Table]]:
    signals = parent.table("signals")
    for key in signals.beyond([name for name, _ in FAMILIES.values()]):
        findings.lose(signals.at(key), "is no kind of signal that this knows")
    return {kind: signals.tables(name) for kind, (name, _) in FAMILIES.items()}


def _list_the_rest(top: Table, read: Collection[str], findings: Findings) -> None:
    """List what is routing and was not read, and note what is none."""
    for key in top.beyond([*read, "version"]):
        if key in _SEVERAL:
            findings.lose(key, "several policies in one document; name one as recipe=")
        elif key in _TOP_LEVEL:
            findings.lose(key, "stands outside of routing, where the router does not look for it")
        else:
            findings.note(key, "no routing; only the default model, thresholds and automatic model names are read")
