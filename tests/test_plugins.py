"""Plugins: found late, made once, and none can break another."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

import routekit as rk
from routekit.plugins import Plugins, Register, hookimpl, notify
from routekit.testing import FakeBackend, FakeClassifier, chat

EXAMPLE = Path(__file__).parents[1] / "examples" / "acme_plugin"


class Entry:
    """An entry point that gives what it was made with, or raises it."""

    def __init__(self, name: str, plugin: object) -> None:
        self.name = name
        self._plugin = plugin

    def load(self) -> object:
        if isinstance(self._plugin, BaseException):
            raise self._plugin
        return self._plugin


def plugins(**found: object) -> Plugins:
    entries: Callable[[], Iterable[EntryPoint]] = lambda: [Entry(n, p) for n, p in found.items()]  # type: ignore[misc] # noqa: E731
    return Plugins(entries)


def classifiers(**made: object) -> object:
    @hookimpl
    def routekit_register_classifiers(register: Register) -> None:
        for name, factory in made.items():
            register(name, factory)  # type: ignore[arg-type]

    return SimpleNamespace(routekit_register_classifiers=routekit_register_classifiers)


def test_names_of_built_ins_come_first() -> None:
    assert plugins().names("backends")[:2] == ("cpu", "cuda")
    assert plugins(acme=classifiers(mood=lambda: FakeClassifier("mood", {}))).names("classifiers")[-1] == "mood"


def test_classifier_is_made_once_and_when_first_asked_for() -> None:
    made: list[FakeClassifier] = []

    def make() -> FakeClassifier:
        made.append(FakeClassifier("mood", {"sad": 0.9}))
        return made[-1]

    found = plugins(acme=classifiers(mood=make))
    assert "mood" in found.names("classifiers")
    assert not made
    assert found.classifier("mood") is found.classifier("mood")
    assert len(made) == 1


def test_unknown_name_lists_what_is_known() -> None:
    with pytest.raises(rk.BackendNotFound, match="no backend 'tpu' is installed; known: 'cpu', 'cuda'"):
        plugins().backend("tpu")


class Speechless(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("problem", [ImportError("no such module"), ValueError("x"), SystemExit(3), Speechless()])
def test_broken_plugin_is_reported_and_hides_nothing(problem: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    found = plugins(broken=problem, acme=classifiers(mood=lambda: FakeClassifier("mood", {})))
    assert found.classifier("mood").name == "mood"
    assert found.installed() == ("built-in", "broken", "acme")
    [reported] = found.problems()
    assert isinstance(reported, rk.PluginLoadError)
    assert "plugin 'broken' failed: " + type(problem).__name__ in str(reported)
    assert len(caplog.records) == 1


def test_hook_that_raises_is_reported_and_hides_nothing() -> None:
    @hookimpl
    def routekit_register_classifiers(register: Register) -> None:
        register("before", lambda: FakeClassifier("before", {}))
        raise RuntimeError("halfway")

    broken = SimpleNamespace(routekit_register_classifiers=routekit_register_classifiers)
    found = plugins(broken=broken, acme=classifiers(mood=lambda: FakeClassifier("mood", {})))
    assert {"before", "mood", "jailbreak"} <= set(found.names("classifiers"))
    assert "RuntimeError" in str(found.problems()[0])


def test_name_that_is_taken_stays_with_the_first() -> None:
    found = plugins(acme=classifiers(pii=lambda: FakeClassifier("pii", {})))
    assert found.classifier("pii").name == "pii"
    assert "BackendNameTaken" in str(found.problems()[0])
    assert isinstance(found.problems()[0].__cause__, rk.BackendNameTaken)


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        ("no.such.module:Thing", "ModuleNotFoundError"),
        ("routekit.testing:NoSuchThing", "AttributeError"),
        (lambda: FakeClassifier("other", {}), "named 'other'; they must agree"),
        (lambda: None, "is a NoneType; allowed: what routekit.Classifier says"),
        (dict, "is a dict; allowed: what routekit.Classifier says"),
    ],
)
def test_factory_that_fails_is_named(factory: object, message: str) -> None:
    with pytest.raises(rk.PluginLoadError, match=message):
        plugins(acme=classifiers(mood=factory)).classifier("mood")


def test_listener_hears_of_decisions_and_may_fail() -> None:
    heard: list[str] = []

    @hookimpl
    def routekit_decision(decision: rk.Decision) -> None:
        heard.append(decision.rule)
        raise ValueError("secret")

    found = plugins(acme=SimpleNamespace(routekit_decision=routekit_decision))
    router = rk.PolicyRouter(rk.Policy([], rk.Keep()), plugins=found)
    router.route(chat("hi"))
    stream = router.open()
    stream.feed(chat("hi"))
    stream.finish()
    assert heard == ["default", "default"]
    notify({}, router.route(chat("hi")))


def test_signal_of_a_plugin_is_found_by_its_name() -> None:
    found = plugins(acme=classifiers(mood=lambda: FakeClassifier("mood", {"sad": 0.9})))
    policy = rk.Policy([rk.Rule("sad", rk.signal("mood").fires(), rk.RouteTo("kind"))], rk.RouteTo("general"))
    assert rk.PolicyRouter(policy, plugins=found).route(chat("so sad")).model == "kind"


def test_given_classifier_takes_the_place_of_an_installed_one() -> None:
    policy = rk.Policy([rk.Rule("r", rk.signal("pii").any(), rk.Block())], rk.Keep())
    fake = FakeClassifier("pii", {"secret": 0.9})
    assert rk.PolicyRouter(policy, classifiers=[fake]).route(chat("secret")).action == "block"


def test_backend_of_a_plugin_is_found_by_its_name() -> None:
    @hookimpl
    def routekit_register_backends(register: Register) -> None:
        register("fake", lambda: FakeBackend([0.0, 1.0]))

    found = plugins(acme=SimpleNamespace(routekit_register_backends=routekit_register_backends))
    assert found.backend("fake").name == "fake"


def test_example_plugin_installs_and_works(tmp_path: Path) -> None:
    """The package is built and installed like any other, without the network."""
    site, source = tmp_path / "site", tmp_path / "source"
    _copied(EXAMPLE, source)
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*install, "--disable-pip-version-check", "--target", site, source], check=True, capture_output=True)
    program = (
        "import routekit as rk, acme_routekit\n"
        "from routekit.checks import check_classifier\n"
        "from routekit.plugins import installed_plugins\n"
        "from routekit.testing import chat\n"
        "rule = rk.Rule('loud', rk.signal('shouting').fires(), rk.RouteTo('calming'))\n"
        "router = rk.PolicyRouter(rk.Policy([rule], rk.RouteTo('general')))\n"
        "models = [router.route(chat(text)).model for text in ('WHY NOT', 'please')]\n"
        "print(*models, acme_routekit.decisions['route'])\n"
        "check_classifier(installed_plugins().classifier('shouting'))\n"
        "print(installed_plugins().backend('uniform').name, installed_plugins().problems())\n"
    )
    path = os.pathsep.join([str(site), str(Path(rk.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split("\n")[:2] == ["calming general 2", "uniform ()"], done.stderr


def _copied(source: Path, target: Path) -> None:
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.suffix in (".py", ".toml", ".md"):
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
