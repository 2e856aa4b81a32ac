"""Regular expressions of a policy, under one time limit per request."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import regex

from routekit.errors import PolicyError, quoted

#: Compiling has no time limit, so its input has one on length.
MAX_PATTERN_CHARACTERS = 10_000
#: More than the threads that compete for the processor at a time; only bounds the loop.
_MAX_ATTEMPTS = 100


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
        if isinstance(text, str) and len(text) > MAX_PATTERN_CHARACTERS:
            raise PolicyError(
                f"pattern {quoted(name)} has {len(text)} characters; allowed: {MAX_PATTERN_CHARACTERS}: use keywords"
            )
        if not isinstance(text, str):
            raise PolicyError(f"pattern {quoted(name)} is a {type(text).__name__}; allowed: a regular expression")
        try:
            return cls(name, regex.compile(text))
        except (regex.error, RecursionError, OverflowError, ValueError) as error:
            raise PolicyError(f"pattern {quoted(name)} does not compile: {error}") from None


@dataclass(slots=True)
class PatternClock:
    """Time that the patterns of one request have left: CPU seconds of the request's thread.

    Wall time would let patterns FAIL on a busy machine. The `regex` package stops a search by the CPU time of the whole
    process, which other threads use up too: a search that was stopped early is tried again.
    """

    limit: float
    patterns: Mapping[str, Pattern] = field(default_factory=dict)
    used: float = 0.0

    def search(self, name: str, text: str) -> bool:
        """Say whether a pattern matches somewhere in `text`.

        Raises
        ------
        TimeoutError
            When the request's time for patterns is used up.
        """
        compiled = self.patterns[name].compiled
        for _ in range(_MAX_ATTEMPTS):
            begun = time.thread_time()
            if self.used >= self.limit:
                break
            try:
                return compiled.search(text, timeout=self.limit, concurrent=True) is not None
            except TimeoutError:
                continue
            finally:
                self.used += time.thread_time() - begun
        raise TimeoutError
