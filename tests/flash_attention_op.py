"""One-node models of the op and sessions on them, for the tests of native/ck_fa."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from routekit.attention import DOMAIN, attention_reference, register_attention

if TYPE_CHECKING:
    from routekit.tensors import FloatArray

#: Attributes of the node, as items: hashable, so that sessions can be shared.
Attributes: TypeAlias = tuple[tuple[str, Any], ...]


def model(n_inputs: int = 3, attributes: Attributes = (), dtype: str = "FLOAT") -> bytes:
    """Serialize a model that is the op alone; every size is dynamic."""
    from onnx import TensorProto, helper

    element = getattr(TensorProto, dtype)
    names = ["q", "k", "v", "bias"][:n_inputs]
    inputs = [helper.make_tensor_value_info(n, element, [f"{n}{axis}" for axis in range(4)]) for n in names]
    output = helper.make_tensor_value_info("out", element, None)
    node = helper.make_node("FlashAttention", names, ["out"], domain=DOMAIN, **dict(attributes))
    return serialized(helper.make_graph([node], "attention", inputs, [output]))


def serialized(graph: Any) -> bytes:
    """Wrap a graph into a model of opset 17 and the op's domain."""
    from onnx import helper

    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]
    return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString())


def instruction_sets() -> tuple[str, ...]:
    """Name the instruction sets that this machine runs, as ROUTEKIT_CK_FA_ISA spells them."""
    cpuinfo = Path("/proc/cpuinfo")
    flags = set(cpuinfo.read_text().split()) if cpuinfo.exists() else set()
    avx512 = {"avx512f", "avx512bw", "avx512dq", "avx512vl", "fma"}
    needed = {
        "avx512_bf16": {*avx512, "avx512_vnni", "avx512_bf16"},
        "avx512_vnni": {*avx512, "avx512_vnni"},
        "avx512": avx512,
        "avx2": {"avx2", "fma"},
        "portable": set[str](),
    }
    return tuple(name for name, wanted in needed.items() if wanted <= flags)


def open_session(graph: bytes, n_threads: int = 1) -> Any:
    """Open a CPU session with the op registered."""
    ort = import_module("onnxruntime")
    options = ort.SessionOptions()
    options.intra_op_num_threads = n_threads
    options.log_severity_level = 4
    register_attention(options)
    return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


@cache
def session(isa: str, n_inputs: int, attributes: Attributes, n_threads: int = 1) -> Any:
    """Open a session whose kernels are of one instruction set."""
    os.environ["ROUTEKIT_CK_FA_ISA"] = isa
    try:
        return open_session(model(n_inputs, attributes), n_threads)
    finally:
        del os.environ["ROUTEKIT_CK_FA_ISA"]


def run(isa: str, feeds: Mapping[str, FloatArray], n_threads: int = 1, **attributes: Any) -> FloatArray:
    """Run the op on q, k, v and, when given, bias."""
    opened = session(isa, len(feeds), tuple(sorted(attributes.items())), n_threads)
    out: FloatArray = opened.run(None, dict(feeds))[0]
    return out


def reference(
    feeds: Mapping[str, FloatArray], dtype: type[np.floating[Any]] = np.float64, **attributes: Any
) -> FloatArray:
    """Compute what `run` should, in another precision."""
    inputs: dict[str, Any] = {name: x.astype(dtype) for name, x in feeds.items()}
    return attention_reference(**inputs, **attributes)


def random_feeds(rng: np.random.Generator, q: tuple[int, ...], n_keys: int) -> dict[str, FloatArray]:
    """Draw normal q of a shape, and k and v with as many keys as asked for."""
    kv = (*q[:2], n_keys, q[3])
    return {name: rng.standard_normal(shape, dtype=np.float32) for name, shape in (("q", q), ("k", kv), ("v", kv))}
