"""``python -m routekit check POLICY``: everything that is wrong or suspicious about a policy file, with its place."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from routekit.errors import PolicyError, quoted
from routekit.policy import Policy
from routekit.policy_check import Finding
from routekit.policy_file import policy_problems, read_policy_file

#: Exit status where something was found, and where the file cannot be read.
FOUND, UNREADABLE = 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    options = _parser().parse_args(argv)
    try:
        data = read_policy_file(Path(options.policy))
    except PolicyError as error:
        print(f"routekit check: policy file {quoted(options.policy, 200)}: {error}", file=sys.stderr)
        return UNREADABLE
    found = list(findings(data))
    for line in dict.fromkeys(f"{finding.severity}: {finding.message}" for finding in found):
        print(line)
    counted = [finding for finding in found if finding.severity == "error" or not options.allow_warnings]
    if not found:
        print(f"{quoted(options.policy, 200)}: nothing found")
    return FOUND if counted else 0


def findings(data: Mapping[str, object]) -> Iterator[Finding]:
    """Find what is wrong or suspicious about a policy as plain data; messages begin with the place.

    Examples
    --------
    >>> card = {"name": "card", "when": {"signal": "pii", "any_of": ["CARD"]}, "then": "large"}
    >>> [finding.message[:44] for finding in findings({"default": "keep", "rules": [card]})]
    ["rules[0]: rule 'card' names the label 'CARD'"]
    """
    problems = policy_problems(data)
    yield from (Finding("error", None, problem) for problem in problems)
    if problems:
        return
    try:
        policy = Policy.from_dict(data)
    except PolicyError as error:
        yield Finding("error", None, str(error))
        return
    places = {rule.name: f"rules[{i}]: " for i, rule in enumerate(policy.rules)}
    for finding in policy.check():
        place = places.get(finding.rule or "", "")
        yield Finding(finding.severity, finding.rule, place + finding.message)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="routekit check",
        description="Print everything that is wrong or suspicious about a policy file, each with its place. Signals "
        "are looked for among what is installed.",
        epilog="Exit status: 0 nothing found, 1 errors or warnings, 2 the file cannot be read.",
    )
    parser.add_argument("policy", metavar="POLICY", help="policy, .toml or .json")
    parser.add_argument("--allow-warnings", action="store_true", help="exit with 0 if there are warnings only")
    return parser
