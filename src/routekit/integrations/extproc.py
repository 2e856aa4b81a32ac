"""An external processor for Envoy: ``python -m routekit extproc --policy policy.toml --listen 127.0.0.1:9002``.

Judges request bodies in Envoy's ext_proc filter while they arrive, over gRPC; see ``docs/guides/envoy.md``.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial

import grpc
from envoy.service.ext_proc.v3.external_processor_pb2 import DESCRIPTOR, ProcessingRequest, ProcessingResponse
from grpc_health.v1 import health, health_pb2_grpc

from routekit.aio import AsyncRouter
from routekit.body import DEFAULT_MAX_BYTES, JsonBodyReader
from routekit.errors import BodyTimeout, ConfigError, UsageError, quoted
from routekit.integrations.extproc_exchange import Exchange, Judge
from routekit.integrations.extproc_messages import BODY_MODES, Message
from routekit.integrations.pool_table import GatewayPools
from routekit.policy import Policy
from routekit.request_path import GuardedPaths
from routekit.router import PolicyRouter

SERVICE = DESCRIPTOR.services_by_name["ExternalProcessor"].full_name
#: What a message holds beside the part of a body: headers.
_FRAME_BYTES = 1024 * 1024
_MODES = {name.lower().replace("_", "-"): BODY_MODES[name] for name in ("BUFFERED", "STREAMED", "FULL_DUPLEX_STREAMED")}
_Process = Callable[[AsyncIterator[Message], object], AsyncIterator[Message]]
_log = logging.getLogger("routekit.extproc")


def main(argv: Sequence[str]) -> int:
    """Serve until SIGTERM or SIGINT; return the exit status."""
    options = _parser().parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    judge = judge_of(options)
    asyncio.run(_serve(judge, options))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="routekit extproc", description="Serve Envoy's ext_proc filter: judge, block and route LLM requests."
    )
    add = parser.add_argument
    add("--policy", required=True, metavar="FILE", help="policy, .toml or .json")
    add("--pools", metavar="FILE", help="pools behind the models, .toml or .json")
    add("--listen", default="127.0.0.1:9002", metavar="ADDRESS", help="HOST:PORT or unix:PATH; default: %(default)s")
    add("--mode", default="auto", choices=["auto", *_MODES], help="body mode of requests; default: as Envoy says")
    add("--prefix", default="/v1", help="POST requests under it that cannot be judged get 404; default: %(default)s")
    add("--unjudged", action="append", default=[], metavar="PATH", help="passes unjudged; may be repeated")
    add("--max-bytes", type=int, default=DEFAULT_MAX_BYTES, help="larger bodies get 413; default: %(default)s")
    add("--body-seconds", type=float, default=60.0, help="slower bodies get 408; default: %(default)s")
    add("--threads", type=int, default=2, help="classifier calls at a time; default: %(default)s")
    add("--max-queue", type=int, default=1024, help="requests in judgement; more get 503; default: %(default)s")
    add(
        "--signal-timeout",
        action="append",
        default=[],
        metavar="SIGNAL=SECONDS",
        help="the signal fails after it, and on_error of the policy decides; may be repeated",
    )
    add("--drain-seconds", type=float, default=30.0, help="requests may end for so long after SIGTERM")
    return parser


def judge_of(options: argparse.Namespace) -> Judge:
    """Build what judges, from the options of the command line.

    Raises
    ------
    ConfigError
        If a file or an option makes no sense.
    """
    if not options.body_seconds > 0 or not options.drain_seconds >= 0:
        raise ConfigError("--body-seconds must be over 0, --drain-seconds at least 0")
    policy = Policy.load(options.policy)
    for finding in policy.check():
        if finding.severity == "warning":  # for errors the router refuses the policy, and lists them
            _log.warning("policy: %s", finding.message)
    pools = None if options.pools is None else GatewayPools.of(options.pools)
    router = PolicyRouter(
        policy,
        pools=None if pools is None else pools.router,
        reader=partial(JsonBodyReader, max_bytes=options.max_bytes),
    )
    router.warm_up()
    arouter = AsyncRouter(
        router,
        n_threads=options.threads,
        max_queue=options.max_queue,
        signal_timeouts=dict(map(_timeout, options.signal_timeout)),
        drain_seconds=options.drain_seconds,
    )
    paths = GuardedPaths(options.prefix, options.unjudged)
    return Judge(arouter, paths, options.max_bytes, pools, _MODES.get(options.mode))


def _timeout(text: str) -> tuple[str, float]:
    signal_name, _, seconds = text.partition("=")
    try:
        return signal_name, float(seconds)
    except ValueError:
        raise ConfigError(f"--signal-timeout is {quoted(text)}; write it as SIGNAL=SECONDS") from None


def server_of(judge: Judge, body_seconds: float = 60.0) -> tuple[grpc.aio.Server, health.aio.HealthServicer]:
    """Make a server that is not started yet, with the health service beside the processor."""
    limit = judge.max_bytes + _FRAME_BYTES
    # By default gRPC lets two servers share a port in silence.
    limits = [("grpc.max_receive_message_length", limit), ("grpc.max_send_message_length", limit)]
    server = grpc.aio.server(options=[*limits, ("grpc.so_reuseport", 0)])
    handler = grpc.stream_stream_rpc_method_handler(
        _processor(judge, body_seconds),
        request_deserializer=ProcessingRequest.FromString,
        response_serializer=ProcessingResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Process": handler}),))
    healthy = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(healthy, server)
    return server, healthy


def _processor(judge: Judge, body_seconds: float) -> _Process:
    async def process(incoming: AsyncIterator[Message], _: object) -> AsyncIterator[Message]:
        exchange = Exchange(judge)
        deadline = asyncio.get_running_loop().time() + body_seconds
        while not exchange.done:
            try:
                message = await _before(incoming.__anext__(), deadline if exchange.awaits_body else None)
            except StopAsyncIteration:
                return
            except asyncio.TimeoutError:
                yield exchange.refused(BodyTimeout(f"the body did not arrive in {body_seconds:g} s; send it faster"))
                return
            for answer in await exchange.answers(message):
                yield answer

    return process


async def _before(message: Awaitable[Message], deadline: float | None) -> Message:
    if deadline is None:
        return await message
    return await asyncio.wait_for(message, max(0.0, deadline - asyncio.get_running_loop().time()))


async def _serve(judge: Judge, options: argparse.Namespace) -> None:
    server, healthy = server_of(judge, options.body_seconds)
    try:
        port = server.add_insecure_port(options.listen)
    except RuntimeError:
        port = 0
    if not port:
        raise UsageError(f"--listen {quoted(options.listen)} cannot be bound; give a free HOST:PORT or unix:PATH")
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    await server.start()
    print(f"routekit: external processor listens on {options.listen}", file=sys.stderr, flush=True)
    await stop.wait()
    await healthy.enter_graceful_shutdown()
    await server.stop(options.drain_seconds)
    await judge.router.aclose()
    if judge.pools is not None:
        judge.pools.save()
