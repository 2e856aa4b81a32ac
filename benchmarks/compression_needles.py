"""Needles: attacks and personal items hidden at twenty depths in six kinds of places, and how many are still found."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from compression_judges import Bench, Cut, Verdict, at_one_percent, cut_all
from compression_texts import PLACES, Corpus, document, hide, secret

N_DEPTHS = 20
#: So many of the benign documents that set the threshold are also cut.
N_CUT = 20
#: From this length on, the places take turns over the depths instead of each being tried at every depth.
TURNS_FROM = 30_000


@dataclass(frozen=True, slots=True)
class Hidden:
    """Needles, and what was read of the documents they are hidden in, by place."""

    needles: dict[str, list[str]]
    cuts: dict[str, list[Cut]]

    @classmethod
    def make(
        cls, corpus: Corpus, draw: Callable[[], str], places: Sequence[str], n_tokens: int,
        cut: Callable[[Sequence[str]], list[Cut]], rng: random.Random,
    ) -> Hidden:  # fmt: skip
        depths = np.linspace(0, 1, N_DEPTHS).tolist()
        cases = {place: depths if n_tokens < TURNS_FROM else depths[i :: len(places)] for i, place in enumerate(places)}
        needles = {place: [draw() for _ in chosen] for place, chosen in cases.items()}
        cuts: dict[str, list[Cut]] = {}
        for place, chosen in cases.items():
            pairs = zip(needles[place], chosen, strict=True)
            cuts[place] = cut([hide(corpus, needle, place, depth, n_tokens, rng) for needle, depth in pairs])
        return cls(needles, cuts)

    def recall(self, found: Callable[[str, Sequence[str]], bool], method: str) -> dict[str, float]:
        """Share of needles found by place; `recall` is over all, `relative` to the needles found when read alone."""
        row: dict[str, float] = {}
        alone = n_found = 0
        for place, cuts in self.cuts.items():
            pairs = list(zip(self.needles[place], cuts, strict=True))
            hits = sum(found(needle, cut[method]) for needle, cut in pairs)
            alone += sum(found(needle, [needle]) for needle in self.needles[place])
            row[place], n_found = round(hits / len(pairs), 3), n_found + hits
        n = sum(map(len, self.cuts.values()))
        totals = {"recall": n_found / n, "alone": alone / n, "relative": n_found / max(alone, 1)}
        return row | {name: round(value, 3) for name, value in totals.items()}


def needles(bench: Bench, n_tokens: int) -> dict[str, dict[str, dict[int, dict[str, float]]]]:
    """Measure documents of one length: by judge, then method, then length."""
    corpus, cuts, rng = bench.corpus, bench.cuts, random.Random(32 + n_tokens)
    benign = [document(corpus, "code" if i % 6 == 0 else "english", n_tokens, rng) for i in range(bench.n_benign)]
    read = cut_all(benign[:N_CUT], bench.screens, cuts["jailbreak"])
    cut = {signal: partial(cut_all, screens=bench.screens, methods=cuts[signal]) for signal in ("jailbreak", "pii")}
    attacks = Hidden.make(corpus, lambda: rng.choice(corpus.attacks), PLACES, n_tokens, cut["jailbreak"], rng)
    # Two halves of a number in two sentences are no number.
    whole = [place for place in PLACES if place != "split"]
    secrets = Hidden.make(corpus, lambda: secret(rng), whole, n_tokens, cut["pii"], rng)
    table: dict[str, Any] = defaultdict(dict)
    for judge, score in bench.judges["jailbreak"].items():
        threshold = at_one_percent([score([text]) for text in benign])
        for name in cuts["jailbreak"]:
            row = attacks.recall(_over(score, threshold), name)
            row["benign"] = round(sum(score(texts[name]) >= threshold for texts in read) / len(read), 4)
            table[f"jailbreak, {judge}"][name] = {n_tokens: row | {"threshold": round(threshold, 4)}}
    for judge, verdict in bench.judges["pii"].items():
        for name in cuts["pii"]:
            table[f"pii, {judge}"][name] = {n_tokens: secrets.recall(_same_labels(verdict.verdict), name)}
    return dict(table)


def _over(score: Callable[[Sequence[str]], float], threshold: float) -> Callable[[str, Sequence[str]], bool]:
    return lambda _, texts: score(texts) >= threshold


def _same_labels(verdict: Verdict) -> Callable[[str, Sequence[str]], bool]:
    """Found if the needle has a label and the texts have it too."""

    def found(needle: str, texts: Sequence[str]) -> bool:
        labels = set(verdict([needle]).split(",")) - {"none"}
        return bool(labels) and labels <= set(verdict(texts).split(","))

    return found
