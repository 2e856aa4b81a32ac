"""Several classifiers over one request, on a bounded number of threads."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeAlias, Union

from routekit.errors import ConfigError, RoutekitError, UsageError, quoted
from routekit.interfaces import Classifier
from routekit.prediction import Prediction
from routekit.shared_work import sharing_work

#: What a classifier said, or the error it failed with.
Outcome: TypeAlias = Union[list[Prediction], RoutekitError]


def classify_side_by_side(
    classifiers: Sequence[Classifier],
    texts: Sequence[str],
    *,
    n_threads: int = 2,
    executor: Executor | None = None,
) -> dict[str, Outcome]:
    """Run classifiers over the same texts at once; those with the same tokenizer tokenize once.

    Sessions have threads of their own: for the best throughput give each ``n_threads=1`` and let this function use
    the cores.

    Parameters
    ----------
    n_threads
        Classifiers that run at the same time, at least 1; with 1 they run in the caller's thread.
    executor
        Threads to run on instead of a pool made for the call; its size then is the bound.

    Returns
    -------
    name to predictions, or to the error of a classifier that failed: one failure hides no other's verdict. Errors
    that are none of routekit's are raised.

    Raises
    ------
    ConfigError
        If `n_threads` is under 1.
    UsageError
        If two classifiers have the same name.
    """
    names = [classifier.name for classifier in classifiers]
    if n_threads < 1:
        raise ConfigError(f"n_threads is {n_threads}; allowed: at least 1")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two classifiers are named {quoted(twice)}; give each its own signal name")
    with sharing_work():
        if executor is not None:
            outcomes = _on(executor, classifiers, texts)
        elif n_threads == 1 or len(names) < 2:
            outcomes = [_outcome(classifier, texts) for classifier in classifiers]
        else:
            with ThreadPoolExecutor(min(n_threads, len(names)), "routekit-classify") as pool:
                outcomes = _on(pool, classifiers, texts)
    return dict(zip(names, outcomes, strict=True))


def _on(executor: Executor, classifiers: Sequence[Classifier], texts: Sequence[str]) -> list[Outcome]:
    jobs: list[Future[Outcome]] = [executor.submit(copy_context().run, _outcome, c, texts) for c in classifiers]
    return [job.result() for job in jobs]


def _outcome(classifier: Classifier, texts: Sequence[str]) -> Outcome:
    try:
        return classifier.classify(texts)
    except RoutekitError as error:
        return error
