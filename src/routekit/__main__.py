"""The command line: ``python -m routekit --help``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from routekit import __version__
from routekit.errors import BodyError, RoutekitError, UsageError, quoted
from routekit.file_error import file_error
from routekit.request import Dialect

if TYPE_CHECKING:
    from routekit.policy import Policy

#: Exit status of a request that the policy blocks, and of anything that went wrong.
BLOCKED, FAILED = 1, 2

#: P(label) from which --json shows a label.
LEAST_SHOWN = 0.001

#: Command -> where it is, what it does, and the extra it may need.
_ELSEWHERE = {
    "check": ("routekit.check_command", "list what is wrong or suspicious about a policy file", ""),
    "evaluate": ("routekit.evaluate.command", "run a policy over a log, and compare it with others", ""),
    "rewrite": ("routekit.graph.command", "rewrite the attention of an ONNX graph", "rewrite"),
    "selftest": ("routekit.selftest", "check a backend against a reference, and measure it", "rewrite"),
    "sim": ("routekit.sim.command", "simulate a fleet of pools", ""),
    "import-vllm-sr": ("routekit.vllm_sr.command", "translate a vLLM Semantic Router configuration", "vllm-sr"),
    "extproc": ("routekit.integrations.extproc", "serve Envoy as an external processor", "extproc"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        if arguments and arguments[0] in _ELSEWHERE:
            return _dispatch(arguments[0], arguments[1:])
        options = _parser().parse_args(arguments)
        return cast("Callable[[argparse.Namespace], int]", options.run)(options)
    except RoutekitError as error:
        print(f"routekit: {type(error).__name__}: {error}", file=sys.stderr)
        if isinstance(error, BodyError):
            print(f"routekit: a gateway would answer with status {error.status_hint}", file=sys.stderr)
        return FAILED
    except OSError as error:
        print(f"routekit: {file_error(error)}", file=sys.stderr)
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="routekit",
        description="Decide what happens to an LLM request: blocked, or sent to which model and which pool.",
    )
    parser.add_argument("--version", action="version", version=f"routekit {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    route = commands.add_parser(
        "route",
        help="decide one request and explain the decision",
        description="Decide one request body and explain the decision. Exit status: 0 routed or kept, 1 blocked, "
        "2 the body or the policy is not valid.",
    )
    route.add_argument("file", help="file with the JSON body of a request, - for standard input")
    route.add_argument(
        "--policy",
        metavar="FILE",
        help="policy, .toml or .json; default: block what the embedded jailbreak classifier fires on, keep the rest",
    )
    route.add_argument("--dialect", default="auto", choices=["auto", *get_args(Dialect)], help="default: auto")
    route.add_argument(
        "--header", action="append", default=[], metavar="NAME=VALUE", help="a header for the policy; may be repeated"
    )
    form = route.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the decision as JSON; of P(label) those from 0.001 on")
    form.add_argument("--rewrite", action="store_true", help="print the body to forward, and the explanation to stderr")
    route.set_defaults(run=_route)
    doctor = commands.add_parser("doctor", help="say what is installed, what works, and what to do about the rest")
    doctor.add_argument("--quiet", action="store_true", help="print nothing; exit with 1 if something is broken")
    doctor.set_defaults(run=_doctor)
    for name, (_, what, _) in _ELSEWHERE.items():  # listed here, parsed there
        commands.add_parser(name, help=what).set_defaults(run=lambda _, name=name: _dispatch(name, []))
    return parser


def _route(options: argparse.Namespace) -> int:
    from routekit.router import PolicyRouter

    policy = _default_policy() if options.policy is None else _loaded_policy(options.policy)
    router = PolicyRouter(policy, dialect=options.dialect)
    body = _standard_input() if options.file == "-" else Path(options.file).read_bytes()
    stream = router.open(metadata=_headers(options.header))
    stream.feed(body)
    decision = stream.finish()
    if options.json:
        import orjson

        sys.stdout.buffer.write(
            orjson.dumps(_brief(decision.to_dict()), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )
    elif options.rewrite and decision.action != "block":
        print(decision.explain(), file=sys.stderr)
        sys.stdout.buffer.writelines(stream.rewrite(decision))
    else:
        print(decision.explain())
    return BLOCKED if decision.action == "block" else 0


def _brief(decision: dict[str, object]) -> dict[str, object]:
    """Leave out the labels that are as good as excluded: the PII recognisers alone have 82."""
    signals = cast("dict[str, dict[str, object]]", decision["signals"])
    for prediction in signals.values():
        per_label = cast("dict[str, float]", prediction["probabilities"])
        prediction["probabilities"] = {label: p for label, p in per_label.items() if p >= LEAST_SHOWN}
    return decision


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise UsageError("standard input is closed; give the body there, or the name of a file")
    return sys.stdin.buffer.read()


def _headers(texts: Sequence[str]) -> dict[str, list[str]]:
    headers: dict[str, list[str]] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator:
            raise UsageError(f"--header {quoted(text)} has no =; write it as NAME=VALUE")
        headers.setdefault(name, []).append(value)
    return headers


def _default_policy() -> Policy:
    from routekit.decision import Block, Keep
    from routekit.expressions import signal
    from routekit.policy import Policy
    from routekit.rule import Rule

    return Policy([Rule("block-jailbreak", when=signal("jailbreak").fires(), then=Block(403))], default=Keep())


def _loaded_policy(path: str) -> Policy:
    from routekit.policy import Policy

    policy = Policy.load(path)
    for finding in policy.check():
        if finding.severity == "warning":  # for errors the router refuses the policy, and lists them
            print(f"routekit: warning: {finding.message}", file=sys.stderr)
    return policy


def _doctor(options: argparse.Namespace) -> int:
    from routekit.doctor import diagnosis, report

    parts = list(diagnosis())
    if not options.quiet:
        print(report(iter(parts)))
    return int(any(finding.level == "error" for _, findings in parts for finding in findings))


def _dispatch(command: str, arguments: Sequence[str]) -> int:
    module, _, extra = _ELSEWHERE[command]
    try:
        run = cast("Callable[[Sequence[str]], int]", import_module(module).main)
    except ImportError as error:
        remedy = f"; run: pip install 'routekit[{extra}]'" if extra else ""
        print(
            f"routekit: {command} needs {quoted(error.name or module)}, which is not installed{remedy}", file=sys.stderr
        )
        return FAILED
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
