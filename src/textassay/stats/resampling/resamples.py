"""Resamples drawn from a named stream: how often each unit is in each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from textassay.errors import UsageError
from textassay.seeds import Stream
from textassay.stats.resampling.weighted_statistics import Sums, WeightedFunction
from textassay.stats.samples import Column, FloatArray, IntArray, code_labels, same_length

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


def blocks(draws: int, width: int) -> Iterator[slice]:
    """The same parts as places.

    >>> list(blocks(3, 1 << 21))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    start = 0
    for part in in_parts(draws, width):
        yield slice(start, start + part)
        start += part


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


_JACKKNIFE = 200_000_000
"""The most units × observations for leaving out each unit once where the statistic is a function of all weights."""


@dataclass(frozen=True)
class Units:
    """How n observations fall into the units that are drawn."""

    n: int
    names: tuple[str, ...]
    """One kind of unit, or two that are crossed."""
    codes: tuple[IntArray, ...]
    """For each kind, which unit an observation belongs to."""
    sizes: tuple[int, ...]
    """For each kind, how many units there are."""

    @property
    def crossed(self) -> bool:
        """Whether two kinds are drawn at once."""
        return len(self.names) > 1


def read_units(clusters: Column | Mapping[str, Column] | None, n: int) -> Units:
    """The units; without clusters every observation is one.

    Raises:
        DataError: a column of another length than the values, or with a missing label.
        UsageError: more than two kinds of clusters.
    """
    if clusters is None:
        return Units(n, ("observation",), (np.arange(n),), (n,))
    kinds = clusters if isinstance(clusters, Mapping) else {"cluster": clusters}
    if not 1 <= len(kinds) <= 2:
        raise UsageError(f"clusters takes one column, or one or two by name; got {len(kinds)}")
    codes, sizes = [], []
    for name, column in kinds.items():
        same_length(("values", range(n)), (name, column))
        labels, (found,) = code_labels((name, column))
        codes.append(found)
        sizes.append(len(labels))
    return Units(n, tuple(kinds), tuple(codes), tuple(sizes))


@dataclass(frozen=True)
class Resampling:
    """A statistic of values whose units are drawn."""

    units: Units
    values: FloatArray
    statistic: Sums | WeightedFunction
    unit_sums: FloatArray | None
    """Shape (units, p): for `Sums` of one kind of unit what each unit adds, so that a draw costs no observation."""

    @classmethod
    def of(cls, units: Units, values: FloatArray, statistic: Sums | WeightedFunction) -> Resampling:
        """With the sums of the units, where the statistic is made of sums."""
        if units.crossed or not isinstance(statistic, Sums):
            return cls(units, values, statistic, None)
        columns = [
            np.bincount(units.codes[0], weights=column, minlength=units.sizes[0]) for column in statistic.terms.T
        ]
        return cls(units, values, statistic, np.stack(columns, axis=1))

    def observed(self) -> float:
        """The statistic of the sample itself."""
        return float(self._computed([np.ones((1, size)) for size in self.units.sizes])[0])

    def drawn(self, draws: int, seed: int) -> FloatArray:
        """The statistic of each resample: as many units as there are, drawn with replacement, each with all in it.

        With two kinds both are drawn, and an observation counts as often as its two units together (Owen 2007).
        """
        streams = [Stream(seed, "bootstrap", kind) for kind in range(len(self.units.names))]
        width = self.units.n if self.unit_sums is None else self.units.sizes[0]
        found = [
            self._computed(
                [resample_counts(stream, size, part) for stream, size in zip(streams, self.units.sizes, strict=True)]
            )
            for part in in_parts(draws, width)
        ]
        return np.concatenate(found)

    def left_out(self) -> FloatArray | None:
        """The statistic without each unit in turn; none for crossed units, and where that would take too long."""
        size = self.units.sizes[0]
        if isinstance(self.statistic, Sums) and self.unit_sums is not None:
            return self.statistic.of(self.unit_sums.sum(axis=0) - self.unit_sums)
        if self.units.crossed or size * self.units.n > _JACKKNIFE:
            return None
        return np.concatenate([self._computed([1 - rows]) for rows in _rows_of_identity(size, self.units.n)])

    def _computed(self, counts: list[FloatArray]) -> FloatArray:
        """The statistic of draws, from how often each unit is in them, one table per kind of unit."""
        if isinstance(self.statistic, Sums) and self.unit_sums is not None:
            return self.statistic.of(counts[0] @ self.unit_sums)
        weights = counts[0][:, self.units.codes[0]]
        for more, codes in zip(counts[1:], self.units.codes[1:], strict=True):
            weights = weights * more[:, codes]
        if isinstance(self.statistic, Sums):
            return self.statistic.of(weights @ self.statistic.terms)
        found = np.asarray(self.statistic(self.values, weights), dtype=float)
        if found.shape != (len(weights),):
            raise UsageError(f"the statistic must give one number per draw, {len(weights)} here; it gave {found.shape}")
        return found


def _rows_of_identity(size: int, width: int) -> Iterator[FloatArray]:
    start = 0
    for part in in_parts(size, width):
        yield np.eye(part, size, start)
        start += part
