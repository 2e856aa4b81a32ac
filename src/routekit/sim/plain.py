"""The event loops of the simulator, written plainly: what the compiled ones must equal, to the picosecond.

They also run where the native part was not built.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class BatchRules(NamedTuple):
    """A server that batches, in the units of the event loops."""

    base_ps: int
    per_token_ps: int
    chunk_tokens: int
    block_tokens: int
    n_blocks: int
    slots: int


def fifo_starts(arrivals: Sequence[int], services: Sequence[int], n_servers: int) -> list[int]:
    """Serve requests in order of arrival by servers that take one at a time; give when each begins."""
    starts = [0] * len(arrivals)
    waiting: deque[int] = deque()
    events = [(time, 1, i) for i, time in enumerate(arrivals)]  # departures, of kind 0, come first
    heapq.heapify(events)
    n_free = n_servers
    while events:
        now, kind, i = heapq.heappop(events)
        if kind == 1:
            waiting.append(i)
        else:
            n_free += 1
        while waiting and n_free:
            i = waiting.popleft()
            starts[i] = now
            n_free -= 1
            heapq.heappush(events, (now + services[i], 0, i))
    return starts


@dataclass(slots=True)
class Served:
    """One request in a batch simulation; times in picoseconds, -1 while they are not known."""

    prompt: int
    output: int
    admitted: int = -1
    first: int = -1
    end: int = -1
    served: int = 0
    n_preempted: int = 0
    server: int = -1
    generated: int = 0
    chunks_left: int = 0
    since: int = 0

    @property
    def held(self) -> int:
        """Tokens whose keys and values it holds."""
        return self.prompt + self.generated

    @property
    def decodes(self) -> bool:
        return self.chunks_left == 0


@dataclass(slots=True)
class BatchServer:
    """One server that batches continuously, iteration by iteration.

    At every boundary between iterations:

    1. each decoding sequence whose tokens fill its blocks needs one more; while there are too few, the sequence
       admitted last gives its blocks back and goes to the head of the queue, with what it has generated as prompt;
    2. if none had to, sequences are admitted from the head of the queue while there are a slot and blocks for what
       they hold;
    3. the iteration takes ``base + per_token * tokens held``: a prompt advances by a chunk, any other by a token.
    """

    rules: BatchRules
    waiting: deque[Served] = field(default_factory=deque)
    running: list[Served] = field(default_factory=list)
    free_blocks: int = 0
    boundary: int = -1
    busy: int = 0
    n_iterations: int = 0

    def __post_init__(self) -> None:
        self.free_blocks = self.rules.n_blocks

    @property
    def n_outstanding(self) -> int:
        return len(self.waiting) + len(self.running)

    def arrive(self, request: Served, now: int) -> None:
        self.waiting.append(request)
        if not self.running:
            self._begin_iteration(now)

    def pass_boundary(self) -> None:
        self._end_iteration()
        self._begin_iteration(self.boundary)

    def _begin_iteration(self, now: int) -> None:
        preempted = False
        while self._growth() > self.free_blocks:
            self._preempt(self.running.pop(), now)
            preempted = True
        if not preempted:
            self._admit(now)
        if self.running:
            self.free_blocks -= self._growth()
            tokens = sum(request.held for request in self.running)
            duration = self.rules.base_ps + self.rules.per_token_ps * tokens
            self.boundary = now + duration
            self.busy += duration
            self.n_iterations += 1

    def _end_iteration(self) -> None:
        for request in self.running:
            if not request.decodes:
                request.chunks_left -= 1
                continue
            request.generated += 1
            if request.generated == 1:
                request.first = self.boundary
            if request.generated == request.output:
                request.end = self.boundary
                request.served += self.boundary - request.since
                self.free_blocks += self._blocks(request.held)
        self.running = [request for request in self.running if request.end < 0]

    def _preempt(self, request: Served, now: int) -> None:
        self.free_blocks += self._blocks(request.held)
        request.served += now - request.since
        request.n_preempted += 1
        self.waiting.appendleft(request)

    def _admit(self, now: int) -> None:
        growth = self._growth()
        while self.waiting and len(self.running) < self.rules.slots:
            blocks = self._blocks(self.waiting[0].held)
            if blocks > self.free_blocks - growth:
                return
            request = self.waiting.popleft()
            self.free_blocks -= blocks
            request.chunks_left = -(-request.held // self.rules.chunk_tokens)
            request.since = now
            request.admitted = now if request.admitted < 0 else request.admitted
            self.running.append(request)

    def _growth(self) -> int:
        return sum(request.decodes and request.held % self.rules.block_tokens == 0 for request in self.running)

    def _blocks(self, tokens: int) -> int:
        return -(-tokens // self.rules.block_tokens)


def run_batch(
    arrivals: Sequence[int],
    requests: Sequence[Served],
    rules: BatchRules,
    n_servers: int,
    *,
    max_waiting: int = 0,
    in_turn: bool = False,
) -> list[BatchServer]:
    """Serve requests by servers that batch, each by the one with the fewest outstanding, or in turn.

    Parameters
    ----------
    max_waiting
        Requests in a server's queue from which it turns away the next; 0 for no limit.

    Returns
    -------
    The servers; what became of the requests is in them. One that was turned away keeps server -1.
    """
    servers = [BatchServer(rules) for _ in range(n_servers)]
    for turn, (now, request) in enumerate(zip(arrivals, requests, strict=True)):
        _pass_until(servers, now)
        fewest = min(range(n_servers), key=lambda i: servers[i].n_outstanding)
        chosen = turn % n_servers if in_turn else fewest
        if max_waiting and len(servers[chosen].waiting) >= max_waiting:
            continue
        request.server = chosen
        servers[chosen].arrive(request, now)
    _pass_until(servers, None)
    return servers


def _pass_until(servers: Sequence[BatchServer], now: int | None) -> None:
    """Pass all boundaries up to a time; servers meet only at arrivals, so their order is free."""
    for server in servers:
        while server.running and (now is None or server.boundary <= now):
            server.pass_boundary()
