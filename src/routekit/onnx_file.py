"""What an ONNX file says about itself, read without loading it: operators, table sizes, files it refers to.

Only the few protobuf fields needed are followed; weights are skipped by their length, so a file of gigabytes costs a
few reads. Field numbers: onnx/onnx.proto (IR version 3 and later), which never renumbers them.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from routekit.errors import ModelFormatError, quoted

_MODEL_GRAPH, _MODEL_FUNCTIONS = 7, 25
_GRAPH_NODE, _GRAPH_INITIALIZER, _GRAPH_SPARSE = 1, 5, 15
_NODE_INPUT, _NODE_OP_TYPE, _NODE_ATTRIBUTE, _NODE_DOMAIN = 1, 4, 5, 7
_ATTRIBUTE_TENSOR, _ATTRIBUTE_GRAPH, _ATTRIBUTE_TENSORS, _ATTRIBUTE_GRAPHS = 5, 6, 10, 11
_TENSOR_DIMS, _TENSOR_NAME, _TENSOR_EXTERNAL = 1, 8, 13
_MAX_DEPTH = 32
_MAX_VARINT_BYTES = 10


@dataclass(frozen=True, slots=True)
class OnnxSummary:
    """What matters before a graph is loaded.

    Attributes
    ----------
    operators
        ``(domain, type)`` of every node, subgraphs included; the domain of standard ONNX is ``""``.
    external
        Locations of weights outside the file, as written there.
    n_embeddings
        Rows of the table that ``input_ids`` index; None if the graph looks them up in another way.
    """

    operators: frozenset[tuple[str, str]]
    external: frozenset[str]
    n_embeddings: int | None

    @property
    def domains(self) -> frozenset[str]:
        return frozenset(domain for domain, _ in self.operators)

    @property
    def batch_shares_scales(self) -> bool:
        """True when activations are quantised by one scale for the whole batch: a text then changes its neighbours."""
        return any(kind in ("DynamicQuantizeLinear", "DynamicQuantizeMatMul") for _, kind in self.operators)


def read_onnx_summary(path: Path) -> OnnxSummary:
    """Read the summary of one ONNX file.

    Raises
    ------
    ModelFormatError
        If the file is empty or no ONNX model.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _Walk(data).summary()
    except (ValueError, IndexError, RecursionError):
        raise ModelFormatError(f"{quoted(path.name)} is no complete ONNX file; copy or export it again") from None
    except OSError as error:
        raise ModelFormatError(f"{quoted(path.name)} cannot be read: {error.strerror}") from None


def n_weight_bytes(path: Path) -> int:
    """Return the size of a graph and of the weights it keeps in other files; of the file alone if it is damaged."""
    try:
        external = read_onnx_summary(path).external
    except ModelFormatError:
        external = frozenset()
    files = (path, *(path.parent / location for location in external))
    return sum(file.stat().st_size for file in files if file.is_file())


class _Walk:
    """One pass over the file; keeps names and sizes, never weights."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self._operators: set[tuple[str, str]] = set()
        self._external: set[str] = set()
        self._tables: dict[str, int] = {}
        self._lookups: list[str] = []

    def summary(self) -> OnnxSummary:
        graphs = 0
        for field, start, stop in self._fields(0, len(self._data)):
            if field == _MODEL_GRAPH:
                graphs += 1
                self._graph(start, stop, 0)
            elif field == _MODEL_FUNCTIONS:
                self._function(start, stop)
        if not graphs or not self._operators:
            raise ValueError
        sizes = [self._tables[name] for name in self._lookups if name in self._tables]
        return OnnxSummary(frozenset(self._operators), frozenset(self._external), min(sizes, default=None))

    def _graph(self, start: int, stop: int, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise ValueError
        for field, begin, end in self._fields(start, stop):
            if field == _GRAPH_NODE:
                self._node(begin, end, depth)
            elif field == _GRAPH_INITIALIZER:
                self._tensor(begin, end)
            elif field == _GRAPH_SPARSE:
                for _, first, last in self._fields(begin, end):
                    self._tensor(first, last)

    def _function(self, start: int, stop: int) -> None:
        function_node = 7
        for field, begin, end in self._fields(start, stop):
            if field == function_node:
                self._node(begin, end, 0)

    def _node(self, start: int, stop: int, depth: int) -> None:
        inputs, kind, domain = [], "", ""
        for field, begin, end in self._fields(start, stop):
            if field == _NODE_INPUT:
                inputs.append(self._text(begin, end))
            elif field == _NODE_OP_TYPE:
                kind = self._text(begin, end)
            elif field == _NODE_DOMAIN:
                domain = self._text(begin, end)
            elif field == _NODE_ATTRIBUTE:
                self._attribute(begin, end, depth)
        self._operators.add(("" if domain == "ai.onnx" else domain, kind))
        if kind == "Gather" and inputs[1:] == ["input_ids"]:
            self._lookups.append(inputs[0])

    def _attribute(self, start: int, stop: int, depth: int) -> None:
        for field, begin, end in self._fields(start, stop):
            if field in (_ATTRIBUTE_GRAPH, _ATTRIBUTE_GRAPHS):
                self._graph(begin, end, depth + 1)
            elif field in (_ATTRIBUTE_TENSOR, _ATTRIBUTE_TENSORS):
                self._tensor(begin, end)

    def _tensor(self, start: int, stop: int) -> None:
        dims, name = [], ""
        for field, begin, end in self._fields(start, stop):
            if field == _TENSOR_DIMS:
                dims += [begin] if end < 0 else list(self._varints(begin, end))
            elif field == _TENSOR_NAME:
                name = self._text(begin, end)
            elif field == _TENSOR_EXTERNAL:
                self._external_entry(begin, end)
        if len(dims) == 2:
            self._tables[name] = dims[0]

    def _external_entry(self, start: int, stop: int) -> None:
        pair = {field: self._text(begin, end) for field, begin, end in self._fields(start, stop)}
        if pair.get(1) == "location":
            self._external.add(pair.get(2, ""))

    def _text(self, start: int, stop: int) -> str:
        if stop < start:
            raise ValueError
        return self._data[start:stop].decode()

    def _varints(self, start: int, stop: int) -> Iterator[int]:
        while start < stop:
            value, start = self._varint(start)
            yield value

    def _varint(self, at: int) -> tuple[int, int]:
        value = 0
        for i in range(_MAX_VARINT_BYTES):
            byte = self._data[at + i]
            value |= (byte & 0x7F) << (7 * i)
            if byte < 0x80:
                return value, at + i + 1
        raise ValueError

    def _fields(self, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
        """Yield (field, start, stop) of each length-delimited field, (field, value, -1) of each varint."""
        at = start
        while at < stop:
            tag, at = self._varint(at)
            field, wire = tag >> 3, tag & 7
            if wire == 0:
                value, at = self._varint(at)
                yield field, value, -1
                continue
            size, at = (8, at) if wire == 1 else (4, at) if wire == 5 else self._length(wire, at)
            if at + size > stop:
                raise ValueError
            if wire == 2:
                yield field, at, at + size
            at += size
        if at != stop:
            raise ValueError

    def _length(self, wire: int, at: int) -> tuple[int, int]:
        if wire != 2:
            raise ValueError
        return self._varint(at)
