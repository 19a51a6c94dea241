"""Metrics against single answers, raters kept: one mixed model for each metric and criterion."""

from __future__ import annotations

from collections.abc import Iterator

from textassay.analysis.metric_correlations import MetricMaterial
from textassay.analysis.wording import named_warnings
from textassay.meta.kept_raters import MixedSlope, mixed_slope
from textassay.results import Analysis, Record, table_of_records
from textassay.stats.adjust_p import adjust_p

_NOTE = (
    "Every answer counts by itself: mixed model with the metric's score as the fixed effect and raters, items, systems "
    "and texts as random ones. Slope: how much better people judge where the metric is one standard deviation (over "
    "the texts) better. Degrees of freedom by Satterthwaite; p holm is corrected for all metrics and criteria."
)


def mixed_slopes(material: MetricMaterial) -> Analysis:
    """A table of slopes, and why a metric has none."""
    found = list(_slopes(material))
    corrected = adjust_p([slope.p for *_, slope in found]).adjusted
    records: list[Record] = [
        {
            "criterion": criterion, "metric": metric, "slope": slope.slope, "se": slope.se, "df": slope.df,
            "p": slope.p, "p_holm": p, "ci": slope.ci, "answers": slope.answers, "texts": slope.texts,
            "raters": slope.raters,
        }
        for (criterion, metric, slope), p in zip(found, corrected, strict=True)
        if not slope.reason
    ]  # fmt: skip
    reasons = [(f"{metric} and {criterion}", [slope.reason]) for criterion, metric, slope in found if slope.reason]
    table = table_of_records(records, name="mixed-slopes", title="Slopes of answers on metrics", note=_NOTE)
    return Analysis(
        name="metrics-mixed",
        title="Metrics and single answers",
        tables=(table,) if records else (),
        warnings=tuple(f"mixed model: {text}" for text in named_warnings(reasons)),
        place="metrics",
    )


def _slopes(material: MetricMaterial) -> Iterator[tuple[str, str, MixedSlope]]:
    intervals = material.options.correlation.intervals
    for grid in material.grids:
        for metric in grid.metrics:
            fair = grid.fair_to(metric)
            confidence = intervals.confidence if intervals else 0.95
            yield grid.criterion, metric, mixed_slope(fair.rated, fair.scores[metric], confidence=confidence)
