"""Metrics whose corpus score comes from counts summed over all segments, and what to make of several references."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Metric, Statistics
from textassay.metrics.references import best_rows, group_means


class PooledMetric(Metric):
    """A metric on counts; its settings have `multi`.

    With `best` the counts are those with the best reference, the first of equals. With `mean` no counts remain that
    would give the mean again, so the statistics are the scores themselves, and the corpus score is their mean.
    """

    corpus_is = "pooled"

    @abstractmethod
    def count_names(self) -> tuple[str, ...]:
        """Names of the columns of counts."""

    @abstractmethod
    def score_names(self) -> tuple[str, ...]:
        """Names of the columns of scores; the first is the metric's value."""

    @abstractmethod
    def pair_counts(self, segments: Any) -> npt.NDArray[np.int32]:
        """One row for each hypothesis with each of its references, in that order."""

    @abstractmethod
    def count_scores(self, counts: npt.NDArray[Any], *, corpus: bool) -> Floats:
        """One row of scores for each row of counts, which are of one segment or summed over a corpus."""

    @property
    def multi(self) -> str:
        """What is made of several references."""
        return str(getattr(self.settings, "multi"))  # noqa: B009 -- the settings' own class is a subclass's matter

    def statistics(self, segments: Any) -> Statistics:
        """Counts with the best reference, or mean scores."""
        pairs = self.pair_counts(segments)
        first = segments.first_reference
        if self.multi == "mean":
            return group_means(self.count_scores(pairs, corpus=False), first)
        if len(pairs) == len(first) - 1:  # one reference each: nothing to choose
            return pairs
        return pairs[best_rows(self.goodness(self.count_scores(pairs, corpus=False)[:, 0]), first)]

    def segment_scores(self, statistics: Statistics) -> Floats:
        """The metric's value for each row."""
        return self._scores(statistics)[:, 0]

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """The other scores and, unless scores were averaged, the counts."""
        parts: dict[str, npt.NDArray[Any]] = dict(zip(self.score_names(), self._scores(statistics).T, strict=True))
        if self.multi != "mean":
            parts.update(zip(self.count_names(), statistics.T, strict=True))
        return parts

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """The counts, or the scores if they were averaged."""
        return statistics if self.multi == "mean" else statistics.astype(np.int64)

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """Corpus scores from summed counts, or means."""
        return self._corpus_scores(sums, n)[..., 0]

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """The other scores and the counts of the corpus."""
        parts = dict(zip(self.score_names()[1:], self._corpus_scores(sums, n)[1:].tolist(), strict=True))
        return parts if self.multi == "mean" else {**parts, **dict(zip(self.count_names(), sums.tolist(), strict=True))}

    def signed(self, nrefs: str) -> dict[str, str]:
        """Averaged scores cannot be pooled, and the signature says so."""
        return {**super().signed(nrefs), **({"corpus": "mean"} if self.multi == "mean" else {})}

    def _scores(self, statistics: Statistics) -> Floats:
        return statistics if self.multi == "mean" else self.count_scores(statistics, corpus=False)

    def _corpus_scores(self, sums: npt.NDArray[Any], n: int) -> Floats:
        if self.multi == "mean":
            return np.asarray(sums / n, dtype=np.float64)
        scores = self.count_scores(sums.reshape(-1, sums.shape[-1]), corpus=True)
        return scores.reshape(*sums.shape[:-1], scores.shape[1])
