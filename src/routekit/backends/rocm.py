"""AMD GPUs, through ONNX Runtime's ROCm provider (the last release with it is 1.22).

Memory. ROCm's arena grows without limit by default. Here each session may take the size of its graph and
`ACTIVATION_BYTES` on top, which holds batches of 4096 tokens of a base model in float16. Three classifiers stay under
800 MB when their graphs are at most 224 MB together; larger ones need ``provider_options={"gpu_mem_limit": ...}`` and a
smaller ``batch_tokens``. The figures are arithmetic: no AMD GPU was at hand.
"""

from __future__ import annotations

from collections.abc import Mapping

from routekit.execution_provider import Provider, diagnose_provider
from routekit.graph.rewritten_files import load_rewritten
from routekit.installs import Finding
from routekit.onnx_file import n_weight_bytes
from routekit.ort_session import OrtEncoder
from routekit.tensors import ModelFiles

ACTIVATION_BYTES = 192 << 20
ROCM = Provider(
    "ROCMExecutionProvider",
    distribution="onnxruntime-rocm",
    extra="rocm",
    # Grow by what is asked for: the other tenant of the GPU is an LLM that wants every free byte.
    defaults={"device_id": "0", "arena_extend_strategy": "kSameAsRequested"},
    library="libonnxruntime_providers_rocm.so",
    warms_up=True,
    remedy="install ROCm 7 (its hip, hipblas, hipfft, miopen, rocm-smi and roctracer packages) and run ldconfig",
)


class RocmBackend:
    """Runs encoders on one AMD GPU: rewritten for the CK kernel in float16, unless ``rewrite`` says ``"off"``.

    Provider options: ``device_id``; ``gpu_mem_limit`` in bytes (default: see the module); ``arena_extend_strategy``;
    and all others of ONNX Runtime's ROCm provider.
    """

    name = "rocm"
    provider = ROCM

    def load(self, model: ModelFiles) -> OrtEncoder:
        return load_rewritten(model, ROCM, "rocm", default="fp16", limits=memory_limit)

    def diagnose(self) -> list[Finding]:
        """Say what is installed, what is missing, and the remedy."""
        return diagnose_provider(ROCM)


def memory_limit(model: ModelFiles) -> Mapping[str, str]:
    """Return the arena's limit: the largest candidate graph with its weights, and activations."""
    weights = max((n_weight_bytes(graph) for graph in model.graphs), default=0)
    return {"gpu_mem_limit": str(weights + ACTIVATION_BYTES)}
