"""The encoder that ships, reading all of every text: what its cascade saves, and the reference for its verdicts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from routekit.embedded import load
from routekit.embedded.domain import DomainCascade
from routekit.embedded.encoder import Encoder, HeadLogits
from routekit.embedded.jailbreak import JailbreakCascade
from routekit.embedded.passages import read_whole
from routekit.embedded.pii import PiiCascade
from routekit.interfaces import Classifier

#: Where the weights lie in the package.
SHIPPED = Path(load.__code__.co_filename).with_name("encoder")


class ReadsAll(Encoder):
    """Makes windows over the whole text, whatever its length; and no tier settles before it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, (load("jailbreak", "linear"), load("domain", "linear")), n_threads=1)
        never = replace(self.settings.jailbreak, below=-math.inf, above=math.inf, doubt=-math.inf)
        self.settings = replace(self.settings, jailbreak=never, domain=replace(self.settings.domain, settle=math.inf))

    def reads_whole(self, text: str) -> bool:
        return True

    def _read(self, text: str) -> HeadLogits:
        reading = read_whole(self.tokenizer.encode(text), self.window_size, self.settings.stride_tokens)
        return self.run(text, reading)


def classifiers(folder: Path = SHIPPED) -> Sequence[Classifier]:
    """Give jailbreak, pii and domain, for which one reading of the whole text serves."""
    encoder = ReadsAll(folder)
    return [
        JailbreakCascade(load("jailbreak", "linear"), encoder),
        PiiCascade(load("pii", "linear"), encoder, head_tokens=None),  # type: ignore[arg-type]
        DomainCascade(load("domain", "linear"), encoder),
    ]
