"""routekit decides, in milliseconds, what happens to an LLM request: blocked, or sent to which model and which pool.

A library: no service, no global state, nothing downloaded. Public names are imported on first use, so that
``import routekit`` stays cheap.

>>> import routekit as rk
>>> rk.Block(403)
Block(status=403)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from routekit.aio import AsyncRouter as AsyncRouter
    from routekit.aio import AsyncRouteStream as AsyncRouteStream
    from routekit.body import JsonBodyReader as JsonBodyReader
    from routekit.body import read_request as read_request
    from routekit.compression import Compression as Compression
    from routekit.compression import ExtractiveCompressor as ExtractiveCompressor
    from routekit.compression import compress as compress
    from routekit.decision import Action as Action
    from routekit.decision import Block as Block
    from routekit.decision import Decision as Decision
    from routekit.decision import Keep as Keep
    from routekit.decision import RouteTo as RouteTo
    from routekit.errors import BackendError as BackendError
    from routekit.errors import BackendNameTaken as BackendNameTaken
    from routekit.errors import BackendNotFound as BackendNotFound
    from routekit.errors import BackendUnavailable as BackendUnavailable
    from routekit.errors import BadRow as BadRow
    from routekit.errors import Blocked as Blocked
    from routekit.errors import BodyError as BodyError
    from routekit.errors import BodyTimeout as BodyTimeout
    from routekit.errors import BodyTooLarge as BodyTooLarge
    from routekit.errors import ConfigError as ConfigError
    from routekit.errors import ContextOverflow as ContextOverflow
    from routekit.errors import InferenceError as InferenceError
    from routekit.errors import MalformedBody as MalformedBody
    from routekit.errors import ModelFormatError as ModelFormatError
    from routekit.errors import Overloaded as Overloaded
    from routekit.errors import PluginLoadError as PluginLoadError
    from routekit.errors import PolicyError as PolicyError
    from routekit.errors import RoutekitError as RoutekitError
    from routekit.errors import UnsupportedBody as UnsupportedBody
    from routekit.errors import UsageError as UsageError
    from routekit.expressions import Expression as Expression
    from routekit.expressions import Signal as Signal
    from routekit.expressions import header as header
    from routekit.expressions import keywords as keywords
    from routekit.expressions import metadata as metadata
    from routekit.expressions import pattern as pattern
    from routekit.expressions import signal as signal
    from routekit.interfaces import Backend as Backend
    from routekit.interfaces import Classifier as Classifier
    from routekit.interfaces import Compressor as Compressor
    from routekit.interfaces import EncoderSession as EncoderSession
    from routekit.interfaces import IncrementalClassifier as IncrementalClassifier
    from routekit.interfaces import Router as Router
    from routekit.interfaces import StreamingBodyReader as StreamingBodyReader
    from routekit.interfaces import Tokenizer as Tokenizer
    from routekit.onnx_classifier import OnnxClassifier as OnnxClassifier
    from routekit.pii import PatternPiiClassifier as PatternPiiClassifier
    from routekit.pii import redact as redact
    from routekit.plugins import hookimpl as hookimpl
    from routekit.policy import Policy as Policy
    from routekit.pools import CostModel as CostModel
    from routekit.pools import PoolRouter as PoolRouter
    from routekit.pools import PoolSpec as PoolSpec
    from routekit.pools import RatioEstimator as RatioEstimator
    from routekit.prediction import Prediction as Prediction
    from routekit.prediction import Span as Span
    from routekit.request import RequestView as RequestView
    from routekit.request import Segment as Segment
    from routekit.route_stream import RouteStream as RouteStream
    from routekit.router import PolicyRouter as PolicyRouter
    from routekit.rule import Rule as Rule
    from routekit.shared_work import sharing_work as sharing_work
    from routekit.side_by_side import classify_side_by_side as classify_side_by_side
    from routekit.tensors import CompressedText as CompressedText
    from routekit.tensors import ModelFiles as ModelFiles
    from routekit.tensors import TokenBatch as TokenBatch
    from routekit.tensors import WindowScores as WindowScores
    from routekit.trace import Budget as Budget
    from routekit.trace import Trace as Trace

#: Module -> public names. The block above says the same to type checkers; a test holds them together.
_EXPORTS = {
    "aio": ("AsyncRouteStream", "AsyncRouter"),
    "body": ("JsonBodyReader", "read_request"),
    "compression": ("Compression", "ExtractiveCompressor", "compress"),
    "decision": ("Action", "Block", "Decision", "Keep", "RouteTo"),
    "errors": (
        "BackendError",
        "BackendNameTaken",
        "BackendNotFound",
        "BackendUnavailable",
        "BadRow",
        "Blocked",
        "BodyError",
        "BodyTimeout",
        "BodyTooLarge",
        "ConfigError",
        "ContextOverflow",
        "InferenceError",
        "MalformedBody",
        "ModelFormatError",
        "Overloaded",
        "PluginLoadError",
        "PolicyError",
        "RoutekitError",
        "UnsupportedBody",
        "UsageError",
    ),
    "expressions": ("Expression", "Signal", "header", "keywords", "metadata", "pattern", "signal"),
    "interfaces": (
        "Backend",
        "Classifier",
        "Compressor",
        "EncoderSession",
        "IncrementalClassifier",
        "Router",
        "StreamingBodyReader",
        "Tokenizer",
    ),
    "pii": ("PatternPiiClassifier", "redact"),
    "onnx_classifier": ("OnnxClassifier",),
    "plugins": ("hookimpl",),
    "policy": ("Policy",),
    "pools": ("CostModel", "PoolRouter", "PoolSpec", "RatioEstimator"),
    "prediction": ("Prediction", "Span"),
    "request": ("RequestView", "Segment"),
    "shared_work": ("sharing_work",),
    "side_by_side": ("classify_side_by_side",),
    "route_stream": ("RouteStream",),
    "router": ("PolicyRouter",),
    "rule": ("Rule",),
    "tensors": ("CompressedText", "ModelFiles", "TokenBatch", "WindowScores"),
    "trace": ("Budget", "Trace"),
}
_MODULE_OF = {name: module for module, names in _EXPORTS.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'routekit' has no attribute {name!r}")
    value = getattr(import_module(f"routekit.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_MODULE_OF]
