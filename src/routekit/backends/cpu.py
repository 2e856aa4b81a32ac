"""The CPU, through ONNX Runtime's own kernels and routekit's attention op."""

from __future__ import annotations

from routekit.execution_provider import Provider, diagnose_attention, diagnose_provider
from routekit.graph.rewritten_files import load_rewritten
from routekit.installs import Finding
from routekit.ort_session import OrtEncoder
from routekit.tensors import ModelFiles

#: Of 512, 1024, 2048 and 4096 tokens in a batch, 512 was the fastest for texts of 32, 128 and 512 tokens (6 layers,
#: 384 wide), by 1.02 to 1.25: larger ones leave the cache.
CPU = Provider("CPUExecutionProvider", distribution="onnxruntime", extra="onnx", batch_tokens=512, n_runs=None)


class CpuBackend:
    """Runs encoders on the CPU; attention as exported, or rewritten when ``rewrite`` names a precision."""

    name = "cpu"
    provider = CPU

    def load(self, model: ModelFiles) -> OrtEncoder:
        return load_rewritten(model, CPU, "cpu")

    def diagnose(self) -> list[Finding]:
        """Say what is installed, what is missing, and the remedy."""
        return [*diagnose_provider(CPU), diagnose_attention()]
