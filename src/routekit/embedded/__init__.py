"""The small default models that ship with routekit, and their card (CARD.md).

>>> from routekit.embedded import load
>>> load("domain").classify(["What is the derivative of the sine function?"])[0].label
'math'
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from routekit.errors import UsageError, quoted
from routekit.linear import LinearClassifier

NAMES = ("domain", "jailbreak")


def load(name: str) -> LinearClassifier:
    """Give an embedded classifier, which all threads may share; the first call reads it.

    Parameters
    ----------
    name
        ``"jailbreak"`` or ``"domain"``.

    Raises
    ------
    UsageError
        If no embedded model has this name.
    ModelFormatError
        If the installed file is damaged.
    """
    if name not in NAMES:
        raise UsageError(f"no embedded model is called {quoted(name)}; there are: {', '.join(NAMES)}")
    return _load(name)


@lru_cache(maxsize=len(NAMES))
def _load(name: str) -> LinearClassifier:
    return LinearClassifier.from_file(Path(__file__).with_name(f"{name}.npz"))
