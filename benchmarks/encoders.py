"""Long-context encoders on one thread: stock ONNX Runtime against the rewritten graph, time and memory side by side.

    python benchmarks/make_encoder.py encoder.onnx          # in an environment with torch and transformers
    python benchmarks/encoders.py encoder.onnx [--lengths 512 2048 ...] [--peer-python PYTHON]

Every figure comes from a process of its own: CPU seconds of the median run, peak resident memory, and the largest
difference in logits to the stock graph on the same tokens. The weights are random, so this says nothing of verdicts.
Rows beyond ``--stock-limit`` tokens leave out the stock graph, whose memory grows with the square of the length.
``--peer-python`` names an interpreter with torch, transformers and openvino: their rows are measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from record import RESULTS, commit, save

#: Measures one engine on one length and prints what it cost as JSON.
CHILD = """
import json, statistics, sys, time
import numpy as np
kind, path, length, n_runs, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
ids = np.random.default_rng(0).integers(5, 32768, (1, length))
feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
begin = time.perf_counter()
if kind == "onnxruntime":
    import onnxruntime as ort
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    if len(sys.argv) > 6:
        options.register_custom_ops_library(sys.argv[6])
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    run = lambda: session.run(None, feeds)[0]
elif kind.startswith("openvino"):
    import openvino as ov
    core = ov.Core()
    precision = {"openvino_f32": "f32", "openvino_bf16": "bf16"}[kind]
    settings = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": precision}
    compiled = core.compile_model(path, "CPU", settings)
    run = lambda: compiled(feeds)[compiled.output(0)]
else:
    import torch
    sys.path.insert(0, sys.argv[6])
    from make_encoder import build
    torch.set_num_threads(1)
    model = build()
    if kind == "torch_bf16":
        model = model.bfloat16()
    inputs = (torch.from_numpy(ids), torch.ones(ids.shape, dtype=torch.long))
    def run():
        with torch.inference_mode():
            return model(*inputs).float().numpy()
load_seconds = time.perf_counter() - begin
cpu = []
for _ in range(n_runs):
    begin = time.process_time()
    logits = run()
    cpu.append(time.process_time() - begin)
np.save(out, logits)
status = open("/proc/self/status").read()  # ru_maxrss would be the parent's: it outlives exec
peak = int(status.split("VmHWM:")[1].split()[0]) // 1024
print(json.dumps({"seconds": statistics.median(cpu), "peak_mb": peak, "load_seconds": load_seconds}))
"""


#: Target and precision; those of stock ops are measured as far as the peers.
REWRITTEN = (
    *(("cpu", precision) for precision in ("fp32", "bf16", "int16", "int8")),
    *(("stock", precision) for precision in ("fp32", "int8")),
)
#: name, interpreter, engine, path, further arguments, longest input
Variant = tuple[str, str, str, str, list[str], int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--lengths", type=int, nargs="+", default=[512, 2048, 4096, 8192, 16384])
    parser.add_argument("--stock-limit", type=int, default=4096)
    parser.add_argument("--peer-python")
    parser.add_argument("--peer-limit", type=int, default=4096)
    parser.add_argument("--graphs", help="a folder to keep rewritten graphs in, and to take them from the next time")
    parser.add_argument("--keep", action="store_true", help="keep the recorded rows that are not measured again")
    parser.add_argument("--only", nargs="+", default=[], help="rewrites to measure, e.g. cpu_int8; all by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(arguments, Path(arguments.graphs or folder))
    if arguments.keep:
        recorded = json.loads((RESULTS / "encoders.json").read_text())["results"]["rows"]
        new = {(row["n_tokens"], row["variant"]) for row in rows}
        kept = [row for row in recorded if (row["n_tokens"], row["variant"]) not in new]
        rows = sorted([*kept, *rows], key=lambda row: int(str(row["n_tokens"])))
    save("encoders", {"unit": "CPU seconds, one thread", "rows": rows}, ["numpy", "onnxruntime", "onnx"])


def measure(arguments: argparse.Namespace, folder: Path) -> list[dict[str, object]]:
    """Measure every variant at every length, the stock graph first since ratios and differences refer to it."""
    from routekit.attention import library_path
    from routekit.graph import rewrite

    library = [str(library_path())] if library_path() else []
    variants: list[Variant] = [
        ("stock", sys.executable, "onnxruntime", str(arguments.encoder), [], arguments.stock_limit)
    ]
    for target, precision in REWRITTEN:
        if arguments.only and f"{target}_{precision}" not in arguments.only:
            continue
        path = folder / f"{target}_{precision}.onnx"
        if not path.exists():
            print(rewrite(arguments.encoder, path, target, precision=precision))  # type: ignore[arg-type]
        name = f"routekit {precision}" + (" (stock ops)" if target == "stock" else "")
        extra = library if target == "cpu" else []
        limit = 1 << 20 if target == "cpu" else arguments.peer_limit
        variants.append((name, sys.executable, "onnxruntime", str(path), extra, limit))
    if arguments.peer_python:
        here = str(Path(__file__).parent)
        for kind in ("torch_f32", "torch_bf16", "openvino_f32", "openvino_bf16"):
            extra = [here] if kind.startswith("torch") else []
            variants.append((kind, arguments.peer_python, kind, str(arguments.encoder), extra, arguments.peer_limit))
    return [row for length in arguments.lengths for row in _rows(variants, length, folder)]


def _rows(
    variants: list[tuple[str, str, str, str, list[str], int]], length: int, folder: Path
) -> list[dict[str, object]]:
    import numpy as np

    rows: list[dict[str, object]] = []
    stock: dict[str, float] = {}
    reference = None
    for name, python, kind, path, extra, limit in variants:
        if length > limit:
            continue
        out = folder / "logits.npy"
        n_runs = 5 if length <= 512 else 3 if length <= 2048 else 1
        command = [python, "-c", CHILD, kind, path, str(length), str(n_runs), str(out), *extra]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no message"])[-1][:160]
            print(f"{length:6} {name:28} failed: {reason}")
            continue
        figures = json.loads(done.stdout.splitlines()[-1])
        logits = np.load(out)
        if name == "stock":
            stock, reference = figures, logits
        row = {"n_tokens": length, "variant": name, **figures, "commit": commit()}
        if reference is not None:
            row["max_logit_difference"] = float(np.abs(logits - reference).max())
            row["speedup"] = stock["seconds"] / figures["seconds"]
        rows.append(row)
        print(
            " ".join(f"{key}={value:.4g}" if isinstance(value, float) else f"{value}" for key, value in row.items()),
            flush=True,
        )
    return rows


if __name__ == "__main__":
    main()
