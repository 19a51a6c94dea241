"""Metrics that compare a hypothesis with one reference at a time, and what to make of several references."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Metric, Statistics

POLICIES = ("best", "mean")
"""`best`: the reference with the highest value, the first of equals; `mean`: the mean of each part over references."""


class PairMetric(Metric):
    """A metric on pairs; its settings have `multi`, one of `POLICIES`.

    With `best` the statistics are those of the best pair. With `mean` no counts remain that would give the mean
    again, so the statistics are the scores themselves.
    """

    counts: ClassVar[tuple[str, ...]]
    """Names of the columns of `pair_statistics`."""
    scores: ClassVar[tuple[str, ...]]
    """Names of the columns of `pair_scores`; the first is the metric's value."""

    @abstractmethod
    def pair_statistics(self, segments: Any) -> npt.NDArray[np.int32]:
        """One row for each hypothesis with each of its references, in that order."""

    @abstractmethod
    def pair_scores(self, statistics: Statistics) -> Floats:
        """One row of scores for each row of counts."""

    @property
    def multi(self) -> str:
        """The policy in use."""
        return str(getattr(self.settings, "multi"))  # noqa: B009 -- the settings' own class is a subclass's matter

    def statistics(self, segments: Any) -> Statistics:
        """Counts of the best pair, or mean scores."""
        pairs = self.pair_statistics(segments)
        scores = self.pair_scores(pairs)
        first = segments.first_reference
        if self.multi == "mean":
            return group_means(scores, first)
        # What is best is low for a distance; the sign turns it over.
        return pairs[best_rows(scores[:, 0] if self.higher_is_better else -scores[:, 0], first)]

    def segment_scores(self, statistics: Statistics) -> Floats:
        """The metric's value for each row."""
        return self._scores(statistics)[:, 0]

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """The other scores and, where one reference was chosen, the counts."""
        parts: dict[str, npt.NDArray[Any]] = dict(zip(self.scores, self._scores(statistics).T, strict=True))
        if self.multi == "best":
            parts.update(zip(self.counts, statistics.T, strict=True))
        return parts

    def _scores(self, statistics: Statistics) -> Floats:
        return statistics if self.multi == "mean" else self.pair_scores(statistics)


def best_rows(values: Floats, first: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For each group of rows, the number of the first row with the group's highest value; undefined ones come last.

    >>> best_rows(np.array([0.5, 0.9, 0.9, 0.1]), np.array([0, 3, 4])).tolist()
    [1, 3]
    """
    if len(first) == 1:
        return np.zeros(0, dtype=np.int64)
    group = np.repeat(np.arange(len(first) - 1), np.diff(first))
    ranked = np.where(np.isnan(values), -np.inf, values)
    highest = np.maximum.reduceat(ranked, first[:-1])
    rows = np.flatnonzero(ranked == highest[group])
    return rows[np.diff(group[rows], prepend=-1) > 0]


def group_means(values: Floats, first: npt.NDArray[np.int64]) -> Floats:
    """The mean of each column over each group of rows.

    >>> group_means(np.array([[1.0], [2.0], [5.0]]), np.array([0, 2, 3])).ravel().tolist()
    [1.5, 5.0]
    """
    if len(first) == 1:
        return np.zeros((0, values.shape[1]))
    return np.asarray(np.add.reduceat(values, first[:-1], axis=0) / np.diff(first)[:, None])
