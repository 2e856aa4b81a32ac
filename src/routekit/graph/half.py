"""Weights and activations in float16, inputs and outputs as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import onnx

#: Angles of rotary positions grow with the text and sums with its length: both stay in float32, between casts.
_KEPT = ("Cos", "ReduceSum", "Sin")


def to_half(model: onnx.ModelProto) -> onnx.ModelProto:
    """Convert a float32 graph to float16, for GPUs; a graph that already is comes back unchanged."""
    from onnx import TensorProto
    from onnxruntime.transformers.float16 import (  # type: ignore[import-untyped]
        DEFAULT_OP_BLOCK_LIST,
        convert_float_to_float16,
    )

    if not any(tensor.data_type == TensorProto.FLOAT for tensor in model.graph.initializer):
        return model
    blocked = [*DEFAULT_OP_BLOCK_LIST, *_KEPT]
    converted: onnx.ModelProto = convert_float_to_float16(model, keep_io_types=True, op_block_list=blocked)
    return converted
