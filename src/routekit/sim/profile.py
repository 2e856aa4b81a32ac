"""What one model server can do: how long an iteration takes, and how many tokens it holds."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from routekit.errors import ConfigError

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

PICOSECONDS = 10**12


@dataclass(frozen=True, slots=True)
class GpuProfile:
    """A server that batches continuously; it may be several GPUs that serve one copy of a model.

    An iteration takes ``base + per_sequence * n * mean tokens / calibration_context`` for n sequences. The defaults are
    those of arXiv:2604.09613 for Llama-3-70B on A100; measure your own.

    Attributes
    ----------
    base_seconds
        Time of an iteration however few sequences there are: reading the weights.
    per_sequence_seconds
        More time for each sequence of `calibration_context` tokens: reading its keys and values.
    chunk_tokens
        Prompt tokens of a sequence that one iteration reads.
    block_tokens, n_blocks
        Size and number of the key-value blocks.
    max_slots
        Sequences at a time at `calibration_context`; shorter contexts allow more in proportion.
    dollars_per_hour
        Price of the server.

    Raises
    ------
    ConfigError
        If a number is not positive.

    Examples
    --------
    >>> profile = GpuProfile()
    >>> [profile.n_slots(context) for context in (2048, 4096, 8192, 65536)]
    [512, 256, 128, 16]
    >>> round(profile.iteration_seconds(128, 1588) * 1e3, 4)
    24.1281
    """

    base_seconds: float = 0.008
    per_sequence_seconds: float = 0.00065
    calibration_context: int = 8192
    chunk_tokens: int = 512
    block_tokens: int = 16
    n_blocks: int = 65536
    max_slots: int = 128
    dollars_per_hour: float = 2.21

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            whole = field.type == "int"
            if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)) or not 0 < value < 1e9:
                raise ConfigError(f"GpuProfile.{field.name} is {value!r}; allowed: positive numbers below 1e9")

    @property
    def n_tokens(self) -> int:
        """Tokens whose keys and values fit."""
        return self.n_blocks * self.block_tokens

    def n_slots(self, max_context: int) -> int:
        """Sequences of a context that run at a time: bounded by blocks and, in proportion, by `max_slots`.

        Raises
        ------
        ConfigError
            If not even one fits.
        """
        if max_context < 1:
            raise ConfigError(f"a context of {max_context} tokens holds nothing; allowed: from 1")
        by_blocks = self.n_blocks // -(-max_context // self.block_tokens)
        slots = min(self.max_slots * self.calibration_context // max_context, by_blocks)
        if slots < 1:
            raise ConfigError(
                f"a context of {max_context} tokens fits no slot; the profile holds {self.n_tokens} tokens"
            )
        return slots

    def iteration_seconds(self, n_sequences: float, mean_tokens: float) -> float:
        """Give the time of one iteration."""
        return self.base_seconds + self.per_sequence_seconds * n_sequences * mean_tokens / self.calibration_context

    def n_iterations(self, prompt_tokens: IntArray, output_tokens: IntArray) -> IntArray:
        """Count the iterations of each request: chunks of its prompt, and one a token of its output; shape (n,)."""
        return -(-prompt_tokens // self.chunk_tokens) + output_tokens

    def full_iteration_seconds(self, prompt_tokens: IntArray, output_tokens: IntArray, max_context: int) -> FloatArray:
        """Give the time of an iteration that is full of requests like each of these; shape (n,)."""
        load = self.n_slots(max_context) * (prompt_tokens + output_tokens)
        return self.base_seconds + self.per_sequence_seconds / self.calibration_context * load.astype(np.float64)

    def service_seconds(self, prompt_tokens: IntArray, output_tokens: IntArray, max_context: int) -> FloatArray:
        """Give the time each request holds a slot of a full server; shape (n,)."""
        iteration = self.full_iteration_seconds(prompt_tokens, output_tokens, max_context)
        return self.n_iterations(prompt_tokens, output_tokens) * iteration

    def gpu_seconds(self, prompt_tokens: IntArray, output_tokens: IntArray, max_context: int) -> FloatArray:
        """Give each request's share of a full server's time, in seconds; shape (n,)."""
        seconds: FloatArray = self.service_seconds(prompt_tokens, output_tokens, max_context) / self.n_slots(
            max_context
        )
        return seconds

    def picoseconds(self) -> tuple[int, int]:
        """Give base and time per token held, in whole picoseconds, as the batch simulation counts."""
        per_token = self.per_sequence_seconds / self.calibration_context
        return max(1, round(self.base_seconds * PICOSECONDS)), max(1, round(per_token * PICOSECONDS))
