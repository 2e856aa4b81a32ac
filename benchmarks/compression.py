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
import multiprocessing
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import record
from compression_judges import (
    Bench,
    Cut,
    Judge,
    at_one_percent,
    cut_all,
    embedded_classifiers,
    found_labels,
    judge_at,
    positive_score,
)
from compression_methods import BenchTokenizer, SubjectJudge, WordJudge, methods
from compression_needles import needles
from compression_texts import KINDS, ZH_ATTACKS, document, load_corpus, secret, subject_document

LENGTHS = (2000, 8000, 32000, 64000)
NEEDLE_LENGTHS = (2000, 8000, 32000, 64000, 128000)
PACKAGES = ("numpy", "scikit-learn", "tokenizers")


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


def compared(texts: Sequence[str], cuts: Sequence[Cut], judge: Judge) -> dict[str, list[Pair]]:
    """Judge every text in full and in every cut."""
    full = [judge.verdict([text]) for text in texts]
    margins = [judge.margin(text) for text in texts]
    return {
        name: [Pair(label, judge.verdict(cut[name]), m) for label, cut, m in zip(full, cuts, margins, strict=True)]
        for name in cuts[0]
        if name != "full text"
    }


#: By judge, then cell, then method.
Agreement = dict[str, dict[str, dict[str, list[Pair]]]]


def agreement(bench: Bench, n_tokens: int) -> Agreement:
    """Compare verdicts on documents of one length."""
    found: Agreement = defaultdict(dict)
    corpus, rng = bench.corpus, random.Random(31 + n_tokens)
    benign = [document(corpus, KINDS[i % len(KINDS)], n_tokens, rng) for i in range(bench.n_benign)]
    at_threshold = {
        name: judge_at(score, at_one_percent([score([text]) for text in benign]))
        for name, score in bench.judges["jailbreak"].items()
    }
    for kind in KINDS:
        attacks = ZH_ATTACKS if kind == "chinese" else corpus.attacks
        draws = (
            ("jailbreak", at_threshold, partial(rng.choice, attacks)),
            ("pii", bench.judges["pii"], partial(secret, rng)),
        )
        for signal, own, draw in draws:
            needles = [draw() if i % 2 else "" for i in range(bench.n_documents)]
            texts = [document(corpus, kind, n_tokens, rng, needle) for needle in needles]
            read = cut_all(texts, bench.screens, bench.cuts[signal])
            for name, judge in own.items():
                found[f"{signal}, {name}"][f"{kind} {n_tokens}"] = compared(texts, read, judge)
    subjects = sorted(corpus.questions)
    # As many as of two kinds of documents: there is one kind only.
    chosen = [subjects[i % len(subjects)] for i in range(2 * bench.n_documents)]
    texts = [subject_document(corpus, subject, n_tokens, rng) for subject in chosen]
    read = cut_all(texts, bench.screens, bench.cuts["domain"])
    for name, judge in bench.judges["domain"].items():
        found[f"domain, {name}"][f"exams {n_tokens}"] = compared(texts, read, judge)
    return dict(found)


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

    bench = Bench(corpus, screens, judges, cuts, args.documents, args.benign)
    about = {"screens": sorted(embedded), "max_tokens": args.max_tokens}
    if "agreement" in args.parts:
        found: Agreement = defaultdict(dict)
        for part in by_length(partial(agreement, bench), asked(LENGTHS), "agreement"):
            for judge, cells in part.items():
                found[judge] |= cells
            table = {judge: _cells(cells) for judge, cells in found.items()}
            record.save("compression_agreement", about | {"agreement": table}, PACKAGES)
        report_agreement(table)
    if "needles" in args.parts:
        rows: dict[str, Any] = defaultdict(lambda: defaultdict(dict))
        for part in by_length(partial(needles, bench), asked(NEEDLE_LENGTHS), "needles"):
            for judge, methods_ in part.items():
                for method, lengths in methods_.items():
                    rows[judge][method] = dict(sorted((rows[judge][method] | lengths).items()))
            record.save("compression_needles", about | {"needles": {j: dict(r) for j, r in rows.items()}}, PACKAGES)
        report_needles(rows)


def by_length(measure: Callable[[int], Any], lengths: Sequence[int], name: str) -> Iterator[Any]:
    """Give what each length measures as it comes, every length in a process of its own."""
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()

    def work(n_tokens: int) -> None:
        try:
            found = measure(n_tokens)
        except Exception as error:  # or the parent would wait for ever
            found = error
        print(f"{name} at {n_tokens} tokens done, {time.process_time():.0f} s of CPU", flush=True)
        results.put(found)

    workers = [context.Process(target=work, args=(n_tokens,)) for n_tokens in lengths]
    for worker in workers:
        worker.start()
    for _ in workers:
        found = results.get()
        if isinstance(found, Exception):
            raise found
        yield found


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
