"""What a rewrite did, layer by layer, and how far the result is from the original."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LayerReport:
    """One attention layer.

    Attributes
    ----------
    layer
        Running number of the softmax or attention node in the graph, from 0.
    op
        What computes it now, e.g. ``"routekit::FlashAttention"``; ``"unchanged"`` when it was left alone.
    window_left, window_right
        Keys that a query sees on each side; -1 is all of them.
    reason
        Why it was left alone, else empty.
    """

    layer: int
    op: str
    window_left: int = -1
    window_right: int = -1
    reason: str = ""

    def __str__(self) -> str:
        seen = "all keys" if self.window_left < 0 and self.window_right < 0 else self._window()
        return f"layer {self.layer}: {self.op}, {self.reason or seen}"

    def _window(self) -> str:
        left, right = ("all" if side < 0 else str(side) for side in (self.window_left, self.window_right))
        return f"window {left} left, {right} right"


@dataclass(frozen=True, slots=True)
class RewriteReport:
    """What a rewrite did.

    Attributes
    ----------
    path
        The file that was written.
    max_error
        Largest absolute difference of the outputs to the original's over all probes, in logits.
    allowed_error
        What was allowed.
    max_layer_error
        Largest difference of any layer's attention output, as a share of the largest value there; before quantisation.
    n_probes
        Inputs that both graphs were run on.
    notes
        What limits the proof, e.g. batches that the original itself cannot run.
    """

    path: Path
    layers: tuple[LayerReport, ...]
    max_error: float
    allowed_error: float
    max_layer_error: float
    n_probes: int
    precision: str
    notes: tuple[str, ...] = ()

    @property
    def n_rewritten(self) -> int:
        return sum(layer.op != "unchanged" for layer in self.layers)

    def __str__(self) -> str:
        head = (
            f"{self.n_rewritten} of {len(self.layers)} attention layers rewritten ({self.precision}); largest "
            f"difference in logits {self.max_error:.2e} (allowed {self.allowed_error:.0e}), within a layer "
            f"{self.max_layer_error:.2e}, over {self.n_probes} inputs"
        )
        return "\n".join([head, *map(str, self.layers), *self.notes])
