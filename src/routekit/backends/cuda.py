"""NVIDIA GPUs, through ONNX Runtime's CUDA provider."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from routekit.execution_provider import Provider, diagnose_provider, import_runtime
from routekit.installs import Finding
from routekit.ort_session import OrtEncoder, load_encoder
from routekit.tensors import ModelFiles

CUDA = Provider(
    "CUDAExecutionProvider",
    distribution="onnxruntime-gpu",
    extra="cuda",
    # Grow by what is asked for: the other tenant of the GPU is an LLM that wants every free byte.
    defaults={"device_id": "0", "arena_extend_strategy": "kSameAsRequested"},
    library="libonnxruntime_providers_cuda.so",
    warms_up=True,
    remedy="install CUDA and cuDNN, or: pip install 'onnxruntime-gpu[cuda,cudnn]'",
)


class CudaBackend:
    """Runs encoders on one NVIDIA GPU; ``provider_options={"device_id": 1}`` chooses which."""

    name = "cuda"
    provider = CUDA

    def load(self, model: ModelFiles) -> OrtEncoder:
        _preload(import_runtime(CUDA))
        return load_encoder(model, CUDA)

    def diagnose(self) -> list[Finding]:
        """Say what is installed, what is missing, and the remedy."""
        return diagnose_provider(CUDA)


def _preload(runtime: Any) -> None:
    """Load CUDA and cuDNN from pip's packages where they are: the loader does not look there."""
    if hasattr(runtime, "preload_dlls") and find_spec("nvidia") is not None:
        runtime.preload_dlls()
