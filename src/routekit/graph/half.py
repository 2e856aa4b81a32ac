"""Weights and activations in float16, inputs and outputs as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import onnx

#: Sums grow with the length of the text: they stay in float32, between casts.
_KEPT = ("ReduceSum",)
_ROTATIONS = ("Cos", "Sin")


def to_half(model: onnx.ModelProto) -> onnx.ModelProto:
    """Convert a float32 graph to float16, for GPUs; a graph that already is comes back unchanged.

    Angles of rotary positions stay in float32 from the position on: in float16 whole numbers end at 2048, and the
    angle of token 30,000 would be off by several radians.
    """
    from onnx import TensorProto
    from onnxruntime.transformers.float16 import (  # type: ignore[import-untyped]
        DEFAULT_OP_BLOCK_LIST,
        convert_float_to_float16,
    )

    if not any(tensor.data_type == TensorProto.FLOAT for tensor in model.graph.initializer):
        return model
    angles = _named_angles(model)
    converted: onnx.ModelProto = convert_float_to_float16(
        model, keep_io_types=True, op_block_list=[*DEFAULT_OP_BLOCK_LIST, *_KEPT], node_block_list=angles
    )
    _join(converted, frozenset(angles))
    return converted


def _join(model: onnx.ModelProto, kept: frozenset[str]) -> None:
    """Hand float32 from one kept node to the next: the conversion puts a cast to float16 and one back between them."""
    from onnx import TensorProto

    producers = {output: node for node in model.graph.node for output in node.output}

    def cast(name: str, kind: int) -> str:
        """Give what a cast to a type reads; empty if the tensor comes from anything else."""
        node = producers.get(name)
        is_cast = node is not None and node.op_type == "Cast" and any(a.i == kind for a in node.attribute)
        return node.input[0] if node is not None and is_cast else ""

    for node in model.graph.node:
        for i, name in enumerate(node.input):
            source = cast(cast(name, TensorProto.FLOAT), TensorProto.FLOAT16)
            if source in producers and producers[source].name in kept:
                node.input[i] = source


def _named_angles(model: onnx.ModelProto) -> list[str]:
    """Name the nodes that rotary angles and their cosines come from; those without a name get one."""
    producers = {output: i for i, node in enumerate(model.graph.node) for output in node.output}
    wanted = [i for i, node in enumerate(model.graph.node) if node.op_type in _ROTATIONS]
    seen: set[int] = set()
    while wanted:
        i = wanted.pop()
        if i not in seen:
            seen.add(i)
            wanted += [producers[name] for name in model.graph.node[i].input if name in producers]
    for i in seen:
        model.graph.node[i].name = model.graph.node[i].name or f"angle_{i}"
    return [model.graph.node[i].name for i in sorted(seen)]
