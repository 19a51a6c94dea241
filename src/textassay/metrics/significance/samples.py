"""A system's segments under one metric, as the tables whose sums give its corpus score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.metrics.contract import Metric
from textassay.metrics.significance.draws import Floats
from textassay.metrics.table import ScoreTable


@dataclass(frozen=True, eq=False)
class Sample:
    """Segments of one system, measured by one metric."""

    metric: Metric
    """That of the system: one that takes two passes knows the system's own corpus."""
    columns: npt.NDArray[Any]
    """One row per segment: the metric's `summands`."""

    @classmethod
    def of(cls, table: ScoreTable, metric: str, system: str, rows: npt.NDArray[np.intp] | None = None) -> Sample:
        """The segments of a system: those of the rows, or all.

        Raises:
            UsageError: the table has no statistics of its segments.
        """
        score = table.scores[metric][system]
        if len(score.statistics) != len(table.items[system]):
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
        return float(self.scores(self.columns.sum(axis=0, dtype=np.float64))) if self.n else float("nan")

    def scores(self, sums: Floats) -> Floats:
        """Corpus scores from sums of the columns, (…, k) to (…)."""
        whole = np.issubdtype(self.columns.dtype, np.integer)
        # Counts go to the metric as the whole numbers that they are, as they do when it scores a corpus.
        return self.metric.from_sums(np.rint(sums).astype(np.int64) if whole else sums, self.n)


@dataclass(frozen=True, eq=False)
class Shared:
    """Which segments two systems have in common."""

    one: npt.NDArray[np.intp] | None
    """Their rows among those of the first system; None where both have the same."""
    other: npt.NDArray[np.intp] | None
    left_out: tuple[int, int]
    """How many segments of each system the other one has not."""


def shared(one: Sequence[str], other: Sequence[str]) -> Shared:
    """The segments that both systems have, in the order of the first.

    >>> both = shared(["1", "2", "3"], ["3", "4", "1"])
    >>> both.one.tolist(), both.other.tolist(), both.left_out
    ([0, 2], [2, 0], (1, 1))
    """
    if one is other or list(one) == list(other):
        return Shared(None, None, (0, 0))
    place = {item: row for row, item in enumerate(other)}
    rows = [(row, place[item]) for row, item in enumerate(one) if item in place]
    pairs = np.array(rows, dtype=np.intp).reshape(-1, 2)
    return Shared(pairs[:, 0], pairs[:, 1], (len(one) - len(rows), len(other) - len(rows)))
