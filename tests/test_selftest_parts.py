"""The parts of the self-test: that each passes what is right, and fails what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from routekit.attention import library_path
from routekit.backends.cpu import CPU
from routekit.errors import BackendUnavailable
from routekit.execution_provider import Provider
from routekit.selftest import attention_grid, memory
from routekit.selftest.agreement import check_encoder, check_model
from routekit.selftest.attention_grid import AttentionCase, attention_cases, check_attention
from routekit.selftest.graphs import Graphs, built_graphs
from routekit.selftest.latency import Classifiers, measure_length
from routekit.selftest.loading import Limits
from routekit.selftest.one_op import NO_KERNEL, OpSessions
from routekit.selftest.subject import Subject

if TYPE_CHECKING:
    from routekit.tensors import FloatArray

pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")
needs_op = pytest.mark.skipif(library_path() is None, reason="needs the compiled native/ck_fa")

#: What ROCm gets, run by the CPU's own kernels through casts: all of the ROCm self-test but the device.
AS_ROCM = Subject("rocm on the CPU", "cpu", "rocm", "fp16")
LIMITS = Limits(n_threads=1)
CASES = [*attention_cases([300], quick=True)][::3]


@needs_op
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_grid_passes_the_op(dtype: str) -> None:
    result = check_attention(CPU, dtype, CASES)
    assert result.failures == ()
    assert result.n_cases == len(CASES)
    assert 0 < result.worst.error <= result.worst.allowed


class Sabotaged:
    """The op with a fault."""

    def __init__(self, sessions: OpSessions, fault: str) -> None:
        self._sessions, self._fault, self._n_runs = sessions, fault, 0

    def run(self, feeds: Mapping[str, FloatArray], window: tuple[int, int]) -> FloatArray:
        self._n_runs += 1
        given = dict(feeds)
        if self._fault == "one key more":
            window = (window[0] + (window[0] >= 0), window[1])
        if self._fault == "no bias":
            given.pop("bias", None)
        if self._fault == "scale":
            given["q"] = given["q"] * given["q"].dtype.type(1.05)
        out: FloatArray = self._sessions.run(given, window).copy()
        if self._fault == "not a number":
            out[..., -1, 0] = np.nan
        if self._fault == "not the same twice":
            out[..., -1, 0] += self._n_runs % 2 * 1e-7
        shorter: FloatArray = out[..., :-1]
        return shorter if self._fault == "shape" else out


@needs_op
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("one key more", "error"),
        ("no bias", "error"),
        ("scale", "error"),
        ("not a number", "error nan"),
        ("shape", "the output is"),
    ],
)
def test_grid_fails_an_op_with_a_fault(dtype: str, fault: str, reason: str) -> None:
    case = AttentionCase(2, 2, 70, 131, 64, (20, 20), "padding")
    sessions: Any = Sabotaged(OpSessions(CPU, dtype), fault)
    result = attention_grid._checked(sessions, case, np.dtype(dtype), seed=1)
    assert result.reason.startswith(reason)


@needs_op
@pytest.mark.parametrize("fault", ["one key more", "no bias", "scale"])
def test_rows_of_a_long_text_show_a_fault(fault: str) -> None:
    case = AttentionCase(
        1, 2, 4096, 4096, 64, (64, 64) if fault == "one key more" else (-1, -1), "padding", sampled=True
    )
    sessions: Any = Sabotaged(OpSessions(CPU, "float16"), fault)
    result = attention_grid._checked(sessions, case, np.dtype("float16"), seed=1)
    assert result.error > 3 * result.allowed


@needs_op
def test_grid_fails_an_op_that_is_not_the_same_twice() -> None:
    case = AttentionCase(1, 1, 5, 5, 32, (-1, -1), "none")
    sessions: Any = Sabotaged(OpSessions(CPU, "float32"), "not the same twice")
    assert attention_grid._checked(sessions, case, np.dtype("float32"), seed=1).reason == "two runs differ"


@needs_op
def test_runtime_error_fails_the_case_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUTEKIT_CK_FA_ISA", "mmx")
    result = check_attention(CPU, "float32", CASES[:2])
    assert [failure.case for failure in result.failures] == [str(case) for case in CASES[:2]]
    assert "'mmx'" in result.failures[0].reason


@needs_op
@pytest.mark.skipif("AzureExecutionProvider" not in ort.get_available_providers(), reason="needs a provider without it")
def test_op_without_a_kernel_for_the_provider_is_no_success() -> None:
    """ONNX Runtime would run it on the CPU and say nothing."""
    other = Provider("AzureExecutionProvider", distribution="onnxruntime", extra="onnx")
    with pytest.raises(BackendUnavailable, match=r"no kernel for AzureExecutionProvider.*-DROUTEKIT_CK=ON"):
        check_attention(other, "float32", CASES[:1])


def test_library_without_rocm_says_what_the_self_test_looks_for() -> None:
    source = Path(__file__).parents[1] / "native/ck_fa/src/rocm/absent.cpp"
    assert NO_KERNEL[1] in source.read_text().replace('"\n      "', "")


def test_grid_has_every_kind_of_case_once() -> None:
    cases = list(attention_cases([4096], quick=False))
    assert len(set(cases)) == len(cases)
    assert {case.head_dim for case in cases} == {32, 64, 128}
    assert {case.bias for case in cases} == {"none", "padding", "empty row", "full"}
    assert {case.queries < case.keys for case in cases} == {True, False}
    assert [case.keys for case in cases if case.sampled] == [4096, 4096]


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Graphs:
    if library_path() is None:
        pytest.skip("needs the compiled native/ck_fa")
    return built_graphs(AS_ROCM, "tiny", tmp_path_factory.mktemp("graphs"))


def test_encoder_in_float16_agrees_on_short_and_long_texts(graphs: Graphs) -> None:
    """Rotary angles must not be computed in float16: at 4096 tokens they would be off by a radian."""
    agreement = check_encoder(AS_ROCM, graphs, [1, 16, 512, 4096], LIMITS)
    assert agreement.note == "3 of 3 attention layers rewritten (fp16)"
    assert agreement.failures == ()
    assert [row.n_tokens for row in agreement.rows] == [1, 16, 512, 4096]
    assert max(row.max_difference for row in agreement.rows) < 0.01


def test_encoder_with_a_wrong_window_disagrees(graphs: Graphs, tmp_path: Path) -> None:
    import onnx

    wrong = onnx.load(graphs.tested)
    for node in wrong.graph.node:
        for attribute in node.attribute:
            if attribute.name == "window_left" and attribute.i > 0:
                attribute.i += 1
    onnx.save(wrong, tmp_path / "wrong.onnx")
    (row,) = check_encoder(AS_ROCM, replace(graphs, tested=tmp_path / "wrong.onnx"), [200], LIMITS).failures
    assert row.reason.startswith("logits differ by ")


@needs_op
@pytest.mark.parametrize(
    ("architecture", "task", "note"),
    [
        ("modernbert", "token", "1 of 2 attention layers rewritten (fp32)"),
        ("bert", "sequence", "2 of 2 attention layers rewritten (fp32)"),
        ("deberta-v2", "sequence", "the graph runs as it is: "),
    ],
)
def test_model_directory_agrees(encoder_dir: Callable[..., Path], architecture: str, task: str, note: str) -> None:
    agreement = check_model(Subject("cpu", "cpu", "cpu"), str(encoder_dir(architecture, task)), [16, 64, 4096], LIMITS)
    assert agreement.note.startswith(note)
    assert agreement.failures == ()
    assert [row.n_tokens for row in agreement.rows][:2] == [16, 64]
    assert agreement.rows[-1].n_tokens <= 130


@needs_op
def test_model_that_takes_one_row_only_agrees(encoder_dir: Callable[..., Path], tmp_path: Path) -> None:
    import onnx

    copied = Path(copytree(encoder_dir("distilbert"), tmp_path / "model"))
    model = onnx.load(copied / "model.onnx")
    for value in model.graph.input:
        value.type.tensor_type.shape.dim[0].dim_value = 1
    onnx.save(model, copied / "model.onnx")
    agreement = check_model(Subject("cpu", "cpu", "cpu"), str(copied), [16, 64], LIMITS)
    assert agreement.failures == ()
    assert [row.n_tokens for row in agreement.rows] == [16, 64]


def test_latency_of_a_length_has_time_and_memory(graphs: Graphs) -> None:
    rows = measure_length(AS_ROCM, Classifiers(graphs.tested, graphs.n_vocabulary, 2), 64, (3, 1), LIMITS)
    assert [row.n_concurrent for row in rows] == [1, 3]
    assert [row.n_requests for row in rows] == [5, 15]
    for row in rows:
        assert 0 < row.median_seconds <= row.worst_seconds
        assert row.device_bytes is None
        assert row.reason == ""


def test_length_that_the_model_cannot_take_has_a_reason(encoder_dir: Callable[..., Path]) -> None:
    bert = Classifiers(encoder_dir("bert") / "model.onnx", n_vocabulary=100)
    rows = measure_length(Subject("stock", "cpu", "stock"), bert, 500, (1, 2), LIMITS)
    assert [row.n_concurrent for row in rows] == [1, 2]
    assert all(row.reason.startswith("model.onnx failed on a batch of shape (1, 500)") for row in rows)


def sysfs(root: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


CARDS = {"class/drm/card0/device/mem_info_vram_used": "300\n", "class/drm/card1/device/mem_info_vram_used": "50\n"}


def test_memory_of_this_process_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getpid", lambda: 77)
    root = sysfs(tmp_path, {**CARDS, "class/kfd/kfd/proc/77/vram_1": "10\n", "class/kfd/kfd/proc/77/vram_2": "20\n"})
    assert memory.device_memory("rocm", root) == memory.DeviceMemory(30, "kfd", of_process=True)


def test_memory_of_the_cards_where_the_process_is_not_listed(tmp_path: Path) -> None:
    assert memory.device_memory("rocm", sysfs(tmp_path, CARDS)) == memory.DeviceMemory(350, "amdgpu", of_process=False)


@pytest.mark.parametrize(
    ("printed", "n_bytes"),
    [
        ('{"card0": {"VRAM Total Memory (B)": "900", "VRAM Total Used Memory (B)": "7"}}', 7),
        ('{"card0": {"VRAM Total Used Memory (B)": "N/A"}}', None),
        ("[]", None),
        ("no devices", None),
    ],
)
def test_memory_from_the_tool_of_the_vendor(
    printed: str, n_bytes: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "rocm-smi"
    tool.write_text(f"#!/bin/sh\nprintf '%s' '{printed}'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found = memory.device_memory("rocm", sysfs(tmp_path, {"class/drm/card0/device/mem_info_vram_used": "?"}))
    assert found == (None if n_bytes is None else memory.DeviceMemory(n_bytes, "rocm-smi", of_process=False))


def test_memory_of_the_cpu_is_that_of_the_host(tmp_path: Path) -> None:
    assert memory.device_memory("cpu", tmp_path) is None
    peak = memory.host_peak_bytes()
    assert peak is None or peak > 1 << 20


def test_devices_are_named_as_compilers_name_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    nodes = {0: 0, 1: 90402, 2: 90010, 3: 110001, 4: 90500}
    files = {
        f"class/kfd/kfd/topology/nodes/{i}/properties": f"simd_count 1\ngfx_target_version {v}\n"
        for i, v in nodes.items()
    }
    assert memory.devices(sysfs(tmp_path, files)) == ("gfx942", "gfx90a", "gfx1101", "gfx950")
