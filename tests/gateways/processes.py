"""Servers that tests start, and that are gone when they end, however they end."""

from __future__ import annotations

import http.client
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

READY_SECONDS = 180.0


def free_port() -> int:
    """Find a port on loopback that nobody uses."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def running(
    command: Sequence[str | Path], log: Path, environment: Mapping[str, str], *, port: int, path: str | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server while the block lasts; it has begun when its port is open, or answers 200 to a path.

    Raises
    ------
    RuntimeError
        If it ends, or is not ready in time; with the end of its log.
    """
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=dict(environment))
    try:
        _await(process, log, port, path)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await(process: subprocess.Popen[bytes], log: Path, port: int, path: str | None) -> None:
    until = time.monotonic() + READY_SECONDS
    while not _answers(port, path):
        if process.poll() is not None or time.monotonic() > until:
            state = "is not ready" if process.poll() is None else f"ended with {process.returncode}"
            raise RuntimeError(f"{process.args!r} {state}:\n{log.read_text(errors='replace')[-3000:]}")
        time.sleep(0.1)


def _answers(port: int, path: str | None) -> bool:
    try:
        if path is None:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return True
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        finally:
            connection.close()
    except (OSError, http.client.HTTPException):
        return False
