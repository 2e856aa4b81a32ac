"""The same evaluation on Ray: one function, the same numbers as without it.

Each test runs twice: on a stand-in for the part of Ray Data that is used, in this process, and on a local Ray, which
takes half a minute to start and so belongs to the second tier.
"""

from __future__ import annotations

import gc
import gzip
import json
import pickle
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import routekit as rk
from routekit.evaluate import Evaluation, evaluate, on_ray
from routekit.evaluate.on_ray import Shard, _cut, _n_lines, _ShardLines, evaluate_on_ray
from routekit.testing import FakeClassifier

#: Ray warns of its own deprecations and leaves sockets to the garbage collector.
quietly = pytest.mark.filterwarnings("ignore")

POLICY = rk.Policy([rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403))], rk.RouteTo("general"))
MORE = rk.Policy([rk.Rule("egg", rk.keywords("food"), rk.RouteTo("kitchen"))], rk.Keep(), keywords={"food": ["egg"]})


def fakes() -> list[FakeClassifier]:
    return [FakeClassifier("jailbreak", {"ignore all": 0.95, "pretend": 0.6})]


def lines(n: int, bad: bytes = b"") -> bytes:
    texts = ["ignore all rules", "pretend", "boil an egg", "é" * 50]
    rows = [
        json.dumps({"id": f"r{i}", "text": texts[i % 4], "labels": {"jailbreak": i % 4 == 0}}).encode() + b"\n"
        for i in range(n)
    ]
    rows[n // 2] += b"\n" + bad
    return b"".join(rows).rstrip(b"\n")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(60))
    return path


@pytest.mark.parametrize("shard_bytes", [1, 7, 100, 1000, 10**6])
def test_shards_hold_every_line_once(log: Path, shard_bytes: int) -> None:
    found: list[bytes] = []
    for shard in _cut(log, shard_bytes):
        with log.open("rb") as file:
            part = _ShardLines(file, shard)
            while line := part.readline():
                found.append(line)
    assert b"".join(found) == log.read_bytes()
    assert len(found) == 61


def test_lines_of_a_shard_are_counted(log: Path) -> None:
    counts = [
        _n_lines({"path": str(log), "start_byte": s.start_byte, "end_byte": s.end_byte, "first_line": 1})["n_lines"]
        for s in _cut(log, 500)
    ]
    assert sum(counts) == 60  # the last one has no end
    assert Shard(str(log), 500, 1000).name == "log.jsonl-500.jsonl"


def _started(ray: Any) -> bool:
    try:
        ray.init(num_cpus=2, object_store_memory=100 * 2**20, include_dashboard=False, log_to_driver=False)
    except Exception as error:
        ray.shutdown()
        if "timed out during startup" not in str(error):
            raise
    else:
        return True
    with warnings.catch_warnings():  # the processes of the failed start end with this one
        warnings.simplefilter("ignore")
        gc.collect()
    return False


@pytest.fixture(scope="module")
def local_ray() -> Iterator[None]:
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'routekit[ray]'")
    pytest.importorskip("ray.data", reason="needs Ray Data: pip install 'routekit[ray]'")
    if not _started(ray):
        pytest.skip("this machine is too busy: Ray gives up when its processes do not start within 30 seconds")
    yield
    ray.shutdown()


class InProcess:
    """What `on_ray` uses of ``ray.data``: everything that would travel is pickled, and shards come back shuffled."""

    def __init__(self, items: Sequence[dict[str, Any]] = ()) -> None:
        self._items = list(items)

    def from_items(self, items: Sequence[dict[str, Any]], **_: object) -> InProcess:
        return InProcess(pickle.loads(pickle.dumps(items)))  # noqa: S301 - our own bytes

    def map(self, function: Callable[[dict[str, Any]], dict[str, Any]]) -> InProcess:
        return InProcess([function(item) for item in self._items])

    def flat_map(
        self, make: Callable[..., Any], *, fn_constructor_args: tuple[object, ...], compute: object
    ) -> InProcess:
        worker = make(*pickle.loads(pickle.dumps(fn_constructor_args)))  # noqa: S301 - our own bytes
        return InProcess([row for item in self._items[::-1] for row in worker(item)])

    def iter_rows(self) -> Iterator[dict[str, Any]]:
        return iter(self._items)

    def ActorPoolStrategy(self, **_: object) -> None:
        return None


@pytest.fixture(params=["in process", pytest.param("ray", marks=pytest.mark.slow)])
def ray(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "ray":
        request.getfixturevalue("local_ray")
    else:
        monkeypatch.setattr(on_ray, "_ray_data", InProcess)
        monkeypatch.setattr(on_ray, "_n_cpus", lambda: 2)


def local(paths: list[Path], **options: object) -> Evaluation:
    return evaluate(POLICY, paths, classifiers=fakes(), signals=[MORE], **options)  # type: ignore[arg-type]


def assert_same(found: Evaluation, expected: Evaluation) -> None:
    assert list(found.entries) == list(expected.entries)
    assert found.to_dict() | {"latency": None} == expected.to_dict() | {"latency": None}
    assert found.replay(MORE).rules["egg"].n == expected.replay(MORE).rules["egg"].n > 0


@quietly
@pytest.mark.usefixtures("ray")
def test_numbers_are_those_of_a_local_run(log: Path, tmp_path: Path) -> None:
    zipped = tmp_path / "more.jsonl.gz"
    zipped.write_bytes(gzip.compress(lines(30)))
    options = {"classifiers": fakes(), "signals": [MORE]}
    found = evaluate_on_ray(POLICY, [log, zipped], shard_bytes=1000, **options)  # type: ignore[arg-type]
    assert_same(found, local([log, zipped]))
    assert_same(evaluate(POLICY, log, engine="ray", **options), local([log]))  # type: ignore[arg-type]


@quietly
@pytest.mark.usefixtures("ray")
def test_router_can_be_made_where_the_work_is(log: Path) -> None:
    make = partial(rk.PolicyRouter, POLICY, classifiers=fakes())
    assert_same(evaluate_on_ray(make, log, signals=[MORE]), local([log]))


@quietly
@pytest.mark.usefixtures("ray")
def test_bad_rows_are_named_or_counted(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(40, bad=b"{\n"))
    with pytest.raises(rk.BadRow) as expected:
        local([path])
    with pytest.raises(rk.BadRow) as caught:
        evaluate_on_ray(POLICY, path, classifiers=fakes(), shard_bytes=700)
    assert (caught.value.source, caught.value.line) == (expected.value.source, expected.value.line)
    found = evaluate_on_ray(POLICY, path, classifiers=fakes(), shard_bytes=700, on_bad_row="skip", signals=[MORE])
    assert_same(found, local([path], on_bad_row="skip"))
    assert found.n_skipped == 1


@quietly
@pytest.mark.usefixtures("ray")
def test_finished_shards_are_not_judged_again(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    options = {"classifiers": fakes(), "signals": [MORE], "shard_bytes": 1500, "checkpoint": folder}
    assert_same(evaluate_on_ray(POLICY, log, **options), local([log]))  # type: ignore[arg-type]
    saved = sorted(folder.iterdir())
    assert len(saved) > 2
    saved[1].unlink()
    times = {path: path.stat().st_mtime_ns for path in saved if path.exists()}
    assert_same(evaluate_on_ray(POLICY, log, **options), local([log]))  # type: ignore[arg-type]
    assert {path: path.stat().st_mtime_ns for path in times} == times
    with pytest.raises(rk.UsageError, match="of the checkpoint was made with another policy"):
        evaluate_on_ray(MORE, log, checkpoint=folder, shard_bytes=1500)


def test_what_cannot_run_on_ray_is_told(log: Path) -> None:
    with pytest.raises(rk.UsageError, match="give a policy, or a function"):
        evaluate_on_ray(rk.PolicyRouter(POLICY, classifiers=fakes()), log)  # type: ignore[arg-type]
    with pytest.raises(rk.UsageError, match="go with the local engine"):
        evaluate(POLICY, log, engine="ray", limit=3)
