"""The ROCm host code of routekit::FlashAttention, under a real ONNX Runtime and without a GPU.

It is compiled with a recorder in the place of CK-tile and registered for the CPU provider, float16: what the kernel
would be called with is what is checked here. That CK-tile then computes it is for a machine with an AMD GPU.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flash_attention_op import model, reference

if TYPE_CHECKING:
    from routekit.tensors import FloatArray

pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

SOURCE = Path(__file__).parents[1] / "native" / "ck_fa"
FILES = (
    *(f"src/{name}.cpp" for name in ("attention", "checks", "op", "register", "rocm/device", "rocm/ck_limits")),
    *(f"tests/{name}.cpp" for name in ("contract_devices", "recording_dispatch")),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if not compiler or not SOURCE.is_dir():
        pytest.skip("needs a C++ compiler and native/ck_fa")
    built = tmp_path_factory.mktemp("ck_fa") / "librk_contract.so"
    flags = ["-std=c++17", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{SOURCE}/include", f"-I{SOURCE}/src"]
    made = subprocess.run([compiler, *flags, *(str(SOURCE / f) for f in FILES), "-o", str(built)], check=False)
    if made.returncode:
        pytest.fail("the ROCm host code does not compile")
    return built


def run(library: Path, feeds: dict[str, FloatArray], **attributes: Any) -> FloatArray:
    ort = import_module("onnxruntime")
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.register_custom_ops_library(str(library))
    graph = model(len(feeds), tuple(attributes.items()), "FLOAT16")
    session = ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    out: FloatArray = session.run(None, feeds)[0]
    return out


def last_call(library: Path) -> dict[str, str]:
    recorded = ctypes.CDLL(str(library)).rk_last_call
    recorded.restype = ctypes.c_char_p
    return dict(item.split("=") for item in recorded().decode().split())


def draw(q: tuple[int, ...], n_keys: int, bias: tuple[int, ...] | None = None) -> dict[str, FloatArray]:
    rng = np.random.default_rng(0)
    shapes = {"q": q, "k": (*q[:2], n_keys, q[3]), "v": (*q[:2], n_keys, q[3]), **({"bias": bias} if bias else {})}
    return {name: rng.standard_normal(shape).astype(np.float16) for name, shape in shapes.items()}


@pytest.mark.parametrize("head_dim", [32, 64, 128])
@pytest.mark.parametrize("window", [-1, 3])
@pytest.mark.parametrize("bias", [None, (1, 1, 1, 9), (2, 1, 1, 9), (1, 3, 1, 9), (2, 3, 7, 9), (1, 1, 7, 9)])
def test_call_reads_every_tensor_through_its_strides(
    library: Path, head_dim: int, window: int, bias: tuple[int, ...] | None
) -> None:
    feeds = draw((2, 3, 7, head_dim), 9, bias)
    out = run(library, feeds, window_left=window, window_right=window)
    np.testing.assert_allclose(out, reference(feeds, window_left=window, window_right=window), atol=4e-3)


def test_call_carries_sizes_strides_window_scale_and_stream(library: Path) -> None:
    run(library, draw((2, 3, 7, 64), 9, (2, 1, 1, 9)), window_left=4, window_right=2)
    assert last_call(library) == {
        "sizes": "2,3,7,9,64",
        "q": "1344,448,64",
        "k": "1728,576,64",
        "v": "1728,576,64",
        "out": "1344,448,64",
        "bias": "9,0,0",
        "window": "4,2",
        "scale": "0.125000",
        "stream": "0",
    }


def test_launch_error_becomes_an_exception_with_its_code(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUTEKIT_FAKE_HIP_ERROR", "719")
    with pytest.raises(Exception, match="HIP error 719"):
        run(library, draw((1, 1, 4, 32), 4))


@pytest.mark.parametrize(
    ("attributes", "head_dim", "message"), [({}, 80, "head_dim is 80"), ({"scale": -1.0}, 32, "scale is -1")]
)
def test_call_beyond_the_kernels_is_refused(
    library: Path, attributes: dict[str, Any], head_dim: int, message: str
) -> None:
    with pytest.raises(Exception, match=f"INVALID_ARGUMENT.*on ROCm: {message}"):
        run(library, draw((1, 1, 4, head_dim), 4), **attributes)


def test_empty_batch_is_not_launched(library: Path) -> None:
    run(library, draw((1, 1, 4, 32), 4))
    before = last_call(library)
    assert run(library, draw((0, 2, 4, 32), 4)).shape == (0, 2, 4, 32)
    assert last_call(library) == before
