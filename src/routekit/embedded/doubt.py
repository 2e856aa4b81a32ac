"""A quick glance at a text: whether anything in it calls for the encoder, at a fiftieth of its cost.

It reads the tokens that the encoder would read, in two ways whose log-odds are added up: hashed n-grams know what was
seen in training, and convolutions over short word vectors carry over to words that were not. Both go by the places in
the text that stand out most, which text farther off cannot lower: an order is doubted in a long harmless document,
too. A glance clears a text; it never accuses one.

References
----------
Hashing: Weinberger et al. 2009, arXiv:0902.2206. Convolutions of which the highest place counts: Kim 2014,
arXiv:1408.5882. Stages that drop the clear cases first: Viola and Jones 2001.
"""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from routekit.errors import ModelFormatError, quoted

if TYPE_CHECKING:
    from routekit.tensors import IntArray

FORMAT: Final = "routekit-doubt-1"
#: Largest file content that is read, in bytes: a small file must not unpack into all of the memory.
MAX_BYTES: Final = 1 << 24
#: Tokens that one place of each convolution reads, and how far apart they stand.
WIDTH: Final = 5
DILATIONS: Final = (1, 4)
#: Places that are multiplied at a time: few enough that NumPy's BLAS does not wake its threads, which would take longer
#: than the product.
_PLACES: Final = 64

_FACTORS: Final = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)))
_MIX: Final = np.uint64(0xFF51AFD7ED558CCD)
_HALF: Final = np.uint64(32)
#: Places that each kind of n-gram joins, counted back from its last token.
_KINDS: Final = ((0,), (0, 1), (0, 1, 2), (0, 2))


def gram_rows(input_ids: IntArray, n_bits: int) -> IntArray:
    """Give the row in a table of ``2**n_bits`` for each kind of n-gram that ends at each token; 0 for none.

    Returns
    -------
    rows, shape (4, n_tokens): one token, two, three, and two with any one between them.

    Examples
    --------
    >>> gram_rows(np.array([7, 8, 7]), 16)[0].tolist()[0] == gram_rows(np.array([7]), 16)[0].tolist()[0]
    True
    >>> gram_rows(np.array([7, 8, 7]), 16)[2].tolist()[:2]
    [0, 0]
    """
    ids = input_ids.astype(np.uint64) + np.uint64(1)
    rows = np.zeros((len(_KINDS), len(ids)), dtype=np.int64)
    for number, (row, places) in enumerate(zip(rows, _KINDS, strict=True)):
        reach = places[-1]
        if len(ids) > reach:
            mixed = np.full(len(ids) - reach, number, dtype=np.uint64)
            for place in places:
                mixed += ids[reach - place : len(ids) - place] * _FACTORS[place]
            mixed ^= mixed >> _HALF
            mixed *= _MIX
            row[reach:] = (mixed >> np.uint64(64 - n_bits)).view(np.int64)
    return rows


@dataclass(frozen=True, slots=True)
class GramScale:
    """Windows of one size: ``slope * sum / sqrt(n_tokens) + bias``."""

    n_tokens: int
    slope: float
    bias: float


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """Weights of both readers; thread-safe, since nothing in it changes.

    Attributes
    ----------
    grams
        shape (2**n_bits,), int8: weights of n-grams.
    scales
        Window sizes over them, ascending; a shorter text is one window of the first size, and a text is also read as a
        whole, by the last scale, whose size is 0.
    vectors
        shape (n_ids, n_dims), int8: a short vector for each token id.
    layers
        A kernel of shape (WIDTH * n_in, n_out) and a bias of shape (n_out,) for each convolution.
    out
        shape (n_out,), at least 0, so that more text never lowers the score.
    share
        Weight of the convolution beside the n-grams.
    """

    grams: NDArray[np.int8]
    scales: tuple[GramScale, ...]
    vectors: NDArray[np.int8]
    layers: tuple[tuple[NDArray[np.float32], NDArray[np.float32]], ...]
    out: NDArray[np.float32]
    share: float

    @classmethod
    def from_file(cls, path: Path) -> Doubt:
        """Read a model that ``training/make_doubt.py`` wrote.

        Raises
        ------
        ModelFormatError
            If the file is missing, damaged or of another kind; the message names it.
        """
        try:
            return _read(path)
        except _Refused as error:
            reason = str(error)
        except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile, zlib.error) as error:
            reason = type(error).__name__
        raise ModelFormatError(f"{quoted(str(path), 200)} is no model of format {FORMAT}: {reason}; reinstall routekit")

    def log_odds(self, input_ids: IntArray) -> float:
        """Say how much about a text calls for a closer look, up to a constant; work is linear in the tokens.

        Parameters
        ----------
        input_ids
            Tokens of the text without special ones, shape (n_tokens,); infinitely doubtful if there are none.
        """
        if not len(input_ids):
            return math.inf
        return self.gram_score(input_ids) + self.share * self.shape_score(input_ids)

    def gram_score(self, input_ids: IntArray) -> float:
        """Score the n-grams by the window that stands out most."""
        rows = gram_rows(input_ids, len(self.grams).bit_length() - 1)
        sums = np.concatenate(([0], np.cumsum(self.grams.take(rows).sum(axis=0, dtype=np.int64))))
        return max(_highest(sums, scale) for scale in self.scales if scale.n_tokens < len(sums))

    def shape_score(self, input_ids: IntArray) -> float:
        """Score the word vectors: the highest place of each feature counts."""
        values = self.vectors.take(input_ids, axis=0).astype(np.float32)  # n_tokens, n_dims
        for (kernel, bias), dilation in zip(self.layers, DILATIONS, strict=True):
            values = np.maximum(_convolved(values, kernel, dilation) + bias, 0)
        return float(values.max(axis=0) @ self.out)


def _highest(sums: NDArray[np.int64], scale: GramScale) -> float:
    n_tokens = scale.n_tokens or len(sums) - 1
    return scale.slope * float((sums[n_tokens:] - sums[:-n_tokens]).max()) / math.sqrt(n_tokens) + scale.bias


def _convolved(values: NDArray[np.float32], kernel: NDArray[np.float32], dilation: int) -> NDArray[np.float32]:
    """Multiply each place and its neighbours by the kernel; beyond the text all is 0."""
    n_tokens, n_in = values.shape
    edge = np.zeros((WIDTH // 2 * dilation, n_in), dtype=np.float32)
    padded = np.concatenate((edge, values, edge))
    found = np.zeros((n_tokens, kernel.shape[1]), dtype=np.float32)
    for start in range(0, n_tokens, _PLACES):
        part = found[start : start + _PLACES]
        for place in range(WIDTH):
            first = start + place * dilation
            part += padded[first : first + len(part)] @ kernel[place * n_in : (place + 1) * n_in]
    return found


class _Refused(ValueError):
    """A reason that may be shown."""


def _read(path: Path) -> Doubt:
    with zipfile.ZipFile(path) as archive:
        n_bytes = sum(entry.file_size for entry in archive.infolist())
    if n_bytes > MAX_BYTES:
        raise _Refused(f"it unpacks to {n_bytes} bytes, at most {MAX_BYTES} are read")
    with np.load(path, allow_pickle=False) as stored:
        settings: dict[str, Any] = json.loads(stored["settings"].tobytes())
        if settings["format"] != FORMAT:
            raise _Refused(f"its format is {quoted(str(settings['format']))}")
        model = Doubt(
            stored["grams"],
            tuple(GramScale(**scale) for scale in settings["scales"]),
            stored["vectors"],
            tuple((stored[f"kernel{i}"], stored[f"bias{i}"]) for i in range(len(DILATIONS))),
            stored["out"],
            float(settings["share"]),
        )
    _check(model)
    return model


def _check(model: Doubt) -> None:
    sizes = [scale.n_tokens for scale in model.scales]
    if sizes[-1:] != [0] or sizes[:-1] != sorted(set(sizes[:-1])) or 0 in sizes[:-1]:
        raise _Refused("its windows do not ascend, with the whole text last")
    n_rows = len(model.grams)
    if model.grams.dtype != np.int8 or model.grams.ndim != 1 or n_rows < 2 or n_rows & (n_rows - 1):
        raise _Refused("its table of n-grams is not int8 of a power of 2")
    if model.vectors.dtype != np.int8 or model.vectors.ndim != 2:
        raise _Refused("its word vectors are not int8")
    widths = [model.vectors.shape[1], *(len(bias) for _, bias in model.layers)]
    shapes = [kernel.shape for kernel, _ in model.layers]
    if shapes != [(WIDTH * a, b) for a, b in pairwise(widths)] or model.out.shape != (widths[-1],):
        raise _Refused(f"its layers of shapes {shapes} do not fit together")
    floats = [model.out, *(array for layer in model.layers for array in layer)]
    if not all(array.dtype == np.float32 and np.isfinite(array).all() for array in floats):
        raise _Refused("its layers are not finite float32")
    if model.out.min() < 0 or model.share < 0 or any(scale.slope < 0 for scale in model.scales):
        raise _Refused("a weight that may not be negative is")
