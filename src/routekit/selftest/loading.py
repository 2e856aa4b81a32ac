"""Loading one graph on a backend, as a classifier would."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from routekit.interfaces import EncoderSession
from routekit.plugins import installed_plugins
from routekit.selftest.subject import Subject
from routekit.tensors import ModelFiles

#: What ONNX Runtime understands as no limit: the largest size_t.
_UNLIMITED_BYTES = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Limits:
    """What a session may take.

    Attributes
    ----------
    n_threads
        Threads inside one run on the CPU; None leaves it to the backend.
    gpu_bytes
        Of each session's arena on the device; None for no limit (the backend's own limit is for short texts).
    """

    n_threads: int | None = None
    gpu_bytes: int | None = None


def load(subject: Subject, graph: Path, limits: Limits, *, root: Path | None = None) -> EncoderSession:
    """Load a graph on the subject's backend.

    Parameters
    ----------
    root
        The model directory that its weights may lie in; None, or a graph elsewhere, for the graph's own folder.
    """
    options: dict[str, object] = {}
    if limits.n_threads is not None:
        options["n_threads"] = limits.n_threads
    if subject.has_arena:
        options["provider_options"] = {"gpu_mem_limit": limits.gpu_bytes or _UNLIMITED_BYTES}
    is_inside = root is not None and graph.resolve().is_relative_to(root.resolve())
    folder = root if root is not None and is_inside else graph.parent
    return installed_plugins().backend(subject.backend).load(ModelFiles(folder, (graph,), options))
