"""One place that says on what machine, with what versions and at what commit a benchmark ran."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def machine() -> dict[str, object]:
    """Describe the processor, the interpreter and the cores this process may use."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"cpu": model, "cores": cores, "python": platform.python_version(), "system": platform.system()}


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Give the installed version of each package, ``"absent"`` where there is none."""
    return {name: _version(name) for name in packages}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def commit() -> str:
    """Give the commit that was measured, with ``+`` when the tree had changes."""
    git = ["git", "-C", str(Path(__file__).parent)]
    head = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    dirty = subprocess.run([*git, "status", "--porcelain", "-uno"], capture_output=True, text=True, check=False)
    return head.stdout.strip() + ("+" if dirty.stdout.strip() else "")


def _anywhere(argument: str) -> str:
    """Name a file without the folders of the machine it lay on."""
    return Path(argument).name if Path(argument).is_absolute() else argument


def save(name: str, results: Mapping[str, object], packages: Sequence[str] = ("numpy", "orjson")) -> Path:
    """Write ``results/<name>.json`` with machine, versions, commit and command beside the figures."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    record = {
        "command": "python " + " ".join([f"benchmarks/{Path(sys.argv[0]).name}", *map(_anywhere, sys.argv[1:])]),
        "commit": commit(),
        "machine": machine(),
        "versions": versions(packages),
        "results": results,
    }
    path.write_text(json.dumps(record, indent=1) + "\n")
    return path
