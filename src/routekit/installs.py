"""Which ONNX Runtime is installed, and whether two of them overwrite each other.

Every flavour of ONNX Runtime installs the same Python package, ``onnxruntime``. Two in one environment mix their
files: imports may work and providers silently vanish. The metadata of installed distributions tells, without
importing anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from typing import Literal

from routekit.errors import BackendUnavailable

#: Distributions that own the package ``onnxruntime``.
FLAVOURS = (
    "onnxruntime",
    "onnxruntime-gpu",
    "onnxruntime-rocm",
    "onnxruntime-migraphx",
    "onnxruntime-openvino",
    "onnxruntime-directml",
    "onnxruntime-qnn",
    "onnxruntime-training",
    "onnxruntime-training-rocm",
    "ort-nightly",
    "ort-nightly-gpu",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a diagnosis.

    Attributes
    ----------
    level
        ``"ok"``, ``"warning"`` or ``"error"``.
    what
        What was found, with names and versions.
    remedy
        What to do about it; empty when nothing needs doing.
    """

    level: Literal["ok", "warning", "error"]
    what: str
    remedy: str = ""


def installed_flavours() -> dict[str, str]:
    """Give name and version of every installed distribution of ONNX Runtime."""
    found = {}
    for name in FLAVOURS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def diagnose_flavours(wanted: str = "onnxruntime") -> Finding:
    """Say whether exactly one flavour is installed; `wanted` is the one to keep in the remedy."""
    found = installed_flavours()
    listed = ", ".join(f"{name} {version}" for name, version in found.items())
    if not found:
        return Finding("error", "ONNX Runtime is not installed", f"pip install {wanted}")
    if len(found) == 1:
        return Finding("ok", f"one ONNX Runtime: {listed}")
    remedy = f"pip uninstall -y {' '.join(found)} && pip install {wanted}"
    return Finding("error", f"{len(found)} ONNX Runtimes overwrite each other: {listed}", remedy)


def refuse_mixed_installs(wanted: str = "onnxruntime") -> None:
    """Raise BackendUnavailable, with the remedy, when several flavours are installed."""
    finding = diagnose_flavours(wanted)
    if finding.level == "error" and installed_flavours():
        raise BackendUnavailable(f"{finding.what}; run: {finding.remedy}")
