"""Rewriting the ONNX graph of an encoder so that long texts run in linear memory, and proving that it still agrees.

>>> import routekit.graph
>>> report = routekit.graph.rewrite("model.onnx", "fast.onnx")  # doctest: +SKIP
>>> print(report)  # doctest: +SKIP

Needs the extra ``routekit[rewrite]`` (onnx, onnxruntime); nothing is imported before the first call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from routekit.graph.report import LayerReport, RewriteReport
    from routekit.graph.rewriter import rewrite

__all__ = ["LayerReport", "RewriteReport", "rewrite"]

_MODULE_OF = {"rewrite": "rewriter", "LayerReport": "report", "RewriteReport": "report"}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _MODULE_OF:
        raise AttributeError(f"module 'routekit.graph' has no attribute {name!r}")
    return getattr(import_module(f"routekit.graph.{_MODULE_OF[name]}"), name)
