"""What is installed and works here, and what to do about what does not: ``python -m routekit doctor``."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import routekit
from routekit import embedded
from routekit.attention import library_path
from routekit.errors import RoutekitError
from routekit.installs import Finding, diagnose_flavours, installed_flavours
from routekit.plugins import Plugins, installed_plugins

_CORE = ("numpy", "orjson", "pluggy", "regex", "typing-extensions")
#: Extra -> packages that it brings, and what for.
_EXTRAS = {
    "embedded": (("onnxruntime", "tokenizers"), "the embedded encoder"),
    "onnx": (("onnxruntime", "tokenizers"), "encoders on ONNX Runtime"),
    "rewrite": (("onnx",), "python -m routekit rewrite"),
    "extproc": (("grpc", "envoy"), "python -m routekit extproc"),
    "otel": (("opentelemetry",), "traces and metrics"),
}
#: Compiled parts, and what takes their place where they were not built.
_NATIVE = {
    "_json": "body reader",
    "_pools": "pool routing",
    "_sim": "simulator",
    "_text": "sentence splitter and term counter",
}
_MARKS = {"ok": "ok  ", "warning": "note", "error": "FAIL"}


def diagnosis(plugins: Plugins | None = None) -> Iterator[tuple[str, list[Finding]]]:
    """Examine this environment, part by part; yield the part's title and what was found."""
    found = installed_plugins() if plugins is None else plugins
    yield "routekit", [Finding("ok", f"routekit {routekit.__version__}, Python {platform.python_version()}"), *_core()]
    yield "compiled parts", [*(_native(module, what) for module, what in _NATIVE.items()), _operators()]
    yield "classifiers", [_loaded(found, name) for name in found.names("classifiers")]
    yield "embedded models", [_encoder()]
    yield "ONNX Runtime", [*([diagnose_flavours()] if installed_flavours() else []), *map(_extra, _EXTRAS)]
    for name in found.names("backends"):
        yield f"backend {name}", _backend(found, name)
    yield "plugins", [*(Finding("ok", name) for name in found.installed()), *_problems(found)]


def report(parts: Iterator[tuple[str, list[Finding]]]) -> str:
    """Write a diagnosis as text."""
    lines: list[str] = []
    for title, findings in parts:
        lines.append(title)
        for finding in findings:
            lines.append(f"  {_MARKS[finding.level]}  {finding.what}")
            if finding.remedy:
                lines.append(f"        -> {finding.remedy}")
    return "\n".join(lines)


def _core() -> list[Finding]:
    return [_installed(name) for name in _CORE]


def _installed(name: str) -> Finding:
    try:
        return Finding("ok", f"{name} {version(name)}")
    except PackageNotFoundError:
        return Finding("error", f"{name} is missing", f"pip install {name}")


def _native(module: str, what: str) -> Finding:
    if find_spec(f"routekit.{module}") is not None:
        return Finding("ok", f"{what}: compiled")
    return Finding("warning", f"{what}: in Python, same results but slower", "install a C++ compiler and reinstall")


def _operators() -> Finding:
    """Say whether encoders run on native operators; unlike the other parts, stock ones are no exact twins of these."""
    if library_path() is not None:
        return Finding("ok", "operators for ONNX Runtime: compiled")
    what = "operators for ONNX Runtime: stock ones, slower, and the logits of the embedded encoder differ by rounding"
    return Finding("warning", what, "install a C++ compiler and reinstall")


def _extra(name: str) -> Finding:
    modules, purpose = _EXTRAS[name]
    missing = [module for module in modules if find_spec(module) is None]
    if not missing:
        return Finding("ok", f"extra [{name}]: installed")
    return Finding("warning", f"extra [{name}] for {purpose}: not installed", f"pip install 'routekit[{name}]'")


def _loaded(plugins: Plugins, name: str) -> Finding:
    try:
        classifier = plugins.classifier(name)
    except RoutekitError as error:
        return Finding("error", f"{name}: {error}")
    return Finding("ok", f"{name}: {type(classifier).__name__}, {len(classifier.labels)} labels")


def _encoder() -> Finding:
    """Say which tiers of the embedded models run here; the encoder is loaded to find out."""
    if lack := embedded.missing():
        return Finding("warning", f"the linear tier reads alone: {lack.what}", lack.remedy)
    try:
        embedded.load("jailbreak", "cascade").warm_up()
    except RoutekitError as error:
        return Finding("error", str(error))
    return Finding("ok", "two tiers: linear models and patterns, then the encoder where they are unsure")


def _backend(plugins: Plugins, name: str) -> list[Finding]:
    try:
        diagnose = getattr(plugins.backend(name), "diagnose", None)
        findings: Sequence[Finding] = diagnose() if callable(diagnose) else [Finding("ok", "installed")]
    except RoutekitError as error:
        findings = [Finding("error", str(error))]
    required = name == "cpu" and installed_flavours()
    return [finding if required else _optional(finding) for finding in findings]


def _optional(finding: Finding) -> Finding:
    """What was not asked for is not broken: only the CPU must work, and that only where there is an ONNX Runtime."""
    return Finding("warning", finding.what, finding.remedy) if finding.level == "error" else finding


def _problems(plugins: Plugins) -> list[Finding]:
    return [Finding("error", str(problem), "fix or uninstall the plugin") for problem in plugins.problems()]
