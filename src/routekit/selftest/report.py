"""What a self-test found, as JSON and as Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import orjson

import routekit
from routekit.installs import installed_flavours
from routekit.selftest.agreement import Agreement
from routekit.selftest.attention_grid import GridResult
from routekit.selftest.latency import LatencyRow
from routekit.selftest.memory import devices
from routekit.selftest.subject import Subject

_MB = 1e6
_SHOWN_FAILURES = 10
_LEGEND = "Median and worst are wall time of a request, waiting included; CPU is that of the process, for each request."


@dataclass(frozen=True, slots=True)
class Machine:
    """Where it ran; `load` is the number of runnable threads over the last minute, this test's own included."""

    cpu: str
    n_cores: int
    load: float | None
    devices: tuple[str, ...]
    system: str
    python: str
    versions: dict[str, str]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was found.

    Attributes
    ----------
    attention
        None where the subject does not use routekit's op.
    broken
        Parts that ended without a result, and why.
    settings
        The command's options.
    """

    subject: Subject
    machine: Machine
    settings: dict[str, object]
    attention: GridResult | None = None
    agreements: tuple[Agreement, ...] = ()
    latency: tuple[LatencyRow, ...] = ()
    broken: dict[str, str] = field(default_factory=dict)

    @property
    def failures(self) -> tuple[str, ...]:
        """One line for everything that failed; empty when all passed."""
        found = [f"{part}: {reason}" for part, reason in self.broken.items()]
        found += [f"attention {case.case}: {case.reason}" for case in self.attention.failures] if self.attention else []
        for agreement in self.agreements:
            found += [f"{agreement.model}, {row.n_tokens} tokens: {row.reason}" for row in agreement.failures]
        found += [f"{r.n_tokens} tokens, {r.n_concurrent} at once: {r.reason}" for r in self.latency if r.reason]
        return tuple(found)

    def to_json(self) -> bytes:
        """Write everything, with ``passed`` and ``failures``."""
        content = {"passed": not self.failures, "failures": self.failures, **asdict(self)}
        return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    def to_markdown(self) -> str:
        """Write a page that reads well as plain text too."""
        return "\n".join(_lines(self)) + "\n"


def this_machine() -> Machine:
    """Describe the machine and what is installed."""
    names = ("onnxruntime", "onnx", "numpy")
    versions = {"routekit": routekit.__version__, **{n: _version(n) for n in names}, **installed_flavours()}
    return Machine(
        cpu=_cpu(),
        n_cores=os.cpu_count() or 1,
        load=round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        devices=devices(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        versions={name: found for name, found in versions.items() if found},
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def _lines(report: Report) -> Iterator[str]:
    machine = report.machine
    yield f"# Self-test of backend `{report.subject.name}`"
    yield ""
    cpu = f"{machine.cpu}, {machine.n_cores} cores, load {machine.load}"
    where = [cpu, *machine.devices, machine.system, f"Python {machine.python}"]
    yield f"**{'FAILED' if report.failures else 'All passed'}.** " + ", ".join(where)
    yield "Versions: " + ", ".join(f"{name} {number}" for name, number in machine.versions.items())
    yield "Settings: " + ", ".join(f"{name} {value}" for name, value in report.settings.items())
    if report.failures:
        yield from ("", "## Failures", "", *(f"* {failure}" for failure in _shown(report.failures)))
    yield from _attention_lines(report)
    for agreement in report.agreements:
        yield from _agreement_lines(agreement)
    if report.latency:
        yield from ("", "## Latency and memory", "", _LEGEND, "", *_latency_table(report.latency))


def _shown(failures: Sequence[str]) -> list[str]:
    more = len(failures) - _SHOWN_FAILURES
    return [*failures[:_SHOWN_FAILURES], *([f"and {more} more; the JSON has them all"] if more > 0 else [])]


def _attention_lines(report: Report) -> Iterator[str]:
    yield from ("", "## The attention op against float64", "")
    grid = report.attention
    if grid is None:
        yield "Not run: " + report.broken.get(
            "attention", "routekit's attention op is not built, or has no kernel for this backend."
        )
        return
    worst = grid.worst
    n_passed = grid.n_cases - len(grid.failures)
    yield f"{n_passed} of {grid.n_cases} cases within the bound, in {report.subject.dtype}."
    yield f"Nearest to it: {worst.case}: error {worst.error:.2e}, allowed {worst.allowed:.2e}."
    yield "Bound: twice the error of a plain computation in the same precision, plus one rounding of the largest value."


def _agreement_lines(agreement: Agreement) -> Iterator[str]:
    yield from ("", f"## Agreement with the CPU: {agreement.model}", "", f"{agreement.note}.", "")
    rows = [
        [row.n_tokens, f"{row.max_difference:.1e}", f"{row.allowed:.1e}", f"{row.same_verdict:.2%}"]
        for row in agreement.rows
        if not row.reason or row.max_difference
    ]
    yield from _table(("tokens", "largest difference in logits", "allowed", "same verdicts"), rows)


def _latency_table(rows: Sequence[LatencyRow]) -> Iterator[str]:
    cells = [
        [
            row.n_tokens,
            row.n_concurrent,
            row.n_requests,
            *(f"{1e3 * s:.1f}" for s in (row.median_seconds, row.worst_seconds, row.cpu_seconds, row.first_seconds)),
            *("-" if size is None else f"{size / _MB:.0f}" for size in (row.host_bytes, row.device_bytes)),
        ]
        for row in rows
        if not row.reason
    ]
    times = ("median ms", "worst ms", "CPU ms", "first run ms")
    yield from _table(("tokens", "at once", "requests", *times, "host peak MB", "device MB"), cells)


def _table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *texts, strict=True)]
    yield _table_row(header, widths)
    yield "|" + "|".join(f"{'-' * (width + 1)}:" for width in widths) + "|"
    yield from (_table_row(row, widths) for row in texts)


def _table_row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "|" + "|".join(f" {cell:>{width}} " for cell, width in zip(cells, widths, strict=True)) + "|"
