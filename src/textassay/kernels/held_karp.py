"""Least costs of all paths from one unit through every subset of the others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.choice import compiled_loop

Floats = npt.NDArray[np.float64]
MOST = 20
"""Units at most: the table then has 2¹⁹ × 19 places, which take 80 MB."""


def held_karp(distances: npt.ArrayLike) -> Floats:
    """The table of Held and Karp (1962).

    Args:
        distances: Shape (n, n) with n from 2 to 20: entry (j, k) from unit j to unit k; all finite.

    Returns:
        Shape (2ⁿ⁻¹, n-1). Place (S, j): the least cost of a path that starts at unit 0, goes through all units of S and
        ends at unit j + 1, which is one of them (else infinite). Bit b of S stands for unit b + 1. The same numbers
        with the compiled loop and with its twin.

    Raises:
        DataError: the wrong shape, or a distance that is not finite.

    >>> held_karp([[0, 1, 9], [9, 0, 1], [9, 9, 0]]).tolist()
    [[inf, inf], [1.0, inf], [inf, 9.0], [18.0, 2.0]]
    """
    steps = np.asarray(distances, dtype=np.float64)
    if steps.ndim != 2 or steps.shape[0] != steps.shape[1] or not 2 <= len(steps) <= MOST:
        raise DataError(f"distances must have the shape (n, n) with n from 2 to {MOST}, got {steps.shape}")
    if not np.isfinite(steps).all():
        raise DataError("distances must be finite")
    m = len(steps) - 1
    into = np.ascontiguousarray(np.concatenate([steps[1:, 1:].T, steps[:1, 1:].T], axis=1))
    loop = compiled_loop("held_karp")
    if loop is None:
        return _twin(into)
    table = np.empty((1 << m, m))
    loop.fill(into, table)
    return table


def _twin(into: Floats) -> Floats:
    """All subsets of one size at once, the sizes in rising order."""
    m = len(into)
    table = np.full((1 << m, m), np.inf)
    subsets = np.arange(1 << m)
    sizes = np.bitwise_count(subsets) if hasattr(np, "bitwise_count") else _sizes(m)
    table[1 << np.arange(m), np.arange(m)] = into[:, m]
    for size in range(1, m):
        rests = subsets[sizes == size]
        before = table[rests]
        for j in range(m):
            without = (rests >> j) & 1 == 0
            table[rests[without] | (1 << j), j] = (before[without] + into[j, :m]).min(axis=1)
    return table


def _sizes(m: int) -> npt.NDArray[np.int64]:
    """How many bits each number below 2ᵐ has; NumPy counts them itself from 2.0 on."""
    counts = np.zeros(1, dtype=np.int64)
    for _ in range(m):
        counts = np.concatenate([counts, counts + 1])
    return counts
