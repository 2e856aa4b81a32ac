"""Patterns and the token head make one signal: patterns win, spans lie where the text says, coverage is honest."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routekit import PatternPiiClassifier, Policy, PolicyRouter, redact
from routekit.checks import check_classifier
from routekit.embedded import ENCODER, load
from routekit.embedded.encoder import Encoder
from routekit.embedded.pii import PiiCascade
from routekit.embedded.whole_names import whole_names
from routekit.errors import ConfigError
from routekit.logits import probabilities
from routekit.plugins import Plugins
from routekit.prediction import Prediction, Span
from routekit.testing import chat

pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")
import embedded_encoder

KINDS = ("tiny", *(["shipped"] if (ENCODER / "encoder.onnx").is_file() else []))
PIECES = [
    "Mail Anna Smith at anna.smith@example.org, please. ",
    "My card is 4111 1111 1111 1111. ",
    "John F. Kennedy and ACME Corp. met in Paris on 3 May 1961. ",
    "the weather was nice that day. " * 30,
    "请联系王小明。",
    "Größe: Müller-Lüdenscheidt, Straße 5 ",
    "\ud800\x00\u202e",
    "\n",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
NAME = "Grace Hopper"


def opened(folder: Path) -> Encoder:
    return Encoder(folder, (load("jailbreak", "linear"), load("domain", "linear")), n_threads=1)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return embedded_encoder.save(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module")
def pii(tiny: Path) -> PiiCascade:
    return PiiCascade(PatternPiiClassifier(), opened(tiny))


def head_spans(pii: PiiCascade, prediction: Prediction) -> list[tuple[int, int]]:
    return [(s.start, s.end) for s in prediction.spans if s.label in pii.head_labels]


@pytest.mark.parametrize("kind", KINDS)
def test_the_joined_signal_passes_the_public_checks(kind: str, tiny: Path) -> None:
    encoder = opened(tiny if kind == "tiny" else ENCODER)
    check_classifier(PiiCascade(PatternPiiClassifier(), encoder, head_tokens=256))


@settings(max_examples=30, deadline=None)
@given(TEXTS)
def test_patterns_win_and_nothing_overlaps(pii: PiiCascade, text: str) -> None:
    prediction, first = pii.classify([text])[0], pii.patterns.classify([text])[0]
    assert set(first.spans) <= set(prediction.spans)
    assert all(a.end <= b.start for a, b in pairwise(prediction.spans))
    assert all(span.label in pii.labels for span in prediction.spans)
    for label, p in first.probabilities.items():
        assert prediction.probabilities[label] >= p or label == "none"


@settings(max_examples=30, deadline=None)
@given(TEXTS)
def test_a_label_is_likely_when_it_has_a_span(pii: PiiCascade, text: str) -> None:
    prediction = pii.classify([text])[0]
    found = {span.label for span in prediction.spans}
    likely = {label for label, p in prediction.probabilities.items() if p >= pii.threshold} - {"none"}
    assert found == likely
    assert prediction.label in (likely or {"none"})


@settings(max_examples=30, deadline=None)
@given(TEXTS, st.lists(st.integers(1, 300), min_size=1, max_size=4))
def test_pieces_change_nothing_and_bounds_hold(pii: PiiCascade, text: str, sizes: list[int]) -> None:
    whole = pii.classify([text])[0]
    scan, at = pii.open(), 0
    while at < len(text):
        size = sizes[at % len(sizes)]
        scan.feed(text[at : at + size])
        at += size
        assert all(p <= whole.probabilities[label] + 1e-5 for label, p in scan.lower_bound().items())
    assert scan.finish() == whole


@settings(max_examples=20, deadline=None)
@given(TEXTS)
def test_masked_text_keeps_what_lies_between(pii: PiiCascade, text: str) -> None:
    spans = pii.classify([text])[0].spans
    masked = redact(text, spans, mask="\x01")
    rest, at = [], 0
    for span in spans:
        rest.append(text[at : span.start])
        at = span.end
    assert masked == "\x01".join([*rest, text[at:]])


def test_an_entity_without_a_threshold_is_off(tmp_path: Path) -> None:
    said = embedded_encoder.settings()
    said["pii"]["thresholds"] = {"PERSON": None, "ORGANIZATION": None, "DATE_TIME": 1e-6}
    pii = PiiCascade(PatternPiiClassifier(), opened(embedded_encoder.save(tmp_path, **said)))
    assert pii.head_labels == {"DATE_TIME"}
    assert "PERSON" not in pii.labels
    assert {span.label for span in pii.classify(["Anna Smith"])[0].spans} == {"DATE_TIME"}


def test_a_head_of_which_everything_is_off_leaves_it_to_the_patterns(tmp_path: Path) -> None:
    said = embedded_encoder.settings()
    said["pii"]["thresholds"] = dict.fromkeys(said["pii"]["thresholds"])
    pii = PiiCascade(PatternPiiClassifier(), opened(embedded_encoder.save(tmp_path, **said)))
    text = "Mail Anna Smith at anna.smith@example.org."
    assert pii.classify([text])[0].probabilities == pii.patterns.classify([text])[0].probabilities
    assert pii.for_labels(frozenset(pii.labels)) is pii.patterns


def test_a_threshold_lies_at_a_half(tmp_path: Path) -> None:
    """What reaches its own threshold reaches that of the signal, and nothing else does."""
    text = "Anna Smith of ACME wrote to John F. Kennedy in May."
    said = embedded_encoder.settings()
    logits = opened(embedded_encoder.save(tmp_path / "a")).read(text).pii
    columns = [embedded_encoder.PII.index(label) for label in ("B-PERSON", "I-PERSON")]
    best = max(float(probabilities(window, multi_label=False)[:, columns].sum(axis=1).max()) for window in logits)
    for threshold, is_found in ((best - 1e-3, True), (best + 1e-3, False)):
        said["pii"]["thresholds"] = {"PERSON": threshold, "ORGANIZATION": None, "DATE_TIME": None}
        pii = PiiCascade(PatternPiiClassifier(), opened(embedded_encoder.save(tmp_path / "b", **said)))
        prediction = pii.classify([text])[0]
        assert ("PERSON" in {span.label for span in prediction.spans}) == is_found
        assert prediction.probabilities["PERSON"] == pytest.approx(0.5, abs=0.01)


def person(text: str, *words: str) -> list[Span]:
    """Mark words as persons, in the order of the text."""
    return [
        Span(text.index(word), text.index(word) + len(word), "PERSON", 0.5 + i / 10) for i, word in enumerate(words)
    ]


@pytest.mark.parametrize(
    ("text", "words", "names"),
    [
        ("Mark Tedeschi said", ["Mark", "Tedeschi"], ["Mark Tedeschi"]),
        ("Cheng Chung-tai said", ["Cheng", "Chung"], ["Cheng Chung-tai"]),
        ("Jean-Luc-Marie Picard", ["Jean", "Picard"], ["Jean-Luc-Marie", "Picard"]),
        ("Anne\nBob", ["Anne", "Bob"], ["Anne", "Bob"]),
        ("Anne, Bob", ["Anne", "Bob"], ["Anne", "Bob"]),
        ("Anne- and Bob", ["Anne", "Bob"], ["Anne", "Bob"]),
        ("Ann-Bob", ["Ann", "Bob"], ["Ann-Bob"]),
    ],
)
def test_a_name_is_one_span(text: str, words: list[str], names: list[str]) -> None:
    found = whole_names(text, person(text, *words))
    assert [text[span.start : span.end] for span in found] == names
    assert max(span.probability for span in found) == person(text, *words)[-1].probability


@pytest.mark.parametrize(
    ("text", "name", "names"),
    [
        ("by Lee, Ann", "Lee, Ann", ["Lee, Ann"]),
        ("with Lee, Fox, Ann", "Lee, Fox, Ann", ["Lee", "Fox", "Ann"]),
        ("with Lee, Fox, and me", "Lee, Fox", ["Lee", "Fox"]),
        ("with me, Lee , Fox", "Lee , Fox", ["Lee", "Fox"]),
    ],
)
def test_lists_are_cut_into_names(text: str, name: str, names: list[str]) -> None:
    assert [text[span.start : span.end] for span in whole_names(text, person(text, name))] == names


def test_names_do_not_reach_into_other_labels() -> None:
    text = "Ann-Bob Corp"
    spans = [Span(0, 3, "PERSON"), Span(4, 12, "ORGANIZATION")]
    assert whole_names(text, spans) == tuple(spans)


def test_labels_decide_who_reads(pii: PiiCascade) -> None:
    assert pii.for_labels(frozenset({"CREDIT_CARD"})) is pii.patterns
    assert pii.for_labels(frozenset()) is pii.patterns
    for label in pii.head_labels:
        assert pii.for_labels(frozenset({"CREDIT_CARD", label})) is pii


def test_a_redaction_reads_all(pii: PiiCascade) -> None:
    text = "the weather was nice that day. " * 500
    assert pii.for_redaction({"CREDIT_CARD"}) is pii
    whole = pii.for_redaction({"CREDIT_CARD", *pii.head_labels})
    assert whole.for_redaction(pii.head_labels) is whole
    assert (whole.labels, whole.positive, whole.encoder) == (pii.labels, pii.positive, pii.encoder)
    assert whole.classify([text])[0].coverage == 1.0
    assert pii.classify([text])[0].coverage < 1.0


@pytest.mark.skipif("shipped" not in KINDS, reason="the weights are not there")
def test_every_name_of_a_long_text_is_masked(tmp_path: Path) -> None:
    names = ["Anna Smith", "Peter Miller", "Laura Johnson", "Thomas Baker", "Maria Garcia"]
    names += ["John Carter", "Susan Clark", "David Wilson", "Emily Turner", "Robert Evans"]
    filler = "The weather was nice that day, and nobody had anything to do before the Meeting in Room 12 at 10. " * 31
    text = "".join(f"{filler}Please write to {name} about the invoice. " for name in names)
    file = tmp_path / "policy.toml"
    file.write_text('default = { route = "general", redact = ["PERSON"] }')
    router = PolicyRouter(Policy.load(file), plugins=Plugins(tuple))
    decision = router.route(chat(text))
    out = router.rewrite(chat(text), decision).decode()
    assert len(text) > 30_000
    assert (decision.signals["pii"].coverage, decision.signals["pii"].truncated) == (1.0, False)
    assert [name for name in names if name in out or name.split()[1] in out] == []
    assert out.count("[PERSON]") == len(names)


def test_names_are_hits_for_whoever_says_so(pii: PiiCascade) -> None:
    names = PiiCascade(pii.patterns, pii.encoder, positive={"PERSON"})
    assert names.for_labels(frozenset()) is names
    assert names.positive == {"PERSON"}
    with pytest.raises(ConfigError, match="'NAME'"):
        PiiCascade(pii.patterns, pii.encoder, positive={"NAME"})
    with pytest.raises(ConfigError, match="at least 1"):
        PiiCascade(pii.patterns, pii.encoder, head_tokens=0)


def test_a_long_text_is_read_where_names_are_likeliest(pii: PiiCascade) -> None:
    filler = "the weather was nice that day and nobody had anything to do. "
    text = filler * 800 + f"{NAME} and Ada Lovelace met Alan Turing in New York. " + filler * 800
    prediction = pii.classify([text])[0]
    assert 0.05 < prediction.coverage < 0.5
    assert prediction.truncated
    reading, _ = pii._read(text)
    at = text.index(NAME)
    assert any(start <= at < end for w in reading.windows for start, end in reading.encoding.offsets[w].tolist())


def test_a_head_without_a_limit_reads_all(pii: PiiCascade) -> None:
    text = "the weather was nice that day. " * 500
    whole = PiiCascade(pii.patterns, pii.encoder, head_tokens=None).classify([text])[0]
    assert (whole.coverage, whole.truncated) == (1.0, False)
    assert pii.classify([text])[0].coverage < 1.0


def test_spans_do_not_reach_across_what_was_not_read(tmp_path: Path) -> None:
    """Passages stand side by side in the head's tokens, but not in the text."""
    said = embedded_encoder.settings()
    said["pii"]["thresholds"] = {"PERSON": 1e-6, "ORGANIZATION": None, "DATE_TIME": None}
    pii = PiiCascade(PatternPiiClassifier(), opened(embedded_encoder.save(tmp_path, **said)), head_tokens=200)
    text = ("Anna Smith " * 40 + "nothing here at all " * 60) * 6
    prediction = pii.classify([text])[0]
    assert len(head_spans(pii, prediction)) > 1
    n_covered = sum(end - start for start, end in head_spans(pii, prediction))
    assert n_covered <= prediction.coverage * len(text) + 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "\ud800" * 50,
        "\u200f\u202e\u2066" * 4000,
        "a" * 1_000_000,
        "Bo " * 100_000,
        " \n" * 50_000,
        "ann@x.org " * 9000,
    ],
    ids=["empty", "nul", "surrogates", "marks", "one word", "names", "spaces", "mails"],
)
def test_hostile_texts_get_a_verdict(pii: PiiCascade, text: str) -> None:
    prediction = pii.classify([text])[0]
    assert 0.0 <= prediction.coverage <= 1.0
    assert all(0 <= span.start < span.end <= len(text) for span in prediction.spans)


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (["12 Mill Road", "Springfield"], ["12 Mill Road, Springfield"]),
        (["12 Mill Road", "Ann"], ["12 Mill Road", "Ann"]),
    ],
)
def test_address_is_one_span_over_a_comma(parts: list[str], whole: list[str]) -> None:
    text = "12 Mill Road, Springfield or Ann"
    spans = [Span(text.index(part), text.index(part) + len(part), "STREET_ADDRESS", 0.9) for part in parts]
    assert [text[span.start : span.end] for span in whole_names(text, spans)] == whole
