"""The self-test of the CPU backend, kept beside the other results: the command that runs on a GPU too.

    python benchmarks/selftest.py [further options of ``python -m routekit selftest``]

Writes ``results/selftest_cpu.json`` and the page ``results/selftest_cpu.md``.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from record import RESULTS, save
from routekit.selftest import main as selftest

_TABLE = ["--lengths", "512", "1024", "2048", "4096", "8192", "--concurrency", "1", "4", "--threads", "1"]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.json"
        pages = ["--json", str(found), "--markdown", str(RESULTS / "selftest_cpu.md")]
        status = selftest(["--backend", "cpu", *_TABLE, *sys.argv[1:], *pages])
        if found.exists():
            save("selftest_cpu", json.loads(found.read_text()), ["numpy", "onnx", "onnxruntime"])
    return status


if __name__ == "__main__":
    sys.exit(main())
