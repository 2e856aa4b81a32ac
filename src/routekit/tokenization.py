"""Text to token ids and back to places in the text, by a ``tokenizer.json``.

User text is data: a typed ``[SEP]`` or ``</s>`` becomes plain tokens, never the model's own mark, so nobody can end
the text for the classifier and go on behind it. And a WordPiece vocabulary makes one unknown token of a whole word that
holds one unknown character, or over 100 characters, so that an emoji at each word's end would hide the text: such words
are read in parts.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from routekit.errors import (
    BackendError,
    BackendUnavailable,
    InferenceError,
    ModelFormatError,
    RoutekitError,
    quoted,
)
from routekit.shared_work import once
from routekit.tensors import Encoding

if TYPE_CHECKING:
    import tokenizers

    from routekit.tensors import IntArray

#: Longer texts are tokenized in blocks, which bounds the memory of the tokenizer (about 200 bytes a token).
BLOCK_CHARS = 1 << 18
#: How far back from a block's end a word boundary is looked for.
_CUT_CHARS = 1 << 12
#: Parts of a word that a WordPiece vocabulary does not know: letters and digits apart from all else, none too long.
_PARTS = re.compile(r"\w{1,64}|\W{1,64}")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonTokenizer:
    """The tokenizer of a ``tokenizer.json``; thread-safe, and never adds or recognises special tokens in user text.

    Attributes
    ----------
    fingerprint
        SHA-256 of the file: classifiers with the same one share the work inside `routekit.shared_work.sharing_work`.
    prefix, suffix
        Special tokens that the model wants around one text, ids, int64; `n_special_tokens` counts them.
    vocab_size
        The largest token id plus one.
    """

    def __init__(self, path: str | Path) -> None:
        data, name = _read(Path(path)), quoted(Path(path).name)
        self.fingerprint = hashlib.sha256(data).hexdigest()
        with _foreign(ModelFormatError, f"{name} is no tokenizer that the tokenizers library takes; save it again"):
            self._tokenizer = _parse(data)
            self.prefix, self.suffix = _frame(self._tokenizer, name)
            self.n_special_tokens = len(self.prefix) + len(self.suffix)
            vocabulary = self._tokenizer.get_vocab(with_added_tokens=True)
            self.vocab_size = max(vocabulary.values(), default=-1) + 1
            self._unknown = _unknown_word(self._tokenizer)
            self._plain = _plain_forms(self._tokenizer, (*self.prefix.tolist(), *self.suffix.tolist()))

    def matches(self, path: Path) -> bool:
        """Say whether the file at `path` is this tokenizer."""
        return hashlib.sha256(_read(path)).hexdigest() == self.fingerprint

    def __repr__(self) -> str:
        return f"JsonTokenizer({self.vocab_size} ids, {self.fingerprint[:12]})"

    def encode(self, text: str) -> Encoding:
        """Tokenize one text of any length, without special tokens.

        Lone surrogates count as U+FFFD. Texts over `BLOCK_CHARS` are cut between words where there is a word
        boundary, so that at most one token in some sixty thousand differs from tokenizing in one piece.

        Raises
        ------
        InferenceError
            If the tokenizer fails on the text.
        """
        return once((JsonTokenizer, self.fingerprint, text), lambda: self._encode(text))

    def token_id(self, *names: str) -> int | None:
        """Return the id of the first of these tokens that exists."""
        ids = (self._tokenizer.token_to_id(name) for name in names)
        return next((i for i in ids if i is not None), None)

    def _encode(self, text: str) -> Encoding:
        text = _LONE_SURROGATE.sub("\ufffd", text)
        blocks = [self._encode_block(text[start:stop], start) for start, stop in _blocks(text)]
        ids, offsets = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        ids, offsets = self._without_special(ids, offsets)
        ids.flags.writeable = offsets.flags.writeable = False
        return Encoding(ids, offsets)

    def _encode_block(self, text: str, start: int) -> tuple[IntArray, IntArray]:
        ids, offsets = self._tokenize(text)
        unknown = (ids == self._unknown) & (offsets[:, 1] - offsets[:, 0] > 1)
        if unknown.any():
            parts = np.array([m.span() for word in offsets[unknown].tolist() for m in _PARTS.finditer(text, *word)])
            more = self._tokenize_parts(text, parts)
            ids, offsets = np.append(ids[~unknown], more[0]), np.append(offsets[~unknown], more[1], axis=0)
            order = np.argsort(offsets[:, 0], kind="stable")
            ids, offsets = ids[order], offsets[order]
        return ids, offsets + start

    def _tokenize(self, text: str) -> tuple[IntArray, IntArray]:
        with _foreign(InferenceError, f"the tokenizer failed on {len(text)} characters"):
            encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return np.array(encoding.ids, dtype=np.int64), np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)

    def _tokenize_parts(self, text: str, parts: IntArray) -> tuple[IntArray, IntArray]:
        """Tokenize some ranges of a text as words of their own, all at once; parts has shape (n, 2)."""
        ids, offsets = self._tokenize(" ".join(text[start:stop] for start, stop in parts.tolist()))
        lengths = parts[:, 1] - parts[:, 0] + 1
        begins = np.cumsum(lengths) - lengths
        part = np.searchsorted(begins, offsets[:, 0], side="right") - 1
        return ids, offsets + (parts[part, 0] - begins[part])[:, None]

    def _without_special(self, ids: IntArray, offsets: IntArray) -> tuple[IntArray, IntArray]:
        """Spell out special tokens that text produced: some vocabularies hold them as ordinary pieces."""
        if not np.isin(ids, list(self._plain)).any():
            return ids, offsets
        pieces = [self._plain.get(i, (i,)) for i in ids.tolist()]
        spelled = np.array([i for piece in pieces for i in piece], dtype=np.int64)
        return spelled, offsets.repeat([len(piece) for piece in pieces], axis=0)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelFormatError(f"{quoted(path.name)} cannot be read: {error.strerror}") from None


@contextmanager
def _foreign(kind: type[BackendError], message: str) -> Iterator[None]:
    """Turn what the binding raises, bare Exceptions and Rust's panics, into an error of ours; theirs may quote text."""
    try:
        yield
    except (RoutekitError, KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:
        raise kind(f"{message} ({type(error).__name__})") from None


def _parse(data: bytes) -> tokenizers.Tokenizer:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise BackendUnavailable("tokenizers is not installed; run: pip install 'routekit[onnx]'") from None
    tokenizer = Tokenizer.from_buffer(data)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return tokenizer


def _frame(tokenizer: tokenizers.Tokenizer, name: str) -> tuple[IntArray, IntArray]:
    """Learn the special tokens before and after a text from a probe."""
    probe = tokenizer.encode("a", add_special_tokens=True)
    text = [i for i, special in enumerate(probe.special_tokens_mask) if not special]
    if not text:
        raise ModelFormatError(f"{name} makes no token of the letter a; save it again")
    ids = np.array(probe.ids, dtype=np.int64)
    return ids[: text[0]], ids[text[-1] + 1 :]


def _unknown_word(tokenizer: tokenizers.Tokenizer) -> int:
    """Return the id that stands for whole unknown words, -1 where none does: other families know every character."""
    if type(tokenizer.model).__name__ != "WordPiece":
        return -1
    found = tokenizer.token_to_id(tokenizer.model.unk_token)
    return -1 if found is None else found


def _plain_forms(tokenizer: tokenizers.Tokenizer, framing: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    """Map each special id to the ids of its characters, by which it is replaced where text spells it.

    The token for unknown characters is none of them: ordinary text makes it.
    """
    unknown = {getattr(tokenizer.model, "unk_token", None), "[UNK]", "<unk>", "<|unk|>"}
    added = tokenizer.get_added_tokens_decoder()
    special = {i for i, token in added.items() if token.special} | set(framing)
    special -= {i for i in special if tokenizer.id_to_token(i) in unknown}
    return {i: _spelled(tokenizer, i, special) for i in special}


def _spelled(tokenizer: tokenizers.Tokenizer, token_id: int, special: set[int]) -> tuple[int, ...]:
    characters = tokenizer.id_to_token(token_id) or ""
    if tokenizer.normalizer is not None:
        characters = tokenizer.normalizer.normalize_str(characters)
    pieces = [piece.id for c in characters for piece in tokenizer.model.tokenize(c)]
    return tuple(i for i in pieces if i not in special)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while len(text) - start > BLOCK_CHARS:
        stop = _cut(text, start + BLOCK_CHARS)
        yield start, stop
        start = stop
    yield start, len(text)


def _cut(text: str, limit: int) -> int:
    """Return the last place before `limit` where white space follows a word; `limit` itself if there is none."""
    for i in range(limit, limit - min(_CUT_CHARS, BLOCK_CHARS // 2), -1):
        if text[i].isspace() and not text[i - 1].isspace():
            return i
    return limit
