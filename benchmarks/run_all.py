"""The staged table of one request through three classifiers, and what each stage costs and keeps: docs/performance.md.

    python benchmarks/make_encoder.py encoder.onnx                      # with torch and transformers
    python benchmarks/run_all.py encoder.onnx --data ../shared/data --peer-python PYTHON

The encoder has the size of mmBERT-base and random weights, which no timing sees. Every row is a process of its own: CPU
seconds and peak memory, one core; several requests at once are seconds of the clock. Verdicts are compared on the
encoder that ships; what rewriting and compression keep of them is quoted from the results of `precision_agreement.py`
and `compression.py`. ``--parts``, ``--only`` and ``--lengths`` measure some rows and keep the others of the last run;
``--quick`` tries it all on short texts and saves nothing. The tables of the page are written at the end, and by
``python benchmarks/performance_page.py``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from encoders import CHILD
from performance_page import write_page
from record import RESULTS, commit, machine, save
from request_stages import body_of, english
from routekit import JsonBodyReader
from routekit.embedded import missing
from routekit.graph import rewrite
from stage_agreement import measure
from three_classifiers import N_CLASSIFIERS, train_tokenizer

LENGTHS = (512, 2048, 8192, 16384, 32768)
#: Stage -> longest text that it is measured at; the masks of stock graphs take 17 GB at 8192 tokens.
LONGEST = {
    "stock": 8192,
    "stock, first 512": 8192,
    "stock, compressed": 8192,
    "fp32": 8192,
    "int16": 16384,
    "int8": 32768,
    "int8, compressed": 32768,
    "int8, compressed, streamed": 32768,
    "encoder that ships, whole text": 32768,
    "cascade, names too": 32768,
    "cascade": 32768,
    "linear": 32768,
}
#: Stages that need the weights of the encoder that ships.
EMBEDDED = ("encoder that ships, whole text", "cascade, names too", "cascade")
#: Stage -> longest text that several requests at once are measured at.
CONCURRENT = {"stock, first 512": 512, "int8, compressed, streamed": 32768, "cascade": 32768, "linear": 32768}
N_REQUESTS = (1, 10, 20)
PARTS = ("stages", "concurrent", "peers", "bodies", "agreement", "quoted")

#: What tells apart the rows of one part.
IDENTITY = ("stage", "engine", "way", "signal", "reference", "n_tokens", "n_requests")

Rows = list[dict[str, Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--peer-python", help="an interpreter with openvino and torch")
    parser.add_argument("--embedded-fp32", type=Path, help="the folder of the encoder that ships, before quantisation")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--only", nargs="+", choices=LONGEST, default=tuple(LONGEST), help="stages to measure")
    parser.add_argument("--lengths", nargs="+", type=int, default=LENGTHS)
    parser.add_argument("--documents", type=int, default=160, help="for each signal")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.lengths, arguments.documents = (512, 1024), 6
    found = {} if arguments.quick else _last()
    with tempfile.TemporaryDirectory() as folder:
        if not set(arguments.parts) <= {"agreement", "quoted"}:
            prepare(arguments.encoder, Path(folder), _graphs(arguments))
        for part in arguments.parts:
            for row in _MEASURE[part](arguments, Path(folder)):
                print(
                    " ".join(f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()), flush=True
                )
                found[part] = _merged(found.get(part, []), {**row, "commit": commit()})
                if not arguments.quick:
                    save("run_all", found, ["numpy", "onnx", "onnxruntime", "orjson", "tokenizers"])
    if not arguments.quick:
        write_page(found)


def _last() -> dict[str, Rows]:
    path = RESULTS / "run_all.json"
    last: dict[str, Rows] = json.loads(path.read_text())["results"] if path.exists() else {}
    return last


def _merged(rows: Rows, row: dict[str, Any]) -> Rows:
    """Put a row in place of the one that measured the same before, or behind all."""
    same = [i for i, other in enumerate(rows) if all(other.get(key) == row.get(key) for key in IDENTITY)]
    return [row if i in same else other for i, other in enumerate(rows)] + ([] if same else [row])


def _graphs(arguments: argparse.Namespace) -> list[str]:
    """List the graphs that the chosen stages need; the stock one always, for its tokenizer."""
    stages = arguments.only if "stages" in arguments.parts else ()
    stages = (*stages, *(CONCURRENT if "concurrent" in arguments.parts else ()))
    return [
        "stock",
        *(graph for graph in ("fp32", "int16", "int8") if any(stage.startswith(graph) for stage in stages)),
    ]


def prepare(encoder: Path, folder: Path, graphs: Sequence[str]) -> None:
    """Lay the graph, and its rewrites, into folders as a classifier is loaded from."""
    tokenizer = train_tokenizer()
    labels = {str(i): name for i, name in enumerate(("safe", "unsure", "hit"))}
    config = {"model_type": "modernbert", "id2label": labels, "num_labels": 3, "pad_token_id": 0, "vocab_size": 32768}
    for graph in graphs:
        own = folder / graph
        own.mkdir()
        tokenizer.save(str(own / "tokenizer.json"))
        (own / "config.json").write_text(json.dumps({**config, "max_position_embeddings": 32768}))
        if graph == "stock":
            shutil.copy(encoder, own / "model.onnx")
        else:
            print(rewrite(encoder, own / "model.onnx", precision=graph), flush=True)  # type: ignore[arg-type]


def stages(arguments: argparse.Namespace, folder: Path) -> Iterator[dict[str, Any]]:
    """Measure every stage at every length, one request at a time."""
    for stage in arguments.only:
        for n_tokens in (n for n in arguments.lengths if n <= LONGEST[stage] and not _absent(stage)):
            n_runs = _n_runs(stage, n_tokens)
            row = _recorded(stage, n_tokens) or _child(str(folder), stage, str(n_tokens), str(n_runs))
            yield {"stage": stage, "n_tokens": n_tokens, "n_runs": n_runs, **row}


def _recorded(stage: str, n_tokens: int) -> dict[str, Any] | None:
    """Take the baseline from an earlier run on this machine where memory is short now: its masks need 17 GB."""
    memory = Path("/proc/meminfo")
    if (stage, n_tokens) != ("stock", 8192) or not memory.exists():
        return None
    free_kb = int(memory.read_text().split("MemAvailable:")[1].split()[0])
    earlier = json.loads((RESULTS / "three_classifiers.json").read_text())
    if free_kb > 19e6 or earlier["results"]["n_tokens"] != n_tokens or earlier["machine"]["cpu"] != machine()["cpu"]:
        return None
    row = earlier["results"]["rows"]["stock, whole text"]
    figures = {"seconds": row["seconds"], "after_last_byte_seconds": row["seconds"], "peak_mb": row["peak_mb"]}
    return {**figures, "recorded": "three_classifiers.json"}


def _absent(stage: str) -> bool:
    return stage in EMBEDDED and missing() is not None


def _n_runs(stage: str, n_tokens: int) -> int:
    if stage in ("stock", "fp32", "int16", "int8"):
        return 3 if n_tokens <= 512 else 1
    return 3 if "stock" in stage else 5 if "int8" in stage else 15


def concurrent(arguments: argparse.Namespace, folder: Path) -> Iterator[dict[str, Any]]:
    """Send 1, 10 and 20 requests at once through an AsyncRouter with one thread."""
    for stage, longest in CONCURRENT.items():
        for n_tokens in (n for n in arguments.lengths if n <= longest and not _absent(stage)):
            for n_requests in N_REQUESTS:
                n_runs = 5 if stage in ("cascade", "linear") else 1
                row = _child(str(folder), stage, str(n_tokens), str(n_runs), str(n_requests))
                yield {"stage": stage, "n_tokens": n_tokens, "n_requests": n_requests, **row}


def peers(arguments: argparse.Namespace, folder: Path) -> Iterator[dict[str, Any]]:
    """Measure other engines on the original graph, three times the time of one, bodies left out."""
    if arguments.peer_python is None:
        return
    for engine in ("openvino_bf16", "torch_bf16"):
        for n_tokens in (n for n in arguments.lengths if n <= 2048):
            command = [arguments.peer_python, "-c", CHILD, engine, str(arguments.encoder), str(n_tokens), "3"]
            row = _json_of([*command, str(folder / "out.npy"), str(Path(__file__).parent)])
            yield {"engine": engine, "n_tokens": n_tokens, "seconds": N_CLASSIFIERS * row["seconds"], **_peak(row)}


def _peak(row: dict[str, float]) -> dict[str, float]:
    return {"peak_mb": row["peak_mb"]}


def bodies(arguments: argparse.Namespace, folder: Path) -> Iterator[dict[str, Any]]:
    """Read a body and replace its model, without any classifier."""
    for n_tokens in arguments.lengths:
        body = body_of(english(folder, n_tokens))
        for name, rewritten in _BODIES.items():
            figures = {"n_bytes": len(body), "microseconds": _microseconds(rewritten, body)}
            yield {"way": name, "n_tokens": n_tokens, **figures}


def _through_json(body: bytes) -> bytes:
    return json.dumps({**json.loads(body), "model": "general"}).encode()


def _through_orjson(body: bytes) -> bytes:
    return orjson.dumps({**orjson.loads(body), "model": "general"})


def _through_routekit(body: bytes) -> bytes:
    reader = JsonBodyReader()
    for at in range(0, len(body), 16384):
        reader.feed(body[at : at + 16384])
    reader.close()
    return b"".join(reader.rewrite(model="general"))


_BODIES = {"json": _through_json, "orjson": _through_orjson, "routekit, chunks of 16 KiB": _through_routekit}


def _microseconds(rewritten: Callable[[bytes], bytes], body: bytes) -> float:
    times = []
    for _ in range(50):
        begin = time.process_time()
        rewritten(body)
        times.append(time.process_time() - begin)
    return 1e6 * sorted(times)[len(times) // 2]


def agreement(arguments: argparse.Namespace, folder: Path) -> Iterator[dict[str, Any]]:
    """Compare the verdicts of the tiers that ship; see `stage_agreement`."""
    n_tokens = 1024 if arguments.quick else 8192
    yield from measure(arguments.data, n_tokens, arguments.documents, arguments.embedded_fp32)


def quoted(arguments: argparse.Namespace, folder: Path) -> Iterator[dict[str, Any]]:
    """Quote what other benchmarks found of the verdicts that rewriting and compression keep."""
    precision = _results("precision_agreement")["rows"]
    compression = _results("compression_agreement")["agreement"]
    for signal in ("jailbreak", "domain"):
        for row in precision:
            if row["signal"] == signal and row["variant"] in ("fp32", "int16", "int8"):
                figures = {"agreement_percent": row["agreement_percent"], "n": row["n_texts"]}
                yield {"signal": signal, "way": row["variant"], **figures, "file": "precision_agreement.json"}
        row = compression[f"{signal}, independent"]["all"]["routekit"]
        figures = {"agreement_percent": 100 * row["agreement"], "n": sum(row["n"].values())}
        yield {"signal": signal, "way": "compressed", **figures, "file": "compression_agreement.json"}


def _results(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text())["results"]


_MEASURE: dict[str, Callable[[argparse.Namespace, Path], Iterator[dict[str, Any]]]] = {
    "stages": stages,
    "concurrent": concurrent,
    "peers": peers,
    "bodies": bodies,
    "agreement": agreement,
    "quoted": quoted,
}


def _child(*arguments: str) -> dict[str, float]:
    return _json_of([sys.executable, str(Path(__file__).with_name("request_stages.py")), *arguments])


def _json_of(command: list[str]) -> dict[str, float]:
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **threads})
    if done.returncode:
        raise SystemExit(f"{' '.join(command[1:3])[:100]} failed:\n{done.stderr}")
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    main()
