"""Small encoders with random weights and the architecture of the real ones, written directly as ONNX.

``python tests/encoder_models.py FOLDER`` writes one directory per architecture and task, each with ``config.json``,
``tokenizer.json`` and ``model.onnx``, as transformers would. Tests make them for each session; nothing is stored.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

import tiny_tokenizers

LABELS = {
    "sequence": ("jailbreak", "benign", "other"),
    "token": ("O", "B-PERSON", "I-PERSON", "B-EMAIL_ADDRESS", "I-EMAIL_ADDRESS"),
}
TOKENIZERS = {
    "bert": "wordpiece",
    "distilbert": "wordpiece",
    "roberta": "byte_bpe",
    "deberta-v2": "unigram",
    "modernbert": "byte_bpe",
}


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """Size and kind of one encoder; `window` tokens are seen on local layers (ModernBERT only)."""

    architecture: str
    task: str = "sequence"
    hidden: int = 32
    n_layers: int = 2
    n_heads: int = 2
    vocab_size: int = 400
    n_positions: int = 130
    window: int = 8
    pad_id: int = 0
    half: bool = False
    n_labels: int = 0

    @property
    def head_dim(self) -> int:
        return self.hidden // self.n_heads

    @property
    def labels(self) -> tuple[str, ...]:
        return LABELS[self.task]


class Graph:
    """Builds one ONNX graph: `op` adds a node and returns its output, `weight` a random initializer."""

    def __init__(self, shape: EncoderShape, seed: int) -> None:
        self.shape = shape
        self._rng = np.random.default_rng(seed)
        self._nodes: list[onnx.NodeProto] = []
        self._weights: list[onnx.TensorProto] = []
        self.dtype: type[np.floating[Any]] = np.float16 if shape.half else np.float32

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        output = f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def split(self, x: str, parts: int) -> list[str]:
        outputs = [f"Split_{len(self._nodes)}_{i}" for i in range(parts)]
        self._nodes.append(helper.make_node("Split", [x], outputs, axis=-1, num_outputs=parts))
        return outputs

    def constant(self, value: Any) -> str:
        array = np.asarray(value)
        array = array.astype(self.dtype) if array.dtype.kind == "f" else array.astype(np.int64)
        name = f"w{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(array, name))
        return name

    def weight(self, *shape: int) -> str:
        scale = 0.1 if len(shape) == 1 else shape[0] ** -0.5
        return self.random(*shape, scale=scale)

    def random(self, *shape: int, scale: float) -> str:
        return self.constant(self._rng.normal(0.0, scale, shape))

    def embedding(self, rows: int) -> str:
        return self.random(rows, self.shape.hidden, scale=0.5)

    def linear(self, x: str, n_in: int, n_out: int, *, bias: bool = True) -> str:
        y = self.op("MatMul", x, self.weight(n_in, n_out))
        return self.op("Add", y, self.weight(n_out)) if bias else y

    def norm(self, x: str) -> str:
        n = self.shape.hidden
        scale, bias = self.constant(np.ones(n)), self.constant(np.zeros(n))
        return self.op("LayerNormalization", x, scale, bias, axis=-1, epsilon=1e-5)

    def gelu(self, x: str) -> str:
        erf = self.op("Erf", self.op("Mul", x, self.constant(np.sqrt(0.5))))
        return self.op("Mul", self.op("Mul", x, self.constant(0.5)), self.op("Add", erf, self.constant(1.0)))

    def heads(self, x: str) -> str:
        """(batch, sequence, hidden) to (batch, heads, sequence, head_dim)."""
        shape = self.constant([0, 0, self.shape.n_heads, self.shape.head_dim])
        return self.op("Transpose", self.op("Reshape", x, shape), perm=[0, 2, 1, 3])

    def merge(self, x: str) -> str:
        merged = self.op("Transpose", x, perm=[0, 2, 1, 3])
        return self.op("Reshape", merged, self.constant([0, 0, self.shape.hidden]))

    def positions(self) -> str:
        """0 ... sequence_length - 1."""
        length = self.op("Gather", self.op("Shape", "input_ids"), self.constant(1))
        return self.op("Range", self.constant(0), length, self.constant(1))

    def distances(self) -> str:
        """i - j, shape (sequence, sequence)."""
        positions = self.positions()
        rows = self.op("Unsqueeze", positions, self.constant([1]))
        return self.op("Sub", rows, self.op("Unsqueeze", positions, self.constant([0])))

    def mask_bias(self) -> str:
        """0 where a key may be seen, a large negative number where it is padding; (batch, 1, 1, sequence)."""
        hidden = self.op("Sub", self.constant(1), "attention_mask")
        bias = self.op("Mul", self.op("Cast", hidden, to=self._float()), self.constant(-1e4))
        return self.op("Unsqueeze", bias, self.constant([1, 2]))

    def attend(self, q: str, k: str, v: str, *biases: str) -> str:
        scores = self.op("MatMul", q, self.op("Transpose", k, perm=[0, 1, 3, 2]))
        scores = self.op("Mul", scores, self.constant(1 / np.sqrt(self.shape.head_dim)))
        for bias in biases:
            scores = self.op("Add", scores, bias)
        return self.merge(self.op("MatMul", self.op("Softmax", scores, axis=-1), v))

    def _float(self) -> int:
        return int(TensorProto.FLOAT16 if self.shape.half else TensorProto.FLOAT)

    def model(self, output: str, inputs: Sequence[str], name: str = "logits") -> onnx.ModelProto:
        self._nodes.append(helper.make_node("Identity", [output], [name]))
        axes = ["batch", "sequence"]
        values = [helper.make_tensor_value_info(n, TensorProto.INT64, axes) for n in inputs]
        result = helper.make_tensor_value_info(
            name, self._float(), [*axes[: 1 + (self.shape.task == "token")], "labels"]
        )
        graph = helper.make_graph(self._nodes, "encoder", values, [result], self._weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        onnx.checker.check_model(model)
        return model


def _post_norm_layers(g: Graph, x: str, bias: Callable[[str], Sequence[str]]) -> str:
    """Layers of BERT's kind: normalise after each residual. `bias` gives score biases from a layer's queries."""
    n = g.shape.hidden
    for _ in range(g.shape.n_layers):
        q, k, v = (g.heads(g.linear(x, n, n)) for _ in range(3))
        x = g.norm(g.op("Add", x, g.linear(g.attend(q, k, v, *bias(q)), n, n)))
        x = g.norm(g.op("Add", x, g.linear(g.gelu(g.linear(x, n, 4 * n)), 4 * n, n)))
    return x


def _embedded(g: Graph, *more: str) -> str:
    x = g.op("Gather", g.embedding(g.shape.vocab_size), "input_ids")
    for table in more:
        x = g.op("Add", x, table)
    return g.norm(x)


def bert_layers(g: Graph, n_kinds: int = 2) -> str:
    """Embed ids, places and `n_kinds` kinds of tokens, none for 0; return the last hidden states."""
    mask = g.mask_bias()
    places = g.op("Gather", g.embedding(g.shape.n_positions), g.positions())
    kinds = [g.op("Gather", g.embedding(n_kinds), "token_type_ids")] if n_kinds else []
    return _post_norm_layers(g, _embedded(g, places, *kinds), lambda _: [mask])


def _bert(g: Graph) -> str:
    return bert_layers(g, 0 if g.shape.architecture == "distilbert" else 2)


def _roberta(g: Graph) -> str:
    """Positions count on from the padding id, and only over tokens that are no padding."""
    mask, pad = g.mask_bias(), g.constant(g.shape.pad_id)
    real = g.op("Cast", g.op("Not", g.op("Equal", "input_ids", pad)), to=int(TensorProto.INT64))
    places = g.op("Add", g.op("Mul", g.op("CumSum", real, g.constant(1)), real), pad)
    x = _embedded(g, g.op("Gather", g.embedding(g.shape.n_positions), places))
    return _post_norm_layers(g, x, lambda _: [mask])


def _deberta(g: Graph) -> str:
    """Content looks at positions too: scores of queries against embeddings of clipped distances."""
    mask, reach, shape = g.mask_bias(), 16, g.shape
    clipped = g.op("Clip", g.op("Add", g.distances(), g.constant(reach)), g.constant(0), g.constant(2 * reach - 1))
    table = g.random(1, shape.n_heads, shape.head_dim, 2 * reach, scale=0.5)

    def disentangled(q: str) -> Sequence[str]:
        scores = g.op("MatMul", q, table)  # (batch, heads, sequence, 2 reach)
        size = g.op("Gather", g.op("Shape", scores), g.constant([0, 1, 2, 2]))
        index = g.op("Expand", g.op("Unsqueeze", clipped, g.constant([0, 1])), size)
        return [mask, g.op("GatherElements", scores, index, axis=3)]

    return _post_norm_layers(g, _embedded(g), disentangled)


def _rotate(g: Graph, x: str, base: float) -> str:
    half = g.shape.head_dim // 2
    frequencies = g.constant(base ** (-np.arange(half, dtype=np.float64) / half)[None, :])
    places = g.op("Unsqueeze", g.op("Cast", g.positions(), to=g._float()), g.constant([1]))
    angles = g.op("MatMul", places, frequencies)
    cos, sin = (g.op("Concat", w, w, axis=-1) for w in (g.op("Cos", angles), g.op("Sin", angles)))
    left, right = g.split(x, 2)
    turned = g.op("Concat", g.op("Neg", right), left, axis=-1)
    return g.op("Add", g.op("Mul", x, cos), g.op("Mul", turned, sin))


def _modernbert(g: Graph) -> str:
    """Normalise first, rotary positions, gated units, and a sliding window on all but every third layer."""
    n, mask, x = g.shape.hidden, g.mask_bias(), _embedded(g)
    far = g.op("Greater", g.op("Abs", g.distances()), g.constant(g.shape.window))
    window = g.op("Mul", g.op("Cast", far, to=g._float()), g.constant(-1e4))
    for layer in range(g.shape.n_layers):
        local = layer % 3 != 0
        y = x if layer == 0 else g.norm(x)
        q, k, v = (g.heads(part) for part in g.split(g.linear(y, n, 3 * n, bias=False), 3))
        q, k = (_rotate(g, part, 1e4 if local else 1.6e5) for part in (q, k))
        seen = g.attend(q, k, v, mask, *([window] if local else []))
        x = g.op("Add", x, g.linear(seen, n, n, bias=False))
        value, gate = g.split(g.linear(g.norm(x), n, 4 * n, bias=False), 2)
        x = g.op("Add", x, g.linear(g.op("Mul", g.gelu(value), gate), 2 * n, n, bias=False))
    return g.norm(x)


_BODIES = {"bert": _bert, "distilbert": _bert, "roberta": _roberta, "deberta-v2": _deberta, "modernbert": _modernbert}


def build(shape: EncoderShape, seed: int = 0) -> onnx.ModelProto:
    """Build one encoder with its head."""
    g = Graph(shape, seed)
    x = _BODIES[shape.architecture](g)
    if shape.task == "sequence":
        x = g.op("Gather", x, g.constant(0), axis=1)  # the first token stands for the text
        x = g.op("Tanh", g.linear(x, shape.hidden, shape.hidden))
    inputs = ["input_ids", "attention_mask", *(["token_type_ids"] if shape.architecture == "bert" else [])]
    return g.model(g.linear(x, shape.hidden, shape.n_labels or len(shape.labels)), inputs)


def config(shape: EncoderShape) -> dict[str, Any]:
    """Return what transformers would write to ``config.json``."""
    kind = "TokenClassification" if shape.task == "token" else "SequenceClassification"
    return {
        "architectures": [f"For{kind}"],
        "model_type": shape.architecture,
        "id2label": {str(i): label for i, label in enumerate(shape.labels)},
        "label2id": {label: i for i, label in enumerate(shape.labels)},
        "max_position_embeddings": shape.n_positions,
        "pad_token_id": shape.pad_id,
        "vocab_size": shape.vocab_size,
        "hidden_size": shape.hidden,
    }


def save(
    folder: Path, architecture: str, task: str = "sequence", *, seed: int = 0, vocab_extra: int = 0, **shape: Any
) -> Path:
    """Write one model directory as transformers would; `vocab_extra` rows of the embedding have no token."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(tiny_tokenizers.save(TOKENIZERS[architecture], folder)))
    pad = next(i for name in ("[PAD]", "<pad>") if (i := tokenizer.token_to_id(name)) is not None)
    n_ids = max(tokenizer.get_vocab().values()) + 1
    sized = EncoderShape(architecture, task, vocab_size=n_ids + vocab_extra, pad_id=pad, **shape)
    (folder / "config.json").write_text(json.dumps(config(sized)))
    onnx.save(build(sized, seed), folder / "model.onnx")
    return folder


if __name__ == "__main__":
    for name in _BODIES:
        for each in LABELS:
            print(save(Path(sys.argv[1]) / f"{name}-{each}", name, each))
