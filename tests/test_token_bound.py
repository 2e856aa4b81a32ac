"""The bound holds for real tokenizers of every family, also for text made against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_texts import FRAGMENTS
from routekit.compression.budget import BOUND_OVERHEAD, token_bound
from routekit.compression.common_words import COMMON_WORDS

tokenizers = pytest.importorskip("tokenizers")
FAMILIES = ("wordpiece", "wordpiece-cased", "byte-bpe", "byte-bpe-nfc", "sentencepiece-bpe", "unigram-nfkc")


def corpus() -> Iterator[str]:
    yield from (" ".join(["so", word, "it", "is"]) for word in sorted(COMMON_WORDS) for _ in range(40))


def unigram_pieces() -> list[tuple[str, float]]:
    """List the common words and the bytes: a trainer would break ties at random and drop some words."""
    byte_pieces = [(f"<0x{byte:02X}>", -30.0) for byte in range(256)]
    return [
        ("<unk>", 0.0),
        ("\u2581", -10.0),
        *byte_pieces,
        *((f"\u2581{word}", -5.0) for word in sorted(COMMON_WORDS)),
    ]


@cache
def counter(family: str) -> Callable[[str], int]:
    """Train a tokenizer that knows the common words and little else: the worst that the bound allows."""
    models, pre, norm, trainers = (
        tokenizers.models,
        tokenizers.pre_tokenizers,
        tokenizers.normalizers,
        tokenizers.trainers,
    )
    byte_level, quiet = pre.ByteLevel.alphabet(), {"vocab_size": 3000, "show_progress": False}
    if family.startswith("wordpiece"):
        tokenizer = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.normalizer = norm.BertNormalizer(lowercase="cased" not in family)
        tokenizer.pre_tokenizer = pre.BertPreTokenizer()
        trainer = trainers.WordPieceTrainer(special_tokens=["[UNK]"], **quiet)
    elif family.startswith("byte-bpe"):
        tokenizer = tokenizers.Tokenizer(models.BPE())
        tokenizer.normalizer = norm.NFC() if "nfc" in family else norm.NFD()
        tokenizer.pre_tokenizer = pre.ByteLevel(add_prefix_space=False)
        trainer = trainers.BpeTrainer(initial_alphabet=byte_level, **quiet)
    elif family == "sentencepiece-bpe":
        tokenizer = tokenizers.Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
        tokenizer.pre_tokenizer = pre.Metaspace()
        special = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
        trainer = trainers.BpeTrainer(special_tokens=special, **quiet)
    else:
        tokenizer = tokenizers.Tokenizer(models.Unigram(unigram_pieces(), unk_id=0, byte_fallback=True))
        tokenizer.normalizer = norm.NFKC()
        tokenizer.pre_tokenizer = pre.Metaspace()
        return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
    tokenizer.train_from_iterator(corpus(), trainer)
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


PARTS = st.sampled_from((*(part for part in FRAGMENTS if part.isprintable()), *sorted(COMMON_WORDS)[:200], "'s", "ing"))
SEAMS = st.sampled_from((" ", " ", " ", "  ", "\n", ". ", ", ", "", "\u0301 ", " \x00", "\u00a0", "' ", "-", "? "))


@pytest.mark.parametrize("family", FAMILIES)
@given(st.lists(st.tuples(PARTS, SEAMS), max_size=25))
def test_the_bound_holds(family: str, parts: list[tuple[str, str]]) -> None:
    text = "".join(part + seam for part, seam in parts)
    assert counter(family)(text) + 2 <= token_bound(text) + BOUND_OVERHEAD


@pytest.mark.parametrize("family", FAMILIES)
def test_the_bound_holds_for_every_character(family: str) -> None:
    count = counter(family)
    planes = [range(0x20, 0xD800), range(0xE000, 0x10000), range(0x1D000, 0x1F000), range(0x2F800, 0x2FA20)]
    for characters in planes:
        for at in range(0, len(characters), 64):
            text = " ".join(map(chr, characters[at : at + 64]))
            assert count(text) <= token_bound(text) + 1


@given(st.text(), st.text())
def test_the_bound_of_parts_covers_the_whole(first: str, second: str) -> None:
    assert token_bound(first + "\n" + second) <= token_bound(first) + token_bound(second) + 1


def test_common_words_count_one_only_where_nothing_can_join_them() -> None:
    assert token_bound("x the x") == 1 + 1 + 2
    assert token_bound("x thee x") == 8
    assert token_bound("x  the x") == 8
    assert token_bound("x the\u0301 x") == 9
    assert token_bound("x the's x") == 9
