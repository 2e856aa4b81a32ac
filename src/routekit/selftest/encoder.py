"""An encoder of the real architecture with random weights, so that a self-test needs no download.

ModernBERT: normalise first, rotary positions, gated units, and a sliding window on two of three layers. The head gives
logits for every token, the most sensitive output there is: an error anywhere shows in the token where it happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import onnx

_LOCAL_BASE, _GLOBAL_BASE = 1e4, 1.6e5
#: Added to the score of a key that may not be seen; padding and window together still fit a float32.
_HIDDEN = -1e9
_LAYERS_TO_A_GLOBAL_ONE = 3
_OPSET, _IR_VERSION = 18, 8


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """Size of an encoder.

    Attributes
    ----------
    hidden
        Width; a multiple of `n_heads`.
    intermediate
        Width of the gated units.
    window
        Keys on each side that a query of a local layer sees.
    vocab_size
        Rows of the embedding; the published models have 256,000, which no timing sees but the memory does.
    """

    hidden: int
    n_layers: int
    n_heads: int
    intermediate: int
    window: int = 64
    vocab_size: int = 32768
    n_labels: int = 3

    @property
    def head_dim(self) -> int:
        return self.hidden // self.n_heads


#: By name: for tests of the test itself; for a CPU; and the paper's, mmBERT-base, with a smaller vocabulary.
SHAPES = {
    "tiny": EncoderShape(hidden=64, n_layers=3, n_heads=2, intermediate=96, window=16, vocab_size=512),
    "small": EncoderShape(hidden=384, n_layers=6, n_heads=6, intermediate=576),
    "base": EncoderShape(hidden=768, n_layers=22, n_heads=12, intermediate=1152),
}


def build_encoder(shape: EncoderShape, seed: int = 0) -> onnx.ModelProto:
    """Build the graph, float32: ``input_ids`` and ``attention_mask`` to ``logits``, (batch, sequence, n_labels)."""
    g = _Builder(shape, seed)
    x = g.norm(g.op("Gather", g.weight(shape.vocab_size, shape.hidden, scale=1.0), "input_ids"))
    masks = _masks(g)
    for layer in range(shape.n_layers):
        is_local = layer % _LAYERS_TO_A_GLOBAL_ONE != 0
        x = g.op("Add", x, _attention(g, x, masks[is_local], _LOCAL_BASE if is_local else _GLOBAL_BASE))
        x = g.op("Add", x, _gated_units(g, g.norm(x)))
    return g.finish(g.linear(g.norm(x), shape.hidden, shape.n_labels))


def _masks(g: _Builder) -> tuple[str, str]:
    """Give what is added to scores: (batch, 1, 1, keys) of padding, (batch, 1, queries, keys) with the window too."""
    padded = g.op("Cast", g.op("Sub", g.constant(1), "attention_mask"), to=g.float_type)
    padding = g.op("Unsqueeze", g.op("Mul", padded, g.constant(_HIDDEN)), g.constant([1, 2]))
    positions = g.positions()
    rows, columns = (g.op("Unsqueeze", positions, g.constant([axis])) for axis in (1, 0))
    is_far = g.op("Greater", g.op("Abs", g.op("Sub", rows, columns)), g.constant(g.shape.window))
    window = g.op("Mul", g.op("Cast", is_far, to=g.float_type), g.constant(_HIDDEN))
    return padding, g.op("Add", padding, window)


def _attention(g: _Builder, x: str, mask: str, base: float) -> str:
    n = g.shape.hidden
    q, k, v = (g.heads(part) for part in g.split(g.linear(g.norm(x), n, 3 * n), 3))
    q, k = g.rotate(q, base), g.rotate(k, base)
    products = g.op("MatMul", q, g.op("Transpose", k, perm=[0, 1, 3, 2]))
    scores = g.op("Add", g.op("Mul", products, g.constant(g.shape.head_dim**-0.5)), mask)
    seen = g.op("MatMul", g.op("Softmax", scores, axis=-1), v)
    merged = g.op("Reshape", g.op("Transpose", seen, perm=[0, 2, 1, 3]), g.constant([0, 0, n]))
    return g.linear(merged, n, n)


def _gated_units(g: _Builder, x: str) -> str:
    n, width = g.shape.hidden, g.shape.intermediate
    value, gate = g.split(g.linear(x, n, 2 * width), 2)
    erf = g.op("Erf", g.op("Mul", value, g.constant(0.5**0.5)))
    gelu = g.op("Mul", g.op("Mul", value, g.constant(0.5)), g.op("Add", erf, g.constant(1.0)))
    return g.linear(g.op("Mul", gelu, gate), width, n)


class _Builder:
    """Collects nodes and weights of one graph; every method returns the name of a tensor."""

    def __init__(self, shape: EncoderShape, seed: int) -> None:
        from onnx import TensorProto

        self.shape = shape
        self.float_type = int(TensorProto.FLOAT)
        self._rng = np.random.default_rng(seed)
        self._nodes: list[onnx.NodeProto] = []
        self._weights: list[onnx.TensorProto] = []
        self._rotations: dict[float, tuple[str, str]] = {}

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        return self._node(kind, inputs, 1, attributes)[0]

    def split(self, x: str, n_parts: int) -> list[str]:
        return self._node("Split", (x,), n_parts, {"axis": -1, "num_outputs": n_parts})

    def constant(self, value: Any) -> str:
        from onnx import numpy_helper

        array = np.asarray(value)
        array = array.astype(np.float32 if array.dtype.kind == "f" else np.int64, copy=False)
        name = f"weight_{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(array, name))
        return name

    def weight(self, *shape: int, scale: float) -> str:
        drawn = self._rng.standard_normal(shape, dtype=np.float32)
        return self.constant(drawn * np.float32(scale))

    def linear(self, x: str, n_in: int, n_out: int) -> str:
        return self.op("MatMul", x, self.weight(n_in, n_out, scale=n_in**-0.5))

    def norm(self, x: str) -> str:
        scale = self.constant(np.ones(self.shape.hidden))
        return self.op("LayerNormalization", x, scale, axis=-1, epsilon=1e-5)

    def heads(self, x: str) -> str:
        """(batch, sequence, hidden) to (batch, heads, sequence, head_dim)."""
        split = self.op("Reshape", x, self.constant([0, 0, self.shape.n_heads, self.shape.head_dim]))
        return self.op("Transpose", split, perm=[0, 2, 1, 3])

    def positions(self) -> str:
        """0 to sequence - 1, shape (sequence,)."""
        length = self.op("Gather", self.op("Shape", "input_ids"), self.constant(1))
        return self.op("Range", self.constant(0), length, self.constant(1))

    def rotate(self, x: str, base: float) -> str:
        """Turn pairs of channels by an angle that grows with the position."""
        if base not in self._rotations:
            self._rotations[base] = self._cos_and_sin(base)
        cos, sin = self._rotations[base]
        left, right = self.split(x, 2)
        turned = self.op("Concat", self.op("Neg", right), left, axis=-1)
        return self.op("Add", self.op("Mul", x, cos), self.op("Mul", turned, sin))

    def _cos_and_sin(self, base: float) -> tuple[str, str]:
        n_pairs = self.shape.head_dim // 2
        frequencies = self.constant(base ** (-np.arange(n_pairs) / n_pairs)[None, :])
        places = self.op("Unsqueeze", self.op("Cast", self.positions(), to=self.float_type), self.constant([1]))
        angles = self.op("Mul", places, frequencies)  # (sequence, n_pairs)
        twice = self.op("Concat", angles, angles, axis=-1)
        return self.op("Cos", twice), self.op("Sin", twice)

    def finish(self, logits: str) -> onnx.ModelProto:
        from onnx import TensorProto, helper

        self._nodes.append(helper.make_node("Identity", [logits], ["logits"]))
        axes = ["batch", "sequence"]
        inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, axes) for n in ("input_ids", "attention_mask")]
        output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [*axes, self.shape.n_labels])
        graph = helper.make_graph(self._nodes, "encoder", inputs, [output], self._weights)
        opsets = [helper.make_opsetid("", _OPSET)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)

    def _node(self, kind: str, inputs: tuple[str, ...], n_outputs: int, attributes: dict[str, Any]) -> list[str]:
        from onnx import helper

        outputs = [f"{kind}_{len(self._nodes)}_{i}" for i in range(n_outputs)]
        self._nodes.append(helper.make_node(kind, list(inputs), outputs, **attributes))
        return outputs
