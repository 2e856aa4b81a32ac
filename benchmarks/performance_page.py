"""Writes the tables of `benchmarks/results/run_all.json` between the markers of docs/performance.md.

python benchmarks/performance_page.py
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from record import RESULTS

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
#: What the page calls a stage, and the way whose verdicts it gives.
STAGES = {
    "stock": ("baseline: json, stock ONNX Runtime, whole text", "reference"),
    "fp32": ("+ attention rewritten, whole text", "fp32"),
    "int16": ("+ int16", "int16"),
    "int8": ("+ int8 instead", "int8"),
    "int8, compressed": ("+ compression to 512 tokens", "compressed"),
    "int8, compressed, streamed": ("+ near-streaming body", "compressed"),
    "encoder that ships, whole text": ("the encoder that ships, whole text", "as it ships, all windows"),
    "cascade, names too": ("embedded tiers: cascade, people too", "cascade"),
    "cascade": ("embedded tiers: cascade", "cascade"),
    "linear": ("embedded tiers: linear", "linear"),
}
#: Where the stages before do not stand above.
ALONE = {
    "stock, first 512": "stock ONNX Runtime",
    **{stage: name for stage, (name, _) in STAGES.items()},
    "int8, compressed, streamed": "three int8 encoders, 512 tokens",
}
REFERENCE = 8192
SIGNALS = ("jailbreak", "domain")

Rows = Sequence[Mapping[str, Any]]


def write_page(found: Mapping[str, Rows], page: Path = PAGE) -> None:
    """Replace what stands between the markers; tables without figures stay as they are."""
    text = page.read_text(encoding="utf-8")
    for name, make in _TABLES.items():
        table = "\n".join(make(found)) if all(part in found for part in _NEEDED[name]) else None
        pattern = rf"(<!-- table: {name} -->\n).*?(<!-- end -->)"
        if not re.search(pattern, text, re.DOTALL):
            raise SystemExit(f"{page.name} has no marker for the table {name}")
        if table is not None:
            text = re.sub(pattern, lambda m, table=table: f"{m[1]}\n{table}\n\n{m[2]}", text, flags=re.DOTALL)  # type: ignore[misc]
    page.write_text(text, encoding="utf-8")


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield "|---" * len(header) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _seconds(value: float) -> str:
    if value >= 10:
        return f"{value:.0f} s"
    if value >= 0.1:
        return f"{value:.2f} s"
    return f"{1000 * value:.1f} ms"


def _memory(mb: float) -> str:
    return f"{mb / 1024:.1f} GB" if mb >= 1024 else f"{mb:.0f} MB"


def _cells(rows: Rows) -> dict[tuple[str, int], Mapping[str, Any]]:
    return {(row["stage"], row["n_tokens"]): row for row in rows}


def _lengths(rows: Rows) -> list[int]:
    return sorted({row["n_tokens"] for row in rows})


def _latency(rows: Mapping[str, Rows]) -> Iterator[str]:
    cells, lengths = _cells(rows["stages"]), _lengths(rows["stages"])
    base = cells.get(("stock", REFERENCE))
    header = ["CPU time of a request", *(f"{n} tokens" for n in lengths), f"speed-up at {REFERENCE}", "same verdict"]

    def line(stage: str) -> list[str]:
        own = [cells.get((stage, n)) for n in lengths]
        times = [_seconds(cell["seconds"]) + "*" * ("recorded" in cell) if cell else "-" for cell in own]
        at = cells.get((stage, REFERENCE))
        faster = f"{base['seconds'] / at['seconds']:.0f}x" if base and at else ""
        return [STAGES[stage][0], *times, faster, _kept(stage, [*rows.get("agreement", ()), *rows.get("quoted", ())])]

    yield from _table(header, [line(stage) for stage in STAGES if any(key[0] == stage for key in cells)])
    if any("recorded" in cell for cell in cells.values()):
        yield ""
        yield r"\* recorded earlier on the same machine, in `three_classifiers.json`: it needs 17 GB."


def _kept(stage: str, rows: Rows) -> str:
    """Share of kept verdicts, on jailbreak and on domain."""
    way = STAGES[stage][1]
    shares = [
        row["agreement_percent"] for signal in SIGNALS for row in rows if (row["signal"], row["way"]) == (signal, way)
    ]
    return way if way == "reference" else " / ".join(f"{share:.3g} %" for share in shares) or "-"


def _after(rows: Mapping[str, Rows]) -> Iterator[str]:
    cells, lengths = _cells(rows["stages"]), _lengths(rows["stages"])
    own = [stage for stage in ("int8, compressed, streamed", "cascade", "linear") if (stage, lengths[0]) in cells]
    lines = [[ALONE[stage], *(_seconds(cells[stage, n]["after_last_byte_seconds"]) for n in lengths)] for stage in own]
    yield from _table(["CPU time after the last byte", *(f"{n} tokens" for n in lengths)], lines)


def _peaks(rows: Mapping[str, Rows]) -> Iterator[str]:
    cells, lengths = _cells(rows["stages"]), _lengths(rows["stages"])
    lines = []
    for stage in (stage for stage in STAGES if any(key[0] == stage for key in cells)):
        own = [cells.get((stage, n)) for n in lengths]
        missing = "does not fit" if stage == "stock" else "-"
        lines.append([STAGES[stage][0], *(_memory(cell["peak_mb"]) if cell else missing for cell in own)])
    yield from _table(["peak memory of the process", *(f"{n} tokens" for n in lengths)], lines)


#: Rows of the table that tells the text's share from the code's: what, the stage before, the stage after.
SHARES = (
    ("less text: 512 tokens, compressed, same graph", "stock", "stock, compressed"),
    ("code: attention rewritten, same text", "stock", "fp32"),
    ("code: rewritten and in int16, same text", "stock", "int16"),
    ("code: rewritten and in int8, same text", "stock", "int8"),
    ("code: the same, on the compressed text", "stock, compressed", "int8, compressed"),
    ("both", "stock", "int8, compressed"),
    ("code: body in chunks in place of json", "int8, compressed", "int8, compressed, streamed"),
    ("smaller model: the encoder that ships, whole text", "int8", "encoder that ships, whole text"),
    ("less text for it: the cascade", "encoder that ships, whole text", "cascade"),
    ("no encoder: the linear tier", "cascade", "linear"),
)


def _shares(rows: Mapping[str, Rows]) -> Iterator[str]:
    cells = _cells(rows["stages"])
    lines = []
    for what, before, after in SHARES:
        one, other = cells.get((before, REFERENCE)), cells.get((after, REFERENCE))
        if one and other:
            times = _seconds(one["seconds"]), _seconds(other["seconds"])
            lines.append([what, *times, f"{one['seconds'] / other['seconds']:.3g}x"])
    yield from _table([f"at {REFERENCE} tokens", "from", "to", "gain"], lines)


def _concurrent(rows: Mapping[str, Rows]) -> Iterator[str]:
    own = rows["concurrent"]
    cells = {(row["stage"], row["n_tokens"], row["n_requests"]): row for row in own}
    numbers = sorted({row["n_requests"] for row in own})
    lines = []
    order = list(ALONE)
    for stage, n_tokens in sorted({key[:2] for key in cells}, key=lambda key: (order.index(key[0]), key[1])):
        found = [cells.get((stage, n_tokens, n)) for n in numbers]
        times = [
            f"{_seconds(row['median_seconds'])} / {_seconds(row['longest_seconds'])}" if row else "-" for row in found
        ]
        most = next(row for row in reversed(found) if row)
        lines.append([ALONE[stage], str(n_tokens), *times, f"{most['requests_per_second']:.3g}"])
    header = ["median / longest latency", "tokens", *(f"{n} at once" for n in numbers), "requests/s at the most"]
    yield from _table(header, lines)


def _peers(rows: Mapping[str, Rows]) -> Iterator[str]:
    cells = _cells(rows["stages"])
    engines = {"openvino_bf16": "OpenVINO bf16", "torch_bf16": "torch bf16"}
    lines = [
        [engines[row["engine"]], str(row["n_tokens"]), _seconds(row["seconds"]), _memory(row["peak_mb"])]
        for row in rows["peers"]
    ]
    for stage in ("stock", "fp32", "int16", "int8"):
        for n_tokens in sorted({row["n_tokens"] for row in rows["peers"]}):
            if cell := cells.get((stage, n_tokens)):
                name = "stock ONNX Runtime" if stage == "stock" else f"routekit {stage}"
                lines.append([name, str(n_tokens), _seconds(cell["seconds"]), _memory(cell["peak_mb"])])
    lines.sort(key=lambda line: int(line[1]))
    yield from _table(["three classifiers on", "tokens", "CPU time", "peak memory"], lines)


def _bodies(rows: Mapping[str, Rows]) -> Iterator[str]:
    lengths = _lengths(rows["bodies"])
    cells = {(row["way"], row["n_tokens"]): row["microseconds"] for row in rows["bodies"]}
    ways = dict.fromkeys(row["way"] for row in rows["bodies"])
    lines = [[way, *(f"{cells[way, n]:.0f}" for n in lengths)] for way in ways]
    yield from _table(["body read, model replaced, written; microseconds", *(f"{n} tokens" for n in lengths)], lines)


def _agreement(rows: Mapping[str, Rows]) -> Iterator[str]:
    lines = [
        [
            row["signal"],
            row["reference"],
            row["way"],
            f"{row['agreement_percent']:.4g} % ({row['interval_percent'][0]:.4g} to {row['interval_percent'][1]:.4g})",
            str(row["n_documents"]),
        ]
        for row in rows["agreement"]
    ]
    yield from _table(["signal", "reference", "way", "same verdict (95 % interval)", "documents"], lines)


_TABLES = {
    "latency": _latency,
    "after": _after,
    "memory": _peaks,
    "shares": _shares,
    "concurrent": _concurrent,
    "peers": _peers,
    "bodies": _bodies,
    "agreement": _agreement,
}
_NEEDED = {
    "latency": ("stages",),
    "after": ("stages",),
    "memory": ("stages",),
    "shares": ("stages",),
    "concurrent": ("concurrent",),
    "peers": ("peers", "stages"),
    "bodies": ("bodies",),
    "agreement": ("agreement",),
}


if __name__ == "__main__":
    write_page(json.loads((RESULTS / "run_all.json").read_text())["results"])
