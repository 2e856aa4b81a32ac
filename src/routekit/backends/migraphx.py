"""AMD GPUs on newer stacks, through MIGraphX. Without routekit's CK attention: MIGraphX brings its own fusions.

MIGraphX compiles a program for every input shape it meets, which takes seconds. So that it meets few, batches are
padded to powers of two in both directions, and the padding is cut off the output again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from routekit.execution_provider import Provider, diagnose_provider
from routekit.installs import Finding
from routekit.ort_session import OrtEncoder, load_encoder
from routekit.tensors import ModelFiles, TokenBatch

if TYPE_CHECKING:
    from routekit.tensors import IntArray, Logits

LEAST_TOKENS = 16
MIGRAPHX = Provider(
    "MIGraphXExecutionProvider",
    distribution="onnxruntime-migraphx",
    extra="migraphx",
    defaults={"device_id": "0"},
    library="libonnxruntime_providers_migraphx.so",
    warms_up=True,
    remedy="install the ROCm release that this onnxruntime-migraphx names, with its migraphx package, and run ldconfig",
)


class MigraphxBackend:
    """Runs encoders on one AMD GPU; ``provider_options={"device_id": 1}`` chooses which."""

    name = "migraphx"
    provider = MIGRAPHX

    def load(self, model: ModelFiles) -> PaddedEncoder:
        return PaddedEncoder(load_encoder(model, MIGRAPHX))

    def diagnose(self) -> list[Finding]:
        """Say what is installed, what is missing, and the remedy."""
        return diagnose_provider(MIGRAPHX)


class PaddedEncoder:
    """Runs an encoder on few shapes only; attributes as of `OrtEncoder`."""

    def __init__(self, encoder: OrtEncoder) -> None:
        self._encoder = encoder
        self.graph, self.n_embeddings, self.warms_up = encoder.graph, encoder.n_embeddings, encoder.warms_up
        self.max_batch_rows, self.batch_tokens = encoder.max_batch_rows, encoder.batch_tokens

    def run(self, batch: TokenBatch) -> Logits:
        """Run one batch; rows and tokens of padding are cut off the output."""
        n_rows, n_tokens = batch.input_ids.shape
        shape = (_power_of_two(n_rows), _power_of_two(max(n_tokens, LEAST_TOKENS)))
        # Empty rows look at their first token, so that no softmax runs over nothing.
        mask = _padded(batch.attention_mask, shape)
        mask[n_rows:, 0] = 1
        types = None if batch.token_type_ids is None else _padded(batch.token_type_ids, shape)
        output = self._encoder.run(TokenBatch(_padded(batch.input_ids, shape), mask, types))
        if output.shape[:2] == shape and output.ndim > 2:
            output = output[:, :n_tokens]
        return output[:n_rows]


def _padded(array: IntArray, shape: tuple[int, int]) -> IntArray:
    return np.pad(array, [(0, shape[0] - array.shape[0]), (0, shape[1] - array.shape[1])])


def _power_of_two(n: int) -> int:
    return 1 << (n - 1).bit_length()
