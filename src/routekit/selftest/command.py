"""``python -m routekit selftest --backend NAME``: is this backend right, and how fast, on this machine."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from routekit.errors import BackendNotFound, BackendUnavailable, ConfigError, PluginLoadError, UsageError, quoted
from routekit.plugins import installed_plugins
from routekit.selftest.encoder import SHAPES
from routekit.selftest.loading import Limits
from routekit.selftest.subject import Subject, require_packages, subject_named

PASSED, FAILED, UNAVAILABLE = 0, 1, 2
#: The paper's table.
_LENGTHS, _CONCURRENCY = (512, 1024, 2048, 4096, 8192, 16384, 32768), (1, 10, 20)
_QUICK_LENGTHS, _QUICK_CONCURRENCY = (128, 512), (1, 4)
#: Lengths at which logits are compared; the last one is beyond what the exported graph's memory allows.
_COMPARED, _QUICK_COMPARED = (16, 128, 512, 2048, 8192), (16, 200)
#: Name, attribute, and most that is allowed; at least 1.
_RANGES = (
    ("--lengths", "lengths", 1 << 17),
    ("--concurrency", "concurrency", 1000),
    ("--classifiers", "classifiers", 16),
    ("--threads", "threads", 1024),
    ("--gpu-memory-mb", "gpu_memory_mb", 1 << 24),
    ("--timeout", "timeout", 1 << 20),
)
_DESCRIPTION = """\
Check a backend and measure it: routekit's attention op against a float64 reference, a classifier on the
backend against the same classifier on the CPU, and latency and memory by length and concurrency.
"""
_EPILOG = """\
NAME: cpu, rocm, cuda, migraphx, a plugin's backend, or stock (the CPU without routekit's attention op).
Exit status: 0 all passed, 1 something failed, 2 the backend is not available here (with reason and remedy).
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    options = _parser().parse_args(argv)
    subject = subject_named(options.backend)
    try:
        _check(options)
        require_packages(subject)
        _require_backend(subject)
        return _run(options, subject)
    except (BackendUnavailable, BackendNotFound, PluginLoadError, ConfigError, UsageError) as error:
        print(f"routekit selftest: {type(error).__name__}: {error}", file=sys.stderr)
        return UNAVAILABLE


def _require_backend(subject: Subject) -> None:
    known = installed_plugins().names("backends")
    if subject.backend not in known:
        names = ", ".join(map(quoted, (*known, "stock")))
        raise BackendNotFound(f"unknown backend {quoted(subject.backend)}; known: {names}; a plugin may bring others")
    installed_plugins().backend(subject.backend)


def _run(options: argparse.Namespace, subject: Subject) -> int:
    from routekit.selftest.parts import Plan, run_parts

    quick: bool = options.quick
    report = run_parts(
        Plan(
            subject,
            size=options.size or ("tiny" if quick else subject.size),
            lengths=tuple(sorted(set(options.lengths or (_QUICK_LENGTHS if quick else _LENGTHS)))),
            concurrency=tuple(sorted(set(options.concurrency or (_QUICK_CONCURRENCY if quick else _CONCURRENCY)))),
            n_classifiers=options.classifiers,
            compared=_QUICK_COMPARED if quick else _COMPARED,
            models=tuple(options.model),
            limits=Limits(options.threads, options.gpu_memory_mb and options.gpu_memory_mb * 10**6),
            timeout_seconds=options.timeout,
            quick=quick,
        )
    )
    page = report.to_markdown()
    print(page, end="")
    if options.json is not None:
        options.json.write_bytes(report.to_json())
    if options.markdown is not None:
        options.markdown.write_text(page, encoding="utf-8")
    return FAILED if report.failures else PASSED


def _check(options: argparse.Namespace) -> None:
    """Refuse what is out of range before anything runs."""
    for name, attribute, most in _RANGES:
        given = getattr(options, attribute)
        for value in given if isinstance(given, list) else [given]:
            if value is not None and not 1 <= value <= most:
                raise ConfigError(f"{name} is {value}; allowed: 1 to {most}")
    for path in (options.json, options.markdown):
        if path is not None and not path.absolute().parent.is_dir():
            raise ConfigError(f"the folder of {quoted(path.name)} does not exist; make it first")
    for model in options.model:
        if not Path(model).is_dir():
            raise ConfigError(f"--model {quoted(model, 200)} is no directory")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="routekit selftest",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--backend", required=True, metavar="NAME", help="what to test, see below")
    parser.add_argument(
        "--model", action="append", default=[], metavar="DIR", help="a model to compare; may be repeated"
    )
    parser.add_argument("--quick", action="store_true", help="a small encoder, few cases and short texts")
    parser.add_argument("--lengths", type=int, nargs="+", metavar="N", help="tokens (default: 512 ... 32768)")
    parser.add_argument("--concurrency", type=int, nargs="+", metavar="N", help="requests at once (default: 1 10 20)")
    parser.add_argument("--classifiers", type=int, default=1, metavar="N", help="that read every text (default: 1)")
    parser.add_argument(
        "--size", choices=SHAPES, help="encoder (default: base, the paper's, on GPUs; small on the CPU)"
    )
    parser.add_argument(
        "--threads", type=int, metavar="N", help="threads inside a run on the CPU (default: all, up to 8)"
    )
    parser.add_argument("--gpu-memory-mb", type=int, metavar="N", help="of each classifier's arena (default: no limit)")
    parser.add_argument("--timeout", type=int, default=1800, metavar="SECONDS", help="for each part (default: 1800)")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write everything that was measured")
    parser.add_argument("--markdown", type=Path, metavar="PATH", help="write the page that is printed")
    return parser
