"""Random draws, the same for every metric and system, sums over them, and the segments that they are drawn from.

A draw is a row of small integers, one per segment: how often it counts. Rows are made and used in blocks, so that a
thousand draws of a million segments are never in memory together; each depends on the seed and on its own number alone,
not on the blocks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.metrics.contract import Metric
from textassay.metrics.table import ScoreTable
from textassay.seeds import Stream
from textassay.stats.resampling.resamples import integers_below

Weights = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Rows = Callable[[int, int, int], Iterator[Weights]]
"""Seed, number of segments and number of draws to the draws, one row at a time."""
Progress = Callable[[int, int], None]

FEW = 30
"""With fewer segments than this the bootstrap comes with a warning."""
WHOLE_OUTPUT = "it is a measure of the whole output, not of single texts that could be drawn again or swapped"
"""Why some scores have no intervals and tests."""
_CELLS = 1 << 25
"""Draws × segments held at a time: 32 MB."""
_FLOATS = 1 << 21
"""Of these, how many are turned into floating point at a time: 16 MB."""


def resampled_rows(seed: int, n: int, draws: int) -> Iterator[Weights]:
    """How often each of n segments is among n that are drawn with replacement.

    Counts of independent Poisson draws are, given their sum, those of that many draws with replacement. So most come
    from Poisson draws with a mean a little below 1 (which go through memory in order, hence the speed) and what is
    missing to n is drawn one by one; the rare row that has more than n already is drawn again.

    >>> [int(row.sum()) for row in resampled_rows(1, 5, 2)]
    [5, 5]
    """
    stream = Stream(seed, "significance", "resamples")
    limits = _poisson_limits(1 - 4 / math.sqrt(n)) if n > 16 else []
    for _ in range(draws):
        row = _poisson_row(stream, n, limits)
        while (short := n - int(row.sum(dtype=np.int64))) < 0:
            row = _poisson_row(stream, n, limits)
        np.add.at(row, integers_below(stream, n, short), np.uint8(1))
        yield row


def swapped_rows(seed: int, n: int, draws: int) -> Iterator[Weights]:
    """1 where the two systems swap their texts of a segment, 0 where each keeps its own, both equally likely.

    >>> len(set(next(swapped_rows(1, 100, 1)).tolist()))
    2
    """
    stream = Stream(seed, "significance", "swaps")
    for _ in range(draws):
        words = stream.raw(-(-n // 64)).astype("<u8", copy=False)
        yield np.unpackbits(words.view(np.uint8), count=n, bitorder="little")


def all_swaps(n: int) -> Weights:
    """Every way to swap (1) or not to swap (0) in n segments, (2ⁿ × n).

    >>> all_swaps(2).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    return ((np.arange(1 << n)[:, None] >> np.arange(n)) & 1).astype(np.uint8)


def weighted_sums(
    rows: Iterator[Weights], draws: int, columns: Sequence[npt.NDArray[np.generic]], progress: Progress | None = None
) -> list[Floats]:
    """For each table (segments × k) the sums of its columns in every draw, (draws × k).

    Whole numbers come out exactly: no sum of counts reaches 2⁵³.
    """
    found = [np.zeros((draws, each.shape[1])) for each in columns]
    n = len(columns[0]) if columns else 0
    size = max(_CELLS // max(n, 1), 1)
    block = np.empty((min(size, draws), n), dtype=np.uint8)
    for start in range(0, draws, size):
        part = block[: min(size, draws - start)]
        for place in range(len(part)):
            part[place] = next(rows)
        step = max(_FLOATS // len(part), 1)
        for first in range(0, n, step):
            weights = part[:, first : first + step].astype(np.float64)
            for sums, each in zip(found, columns, strict=True):
                sums[start : start + len(part)] += weights @ each[first : first + step].astype(np.float64)
        if progress is not None:
            progress(start + len(part), draws)
    return found


def _poisson_limits(mean: float) -> list[np.uint32]:
    """Where, on the scale of 32 random bits, a Poisson draw steps from 0 to 1, from 1 to 2 and so on."""
    limits: list[np.uint32] = []
    share = chance = math.exp(-mean)
    while (limit := round(share * 2**32)) < 2**32:
        limits.append(np.uint32(limit))
        chance *= mean / len(limits)
        share += chance
    return limits


def _poisson_row(stream: Stream, n: int, limits: Sequence[np.uint32]) -> Weights:
    row = np.zeros(n, dtype=np.uint8)
    if limits:
        bits = stream.raw(-(-n // 2)).astype("<u8", copy=False).view("<u4")[:n]
        for limit in limits:
            row += bits >= limit
    return row


@dataclass(frozen=True, eq=False)
class SystemSegments:
    """Segments of one system, measured by one metric."""

    metric: Metric
    """That of the system: one that takes two passes knows the system's own corpus."""
    columns: npt.NDArray[Any]
    """One row per segment: the metric's `summands`."""

    @classmethod
    def of(
        cls, table: ScoreTable, metric: str, system: str, rows: npt.NDArray[np.intp] | None = None
    ) -> SystemSegments:
        """The segments of a system: those of the rows, or all.

        Raises:
            UsageError: the table has no statistics of its segments.
        """
        score = table.scores[metric][system]
        if len(score.statistics) != len(table.items_of(metric, system)):
            raise UsageError(f"{metric}, {system}: the statistics of segments were not kept, but resampling needs them")
        statistics = score.statistics if rows is None else score.statistics[rows]
        return cls(score.metric, score.metric.summands(statistics))

    @property
    def n(self) -> int:
        """Segments."""
        return len(self.columns)

    @cached_property
    def value(self) -> float:
        """The corpus score; nan without segments."""
        return float(self._scores(self.columns.sum(axis=0, dtype=np.float64))) if self.n else float("nan")

    def scores(self, sums: Floats) -> Floats:
        """Corpus scores from sums of the columns of drawn segments, (…, k) to (…); nan where they mean nothing."""
        return self._scores(sums) if self.metric.can_be_resampled else np.full(sums.shape[:-1], np.nan)

    def _scores(self, sums: Floats) -> Floats:
        whole = np.issubdtype(self.columns.dtype, np.integer)
        # Counts go to the metric as the whole numbers that they are, as they do when it scores a corpus.
        return self.metric.from_sums(np.rint(sums).astype(np.int64) if whole else sums, self.n)


@dataclass(frozen=True, eq=False)
class SharedSegments:
    """Which segments two systems have in common."""

    one: npt.NDArray[np.intp] | None
    """Their rows among those of the first system; None where both have the same."""
    other: npt.NDArray[np.intp] | None
    left_out: tuple[int, int]
    """How many segments of each system the other one lacks."""


def shared(one: Sequence[str], other: Sequence[str]) -> SharedSegments:
    """The segments that both systems have, in the order of the first.

    >>> both = shared(["1", "2", "3"], ["3", "4", "1"])
    >>> both.one.tolist(), both.other.tolist(), both.left_out
    ([0, 2], [2, 0], (1, 1))
    """
    if one is other or list(one) == list(other):
        return SharedSegments(None, None, (0, 0))
    place = {item: row for row, item in enumerate(other)}
    rows = [(row, place[item]) for row, item in enumerate(one) if item in place]
    pairs = np.array(rows, dtype=np.intp).reshape(-1, 2)
    return SharedSegments(pairs[:, 0], pairs[:, 1], (len(one) - len(rows), len(other) - len(rows)))
