"""Export an encoder of the size of mmBERT-base with random weights, for `benchmarks/encoders.py`.

Needs torch, transformers, onnxscript: ``python benchmarks/make_encoder.py OUT.onnx``. 22 layers of 768 in 12 heads,
every third layer global, the others with 64 keys on each side; the vocabulary is cut to 32,768 rows, which no timing
sees.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import torch  # type: ignore[import-not-found]
from transformers import (  # type: ignore[import-not-found]
    ModernBertConfig,
    ModernBertForSequenceClassification,
)


class Logits(torch.nn.Module):  # type: ignore[misc]
    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        return self.model(input_ids=input_ids, attention_mask=attention_mask).logits


def build() -> Logits:
    torch.manual_seed(0)
    config = ModernBertConfig(
        hidden_size=768, num_hidden_layers=22, num_attention_heads=12, intermediate_size=1152, vocab_size=32768,
        max_position_embeddings=32768, global_attn_every_n_layers=3, local_attention=128, num_labels=3,
        pad_token_id=0, bos_token_id=2, eos_token_id=1, cls_token_id=1, sep_token_id=1, classifier_pooling="mean",
    )  # fmt: skip
    model = ModernBertForSequenceClassification._from_config(config, attn_implementation="sdpa").eval()
    with torch.no_grad():  # the usual initialisation is so small that attention would be flat
        for name, weight in model.named_parameters():
            if weight.ndim == 2 and "embed" not in name:
                weight.mul_(2.5)
    logits: Logits = Logits(model).eval()
    return logits


def main() -> None:
    warnings.simplefilter("ignore")
    out = Path(sys.argv[1])
    ids = torch.randint(5, 32768, (2, 192))
    mask = torch.ones_like(ids)
    mask[1, 150:] = 0
    axes = {name: {0: "batch", 1: "sequence"} for name in ("input_ids", "attention_mask")} | {"logits": {0: "batch"}}
    with torch.no_grad():
        torch.onnx.export(
            build(), (ids, mask), str(out), dynamo=False, dynamic_axes=axes,
            input_names=["input_ids", "attention_mask"], output_names=["logits"],
        )  # fmt: skip


if __name__ == "__main__":
    main()
