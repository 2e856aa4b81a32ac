"""Running a function in a process of its own: a driver that aborts or hangs must not take the report with it.

Memory is also measured honestly only in a process that did nothing else before.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, TypeVar

from routekit.errors import InferenceError, RoutekitError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

Result = TypeVar("Result")


def run_apart(function: Callable[..., Result], *arguments: object, timeout_seconds: float) -> Result:
    """Call a function of a module in a new process and return its result.

    Raises
    ------
    RoutekitError
        The one that the function raised.
    InferenceError
        If it raised anything else, died, or took longer than allowed.
    """
    context = get_context("spawn")  # a forked child would inherit threads and devices half alive
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_call, args=(sender, function, arguments), daemon=True)
    process.start()
    sender.close()
    try:
        outcome = _received(receiver, process, timeout_seconds)
    finally:
        process.kill()  # its answer is here: tearing a device down may hang
        process.join()
        receiver.close()
    if isinstance(outcome, Exception):
        raise outcome
    result: Result = outcome
    return result


def _call(sender: Connection, function: Callable[..., object], arguments: tuple[object, ...]) -> None:
    try:
        outcome = function(*arguments)
    except RoutekitError as error:
        outcome = error
    except Exception as error:  # whatever a driver's binding raises
        outcome = InferenceError(f"{type(error).__name__}: {ascii(' '.join(str(error).split())[:300])[1:-1]}")
    sender.send(outcome)
    sender.close()


def _received(receiver: Connection, process: SpawnProcess, timeout_seconds: float) -> Any:
    if not receiver.poll(timeout_seconds):
        return InferenceError(f"no answer within {timeout_seconds:.0f} seconds; allow more with --timeout")
    try:
        return receiver.recv()
    except EOFError:
        process.join()
        return InferenceError(f"the process died: {_death(process.exitcode)}")


def _death(exit_code: int | None) -> str:
    if exit_code is None or exit_code >= 0:
        return f"exit status {exit_code}"
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = f"signal {-exit_code}"
    return f"{name}, likely out of memory" if name == "SIGKILL" else name
