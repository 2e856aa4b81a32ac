"""Plugins: how backends, classifiers and compressors from other packages get their names.

A plugin is a module (or object) with functions named after the hooks below, under the entry-point group ``routekit``:

    import routekit as rk

    @rk.hookimpl
    def routekit_register_classifiers(register):
        register("toxicity", ToxicityClassifier)      # a class, a function, or "package.module:name" to import late

Plugins are looked for when a name is first needed, never at import. One that fails is reported by
``python -m routekit doctor`` and in the log; the others work. The built-ins are a plugin too, and come first.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import Literal, TypeAlias, Union, cast

import pluggy

from routekit.decision import Decision
from routekit.errors import BackendNameTaken, BackendNotFound, PluginLoadError, RoutekitError, quoted
from routekit.interfaces import Backend, Classifier, Compressor

GROUP = "routekit"
Part: TypeAlias = Literal["backends", "classifiers", "compressors"]
#: What makes an object: something to call without arguments, or where to import that from.
Factory: TypeAlias = Union[Callable[[], object], str]
Register: TypeAlias = Callable[[str, Factory], None]
Listener: TypeAlias = Callable[[Decision], object]
_INTERFACES: Mapping[Part, type] = {"backends": Backend, "classifiers": Classifier, "compressors": Compressor}

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)
_log = logging.getLogger("routekit.plugins")


class HookSpecs:
    """What a plugin may define."""

    @hookspec
    def routekit_register_backends(self, register: Register) -> None:
        """Call ``register(name, factory)`` for every backend."""

    @hookspec
    def routekit_register_classifiers(self, register: Register) -> None:
        """Call ``register(name, factory)`` for every classifier; the name is its signal's name."""

    @hookspec
    def routekit_register_compressors(self, register: Register) -> None:
        """Call ``register(name, factory)`` for every compressor."""

    @hookspec
    def routekit_decision(self, decision: Decision) -> None:
        """Hear of every decision; it holds no prompt text. Called in the thread of the request: be quick."""


class BuiltIns:
    """The plugin that routekit itself is."""

    @hookimpl
    def routekit_register_backends(self, register: Register) -> None:
        register("cpu", "routekit.backends.cpu:CpuBackend")
        register("cuda", "routekit.backends.cuda:CudaBackend")
        register("rocm", "routekit.backends.rocm:RocmBackend")
        register("migraphx", "routekit.backends.migraphx:MigraphxBackend")

    @hookimpl
    def routekit_register_classifiers(self, register: Register) -> None:
        register("jailbreak", partial(_embedded, "jailbreak"))
        register("domain", partial(_embedded, "domain"))
        register("pii", partial(_embedded, "pii"))

    @hookimpl
    def routekit_register_compressors(self, register: Register) -> None:
        register("extractive", "routekit.compression:ExtractiveCompressor")


def _embedded(name: str) -> object:
    return cast("Callable[[str], object]", _imported("routekit.embedded:load"))(name)


@dataclass(slots=True)
class _Registry:
    """What the plugins of one process registered."""

    lock: RLock = field(default_factory=RLock)
    found: bool = False
    factories: dict[Part, dict[str, tuple[str, Factory]]] = field(
        default_factory=lambda: {"backends": {}, "classifiers": {}, "compressors": {}}
    )
    made: dict[tuple[Part, str], object] = field(default_factory=dict)
    listeners: dict[str, Listener] = field(default_factory=dict)
    plugins: list[str] = field(default_factory=list)
    problems: list[PluginLoadError] = field(default_factory=list)


def _installed() -> Iterable[EntryPoint]:
    return entry_points(group=GROUP)


class Plugins:
    """Names, and what stands behind them; each is made once in a process, when it is first asked for.

    Parameters
    ----------
    entry_points
        Gives the entry points to load; default: those installed in the group ``routekit``.
    """

    def __init__(self, entry_points: Callable[[], Iterable[EntryPoint]] = _installed) -> None:
        self._entry_points = entry_points
        self._by_process: dict[int, _Registry] = {}

    def backend(self, name: str) -> Backend:
        """Return a backend; see `classifier`."""
        return cast("Backend", self._made("backends", name))

    def classifier(self, name: str) -> Classifier:
        """Return a classifier.

        Raises
        ------
        BackendNotFound
            If no plugin registers the name; the message lists those that are.
        PluginLoadError
            If its factory fails.
        """
        classifier = cast("Classifier", self._made("classifiers", name))
        if classifier.name != name:
            raise PluginLoadError(
                f"the classifier registered as {quoted(name)} is named {quoted(str(classifier.name))}; they must agree"
            )
        return classifier

    def compressor(self, name: str) -> Compressor:
        """Return a compressor; see `classifier`."""
        return cast("Compressor", self._made("compressors", name))

    def names(self, part: Part) -> tuple[str, ...]:
        """List the registered names, built-ins first."""
        return tuple(self._registry().factories[part])

    def installed(self) -> tuple[str, ...]:
        """List the plugins that were found, those that failed included."""
        return tuple(self._registry().plugins)

    def problems(self) -> tuple[PluginLoadError, ...]:
        """List what went wrong while plugins were loaded."""
        return tuple(self._registry().problems)

    def listeners(self) -> Mapping[str, Listener]:
        """Return the plugins that want to hear of decisions, by plugin name."""
        return self._registry().listeners

    def _made(self, part: Part, name: str) -> object:
        registry = self._registry()
        known = registry.factories[part]
        if name not in known:
            raise BackendNotFound(
                f"no {part[:-1]} {quoted(name)} is installed; known: {', '.join(quoted(n) for n in known) or 'none'}"
            )
        with registry.lock:
            if (part, name) not in registry.made:
                plugin, factory = known[name]
                registry.made[part, name] = _make(part, name, plugin, factory)
            return registry.made[part, name]

    def _registry(self) -> _Registry:
        """The registry of this process: after a fork, locks and sessions of the parent are not reused."""
        registry = self._by_process.setdefault(os.getpid(), _Registry())
        if not registry.found:
            with registry.lock:
                if not registry.found:
                    self._discover(registry)
                    registry.found = True
        return registry

    def _discover(self, registry: _Registry) -> None:
        manager = pluggy.PluginManager(GROUP)
        manager.add_hookspecs(HookSpecs)
        manager.register(BuiltIns(), "built-in")
        registry.plugins.append("built-in")
        for entry in self._entry_points():
            registry.plugins.append(entry.name)
            with _Reported(registry, entry.name):
                manager.register(entry.load(), entry.name)
        for part in registry.factories:
            for hook in getattr(manager.hook, f"routekit_register_{part}").get_hookimpls():
                with _Reported(registry, hook.plugin_name):
                    hook.function(partial(_register, registry, part, hook.plugin_name))
        for hook in manager.hook.routekit_decision.get_hookimpls():
            registry.listeners[hook.plugin_name] = cast("Listener", hook.function)


@cache
def installed_plugins() -> Plugins:
    """Return the plugins of this interpreter's environment."""
    return Plugins()


def notify(listeners: Mapping[str, Listener], decision: Decision) -> None:
    """Tell listeners of a decision; one that raises is logged, by the error's type, and disturbs nothing."""
    for name, listener in listeners.items():
        try:
            listener(decision)
        except Exception as error:
            _log.warning("plugin %s failed in routekit_decision with %s", quoted(name), type(error).__name__)


@dataclass(slots=True)
class _Reported:
    """Turns whatever a plugin raises into a problem that is kept and logged once."""

    registry: _Registry
    plugin: str

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, (Exception, SystemExit)):
            return False
        problem = PluginLoadError(f"plugin {quoted(self.plugin)} failed: {_described(error)}")
        problem.__cause__ = error
        self.registry.problems.append(problem)
        _log.warning("%s", problem)
        return True


def _described(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # a plugin's own error class may fail too; it must not hide the other plugins
        text = "its message cannot be read"
    return f"{type(error).__name__}: {quoted(text, 300)}"


def _register(registry: _Registry, part: Part, plugin: str, name: str, factory: Factory) -> None:
    known = registry.factories[part]
    if name in known:
        raise BackendNameTaken(
            f"{part[:-1]} {quoted(name)} is registered by plugin {quoted(known[name][0])} already; choose another name"
        )
    if not isinstance(name, str) or not name or not (callable(factory) or isinstance(factory, str)):
        raise PluginLoadError("register() takes a name and a class, a function or 'package.module:name'")
    known[name] = (plugin, factory)


def _make(part: Part, name: str, plugin: str, factory: Factory) -> object:
    try:
        maker = _imported(factory) if isinstance(factory, str) else factory
        made = cast("Callable[[], object]", maker)()
    except RoutekitError:
        raise
    except Exception as error:
        raise PluginLoadError(
            f"{part[:-1]} {quoted(name)} of plugin {quoted(plugin)} does not load: {_described(error)}"
        ) from error
    if not isinstance(made, _INTERFACES[part]):
        raise PluginLoadError(
            f"{part[:-1]} {quoted(name)} of plugin {quoted(plugin)} is a {type(made).__name__}; "
            f"allowed: what routekit.{_INTERFACES[part].__name__} says"
        )
    return made


def _imported(target: str) -> object:
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


__all__ = ["BuiltIns", "HookSpecs", "Plugins", "hookimpl", "hookspec", "installed_plugins", "notify"]
