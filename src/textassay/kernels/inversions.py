"""Inversions of many permutations: pairs in falling order."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.arguments import Int64
from textassay.kernels.choice import compiled_loop

_SHORT = 256
"""The most things whose places fit into a byte; longer permutations are counted bit by bit."""
_KNOWN = ("int8", "uint8", "int16", "int32", "int64")
"""Types that the loop reads as they are."""
_FEW = 64
"""Up to here the fallback compares all pairs; beyond, bit by bit takes fewer steps."""
_AT_ONCE = 1 << 18
"""Numbers that the fallback works on together: they stay in the processor's cache."""


def inversion_counts(permutations: npt.ArrayLike, place: npt.ArrayLike | None = None) -> Int64:
    """How many pairs of each permutation are in falling order.

    Args:
        permutations: Shape (permutations, n): each row holds 0 … n-1, each once.
        place: What to put for each number before counting, itself a permutation; the number itself if not given.

    Returns:
        One int64 per permutation. The same numbers with the compiled loop and with its fallback.

    Raises:
        DataError: the wrong shape, or a row that is not a permutation; the message names it.

    >>> inversion_counts([[0, 1, 2], [2, 1, 0], [1, 0, 2]]).tolist()
    [0, 3, 1]
    """
    rows = _whole_numbers(permutations)
    n = rows.shape[1]
    places = np.arange(n) if place is None else np.asarray(place)
    if place is not None and (places.shape != (n,) or not np.array_equal(np.sort(places), np.arange(n))):
        raise DataError(f"place must be a permutation of 0 … {n - 1}, got the shape {places.shape}")
    loop = compiled_loop("inversions")
    counts = np.zeros(len(rows), dtype=np.int64)
    if rows.size == 0:
        return counts
    if loop is None:
        bad = _fallback(rows, places, counts)
    elif n <= _SHORT:
        bad = loop.short_rows(_readable(rows), places.astype(np.uint8), counts)
    else:
        bad = loop.long_rows(_readable(rows), places[: 0 if place is None else n].astype(np.int32), counts)
    if bad >= 0:
        raise DataError(f"row {bad} is not a permutation of 0 … {n - 1}: {rows[bad][:10].tolist()}{'…' * (n > 10)}")
    return counts


def _whole_numbers(permutations: npt.ArrayLike) -> npt.NDArray[Any]:
    rows = np.asarray(permutations)
    if rows.ndim != 2:
        raise DataError(f"permutations must have the shape (permutations, n), got {rows.shape}")
    if rows.size and not np.issubdtype(rows.dtype, np.integer):
        raise DataError(f"permutations must hold whole numbers, got {rows.dtype}")
    if rows.shape[1] > np.iinfo(np.int32).max:
        raise DataError(f"permutations may have up to {np.iinfo(np.int32).max} things, got {rows.shape[1]}")
    return rows


def _readable(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.ascontiguousarray(rows, dtype=None if rows.dtype.name in _KNOWN else np.int64)


def _fallback(rows: npt.NDArray[Any], places: npt.NDArray[Any], counts: Int64) -> int:
    """The plain-Python fallback; like the loop, it fills `counts` and says which row is not a permutation."""
    n = rows.shape[1]
    whole = np.arange(n)
    size = max(_AT_ONCE // n, 1)
    for start in range(0, len(rows), size):
        block = rows[start : start + size].astype(np.int64)
        wrong = np.flatnonzero((np.sort(block, axis=1) != whole).any(axis=1))
        if wrong.size:
            return start + int(wrong[0])
        counted = _by_columns if n <= _FEW else _by_bits
        counts[start : start + size] = counted(places[block])
    return -1


def _by_columns(rows: npt.NDArray[Any]) -> Int64:
    """Each pair of places is one comparison of whole columns, which lie in a row of memory each."""
    columns = np.ascontiguousarray(rows.T, dtype=np.uint8)
    found = np.zeros(len(rows), dtype=np.int64)
    for place in range(len(columns) - 1):
        found += np.sum(columns[place] > columns[place + 1 :], axis=0, dtype=np.uint8)
    return found


def _by_bits(rows: npt.NDArray[Any]) -> Int64:
    """Bit by bit from the top: within numbers that agree in all higher bits, the ones before each zero."""
    m, n = rows.shape
    span = 1 << max(n - 1, 0).bit_length()
    # Numbers that rise at the end add no inversion and make every group full.
    numbers = np.concatenate([rows, np.broadcast_to(np.arange(n, span), (m, span - n))], axis=1).astype(np.int32)
    found = np.zeros(m, dtype=np.int64)
    while span > 1:
        half = span // 2
        groups = numbers.reshape(-1, span)
        ones = (groups & half) > 0
        before = np.cumsum(ones, axis=1, dtype=np.int64)
        found += np.where(ones, 0, before).reshape(m, -1).sum(axis=1)
        numbers = np.concatenate([groups[~ones].reshape(-1, half), groups[ones].reshape(-1, half)], axis=1)
        span = half
    return found
