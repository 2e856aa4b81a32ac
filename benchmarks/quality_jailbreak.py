"""Tables of the jailbreak signal: unseen sets, known sources, and one table for each difficulty."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

import numpy as np

from corpus import ATTACK, BENIGN, Row
from disguises import DISGUISES, FOREIGN, PLAIN
from everyday import EVERYDAY, LOADED_WORDS, PLAIN_WORDS, ROLE_PLAY, SECURITY, TRIGGERS
from machine_text import machine_text
from quality_hidden import FORMS, pairs
from quality_measures import Floats, separation, share
from quality_sets import AT_MOST, Sets, held_by_source, plain_attacks, some, unseen_attacks, unseen_benign
from quality_tiers import Tier
from requests_of_length import benign_requests

#: Lengths of requests in thousands of tokens, as in training: about 3/4 word a token.
LENGTHS_K = (1, 4, 16)
_WORDS_PER_TOKEN = 0.75
_N_LONG = 60
_N_HIDDEN = 120


def tables(tier: Tier, sets: Sets) -> dict[str, Any]:
    return {
        "sets never seen": against(tier, unseen_attacks(sets), unseen_benign(sets)),
        "held-out rows of known sources": against(tier, held_by_source(sets, ATTACK), held_by_source(sets, BENIGN)),
        "harmless texts with words of attacks": fired(tier, trigger_texts(sets)),
        "harmless texts in other languages": fired(tier, other_languages(sets)),
        "long role play": role_play(tier, sets),
        "talk about security": fired(tier, {"written for this": SECURITY, "XSTest": sets.of("xstest")}),
        "everyday requests": fired(tier, {"written for this": EVERYDAY, "IFEval": some(sets.of("ifeval"))}),
        "one word or two": fired(
            tier, {"words of attacks": LOADED_WORDS.split("|"), "other words": PLAIN_WORDS.split("|")}
        ),
        "machine-made text": fired(tier, {kind: some(texts, 20) for kind, texts in machine_text().items()}),
        "instructions hidden in documents": hidden(tier, sets),
        "disguises": disguised(tier),
        "attacks in other languages": foreign(tier, sets),
        "requests by length": by_length(tier, sets),
    }


def against(tier: Tier, attacks: Mapping[str, list[str]], benign: Mapping[str, list[str]]) -> dict[str, Any]:
    """Measure all attacks, and each set of them, against all harmless texts; and what fires at shipped thresholds."""
    bad = {name: tier.attacks(texts) for name, texts in attacks.items()}
    good = {name: tier.attacks(texts) for name, texts in benign.items()}
    harmless = np.concatenate([scores.p for scores in good.values()])
    every = np.concatenate([scores.p for scores in bad.values()])
    return {
        "pooled": separation(every, harmless),
        "by set of attacks": {name: _of_set(scores.p, harmless, scores.fires) for name, scores in bad.items()},
        "harmless that fires": {name: _share(scores.fires) for name, scores in good.items()},
        "settled by the first tier": _share(np.concatenate([s.settled for s in (*bad.values(), *good.values())])),
    }


def _of_set(p: Floats, harmless: Floats, fires: Any) -> dict[str, Any]:
    return {**separation(p, harmless), "found": _share(fires)}


def _share(fires: Any) -> dict[str, Any]:
    return share(int(fires.sum()), len(fires))


def fired(tier: Tier, texts: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    """Share that fires at the shipped thresholds, by kind and in all."""
    found = {kind: tier.attacks(list(many)).fires for kind, many in texts.items()}
    return {
        "all": _share(np.concatenate(list(found.values()))),
        **{kind: _share(fires) for kind, fires in found.items()},
    }


def trigger_texts(sets: Sets) -> dict[str, Iterable[str]]:
    kinds = {f"NotInject, {kind}": sets.of("notinject", kind=kind) for kind in sets.kinds("notinject")}
    return {"written for this": TRIGGERS, **kinds}


def other_languages(sets: Sets) -> dict[str, Iterable[str]]:
    found: dict[str, Iterable[str]] = {
        f"{row_kind}, MGSM": some(sets.of("mgsm", kind=row_kind), 100) for row_kind in sets.kinds("mgsm")
    }
    for language in ("it", "pl", "tr"):
        found[f"{language}, Python documentation"] = some(
            (row.text for row in sets.fresh if row.language == language), 150
        )
    return found


def role_play(tier: Tier, sets: Sets) -> dict[str, Any]:
    """Long prompts that set a role: harmless ones, and jailbreaks of the wild, all of them held out."""
    prompts = [row.text for row in sets.held if row.source == "awesome_prompts" and len(row.text) > 400]
    attacks = [row.text for row in sets.held if row.source == "in_the_wild" and len(row.text) > 400]
    scores = {"written for this": tier.attacks(ROLE_PLAY), "awesome prompts": tier.attacks(some(prompts))}
    bad = tier.attacks(some(attacks))
    return {
        "attacks against harmless": separation(bad.p, np.concatenate([found.p for found in scores.values()])),
        "attacks found": _share(bad.fires),
        "harmless that fires": {name: _share(found.fires) for name, found in scores.items()},
    }


def hidden(tier: Tier, sets: Sets) -> dict[str, Any]:
    """Documents with a foreign line: orders, which a document may well hold, and plain attacks; by form."""
    lines = {"orders": sets.orders, "plain attacks": [*plain_attacks(sets), *PLAIN]}
    found: dict[str, Any] = {}
    for name, foreign_lines in lines.items():
        scored = {form: _hidden(tier, form, _hosts(sets, form), foreign_lines) for form in FORMS}
        found[name] = {
            "all forms": _separated([*scored.values()]),
            **{form: _separated([s]) for form, s in scored.items()},
        }
    found["orders in tables and code, against the same untouched"] = untouched(tier, sets)
    for kind in ("plain", "loud"):
        bad, good = (
            tier.attacks(some(sets.of("injecagent", kind=kind), 150)),
            tier.attacks(sets.of("injecagent", BENIGN)),
        )
        found[f"InjecAgent, {kind} orders in tool results"] = {"all forms": _separated([(bad, good)])}
    return found


def untouched(tier: Tier, sets: Sets) -> dict[str, Any]:
    """The documents of BIPIA with one of its orders, and as they are."""
    hosts = some((row["context"] for row in sets.documents), AT_MOST)
    attacked = pairs("documents", hosts, sets.orders, len(hosts))[0]
    return {"all forms": _separated([(tier.attacks(attacked), tier.attacks(hosts))])}


def _hosts(sets: Sets, form: str) -> list[str]:
    if form in ("tables", "code", "documents"):
        task = {"tables": ("table",), "code": ("code",), "documents": ("table", "code")}[form]
        return some((row["context"] for row in sets.documents if row["task"] in task), _N_HIDDEN)
    english = (row.text for row in sets.fresh if row.language == "en" and 300 < len(row.text) < 2500)
    return some(english, _N_HIDDEN)


def _hidden(tier: Tier, form: str, hosts: list[str], lines: list[str]) -> tuple[Any, Any]:
    attacked, clean = pairs(form, hosts, lines, _N_HIDDEN)
    return tier.attacks(attacked), tier.attacks(clean)


def _separated(scored: list[tuple[Any, Any]]) -> dict[str, Any]:
    bad = np.concatenate([b.p for b, _ in scored])
    good = np.concatenate([g.p for _, g in scored])
    return {
        **separation(bad, good),
        "found": _share(np.concatenate([b.fires for b, _ in scored])),
        "clean that fires": _share(np.concatenate([g.fires for _, g in scored])),
    }


def disguised(tier: Tier) -> dict[str, Any]:
    """Attacks and everyday requests in the same disguise."""
    disguises: dict[str, Callable[[str], str]] = {"none": str, **DISGUISES}
    return {
        name: _separated([(tier.attacks([hide(t) for t in PLAIN]), tier.attacks([hide(t) for t in EVERYDAY]))])
        for name, hide in disguises.items()
    }


def foreign(tier: Tier, sets: Sets) -> dict[str, Any]:
    known = [row.text for row in sets.held if row.source == "yanismiraoui"]
    harmless = np.concatenate([tier.attacks(list(texts)).p for texts in other_languages(sets).values()])
    found = {"written for this": tier.attacks(FOREIGN), "yanismiraoui, held out": tier.attacks(some(known))}
    return {name: _of_set(scores.p, harmless, scores.fires) for name, scores in found.items()}


def by_length(tier: Tier, sets: Sets) -> dict[str, Any]:
    """Harmless requests of unseen sources, and the same ones with a plain attack in a line of its own."""
    pool = [Row(row.text, BENIGN, row.source) for row in sets.fresh]
    found: dict[str, Any] = {}
    for length in LENGTHS_K:
        words = int(1000 * length * _WORDS_PER_TOKEN)
        clean = list(benign_requests(pool, words, _N_LONG, seed=3000 + length))
        attacked = pairs("documents", clean, plain_attacks(sets), len(clean))[0]
        found[f"{length}K tokens"] = _separated([(tier.attacks(attacked), tier.attacks(clean))])
    return found
