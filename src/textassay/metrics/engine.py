"""From segments to statistics, chunk by chunk, for any number of metrics at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textassay.metrics.contract import Metric, Statistics
from textassay.metrics.segments import Segments

Progress = Callable[[int, int], None]
"""Told how many segments are done, and of how many."""


@dataclass(frozen=True, eq=False)
class Measured:
    """What a metric made of all segments."""

    metric: Metric
    """The metric, which knows the corpus if it takes two passes."""
    statistics: Statistics
    warnings: tuple[str, ...]


def measure(metrics: Sequence[Metric], segments: Segments[Any], progress: Progress | None = None) -> list[Measured]:
    """Statistics of every metric; a chunk is tokenised once for all metrics that share a tokeniser, then forgotten."""
    size = min((metric.chunk for metric in metrics), default=1)
    ready = [_surveyed(metric, segments, size) if metric.two_passes else metric for metric in metrics]
    rows: list[list[Statistics]] = [[] for _ in ready]
    remarks: list[Counter[str]] = [Counter() for _ in ready]
    done = 0
    for chunk in segments.chunks(size):
        for metric, kept, counted in zip(ready, rows, remarks, strict=True):
            kept.append(metric.statistics(chunk))
            counted.update(metric.remarks(chunk))
        done += len(chunk)
        if progress is not None:
            progress(done, len(segments))
    warnings = [_warnings(metric, counted, done) for metric, counted in zip(ready, remarks, strict=True)]
    # Without segments there is no chunk, but the metric still knows its columns.
    statistics = [np.concatenate(kept or [one.statistics(segments)]) for one, kept in zip(ready, rows, strict=True)]
    return [Measured(*each) for each in zip(ready, statistics, warnings, strict=True)]


def _surveyed(metric: Metric, segments: Segments[Any], size: int) -> Metric:
    return metric.surveyed([metric.survey(chunk) for chunk in segments.chunks(size)])


def _warnings(metric: Metric, remarks: Counter[str], n: int) -> tuple[str, ...]:
    if n == 0:
        return (f"{metric.name}: no segments, so the corpus score is undefined",)
    return tuple(f"{metric.name}: {count} {remark}" for remark, count in remarks.items() if count)
