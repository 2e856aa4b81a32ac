"""Figures of sizing and simulation; needs the extra `plot`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from routekit.pools.cost import CostModel
from routekit.sim.result import COMPLETED, SimResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_savings(sweep: Mapping[int, CostModel]) -> Figure:
    """Draw both closed forms over the threshold, from `routekit.pools.threshold_sweep`."""
    figure = _figure()
    axes = figure.add_subplot()
    thresholds = sorted(sweep)
    axes.plot(thresholds, [100 * sweep[t].savings for t in thresholds], marker="o", label="by work (exact)")
    axes.plot(thresholds, [100 * sweep[t].savings_by_requests for t in thresholds], marker="x", label="by requests")
    axes.set(xscale="log", xlabel="threshold, tokens", ylabel="GPU time saved, %")
    axes.legend()
    return figure


def plot_latency(result: SimResult) -> Figure:
    """Draw the distribution of the time to the first token, by pool."""
    figure = _figure()
    axes = figure.add_subplot()
    for i, pool in enumerate(result.pools):
        seconds = np.sort(result.ttft_seconds[(result.pool == i) & (result.status == COMPLETED)])
        if seconds.size:
            axes.plot(1e3 * seconds, np.arange(1, seconds.size + 1) / seconds.size, label=pool.name)
    axes.set(xscale="log", xlabel="time to the first token, ms", ylabel="share of requests")
    axes.legend()
    return figure


def plot_occupancy(result: SimResult, *, n_points: int = 400) -> Figure:
    """Draw the requests that hold a slot over time, by pool; preempted ones count until they end."""
    figure = _figure()
    axes = figure.add_subplot()
    times = np.linspace(0, result.duration_seconds, n_points)
    for i, pool in enumerate(result.pools):
        begun = (result.pool == i) & ~np.isnan(result.start_seconds)
        starts = np.sort(result.start_seconds[begun])
        ends = np.sort(result.end_seconds[begun & ~np.isnan(result.end_seconds)])
        axes.plot(times, np.searchsorted(starts, times) - np.searchsorted(ends, times), label=pool.name)
    axes.set(xlabel="seconds", ylabel="requests in service")
    axes.legend()
    return figure


def _figure() -> Figure:
    """Make a figure of its own, outside pyplot's global state."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError('plots need matplotlib: pip install "routekit[plot]"') from error
    return Figure(figsize=(7, 4), layout="constrained")
