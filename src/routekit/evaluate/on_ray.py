"""The same evaluation on Ray Data, for logs that outgrow one machine; needs the extra `ray`.

A log is cut into shards at line ends, each shard is judged as it would be locally, and the parts are joined by
`Evaluation.merge`. Files are opened where the work is done: they lie on storage that all machines share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias, Union, cast

from routekit.errors import BadRow, UsageError, quoted
from routekit.evaluate.columns import Columns
from routekit.evaluate.evaluation import Evaluation
from routekit.evaluate.provenance import Provenance
from routekit.evaluate.replay import PoolChoice
from routekit.evaluate.request_log import file_source, opened, read_row, rows_of
from routekit.evaluate.row import Entry, Skipped
from routekit.evaluate.row_file import FileEntries, entry_line, entry_of_line, read_provenance, save
from routekit.evaluate.setup import Judged, OnBadRow, Setup, judged_entries
from routekit.interfaces import Classifier
from routekit.policy import Policy

#: Size of a shard: a few minutes of work, and little to do again.
SHARD_BYTES = 32 * 2**20

#: A policy, or what makes the router where the work is done: sessions of encoders do not travel.
MakesRouter: TypeAlias = Union[Policy, Callable[[], Judged]]


@dataclass(frozen=True, slots=True)
class Shard:
    """The lines of a file that begin in ``[start_byte, end_byte)``; a gzipped file is one shard.

    Attributes
    ----------
    first_line
        Number of the first of them in the file.
    """

    path: str
    start_byte: int
    end_byte: int
    first_line: int = 1

    @property
    def name(self) -> str:
        return f"{file_source(Path(self.path))}-{self.start_byte}.jsonl"


@dataclass(frozen=True, slots=True, eq=False)
class _Recipe:
    """What a worker makes its judge of."""

    router: MakesRouter
    classifiers: Sequence[Classifier] | None
    pools: PoolChoice
    signals: tuple[str | Policy, ...]
    columns: Columns
    on_bad_row: OnBadRow
    chunk_bytes: int | None

    def setup(self) -> Setup:
        router = self.router if isinstance(self.router, Policy) else self.router()
        return Setup.of(
            router,
            classifiers=self.classifiers,
            pools=self.pools,
            signals=self.signals,
            chunk_bytes=self.chunk_bytes,
        )


def evaluate_on_ray(
    router: MakesRouter,
    paths: str | Path | Sequence[str | Path],
    *,
    classifiers: Sequence[Classifier] | None = None,
    pools: PoolChoice = None,
    signals: Sequence[str | Policy] = (),
    columns: Columns | None = None,
    on_bad_row: OnBadRow = "raise",
    checkpoint: str | Path | None = None,
    chunk_bytes: int | None = None,
    n_workers: int | None = None,
    shard_bytes: int = SHARD_BYTES,
) -> Evaluation:
    """Run a policy over files on Ray; the numbers are those of a local run, but for latencies.

    Parameters
    ----------
    router
        A policy; or a function without arguments that makes the router, for classifiers that do not travel.
    paths
        Files of JSON lines, gzipped or not, on storage that all machines share.
    checkpoint
        A folder, shared too: each finished shard is saved there, and a later call goes on with those that are
        missing. The rows then stay there.
    n_workers
        Workers of Ray; default: one for each CPU of the cluster.
    shard_bytes
        Bytes of a file that one task judges.

    The other parameters are those of `evaluate`. Ray is started if it does not run.

    Raises
    ------
    ImportError
        Without Ray.
    BadRow
        For the first row that is none, unless they are skipped.
    """
    if not isinstance(router, Policy) and not callable(router):
        kind = type(router).__name__
        raise UsageError(
            f"the router is a {kind}; on Ray give a policy, or a function without arguments that makes one"
        )
    ray_data = _ray_data()
    recipe = _Recipe(router, classifiers, pools, tuple(signals), columns or Columns(), on_bad_row, chunk_bytes)
    setup = recipe.setup()
    shards = _numbered(ray_data, _shards_of(paths, shard_bytes))
    folder = None if checkpoint is None else Path(checkpoint)
    done = [] if folder is None else [shard for shard in shards if _is_done(folder / shard.name, setup.provenance)]
    found = _judged(ray_data, recipe, [shard for shard in shards if shard not in done], folder, n_workers)
    parts = [Evaluation(setup.provenance, entries, pools=setup.pools) for entries in found]
    if folder is not None:
        parts = [Evaluation(setup.provenance, FileEntries(folder / shard.name), pools=setup.pools) for shard in shards]
    empty = Evaluation(setup.provenance, (), pools=setup.pools)
    return empty.merge(*parts)


def _judged(
    ray_data: Any, recipe: _Recipe, shards: Sequence[Shard], folder: Path | None, n_workers: int | None
) -> list[tuple[Entry, ...]]:
    """Judge shards on Ray; give the rows of each, in order, or none where they were saved in a folder."""
    if not shards:
        return []
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    work = ray_data.from_items([asdict(shard) for shard in shards], override_num_blocks=len(shards)).flat_map(
        _ShardJudge,
        fn_constructor_args=(recipe, None if folder is None else str(folder)),
        compute=ray_data.ActorPoolStrategy(min_size=n_workers or 1, max_size=n_workers or max(1, _n_cpus())),
    )
    by_shard: dict[str, list[Entry]] = {}
    for row in work.iter_rows():
        by_shard.setdefault(row["shard"], []).append(entry_of_line(row["entry"]))
    parts = [tuple(sorted(entries, key=lambda entry: entry.key)) for entries in by_shard.values()]
    bad = [entry for entries in parts for entry in entries if isinstance(entry, Skipped)]
    if recipe.on_bad_row == "raise" and bad:
        first = min(bad, key=lambda entry: entry.key)
        raise BadRow(first.source, first.line, first.reason)
    return parts


class _ShardJudge:
    """Lives in a worker of Ray: makes the judge once, and judges shard after shard."""

    def __init__(self, recipe: _Recipe, folder: str | None) -> None:
        self._recipe = recipe
        self._setup = recipe.setup()
        self._folder = None if folder is None else Path(folder)

    def __call__(self, item: dict[str, Any]) -> list[dict[str, Any]]:
        shard = Shard(**item)
        name = f"{shard.path}:{shard.start_byte}"
        try:
            if self._folder is not None:
                save(self._folder / shard.name, self._setup.provenance, self._entries(shard))
                return []
            return [{"shard": name, "entry": entry_line(entry)} for entry in self._entries(shard)]
        except BadRow as bad:  # the first of all shards is raised, where all are known
            return [{"shard": name, "entry": entry_line(Skipped(bad.source, bad.line, bad.reason))}]

    def _entries(self, shard: Shard) -> Iterator[Entry]:
        source = file_source(Path(shard.path))
        with opened(Path(shard.path)) as file:
            rows = rows_of(_ShardLines(file, shard), source, shard.first_line)
            requests = (read_row(source, line, row, self._recipe.columns) for line, row in rows)
            yield from judged_entries(self._setup.judge, requests, self._recipe.on_bad_row)


class _ShardLines:
    """The lines of a shard, read as those of a file."""

    def __init__(self, file: IO[bytes], shard: Shard) -> None:
        self._file, self._end = file, shard.end_byte
        self._is_whole = shard.start_byte == 0 and shard.end_byte < 0
        self._in_line = False
        if shard.start_byte:
            file.seek(shard.start_byte - 1)
            while (piece := file.readline(2**20)) and not piece.endswith(b"\n"):
                pass  # the line that began in the shard before

    def readline(self, size: int = -1, /) -> bytes:
        if not self._in_line and not self._is_whole and self._file.tell() >= self._end:
            return b""
        piece = self._file.readline(size)
        self._in_line = bool(piece) and not piece.endswith(b"\n")
        return piece


def _shards_of(paths: str | Path | Sequence[str | Path], shard_bytes: int) -> list[Shard]:
    if isinstance(paths, (str, Path)):
        paths = [paths]
    files = [Path(path).resolve() for path in paths]
    names = [file_source(file) for file in files]
    if twice := {name for name in names if names.count(name) > 1}:
        raise UsageError(f"two logs are named {quoted(min(twice))}; rename one: rows are told apart by log and line")
    if shard_bytes < 1:
        raise UsageError(f"shard_bytes is {shard_bytes!r}; allowed: from 1")
    return [shard for file in files for shard in _cut(file, shard_bytes)]


def _cut(path: Path, shard_bytes: int) -> Iterator[Shard]:
    with path.open("rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
        size = file.seek(0, 2)
    if zipped:
        yield Shard(str(path), 0, -1)
        return
    for start in range(0, size, shard_bytes):
        yield Shard(str(path), start, min(size, start + shard_bytes))


def _numbered(ray_data: Any, shards: Sequence[Shard]) -> list[Shard]:
    """Find the first line of each shard: count the lines of all, on Ray too."""
    cut = [shard for shard in shards if shard.end_byte >= 0 and shard.start_byte + shard.end_byte > 0]
    if len(cut) == len({shard.path for shard in cut}):
        return list(shards)
    items = [asdict(shard) for shard in shards]
    counts = {
        (row["path"], row["start_byte"]): row["n_lines"] for row in ray_data.from_items(items).map(_n_lines).iter_rows()
    }
    numbered, line, path = [], 1, ""
    for shard in shards:
        line = line if shard.path == path else 1
        numbered.append(Shard(shard.path, shard.start_byte, shard.end_byte, line))
        line, path = line + counts[shard.path, shard.start_byte], shard.path
    return numbered


def _n_lines(item: dict[str, Any]) -> dict[str, Any]:
    shard = Shard(**item)
    n_lines = 0
    with opened(Path(shard.path)) as file:
        if shard.end_byte >= 0:
            lines = _ShardLines(file, shard)
            while piece := lines.readline(2**20):
                n_lines += piece.endswith(b"\n")
    return {"path": shard.path, "start_byte": shard.start_byte, "n_lines": n_lines}


def _is_done(path: Path, provenance: Provenance) -> bool:
    if not path.exists():
        return False
    read_provenance(path).require_same(provenance, f"shard {quoted(path.name)} of the checkpoint")
    return True


def _ray_data() -> Any:
    try:
        import ray.data
    except ImportError as error:
        raise ImportError('engine="ray" needs Ray: pip install "routekit[ray]"') from error
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False)
    return ray.data


def _n_cpus() -> int:
    import ray

    resources: dict[str, float] = cast("Any", ray).cluster_resources()
    return int(resources.get("CPU", 1))
