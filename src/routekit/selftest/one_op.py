"""Sessions whose graph is routekit's attention op alone, on the provider under test and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from routekit.attention import DOMAIN, register_attention
from routekit.errors import BackendUnavailable
from routekit.execution_provider import Provider, import_runtime, insist_on, refuse_missing_libraries

if TYPE_CHECKING:
    from collections.abc import Callable

    from routekit.tensors import FloatArray

_CPU = "CPUExecutionProvider"
_FATAL_ONLY = 4
#: What ONNX Runtime says when a node has no kernel on the provider (it would have run on the CPU, silently), and what
#: the op says where its library was compiled without a GPU's (native/ck_fa/src/rocm/absent.cpp).
NO_KERNEL = ("fallback to CPU EP", "was built without ROCm")


class OpSessions:
    """Opens a session for each set of attributes, once.

    Parameters
    ----------
    provider
        Where the op must run.
    dtype
        ``"float32"`` or ``"float16"``, of all inputs.
    """

    def __init__(self, provider: Provider, dtype: str) -> None:
        self._provider, self._dtype = provider, dtype
        self._runtime = import_runtime(provider)
        self._opened: dict[tuple[object, ...], Callable[[Mapping[str, FloatArray]], FloatArray]] = {}

    def run(self, feeds: Mapping[str, FloatArray], window: tuple[int, int]) -> FloatArray:
        """Run the op on q, k, v and, when given, bias."""
        key = (len(feeds), *window)
        if key not in self._opened:
            self._opened[key] = partial(_first, self._open(tuple(feeds), window))
        return self._opened[key](feeds)

    def _open(self, names: tuple[str, ...], window: tuple[int, int]) -> Any:
        options = self._runtime.SessionOptions()
        options.log_severity_level = _FATAL_ONLY
        register_attention(options)
        if self._provider.name != _CPU:
            options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        graph, providers = _graph(names, window, self._dtype), [(self._provider.name, dict(self._provider.defaults))]
        try:
            session = self._runtime.InferenceSession(graph, options, providers=providers, enable_fallback=0)
        except Exception as error:
            refuse_missing_libraries(self._runtime, self._provider)
            if not any(mark in str(error) for mark in NO_KERNEL):
                raise
            raise BackendUnavailable(
                f"the attention op has no kernel for {self._provider.name}: the library was built for the CPU only; "
                "build it with -DROUTEKIT_CK=ON, see native/ck_fa/README.md"
            ) from None
        insist_on(self._runtime, session.get_providers(), self._provider)
        return session


def _first(session: Any, feeds: Mapping[str, FloatArray]) -> FloatArray:
    output: FloatArray = session.run(None, dict(feeds))[0]
    return output


def _graph(names: tuple[str, ...], window: tuple[int, int], dtype: str) -> bytes:
    from onnx import TensorProto, helper

    element = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}[dtype]
    inputs = [helper.make_tensor_value_info(n, element, [f"{n}_{axis}" for axis in range(4)]) for n in names]
    node = helper.make_node(
        "FlashAttention", names, ["out"], domain=DOMAIN, window_left=window[0], window_right=window[1], allow_bf16=0
    )
    output = helper.make_tensor_value_info("out", element, None)
    graph = helper.make_graph([node], "attention", inputs, [output])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]
    return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString())
