"""What is tested: a backend, how graphs are rewritten for it, and in what precision they run there."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from routekit.attention import library_path
from routekit.errors import BackendUnavailable

if TYPE_CHECKING:
    from routekit.execution_provider import Provider
    from routekit.graph.rewriter import Precision, Target


@dataclass(frozen=True, slots=True)
class Subject:
    """One row of the table of what can be tested.

    Attributes
    ----------
    name
        As given on the command line.
    backend
        The registered backend that runs it.
    target
        What graphs are rewritten for; None to run them as they are.
    precision
        ``"fp16"`` on GPUs that routekit rewrites for.
    size
        Default size of the encoder, a key of `routekit.selftest.encoder.SHAPES`.
    extra
        The extra of routekit that brings its ONNX Runtime.
    has_arena
        True where ``gpu_mem_limit`` bounds the memory that is taken on the device.
    """

    name: str
    backend: str
    target: Target | None = None
    precision: Precision = "fp32"
    size: str = "small"
    extra: str = "onnx"
    has_arena: bool = False

    @property
    def has_op(self) -> bool:
        """True where routekit's own attention op must run; the CPU does without where it was not built."""
        return self.target == "rocm" or (self.target == "cpu" and library_path() is not None)

    @property
    def dtype(self) -> Literal["float16", "float32"]:
        return "float16" if self.precision == "fp16" else "float32"


_SUBJECTS = (
    Subject("cpu", "cpu", "cpu"),
    Subject("stock", "cpu", "stock"),
    Subject("rocm", "rocm", "rocm", "fp16", "base", "rocm", has_arena=True),
    Subject("cuda", "cuda", "cuda", "fp16", "base", "cuda", has_arena=True),
    Subject("migraphx", "migraphx", None, "fp32", "base", "migraphx"),
)


def subject_named(name: str) -> Subject:
    """Look a subject up; any other name is a plugin's backend, which gets graphs as they are.

    Examples
    --------
    >>> subject_named("rocm").dtype, subject_named("stock").backend, subject_named("acme").has_op
    ('float16', 'cpu', False)
    """
    return next((subject for subject in _SUBJECTS if subject.name == name), Subject(name, name))


def require_packages(subject: Subject) -> None:
    """Raise BackendUnavailable, with what to install, where onnx or ONNX Runtime is missing.

    The extra ``[rewrite]`` brings the CPU's ONNX Runtime, so beside another one only onnx itself must be installed.
    """
    missing = [name for name in ("onnx", "onnxruntime") if find_spec(name) is None]
    if not missing:
        return
    if subject.extra == "onnx":
        remedy = "pip install 'routekit[rewrite]'"
    else:
        remedy = f"pip install 'routekit[{subject.extra}]' onnx" if "onnxruntime" in missing else "pip install onnx"
    raise BackendUnavailable(f"{' and '.join(missing)} not installed; run: {remedy}")


def provider_of(backend: object) -> Provider | None:
    """Give the execution provider behind a backend; None for plugins that run graphs in another way."""
    provider: Provider | None = getattr(backend, "provider", None)
    return provider
