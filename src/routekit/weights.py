"""Reads the file of a linear model: one table of small integers and its settings, no pickle."""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from routekit.errors import ModelFormatError, quoted
from routekit.ngrams import KINDS
from routekit.readings import Peak, Pool, Reading, Scale

FORMAT = "routekit-linear-2"
#: Largest table that is read, in bytes: a small file must not unpack into all of the memory.
MAX_BYTES = 1 << 26


@dataclass(frozen=True, slots=True, eq=False)
class LinearWeights:
    """A linear model.

    Attributes
    ----------
    kinds
        Feature kinds of `routekit.ngrams`.
    table
        shape (2**n_bits, n_columns), int8, read-only: the weights of the features whose key begins with the row's
        number; one column for a `Peak`, one for each label for a `Pool`. Row 0 is zero.
    reading
        How windows make a verdict.
    card
        What the model was made from and how it scores, as in CARD.md.
    """

    name: str
    kinds: tuple[str, ...]
    table: NDArray[np.int8]
    reading: Reading
    card: Mapping[str, Any]

    @property
    def n_bits(self) -> int:
        """Bits of a key that choose a row."""
        return len(self.table).bit_length() - 1


def load_weights(path: Path) -> LinearWeights:
    """Read a model.

    Raises
    ------
    ModelFormatError
        If the file is missing, damaged or of another kind; the message names it.
    """
    try:
        table, settings = _contents(path)
        return _checked(table, settings)
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile, zlib.error) as error:
        reason = type(error).__name__ if not isinstance(error, _Refused) else str(error)
    raise ModelFormatError(
        f"{quoted(str(path), 200)} is no linear model of format {FORMAT}: {reason}; reinstall routekit, or make the "
        "model again with training/make_linear.py"
    )


class _Refused(ValueError):
    """A reason that may be shown."""


def _contents(path: Path) -> tuple[NDArray[np.int8], dict[str, Any]]:
    with zipfile.ZipFile(path) as archive:
        n_bytes = sum(entry.file_size for entry in archive.infolist())
        if n_bytes > MAX_BYTES:
            raise _Refused(f"it unpacks to {n_bytes} bytes, at most {MAX_BYTES} are read")
    with np.load(path, allow_pickle=False) as stored:
        return stored["table"], json.loads(stored["settings"].tobytes())


def _checked(table: NDArray[np.int8], settings: dict[str, Any]) -> LinearWeights:
    if settings["format"] != FORMAT:
        raise _Refused(f"its format is {quoted(str(settings['format']))}")
    reading = _reading(settings["reading"])
    kinds = tuple(settings["kinds"])
    n_columns = 1 if isinstance(reading, Peak) else len(reading.labels)
    if not kinds or not set(kinds) <= set(KINDS):
        raise _Refused(f"its features are unknown; known: {', '.join(KINDS)}")
    if table.dtype != np.int8 or table.ndim != 2 or table.shape[1] != n_columns or not _is_power(len(table)):
        raise _Refused(f"its table is {table.dtype} of shape {table.shape}, not int8 of (a power of 2, {n_columns})")
    if table[0].any():
        raise _Refused("row 0 of its table is not zero")
    table.setflags(write=False)
    return LinearWeights(str(settings["name"]), kinds, table, reading, settings["card"])


def _is_power(size: int) -> bool:
    return 1 < size <= 1 << 32 and size & (size - 1) == 0


def _reading(settings: dict[str, Any]) -> Reading:
    labels = tuple(map(str, settings["labels"]))
    if settings["kind"] == "pool":
        names = ("slope", "most_tokens", "threshold", "window_tokens")
        pool = Pool(labels=labels, biases=tuple(settings["biases"]), **{name: settings[name] for name in names})
        if len(pool.biases) != len(labels) or len(labels) < 2 or pool.window_tokens < 2 or pool.window_tokens % 2:
            raise _Refused("its labels, biases and windows do not fit together")
        return pool
    negative, positive = labels
    scales = tuple(Scale(**scale) for scale in settings["scales"])
    thresholds = tuple((math.inf if limit is None else float(limit), float(at)) for limit, at in settings["thresholds"])
    sizes = [scale.n_tokens for scale in scales]
    if not sizes or sizes[0] < 1 or sizes != sorted(set(sizes)):
        raise _Refused("its window sizes do not ascend from at least 1 token")
    margin = float(settings["short_margin"])
    if not 0 <= margin < math.inf:
        raise _Refused("its margin for short texts is below 0 or not finite")
    if not thresholds or list(thresholds) != sorted(thresholds) or thresholds[-1][0] != math.inf:
        raise _Refused("its thresholds do not ascend to any length")
    if any(at > later for (_, at), (_, later) in pairwise(thresholds)):
        raise _Refused("its thresholds fall with length")
    return Peak((negative, positive), scales, thresholds, margin)
