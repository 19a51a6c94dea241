"""What the public functions of all kernels check before a loop runs, so that no loop can read outside an array."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


def encoded_texts(tokens: npt.ArrayLike, offsets: npt.ArrayLike) -> tuple[Int32, Int64]:
    """Both as contiguous arrays, after making sure that the loops cannot read outside them."""
    words = np.ascontiguousarray(integers("tokens", tokens, np.iinfo(np.int32).max), dtype=np.int32)
    starts = np.ascontiguousarray(integers("offsets", offsets, len(words)), dtype=np.int64)
    if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(words) or np.any(np.diff(starts) < 0):
        raise DataError(f"offsets must rise from 0 to the number of tokens, {len(words)}; got {starts.tolist()[:10]}")
    return words, starts


def text_numbers(rows: npt.ArrayLike, texts: int) -> Int64:
    """Numbers of texts, each below how many there are."""
    return np.ascontiguousarray(integers("left and right", rows, texts - 1), dtype=np.int64)


def integers(name: str, values: npt.ArrayLike, highest: int) -> npt.NDArray[Any]:
    """The values as a flat array of integers from 0 to `highest`."""
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise DataError(f"{name} must be a flat list of integers, got {array.ndim} dimensions of {array.dtype}")
    low, high = int(array.min()), int(array.max())
    if low < 0 or high > highest:
        raise DataError(f"{name} must lie between 0 and {highest}, got {low if low < 0 else high}")
    return array
