"""The encoder that ships, reading all of every text: what its cascade saves, and the reference for its verdicts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from routekit.embedded import load
from routekit.embedded.domain import DomainCascade
from routekit.embedded.encoder import Encoder, HeadLogits
from routekit.embedded.encoder_settings import EncoderSettings
from routekit.embedded.jailbreak import JailbreakCascade
from routekit.embedded.passages import read_whole
from routekit.embedded.pii import PiiCascade
from routekit.interfaces import Classifier
from routekit.shared_work import once

#: Where the weights lie in the package.
SHIPPED = Path(load.__code__.co_filename).with_name("encoder")


@dataclass(frozen=True, slots=True)
class ReadsAll:
    """Stands in for an `Encoder`: windows over the whole text, whatever its length, and no tier settles before it."""

    inner: Encoder
    settings: EncoderSettings
    folder: Path

    @classmethod
    def of(cls, folder: Path) -> ReadsAll:
        inner = Encoder(folder, (load("jailbreak", "linear"), load("domain", "linear")), n_threads=1)
        never = replace(inner.settings.jailbreak, below=-math.inf, above=math.inf, doubt=-math.inf)
        settings = replace(inner.settings, jailbreak=never, domain=replace(inner.settings.domain, settle=math.inf))
        return cls(inner, settings, folder)

    def load(self) -> None:
        self.inner.load()

    @property
    def is_loaded(self) -> bool:
        return self.inner.is_loaded

    def reads_whole(self, text: str) -> bool:
        return True

    def read(self, text: str) -> HeadLogits:
        return once((ReadsAll, self.folder, text), partial(self._read, text))

    def _read(self, text: str) -> HeadLogits:
        encoding = self.inner.tokenizer.encode(text)
        return self.inner.run(text, read_whole(encoding, self.inner.window_size, self.settings.stride_tokens))


def classifiers(folder: Path = SHIPPED) -> Sequence[Classifier]:
    """Give jailbreak, pii and domain, for which one reading of the whole text serves."""
    encoder: Any = ReadsAll.of(folder)
    return [
        JailbreakCascade(load("jailbreak", "linear"), encoder),
        PiiCascade(load("pii", "linear"), encoder, head_tokens=None),  # type: ignore[arg-type]
        DomainCascade(load("domain", "linear"), encoder),
    ]
