"""Requests to replay: when they come, and how long they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from routekit.errors import ConfigError, quoted
from routekit.sim.profile import FloatArray, IntArray

#: Times are counted in picoseconds in 64 bits; a hundred days leave room.
_MAX_SECONDS = 100 * 86400.0
_MAX_TOKENS = 2**31
#: 24 bytes each, and as much again while they are simulated.
_MAX_REQUESTS = 100_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """Requests in order of arrival; columns of shape (n,).

    Attributes
    ----------
    arrival_seconds
        Ascending, from 0.
    prompt_tokens, output_tokens
        At least 1.

    Raises
    ------
    ConfigError
        If the columns differ in length, are not ascending, or hold numbers out of range.

    Examples
    --------
    >>> trace = Trace.poisson(3, rate=1.0, prompt_tokens=[100, 200], output_tokens=[10, 20], seed=1)
    >>> len(trace), trace.total_tokens.tolist()
    (3, [110, 110, 220])
    """

    arrival_seconds: FloatArray
    prompt_tokens: IntArray
    output_tokens: IntArray

    def __post_init__(self) -> None:
        times, prompt, output = self.arrival_seconds, self.prompt_tokens, self.output_tokens
        if times.ndim != 1 or times.shape != prompt.shape or times.shape != output.shape:
            raise ConfigError(
                f"Trace columns have shapes {times.shape}, {prompt.shape}, {output.shape}; give three of (n,)"
            )
        if not times.size:
            return
        if not (times[0] >= 0 and times[-1] <= _MAX_SECONDS and bool(np.all(np.diff(times) >= 0))):
            raise ConfigError(f"Trace.arrival_seconds must ascend within 0 to {_MAX_SECONDS:.0f}")
        for name, column in (("prompt_tokens", prompt), ("output_tokens", output)):
            if column.min() < 1 or column.max() >= _MAX_TOKENS:
                raise ConfigError(
                    f"Trace.{name} holds {column.min()} to {column.max()}; allowed: 1 to {_MAX_TOKENS - 1}"
                )

    def __len__(self) -> int:
        return len(self.arrival_seconds)

    @property
    def total_tokens(self) -> IntArray:
        return self.prompt_tokens + self.output_tokens

    @classmethod
    def poisson(
        cls, n: int, *, rate: float, prompt_tokens: ArrayLike, output_tokens: ArrayLike, seed: int = 0
    ) -> Trace:
        """Draw requests from pairs of lengths, with replacement, arriving at random.

        Parameters
        ----------
        n
            Requests, up to 100,000,000.
        rate
            Requests a second, over 0.
        prompt_tokens, output_tokens
            Pairs to draw from, shape (m,), m at least 1; lengths below 1 count as 1.
        seed
            At least 0.

        Raises
        ------
        ConfigError
            If a parameter is out of range.
        """
        prompt, output = np.asarray(prompt_tokens, np.int64), np.asarray(output_tokens, np.int64)
        if prompt.shape != output.shape or prompt.ndim != 1 or not prompt.size:
            raise ConfigError(
                f"Trace.poisson got lengths {prompt.shape}, {output.shape}; give two of (m,), m at least 1"
            )
        if not 0 <= n <= _MAX_REQUESTS or not 0 < rate < np.inf or seed < 0:
            raise ConfigError(
                f"Trace.poisson got n {n}, rate {rate}, seed {seed}; allowed: n up to {_MAX_REQUESTS}, a rate over 0, "
                "a seed from 0"
            )
        rng = np.random.default_rng(seed)
        times = np.cumsum(rng.exponential(1 / rate, n))
        which = rng.integers(prompt.size, size=n)
        return cls(times, np.maximum(prompt[which], 1), np.maximum(output[which], 1))

    @classmethod
    def from_azure(cls, *paths: str | Path) -> Trace:
        """Read traces of the Azure LLM inference dataset (TIMESTAMP,ContextTokens,GeneratedTokens), merged by time.

        Raises
        ------
        ConfigError
            If a file has another form.
        """
        rows = [row for path in paths for row in _csv_rows(Path(path))]
        return cls._from_rows(rows)

    @classmethod
    def from_mooncake(cls, path: str | Path) -> Trace:
        """Read a trace of Mooncake: JSON lines with timestamp (ms), input_length, output_length.

        Raises
        ------
        ConfigError
            If the file has another form.
        """
        rows = []
        with Path(path).open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    row = json.loads(line)
                    rows.append((row["timestamp"] / 1000, int(row["input_length"]), int(row["output_length"])))
                except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                    raise _bad_line(
                        Path(path), number, "an object with timestamp, input_length, output_length"
                    ) from None
        return cls._from_rows(rows)

    @classmethod
    def _from_rows(cls, rows: Sequence[tuple[float, int, int]]) -> Trace:
        table = np.array(sorted(rows), np.float64).reshape(-1, 3)
        times = table[:, 0] - table[0, 0] if len(table) else table[:, 0]
        lengths = np.clip(table[:, 1:], 1, _MAX_TOKENS).astype(np.int64)  # the constructor refuses what is too long
        return cls(np.ascontiguousarray(times), lengths[:, 0].copy(), lengths[:, 1].copy())

    def at_rate(self, rate: float, *, n: int | None = None, seed: int = 0) -> Trace:
        """Draw `n` (default: as many) of these requests at another rate, arriving at random."""
        return Trace.poisson(
            len(self) if n is None else n,
            rate=rate,
            prompt_tokens=self.prompt_tokens,
            output_tokens=self.output_tokens,
            seed=seed,
        )

    def select(self, chosen: ArrayLike) -> Trace:
        """Keep the requests of a mask or of ascending indices."""
        which = np.asarray(chosen)
        return Trace(self.arrival_seconds[which], self.prompt_tokens[which], self.output_tokens[which])


def sample_cdf(points: Sequence[tuple[float, float]], n: int, *, seed: int = 0) -> IntArray:
    """Draw lengths from a cumulative distribution given as (tokens, share up to here), uniform between points.

    Examples
    --------
    >>> sample_cdf([(100, 0.5), (200, 1.0)], 4, seed=1).tolist()
    [103, 191, 29, 190]
    """
    tokens = np.array([0.0, *[point[0] for point in points]])
    shares = np.array([0.0, *[point[1] for point in points]])
    if np.any(np.diff(tokens) <= 0) or np.any(np.diff(shares) < 0) or abs(shares[-1] - 1) > 1e-6:
        raise ConfigError("a CDF needs ascending tokens and shares that end at 1")
    drawn = np.interp(np.random.default_rng(seed).random(n), shares, tokens)
    lengths: IntArray = np.maximum(1, np.ceil(drawn)).astype(np.int64)
    return lengths


def _csv_rows(path: Path) -> list[tuple[float, int, int]]:
    rows = []
    with path.open(encoding="utf-8", errors="replace") as lines:  # what is no UTF-8 is no number either
        header = next(lines, "").strip()
        if header != "TIMESTAMP,ContextTokens,GeneratedTokens":
            raise _bad_line(path, 1, "the header TIMESTAMP,ContextTokens,GeneratedTokens")
        for number, line in enumerate(lines, 2):
            try:
                stamp, prompt, output = line.split(",")
                rows.append((_seconds(stamp), int(prompt), int(output)))
            except ValueError:
                raise _bad_line(path, number, "a time and two integers") from None
    return rows


def _seconds(stamp: str) -> float:
    """Read "2023-11-16 18:17:03.9799600", which has a digit more than `datetime` takes."""
    whole, _, fraction = stamp.partition(".")
    moment = datetime.strptime(whole, "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)
    return moment.timestamp() + float(f"0.{fraction or 0}")


def _bad_line(path: Path, number: int, expected: str) -> ConfigError:
    return ConfigError(f"line {number} of {quoted(path.name)} is not {expected}")
