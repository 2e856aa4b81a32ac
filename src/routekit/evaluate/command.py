"""``python -m routekit evaluate``: run a policy over a log, and say what another would change."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import orjson

from routekit.errors import RoutekitError, UsageError, quoted
from routekit.evaluate.columns import Columns
from routekit.evaluate.difference import compare
from routekit.evaluate.running import evaluate
from routekit.evaluate.sweeping import choose_threshold
from routekit.evaluate.thresholds import with_threshold
from routekit.file_error import file_error
from routekit.policy import Policy

_WHAT = "Run a policy over a log of JSON lines, gzipped or not. Exit status: 0, or 2 if something is wrong with either."
_EPILOG = """\
A line holds a request body, or {"text": ...} or {"request": ...} with labels, such as
{"text": "Hello", "labels": {"jailbreak": false, "domain": "other"}}.
examples:
  routekit evaluate policy.toml log.jsonl.gz
  routekit evaluate policy.toml log.jsonl --labels jailbreak=is_attack --threshold jailbreak=0.8
  routekit evaluate policy.toml log.jsonl --compare new-policy.toml --json
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    options = _parser().parse_args(argv)
    try:
        report = _report(options)
    except RoutekitError as error:
        print(f"routekit evaluate: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"routekit evaluate: {file_error(error)}", file=sys.stderr)
        return 2
    sys.stdout.buffer.write(report.encode("utf-8"))
    return 0


def _report(options: argparse.Namespace) -> str:
    policy = Policy.load(options.policy)
    others = _others(options, policy)
    labels = dict(_pair(text, "--labels", "SIGNAL=COLUMN") for text in options.labels)
    columns = Columns(text=options.text, id=options.id, labels=labels or "labels")
    evaluation = evaluate(
        policy,
        options.log,
        signals=[*others.values(), *labels],
        columns=columns,
        on_bad_row="skip" if options.skip_bad_rows else "raise",
        checkpoint=options.checkpoint,
        n_workers=options.workers,
        limit=options.limit,
    )
    if options.save is not None:
        evaluation.save(options.save)
    differences = {name: compare(evaluation, other) for name, other in others.items()}
    chosen = {signal: choose_threshold(evaluation, signal, max_fpr=options.max_fpr) for signal in options.choose}
    if options.json:
        data = evaluation.to_dict()
        data["differences"] = {name: difference.to_dict() for name, difference in differences.items()}
        data["thresholds"] = {signal: point.to_dict() for signal, point in chosen.items()}
        return orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    parts = [evaluation.to_markdown()]
    parts += [f"## With {name}\n\n{difference.to_markdown()}" for name, difference in differences.items()]
    parts += [
        f"Threshold of {signal} for a false positive rate of {options.max_fpr:g}: {point.threshold:.4f}, "
        f"recall {point.recall}, false positives {point.fpr}\n"
        for signal, point in chosen.items()
    ]
    return "\n".join(parts)


def _others(options: argparse.Namespace, policy: Policy) -> dict[str, Policy]:
    """Name the policies to compare with."""
    others = {quoted(path, 200): Policy.load(path) for path in options.compare}
    for text in options.threshold:
        signal, value = _pair(text, "--threshold", "SIGNAL=NUMBER")
        try:
            threshold = float(value)
        except ValueError:
            raise UsageError(f"--threshold {quoted(text)} has no number; write it as SIGNAL=NUMBER") from None
        others[f"{quoted(signal)} at {threshold:g}"] = with_threshold(policy, signal, threshold)
    return others


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not (name and separator and value):
        raise UsageError(f"{option} {quoted(text)} is not of the form {form}")
    return name, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="routekit evaluate",
        description=_WHAT,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("policy", metavar="POLICY", help="policy, .toml or .json")
    parser.add_argument("log", metavar="LOG", help="log of JSON lines, gzipped or not")
    parser.add_argument("--text", default="text", metavar="COLUMN", help="key of prompts (default: text)")
    parser.add_argument("--id", default="id", metavar="COLUMN", help="key of ids (default: id)")
    parser.add_argument(
        "--labels", action="append", default=[], metavar="SIGNAL=COLUMN", help="key of a signal's labels; repeatable"
    )
    parser.add_argument("--compare", action="append", default=[], metavar="POLICY2", help="say what this one changes")
    parser.add_argument(
        "--threshold", action="append", default=[], metavar="SIGNAL=NUMBER", help="say what this threshold changes"
    )
    parser.add_argument(
        "--choose", action="append", default=[], metavar="SIGNAL", help="choose a threshold for --max-fpr"
    )
    parser.add_argument("--max-fpr", type=float, default=0.01, help="largest false positive rate (default: 0.01)")
    parser.add_argument("--skip-bad-rows", action="store_true", help="count rows that are none, and go on")
    parser.add_argument("--checkpoint", metavar="FILE", help="add finished rows here, and go on from them")
    parser.add_argument("--save", metavar="FILE", help="save the evaluation, to load it in Python")
    parser.add_argument("--workers", type=int, default=1, help="threads (default: 1)")
    parser.add_argument("--limit", type=int, help="most rows to read")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser
