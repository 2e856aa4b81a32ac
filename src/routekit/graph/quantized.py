"""Linear layers in int8: weights per output channel, activations scaled as they come.

Activation scales are one per product, taken from its largest value. In a batch, one hostile text would so coarsen the
numbers of its neighbours; routekit's sessions see that in the graph and run it one text at a time, which costs nothing
on a CPU (`OrtEncoder.max_batch_rows`).
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from routekit.graph.probing import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    import onnx

#: A product with fewer outputs than this share of its inputs is a classifier's head: it costs nothing, and one large
#: weight of a label would round its other weights to zero.
_HEAD_SHARE = 1 / 8


def quantize_linear_layers(model: onnx.ModelProto) -> onnx.ModelProto:
    """Quantise every product with a constant weight; attention and classifier heads are left in floating point."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]

    with tempfile.TemporaryDirectory() as folder, _quiet("root"):
        source, destination = Path(folder) / "float.onnx", Path(folder) / "int8.onnx"
        large = model.ByteSize() >= MAX_MESSAGE_BYTES
        onnx.save(model, source, save_as_external_data=large)
        quantize_dynamic(
            source,
            destination,
            op_types_to_quantize=["MatMul", "Gemm"],
            per_channel=True,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=_heads(model),
            use_external_data_format=large,
            # Shape inference stops at a custom op, so the type of what follows it has to be said: 1 is float32.
            extra_options={"MatMulConstBOnly": True, "DefaultTensorType": onnx.TensorProto.FLOAT},
        )
        return onnx.load(destination)


def _heads(model: onnx.ModelProto) -> list[str]:
    """Name the classifier heads; a Gemm also by the name that the quantiser gives it before it looks."""
    weights = {tensor.name: sorted(tensor.dims) for tensor in model.graph.initializer if len(tensor.dims) == 2}
    products = (node for node in model.graph.node if node.op_type in ("MatMul", "Gemm") and node.input[1] in weights)
    narrow = [node.name for node in products if _is_narrow(*weights[node.input[1]])]
    return [name for node in narrow if node for name in (node, f"{node}_MatMul")]


def _is_narrow(short: int, long: int) -> bool:
    return short < _HEAD_SHARE * long


class _quiet:  # noqa: N801 - used like a function
    """Keep a chatty library below warnings for the length of a block."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)
        self._level = self._logger.level

    def __enter__(self) -> None:
        self._logger.setLevel(logging.ERROR)

    def __exit__(self, *_: object) -> None:
        self._logger.setLevel(self._level)
