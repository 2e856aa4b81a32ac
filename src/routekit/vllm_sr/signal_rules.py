"""Conditions on one signal: from a rule of the router's signals to a question of ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from routekit.errors import quoted
from routekit.language import LABELS as LANGUAGES
from routekit.pii.table import LABELS as PII_PATTERNS
from routekit.signals import FAMILY_KINDS, VALUE_KINDS
from routekit.vllm_sr.fields import Table
from routekit.vllm_sr.findings import Findings
from routekit.vllm_sr.keyword_rules import Condition, KeywordRules, Untranslatable
from routekit.vllm_sr.layout import Layout

#: Labels of the router's domain and PII classifiers.
DOMAINS = (
    *("biology", "business", "chemistry", "computer science", "economics", "engineering", "health", "history", "law"),
    *("math", "other", "philosophy", "physics", "psychology"),
)
PII_LABELS = (
    *("AGE", "CREDIT_CARD", "DATE_TIME", "DOMAIN_NAME", "EMAIL_ADDRESS", "GPE", "IBAN_CODE", "IP_ADDRESS", "NRP"),
    *("ORGANIZATION", "PERSON", "PHONE_NUMBER", "STREET_ADDRESS", "TITLE", "US_DRIVER_LICENSE", "US_SSN", "ZIP_CODE"),
)
#: Signals that routekit has no counterpart for, and why.
FOREIGN: Mapping[str, str] = {
    "authz": "it reads who the caller is from trusted headers and may name groups; write rk.header(...) rules by hand",
    "complexity": "it compares embeddings with examples; give a classifier of your own",
    "embedding": "it compares embeddings with examples; give a classifier of your own",
    "event": "it reads events out of the text; write a pattern",
    "fact_check": "routekit has no such classifier; give one of your own",
    "kb": "it looks up a knowledge base",
    "modality": "routekit has no such classifier; give one of your own",
    "preference": "it asks a model or compares embeddings; give a classifier of your own",
    "projection": "it is computed from the scores of other signals",
    "reask": "it compares the turns of a conversation",
    "structure": "it counts and measures the text; write a pattern where one says the same",
    "user_feedback": "routekit has no such classifier; give one of your own",
}
#: Keys of a rule that this knows, by kind; another one might change what the rule says.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "keyword": (
        *("operator", "keywords", "case_sensitive", "method"),
        *("fuzzy_match", "fuzzy_threshold", "bm25_threshold", "ngram_threshold", "ngram_arity"),
    ),
    "domain": ("mmlu_categories", "model_scores"),
    "language": ("threshold",),
    "context": ("min_tokens", "max_tokens"),
    "jailbreak": ("method", "threshold", "include_history", "jailbreak_patterns", "benign_patterns"),
    "pii": ("threshold", "pii_types_allowed", "include_history"),
    "metadata": ("key", "predicate"),
    "conversation": ("feature", "predicate"),
    "classifier": ("type", "model", "model_path", "labels", "instructions", "use_cpu"),
}
#: Plugins, until v0.1, that refuse requests of a decision, and their settings.
GUARDS: Mapping[str, tuple[str, ...]] = {"jailbreak": ("threshold",), "pii": ("threshold", "pii_types_allowed")}
_TOKENS = re.compile(r"(\d{1,12}(?:\.\d{1,12})?)([KM]?)")
_SCALES = {"": 1, "K": 1_000, "M": 1_000_000}
_ORDERINGS = {"gte": "at_least", "gt": "above", "lte": "at_most", "lt": "below"}


class SignalRules:
    """Translates conditions that name a signal; see `condition`."""

    def __init__(self, layout: Layout, labels: Mapping[str, Sequence[str]], findings: Findings) -> None:
        self._layout, self._labels, self._findings = layout, labels, findings
        self.keyword_rules = KeywordRules(findings)
        #: What to do where a classifier fails.
        self.on_error: dict[str, str] = {}
        # Looked up once for each condition, so never by a walk over all rules.
        self._by_name: dict[str, dict[str, list[Table]]] = {}
        self._places: dict[str, int] = {}
        self._last_claims: dict[str, int] = {}
        self._families: dict[str, Callable[[Table, Table], Condition]] = {
            "keyword": lambda rule, _: self.keyword_rules.condition(rule),
            "domain": self._domain,
            "language": self._language,
            "context": self._context,
            "jailbreak": self._jailbreak,
            "pii": self._pii,
            "metadata": self._metadata,
            "conversation": self._conversation,
            "classifier": self._classifier,
        }

    def condition(self, leaf: Table) -> Condition:
        """Translate a condition that names a signal.

        Raises
        ------
        Untranslatable
            If routekit has no such signal, or the rule uses what it cannot express.
        """
        kind, name = leaf.text("type").strip().lower(), leaf.text("name")
        if kind in FOREIGN:
            raise Untranslatable(f"{kind} signal: {FOREIGN[kind]}")
        if kind not in self._families:
            raise Untranslatable("its type is no signal of the router that this knows")
        if leaf.has("predicate") and kind != "classifier":
            raise Untranslatable(f"it compares the score of a {kind} signal with a number; write the rule by hand")
        _check_keys(leaf, ("type", "name", *(("label", "predicate", "on_error") if kind == "classifier" else ())))
        rule = self._rule(kind, name)
        condition = self._families[kind](rule, leaf)
        self._note_differences(kind, rule)
        return condition

    def guard(self, kind: str, settings: Table) -> Condition:
        """Translate a plugin that refuses requests of a decision: it asks what a rule of its kind would ask.

        Raises
        ------
        Untranslatable
            As for `condition`.
        """
        _check_keys(settings, ("enabled", *GUARDS[kind]))
        default = self._layout.guard.number("threshold", 0.7) if kind == "jailbreak" else self._layout.pii_threshold
        rule = Table(settings.path, {"threshold": default, **settings.values})
        self._findings.note(settings.path, "routers from v0.2 on ignore this plugin; here it refuses, with status 403")
        return self._families[kind](rule, rule)

    def has_scores(self, decision: str) -> bool:
        """Say whether a domain of this name scores models, so that not the first of a decision's is chosen."""
        return any(
            rule.has("model_scores") and rule.text("name") == decision for rule in self._layout.signals["domain"]
        )

    def _rule(self, kind: str, name: str) -> Table:
        rules = self._layout.signals[kind]
        if kind == "domain" and not rules:
            return Table("", {"name": name})
        if kind not in self._by_name:
            self._by_name[kind] = {}
            for rule in rules:
                self._by_name[kind].setdefault(rule.text("name"), []).append(rule)
        found = self._by_name[kind].get(name, [])
        if len(found) != 1:
            raise Untranslatable(f"{'no' if not found else len(found)} {kind} rules have this name")
        _check_keys(found[0], ("name", "description", *_KEYS[kind]))
        return found[0]

    def _note_differences(self, kind: str, rule: Table) -> None:
        if kind in ("keyword", "jailbreak", "pii"):
            self._findings.note(rule.path, "the router reads the last user message, routekit all text of a request")
        if kind == "context":
            self._findings.note(rule.path, "tokens are estimated: bytes / PolicyRouter(bytes_per_token=...)")
        if kind == "metadata":
            self._findings.note(rule.path, "the router reads the body's metadata; give it as metadata=... to route()")

    def _domain(self, rule: Table, _: Table) -> Condition:
        threshold = self._layout.domain_threshold
        if not 0.5 <= threshold <= 1:
            raise Untranslatable(
                f"the threshold of the domain classifier is {threshold}; allowed: 0.5 to 1, as below several domains "
                "may hold at once, by the entropy of the classifier"
            )
        known = self._labels.get("domain", DOMAINS)
        wanted = rule.texts("mmlu_categories") or [rule.text("name")]
        labels = [label for name in wanted if (label := _spelled_as(name, known)) is not None]
        if len(labels) < len(wanted):
            raise Untranslatable("no label of the domain classifier has its name; give mmlu_categories")
        if any(self._taken_later(rule, label) for label in labels):
            raise Untranslatable("a later domain claims the same label, so the router never matches this one")
        self.on_error["domain"] = "skip"
        return _any([{"signal": "domain", "label": label, "at_least": threshold} for label in labels])

    def _taken_later(self, rule: Table, label: str) -> bool:
        """Say whether a domain after this one claims a label: to the router, the last one has it."""
        if not self._last_claims:
            for i, other in enumerate(self._layout.signals["domain"]):
                self._places[other.path] = i
                self._last_claims |= dict.fromkeys(other.texts("mmlu_categories") or [other.text("name")], i)
        return self._last_claims.get(label, -1) > self._places.get(rule.path, len(self._places))

    def _language(self, rule: Table, _: Table) -> Condition:
        code = rule.text("name")
        if code not in LANGUAGES or code == "und":
            raise Untranslatable("routekit does not tell this language")
        if rule.number("threshold", 0) > 0:
            raise Untranslatable("it has a threshold on the confidence of another detector; take it out")
        self.on_error["language"] = "skip"
        return {"signal": "language", "equals": code}

    def _context(self, rule: Table, _: Table) -> Condition:
        low, high = (_tokens(rule, key) for key in ("min_tokens", "max_tokens"))
        if high == 0:
            raise Untranslatable("max_tokens is missing or 0, so the router never matches it; give one")
        if low > high:
            raise Untranslatable(f"min_tokens is {low} and max_tokens {high}; it never matches")
        bounds = [{"signal": "context_tokens", "at_least": low}, {"signal": "context_tokens", "at_most": high}]
        return {"all": bounds}

    def _jailbreak(self, rule: Table, _: Table) -> Condition:
        if rule.text("method", "classifier") != "classifier":
            raise Untranslatable("its method compares embeddings with examples; only classifier can be mapped")
        threshold = _probability(rule, "threshold")
        self.on_error["jailbreak"] = self._guard_on_error()
        self._findings.note(rule.at("threshold"), "was chosen for the router's model; measure it for yours")
        return {"signal": "jailbreak", "at_least": threshold}

    def _guard_on_error(self) -> str:
        guard = self._layout.guard
        if guard.text("on_error", "allow") == "block":
            return "block"
        self._findings.note(guard.at("on_error"), "where the classifier fails, requests pass, as in the router")
        return "skip"

    def _pii(self, rule: Table, _: Table) -> Condition:
        threshold = _probability(rule, "threshold")
        allowed = {label.upper() for label in rule.texts("pii_types_allowed")}
        denied = [label for label in self._labels.get("pii", PII_LABELS) if label.upper() not in allowed]
        denied = [label for label in denied if label not in ("none", "O")]
        self.on_error["pii"] = "skip"
        if "pii" in self._labels:
            return _any([{"signal": "pii", "label": label, "at_least": threshold} for label in denied])
        found = [label for label in denied if label in PII_PATTERNS]
        if len(found) < len(denied):
            missed = ", ".join(label for label in denied if label not in found)
            self._findings.lose(
                rule.path, f"patterns do not find {missed}; allow them, or give classifiers= an encoder"
            )
        if not found:
            raise Untranslatable("nothing that patterns find is denied")
        self._findings.note(rule.at("threshold"), "is for the router's model; patterns have their own")
        return {"signal": "pii", "any_of": found}

    def _metadata(self, rule: Table, _: Table) -> Condition:
        predicate = rule.table("predicate")
        if predicate.has("exists"):
            raise Untranslatable("it asks whether a key exists; routekit compares its value")
        _check_keys(predicate, ("equals", "in"))
        if predicate.has("equals") and predicate.has("in"):
            raise Untranslatable("its predicate has both equals and in; the router takes one")
        values = [predicate.text("equals")] if predicate.has("equals") else predicate.texts("in")
        if not values:
            raise Untranslatable("its predicate has neither equals nor in")
        return {"signal": "metadata", "name": rule.text("key"), "any_of": values}

    def _conversation(self, rule: Table, _: Table) -> Condition:
        feature, predicate = rule.table("feature"), rule.table("predicate").values
        declares_tools = feature.table("source").text("type", "") == "tool_definition" and (
            feature.text("type", "") == "exists" or dict(predicate) in ({"gte": 1}, {"gt": 0})
        )
        if not declares_tools:
            raise Untranslatable("it counts messages, tool calls or images; only declared tools can be mapped")
        return {"signal": "has_tools", "equals": True}

    def _classifier(self, rule: Table, leaf: Table) -> Condition:
        name, predicate = rule.text("name"), leaf.table("predicate")
        if name in VALUE_KINDS or name in FAMILY_KINDS or ":" in name:
            raise Untranslatable("routekit has another signal of this name; rename it")
        if leaf.text("on_error", "no_match") != "no_match":
            raise Untranslatable("it counts as true where the classifier fails; on_error is one for a signal here")
        _check_keys(predicate, tuple(_ORDERINGS))
        asked = [key for key in _ORDERINGS if predicate.has(key)]
        if not asked:
            raise Untranslatable("its predicate compares with nothing")
        label = leaf.text("label")
        self.on_error[name] = "skip"
        self._findings.note(rule.path, f"give PolicyRouter a classifier of this name, with the label {quoted(label)}")
        questions = [{"signal": name, "label": label, _ORDERINGS[key]: _probability(predicate, key)} for key in asked]
        return questions[0] if len(questions) == 1 else {"all": questions}


def _check_keys(table: Table, known: Sequence[str]) -> None:
    if unknown := table.beyond(known):
        raise Untranslatable(f"it has the key {quoted(unknown[0])}, which this does not know")


def _any(conditions: list[Condition]) -> Condition:
    if not conditions:
        raise Untranslatable("it can never hold")
    return conditions[0] if len(conditions) == 1 else {"any": conditions}


def _spelled_as(name: str, labels: Sequence[str]) -> str | None:
    """Find a label whatever its case, as the router does."""
    return next((label for label in labels if label.casefold() == name.casefold()), None)


def _tokens(rule: Table, key: str) -> int:
    """Read a number of tokens such as ``"8K"``: thousands, not 1024."""
    written = _TOKENS.fullmatch(rule.text(key, "0").strip().upper())
    if written is None:
        raise Untranslatable(f"{key} is no number of tokens such as 1000, 8K or 1.5M")
    return int(float(written[1]) * _SCALES[written[2]])


def _probability(table: Table, key: str) -> float:
    if not table.has(key):
        raise Untranslatable(f"{key} is missing, which the router takes as 0: everything; give one")
    value = table.number(key, 0)
    if not 0 < value <= 1:
        raise Untranslatable(f"{key} is {value}; allowed: over 0, at most 1")
    return value
