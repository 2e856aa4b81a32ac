"""What a split into pools saves, in closed form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from routekit.errors import ConfigError

#: (prompt tokens, output tokens, context of the pool) -> GPU-seconds of each request; `GpuProfile.gpu_seconds` is one.
GpuSeconds = Callable[[NDArray[np.int64], NDArray[np.int64], int], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class CostModel:
    """GPU savings of a short pool beside a long one, against the long configuration for all.

    Attributes
    ----------
    alpha
        Share of requests that are short.
    alpha_work
        Share of GPU-seconds that short requests take where all run on the long configuration.
    rho
        GPU-seconds of the short requests there, over theirs in the short pool: the throughput gain.

    Raises
    ------
    ConfigError
        If a share lies outside [0, 1], or rho is not positive.

    Examples
    --------
    >>> model = CostModel(alpha=0.8, alpha_work=0.4, rho=4.0)
    >>> round(model.savings, 3), round(model.savings_by_requests, 3)
    (0.3, 0.6)

    References
    ----------
    ``alpha (1 - 1/rho)``: arXiv:2604.09613. With the share of requests it is exact only when short and long requests
    take equal work; with the share of work it always is, as
    ``1 - (work_short / rho + work_long) / work = alpha_work (1 - 1/rho)``.
    """

    alpha: float
    alpha_work: float
    rho: float

    def __post_init__(self) -> None:
        for name in ("alpha", "alpha_work"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"CostModel.{name} is {getattr(self, name)!r}; allowed: 0 to 1")
        if not self.rho > 0:
            raise ConfigError(f"CostModel.rho is {self.rho!r}; allowed: over 0")

    @property
    def savings(self) -> float:
        """Share of GPU-seconds saved: exact."""
        return self.alpha_work * (1 - 1 / self.rho)

    @property
    def savings_by_requests(self) -> float:
        """The paper's closed form: what it would be if all requests took equal work."""
        return self.alpha * (1 - 1 / self.rho)

    @classmethod
    def from_lengths(
        cls,
        prompt_tokens: ArrayLike,
        output_tokens: ArrayLike,
        gpu_seconds: GpuSeconds,
        *,
        threshold: int,
        long_context: int,
        short_context: int | None = None,
    ) -> CostModel:
        """Measure alpha, alpha_work and rho on requests.

        Parameters
        ----------
        prompt_tokens, output_tokens
            Lengths, shape (n,), n at least 1.
        gpu_seconds
            Work of each request in a pool of a context, e.g. ``GpuProfile().gpu_seconds``.
        threshold
            Requests of at most this total are short.
        short_context
            Context of the short pool; None is the threshold.
        """
        prompt, output = np.asarray(prompt_tokens, np.int64), np.asarray(output_tokens, np.int64)
        if prompt.ndim != 1 or prompt.shape != output.shape or not prompt.size:
            raise ConfigError(f"lengths have shapes {prompt.shape} and {output.shape}; give two of (n,), n at least 1")
        short = prompt + output <= threshold
        work = gpu_seconds(prompt, output, long_context)
        alpha, alpha_work = float(short.mean()), float(work[short].sum() / work.sum())
        if not short.any():
            return cls(alpha, alpha_work, 1.0)
        split = gpu_seconds(prompt[short], output[short], short_context or threshold)
        return cls(alpha, alpha_work, float(work[short].sum() / split.sum()))


def threshold_sweep(
    prompt_tokens: ArrayLike,
    output_tokens: ArrayLike,
    gpu_seconds: GpuSeconds,
    *,
    thresholds: Sequence[int],
    long_context: int,
) -> dict[int, CostModel]:
    """Give the cost model of every threshold, each with a short pool of that context."""
    return {
        threshold: CostModel.from_lengths(
            prompt_tokens, output_tokens, gpu_seconds, threshold=threshold, long_context=long_context
        )
        for threshold in thresholds
    }
