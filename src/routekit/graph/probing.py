"""Running a graph on inputs made for the purpose: what reading a mask and proving a rewrite both stand on."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import helper

from routekit.errors import ModelFormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from routekit.graph.onnx_graph import OnnxGraph

    Array = NDArray[Any]
    Feeds = dict[str, Array]

#: A serialized protobuf must stay below 2 GiB; larger models keep their weights beside the file.
MAX_MESSAGE_BYTES = 1_800_000_000


class GraphSession:
    """An ONNX Runtime session over a model in memory, one thread, quiet."""

    def __init__(self, model: onnx.ModelProto, *, extra_outputs: Sequence[str] = ()) -> None:
        import onnxruntime as ort  # type: ignore[import-untyped]

        from routekit.attention import DOMAIN, register_attention

        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        if any(entry.domain == DOMAIN for entry in model.opset_import):
            register_attention(options)
        if extra_outputs:
            model = _with_outputs(model, extra_outputs)
        self._folder = None if model.ByteSize() < MAX_MESSAGE_BYTES else tempfile.TemporaryDirectory()
        try:
            self._session = ort.InferenceSession(self._source(model), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime's exception types share no public base
            raise ModelFormatError(f"ONNX Runtime does not load the graph: {str(error)[:300]}") from None
        self.outputs = [value.name for value in self._session.get_outputs()]

    def _source(self, model: onnx.ModelProto) -> bytes | str:
        if self._folder is None:
            return bytes(model.SerializeToString())
        path = Path(self._folder.name) / "model.onnx"
        onnx.save(model, path, save_as_external_data=True, location="weights")
        return str(path)

    def run(self, feeds: Mapping[str, Array]) -> dict[str, Array]:
        """Run once; raises whatever the runtime raises."""
        return dict(zip(self.outputs, self._session.run(None, dict(feeds)), strict=True))


def _with_outputs(model: onnx.ModelProto, names: Sequence[str]) -> onnx.ModelProto:
    extended = onnx.ModelProto()
    extended.CopyFrom(model)
    present = {value.name for value in extended.graph.output}
    extended.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name not in present)
    return extended


@dataclass(frozen=True, slots=True)
class Probes:
    """Makes inputs for one graph: random tokens, and attention masks with and without padding.

    Attributes
    ----------
    ids, mask
        Names of the token and the mask input; `mask` is None when the graph has none.
    others
        Further inputs (token types, positions), fed zeros or positions.
    """

    ids: str
    mask: str | None
    others: tuple[str, ...]
    n_vocabulary: int
    max_length: int
    dtypes: Mapping[str, type[np.generic]]

    def full(self, n_batch: int, length: int, seed: int) -> Feeds:
        """Random tokens without padding, shape (n_batch, length)."""
        rng = np.random.default_rng(seed)
        tokens = rng.integers(min(5, self.n_vocabulary - 1), self.n_vocabulary, (n_batch, length))
        feeds = {self.ids: tokens.astype(self.dtypes[self.ids])}
        if self.mask is not None:
            feeds[self.mask] = np.ones((n_batch, length), self.dtypes[self.mask])
        for name in self.others:
            value = np.broadcast_to(np.arange(length), (n_batch, length)) if "position" in name else 0 * tokens
            feeds[name] = value.astype(self.dtypes[name])
        return feeds

    def padded(self, n_batch: int, length: int, seed: int) -> Feeds:
        """The same with the last row padded on the right by a third, and a row before it on the left."""
        feeds = self.full(n_batch, length, seed)
        if self.mask is not None:
            cut = max(1, length // 3)
            feeds[self.mask][-1, length - cut :] = length == 1
            if n_batch > 2:
                feeds[self.mask][-2, :cut] = length == 1
        return feeds


def make_probes(graph: OnnxGraph) -> Probes:
    """Read off a graph's inputs how to feed it.

    Raises
    ------
    ModelFormatError
        If the graph is not an encoder over token ids.
    """
    inputs = graph.inputs
    ids = next((name for name in inputs if name in ("input_ids", "input")), None)
    if ids is None:
        raise ModelFormatError(f"the graph's inputs are {sorted(inputs)}; expected input_ids among them")
    mask = next((name for name in inputs if "mask" in name), None)
    others = tuple(name for name in inputs if name not in (ids, mask))
    dtypes = {name: helper.tensor_dtype_to_np_dtype(v.type.tensor_type.elem_type).type for name, v in inputs.items()}
    rows, positions = _embedding_rows(graph, ids)
    return Probes(ids, mask, others, rows, positions, dtypes)


def _embedding_rows(graph: OnnxGraph, ids: str) -> tuple[int, int]:
    """Give the size of the vocabulary and, for learned absolute positions, the longest input (else a large number)."""
    tables = [(node, graph.weight(node.input[0])) for node in graph.graph.node if node.op_type == "Gather"]
    sizes = [t.dims[0] for node, t in tables if t is not None and len(t.dims) == 2 and node.input[1] == ids]
    others = [t.dims[0] for node, t in tables if t is not None and len(t.dims) == 2 and node.input[1] != ids]
    positions = [size for size in others if size >= 64]
    return (min(sizes) if sizes else 64), (min(positions) - 2 if positions else 1 << 20)
