"""Metrics that compare a hypothesis with one reference at a time, and what to make of several references.

The literature does it in four ways, and numbers made in different ways can't be compared; the signature says which
(`multi:…`):

- `best`: the reference with the best value, the first of equals. Lin (2004), section 2.1, for every ROUGE; so do
  sacreBLEU's chrF and rouge-score's `score_multi`.
- `mean`: the mean over the references of the value and of each part.
- `pooled`: matches and lengths summed over the references before dividing. Lin (2004), equation 1; model average, the
  usual way of ROUGE-1.5.5 (`-f A`). A long reference weighs more than a short one.
- `jackknife`: of M references each in turn is omitted, the best of the others taken, and the M values averaged, so
  that a person, who has M - 1 others to be compared with, can be compared with a system (Lin 2004, section 2.1; DUC).
  One reference alone is taken as it is.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries. Text Summarization Branches Out, 74-81.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.metrics.contract import Floats, Metric, Statistics

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ReferencePairs:
    """Each hypothesis with each of its references: one row per pair, those of one hypothesis side by side."""

    counts: Statistics
    scores: Floats
    values: Floats
    """How good each pair is; the higher the better."""
    first: Rows
    """Where each hypothesis's rows begin, and where the last ones end."""


@dataclass(frozen=True)
class Policy:
    """What is made of several references."""

    combine: Callable[[ReferencePairs], Statistics]
    keeps_counts: bool
    """Whether counts are left, from which scores follow; if not, the statistics are the scores themselves."""


def best(pairs: ReferencePairs) -> Statistics:
    """Counts of the best pair."""
    return pairs.counts[best_rows(pairs.values, pairs.first)]


def mean(pairs: ReferencePairs) -> Statistics:
    """Mean scores."""
    return group_means(pairs.scores, pairs.first)


def pooled(pairs: ReferencePairs) -> Statistics:
    """Summed counts."""
    kind = pairs.counts.dtype
    sums = group_sums(pairs.counts.astype(np.int64) if kind == np.int32 else pairs.counts, pairs.first)
    if kind == np.int32 and sums.max(initial=0) > np.iinfo(np.int32).max:
        raise DataError(
            f"the counts with all references of a segment sum up to {sums.max()}, more than can be kept; "
            "take another policy for several references (multi), or shorter texts"
        )
    return sums.astype(kind, copy=False)


def jackknife(pairs: ReferencePairs) -> Statistics:
    """Mean scores of the best pairs when each reference in turn is omitted: the best one, but once the second best."""
    top = best_rows(pairs.values, pairs.first)
    sizes = np.diff(pairs.first)
    others = np.ones(len(pairs.values), dtype=np.bool_)
    others[top[sizes > 1]] = False
    left = pairs.first - np.concatenate(([0], np.cumsum(sizes > 1)))
    second = np.flatnonzero(others)[best_rows(pairs.values[others], left)]
    weight = 1 / np.maximum(sizes, 1)[:, None]
    return np.asarray(pairs.scores[top] * (1 - weight) + pairs.scores[second] * weight)


POLICIES: dict[str, Policy] = {
    "best": Policy(best, keeps_counts=True),
    "mean": Policy(mean, keeps_counts=False),
    "pooled": Policy(pooled, keeps_counts=True),
    "jackknife": Policy(jackknife, keeps_counts=False),
}
"""Every policy by its name in settings and signature; a metric lists those it allows as the choices of `multi`."""


class PairMetric(Metric):
    """A metric on pairs; its settings have `multi`, one of `POLICIES`."""

    counts: ClassVar[tuple[str, ...]]
    """Names of the columns of `pair_statistics`."""
    scores: ClassVar[tuple[str, ...]]
    """Names of the columns of `pair_scores`; the first is the metric's value."""

    @abstractmethod
    def pair_statistics(self, segments: Any) -> Statistics:
        """One row for each hypothesis with each of its references, in that order."""

    @abstractmethod
    def pair_scores(self, statistics: Statistics) -> Floats:
        """One row of scores for each row of counts."""

    def pair_value(self, hypothesis: Any, reference: Any) -> float | None:
        """The value of one pair by scalar maths, the very number of `pair_scores`; None where there is no such way."""
        del hypothesis, reference
        return None

    def one_value(self, hypothesis: Any, references: Sequence[Any]) -> float | None:
        """The value with the only reference, or with the best."""
        return best_value(self, hypothesis, references)

    @property
    def policy(self) -> Policy:
        """What is made of several references."""
        return POLICIES[getattr(self.settings, "multi")]  # noqa: B009 -- the settings' own class is a subclass's matter

    def statistics(self, segments: Any) -> Statistics:
        """Counts where the policy leaves counts, else scores."""
        counts, first = self.pair_statistics(segments), segments.first_reference
        if self.policy.keeps_counts and len(counts) == len(segments):  # one reference each: nothing to choose
            return counts
        scores = self.pair_scores(counts)
        return self.policy.combine(ReferencePairs(counts, scores, self.oriented(scores[:, 0]), first))

    def segment_scores(self, statistics: Statistics) -> Floats:
        """The metric's value for each row."""
        return self._scores(statistics)[:, 0]

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """The other scores and, where they are left, the counts."""
        parts: dict[str, npt.NDArray[Any]] = dict(zip(self.scores, self._scores(statistics).T, strict=True))
        if self.policy.keeps_counts:
            parts.update(zip(self.counts, statistics.T, strict=True))
        return parts

    def _scores_of_one_chunk(self, segments: Any) -> tuple[Floats, float] | None:
        """What `quick_scores` gives, but for more segments than are summed at once, which may change the last digit."""
        if len(segments) > self.chunk:
            return None
        values = self.segment_scores(self.statistics(segments))
        return values, float(values.sum() / len(values))

    def _scores(self, statistics: Statistics) -> Floats:
        return self.pair_scores(statistics) if self.policy.keeps_counts else statistics


def best_value(metric: PairMetric | PooledMetric, hypothesis: Any, references: Sequence[Any]) -> float | None:
    """The value with the only reference, which every policy gives, or with the best; None where arrays must tell."""
    if len(references) == 1:
        return metric.pair_value(hypothesis, references[0])
    if getattr(metric.settings, "multi") != "best":  # noqa: B009 -- as in `policy`
        return None
    values = [metric.pair_value(hypothesis, reference) for reference in references]
    defined = [value for value in values if value is not None]
    if len(defined) < len(values) or not defined:
        return None
    return max(defined) if metric.higher_is_better else min(defined)


def best_rows(values: Floats, first: Rows) -> Rows:
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


def group_sums(values: npt.NDArray[Any], first: Rows) -> npt.NDArray[Any]:
    """The sum of each column over each group of rows.

    >>> group_sums(np.array([[1], [2], [5]]), np.array([0, 2, 3])).ravel().tolist()
    [3, 5]
    """
    if len(first) == 1:
        return np.zeros((0, values.shape[1]), dtype=values.dtype)
    return np.asarray(np.add.reduceat(values, first[:-1], axis=0))


def group_means(values: Floats, first: Rows) -> Floats:
    """The mean of each column over each group of rows.

    >>> group_means(np.array([[1.0], [2.0], [5.0]]), np.array([0, 2, 3])).ravel().tolist()
    [1.5, 5.0]
    """
    return np.asarray(group_sums(values, first) / np.diff(first)[:, None])


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

    def pair_value(self, hypothesis: Any, reference: Any) -> float | None:
        """The value of one pair by scalar maths, the very number of `count_scores`; None where there is no such way."""
        del hypothesis, reference
        return None

    def one_value(self, hypothesis: Any, references: Sequence[Any]) -> float | None:
        """The value with the only reference, or with the best."""
        return best_value(self, hypothesis, references)

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
        return pairs[best_rows(self.oriented(self.count_scores(pairs, corpus=False)[:, 0]), first)]

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

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """Averaged scores cannot be pooled, and the signature says so."""
        return {**super().signature_fields(nrefs), **({"corpus": "mean"} if self.multi == "mean" else {})}

    def _scores(self, statistics: Statistics) -> Floats:
        return statistics if self.multi == "mean" else self.count_scores(statistics, corpus=False)

    def _corpus_scores(self, sums: npt.NDArray[Any], n: int) -> Floats:
        if self.multi == "mean":
            return np.asarray(sums / n, dtype=np.float64)
        scores = self.count_scores(sums.reshape(-1, sums.shape[-1]), corpus=True)
        return scores.reshape(*sums.shape[:-1], scores.shape[1])
