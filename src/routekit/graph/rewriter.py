"""Rewriting an encoder: find attention, read its masks, replace what is understood, prove it, save it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from routekit.errors import BackendUnavailable, ConfigError, ModelFormatError, quoted
from routekit.graph.report import LayerReport, RewriteReport

if TYPE_CHECKING:
    import onnx

    from routekit.graph.attention_blocks import AttentionBlock, Unmatched
    from routekit.graph.banded import Banded
    from routekit.graph.masks import MaskForm
    from routekit.graph.onnx_graph import OnnxGraph
    from routekit.graph.probing import Probes
    from routekit.graph.proof import Proof
    from routekit.graph.replacement import PaddingBias, Replacement

Target = Literal["cpu", "cuda", "rocm", "stock"]
Precision = Literal["fp32", "bf16", "int16", "int8", "fp16"]
#: Largest difference in logits that is allowed unless the caller says otherwise.
_ALLOWED_ERROR = {"fp32": 1e-3, "bf16": 0.1, "int16": 0.1, "int8": 1.0, "fp16": 5e-2}
#: Models larger than this keep their weights in a file beside the graph.
_LARGE_BYTES = 1 << 25
#: Largest difference within a layer, as a share of the largest value there: float32 gives 1e-6, float16 5e-4.
_ALLOWED_LAYER_ERROR = 5e-3


def rewrite(
    in_path: str | Path,
    out_path: str | Path,
    target: Target = "cpu",
    *,
    precision: Precision = "fp32",
    max_error: float | None = None,
) -> RewriteReport:
    """Rewrite the attention of an ONNX encoder and save it, once it is proven to agree with the original.

    Parameters
    ----------
    in_path, out_path
        ONNX files; the original is not changed. Weights over 32 MB are saved beside
        `out_path`, as ``OUT.weights``, which ONNX Runtime maps into memory.
    target
        ``"cpu"`` uses routekit's op (stock ops where it is not built), ``"stock"`` never does, ``"rocm"`` asks for the
        CK kernel, ``"cuda"`` uses ONNX Runtime's fused attention for global layers.
    precision
        ``"fp32"``; ``"bf16"`` lets our op multiply in bfloat16 where the processor is faster at it; ``"int16"`` and
        ``"int8"`` also quantise the linear layers (``"int16"`` where our op is there, else they stay as they are);
        ``"fp16"`` halves weights and activations, for GPUs.
    max_error
        Allowed difference in logits; by default 1e-3 (fp32), 0.1 (bf16, int16), 1.0 (int8), 5e-2 (fp16).

    Returns
    -------
    RewriteReport
        What became of every attention layer, and the difference that was measured.

    Raises
    ------
    ModelFormatError
        If the graph cannot be read, has no attention that is understood, or the result differs too much. Nothing is
        written then.
    BackendUnavailable
        If the extra ``routekit[rewrite]`` is not installed, or the op library that the target needs is missing.
    """
    _require_extra()
    from routekit.graph.probing import GraphSession
    from routekit.graph.proof import compare

    allowed = _ALLOWED_ERROR.get(precision) if max_error is None else max_error
    if allowed is None or not 0 <= allowed < float("inf"):
        raise ConfigError(f"precision is {precision!r}, max_error {max_error}; allowed: {sorted(_ALLOWED_ERROR)}, >= 0")
    source, destination = Path(in_path), Path(out_path)
    if destination.resolve() == source.resolve():
        raise ConfigError("out_path is in_path: the original must stay, since the proof runs it; give another path")
    use_flash = _use_flash(target)
    plan = _plan(source, use_flash)
    original = GraphSession(load_model(source), extra_outputs=list(plan.pairs))
    proof = compare(original, GraphSession(plan.model, extra_outputs=list(plan.pairs.values())), plan.probes,
                    layers=plan.pairs, window=plan.window)  # fmt: skip
    _require_agreement(source, proof, allowed if precision == "fp32" else _ALLOWED_ERROR["fp16"])
    result = _in_precision(plan.model, precision, use_flash)
    if precision != "fp32":
        final = compare(GraphSession(load_model(source)), GraphSession(result), plan.probes, window=plan.window)
        proof = replace(final, max_layer_error=proof.max_layer_error)
        _require_agreement(source, proof, allowed)
    save_model(result, destination)
    return RewriteReport(
        destination,
        plan.layers,
        proof.max_error,
        allowed,
        proof.max_layer_error,
        proof.n_probes,
        precision,
        proof.notes,
    )


@dataclass(frozen=True, slots=True)
class _Plan:
    """A rewritten graph that has yet to be proven; `pairs` maps the original's attention outputs to the new ones."""

    model: onnx.ModelProto
    layers: tuple[LayerReport, ...]
    pairs: dict[str, str]
    probes: Probes

    @property
    def window(self) -> int:
        return max([0, *(max(layer.window_left, layer.window_right) for layer in self.layers)])


def _require_agreement(source: Path, proof: Proof, allowed: float) -> None:
    if not (proof.max_error <= allowed and proof.max_layer_error <= _ALLOWED_LAYER_ERROR):
        raise ModelFormatError(
            f"{quoted(source.name)}: the rewritten graph differs by {proof.max_error:.2e} in logits (allowed "
            f"{allowed:.0e}) and by {proof.max_layer_error:.2e} of the largest value within a layer (allowed "
            f"{_ALLOWED_LAYER_ERROR:.0e}); nothing was written"
        )


def _require_extra() -> None:
    missing = [name for name in ("onnx", "onnxruntime") if find_spec(name) is None]
    if missing:
        raise BackendUnavailable(f"{' and '.join(missing)} not installed: pip install 'routekit[rewrite]'")


def _use_flash(target: str) -> bool:
    from routekit.attention import library_path

    if target not in ("cpu", "cuda", "rocm", "stock"):
        raise ConfigError(f"target is {target!r}; allowed: cpu, cuda, rocm, stock")
    if target == "rocm" and library_path() is None:
        raise BackendUnavailable("target rocm needs routekit's op library; build it as native/ck_fa/README.md says")
    return target == "rocm" or (target == "cpu" and library_path() is not None)


def load_model(path: Path) -> onnx.ModelProto:
    """Read an ONNX file with its weights.

    Raises
    ------
    ModelFormatError
        If it is missing or no ONNX file; the message names it.
    """
    import onnx

    try:
        return onnx.load(path)
    except Exception as error:  # protobuf and onnx raise several unrelated types
        kind = type(error).__name__
        raise ModelFormatError(f"{quoted(path.name)} cannot be read as ONNX ({kind}); export the model again") from None


def save_model(model: onnx.ModelProto, path: Path) -> None:
    """Write an ONNX file; large weights go beside it, since runtimes map such a file instead of copying it."""
    import onnx

    weights = path.with_name(f"{path.name}.weights")
    weights.unlink(missing_ok=True)  # onnx would append to it
    if model.ByteSize() < _LARGE_BYTES:
        onnx.save(model, path)
    else:
        onnx.save(model, path, save_as_external_data=True, location=weights.name)
        weights.chmod(path.stat().st_mode)  # onnx makes it readable to its owner alone


def _plan(source: Path, use_flash: bool) -> _Plan:
    from routekit.graph.attention_blocks import AttentionBlock, find_blocks
    from routekit.graph.masks import read_masks
    from routekit.graph.onnx_graph import OnnxGraph
    from routekit.graph.probing import make_probes

    graph = OnnxGraph(load_model(source))
    probes = make_probes(graph)
    found = find_blocks(graph)
    blocks = [block for block in found if isinstance(block, AttentionBlock)]
    forms = dict(zip((b.layer for b in blocks), read_masks(graph, blocks, probes), strict=True))
    layers, pairs = _replaced(graph, found, forms, probes, use_flash)
    if not pairs:
        reasons = "; ".join(sorted({layer.reason for layer in layers})) or "the graph has no attention"
        raise ModelFormatError(f"{quoted(source.name)}: no attention layer was rewritten: {reasons}")
    return _Plan(graph.finish(), layers, pairs, probes)


def _in_precision(model: onnx.ModelProto, precision: str, use_op: bool) -> onnx.ModelProto:
    from routekit.graph.replacement import allow_bf16

    if precision in ("bf16", "int16", "int8"):
        allow_bf16(model)
    if precision in ("int16", "int8"):
        from routekit.graph.quantized import quantize_linear_layers

        return quantize_linear_layers(model, int(precision.removeprefix("int")), with_op=use_op)
    if precision == "fp16":
        from routekit.graph.half import to_half

        return to_half(model)
    return model


def _replaced(
    graph: OnnxGraph,
    found: Sequence[AttentionBlock | Unmatched],
    forms: Mapping[int, MaskForm | str],
    probes: Probes,
    use_flash: bool,
) -> tuple[tuple[LayerReport, ...], dict[str, str]]:
    """Replace what is understood; say what became of each layer, and which tensor stands for which."""
    from routekit.graph.attention_blocks import AttentionBlock
    from routekit.graph.banded import Banded
    from routekit.graph.replacement import PaddingBias

    bias = PaddingBias(graph, probes.mask)
    banded = Banded(graph, probes.ids, bias)
    layers, pairs = [], {}
    for block in found:
        form = forms.get(block.layer)
        if not isinstance(block, AttentionBlock) or form is None or isinstance(form, str):
            reason = form if isinstance(form, str) else getattr(block, "reason", "")
            layers.append(LayerReport(block.layer, "unchanged", reason=reason))
            continue
        new = _replacement(graph, block, form, bias, banded, use_flash)
        if new is None:
            layers.append(LayerReport(block.layer, "unchanged", reason="a one-sided or half-precision window"))
            continue
        layers.append(LayerReport(block.layer, new.op, form.window_left, form.window_right))
        pairs[block.output] = new.output
    return tuple(layers), pairs


def _replacement(
    graph: OnnxGraph, block: AttentionBlock, form: MaskForm, bias: PaddingBias, banded: Banded, use_flash: bool
) -> Replacement | None:
    """Put in what is fastest for this layer on the target; None when nothing fits."""
    from routekit.graph.banded import fits
    from routekit.graph.replacement import flash, fused

    if use_flash:
        return flash(graph, block, form, bias)
    if form.window_left < 0 and form.window_right < 0:
        return fused(graph, block, form, bias.mask_input)
    return banded.replace(block, form) if fits(form) else None
