"""Resamples drawn from a named stream: how often each unit is in each of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textassay.errors import UsageError
from textassay.seeds import Stream
from textassay.stats.samples import FloatArray, IntArray

_CELLS = 1 << 22
"""Draws × units that are held at a time."""


def check_draws(draws: int) -> None:
    """Refuse a number of draws that is none.

    Raises:
        UsageError: with the value seen.
    """
    if draws < 1 or draws != int(draws):
        raise UsageError(f"draws must be a whole number from 1 on, for example 1999; got {draws}")


def in_parts(draws: int, width: int) -> Iterator[int]:
    """The draws in parts of such a size that a table of draws × width stays small.

    >>> list(in_parts(5, 1 << 21))
    [2, 2, 1]
    """
    step = max(_CELLS // max(width, 1), 1)
    for start in range(0, draws, step):
        yield min(step, draws - start)


def integers_below(stream: Stream, n: int, size: int) -> IntArray:
    """Whole numbers from 0 to n-1, each equally likely: what would favour small numbers is drawn again.

    >>> integers_below(Stream(1, "demo"), 3, 4).tolist() == integers_below(Stream(1, "demo"), 3, 4).tolist()
    True
    """
    drawn = stream.raw(size)
    limit = (1 << 64) - (1 << 64) % n
    if limit < 1 << 64:
        while (again := np.flatnonzero(drawn >= np.uint64(limit))).size:
            drawn[again] = stream.raw(again.size)
    return (drawn % np.uint64(n)).astype(np.intp)


def resample_counts(stream: Stream, units: int, draws: int) -> FloatArray:
    """Shape (draws, units): how often each unit is in a sample of as many, drawn with replacement."""
    chosen = integers_below(stream, units, draws * units)
    place = np.repeat(np.arange(draws) * units, units) + chosen
    return np.bincount(place, minlength=draws * units).reshape(draws, units).astype(float)


def random_signs(stream: Stream, units: int, draws: int) -> FloatArray:
    """Shape (draws, units): 1 or -1, each equally likely, one bit a sign."""
    words = -(-units // 64)
    raw = stream.raw(draws * words).reshape(draws, words, 1)
    bits = (raw >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    return bits.reshape(draws, words * 64)[:, :units].astype(float) * 2 - 1


def random_subsets(stream: Stream, units: int, size: int, draws: int) -> FloatArray:
    """Shape (draws, units): 1 for the units of a subset of that size, each subset equally likely, else 0."""
    keys = stream.raw(draws * units).reshape(draws, units)
    last = np.partition(keys, size - 1, axis=1)[:, size - 1 : size]
    return (keys <= last).astype(float)
