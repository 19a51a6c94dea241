"""Tables of scores made from statistics, for tests that resample them: no text is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.metrics import Metric, Score, ScoreTable


class Ratio(Metric):
    """A pooled metric: hits of all segments over words of all segments, squared so that it is not linear."""

    name = "ratio"
    corpus_is = "pooled"

    def statistics(self, segments: Any) -> npt.NDArray[Any]:
        return np.asarray(segments.hypotheses, dtype=np.int32).reshape(-1, 2)

    def segment_scores(self, statistics: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        return self.from_sums(statistics, 1)

    def summands(self, statistics: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return statistics

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> npt.NDArray[np.float64]:
        assert np.issubdtype(sums.dtype, np.integer), "counts come as whole numbers"
        words = np.asarray(sums[..., 1], dtype=float)
        with np.errstate(invalid="ignore"):
            return np.asarray((sums[..., 0] / np.where(words > 0, words, np.nan)) ** 2)


class Rate(Ratio):
    """The same, but low is good."""

    name = "rate"
    higher_is_better = False


class Mean(Metric):
    """A metric whose corpus score is the mean over segments."""

    name = "mean"

    def statistics(self, segments: Any) -> npt.NDArray[Any]:
        return np.asarray(segments.hypotheses, dtype=float).reshape(-1, 1)

    def segment_scores(self, statistics: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        return np.asarray(statistics[:, 0], dtype=np.float64)


def score_of(metric: Metric, statistics: npt.ArrayLike) -> Score:
    rows = np.asarray(statistics)
    return Score(
        method=metric.name,
        settings=metric.signature_fields("1"),
        segments=metric.segment_scores(rows),
        corpus=metric.corpus_score(rows),
        n=len(rows),
        parts={},
        corpus_parts={},
        statistics=rows,
        metric=metric,
    )


def table_of(scores: Mapping[str, Mapping[str, Score]], items: Mapping[str, Sequence[str]] | None = None) -> ScoreTable:
    """A table: metric, then system, to its score; every system has segments 1, 2 … unless items are named."""
    first = next(iter(scores.values()))
    numbered = {system: [str(row) for row in range(len(score.statistics))] for system, score in first.items()}
    return ScoreTable(method="automatic scores", items=items or numbered, scores=scores)


def means(**systems: npt.ArrayLike) -> ScoreTable:
    """One metric, the mean; one list of segment scores a system."""
    return table_of({"mean": {name: score_of(Mean(), np.reshape(values, (-1, 1))) for name, values in systems.items()}})


def random_ratios(seed: int, n: int, gain: float, metric: type[Ratio] = Ratio) -> ScoreTable:
    """Two systems with counts that go together; the second has `gain` hits more a segment, on average."""
    rng = np.random.default_rng(seed)
    words = rng.integers(5, 30, n)
    base = rng.binomial(words, 0.4)
    other = np.clip(base + rng.poisson(1 + gain, n) - rng.poisson(1, n), 0, words)
    both = {"A": np.stack([base, words], 1), "B": np.stack([other, words], 1)}
    made = metric()
    return table_of({made.name: {name: score_of(made, counts.astype(np.int32)) for name, counts in both.items()}})
