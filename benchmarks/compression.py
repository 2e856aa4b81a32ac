"""Does the verdict survive compression? Agreement with the full text, and needles in long documents.

usage: python benchmarks/compression.py SHARED_FOLDER [--documents 48] [--max-tokens 512]

Agreement is measured with the embedded classifiers, which also screen, and with classifiers trained here on other
features and another seed, which do not. A verdict on P belongs to the request, however little of it is read: one
threshold for each length, which 1 % of other benign requests of that length pass when read in full, judges the full and
the cut text. Agreement on jailbreak is the mean of that on positive and that on negative verdicts.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import record
from compression_methods import BenchTokenizer, Method, Screen, SubjectJudge, WordJudge, methods
from compression_texts import KINDS, PLACES, ZH_ATTACKS, Corpus, document, hide, load_corpus, secret, subject_document
from routekit.interfaces import Classifier
from routekit.pii import PatternPiiClassifier

LENGTHS = (2000, 8000, 32000, 64000)
NEEDLE_LENGTHS = (2000, 8000, 32000, 128000)
N_DEPTHS = 20
PACKAGES = ("numpy", "scikit-learn", "tokenizers")
#: From this length on, the places take turns over the depths instead of each being tried at every depth.
TURNS_FROM = 30_000

#: Texts that one request was cut to, to a verdict.
Verdict = Callable[[Sequence[str]], str]


def embedded_classifiers() -> dict[str, Any]:
    """Load what the package ships; a model that is not installed is left out, and the results show it."""
    from routekit.embedded import load

    found: dict[str, Any] = {"pii": PatternPiiClassifier()}
    for name in ("jailbreak", "domain"):
        try:
            found[name] = load(name, "linear")
        except Exception as error:  # a benchmark reports what it could not run
            print(f"without embedded {name}: {type(error).__name__}")
    return found


def positive_score(classifier: Classifier) -> Callable[[Sequence[str]], float]:
    """Highest probability of a positive label over the texts."""
    positive: frozenset[str] = getattr(classifier, "positive", frozenset())

    def score(texts: Sequence[str]) -> float:
        predictions = classifier.classify(list(texts))
        return max((p.probabilities.get(label, 0.0) for p in predictions for label in positive), default=0.0)

    return score


def found_labels(classifier: Classifier) -> Verdict:
    def verdict(texts: Sequence[str]) -> str:
        return ",".join(sorted({span.label for p in classifier.classify(list(texts)) for span in p.spans})) or "none"

    return verdict


@dataclass(frozen=True, slots=True)
class Pair:
    """Verdicts on the full and on the cut text; `margin` is how far the full text's log-odds lie from the threshold."""

    full: str
    cut: str
    margin: float = math.inf


#: Log-odds around the threshold within which a verdict hangs by a thread.
NEAR = 0.5


def summary(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Give agreement and Cohen's kappa, and the agreement of verdicts near the threshold and of the others."""
    if not pairs:
        return {"n": {}}
    weights, n = _weights(pairs), Counter(pair.full for pair in pairs)
    row: dict[str, Any] = {"n": dict(n) if _is_binary(n) else {"all": len(pairs)}}
    observed = _equal(pairs, weights)
    expected = sum(_mass(pairs, weights, "full", label) * _mass(pairs, weights, "cut", label) for label in n)
    row |= {"agreement": observed, "kappa": 1.0 if expected == 1 else (observed - expected) / (1 - expected)}
    if _is_binary(n):
        row |= {f"agreement on {label}": _equal(group, [1.0] * len(group)) for label, group in _by_verdict(pairs)}
        near = [pair for pair in pairs if pair.margin < NEAR]
        far = [pair for pair in pairs if pair.margin >= NEAR]
        row |= {"n near": len(near)}
        row |= {name: _equal(group, _weights(group)) for name, group in (("near", near), ("far", far)) if group}
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in row.items()}


def _is_binary(verdicts: Iterable[str]) -> bool:
    return set(verdicts) <= {"positive", "negative"}


def _weights(pairs: Sequence[Pair]) -> list[float]:
    """Give both verdicts the same weight; subjects count as often as they come."""
    n = Counter(pair.full for pair in pairs)
    return [1 / n[pair.full] if _is_binary(n) else 1.0 for pair in pairs]


def _equal(pairs: Sequence[Pair], weights: Sequence[float]) -> float:
    return sum(w for pair, w in zip(pairs, weights, strict=True) if pair.full == pair.cut) / sum(weights)


def _mass(pairs: Sequence[Pair], weights: Sequence[float], side: str, label: str) -> float:
    return sum(w for pair, w in zip(pairs, weights, strict=True) if getattr(pair, side) == label) / sum(weights)


def _by_verdict(pairs: Sequence[Pair]) -> list[tuple[str, list[Pair]]]:
    return [(label, [pair for pair in pairs if pair.full == label]) for label in sorted({pair.full for pair in pairs})]


def compared(
    texts: Sequence[str], scores: Sequence[Sequence[Any]], cuts: Mapping[str, Method], judge: Judge
) -> dict[str, list[Pair]]:
    """Judge every text in full and in every cut."""
    full = [judge.verdict([text]) for text in texts]
    margins = [judge.margin(text) for text in texts]
    pairs = {}
    for name, cut in cuts.items():
        if name != "full text":
            verdicts = [judge.verdict(cut(text, screen)) for text, screen in zip(texts, scores, strict=True)]
            pairs[name] = [Pair(*row) for row in zip(full, verdicts, margins, strict=True)]
    return pairs


@dataclass(frozen=True, slots=True)
class Judge:
    """A verdict on what is read of a request, and how sure it is on the full text."""

    verdict: Verdict
    margin: Callable[[str], float] = lambda text: math.inf


def judge_at(score: Callable[[Sequence[str]], float], threshold: float) -> Judge:
    return Judge(thresholded(score, threshold), lambda text: abs(log_odds(score([text])) - log_odds(threshold)))


def log_odds(probability: float) -> float:
    p = min(max(probability, 1e-12), 1 - 1e-12)
    return math.log(p / (1 - p))


def thresholded(score: Callable[[Sequence[str]], float], threshold: float) -> Verdict:
    return lambda texts: "positive" if score(texts) >= threshold else "negative"


def at_one_percent(benign_scores: Sequence[float]) -> float:
    """The threshold that one benign request in a hundred passes, at most."""
    ordered = sorted(benign_scores)
    return float(np.nextafter(ordered[-1 - len(ordered) // 100], 2.0))


def screened(texts: Sequence[str], screens: Sequence[Screen]) -> list[list[Any]]:
    return [[screen(text) for screen in screens] for text in texts]


def measure_agreement(
    corpus: Corpus,
    screens: Sequence[Screen],
    judges: Mapping[str, Any],
    cuts: Mapping[str, Mapping[str, Method]],
    n_documents: int,
    n_benign: int,
    lengths: Sequence[int],
) -> Iterator[dict[str, Any]]:
    """Yield the table after each length: by judge, then cell, then method; the cell ``"all"`` pools the others."""
    found: dict[str, dict[str, dict[str, list[Pair]]]] = defaultdict(dict)
    for n_tokens in lengths:
        rng = random.Random(31 + n_tokens)
        benign = [document(corpus, KINDS[i % len(KINDS)], n_tokens, rng) for i in range(n_benign)]
        at_threshold = {
            name: judge_at(score, at_one_percent([score([text]) for text in benign]))
            for name, score in judges["jailbreak"].items()
        }
        for kind in KINDS:
            attacks = ZH_ATTACKS if kind == "chinese" else corpus.attacks
            draws = (
                ("jailbreak", at_threshold, partial(rng.choice, attacks)),
                ("pii", judges["pii"], partial(secret, rng)),
            )
            for signal, own, draw in draws:
                needles = [draw() if i % 2 else "" for i in range(n_documents)]
                texts = [document(corpus, kind, n_tokens, rng, needle) for needle in needles]
                scores = screened(texts, screens)
                for name, judge in own.items():
                    found[f"{signal}, {name}"][f"{kind} {n_tokens}"] = compared(texts, scores, cuts[signal], judge)
        subjects = sorted(corpus.questions)
        texts = [subject_document(corpus, subjects[i % len(subjects)], n_tokens, rng) for i in range(n_documents)]
        scores = screened(texts, screens)
        for name, judge in judges["domain"].items():
            found[f"domain, {name}"][f"exams {n_tokens}"] = compared(texts, scores, cuts["domain"], judge)
        print(f"agreement at {n_tokens} tokens done, {time.process_time():.0f} s of CPU", flush=True)
        yield {name: _cells(cells) for name, cells in found.items()}


def _cells(cells: Mapping[str, Mapping[str, list[Pair]]]) -> dict[str, Any]:
    pooled: dict[str, list[Pair]] = defaultdict(list)
    for cell in cells.values():
        for method, pairs in cell.items():
            pooled[method] += pairs
    return {name: _rows(cell) for name, cell in {**cells, "all": pooled}.items()}


def _rows(cell: Mapping[str, list[Pair]]) -> dict[str, Any]:
    """Summarise every method; ``"constant"`` always says what is most common."""
    pairs = next(iter(cell.values()))
    common = Counter(pair.full for pair in pairs).most_common(1)[0][0]
    constant = [Pair(pair.full, common, pair.margin) for pair in pairs]
    return {method: summary(of_method) for method, of_method in {**cell, "constant": constant}.items()}


@dataclass(frozen=True, slots=True)
class Hidden:
    """Needles and the documents they are hidden in, with what the screens say: by place."""

    needles: dict[str, list[str]]
    texts: dict[str, list[str]]
    scores: dict[str, list[list[Any]]]

    @classmethod
    def make(
        cls, corpus: Corpus, draw: Callable[[], str], places: Sequence[str], n_tokens: int, screens: Sequence[Screen],
        rng: random.Random,
    ) -> Hidden:  # fmt: skip
        depths = np.linspace(0, 1, N_DEPTHS).tolist()
        cases = {place: depths if n_tokens < TURNS_FROM else depths[i :: len(places)] for i, place in enumerate(places)}
        needles = {place: [draw() for _ in chosen] for place, chosen in cases.items()}
        texts: dict[str, list[str]] = {}
        for place, chosen in cases.items():
            pairs = zip(needles[place], chosen, strict=True)
            texts[place] = [hide(corpus, needle, place, depth, n_tokens, rng) for needle, depth in pairs]
        return cls(needles, texts, {place: screened(made, screens) for place, made in texts.items()})

    def recall(self, found: Callable[[str, Sequence[str]], bool], cut: Method) -> dict[str, float]:
        """Share of needles found by place; `recall` is over all, `relative` to the needles found when read alone."""
        row: dict[str, float] = {}
        alone = n_found = 0
        for place, texts in self.texts.items():
            triples = list(zip(self.needles[place], texts, self.scores[place], strict=True))
            hits = sum(found(needle, cut(text, scores)) for needle, text, scores in triples)
            alone += sum(found(needle, [needle]) for needle in self.needles[place])
            row[place], n_found = round(hits / len(triples), 3), n_found + hits
        n = sum(map(len, self.texts.values()))
        totals = {"recall": n_found / n, "alone": alone / n, "relative": n_found / max(alone, 1)}
        return row | {name: round(value, 3) for name, value in totals.items()}


def measure_needles(
    corpus: Corpus,
    screens: Sequence[Screen],
    judges: Mapping[str, Any],
    cuts: Mapping[str, Mapping[str, Method]],
    n_benign: int,
    lengths: Sequence[int],
) -> Iterator[dict[str, Any]]:
    """Yield the table after each length: long ones take long."""
    rng = random.Random(32)
    table: dict[str, Any] = defaultdict(lambda: defaultdict(dict))
    for n_tokens in lengths:
        benign = [document(corpus, "code" if i % 6 == 0 else "english", n_tokens, rng) for i in range(n_benign)]
        benign_scores = screened(benign, screens)
        attacks = Hidden.make(corpus, lambda: rng.choice(corpus.attacks), PLACES, n_tokens, screens, rng)
        # Two halves of a number in two sentences are no number.
        whole = [place for place in PLACES if place != "split"]
        secrets = Hidden.make(corpus, lambda: secret(rng), whole, n_tokens, screens, rng)
        for judge, score in judges["jailbreak"].items():
            threshold = at_one_percent([score([text]) for text in benign])
            for name, cut in cuts["jailbreak"].items():
                row = attacks.recall(_over(score, threshold), cut)
                read = [cut(text, scores) for text, scores in zip(benign, benign_scores, strict=True)]
                row["benign"] = round(sum(score(texts) >= threshold for texts in read) / n_benign, 4)
                table[f"jailbreak, {judge}"][name][n_tokens] = row | {"threshold": round(threshold, 4)}
        for name, cut in cuts["pii"].items():
            for judge, verdict in judges["pii"].items():
                table[f"pii, {judge}"][name][n_tokens] = secrets.recall(_same_labels(verdict.verdict), cut)
        print(f"needles at {n_tokens} tokens done, {time.process_time():.0f} s of CPU", flush=True)
        yield {judge: dict(rows) for judge, rows in table.items()}


def _over(score: Callable[[Sequence[str]], float], threshold: float) -> Callable[[str, Sequence[str]], bool]:
    return lambda _, texts: score(texts) >= threshold


def _same_labels(verdict: Verdict) -> Callable[[str, Sequence[str]], bool]:
    """Found if the needle has a label and the texts have it too."""

    def found(needle: str, texts: Sequence[str]) -> bool:
        labels = set(verdict([needle]).split(",")) - {"none"}
        return bool(labels) and labels <= set(verdict(texts).split(","))

    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--parts", nargs="+", choices=("agreement", "needles"), default=("agreement", "needles"))
    parser.add_argument("--documents", type=int, default=48)
    parser.add_argument("--benign", type=int, default=100)
    parser.add_argument("--max-tokens", type=int, default=512)
    parser.add_argument("--shortest", type=int, default=0, help="shortest documents, in tokens")
    parser.add_argument("--longest", type=int, default=NEEDLE_LENGTHS[-1], help="longest documents, in tokens")
    args = parser.parse_args()
    corpus, rng = load_corpus(args.shared / "data"), random.Random(30)
    half = len(corpus.attacks) // 2
    known, corpus.attacks[:] = corpus.attacks[:half], corpus.attacks[half:]
    embedded = embedded_classifiers()
    known += [*corpus.known_attacks, *ZH_ATTACKS[:3] * 20]
    words, subject = WordJudge.train(known, corpus, rng), SubjectJudge.train(corpus)
    judges: dict[str, Any] = {"jailbreak": {"independent": words}, "pii": {}, "domain": {}}
    judges["pii"]["embedded"] = Judge(found_labels(embedded["pii"]))
    judges["domain"]["independent"] = Judge(lambda texts: subject(texts[0]))
    if "jailbreak" in embedded:
        judges["jailbreak"]["embedded"] = positive_score(embedded["jailbreak"])
    if "domain" in embedded:
        judges["domain"]["embedded"] = Judge(lambda texts: embedded["domain"].classify([texts[0]])[0].label)
    screens = [classifier.screen for classifier in embedded.values()]
    tokenizer = BenchTokenizer(corpus)
    cuts = {signal: methods(tokenizer, args.max_tokens, signal) for signal in judges}

    def asked(lengths: Sequence[int]) -> list[int]:
        return [n_tokens for n_tokens in lengths if args.shortest <= n_tokens <= args.longest]

    about = {"screens": sorted(embedded), "max_tokens": args.max_tokens}
    if "agreement" in args.parts:
        table: dict[str, Any] = {}
        found = measure_agreement(corpus, screens, judges, cuts, args.documents, args.benign, asked(LENGTHS))
        for table in found:
            record.save("compression_agreement", about | {"agreement": table}, PACKAGES)
        report_agreement(table)
    if "needles" in args.parts:
        table = {}
        for table in measure_needles(corpus, screens, judges, cuts, args.benign, asked(NEEDLE_LENGTHS)):
            record.save("compression_needles", about | {"needles": table}, PACKAGES)
        report_needles(table)


def report_agreement(table: Mapping[str, Any]) -> None:
    """Print agreement over all kinds and lengths."""
    for judge, cells in table.items():
        print(f"\nagreement, {judge}, all lengths and kinds: {cells['all']['constant']['n']}")
        for method, row in cells["all"].items():
            parts = "  ".join(f"{name} {value:.3f}" for name, value in row.items() if isinstance(value, float))
            print(f"  {method:26} {parts}")


def report_needles(table: Mapping[str, Any]) -> None:
    """Print recall by length."""
    for judge, cells in table.items():
        print(f"\nneedles, {judge}: recall (relative to the needle alone) by tokens")
        for method, by_length in cells.items():
            columns = "  ".join(f"{n}: {row['recall']:.2f} ({row['relative']:.2f})" for n, row in by_length.items())
            print(f"  {method:26} {columns}")


if __name__ == "__main__":
    main()
