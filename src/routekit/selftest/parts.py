"""The parts of a self-test, each in a process of its own; one that breaks does not stop the others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from routekit.errors import BackendNotFound, BackendUnavailable, PluginLoadError, RoutekitError, UsageError
from routekit.execution_provider import import_runtime, refuse_missing_libraries
from routekit.plugins import installed_plugins
from routekit.selftest.agreement import Agreement, check_encoder, check_model
from routekit.selftest.attention_grid import GridResult, attention_cases, check_attention
from routekit.selftest.graphs import Graphs, built_graphs
from routekit.selftest.isolation import run_apart
from routekit.selftest.latency import Classifiers, LatencyRow, failed_rows, measure_length
from routekit.selftest.loading import Limits
from routekit.selftest.report import Report, this_machine
from routekit.selftest.subject import Subject, provider_of

Result = TypeVar("Result")
#: Texts of up to this many tokens are checked against the float64 reference.
_LONGEST_FOR_OP = 32768


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run.

    Attributes
    ----------
    size
        Of the encoder, a key of `routekit.selftest.encoder.SHAPES`.
    lengths, concurrency
        Of the latency table, in tokens and in requests; ascending.
    n_classifiers
        That read every text of that table.
    compared
        Lengths at which logits are compared, in tokens.
    models
        Model directories to compare too.
    timeout_seconds
        For each part.
    """

    subject: Subject
    size: str
    lengths: tuple[int, ...]
    concurrency: tuple[int, ...]
    n_classifiers: int
    compared: tuple[int, ...]
    models: tuple[str, ...]
    limits: Limits
    timeout_seconds: float
    quick: bool


def run_parts(plan: Plan) -> Report:
    """Run everything.

    Raises
    ------
    BackendUnavailable, BackendNotFound, PluginLoadError
        If the backend cannot run here.
    """
    parts = _Parts(plan)
    attention = parts.run("attention", check_device_and_op, plan.subject, plan.lengths[-1], plan.quick)
    with TemporaryDirectory(prefix="routekit-selftest-") as folder:
        graphs = parts.run("encoder", built_graphs, plan.subject, plan.size, Path(folder))
        agreements = parts.agreements(graphs)
        latency = () if graphs is None else tuple(row for n in plan.lengths for row in parts.latency(graphs, n))
    return Report(plan.subject, this_machine(), _settings(plan), attention, agreements, latency, parts.broken)


def _settings(plan: Plan) -> dict[str, object]:
    settings: dict[str, object] = {"encoder": plan.size, "precision": plan.subject.precision}
    settings["classifiers"] = plan.n_classifiers
    settings["threads"] = plan.limits.n_threads or "default"
    if plan.subject.has_arena:
        settings["arena_bytes"] = plan.limits.gpu_bytes or "no limit"
    return settings


def check_device_and_op(subject: Subject, longest: int, quick: bool) -> GridResult | None:
    """Insist on the device and its libraries; check the op, where the subject has it."""
    provider = provider_of(installed_plugins().backend(subject.backend))
    if provider is None:
        return None
    refuse_missing_libraries(import_runtime(provider), provider)
    if not subject.has_op:
        return None
    cases = list(attention_cases([min(longest, _LONGEST_FOR_OP)], quick=quick))
    return check_attention(provider, subject.dtype, cases)


@dataclass(frozen=True, slots=True)
class _Parts:
    """Runs parts and remembers which broke, and why."""

    plan: Plan
    broken: dict[str, str] = field(default_factory=dict)

    def run(self, name: str, function: Callable[..., Result], *arguments: object) -> Result | None:
        """Run one part; None when it broke."""
        print(f"routekit selftest: {name} ...", file=sys.stderr, flush=True)
        try:
            return run_apart(function, *arguments, timeout_seconds=self.plan.timeout_seconds)
        except (BackendUnavailable, BackendNotFound, PluginLoadError, UsageError):
            raise
        except RoutekitError as error:
            self.broken[name] = str(error)
            return None

    def agreements(self, graphs: Graphs | None) -> tuple[Agreement, ...]:
        plan, found = self.plan, []
        if graphs is not None:
            found.append(self.run("agreement", check_encoder, plan.subject, graphs, plan.compared, plan.limits))
        for i, model in enumerate(plan.models):
            name = f"agreement of model {i + 1}"
            found.append(self.run(name, check_model, plan.subject, model, plan.compared, plan.limits))
        return tuple(agreement for agreement in found if agreement is not None)

    def latency(self, graphs: Graphs, n_tokens: int) -> tuple[LatencyRow, ...]:
        """Measure one length; its rows carry the reason where it broke."""
        plan, name = self.plan, f"latency of {n_tokens} tokens"
        classifiers = Classifiers(graphs.tested, graphs.n_vocabulary, plan.n_classifiers)
        rows = self.run(name, measure_length, plan.subject, classifiers, n_tokens, plan.concurrency, plan.limits)
        return failed_rows(n_tokens, plan.concurrency, self.broken.pop(name)) if rows is None else rows
