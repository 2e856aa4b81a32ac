"""The graphs of a self-test: an encoder as exported, as it runs on the backend, and a reference for long texts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from routekit.errors import ModelFormatError
from routekit.selftest.encoder import SHAPES, build_encoder
from routekit.selftest.subject import Subject

if TYPE_CHECKING:
    from routekit.graph.rewriter import Precision, Target


@dataclass(frozen=True, slots=True)
class Graphs:
    """Files of one encoder.

    Attributes
    ----------
    original
        As exported: attention spelled out, memory quadratic in the length.
    tested
        Rewritten for the backend, in its precision.
    linear
        Rewritten with stock operators only, float32: an independent reference that long texts fit into; None where
        the encoder could not be rewritten.
    plain
        The original in the precision of the tested one, to see what that alone costs; None in float32.
    n_vocabulary
        Token ids that may be drawn.
    note
        What was rewritten, or why nothing was.
    """

    original: Path
    tested: Path
    linear: Path | None
    plain: Path | None
    n_vocabulary: int
    note: str


def built_graphs(subject: Subject, size: str, folder: Path) -> Graphs:
    """Build an encoder with random weights and rewrite it into `folder`."""
    import onnx

    original = folder / "encoder.onnx"
    onnx.save(build_encoder(SHAPES[size]), original)
    return rewritten_graphs(subject, original, SHAPES[size].vocab_size, folder)


def rewritten_graphs(subject: Subject, original: Path, n_vocabulary: int, folder: Path) -> Graphs:
    """Rewrite a graph for the subject, and with stock operators; one that is not understood is tested as it is."""
    linear, note = _rewritten(original, folder / "linear.onnx", "stock", "fp32")
    tested = linear
    if subject.target != "stock":
        tested, note = _rewritten(original, folder / "tested.onnx", subject.target, subject.precision)
    is_halved = tested is not None and subject.precision == "fp16"
    plain = _halved(original, folder / "plain.onnx") if is_halved else None
    return Graphs(original, tested or original, linear, plain, n_vocabulary, note)


def _rewritten(original: Path, path: Path, target: Target | None, precision: Precision) -> tuple[Path | None, str]:
    """Return the rewritten graph, None where there is none, and what became of the layers."""
    from routekit.graph.rewriter import rewrite

    if target is None:
        return None, "the graph runs as it is"
    try:
        report = rewrite(original, path, target, precision=precision)
    except ModelFormatError as error:
        return None, f"the graph runs as it is: {error}"
    return path, str(report).partition(";")[0]


def _halved(original: Path, path: Path) -> Path:
    from routekit.graph.half import to_half
    from routekit.graph.rewriter import load_model, save_model

    save_model(to_half(load_model(original)), path)
    return path
