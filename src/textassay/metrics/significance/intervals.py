"""Bootstrap intervals of corpus scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from textassay.metrics.significance.resampling import (
    FEW,
    WHOLE_OUTPUT,
    Floats,
    Progress,
    SystemSegments,
    resampled_rows,
    weighted_sums,
)
from textassay.metrics.table import ScoreTable
from textassay.results import Record, Result
from textassay.stats.resampling.bootstrap import percentile_interval
from textassay.stats.resampling.resamples import check_draws
from textassay.stats.samples import check_share


@dataclass(frozen=True, kw_only=True)
class CorpusInterval:
    """How well a system's corpus score is known."""

    metric: str
    system: str
    value: float
    ci: tuple[float, float]
    se: float
    """Standard deviation over the resamples."""
    n: int
    """Segments."""
    undefined: int
    """Resamples in which the score is undefined; they are excluded."""
    signature: str
    """That of the score."""


@dataclass(frozen=True, kw_only=True)
class CorpusIntervals(Result):
    """Intervals of the corpus scores of several systems by several metrics."""

    intervals: tuple[CorpusInterval, ...]

    def records(self) -> list[Record]:
        """One record per system and metric."""
        return [
            {
                **self.record("corpus score", each.value, of=each.metric, by=each.system, ci=each.ci, n=each.n),
                "signature": f"{each.signature}; {self.signature}",
                "se": each.se,
                "undefined": each.undefined,
            }
            for each in self.intervals
        ]


def corpus_intervals(
    table: ScoreTable,
    *,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> CorpusIntervals:
    """Percentile intervals of each system's corpus score by each metric, from resamples of its segments (Efron 1979).

    Systems with equally many segments are resampled alike, whatever the metric.

    Args:
        table: What `score_table` gave.
        draws: Resamples.
        confidence: Of the intervals.
        seed: Of the draws.
        progress: Called with the number of resamples done and the number of all.

    Raises:
        UsageError: an impossible setting.

    >>> from textassay.metrics import score_table
    >>> table = score_table(["rouge-l"], list("1234"), ["A"] * 4, ["a", "a", "x", "x"], {i: ["a"] for i in "1234"})
    >>> corpus_intervals(table).intervals[0].ci
    (0.0, 1.0)
    """
    check_draws(draws)
    check_share("confidence", confidence)
    sizes: dict[int, list[tuple[str, str]]] = {}
    for name, systems in table.scores.items():
        for system in systems:
            sizes.setdefault(len(table.items_of(name, system)), []).append((name, system))
    found: dict[tuple[str, str], CorpusInterval] = {}
    for n, keys in sizes.items():
        samples = [SystemSegments.of(table, name, system) for name, system in keys]
        sums = weighted_sums(resampled_rows(seed, n, draws), draws, [each.columns for each in samples], progress)
        for (name, system), sample, drawn in zip(keys, samples, sums, strict=True):
            signature = table.scores[name][system].signature
            found[name, system] = _interval(name, system, sample, sample.scores(drawn), confidence, signature)
    ordered = tuple(found[name, system] for name, systems in table.scores.items() for system in systems)
    return CorpusIntervals(
        method="bootstrap interval",
        settings={"interval": "percentile", "confidence": confidence, "draws": draws, "seed": seed},
        warnings=tuple(dict.fromkeys(_warnings(ordered, draws))),
        intervals=ordered,
    )


def _interval(
    name: str, system: str, sample: SystemSegments, drawn: Floats, confidence: float, signature: str
) -> CorpusInterval:
    defined = np.sort(drawn[~np.isnan(drawn)])
    enough = sample.n > 1 and defined.size > 1
    return CorpusInterval(
        metric=name,
        system=system,
        value=sample.value,
        ci=percentile_interval(defined, confidence) if enough else (math.nan, math.nan),
        se=float(defined.std(ddof=1)) if enough else math.nan,
        n=sample.n,
        undefined=drawn.size - defined.size,
        signature=signature,
    )


def _warnings(intervals: Sequence[CorpusInterval], draws: int) -> Iterator[str]:
    for one in intervals:
        if one.n < 2:
            yield f"{one.metric}, {one.system}: the interval is undefined; it needs 2 segments or more, got {one.n}"
        elif one.n < FEW:
            yield f"{one.system} has {one.n} segments, with which bootstrap intervals are too narrow"
        if one.n > 1 and one.undefined == draws and not math.isnan(one.value):
            yield f"{one.metric}: no interval, for {WHOLE_OUTPUT}"
        elif one.n > 1 and one.undefined:
            yield f"{one.metric}, {one.system}: undefined in {one.undefined} of {draws} resamples, which are omitted"
