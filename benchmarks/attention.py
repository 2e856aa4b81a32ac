"""Time routekit::FlashAttention beside ONNX Runtime's own attention: one thread, float32, 12 heads of 64.

Run it with OMP_NUM_THREADS=1. A round runs every peer once; times are CPU times of a whole session run, ratios are
medians over rounds (the machine may be busy), peak memory is that of a fresh process beyond its inputs.

    python benchmarks/attention.py [TOKENS ...]
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

import record
from routekit.attention import DOMAIN, attention_reference, register_attention

if TYPE_CHECKING:
    from routekit.tensors import FloatArray

HEADS, HEAD_DIM, WINDOW = 12, 64, 64
PEERS = ("routekit", "routekit bf16", "ort fused", "ort graph")
#: Above this the graph of single ops needs more than 12 GB.
LONGEST_FOR_GRAPH = 4096


def inputs(n_tokens: int) -> dict[str, FloatArray]:
    """Draw q, k, v of shape (1, heads, tokens, head_dim)."""
    rng = np.random.default_rng(n_tokens)
    return {name: rng.standard_normal((1, HEADS, n_tokens, HEAD_DIM), dtype=np.float32) for name in "qkv"}


def window_bias(n_tokens: int) -> FloatArray:
    """Give the window as what peers take it: a dense bias of shape (1, 1, tokens, tokens)."""
    positions = np.arange(n_tokens, dtype=np.int32)
    bias: FloatArray = np.full((1, 1, n_tokens, n_tokens), -1e9, np.float32)
    bias[0, 0][np.abs(positions[:, None] - positions) <= WINDOW] = 0
    return bias


def nodes(peer: str, windowed: bool) -> list[Any]:
    """Build a peer's graph from q, k, v and, for peers that need it, bias."""
    from onnx import helper

    if peer.startswith("routekit"):
        window = WINDOW if windowed else -1
        attributes: dict[str, Any] = {"window_left": window, "window_right": window}
        attributes["allow_bf16"] = int(peer.endswith("bf16"))
        return [helper.make_node("FlashAttention", ["q", "k", "v"], ["out"], domain=DOMAIN, **attributes)]
    if peer == "ort fused":
        names = ["q", "k", "v", *(["", "", "bias"] if windowed else [])]
        return [helper.make_node("MultiHeadAttention", names, ["out"], domain="com.microsoft", num_heads=HEADS)]
    steps: list[tuple[str, list[str], str, dict[str, Any]]]
    steps = [("Transpose", ["k"], "kt", {"perm": [0, 1, 3, 2]}), ("MatMul", ["q", "kt"], "raw", {})]
    steps += [("Mul", ["raw", "factor"], "scores", {})]
    steps += [("Add", ["scores", "bias"], "masked", {})] if windowed else []
    steps += [("Softmax", ["masked" if windowed else "scores"], "weights", {}), ("MatMul", ["weights", "v"], "out", {})]
    return [helper.make_node(op, ins, [out], **attributes) for op, ins, out, attributes in steps]


def session(peer: str, windowed: bool) -> Any:
    from onnx import TensorProto, helper, numpy_helper

    ort = import_module("onnxruntime")
    fused = peer == "ort fused"
    shape: list[str | int] = ["batch", "tokens", HEADS * HEAD_DIM] if fused else ["batch", HEADS, "tokens", HEAD_DIM]
    needs_bias = windowed and not peer.startswith("routekit")
    shapes: dict[str, list[Any]] = {
        **dict.fromkeys("qkv", shape),
        **({"bias": [1, 1, "tokens", "tokens"]} if needs_bias else {}),
    }
    graph = helper.make_graph(
        nodes(peer, windowed),
        "attention",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, s) for name, s in shapes.items()],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.float32(HEAD_DIM**-0.5), "factor")],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1), helper.make_opsetid("com.microsoft", 1)]
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    register_attention(options)
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def feeds(peer: str, windowed: bool, qkv: Mapping[str, FloatArray], bias: FloatArray | None) -> dict[str, FloatArray]:
    chosen = dict(qkv)
    if peer == "ort fused":
        chosen = {n: x.transpose(0, 2, 1, 3).reshape(1, x.shape[2], -1).copy() for n, x in qkv.items()}
    if windowed and bias is not None and not peer.startswith("routekit"):
        chosen["bias"] = bias
    return chosen


def cpu_seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def error(peer: str, out: FloatArray, qkv: Mapping[str, FloatArray], window: int) -> float:
    """Give the largest error of the first head and 2048 queries at most, against float64."""
    n = min(2048, qkv["q"].shape[2])
    first = {name: x[:, :1].astype(np.float64) for name, x in qkv.items()}
    first["q"] = first["q"][:, :, :n]
    exact = attention_reference(first["q"], first["k"], first["v"], window_left=window, window_right=window)
    got = out.reshape(1, -1, HEADS, HEAD_DIM).transpose(0, 2, 1, 3) if peer == "ort fused" else out
    return float(np.abs(got[:, :1, :n] - exact).max())


def measure(n_tokens: int, windowed: bool, n_rounds: int) -> dict[str, dict[str, float]]:
    """Measure all peers on one length: CPU milliseconds, ratio to routekit, error, peak memory."""
    qkv = inputs(n_tokens)
    bias = window_bias(n_tokens) if windowed else None
    peers = [p for p in PEERS if p != "ort graph" or n_tokens <= LONGEST_FOR_GRAPH]
    runs = {p: partial(session(p, windowed).run, None, feeds(p, windowed, qkv, bias)) for p in peers}
    window = WINDOW if windowed else -1
    errors = {p: error(p, run()[0], qkv, window) for p, run in runs.items()}
    rounds = [{p: cpu_seconds(run) for p, run in runs.items()} for _ in range(n_rounds)]
    return {
        p: {
            "cpu_ms": round(1e3 * median(r[p] for r in rounds), 2),
            "ratio": round(median(r[p] / r["routekit"] for r in rounds), 2),
            "max_error": errors[p],
            "peak_mb": peak_mb(p, n_tokens, windowed),
        }
        for p in peers
    }


def peak_mb(peer: str, n_tokens: int, windowed: bool) -> float:
    """Ask a fresh process by how much one run raises its peak memory."""
    command = [sys.executable, __file__, "--peak", peer, str(n_tokens), str(int(windowed))]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def print_peak(peer: str, n_tokens: int, windowed: bool) -> None:
    opened, qkv = session(peer, windowed), inputs(n_tokens)
    opened.run(None, feeds(peer, windowed, inputs(64), window_bias(64) if windowed else None))
    given = feeds(peer, windowed, qkv, window_bias(n_tokens) if windowed and peer.startswith("ort") else None)
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew from here
    before = resident_mb("VmRSS")
    opened.run(None, given)
    print(round(resident_mb("VmHWM") - before, 1))


def resident_mb(what: str) -> float:
    """Read VmRSS (now) or VmHWM (peak) of this process."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(what))
    return int(line.split()[1]) / 1024


def main(lengths: list[int]) -> None:
    results: dict[str, object] = {}
    for n_tokens in lengths:
        for windowed in (False, True):
            name = f"{n_tokens} {'window' if windowed else 'dense'}"
            measured = measure(n_tokens, windowed, n_rounds=max(3, min(15, 16384 // n_tokens)))
            results[name] = measured
            for peer, m in measured.items():
                figures = (
                    f"{m['cpu_ms']:10.2f} ms {m['ratio']:7.2f} x  error {m['max_error']:.1e}  +{m['peak_mb']:.0f} MB"
                )
                print(f"{name:13} {peer:14} {figures}", flush=True)
    record.save("attention", results, ("numpy", "onnxruntime"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peak"]:
        print_peak(sys.argv[2], int(sys.argv[3]), sys.argv[4] == "1")
    else:
        main([int(n) for n in sys.argv[1:]] or [512, 2048, 8192])
