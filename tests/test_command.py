"""The command line: what it prints and how it exits."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from routekit import doctor
from routekit.__main__ import main
from routekit.plugins import Plugins
from routekit.testing import chat

POLICY = """
default = "general"
[[rules]]
name = "card"
when = { signal = "pii", any_of = ["CREDIT_CARD"] }
then = { block = 451 }
[[rules]]
name = "vip"
when = { signal = "header", name = "x-tier", equals = "gold" }
then = { route = "vip" }
[[rules]]
name = "mail"
when = { signal = "pii", any_of = ["EMAIL_ADDRESS"] }
then = { route = "onprem", redact = ["EMAIL_ADDRESS"] }
"""


@pytest.fixture
def policy(tmp_path: Path) -> str:
    (tmp_path / "policy.toml").write_text(POLICY)
    return str(tmp_path / "policy.toml")


def body(tmp_path: Path, content: bytes) -> str:
    (tmp_path / "request.json").write_bytes(content)
    return str(tmp_path / "request.json")


def test_json_leaves_out_labels_that_are_as_good_as_excluded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = {"name": "pii", "when": {"signal": "pii", "any": True}, "then": "keep"}
    (tmp_path / "policy.json").write_text(json.dumps({"default": "keep", "rules": [rule]}))
    policy = str(tmp_path / "policy.json")
    assert main(["route", body(tmp_path, chat("I am bo@example.org")), "--policy", policy, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["signals"]["pii"]["probabilities"]
    assert "EMAIL_ADDRESS" in found
    assert len(found) < 5


def test_route_explains_and_exits_by_the_decision(
    tmp_path: Path, policy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["route", body(tmp_path, chat("hello")), "--policy", policy]) == 0
    assert capsys.readouterr().out.startswith("route to 'general' (rule 'default')\nrules\n")
    assert main(["route", body(tmp_path, chat("card 4111 1111 1111 1111")), "--policy", policy]) == 1
    assert capsys.readouterr().out.startswith("block with status 451 (rule 'card')\n")
    assert main(["route", body(tmp_path, chat("hello")), "--policy", policy, "--header", "X-Tier=gold", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["model"] == "vip"


def test_route_rewrites_and_redacts(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content = chat("mail bo@example.org now")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, write_through=True))
    assert main(["route", "-", "--policy", policy, "--rewrite"]) == 0
    assert written.getvalue() == chat("mail [EMAIL_ADDRESS] now", model="onprem")


def test_body_that_is_refused_is_one_line_and_no_traceback(
    tmp_path: Path, policy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for content in (b"", b"{", b"[]", b'{"messages": 1}', b"\xff"):
        assert main(["route", body(tmp_path, content), "--policy", policy]) == 2
        seen = capsys.readouterr()
        assert seen.out == ""
        assert seen.err.startswith("routekit: MalformedBody: ")
        assert "Traceback" not in seen.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["route", "no-such-file.json"],
            "'no-such-file.json' cannot be opened: No such file or directory; check the path",
        ),
        (["route", "/"], "'/' cannot be opened: Is a directory; give a file, not a folder"),
        (["sim", "--azure", "none.csv"], "routekit sim: 'none.csv' cannot be opened: No such file or directory; check"),
        (["route", "x", "--policy", "no-such-policy.toml"], "cannot be read"),
        (["route", "x", "--header", "novalue"], "write it as NAME=VALUE"),
    ],
)
def test_what_cannot_be_read_is_named(
    arguments: list[str], message: str, policy: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    where = body(tmp_path, chat("hi"))
    arguments = [where if argument == "x" else argument for argument in arguments]
    if arguments[0] == "route" and "--policy" not in arguments:
        arguments += ["--policy", policy]
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_closed_standard_input_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert main(["route", "-"]) == 2
    assert "standard input is closed" in capsys.readouterr().err


def test_any_name_is_printed_on_any_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = {"name": "é", "when": {"signal": "header", "name": "é", "equals": "1"}, "then": "é"}
    (tmp_path / "policy.json").write_text(json.dumps({"default": "é", "rules": [rule]}))
    for form in ([], ["--json"]):
        written = io.BytesIO()
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, "ascii"))
        assert main(["route", body(tmp_path, chat("hi")), "--policy", str(tmp_path / "policy.json"), *form]) == 0


def test_header_that_is_given_twice_is_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = {"name": "both", "when": {"signal": "header", "name": "x", "equals": "1, 2"}, "then": "m"}
    (tmp_path / "policy.json").write_text(json.dumps({"default": "keep", "rules": [rule]}))
    where = ["route", body(tmp_path, chat("hi")), "--policy", str(tmp_path / "policy.json")]
    assert main([*where, "--header", "x=1", "--header", "x=2"]) == 0
    assert "rule 'both'" in capsys.readouterr().out


def test_suspicious_policy_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policy.toml").write_text(POLICY + '[keywords]\nunused = ["x"]\n')
    assert main(["route", body(tmp_path, chat("hi")), "--policy", str(tmp_path / "policy.toml")]) == 0
    assert "keywords 'unused' is defined, but no rule reads it" in capsys.readouterr().err


def written(tmp_path: Path, text: str) -> str:
    (tmp_path / "checked.toml").write_text(text)
    return str(tmp_path / "checked.toml")


def test_check_of_a_clean_policy_finds_nothing(policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", policy]) == 0
    assert capsys.readouterr().out.endswith("policy.toml': nothing found\n")


def test_check_counts_warnings_unless_told_not_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suspicious = written(tmp_path, POLICY + '[keywords]\nunused = ["x"]\n')
    assert main(["check", suspicious]) == 1
    assert capsys.readouterr().out == "warning: keywords 'unused' is defined, but no rule reads it\n"
    assert main(["check", suspicious, "--allow-warnings"]) == 0


def test_check_lists_what_is_wrong_in_every_rule_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = POLICY.replace("equals", "equal").replace("block = 451", "block = 200") + "[on_eror]\n"
    assert main(["check", written(tmp_path, text), "--allow-warnings"]) == 1
    places = [line.split(" ")[:4] for line in capsys.readouterr().out.splitlines()]
    assert [place[0] for place in places] == ["error:"] * 3
    assert places[0][1:] == ["unknown", "key", "'policy.on_eror';"]
    assert places[1][1].startswith("rules[0].then.block")
    assert places[2][3].startswith("'rules[1].when.equal'")


def test_check_shows_what_is_wrong_between_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", written(tmp_path, POLICY.replace('"vip"\nwhen', '"card"\nwhen'))]) == 1
    assert "two rules are named 'card'" in capsys.readouterr().out


def test_check_prints_a_misspelled_label_once_with_few_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    misspelled = written(tmp_path, POLICY.replace('["CREDIT_CARD"]', '["CREDITCARD"]'))
    assert main(["check", misspelled]) == 1
    seen = capsys.readouterr().out
    assert seen.startswith("error: rules[0]: rule 'card' names the label 'CREDITCARD' of 'pii'; did you mean")
    assert len(seen.splitlines()) == 1
    assert seen.count("'") < 20
    assert " more\n" in seen
    assert main(["route", body(tmp_path, chat("hello")), "--policy", misspelled]) == 2
    assert capsys.readouterr().err.count("CREDITCARD") == 1


@pytest.mark.parametrize("text", [None, "default = ", "\0"])
def test_check_of_what_cannot_be_read_exits_with_2(
    text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = str(tmp_path / "none.toml") if text is None else written(tmp_path, text)
    assert main(["check", where]) == 2
    assert capsys.readouterr().err.startswith("routekit check: policy file ")


def test_doctor_lists_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) in (0, 1)
    shown = capsys.readouterr().out
    for part in ("routekit", "compiled parts", "classifiers", "backend cpu", "backend rocm", "plugins", "built-in"):
        assert part in shown


def test_doctor_says_same_results_of_exact_twins_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    monkeypatch.setattr(doctor, "library_path", lambda: None)
    parts = dict(doctor.diagnosis(Plugins(tuple)))["compiled parts"]
    *twins, operators = (finding.what for finding in parts)
    assert all("same results" in what for what in twins)
    assert "same results" not in operators
    assert "differ by rounding" in operators


@pytest.mark.parametrize("arguments", [[], ["unknown"], ["route"]])
def test_wrong_arguments_give_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: routekit" in capsys.readouterr().err


def test_unknown_command_is_answered_with_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rute"])
    shown = capsys.readouterr().err
    assert all(command in shown for command in ("route", "check", "doctor", "rewrite", "selftest", "sim", "extproc"))


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(command in shown for command in ("route", "check", "doctor", "rewrite", "selftest", "sim", "extproc"))
