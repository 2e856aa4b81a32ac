"""Regular expressions of a policy, under one time limit per request."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import regex

from routekit.errors import PolicyError, quoted


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled regular expression."""

    name: str
    compiled: regex.Pattern[str]

    @classmethod
    def of(cls, name: str, text: str) -> Pattern:
        """Compile a pattern.

        Raises
        ------
        PolicyError
            If it is no regular expression; the message says where.
        """
        if not isinstance(text, str):
            raise PolicyError(f"pattern {quoted(name)} is a {type(text).__name__}; allowed: a regular expression")
        try:
            return cls(name, regex.compile(text))
        except (regex.error, RecursionError, OverflowError, ValueError) as error:
            raise PolicyError(f"pattern {quoted(name)} does not compile: {error}") from None


@dataclass(slots=True)
class PatternClock:
    """Time that the patterns of one request have left."""

    seconds_left: float
    patterns: Mapping[str, Pattern] = field(default_factory=dict)

    def search(self, name: str, text: str) -> bool:
        """Say whether a pattern matches somewhere in `text`.

        Raises
        ------
        TimeoutError
            When the request's time for patterns is used up.
        """
        if self.seconds_left <= 0:
            raise TimeoutError
        begun = time.perf_counter()
        try:
            return self.patterns[name].compiled.search(text, timeout=self.seconds_left, concurrent=True) is not None
        finally:
            self.seconds_left -= time.perf_counter() - begun
