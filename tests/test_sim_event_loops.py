"""The compiled event loops equal the plain ones, to the picosecond, and both keep the laws of queues."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routekit.sim import erlang_c
from routekit.sim.event_loops import batch, fifo, native
from routekit.sim.plain import BatchRules
from routekit.sim.profile import IntArray

needs_native = pytest.mark.skipif(native() is None, reason="routekit._sim was not built (native/build_inplace.sh)")


@st.composite
def _queues(draw: st.DrawFn) -> tuple[IntArray, IntArray, IntArray, BatchRules, int]:
    """Draw small numbers, so that ties, full batches and preemptions are frequent."""
    n = draw(st.integers(1, 40))
    gaps = draw(st.lists(st.integers(0, draw(st.sampled_from([1, 30, 300, 3000]))), min_size=n, max_size=n))
    lengths = st.lists(st.integers(1, 30), min_size=n, max_size=n)
    prompts, outputs = np.array(draw(lengths), np.int64), np.array(draw(lengths), np.int64)
    block = draw(st.integers(1, 6))
    needed = -(-int((prompts + outputs).max()) // block)
    rules = BatchRules(
        draw(st.integers(1, 50)),
        draw(st.integers(1, 4)),
        draw(st.integers(1, 9)),
        block,
        needed + draw(st.integers(0, 12)),
        draw(st.integers(1, 6)),
    )
    return np.cumsum(np.array(gaps, np.int64)), prompts, outputs, rules, draw(st.integers(1, 3))


@needs_native
@settings(max_examples=300)
@given(_queues(), st.sampled_from([0, 1, 3]), st.booleans())
def test_compiled_batch_equals_the_plain_one(
    queue: tuple[IntArray, IntArray, IntArray, BatchRules, int], max_waiting: int, in_turn: bool
) -> None:
    compiled = batch(*queue, max_waiting=max_waiting, in_turn=in_turn)
    plain = batch(*queue, max_waiting=max_waiting, in_turn=in_turn, compiled=False)
    np.testing.assert_array_equal(compiled[0], plain[0])
    np.testing.assert_array_equal(compiled[1], plain[1])


@needs_native
def test_preemption_happens_and_is_equal() -> None:
    rng = np.random.default_rng(5)
    arrivals = np.cumsum(rng.integers(0, 50, 400))
    prompts, outputs = rng.integers(1, 40, 400), rng.integers(1, 60, 400)
    rules = BatchRules(40, 1, 8, 4, 40, 8)
    compiled = batch(arrivals, prompts, outputs, rules, 2)[0]
    np.testing.assert_array_equal(compiled, batch(arrivals, prompts, outputs, rules, 2, compiled=False)[0])
    assert compiled[:, 4].sum() > 100


@needs_native
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 200)), max_size=80), st.integers(1, 9))
def test_compiled_fifo_equals_the_plain_one(requests: list[tuple[int, int]], n_servers: int) -> None:
    gaps, services = np.array(requests, np.int64).reshape(-1, 2).T
    arrivals, services = np.cumsum(gaps), np.ascontiguousarray(services)
    np.testing.assert_array_equal(
        fifo(arrivals, services, n_servers), fifo(arrivals, services, n_servers, compiled=False)
    )


@given(_queues())
def test_batch_serves_everybody_in_a_sensible_order(
    queue: tuple[IntArray, IntArray, IntArray, BatchRules, int],
) -> None:
    arrivals, prompts, outputs, rules, n_servers = queue
    rows, servers = batch(*queue)
    admitted, first, end, served, preempted, server = rows.T
    assert np.all((arrivals <= admitted) & (admitted < first) & (first <= end))
    assert np.all(served <= end - admitted)
    assert np.all((preempted == 0) <= (served == end - admitted))
    iterations = -(-prompts // rules.chunk_tokens) + outputs
    assert np.all(served >= iterations * rules.base_ps)
    assert np.all((server >= 0) & (server < n_servers))
    assert np.all(servers[:, 0] <= end.max())


@given(_queues())
def test_batch_turns_away_only_when_told_to(queue: tuple[IntArray, IntArray, IntArray, BatchRules, int]) -> None:
    rows, _ = batch(*queue, max_waiting=1)
    away = rows[:, 5] < 0
    assert np.all((rows[:, 2] < 0) == away)
    assert not np.any(batch(*queue)[0][:, 5] < 0)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 200)), min_size=1, max_size=80), st.integers(1, 9))
def test_fifo_conserves_work(requests: list[tuple[int, int]], n_servers: int) -> None:
    gaps, services = np.array(requests, np.int64).T
    arrivals, services = np.cumsum(gaps), np.ascontiguousarray(services)
    starts = fifo(arrivals, services, n_servers)
    ends = starts + services
    assert np.all(np.diff(starts) >= 0)
    for i in np.flatnonzero(starts > arrivals):  # who waits, waits for a full house
        in_service = (starts[:i] <= arrivals[i]) & (ends[:i] > arrivals[i])
        waiting_before = (starts[:i] > arrivals[i]).sum()
        assert in_service.sum() == n_servers
        assert waiting_before <= i
    # At no time do more requests hold a server than there are.
    held = [((starts <= t) & (ends > t)).sum() for t in starts]
    assert max(held) <= n_servers


@needs_native
def test_fifo_waits_as_erlang_c_says() -> None:
    rng = np.random.default_rng(1)
    n, servers, rho = 3_000_000, 16, 0.9
    arrivals = np.cumsum(rng.exponential(1e9 / (servers * rho), n)).astype(np.int64)
    exponential = np.maximum(1, rng.exponential(1e9, n)).astype(np.int64)
    wait = (fifo(arrivals, exponential, servers) - arrivals)[n // 10 :]
    assert (wait > 0).mean() == pytest.approx(erlang_c(servers, servers * rho), abs=0.02)
    assert (wait > 0).mean() == pytest.approx(0.5913, abs=0.02)
    assert wait.mean() / 1e9 == pytest.approx(0.3696, rel=0.05)
    constant = np.full(n, 10**9, np.int64)
    wait = (fifo(arrivals, constant, servers) - arrivals)[n // 10 :]
    assert wait.mean() / 1e9 == pytest.approx(0.190, rel=0.06)


@needs_native
@pytest.mark.parametrize(
    "call",
    [
        lambda loops, a: loops.fifo(a, a, a[:1], 1),
        lambda loops, a: loops.fifo(a, a, a.copy(), 0),
        lambda loops, a: loops.fifo(a.astype(np.int8), a, a.copy(), 1),
        lambda loops, a: loops.batch(a, a, a, a, a, 1, 0, False, BatchRules(1, 1, 1, 1, 9, 1)),
        lambda loops, a: loops.batch(a, a, a, np.empty((3, 6), np.int64), np.empty((1, 2), np.int64), 1, 0, False,
                                     BatchRules(1, 1, 1, 1, 0, 1)),
        lambda loops, a: loops.batch(a, a, a, np.empty((3, 6), np.int64), np.empty((1, 2), np.int64), 1, 0, False,
                                     BatchRules(1, 1, 1, 1, 2, 1)),
    ],
)  # fmt: skip
def test_compiled_loops_refuse_what_does_not_fit(call: object) -> None:
    with pytest.raises(ValueError, match=r"buffers|n_servers|sizes|fit"):
        call(native(), np.array([1, 2, 3], np.int64))  # type: ignore[operator]
