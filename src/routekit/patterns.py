"""Regular expressions of a policy, under one time limit per request."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import regex

from routekit.errors import PolicyError, quoted

#: Compiling has no time limit, so its input has one on length: the first search of a text that repeats itself, such as
#: "aaa", takes time that is cubic in it; 1.7 s at the limit.
MAX_PATTERN_CHARACTERS = 2_000
#: Another on length once counted repeats are written out, as compiling does: 400 bytes and 0.5 us for each character.
MAX_EXPANDED_CHARACTERS = 2_000_000
#: The least count of a repeat, and whether it repeats a group; in verbose patterns space and comments may intervene.
_COUNT = re.compile(r"(\))?(?:\s|#.*\n)*\{\s*0*(\d{1,12})")
_WARM_UP_SECONDS = 0.01
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
            If it is no regular expression, the message says where; or too long.
        """
        if not isinstance(text, str):
            raise PolicyError(f"pattern {quoted(name)} is a {type(text).__name__}; allowed: a regular expression")
        _check_length(name, text)
        try:
            pattern = cls(name, regex.compile(text))
        except (regex.error, RecursionError, OverflowError, ValueError) as error:
            raise PolicyError(f"pattern {quoted(name)} does not compile: {error}") from None
        pattern.warm_up(len(text))
        return pattern

    def warm_up(self, n_characters: int) -> None:
        """Search once, so that the tables for its literal texts, which know no time limit, cost no request its time."""
        with suppress(TimeoutError):
            self.compiled.search(" " * n_characters, timeout=_WARM_UP_SECONDS, concurrent=True)


def _check_length(name: str, text: str) -> None:
    if len(text) > MAX_PATTERN_CHARACTERS:
        raise PolicyError(
            f"pattern {quoted(name)} has {len(text)} characters; allowed: {MAX_PATTERN_CHARACTERS}: use keywords, "
            "or several patterns"
        )
    if (n_expanded := expanded_characters(text)) > MAX_EXPANDED_CHARACTERS:
        raise PolicyError(
            f"pattern {quoted(name)} may have {n_expanded:.3g} characters with its repeats written out; "
            f"allowed: {MAX_EXPANDED_CHARACTERS}; use smaller counts, as in {{2,}}"
        )


def expanded_characters(text: str) -> float:
    """Bound the length of a pattern with its counted repeats written out, whatever its groups and classes.

    Only repeats of groups can lie within one another; around one character there is a single one.

    Examples
    --------
    >>> expanded_characters("a{3}b{20}"), expanded_characters("(a{3}){20}")
    (180.0, 600.0)
    """
    single = nested = 1.0
    for group, count in _COUNT.findall(text):
        if group:
            nested *= max(1.0, float(count))
        else:
            single = max(single, float(count))
    return len(text) * single * nested


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
