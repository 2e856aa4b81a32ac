"""Does the verdict survive compression? Agreement with the full text, and needles in long documents.

usage: python benchmarks/compression.py SHARED_FOLDER [--documents 48] [--max-tokens 512]

Agreement is measured with the embedded classifiers, which also screen, and with classifiers trained here on other
features and another seed, which do not. Verdicts are balanced by class: as many positive as negative ones (of all
subjects, for domain). A needle counts as found at the threshold that 1 % of benign requests of that length pass.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
TURNS_FROM = 100_000

#: Texts that one request was cut to, to a verdict.
Verdict = Callable[[Sequence[str]], str]


def embedded_classifiers() -> dict[str, Any]:
    """Load what the package ships; a model that is not installed is left out, and the results show it."""
    from routekit.embedded import load

    found: dict[str, Any] = {"pii": PatternPiiClassifier()}
    for name in ("jailbreak", "domain"):
        try:
            found[name] = load(name)
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


def kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Cohen's kappa of two verdicts on the same documents."""
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    ours, theirs = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = sum(ours[label] * theirs[label] for label in ours) / n**2
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)


def balanced(verdicts: Sequence[str], rng: random.Random) -> list[int]:
    """Choose as many documents of one verdict as of another (for two classes), by the verdict on the full text."""
    by_verdict: dict[str, list[int]] = defaultdict(list)
    for i, verdict in enumerate(verdicts):
        by_verdict[verdict].append(i)
    if set(by_verdict) - {"positive", "negative"}:
        return list(range(len(verdicts)))
    n = min(len(by_verdict["positive"]), len(by_verdict["negative"]))
    return sorted(i for group in by_verdict.values() for i in rng.sample(group, min(n, len(group))))


def agreement(
    texts: Sequence[str],
    scores: Sequence[Sequence[Any]],
    cuts: Mapping[str, Method],
    verdict: Verdict,
    rng: random.Random,
) -> dict[str, dict[str, float]]:
    full = [verdict([text]) for text in texts]
    chosen = balanced(full, rng)
    results: dict[str, dict[str, float]] = {}
    for name, cut in cuts.items():
        if name == "full text":
            continue
        pairs = [(full[i], verdict(cut(texts[i], scores[i]))) for i in chosen]
        results[name] = _agreement(pairs)
    common = Counter(full[i] for i in chosen).most_common(1)[0][0] if chosen else ""
    results["constant"] = _agreement([(full[i], common) for i in chosen])
    return results


def _agreement(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    if not pairs:
        return {"n": 0}
    share = sum(a == b for a, b in pairs) / len(pairs)
    return {"n": len(pairs), "agreement": round(share, 4), "kappa": round(kappa(pairs), 4)}


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
    lengths: Sequence[int],
) -> dict[str, Any]:
    rng = random.Random(31)
    table: dict[str, Any] = defaultdict(dict)
    for n_tokens in lengths:
        for kind in KINDS:
            attacks = ZH_ATTACKS if kind == "chinese" else corpus.attacks
            needles = [rng.choice(attacks) if i % 2 else "" for i in range(n_documents)]
            texts = [document(corpus, kind, n_tokens, rng, needle) for needle in needles]
            scores = screened(texts, screens)
            for name, score in judges["jailbreak"].items():
                threshold = at_one_percent(
                    [score([text]) for text, needle in zip(texts, needles, strict=True) if not needle]
                )
                verdict = thresholded(score, threshold)
                table[f"jailbreak, {name}"][f"{kind} {n_tokens}"] = agreement(
                    texts, scores, cuts["jailbreak"], verdict, rng
                )
            secrets = [secret(rng) if i % 2 else "" for i in range(n_documents)]
            texts = [document(corpus, kind, n_tokens, rng, needle) for needle in secrets]
            scores = screened(texts, screens)
            for name, verdict in judges["pii"].items():
                table[f"pii, {name}"][f"{kind} {n_tokens}"] = agreement(texts, scores, cuts["pii"], verdict, rng)
        subjects = sorted(corpus.questions)
        texts = [subject_document(corpus, subjects[i % len(subjects)], n_tokens, rng) for i in range(n_documents)]
        scores = screened(texts, screens)
        for name, verdict in judges["domain"].items():
            table[f"domain, {name}"][f"exams {n_tokens}"] = agreement(texts, scores, cuts["domain"], verdict, rng)
        print(f"agreement at {n_tokens} tokens done, {time.process_time():.0f} s of CPU", flush=True)
    return dict(table)


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
        for name, cut in cuts["jailbreak"].items():
            for judge, score in judges["jailbreak"].items():
                read = [cut(text, scores) for text, scores in zip(benign, benign_scores, strict=True)]
                threshold = at_one_percent([score(texts) for texts in read])
                row = attacks.recall(_over(score, threshold), cut)
                table[f"jailbreak, {judge}"][name][n_tokens] = row | {"threshold": round(threshold, 4)}
        for name, cut in cuts["pii"].items():
            for judge, verdict in judges["pii"].items():
                table[f"pii, {judge}"][name][n_tokens] = secrets.recall(_same_labels(verdict), cut)
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
    words, subject = WordJudge.train([*known, *ZH_ATTACKS[:3] * 20], corpus, rng), SubjectJudge.train(corpus)
    judges: dict[str, Any] = {"jailbreak": {"independent": words}, "pii": {}, "domain": {}}
    judges["pii"]["embedded"] = found_labels(embedded["pii"])
    judges["domain"]["independent"] = lambda texts: subject(texts[0])
    if "jailbreak" in embedded:
        judges["jailbreak"]["embedded"] = positive_score(embedded["jailbreak"])
    if "domain" in embedded:
        judges["domain"]["embedded"] = lambda texts: embedded["domain"].classify([texts[0]])[0].label
    screens = [classifier.screen for classifier in embedded.values()]
    tokenizer = BenchTokenizer(corpus)
    cuts = {signal: methods(tokenizer, args.max_tokens, signal) for signal in judges}

    def asked(lengths: Sequence[int]) -> list[int]:
        return [n_tokens for n_tokens in lengths if args.shortest <= n_tokens <= args.longest]

    about = {"screens": sorted(embedded), "max_tokens": args.max_tokens}
    if "agreement" in args.parts:
        table = measure_agreement(corpus, screens, judges, cuts, args.documents, asked(LENGTHS))
        report_agreement(table)
        record.save("compression_agreement", about | {"agreement": table}, PACKAGES)
    if "needles" in args.parts:
        table = {}
        for row in measure_needles(corpus, screens, judges, cuts, args.benign, asked(NEEDLE_LENGTHS)):
            table = row
            record.save("compression_needles", about | {"needles": table}, PACKAGES)
        report_needles(table)


def report_agreement(table: Mapping[str, Any]) -> None:
    """Print agreement averaged over kinds and lengths."""
    for judge, cells in table.items():
        print(f"\nagreement, {judge}: share of equal verdicts (kappa), all lengths and kinds")
        for method in next(iter(cells.values())):
            rows = [cell[method] for cell in cells.values() if cell[method]["n"]]
            n = sum(row["n"] for row in rows)
            share, k = (sum(row[key] * row["n"] for row in rows) / max(n, 1) for key in ("agreement", "kappa"))
            print(f"  {method:26} {share:6.1%} ({k:.2f})  n={n}")


def report_needles(table: Mapping[str, Any]) -> None:
    """Print recall by length."""
    for judge, cells in table.items():
        print(f"\nneedles, {judge}: recall (relative to the needle alone) by tokens")
        for method, by_length in cells.items():
            columns = "  ".join(f"{n}: {row['recall']:.2f} ({row['relative']:.2f})" for n, row in by_length.items())
            print(f"  {method:26} {columns}")


if __name__ == "__main__":
    main()
