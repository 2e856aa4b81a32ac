"""What a compressor values, for one kind of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from routekit.errors import ConfigError, quoted

#: Weights are relative; sums of greater ones would overflow.
MAX_WEIGHT: Final = 1e100
#: The classical scores, in the order in which they are added up.
SCORERS: Final = ("textrank", "position", "tfidf", "novelty")

#: Turns in proposing what to keep, to one of the classical scores, of a screen that only ranks, unless `weights` names
#: it: at 2, sentences that only the classical scores like turned one subject verdict in seven; from 16 on, none.
RANKING_WEIGHT: Final = 32.0
#: The same for a screen that flags: its highest sentences come first and decide.
FLAGGING_WEIGHT: Final = 1.0


@dataclass(frozen=True, slots=True)
class Profile:
    """Weights of the scores, and how many sentences at the edges come first.

    Attributes
    ----------
    weights
        Scorer, or name of a screen, to a weight of at least 0: scorers are added up by weight; the sum and the screens
        then take turns in proposing what to keep, the sum at weight 1.
    keep_first, keep_last
        Sentences at the start and the end of the text that are kept before all others that no screen flags.
    """

    weights: Mapping[str, float] = field(
        default_factory=lambda: {"textrank": 0.20, "position": 0.40, "tfidf": 0.35, "novelty": 0.05}
    )
    keep_first: int = 3
    keep_last: int = 2

    def __post_init__(self) -> None:
        for name, weight in self.weights.items():
            if not isinstance(name, str) or isinstance(weight, bool) or not isinstance(weight, (int, float)):
                raise ConfigError("weights map names to numbers")
            if not 0 <= weight <= MAX_WEIGHT:
                raise ConfigError(
                    f"weight of {quoted(name)} is {float(min(weight, 1e300)):g}; allowed: 0 to {MAX_WEIGHT:g}"
                )
        for name in ("keep_first", "keep_last"):
            count = getattr(self, name)
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise ConfigError(f"{name} is {count!r}; allowed: an integer of at least 0")

    def weight(self, name: str, default: float = 0.0) -> float:
        """Give the weight of a scorer or screen."""
        return float(self.weights.get(name, default))


def _profile(textrank: float, position: float, tfidf: float, novelty: float, first: int, last: int) -> Profile:
    return Profile(dict(zip(SCORERS, (textrank, position, tfidf, novelty), strict=True)), first, last)


#: "default" has the weights of arXiv:2603.12646; the others shift them by what carries the meaning in such texts.
PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        "default": Profile(),
        "coding": _profile(0.10, 0.30, 0.45, 0.15, first=3, last=4),  # identifiers are rare words; the question is last
        "medical": _profile(0.25, 0.20, 0.50, 0.05, first=2, last=2),  # terms decide, wherever they stand
        "security": _profile(0.10, 0.20, 0.30, 0.40, first=2, last=2),  # an attack is what the rest is not about
        "multi-turn": _profile(0.20, 0.35, 0.35, 0.10, first=1, last=6),  # the last turn is what is asked
    }
)


def profile_named(name: str) -> Profile:
    """Look a profile up.

    Raises
    ------
    ConfigError
        For an unknown name; the message lists the known ones.
    """
    if name not in PROFILES:
        raise ConfigError(f"unknown profile {quoted(str(name))}; allowed: {', '.join(PROFILES)}")
    return PROFILES[name]
