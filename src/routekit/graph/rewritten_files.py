"""Rewriting the graph of a model directory when it is loaded, in memory of the process or kept beside the original."""

from __future__ import annotations

import os
import shutil
import weakref
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from routekit.errors import ConfigError, ModelFormatError, quoted
from routekit.execution_provider import Provider, import_runtime, refuse_missing_libraries
from routekit.graph.rewriter import Precision, Target, rewrite
from routekit.ort_session import OrtEncoder, check_graph, load_encoder
from routekit.tensors import ModelFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Folder inside a model directory where rewritten graphs are kept, when the caller asks for that.
KEPT = ".routekit"
_PRECISIONS = ("off", "fp32", "bf16", "int16", "int8", "fp16")


def load_rewritten(
    model: ModelFiles,
    provider: Provider,
    target: Target,
    *,
    default: str = "off",
    limits: Callable[[ModelFiles], Mapping[str, str]] | None = None,
) -> OrtEncoder:
    """Load a model on a provider, its attention rewritten if the options ask for it.

    Parameters
    ----------
    model
        Options: ``rewrite``, a precision of `routekit.graph.rewrite` or ``"off"``; ``keep_rewritten``, True to keep the
        result in `KEPT` inside the model directory and to take it from there the next time. Else it lies in a
        temporary folder for as long as the encoder lives.
    default
        What ``rewrite`` is when the options do not say.
    limits
        Gives provider defaults that depend on the graph that is loaded.

    Raises
    ------
    ModelFormatError
        If no candidate graph can be rewritten and loaded; lists each with its failure.
    BackendUnavailable
        If the provider, or the extra ``routekit[rewrite]``, is missing.
    ConfigError
        If an option lies outside what is allowed.
    """
    options = dict(model.options)
    precision, keep = options.pop("rewrite", default), options.pop("keep_rewritten", False)
    if precision not in _PRECISIONS or not isinstance(keep, bool):
        raise ConfigError(
            f"rewrite is {precision!r}, keep_rewritten {keep!r}; allowed: {', '.join(_PRECISIONS)}; a bool"
        )
    plain = replace(model, options=options)
    if precision == "off":
        return _load(plain, provider, limits)
    refuse_missing_libraries(import_runtime(provider), provider)  # before minutes of rewriting
    folder = model.root / KEPT if keep else Path(mkdtemp(prefix="routekit-"))
    try:
        graph = _first_rewritten(plain, folder, target, precision)  # type: ignore[arg-type]
        encoder = _load(ModelFiles(folder, (graph,), options), provider, limits)
    except BaseException:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if not keep:
        weakref.finalize(encoder, _remove, folder, os.getpid())
    return encoder


def _load(
    model: ModelFiles, provider: Provider, limits: Callable[[ModelFiles], Mapping[str, str]] | None
) -> OrtEncoder:
    extra = limits(model) if limits else {}
    return load_encoder(model, replace(provider, defaults={**provider.defaults, **extra}))


def _first_rewritten(model: ModelFiles, folder: Path, target: Target, precision: Precision) -> Path:
    failures = []
    for graph in model.graphs:
        out = folder / f"{graph.stem}-{target}-{precision}-{_fingerprint(graph)}.onnx"
        if out.is_file():
            return out
        try:
            check_graph(graph, model.root)
            folder.mkdir(exist_ok=True)
            return _written(graph, out, target, precision)
        except ModelFormatError as error:
            failures.append(f"{quoted(graph.name)}: {error}")
    raise ModelFormatError(f"no graph can be rewritten: {'; '.join(failures)}; load with rewrite='off'")


def _written(graph: Path, out: Path, target: Target, precision: Precision) -> Path:
    """Write under a name of this process first, so that a reader never meets half a file."""
    part = out.with_name(f"{os.getpid()}-{out.name}")
    rewrite(graph, part, target, precision=precision)
    part.replace(out)
    return out


def _fingerprint(graph: Path) -> str:
    """Tell one state of a file from another: a graph that was exported anew is rewritten anew."""
    from routekit import __version__

    status = graph.stat()
    return sha256(f"{__version__} {status.st_size} {status.st_mtime_ns}".encode()).hexdigest()[:12]


def _remove(folder: Path, owner: int) -> None:
    """Remove a temporary folder; not from a forked child, whose parent still loads sessions from it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
