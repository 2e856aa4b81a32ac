"""``python -m routekit sim``: size a fleet of pools and simulate it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import orjson

from routekit.errors import ConfigError, RoutekitError, quoted
from routekit.file_error import file_error
from routekit.pools.pool import PoolSpec
from routekit.sim.profile import GpuProfile
from routekit.sim.result import Record
from routekit.sim.simulator import Simulator
from routekit.sim.trace import Trace

_EPILOG = """\
POOL is CONTEXT or NAME=CONTEXT or NAME=CONTEXTxINSTANCES; without instances a pool is sized for the rate by Erlang C.
example:
  routekit sim --azure conv.csv code.csv --rate 1000 --requests 100000 --pool short=8192 --pool long=65536
"""
_COLUMNS = ("pool", "instances", "requests", "completed", "rejected", "preempted", "utilisation")
_TIMES = ("wait_p99", "ttft_p50", "ttft_p99", "tpot_p50", "tpot_p99")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    options = _parser().parse_args(argv)
    try:
        rows = _simulate(options)
    except (RoutekitError, OSError) as error:
        print(f"routekit sim: {file_error(error) if isinstance(error, OSError) else error}", file=sys.stderr)
        return 2
    # Of a pool without requests times are NaN, which is no JSON: orjson writes null.
    print(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode() if options.json else _table(rows))
    return 0


def _simulate(options: argparse.Namespace) -> list[Record]:
    trace = _trace(options)
    pools = [_pool(text) for text in options.pool or ["all=65536"]]
    profile = GpuProfile(dollars_per_hour=options.dollars_per_hour)
    simulator = Simulator([pool for pool, _ in pools], profile, mode=options.mode)
    if not all(fixed for _, fixed in pools):
        if len(trace) < 2 or not trace.arrival_seconds[-1] > 0:
            raise ConfigError("sizing needs at least two requests over some time; give the instances of every pool")
        rate = options.rate or (len(trace) - 1) / float(trace.arrival_seconds[-1])
        most = float("inf") if options.max_wait_ms is None else options.max_wait_ms / 1000
        sized = simulator.sized_for(trace, rate, rho_max=options.rho_max, max_wait_seconds=most)
        kept = [old if fixed else new for (old, fixed), new in zip(pools, sized.pools, strict=True)]
        simulator = Simulator(kept, profile, mode=options.mode)
    return simulator.run(trace).summary()


def _trace(options: argparse.Namespace) -> Trace:
    trace = Trace.from_azure(*options.azure) if options.azure else Trace.from_mooncake(options.mooncake)
    if options.rate is not None:
        return trace.at_rate(options.rate, n=options.requests, seed=options.seed)
    if options.requests is None:
        return trace
    if options.requests < 0:
        raise ConfigError(f"--requests is {options.requests}; allowed: from 0")
    return trace.select(np.arange(min(options.requests, len(trace))))


def _pool(text: str) -> tuple[PoolSpec, bool]:
    name, _, size = text.rpartition("=")
    context, _, instances = size.partition("x")
    try:
        return PoolSpec(name or context, int(context), instances=int(instances or 1)), bool(instances)
    except ValueError:
        raise ConfigError(f"pool {quoted(text)} is not NAME=CONTEXTxINSTANCES") from None


def _table(rows: Sequence[Record]) -> str:
    lines = ["  ".join([*(f"{name:>11}" for name in _COLUMNS), *(f"{name + ' ms':>11}" for name in _TIMES)])]
    for row in rows:
        cells = [_cell(row[name]) for name in _COLUMNS] + [_cell(1e3 * float(row[name])) for name in _TIMES]
        lines.append("  ".join(f"{cell:>11}" for cell in cells))
    total = rows[-1]
    lines.append(
        f"{total['instances']} servers, {total['dollars_per_hour']:.2f} dollars an hour, "
        f"{total['dollars_per_million_tokens']:.3f} a million tokens, {total['throughput']:.1f} requests a second"
    )
    return "\n".join(lines)


def _cell(value: int | float | str) -> str:
    return (
        f"{value:.3g}"
        if isinstance(value, float) and value < 1000
        else f"{value:.0f}"
        if isinstance(value, float)
        else str(value)
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="routekit sim",
        description="Size a fleet of pools and simulate a trace on it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--azure", nargs="+", type=Path, metavar="CSV", help="traces of the Azure LLM dataset")
    source.add_argument("--mooncake", type=Path, metavar="JSONL", help="a trace of Mooncake")
    parser.add_argument("--rate", type=float, help="requests a second, at random; default: as the trace has them")
    parser.add_argument("--requests", type=int, help="how many; default: as many as the trace has")
    parser.add_argument("--seed", type=int, default=0, help="of the random draws (default: 0)")
    parser.add_argument("--pool", action="append", metavar="POOL", help="once for each pool (default: all=65536)")
    parser.add_argument("--mode", choices=("slots", "batch"), default="slots", help="model of a server (slots)")
    parser.add_argument("--rho-max", type=float, default=0.85, help="utilisation to size for (default: 0.85)")
    parser.add_argument("--max-wait-ms", type=float, help="99th percentile of the wait for a slot to size for")
    parser.add_argument("--dollars-per-hour", type=float, default=2.21, help="price of a server (default: 2.21)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser
