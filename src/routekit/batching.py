"""Rows of different lengths into batches: alike beside alike, so that little is computed on padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from routekit.tensors import TokenBatch

if TYPE_CHECKING:
    from routekit.tensors import IntArray

#: Shortest row of a batch, as a share of its longest: at most a fifth of a batch is padding.
MIN_FILL = 0.8


def length_buckets(lengths: Sequence[int], max_tokens: int, max_rows: int | None = None) -> list[list[int]]:
    """Group row numbers into batches of similar length.

    Parameters
    ----------
    lengths
        Tokens per row.
    max_tokens
        Tokens in a batch, padding included; a longer row stands alone.
    max_rows
        Rows in a batch; None for no limit.

    Returns
    -------
    batches of row numbers; every row once, longest first, equal lengths in the given order.

    Examples
    --------
    >>> length_buckets([10, 100, 9, 95], max_tokens=512)
    [[1, 3], [0, 2]]
    """
    batches: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if not batches or not _fits(lengths[batches[-1][0]], lengths[row], len(batches[-1]), max_tokens, max_rows):
            batches.append([])
        batches[-1].append(row)
    return batches


def _fits(longest: int, length: int, n_rows: int, max_tokens: int, max_rows: int | None) -> bool:
    if max_rows is not None and n_rows >= max_rows:
        return False
    return length >= MIN_FILL * longest and (n_rows + 1) * longest <= max_tokens


def pad_batch(rows: Sequence[IntArray], pad_id: int) -> TokenBatch:
    """Lay rows of token ids into one batch.

    Returns
    -------
    arrays of shape (n_rows, longest row): ids padded by `pad_id`, a mask of 1 and 0.
    """
    longest = max(len(row) for row in rows)
    input_ids = np.full((len(rows), longest), pad_id, dtype=np.int64)
    attention_mask = np.zeros((len(rows), longest), dtype=np.int64)
    for i, row in enumerate(rows):
        input_ids[i, : len(row)] = row
        attention_mask[i, : len(row)] = 1
    return TokenBatch(input_ids, attention_mask)
