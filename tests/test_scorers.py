"""The scorers against their formulas written out densely, and terms compiled or not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hostile_texts import texts
from routekit.compiled import compiled_text
from routekit.compression.scorers import novelty, position, textrank, tfidf
from routekit.compression.terms import NativeVocabulary, PythonVocabulary, TermMatrix, fold
from routekit.compression.units import cut_units
from routekit.errors import ConfigError
from routekit.sentences import sentence_starts

Array = NDArray[np.float64]
WORDS = st.sampled_from(("alpha", "beta", "gamma", "delta", "the", "of", "x", ""))
SENTENCES = st.lists(st.lists(WORDS, max_size=8).map(" ".join), min_size=1, max_size=30)


def matrix_of(sentences: list[str]) -> TermMatrix:
    text = "\n".join(sentences)
    starts = np.cumsum([0, *(len(sentence) + 1 for sentence in sentences[:-1])])
    vocabulary = PythonVocabulary()
    return TermMatrix.of([vocabulary.add(text, starts, len(text))], len(vocabulary))


def dense_of(matrix: TermMatrix) -> Array:
    dense = np.zeros((matrix.n_units, max(matrix.n_terms, 1)))
    dense[matrix.rows, matrix.terms] = matrix.counts
    frequencies: Array = dense / np.maximum(dense.sum(1, keepdims=True), 1)
    return frequencies


def dense_textrank(frequencies: Array, damping: float, max_iterations: int, tolerance: float) -> Array:
    norms = np.linalg.norm(frequencies, axis=1, keepdims=True)
    unit = np.divide(frequencies, norms, out=np.zeros_like(frequencies), where=norms > 0)
    similarity = unit @ unit.T
    np.fill_diagonal(similarity, 0)
    degrees = similarity.sum(1)
    transition = np.divide(similarity, degrees, out=np.zeros_like(similarity), where=degrees > 1e-12)
    n = len(frequencies)
    ranks = np.full(n, 1 / n)
    for _ in range(max_iterations):
        before, ranks = ranks, (1 - damping) / n + damping * transition @ ranks
        if np.abs(ranks - before).max() < tolerance:
            break
    scaled: Array = ranks / ranks.max()
    return scaled


@given(SENTENCES)
def test_textrank_equals_the_dense_formula(sentences: list[str]) -> None:
    matrix = matrix_of(sentences)
    for tolerance in (1e-5, 0.0):
        dense = dense_textrank(dense_of(matrix), 0.85, 100, tolerance)
        np.testing.assert_allclose(textrank(matrix, tolerance=tolerance), dense, rtol=0, atol=1e-9)


@given(SENTENCES)
def test_tfidf_equals_its_formula(sentences: list[str]) -> None:
    frequencies = dense_of(matrix := matrix_of(sentences))
    idf = np.log((matrix.n_units + 1) / ((frequencies > 0).sum(0) + 1))
    scores = frequencies @ idf
    np.testing.assert_allclose(
        tfidf(matrix), scores / max(scores.max(), 1e-300) if scores.max() > 0 else scores, atol=1e-12
    )


@given(SENTENCES)
def test_novelty_equals_its_formula(sentences: list[str]) -> None:
    frequencies = dense_of(matrix := matrix_of(sentences))
    centroid = frequencies.mean(0)
    lengths = np.linalg.norm(frequencies, axis=1) * np.linalg.norm(centroid)
    scores = np.where(lengths > 0, 1 - frequencies @ centroid / np.where(lengths > 0, lengths, 1), 0.0).clip(0)
    np.testing.assert_allclose(
        novelty(matrix), scores / scores.max() if scores.max() > 1e-9 else novelty(matrix), atol=1e-6
    )


@given(st.integers(0, 50), st.floats(0, 1))
def test_position_is_highest_at_the_edges_and_symmetric(n_units: int, depth: float) -> None:
    scores = position(n_units, depth)
    assert scores.shape == (n_units,)
    assert ((scores >= 1 - depth) & (scores <= 1)).all()
    assert scores.tolist() == scores[::-1].tolist()
    if n_units > 1:
        np.testing.assert_allclose(scores, 1 - depth * np.sin(np.pi * np.arange(n_units) / (n_units - 1)), atol=1e-12)


def test_position_refuses_other_depths() -> None:
    with pytest.raises(ConfigError, match=r"depth is 1\.5; allowed: 0 to 1"):
        position(3, 1.5)


@pytest.mark.skipif(compiled_text() is None, reason="routekit._text is not built: run native/build_inplace.sh")
@given(texts, texts)
def test_terms_compiled_and_not_are_the_same(first: str, second: str) -> None:
    compiled = compiled_text()
    assert compiled is not None
    native, python = NativeVocabulary(compiled), PythonVocabulary()
    for text in (first, second, first):
        units = cut_units(text, sentence_starts(text), len(text))
        ours, oracle = (vocabulary.add(text, units, len(text)) for vocabulary in (native, python))
        assert ours.sizes.tolist() == oracle.sizes.tolist()
        assert ours.terms.tolist() == oracle.terms.tolist()
        assert ours.counts.tolist() == oracle.counts.tolist()
    assert len(native) == len(python)


def test_folding_keeps_every_offset() -> None:
    every = "".join(map(chr, range(0x110000)))
    assert len(fold(every)) == len(every)


@pytest.mark.skipif(compiled_text() is None, reason="routekit._text is not built: run native/build_inplace.sh")
def test_terms_of_every_character_are_the_same() -> None:
    compiled = compiled_text()
    assert compiled is not None
    text = " ".join(map(chr, [*range(0x20200), 0x3FFFF, 0x40000, 0xE0000, 0xE0100, 0x10FFFF]))
    starts = np.array([0])
    native = NativeVocabulary(compiled).add(text, starts, len(text))
    assert native.terms.tolist() == PythonVocabulary().add(text, starts, len(text)).terms.tolist()
