"""How a text of any length reaches an encoder of a fixed window: tokens in, readings out; nothing is cut silently."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Protocol, cast

from routekit.errors import ConfigError
from routekit.interfaces import Compressor
from routekit.long_text import LongText, Reading, read_all, read_or_refuse, read_parts
from routekit.shared_work import once
from routekit.tensors import CompressedText, WindowScores
from routekit.tokenization import JsonTokenizer


class Screen(Protocol):
    """Scores windows of a text in linear time, as the embedded classifiers and the pattern recognisers do."""

    def screen(self, text: str) -> WindowScores: ...


@dataclass(frozen=True, slots=True)
class TextReader:
    """Tokenizes a text and lays windows over it.

    Attributes
    ----------
    max_tokens
        Tokens of one window, special tokens included.
    stride
        Tokens from one window's start to the next one's; None for three quarters of a window.
    long_text
        What happens to a text over `max_tokens`: ``"window"`` reads all of it, ``"compress"`` what the compressor
        keeps, ``"refuse"`` raises InferenceError.
    screens
        Read the whole text for the compressor: what they flag is kept first, and read in further windows where it does
        not fit, so that filler cannot push an attack out.
    """

    tokenizer: JsonTokenizer
    max_tokens: int
    stride: int | None = None
    long_text: LongText = "window"
    compressor: Compressor | None = None
    screens: tuple[Screen, ...] = ()

    def __post_init__(self) -> None:
        if self.long_text not in ("window", "compress", "refuse"):
            raise ConfigError(f"long_text is {self.long_text!r}; allowed: 'window', 'compress', 'refuse'")
        if self.size < 1:
            least = self.tokenizer.n_special_tokens + 1
            raise ConfigError(f"max_tokens is {self.max_tokens}; allowed: at least {least}, special tokens included")
        if self.stride is not None and not 1 <= self.stride <= self.size:
            raise ConfigError(f"stride is {self.stride}; allowed: 1 to {self.size} (max_tokens less special tokens)")
        if self.long_text == "compress" and self.compressor is None:
            raise ConfigError("long_text is 'compress' without a compressor; allowed: any routekit.Compressor")
        if self.screens and self.long_text != "compress":
            raise ConfigError(f"screens are for long_text='compress'; it is {self.long_text!r}")

    @property
    def size(self) -> int:
        """Tokens of text in one window."""
        return self.max_tokens - self.tokenizer.n_special_tokens

    @property
    def step(self) -> int:
        return self.stride if self.stride is not None else max(1, self.size * 3 // 4)

    def read(self, text: str) -> Reading:
        """Tokenize one text and choose its windows.

        Raises
        ------
        InferenceError
            If the text is refused, or the tokenizer fails.
        """
        encoding = self.tokenizer.encode(text)
        if self.long_text == "refuse":
            return read_or_refuse(encoding, self.size)
        if self.long_text == "window" or len(encoding.input_ids) <= self.size:
            return read_all(encoding, self.size, self.step)
        kept = self._compressed(text)
        # What was flagged but did not fit gets windows of its own; a count over the cap is windowed, not cut.
        parts = [kept.spans, *((span,) for span in kept.overflow)]
        return read_parts(encoding, parts, self.size, self.step, len(text))

    def _compressed(self, text: str) -> CompressedText:
        compressor = cast("Compressor", self.compressor)
        ids = tuple(map(id, (compressor, *self.screens)))
        key = (TextReader, ids, self.tokenizer.fingerprint, self.max_tokens, text)
        return once(
            key,
            lambda: compressor.compress(text, self.max_tokens, scores=self._scores(text), tokenizer=self.tokenizer),
        )

    def _scores(self, text: str) -> list[WindowScores] | None:
        scores = [once((Screen, id(screen), text), partial(screen.screen, text)) for screen in self.screens]
        return scores or None
