"""What backends say when something is missing: installs, providers, shared libraries, memory."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module, metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from routekit import execution_provider
from routekit.backends.cpu import CPU, CpuBackend
from routekit.backends.migraphx import LEAST_TOKENS, PaddedEncoder
from routekit.backends.rocm import ACTIVATION_BYTES, ROCM, memory_limit
from routekit.errors import BackendUnavailable, InferenceError
from routekit.execution_provider import diagnose_provider, import_runtime, insist_on
from routekit.installs import diagnose_flavours, installed_flavours, refuse_mixed_installs
from routekit.interfaces import Backend, EncoderSession
from routekit.shared_libraries import missing_libraries, needed_libraries
from routekit.tensors import ModelFiles, TokenBatch

BACKENDS = ["cpu", "cuda", "rocm", "migraphx"]


@pytest.fixture
def flavours(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Pretend that these distributions are installed."""

    def install(**versions: str) -> None:
        def version(name: str) -> str:
            try:
                return versions[name.replace("-", "_")]
            except KeyError:
                raise metadata.PackageNotFoundError(name) from None

        monkeypatch.setattr(metadata, "version", version)

    return install


def test_one_flavour_is_fine(flavours: Callable[..., None]) -> None:
    flavours(onnxruntime_rocm="1.22.2")
    assert installed_flavours() == {"onnxruntime-rocm": "1.22.2"}
    assert diagnose_flavours("onnxruntime-rocm").level == "ok"
    refuse_mixed_installs("onnxruntime-rocm")


def test_two_flavours_are_refused_with_the_commands(flavours: Callable[..., None]) -> None:
    flavours(onnxruntime_rocm="1.22.2", onnxruntime="1.32.0")
    finding = diagnose_flavours("onnxruntime-rocm")
    assert finding.level == "error"
    assert finding.remedy == "pip uninstall -y onnxruntime onnxruntime-rocm && pip install onnxruntime-rocm"
    with pytest.raises(BackendUnavailable, match=r"onnxruntime 1\.32\.0, onnxruntime-rocm 1\.22\.2; run: pip "):
        import_runtime(ROCM)


def test_no_flavour_says_what_to_install(flavours: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    flavours()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert diagnose_flavours("onnxruntime").remedy == "pip install onnxruntime"
    with pytest.raises(BackendUnavailable, match=r"pip install 'routekit\[onnx\]'"):
        import_runtime(CPU)
    [finding] = diagnose_provider(CPU)
    assert (finding.level, finding.remedy) == ("error", "pip install 'routekit[onnx]'")


def test_missing_tokenizers_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from routekit.tokenization import JsonTokenizer

    monkeypatch.setitem(sys.modules, "tokenizers", None)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(BackendUnavailable, match=r"pip install 'routekit\[onnx\]'"):
        JsonTokenizer(tmp_path / "tokenizer.json")


@pytest.mark.parametrize("name", BACKENDS)
def test_backends_have_the_interface_and_diagnose(name: str) -> None:
    backend: Any = getattr(import_module(f"routekit.backends.{name}"), f"{name.capitalize()}Backend")()
    findings = backend.diagnose()
    assert isinstance(backend, Backend)
    assert backend.name == name
    assert findings
    assert all(
        finding.what and (finding.level == "ok" or finding.remedy or "run:" in finding.what) for finding in findings
    )


def test_silent_fallback_to_the_cpu_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = SimpleNamespace(__file__=str(tmp_path / "__init__.py"))
    (tmp_path / "capi").mkdir()
    library = tmp_path / "capi" / str(ROCM.library)
    with pytest.raises(BackendUnavailable, match=f"lacks {ROCM.library}"):
        insist_on(runtime, ["CPUExecutionProvider"], ROCM)
    library.write_bytes(b"")
    monkeypatch.setattr(execution_provider, "missing_libraries", lambda _: ("libhipblas.so.3", "libMIOpen.so.1"))
    with pytest.raises(BackendUnavailable, match=r"lacks libhipblas\.so\.3, libMIOpen\.so\.1; install ROCm 7"):
        insist_on(runtime, ["CPUExecutionProvider"], ROCM)
    monkeypatch.setattr(execution_provider, "missing_libraries", lambda _: ())
    with pytest.raises(BackendUnavailable, match="no device answers"):
        insist_on(runtime, ["CPUExecutionProvider"], ROCM)
    insist_on(runtime, ["ROCMExecutionProvider", "CPUExecutionProvider"], ROCM)


def test_needed_libraries_are_read_from_the_file() -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    (library,) = (Path(onnxruntime.__file__).parent / "capi").glob("onnxruntime_pybind11_state*.so")
    names, _ = needed_libraries(library)
    assert "libc.so.6" in names
    assert missing_libraries(library) == ()


def test_missing_library_is_named(tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    (library,) = (Path(onnxruntime.__file__).parent / "capi").glob("onnxruntime_pybind11_state*.so")
    patched = tmp_path / "lib.so"
    patched.write_bytes(library.read_bytes().replace(b"libc.so.6\0", b"libq.so.6\0"))
    assert missing_libraries(patched) == ("libq.so.6",)
    (tmp_path / "libq.so.6").write_bytes(b"")
    assert missing_libraries(patched) == ()


@pytest.mark.parametrize(
    "content", [b"", b"MZ", b"\x7fELF\x01\x01", b"\x7fELF\x02\x01" + b"\xff" * 200, b"\x7fELF\x02\x01"]
)
def test_files_that_are_no_library_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "lib.so").write_bytes(content)
    with pytest.raises(BackendUnavailable, match=r"lib\.so"):
        needed_libraries(tmp_path / "lib.so")


def test_memory_of_rocm_is_bounded_by_graph_and_activations(encoder_dir: Callable[..., Path]) -> None:
    graph = encoder_dir("bert") / "model.onnx"
    limit = memory_limit(ModelFiles(graph.parent, (graph,)))
    assert int(limit["gpu_mem_limit"]) == graph.stat().st_size + ACTIVATION_BYTES


@pytest.mark.parametrize("task", ["sequence", "token"])
@pytest.mark.parametrize(("n_rows", "n_tokens"), [(1, 3), (3, 20), (4, 32)])
def test_padded_shapes_change_no_answer(
    encoder_dir: Callable[..., Path], task: str, n_rows: int, n_tokens: int
) -> None:
    folder = encoder_dir("bert", task)
    encoder = CpuBackend().load(ModelFiles(folder, (folder / "model.onnx",), {"n_threads": 1}))
    padded = PaddedEncoder(encoder)
    assert isinstance(padded, EncoderSession)
    ids = np.random.default_rng(0).integers(5, 100, (n_rows, n_tokens))
    mask = np.ones_like(ids)
    mask[-1, n_tokens // 2 :] = 0
    seen: list[tuple[int, ...]] = []
    original = encoder.run
    encoder.run = lambda batch: (seen.append(batch.input_ids.shape), original(batch))[1]  # type: ignore[method-assign,func-returns-value]
    got = padded.run(TokenBatch(ids, mask))
    expected = original(TokenBatch(ids, mask))
    assert got.shape == expected.shape
    if task == "token":
        got, expected = got[mask == 1], expected[mask == 1]
    assert got == pytest.approx(expected, abs=1e-5)
    (shape,) = seen
    assert all(n & (n - 1) == 0 for n in shape)
    assert shape[1] >= LEAST_TOKENS


def test_runs_at_once_are_bounded_so_that_memory_is(encoder_dir: Callable[..., Path]) -> None:
    folder = encoder_dir("bert")
    encoder = CpuBackend().load(ModelFiles(folder, (folder / "model.onnx",), {"n_threads": 1}))
    session, lock, running, most = encoder._session(), threading.Lock(), [0], [0]

    class Counting:
        def run(self, names: Any, feeds: Any) -> Any:
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
            try:
                return session.run(names, feeds)
            finally:
                with lock:
                    running[0] -= 1

    encoder._own().session = Counting()
    ids = np.full((1, 100), 7)
    batch = TokenBatch(ids, np.ones_like(ids))
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda _: encoder.run(batch), range(64)))
    assert 1 <= most[0] <= encoder._settings.n_runs
    assert all((result == results[0]).all() for result in results)


def test_failing_run_gives_its_turn_back(encoder_dir: Callable[..., Path]) -> None:
    folder = encoder_dir("bert")
    encoder = CpuBackend().load(ModelFiles(folder, (folder / "model.onnx",), {"n_threads": 1}))
    wrong = TokenBatch(np.full((1, 3), 10**6), np.ones((1, 3), np.int64))
    for _ in range(encoder._settings.n_runs + 1):
        with pytest.raises(InferenceError, match=r"model\.onnx failed on a batch of shape \(1, 3\)"):
            encoder.run(wrong)
    assert encoder.run(TokenBatch(np.full((1, 3), 7), np.ones((1, 3), np.int64))).shape == (1, 3)
