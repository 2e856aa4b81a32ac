"""The graphs of a self-test: an encoder as exported, as it runs on the backend, and a reference for long texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from routekit.errors import ModelFormatError
from routekit.selftest.encoder import SHAPES, build_encoder
from routekit.selftest.subject import Subject


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
    from routekit.graph.rewriter import rewrite

    linear, tested = folder / "linear.onnx", folder / "tested.onnx"
    as_is = Graphs(original, original, None, None, n_vocabulary, "the graph runs as it is")
    try:
        report = rewrite(original, linear, "stock")
        if subject.target is None:
            return replace(as_is, linear=linear)
        if subject.target == "stock":
            tested = linear
        else:
            report = rewrite(original, tested, subject.target, precision=subject.precision)
    except ModelFormatError as error:
        return replace(as_is, note=f"{as_is.note}: {error}")
    plain = _halved(original, folder / "plain.onnx") if subject.precision == "fp16" else None
    return Graphs(original, tested, linear, plain, n_vocabulary, str(report).partition(";")[0])


def _halved(original: Path, path: Path) -> Path:
    from routekit.graph.half import to_half
    from routekit.graph.rewriter import load_model, save_model

    save_model(to_half(load_model(original)), path)
    return path
