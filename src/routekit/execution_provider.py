"""ONNX Runtime's execution providers: what to install for each, whether it is there, and why it is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from routekit.attention import library_path
from routekit.errors import BackendUnavailable
from routekit.installs import Finding, diagnose_flavours, installed_flavours, refuse_mixed_installs
from routekit.shared_libraries import missing_libraries


@dataclass(frozen=True, slots=True)
class Provider:
    """An execution provider and the distribution that brings it.

    Attributes
    ----------
    name
        As ONNX Runtime calls it, e.g. ``"CPUExecutionProvider"``.
    distribution
        What to install, e.g. ``"onnxruntime"``.
    extra
        The extra of routekit that installs it.
    defaults
        Provider options; the caller's own go over them.
    library
        The shared library that holds the provider, beside ONNX Runtime's own; None if it is built in.
    warms_up
        True when the first run of a shape is much slower than later ones, so that one is made at load time.
    batch_tokens
        Tokens in one batch, padding included, that this kind of device runs best.
    n_runs
        Runs of one session at the same time, which bounds its memory; None for as many as there are cores for.
    remedy
        How its own shared libraries come onto a machine.
    """

    name: str
    distribution: str
    extra: str
    defaults: Mapping[str, str] = field(default_factory=dict)
    library: str | None = None
    warms_up: bool = False
    batch_tokens: int = 4096
    n_runs: int | None = 1
    remedy: str = ""


def import_runtime(provider: Provider) -> Any:
    """Import ONNX Runtime and insist that it has the provider.

    Raises
    ------
    BackendUnavailable
        If it is missing, mixed up with another flavour, or built without the provider; with the remedy.
    """
    install = f"pip install 'routekit[{provider.extra}]'"
    refuse_mixed_installs(provider.distribution)
    try:
        import onnxruntime  # type: ignore[import-untyped]
    except ImportError:
        raise BackendUnavailable(f"onnxruntime cannot be imported; run: {install}") from None
    available = onnxruntime.get_available_providers()
    if provider.name not in available:
        raise BackendUnavailable(
            f"this onnxruntime has {', '.join(available)}, not {provider.name}; uninstall it, then run: {install}"
        )
    return onnxruntime


def missing_provider_libraries(runtime: Any, provider: Provider) -> tuple[str, ...]:
    """Return the names of the shared libraries that keep a provider from loading."""
    if provider.library is None:
        return ()
    path = Path(runtime.__file__).parent / "capi" / provider.library
    return missing_libraries(path) if path.is_file() else (provider.library,)


def refuse_missing_libraries(runtime: Any, provider: Provider) -> None:
    """Raise BackendUnavailable, naming them, when shared libraries of a provider are missing."""
    missing = missing_provider_libraries(runtime, provider)
    if missing:
        raise BackendUnavailable(f"{provider.name} lacks {', '.join(missing)}; {provider.remedy}")


def insist_on(runtime: Any, active: Sequence[str], provider: Provider) -> None:
    """Raise BackendUnavailable, with the reason, unless the provider is active.

    ONNX Runtime falls back to the CPU without an error when a provider's libraries are missing.
    """
    if provider.name not in active:
        refuse_missing_libraries(runtime, provider)
        raise BackendUnavailable(
            f"{provider.name} was asked for, {', '.join(active)} is active: its libraries are there, but no device "
            "answers; check the driver and the permission to open the device"
        )


def diagnose_provider(provider: Provider) -> list[Finding]:
    """Explain, in order, what a backend needs: one ONNX Runtime, the provider in it, its libraries, our op."""
    if not installed_flavours():
        return [Finding("error", "ONNX Runtime is not installed", f"pip install 'routekit[{provider.extra}]'")]
    findings = [diagnose_flavours(provider.distribution)]
    try:
        runtime = import_runtime(provider)
    except BackendUnavailable as error:
        what, _, remedy = str(error).partition("; ")
        return [*findings, Finding("error", what, remedy)]
    findings.append(Finding("ok", f"onnxruntime {runtime.__version__} has {provider.name}"))
    findings += [
        Finding("error", f"{name} is missing, which {provider.name} needs", provider.remedy)
        for name in missing_provider_libraries(runtime, provider)
    ]
    return findings


def diagnose_attention() -> Finding:
    """Say whether the attention op was built."""
    if library_path() is not None:
        return Finding("ok", "the attention op for the CPU is built")
    remedy = "install a C++ compiler and CMake, then reinstall routekit"
    return Finding("warning", "the attention op for the CPU is not built; long texts cost more", remedy)
