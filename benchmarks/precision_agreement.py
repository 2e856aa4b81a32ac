"""Does a rewritten encoder give the verdicts of the original? Trained weights, held-out texts, every precision.

    python benchmarks/make_trained_encoder.py OUT --data ../shared/data     # in an environment with torch
    python benchmarks/precision_agreement.py OUT/jailbreak OUT/domain --data ../shared/data

Each directory is rewritten to fp32, bf16, int16 and int8, with routekit's ops and (int8) with stock ops alone, and run
through OnnxClassifier on one thread; texts over 512 tokens are read in windows. A verdict is the label that the
classifier gives; intervals are 95 % (Wilson). The last part reads texts alone and in one batch with outliers.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from record import save
from routekit import OnnxClassifier, Prediction
from routekit.errors import ModelFormatError
from routekit.graph import rewrite
from trained_texts import Labelled, split

if TYPE_CHECKING:
    from numpy.typing import NDArray

VARIANTS = (("cpu", "fp32"), ("cpu", "bf16"), ("cpu", "int16"), ("cpu", "int8"), ("stock", "int8"))
#: The original's P of its first label less that of its second: where a verdict can flip, and where it must not.
MARGINS = (0.0, 0.02, 0.1, 0.5, 1.01)
#: Each repeated to the length of the text beside it, so that both come into one batch.
OUTLIERS = ("!", "the", "\u4e00", "0")
N_NEIGHBOURS = 25
#: Lets a rewrite through that its proof refuses, so that its verdicts can be counted all the same.
ANY_ERROR = 100.0


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What one graph said of all texts: labels, and probabilities of shape (texts, labels)."""

    labels: tuple[str, ...]
    given: list[str]
    probabilities: NDArray[np.float64]
    n_windowed: int
    coverage: float

    @classmethod
    def of(cls, labels: tuple[str, ...], predictions: Sequence[Prediction]) -> Verdicts:
        return cls(
            labels,
            [prediction.label for prediction in predictions],
            _table(labels, predictions),
            sum(prediction.n_tokens > 510 for prediction in predictions),
            min(prediction.coverage for prediction in predictions),
        )

    @property
    def margins(self) -> NDArray[np.float64]:
        ordered = np.sort(self.probabilities, axis=1)
        return np.asarray(ordered[:, -1] - ordered[:, -2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", type=Path, nargs="+", metavar="DIR", help="named for its signal")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=1000)
    arguments = parser.parse_args()
    instructions = {"cpu_has_avx512_bf16": _has_bf16(), "ROUTEKIT_CK_FA_ISA": os.environ.get("ROUTEKIT_CK_FA_ISA")}
    rows: list[dict[str, object]] = []
    for directory in arguments.directories:
        texts = split(arguments.data, directory.name).held_out[: arguments.rows]
        with tempfile.TemporaryDirectory() as folder:
            for row in measure(directory, texts, Path(folder)):
                print(" ".join(f"{key}={value}" for key, value in row.items()), flush=True)
                rows.append(row)
        save("precision_agreement", {**instructions, "rows": rows}, ["numpy", "onnx", "onnxruntime", "tokenizers"])


def measure(directory: Path, texts: Sequence[Labelled], folder: Path) -> Iterator[dict[str, object]]:
    """Yield a row for the original and one for every rewrite of it."""
    original = judge(load(directory, directory.name), texts)
    yield {"signal": directory.name, "variant": "original", **quality(original, texts), **reading(original)}
    fp32 = original
    for target, precision in VARIANTS:
        path = folder / f"{target}_{precision}"
        proof = rewritten(directory, path, target, precision)
        classifier = load(path, directory.name)
        verdicts = judge(classifier, texts)
        if precision == "fp32":
            fp32 = verdicts
        yield {
            "signal": directory.name,
            "variant": f"{precision}" + (" (stock ops)" if target == "stock" else ""),
            **proof,
            **agreement(original, verdicts),
            "max_change_to_rewritten_fp32": _sig(np.abs(verdicts.probabilities - fp32.probabilities).max()),
            **quality(verdicts, texts),
            **reading(verdicts),
            **neighbours(classifier, texts),
        }


def load(path: Path, signal: str, backend: Any = "cpu") -> OnnxClassifier:
    return OnnxClassifier.from_dir(path, backend, signal, n_threads=1)


def judge(classifier: OnnxClassifier, texts: Sequence[Labelled]) -> Verdicts:
    return Verdicts.of(classifier.labels, classifier.classify([row.text for row in texts]))


def rewritten(directory: Path, out: Path, target: str, precision: str) -> dict[str, object]:
    """Make a directory of the same classifier with a rewritten graph; say whether its proof passed as it stands."""
    out.mkdir()
    for name in ("config.json", "tokenizer.json"):
        shutil.copy(directory / name, out / name)
    source, graph = directory / "model.onnx", out / "model.onnx"
    try:
        report = rewrite(source, graph, target, precision=precision)  # type: ignore[arg-type]
    except ModelFormatError:
        report = rewrite(source, graph, target, precision=precision, max_error=ANY_ERROR)  # type: ignore[arg-type]
    return {"passes_proof": report.allowed_error < ANY_ERROR, "proof_logit_error": _sig(report.max_error)}


def agreement(original: Verdicts, other: Verdicts) -> dict[str, object]:
    """Compare verdicts and probabilities, over all and by the original's margin."""
    same = np.array([a == b for a, b in zip(original.given, other.given, strict=True)])
    gaps = np.abs(original.probabilities - other.probabilities)
    by_margin = {}
    for low, high in pairwise(MARGINS):
        inside = (original.margins >= low) & (original.margins < high)
        by_margin[f"{low} to {min(high, 1.0)}"] = f"{int(same[inside].sum())}/{int(inside.sum())}"
    return {
        "agreement_percent": round(100 * float(same.mean()), 2),
        "interval_percent": [round(100 * bound, 2) for bound in wilson(int(same.sum()), len(same))],
        "agreement_by_margin": by_margin,
        "max_change": _sig(gaps.max()),
        "mean_change": _sig(gaps.max(axis=1).mean()),
    }


def quality(verdicts: Verdicts, texts: Sequence[Labelled]) -> dict[str, object]:
    truth = np.array([row.label for row in texts])
    areas = [
        area(verdicts.probabilities[:, i], truth == label)
        for i, label in enumerate(verdicts.labels)
        if 0 < (truth == label).sum() < len(truth)
    ]
    correct = float((np.array(verdicts.given) == truth).mean())
    return {"n_texts": len(texts), "accuracy": round(correct, 4), "auc": round(float(np.mean(areas)), 4)}


def reading(verdicts: Verdicts) -> dict[str, object]:
    return {"n_texts_in_windows": verdicts.n_windowed, "least_coverage": verdicts.coverage}


def neighbours(classifier: OnnxClassifier, texts: Sequence[Labelled]) -> dict[str, object]:
    """Find the largest change that an outlier in the same batch makes to a text's probabilities."""
    sample = sorted((row.text for row in texts), key=len)[len(texts) // 4 :: max(1, len(texts) // 2 // N_NEIGHBOURS)]
    alone = [classifier.classify([text])[0] for text in sample[:N_NEIGHBOURS]]
    return {"neighbour_change": _sig(_beside(classifier, sample[:N_NEIGHBOURS], alone))}


def _beside(classifier: OnnxClassifier, sample: Sequence[str], alone: Sequence[Prediction]) -> float:
    gaps = []
    for outlier in OUTLIERS:
        pairs = [[text, " ".join([outlier] * seen.n_tokens)] for text, seen in zip(sample, alone, strict=True)]
        beside = _table(classifier.labels, [classifier.classify(pair)[0] for pair in pairs])
        gaps.append(np.abs(beside - _table(classifier.labels, alone)).max())
    return float(max(gaps))


def _table(labels: Sequence[str], predictions: Sequence[Prediction]) -> NDArray[np.float64]:
    rows: list[Mapping[str, float]] = [prediction.probabilities for prediction in predictions]
    return np.array([[row[label] for label in labels] for row in rows], np.float64)


def wilson(n_hits: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """Give the 95 % interval of a share."""
    share, spread = n_hits / n, z * z / n
    centre = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * np.sqrt(share * (1 - share) / n + spread / (4 * n))
    return float(centre - half), float(min(1.0, centre + half))


def area(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """Give the area under the ROC curve: how often a positive text scores over a negative one, ties half."""
    ordered = np.sort(scores[~positive])
    below = np.searchsorted(ordered, scores[positive], "left")
    up_to = np.searchsorted(ordered, scores[positive], "right")
    return float((below + up_to).mean() / 2 / len(ordered))


def _sig(value: Any) -> float:
    return float(f"{float(value):.2g}")


def _has_bf16() -> bool | None:
    cpuinfo = Path("/proc/cpuinfo")
    return "avx512_bf16" in cpuinfo.read_text() if cpuinfo.exists() else None


if __name__ == "__main__":
    main()
