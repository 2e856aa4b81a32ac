"""Latency and memory by length of text and number of concurrent requests, as in arXiv:2603.12646.

Every length is measured in a process of its own. A request is one text, which every classifier reads in turn;
concurrent ones start together, each on its own thread, and wait for the device as in a gateway. Latency is wall time
from the start to the last answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from threading import Barrier
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import numpy as np

from routekit.errors import InferenceError
from routekit.selftest.loading import Limits, load
from routekit.selftest.memory import DeviceMemory, device_memory, host_peak_bytes
from routekit.selftest.subject import Subject
from routekit.tensors import TokenBatch

if TYPE_CHECKING:
    from routekit.interfaces import EncoderSession

_FIRST_TOKEN, _FEW_TOKENS = 5, 64
#: At most this many rounds of requests, and none begins after this many seconds.
_MAX_ROUNDS, _ROUND_SECONDS = 5, 10.0
_BARRIER_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class LatencyRow:
    """One cell of the table.

    Attributes
    ----------
    n_tokens, n_concurrent
        Of each text; requests at once.
    n_requests
        Requests that the figures rest on.
    first_seconds
        The first run of this length, which sets up kernels and memory.
    median_seconds, worst_seconds
        Wall time of a request, waiting included.
    cpu_seconds
        CPU time of the process for each request.
    host_bytes
        Most memory that the process had held on the host by then, libraries and weights included.
    device_bytes
        Memory on the GPU afterwards; None where nothing tells. The arena does not shrink, so it is the most by then.
    reason
        Why there are no figures.
    """

    n_tokens: int
    n_concurrent: int
    n_requests: int = 0
    first_seconds: float = 0.0
    median_seconds: float = 0.0
    worst_seconds: float = 0.0
    cpu_seconds: float = 0.0
    host_bytes: int | None = None
    device_bytes: int | None = None
    device_source: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Classifiers:
    """What reads every text: `n` sessions on one graph, which knows token ids below `n_vocabulary`."""

    graph: Path
    n_vocabulary: int
    n: int = 1


def measure_length(
    subject: Subject, classifiers: Classifiers, n_tokens: int, concurrency: Sequence[int], limits: Limits
) -> tuple[LatencyRow, ...]:
    """Measure one length at every concurrency, ascending; what fails has a reason instead of figures."""
    before = device_memory(subject.backend)
    sessions = [load(subject, classifiers.graph, limits) for _ in range(classifiers.n)]
    _judge(sessions, _text(classifiers.n_vocabulary, min(_FEW_TOKENS, n_tokens)))
    text = _text(classifiers.n_vocabulary, n_tokens)
    try:
        begin = perf_counter()
        _judge(sessions, text)
        first = perf_counter() - begin
    except InferenceError as error:
        return failed_rows(n_tokens, concurrency, str(error))
    cells = (_cell(sessions, text, n) for n in sorted(concurrency))
    return tuple(_with_memory(replace(cell, first_seconds=first), subject, before) for cell in cells)


def failed_rows(n_tokens: int, concurrency: Sequence[int], reason: str) -> tuple[LatencyRow, ...]:
    """Give the rows of a length that could not be measured."""
    return tuple(LatencyRow(n_tokens, n, reason=reason) for n in sorted(concurrency))


def _text(n_vocabulary: int, n_tokens: int) -> TokenBatch:
    ids = np.random.default_rng(n_tokens).integers(min(_FIRST_TOKEN, n_vocabulary - 1), n_vocabulary, (1, n_tokens))
    return TokenBatch(ids, np.ones_like(ids))


def _judge(sessions: Sequence[EncoderSession], text: TokenBatch) -> None:
    for session in sessions:
        session.run(text)


def _cell(sessions: Sequence[EncoderSession], text: TokenBatch, n_concurrent: int) -> LatencyRow:
    barrier = Barrier(n_concurrent, timeout=_BARRIER_SECONDS)

    def request(_: int) -> float:
        barrier.wait()
        begin = perf_counter()
        _judge(sessions, text)
        return perf_counter() - begin

    seconds: list[float] = []
    begin, cpu = perf_counter(), process_time()
    try:
        with ThreadPoolExecutor(n_concurrent) as pool:
            for _ in range(_MAX_ROUNDS):
                seconds += pool.map(request, range(n_concurrent))
                if perf_counter() - begin > _ROUND_SECONDS:
                    break
    except InferenceError as error:
        return LatencyRow(text.input_ids.shape[1], n_concurrent, reason=str(error))
    n_tokens, cpu_seconds = text.input_ids.shape[1], (process_time() - cpu) / len(seconds)
    return LatencyRow(
        n_tokens,
        n_concurrent,
        len(seconds),
        median_seconds=median(seconds),
        worst_seconds=max(seconds),
        cpu_seconds=cpu_seconds,
    )


def _with_memory(row: LatencyRow, subject: Subject, before: DeviceMemory | None) -> LatencyRow:
    now = device_memory(subject.backend)
    if now is None:
        return replace(row, host_bytes=host_peak_bytes())
    others = 0 if now.of_process or before is None else before.n_bytes
    return replace(
        row, host_bytes=host_peak_bytes(), device_bytes=max(0, now.n_bytes - others), device_source=now.source
    )
