"""The self-test as a command: exit status, output, and what it says when something is missing or out of range."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from routekit.errors import InferenceError, ModelFormatError
from routekit.model_directory import read_model_directory
from routekit.selftest import main
from routekit.selftest.agreement import Agreement, AgreementRow
from routekit.selftest.attention_grid import CaseResult, GridResult
from routekit.selftest.isolation import run_apart
from routekit.selftest.latency import LatencyRow
from routekit.selftest.report import Report, this_machine
from routekit.selftest.subject import subject_named


def test_selftest_of_the_cpu_passes_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    pages = [f"--{kind}={tmp_path / kind}" for kind in ("json", "markdown")]
    arguments = ["--backend", "cpu", "--quick", "--threads", "1", "--lengths", "96", "--concurrency", "2", "1", *pages]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    found = json.loads((tmp_path / "json").read_text())
    assert found["passed"] is True
    assert found["failures"] == []
    assert found["agreements"][0]["note"].startswith("3 of 3 attention layers rewritten")
    assert [(row["n_tokens"], row["n_concurrent"]) for row in found["latency"]] == [(96, 1), (96, 2)]
    assert all(row["median_seconds"] > 0 and row["cpu_seconds"] > 0 for row in found["latency"])
    assert (tmp_path / "markdown").read_text() == printed
    assert "**All passed.**" in printed


@pytest.mark.parametrize("name", ["rocm", "cuda", "migraphx"])
def test_selftest_of_a_backend_that_is_not_here(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    provider = {"rocm": "ROCM", "cuda": "CUDA", "migraphx": "MIGraphX"}[name] + "ExecutionProvider"
    if provider in runtime.get_available_providers():
        pytest.skip(f"{provider} is here")
    assert main(["--backend", name, "--quick"]) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("routekit selftest: BackendUnavailable: this onnxruntime has ")
    assert line.endswith(f"run: pip install 'routekit[{name}]'")


@pytest.mark.parametrize(
    ("backend", "absent", "remedy"),
    [
        ("cpu", ["onnx"], "onnx not installed; run: pip install 'routekit[rewrite]'"),
        ("stock", ["onnx", "onnxruntime"], "onnx and onnxruntime not installed; run: pip install 'routekit[rewrite]'"),
        ("rocm", ["onnx"], "onnx not installed; run: pip install onnx"),
        ("rocm", ["onnxruntime"], "onnxruntime not installed; run: pip install 'routekit[rocm]' onnx"),
    ],
)
def test_selftest_without_its_packages_says_what_to_install(
    backend: str, absent: list[str], remedy: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("onnx", "onnxruntime"):
        if name in absent:
            monkeypatch.setitem(sys.modules, name, None)
        else:
            pytest.importorskip(name)
    assert main(["--backend", backend]) == 2
    assert capsys.readouterr().err == f"routekit selftest: BackendUnavailable: {remedy}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lengths", "0"], "--lengths is 0; allowed: 1 to 131072"),
        (["--concurrency", "1", "5000"], "--concurrency is 5000; allowed: 1 to 1000"),
        (["--threads", "-1"], "--threads is -1; allowed: 1 to 1024"),
        (["--json", "no/such/folder/x.json"], "the folder of 'x.json' does not exist; make it first"),
        (["--model", "no\x1bmodel"], "--model 'no\\x1bmodel' is no directory"),
    ],
)
def test_selftest_refuses_what_is_out_of_range(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--backend", "cpu", *arguments]) == 2
    assert capsys.readouterr().err == f"routekit selftest: ConfigError: {message}\n"


def test_selftest_of_an_unknown_backend_lists_the_known(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    assert main(["--backend", "acme"]) == 2
    assert "BackendNotFound: unknown backend 'acme'; known: 'cpu'" in capsys.readouterr().err


def test_result_and_typed_error_cross_the_process() -> None:
    assert run_apart(subject_named, "rocm", timeout_seconds=60) == subject_named("rocm")
    with pytest.raises(ModelFormatError, match="no directory"):
        run_apart(read_model_directory, "no/such/model", timeout_seconds=60)


def test_foreign_error_in_a_process_becomes_one_line() -> None:
    with pytest.raises(InferenceError, match=r"^ValueError: invalid literal for int\(\) with base 10: 'x\\\\ny'$"):
        run_apart(int, "x\ny", timeout_seconds=60)


def test_process_that_dies_is_reported() -> None:
    with pytest.raises(InferenceError, match="the process died: SIGKILL, likely out of memory"):
        run_apart(signal.raise_signal, signal.SIGKILL, timeout_seconds=60)
    with pytest.raises(InferenceError, match="the process died: exit status 3"):
        run_apart(os._exit, 3, timeout_seconds=60)


def test_process_that_hangs_is_ended() -> None:
    with pytest.raises(InferenceError, match="no answer within 1 seconds; allow more with --timeout"):
        run_apart(time.sleep, 600, timeout_seconds=1)


def test_report_lists_every_failure() -> None:
    case = CaseResult("1x2x3x4x32", float("nan"), 1e-6, "error nan, allowed 1.00e-06")
    row = AgreementRow(512, 0.5, 0.9, 1e-3, "logits differ by 5.00e-01, allowed 1.0e-03")
    report = Report(
        subject_named("cpu"),
        this_machine(),
        {"threads": 1},
        GridResult(3, case, (case,)),
        (Agreement("random weights", "3 of 3", (row,)),),
        (LatencyRow(8192, 20, reason="the process died: SIGKILL, likely out of memory"),),
        {"agreement of model 1": "it has no config.json"},
    )
    assert report.failures == (
        "agreement of model 1: it has no config.json",
        "attention 1x2x3x4x32: error nan, allowed 1.00e-06",
        "random weights, 512 tokens: logits differ by 5.00e-01, allowed 1.0e-03",
        "8192 tokens, 20 at once: the process died: SIGKILL, likely out of memory",
    )
    assert json.loads(report.to_json())["passed"] is False
    assert all(failure in report.to_markdown() for failure in report.failures)
