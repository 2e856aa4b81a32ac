"""Ways to cut a text to a number of tokens, and judges that none of them has seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import Tokenizer as RawTokenizer
from tokenizers import models, pre_tokenizers, trainers

from compression_texts import Corpus, document
from routekit import CompressedText, ExtractiveCompressor, WindowScores
from routekit.compression.analysis import TextAnalyser
from routekit.compression.budget import ExactCounter
from routekit.compression.compressor import unit_scores
from routekit.compression.profiles import Profile
from routekit.tensors import Encoding

if TYPE_CHECKING:
    import random

Screen = Callable[[str], WindowScores]
#: Text and screens' scores to the texts that a classifier reads.
Method = Callable[[str, Sequence[WindowScores]], list[str]]


class BenchTokenizer:
    """Byte-level pairs, trained on the benign texts of the benchmark: some 512-token budget for all methods."""

    n_special_tokens = 2

    def __init__(self, corpus: Corpus, vocab_size: int = 12000) -> None:
        self._raw = RawTokenizer(models.BPE())
        self._raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False)
        self._raw.train_from_iterator((text for pool in corpus.benign.values() for text in pool[:2000]), trainer)
        self.encode = lru_cache(maxsize=4)(self._encode)  # all methods count the same text

    def _encode(self, text: str) -> Encoding:
        raw = self._raw.encode(text, add_special_tokens=False)
        return Encoding(np.array(raw.ids, np.int64), np.array(raw.offsets, np.int64).reshape(-1, 2))


def methods(tokenizer: BenchTokenizer, max_tokens: int, signal: str) -> dict[str, Method]:
    """Give all ways to cut a text for one signal's classifier; ours uses that signal's screen, or all three in one."""
    compressor = ExtractiveCompressor()

    def read(text: str, result: CompressedText) -> list[str]:
        """Further windows of the encoder for what exceeds the cap, `max_tokens` characters by four each."""
        size = 4 * max_tokens
        more = (text[a:b] for a, b in result.overflow)
        return [result.text, *(piece[at : at + size] for piece in more for at in range(0, len(piece), size))]

    def all_screens(text: str, scores: Sequence[WindowScores]) -> list[str]:
        return read(text, compressor.compress(text, max_tokens, scores=scores, tokenizer=tokenizer))

    def routekit(text: str, scores: Sequence[WindowScores]) -> list[str]:
        return all_screens(text, [screen for screen in scores if screen.name == signal])

    def bounded(text: str, scores: Sequence[WindowScores]) -> list[str]:
        own = [screen for screen in scores if screen.name == signal]
        return read(text, compressor.compress(text, max_tokens, scores=own))

    def unscreened(text: str, _: Sequence[WindowScores]) -> list[str]:
        return all_screens(text, ())

    def head(text: str, _: Sequence[WindowScores]) -> list[str]:
        counter = ExactCounter(text, tokenizer)
        return [text[: counter.fit(0, len(text), max_tokens - 2)]]

    def head_and_tail(text: str, _: Sequence[WindowScores]) -> list[str]:
        offsets = tokenizer.encode(text).offsets
        half = (max_tokens - 2) // 2
        if len(offsets) <= max_tokens - 2:
            return [text]
        return [text[: offsets[half, 0]] + "\n" + text[offsets[-half, 0] :]]

    return {
        "full text": lambda text, _: [text],
        "routekit": routekit,
        "routekit, all screens": all_screens,
        "routekit, no tokenizer": bounded,
        "routekit, no screens": unscreened,
        "four scores (paper)": lambda text, _: [four_scores(text, tokenizer, max_tokens)],
        "head": head,
        "head+tail": head_and_tail,
    }


def four_scores(text: str, tokenizer: BenchTokenizer, max_tokens: int) -> str:
    """Select as published: first 3, last 2, then by the weighted scores whatever still fits, joined by spaces.

    With our sentences, and without the published sampling to 500 sentences: it can only be better than the original.
    """
    analyser = TextAnalyser()
    analyser.hold(text)
    analysis, counter = analyser.finish(), ExactCounter(text, tokenizer)
    bounds, order = analysis.bounds.tolist(), np.argsort(-unit_scores(analysis, (), Profile())["total"], kind="stable")
    n_units, left = len(bounds) - 1, max_tokens - 2
    kept: set[int] = set()
    for unit in (*range(min(3, n_units)), *range(max(0, n_units - 2), n_units), *order.tolist()):
        cost = counter.cost(bounds[unit], bounds[unit + 1]) + 1
        if unit not in kept and cost <= left:
            kept.add(unit)
            left -= cost
    return " ".join(text[bounds[unit] : bounds[unit + 1]].strip() for unit in sorted(kept))


@dataclass(frozen=True, slots=True)
class WordJudge:
    """Scores a text by its highest window of 48 words: logistic regression on words and pairs of words."""

    vectorizer: object
    model: object

    @classmethod
    def train(cls, attacks: Sequence[str], corpus: Corpus, rng: random.Random) -> WordJudge:
        from sklearn.feature_extraction.text import TfidfVectorizer  # type: ignore[import-untyped]
        from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

        benign = [window for text in _benign_sample(corpus, rng) for window in windows_of(text)]
        vectorizer = TfidfVectorizer(
            min_df=2,
            max_features=50000,
            sublinear_tf=True,
            analyzer=_word_ngrams,
        )
        features = vectorizer.fit_transform([*attacks, *benign])
        model = LogisticRegression(C=10.0, max_iter=300, class_weight="balanced", random_state=11)
        model.fit(features, [1] * len(attacks) + [0] * len(benign))
        return cls(vectorizer, model)

    def __call__(self, texts: Sequence[str]) -> float:
        pieces = [window for text in texts for window in windows_of(text)] or [""]
        return float(self.model.predict_proba(self.vectorizer.transform(pieces))[:, 1].max())  # type: ignore[attr-defined]


def _benign_sample(corpus: Corpus, rng: random.Random) -> list[str]:
    return [document(corpus, kind, 2000, rng) for kind in corpus.benign for _ in range(40)]


_WORD = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+")


def _word_ngrams(text: str) -> list[str]:
    words = _WORD.findall(text.lower())
    return words + [f"{a} {b}" for a, b in pairwise(words)]


def windows_of(text: str, size: int = 48) -> list[str]:
    words = _WORD.findall(text)
    return [" ".join(words[at : at + size]) for at in range(0, max(1, len(words) - size // 2), size // 2)]


@dataclass(frozen=True, slots=True)
class SubjectJudge:
    """Names the subject of a whole text: words weighted by TF-IDF, logistic regression over subjects."""

    vectorizer: object
    model: object

    @classmethod
    def train(cls, corpus: Corpus) -> SubjectJudge:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import SGDClassifier

        labelled = [(text, subject) for subject, texts in corpus.questions.items() for text in texts[::2][:400]]
        vectorizer = TfidfVectorizer(min_df=2, max_features=30000, sublinear_tf=True)
        model = SGDClassifier(loss="log_loss", alpha=1e-5, random_state=12)
        model.fit(vectorizer.fit_transform([text for text, _ in labelled]), [subject for _, subject in labelled])
        return cls(vectorizer, model)

    def __call__(self, text: str) -> str:
        return str(self.model.predict(self.vectorizer.transform([text]))[0])  # type: ignore[attr-defined]
