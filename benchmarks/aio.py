"""How long an event loop is held up while 1 MB requests are judged, and what judging costs beside the sync router.

    python benchmarks/aio.py

A task sleeps for a millisecond, over and over; what it oversleeps is the delay of the event loop. `idle` is the same
loop with nothing to do, in the same run: on a busy machine much of a delay is the machine's. `in the loop` is what
happens when the sync router is called from a coroutine. Embedded classifiers for jailbreak, PII and domain, all of
which read the whole text. Times of requests are CPU time of the process.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import routekit as rk
from record import save
from routekit.testing import chat, chunked

sys.path.append(str(Path(__file__).parents[1] / "tests"))

N_ROUNDS, N_CONCURRENT = 5, 4
CHUNK_BYTES = 64 * 1024
TICK_SECONDS = 0.001


def body(n_bytes: int, seed: int = 3) -> bytes:
    """A prompt of pronounceable words that decides nothing before its end."""
    rng = random.Random(seed)
    words = ["".join(rng.choice(("ba", "ne", "ri", "to", "lu", "ska", "men")) for _ in range(3)) for _ in range(3000)]
    return chat(" ".join(rng.choice(words) for _ in range(n_bytes // 7))[:n_bytes])


def router() -> rk.PolicyRouter:
    jailbreak, pii, domain = rk.signal("jailbreak"), rk.signal("pii"), rk.signal("domain")
    rules = [
        rk.Rule("attack", jailbreak >= 0.99999, rk.Block(403)),
        rk.Rule("home", pii.any_of("CREDIT_CARD"), rk.RouteTo("onprem")),
        rk.Rule("math", domain["math"] >= 0.99, rk.RouteTo("math")),
    ]
    return rk.PolicyRouter(rk.Policy(rules, rk.RouteTo("general")))


async def delays_during(work: Awaitable[object]) -> list[float]:
    """Oversleeping of a task that sleeps for a millisecond, in milliseconds, while `work` runs."""
    delays: list[float] = []

    async def tick() -> None:
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(TICK_SECONDS)
            delays.append((time.perf_counter() - begun - TICK_SECONDS) * 1000)

    ticking = asyncio.ensure_future(tick())
    await asyncio.sleep(0.02)
    delays.clear()
    await work
    await asyncio.sleep(2 * TICK_SECONDS)  # a loop that was held up has its last delay yet to see
    ticking.cancel()
    return delays


async def measured(work: Callable[[], Awaitable[object]], n_requests: int) -> tuple[list[float], float]:
    begun = time.process_time()
    delays = await delays_during(work())
    return delays, (time.process_time() - begun) / n_requests * 1000


async def streamed(arouter: rk.AsyncRouter, whole: bytes) -> rk.Decision:
    stream = arouter.open()
    for chunk in chunked(whole, CHUNK_BYTES):
        await stream.feed(chunk)
    return await stream.finish()


async def compared(judge: rk.PolicyRouter, whole: bytes) -> dict[str, dict[str, float]]:
    async def in_the_loop() -> None:
        judge.route(whole)

    async with rk.AsyncRouter(judge) as arouter:
        await arouter.warm_up()
        ways: dict[str, tuple[Callable[[], Awaitable[object]], int]] = {
            "idle": (lambda: asyncio.sleep(0.5), 1),
            "in the loop": (in_the_loop, 1),
            "route, one": (lambda: arouter.route(whole), 1),
            "route, four": (lambda: asyncio.gather(*(arouter.route(whole) for _ in range(N_CONCURRENT))), N_CONCURRENT),
            "stream, four": (
                lambda: asyncio.gather(*(streamed(arouter, whole) for _ in range(N_CONCURRENT))),
                N_CONCURRENT,
            ),
        }
        rounds = [{name: await measured(work, n) for name, (work, n) in ways.items()} for _ in range(N_ROUNDS)]
    return {name: summary([found[name] for found in rounds]) for name in ways}


def summary(rounds: list[tuple[list[float], float]]) -> dict[str, float]:
    delays = sorted(delay for found, _ in rounds for delay in found)
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    found = {f"delay_ms_{name}": round(delays[int(share * (len(delays) - 1))], 2) for name, share in shares.items()}
    cpu = statistics.median(cpu for _, cpu in rounds)
    return {**found, "delay_ms_max": round(delays[-1], 2), "cpu_ms_per_request": round(cpu, 1), "n_ticks": len(delays)}


def small_requests(judge: rk.PolicyRouter, n: int = 1000) -> dict[str, float]:
    """CPU microseconds for a request of a few words, alone and many at a time."""
    whole = chat("What is the capital of France, and since when?")

    async def many(arouter: rk.AsyncRouter) -> float:
        async def task() -> None:
            for _ in range(n // 50):
                await arouter.route(whole)

        begun = time.process_time()
        await asyncio.gather(*(task() for _ in range(50)))
        return (time.process_time() - begun) / n * 1e6

    async def main() -> list[float]:
        async with rk.AsyncRouter(judge) as arouter:
            return [await many(arouter) for _ in range(N_ROUNDS)]

    sync = []
    for _ in range(N_ROUNDS):
        begun = time.process_time()
        for _ in range(n):
            judge.route(whole)
        sync.append((time.process_time() - begun) / n * 1e6)
    return {"sync": round(statistics.median(sync), 1), "async": round(statistics.median(asyncio.run(main())), 1)}


def encoder_tier(n: int = 64, n_tokens: int = 64) -> dict[str, float] | None:
    """Requests per second through an encoder, one by one and all at once; None without onnxruntime and onnx."""
    try:
        from encoder_models import save as save_encoder
        from encoders_serving import texts_of
    except ImportError:
        return None
    with TemporaryDirectory() as folder:
        path = save_encoder(Path(folder) / "bert", "bert", n_positions=512, hidden=192, n_layers=3, n_heads=6)
        classifier = rk.OnnxClassifier.from_dir(path, signal="risk", n_threads=1)
        label = classifier.labels[0]
        rule = rk.Rule("risk", rk.signal("risk")[label] >= 0.999, rk.Block(403))
        judge = rk.PolicyRouter(rk.Policy([rule], rk.RouteTo("general")), classifiers=[classifier])
        bodies = [chat(text) for text in texts_of(classifier, n, n_tokens)]
        rounds = [(serial(judge, bodies), asyncio.run(at_once(judge, bodies))) for _ in range(N_ROUNDS)]
    return {
        "serial_per_second": round(n / statistics.median(s for s, _ in rounds), 1),
        "async_per_second": round(n / statistics.median(a for _, a in rounds), 1),
        "async_throughput_serial_is_1": round(statistics.median(s / a for s, a in rounds), 2),
    }


def serial(judge: rk.PolicyRouter, bodies: list[bytes]) -> float:
    begun = time.perf_counter()
    for whole in bodies:
        judge.route(whole)
    return time.perf_counter() - begun


async def at_once(judge: rk.PolicyRouter, bodies: list[bytes]) -> float:
    async with rk.AsyncRouter(judge, n_threads=2, max_batch=16) as arouter:
        await arouter.warm_up()
        begun = time.perf_counter()
        await asyncio.gather(*(arouter.route(whole) for whole in bodies))
        return time.perf_counter() - begun


def main() -> None:
    judge = router()
    judge.warm_up()
    found = asyncio.run(compared(judge, body(1_000_000)))
    print(f"{'1 MB requests':14}{'p50 ms':>9}{'p95':>9}{'p99':>9}{'max':>9}{'CPU ms':>9}")
    for name, row in found.items():
        print(f"{name:14}" + "".join(f"{value:>9}" for key, value in row.items() if key != "n_ticks"))
    small = small_requests(judge)
    print(f"small requests: {small['sync']} us of CPU sync, {small['async']} us async")
    encoder = encoder_tier()
    if encoder is not None:
        print("encoder, 64 requests of 64 tokens: " + ", ".join(f"{name} {value}" for name, value in encoder.items()))
    print(save("aio", {"event_loop": found, "small_request_cpu_microseconds": small, "encoder": encoder}))


if __name__ == "__main__":
    main()
