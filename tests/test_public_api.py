"""The public names, pinned; and what importing them costs."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import routekit as rk

SOURCE = Path(rk.__file__).read_text()
PINNED = [
    "Action",
    "AsyncRouteStream",
    "AsyncRouter",
    "Backend",
    "BackendError",
    "BackendNameTaken",
    "BackendNotFound",
    "BackendUnavailable",
    "BadRow",
    "Block",
    "Blocked",
    "BodyError",
    "BodyTimeout",
    "BodyTooLarge",
    "Budget",
    "Classifier",
    "CompressedText",
    "Compression",
    "Compressor",
    "ConfigError",
    "ContextOverflow",
    "CostModel",
    "Decision",
    "EncoderSession",
    "Expression",
    "ExtractiveCompressor",
    "IncrementalClassifier",
    "InferenceError",
    "JsonBodyReader",
    "Keep",
    "MalformedBody",
    "ModelFiles",
    "ModelFormatError",
    "OnnxClassifier",
    "Overloaded",
    "PatternPiiClassifier",
    "PluginLoadError",
    "Policy",
    "PolicyError",
    "PolicyRouter",
    "PoolRouter",
    "PoolSpec",
    "Prediction",
    "RatioEstimator",
    "RequestView",
    "RouteStream",
    "RouteTo",
    "RoutekitError",
    "Router",
    "Rule",
    "Segment",
    "Signal",
    "Span",
    "StreamingBodyReader",
    "TokenBatch",
    "Tokenizer",
    "Trace",
    "UnsupportedBody",
    "UsageError",
    "WindowScores",
    "classify_side_by_side",
    "compress",
    "header",
    "hookimpl",
    "keywords",
    "metadata",
    "pattern",
    "read_request",
    "redact",
    "sharing_work",
    "signal",
]


def _typed_names() -> list[tuple[str, str]]:
    """(module, name) of every import in the TYPE_CHECKING block."""
    tree = ast.parse(SOURCE)
    block = next(node for node in tree.body if isinstance(node, ast.If))
    found = []
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            assert alias.asname == alias.name, f"{alias.name}: write `import X as X`, which exports it to type checkers"
            found.append(((node.module or "").removeprefix("routekit."), alias.name))
    return found


def test_public_names_are_pinned() -> None:
    assert sorted(rk.__all__) == sorted(PINNED)


def test_type_checkers_see_the_names_that_exist() -> None:
    assert sorted(_typed_names()) == sorted((module, name) for module, names in rk._EXPORTS.items() for name in names)


@pytest.mark.parametrize("name", PINNED)
def test_public_name_can_be_imported_and_is_documented(name: str) -> None:
    value = getattr(rk, name)
    assert value is not None
    if isinstance(value, type):
        assert (value.__doc__ or "").strip(), f"{name} has no docstring"


def test_no_public_name_is_hidden_by_a_module() -> None:
    modules = {path.stem for path in Path(rk.__file__).parent.iterdir()}
    assert not modules & set(PINNED), "importing the module would put it in place of the public name"


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Polisy'"):
        rk.Polisy  # noqa: B018


def _run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_loads_nothing_heavy() -> None:
    program = "import sys, routekit; print(*sorted(m.split('.')[0] for m in sys.modules))"
    loaded = set(_run(program).split())
    assert not loaded & {"numpy", "onnxruntime", "tokenizers", "regex", "orjson", "pluggy", "torch", "grpc", "asyncio"}


def test_routing_needs_no_runtime_of_encoders() -> None:
    program = (
        "import sys, routekit as rk\n"
        "from routekit.testing import chat\n"
        "router = rk.PolicyRouter(rk.Policy([], rk.RouteTo('general')))\n"
        "assert router.route(chat('hi')).model == 'general'\n"
        "print(*sys.modules)\n"
    )
    assert not {"onnxruntime", "tokenizers", "torch"} & set(_run(program).split())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_router_made_before_a_fork_works_in_the_child() -> None:
    program = (
        "import os, sys, routekit as rk\n"
        "from routekit.testing import chat\n"
        "rule = rk.Rule('card', rk.signal('pii').any_of('CREDIT_CARD'), rk.Block(403))\n"
        "router = rk.PolicyRouter(rk.Policy([rule], rk.RouteTo('general')))\n"
        "body = chat('my card is 4111 1111 1111 1111')\n"
        "expected = router.route(body).action\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    again = rk.PolicyRouter(rk.Policy([rule], rk.RouteTo('general')))\n"
        "    os._exit(0 if router.route(body).action == again.route(body).action == expected == 'block' else 1)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    assert _run(program).split() == ["0"]
