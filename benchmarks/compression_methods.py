"""Ways to cut a text to a number of tokens, and judges that none of them has seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
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


#: Words in a window of the independent judge.
JUDGE_WORDS = 16

_WORD = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class WordJudge:
    """Scores a text by its highest run of 16 words: logistic regression on words and pairs of words.

    Windows begin at every word, so that a stretch that was kept scores as it did in the whole text.
    """

    weights: Mapping[str, float]
    bias: float

    @classmethod
    def train(cls, attacks: Sequence[str], corpus: Corpus, rng: random.Random) -> WordJudge:
        """Learn attacks, dressed in benign words where they are short, against windows of benign documents."""
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.linear_model import LogisticRegression

        benign = [window for text in _benign_sample(corpus, rng) for window in _pieces(text)]
        positive = [_dressed(text, rng.choice(benign), rng) for text in attacks]
        negative = benign + [_dressed(text, rng.choice(benign), rng) for text in corpus.harmless]
        vectorizer = CountVectorizer(analyzer=_word_ngrams, min_df=2)
        features = vectorizer.fit_transform([*positive, *negative])
        model = LogisticRegression(C=0.3, class_weight="balanced", random_state=11, solver="liblinear")
        model.fit(features, [1] * len(positive) + [0] * len(negative))
        names = vectorizer.get_feature_names_out().tolist()
        return cls(dict(zip(names, model.coef_[0].tolist(), strict=True)), float(model.intercept_[0]))

    def __call__(self, texts: Sequence[str]) -> float:
        return float(1 / (1 + np.exp(-max(map(self._log_odds, texts)))))

    def _log_odds(self, text: str) -> float:
        words = _WORD.findall(text.lower())
        weight = self.weights.get
        of_words = [weight(b, 0.0) + weight(f"{a} {b}", 0.0) for a, b in pairwise(["", *words])]
        sums = np.cumsum([0.0, *of_words])
        size = min(JUDGE_WORDS, len(words))
        return float((sums[size:] - sums[: len(sums) - size]).max()) + self.bias


def _benign_sample(corpus: Corpus, rng: random.Random) -> list[str]:
    return [document(corpus, kind, 2000, rng) for kind in corpus.benign for _ in range(80)]


def _pieces(text: str) -> list[list[str]]:
    words = _WORD.findall(text.lower())
    return [words[at : at + JUDGE_WORDS] for at in range(0, max(1, len(words) - JUDGE_WORDS // 2), JUDGE_WORDS)]


def _dressed(text: str, around: Sequence[str], rng: random.Random) -> list[str]:
    """Draw one window of a text; a short text stands somewhere in other words."""
    words = _WORD.findall(text.lower())
    at = rng.randint(0, abs(len(words) - JUDGE_WORDS))
    if len(words) >= JUDGE_WORDS:
        return words[at : at + JUDGE_WORDS]
    return [*around[:at], *words, *around[at:]][:JUDGE_WORDS]


def _word_ngrams(words: Sequence[str]) -> list[str]:
    return [*words, *(f"{a} {b}" for a, b in pairwise(words))]


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
