"""A classifier's directory as transformers and the published router models write it, checked before use.

Nothing outside the directory is read: no link may lead out of it, no graph may refer to weights elsewhere, and no
library in it is ever loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import orjson

from routekit.errors import ModelFormatError, quoted
from routekit.labels import agreed_labels

Task: TypeAlias = Literal["sequence", "token"]

MAX_JSON_BYTES = 16 << 20
MAX_TOKENIZER_BYTES = 256 << 20
MAX_MAPPINGS = 16

#: Tried in this order, in the root and then in ``onnx/``; any other ``*.onnx`` comes after them.
_GRAPH_ORDER = ("model_sdpa_fp16.onnx", "model.onnx", "classifier.onnx", "model_optimized.onnx")
#: Graphs made for the custom op: first where the op is there, else not at all.
_FLASH_ORDER = ("model_fa_fp16.onnx", "model_fa.onnx")
#: Model types whose position ids begin after the padding id (fairseq's way), so that many positions are lost.
_PADDED_POSITIONS = frozenset({"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "mpnet", "esm"})
_UNBOUNDED = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelDirectory:
    """What the files of a classifier say.

    Attributes
    ----------
    graphs
        Candidate ONNX files, best first.
    labels
        In the order of the output columns.
    multi_label
        True when labels do not exclude each other (sigmoid instead of softmax).
    max_tokens
        Longest input the model takes, special tokens included.
    pad_id
        Token that fills short rows of a batch; None if config.json does not say.
    vocab_size
        Token ids that the model knows; None if config.json does not say.
    """

    root: Path
    graphs: tuple[Path, ...]
    tokenizer: Path
    labels: tuple[str, ...]
    task: Task
    multi_label: bool
    max_tokens: int
    pad_id: int | None
    vocab_size: int | None


def read_model_directory(path: str | Path, *, with_custom_op: bool = False) -> ModelDirectory:
    """Read and check ``config.json``, label mappings and the list of graphs; load nothing.

    Parameters
    ----------
    path
        The directory.
    with_custom_op
        Prefer the graphs that need `routekit`'s attention op; without it they are left out.

    Raises
    ------
    ModelFormatError
        If a file is missing, too large, no JSON, contradicts another or leads out of the directory. The message
        names the file and the remedy.
    """
    root = Path(path)
    if not root.is_dir():
        raise ModelFormatError(
            f"{quoted(str(root), 256)} is no directory; expected config.json, tokenizer.json and *.onnx"
        )
    root = root.resolve()
    config = _read_json(root, _inside(root, root / "config.json", "save it with save_pretrained"))
    labels = _labels(root, config)
    return ModelDirectory(
        root=root,
        graphs=_graphs(root, with_custom_op),
        tokenizer=_tokenizer(root),
        labels=labels,
        task=_task(config, labels),
        multi_label=config.get("problem_type") == "multi_label_classification",
        max_tokens=_max_tokens(config),
        pad_id=_count(config, "pad_token_id"),
        vocab_size=_count(config, "vocab_size"),
    )


def _inside(root: Path, path: Path, remedy: str) -> Path:
    """Resolve a file of the directory; refuse what is missing, no plain file, or leads out."""
    resolved = path.resolve()
    if not resolved.is_relative_to(root):
        raise ModelFormatError(
            f"{quoted(path.name)} is a link out of the model directory; copy what it points to (cp -rL SOURCE TARGET)"
        )
    if not resolved.is_file():
        raise ModelFormatError(f"{quoted(path.name)} is missing in {quoted(root.name)}; {remedy}")
    return path


def _read_json(root: Path, path: Path) -> Mapping[str, object]:
    n_bytes = path.stat().st_size
    if n_bytes > MAX_JSON_BYTES:
        raise ModelFormatError(f"{quoted(path.name)} has {n_bytes} bytes; allowed: {MAX_JSON_BYTES}")
    try:
        data = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        raise ModelFormatError(f"{quoted(path.name)} is no JSON; copy or save it again") from None
    except OSError as error:
        raise ModelFormatError(f"{quoted(path.name)} cannot be read: {error.strerror}") from None
    if not isinstance(data, dict):
        raise ModelFormatError(f"{quoted(path.name)} is no JSON object; copy or save it again")
    return data


def _labels(root: Path, config: Mapping[str, object]) -> tuple[str, ...]:
    mappings = sorted(root.glob("*mapping*.json"))
    if len(mappings) > MAX_MAPPINGS:
        raise ModelFormatError(f"{len(mappings)} mapping files in {quoted(root.name)}; allowed: {MAX_MAPPINGS}")
    sources = {"config.json": config}
    sources |= {path.name: _read_json(root, _inside(root, path, "restore it")) for path in mappings}
    labels = agreed_labels(sources)
    stated = config.get("num_labels", len(labels))
    if stated != len(labels):
        raise ModelFormatError(f"config.json: num_labels is {quoted(str(stated))}, but {len(labels)} labels are named")
    return labels


def _tokenizer(root: Path) -> Path:
    path = _inside(root, root / "tokenizer.json", "save it with PreTrainedTokenizerFast.save_pretrained")
    n_bytes = path.stat().st_size
    if n_bytes > MAX_TOKENIZER_BYTES:
        raise ModelFormatError(f"'tokenizer.json' has {n_bytes} bytes; allowed: {MAX_TOKENIZER_BYTES}")
    return path


def _graphs(root: Path, with_custom_op: bool) -> tuple[Path, ...]:
    order = (*(_FLASH_ORDER if with_custom_op else ()), *_GRAPH_ORDER)
    found = []
    for folder in (root, root / "onnx"):
        present = {path.name: path for path in sorted(folder.glob("*.onnx"))}
        found += [present.pop(name) for name in order if name in present]
        found += [path for name, path in present.items() if name not in _FLASH_ORDER]
    if not found:
        raise ModelFormatError(f"no ONNX file in {quoted(root.name)} or its onnx/; export the model to model.onnx")
    return tuple(_inside(root, path, "export the model to model.onnx") for path in found)


def _task(config: Mapping[str, object], labels: tuple[str, ...]) -> Task:
    """Ask the architecture; where it is not stated, labels such as O, B-PERSON mark a token classifier."""
    architectures = config.get("architectures")
    names = [str(name) for name in architectures] if isinstance(architectures, list) else []
    if any(name.endswith("ForTokenClassification") for name in names):
        return "token"
    if any(name.endswith("ForSequenceClassification") for name in names):
        return "sequence"
    return "token" if "O" in labels and any(label.startswith("B-") for label in labels) else "sequence"


def _max_tokens(config: Mapping[str, object]) -> int:
    positions = _count(config, "max_position_embeddings")
    if positions is None:
        return _UNBOUNDED
    if config.get("model_type") in _PADDED_POSITIONS:
        pad_id = _count(config, "pad_token_id")
        positions -= (1 if pad_id is None else pad_id) + 1
    return max(positions, 0)


def _count(config: Mapping[str, object], key: str) -> int | None:
    value = config.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 31:
        raise ModelFormatError(f"config.json: {key} is {quoted(str(value))}; expected a whole number from 0")
    return value
