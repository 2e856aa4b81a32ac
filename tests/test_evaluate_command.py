"""``python -m routekit evaluate``."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from routekit.__main__ import main
from routekit.evaluate import Evaluation

POLICY = """
default = "general"
[[rules]]
name = "card"
when = { signal = "pii", label = "CREDIT_CARD", at_least = 0.9 }
then = { block = 451 }
"""
OTHER = (
    POLICY.replace("0.9", "0.1")
    + '[keywords]\nfood = ["egg"]\n[[rules]]\nname = "food"\nwhen = { signal = "keywords", set = "food" }\n'
    + 'then = "kitchen"\n'
)
ROWS = [
    {"text": "my card is 4111 1111 1111 1111", "has_card": True},
    {"text": "boil an egg", "has_card": False},
    {"text": "hello", "has_card": False},
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("policy.toml").write_text(POLICY)
    Path("other.toml").write_text(OTHER)
    log = "".join(json.dumps(row) + "\n" for row in ROWS)
    Path("log.jsonl").write_text(log)
    Path("log.jsonl.gz").write_bytes(gzip.compress(log.encode()))
    Path("bad.jsonl").write_text(log + "{\n")
    return tmp_path


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("log", ["log.jsonl", "log.jsonl.gz"])
def test_report_is_printed_as_tables_or_json(log: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["evaluate", "policy.toml", log, "--labels", "pii=has_card"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    assert shown.startswith("3 requests, 100.0% read in full")
    assert "| card | 1 |" in shown
    assert main(["evaluate", "policy.toml", log, "--labels", "pii=has_card", "--json"]) == 0
    data = json.loads(capsysbinary.readouterr().out)
    assert data["signals"]["pii"]["confusion"]["tp"] == 1
    assert data["rules"]["card"]["truth"] == "labels"


@pytest.mark.usefixtures("files")
def test_other_policies_and_thresholds_are_compared(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    command = ["evaluate", "policy.toml", "log.jsonl", "--compare", "other.toml", "--labels", "pii=has_card"]
    assert main([*command, "--choose", "pii"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    assert "## With 'other.toml'" in shown
    assert "| default | food | 1 | 2 |" in shown
    assert "Threshold of pii for a false positive rate of 0.01: 0.9900, recall 1.000" in shown
    assert main([*command, "--json"]) == 0
    assert json.loads(capsysbinary.readouterr().out)["differences"]["'other.toml'"]["n_changed"] == 1


@pytest.mark.usefixtures("files")
def test_thresholds_of_a_signal_are_compared(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("policy.toml").write_text(POLICY.replace('label = "CREDIT_CARD", at_least = 0.9', "fires = true"))
    assert main(["evaluate", "policy.toml", "log.jsonl", "--threshold", "pii=0"]) == 0
    assert "| card | 1 | 3 | +2 | -0 |" in capsysbinary.readouterr().out.decode()


@pytest.mark.usefixtures("files")
def test_evaluation_is_saved_and_continued(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    command = ["evaluate", "policy.toml", "log.jsonl", "--checkpoint", "c.jsonl", "--workers", "2"]
    assert main([*command, "--limit", "2"]) == 0
    assert main([*command, "--save", "saved.jsonl.gz"]) == 0
    assert list(Evaluation.load("saved.jsonl.gz").rows) == list(Evaluation.load("c.jsonl").rows)
    assert Evaluation.load("c.jsonl").n_requests == 3


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["policy.toml", "bad.jsonl"], "BadRow: bad.jsonl, line 4: no JSON"),
        (["policy.toml", "missing.jsonl"], "No such file"),
        (["missing.toml", "log.jsonl"], "cannot be read"),
        (["policy.toml", "log.jsonl", "--labels", "pii"], "SIGNAL=COLUMN"),
        (["policy.toml", "log.jsonl", "--threshold", "pii=x"], "SIGNAL=NUMBER"),
        (["policy.toml", "log.jsonl", "--threshold", "mood=0.5"], "no rule compares 'mood'"),
        (["policy.toml", "log.jsonl", "--choose", "mood"], "no classifier 'mood'"),
    ],
)
def test_what_is_wrong_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("routekit evaluate: ")
    assert message in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.usefixtures("files")
def test_bad_rows_are_skipped_on_request(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["evaluate", "policy.toml", "bad.jsonl", "--skip-bad-rows"]) == 0
    assert b"1 rows skipped" in capsysbinary.readouterr().out


@pytest.mark.usefixtures("files")
def test_report_is_printed_on_any_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, "ascii"))
    assert main(["evaluate", "policy.toml", "log.jsonl"]) == 0
    assert b"3 requests" in written.getvalue()
