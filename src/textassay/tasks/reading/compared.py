"""Whether the times of systems differ: by subjects and by items as Lapata (2006) published it, and a mixed model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from textassay.analysis.crossed_model import CrossedModel, crossed_model
from textassay.analysis.subjects_items import SubjectsItems, pairs_table, ratios_table, subjects_items
from textassay.analysis.wording import named_warnings
from textassay.results import Analysis, Table
from textassay.study.model import AnalysisOptions
from textassay.tasks.reading.measures import LOG, RESIDUAL, RESIDUAL_TIME, TIME, ReadingMeasures

LOGARITHMS = {"values": "logarithms of times, one mean a trial"}
"""What the mixed model says of its values."""


@dataclass(frozen=True)
class TimeComparison:
    """Times of systems compared."""

    parts: tuple[SubjectsItems, ...]
    """Times, and residual times where lengths are known."""
    model: CrossedModel
    order: Sequence[str]
    """Of the systems in tables."""
    options: AnalysisOptions

    def analysis(self) -> Analysis:
        """The mixed model first, which is valid for participants and items at once."""
        results = *self.model.results, *(result for part in self.parts for result in part.results)
        said = [*((part.of, part.warnings) for part in self.parts), (self.model.of, self.model.warnings)]
        return Analysis(
            "compared", "Systems compared", results, tuple(self._tables()), warnings=tuple(named_warnings(said))
        )

    def _tables(self) -> list[Table]:
        """Tests, means and pairs of the mixed model, then Tukey's pairs."""
        note = "Mixed model: logarithms of times, one mean a trial, with participants and items as random."
        more = self.model.rows(test="mixed model, log times")
        return [
            ratios_table(self.parts, more, note),
            *self._model_tables(),
            *([pairs_table(self.parts[:1], self.options.alpha)] if self.parts[0].pairs else []),
        ]

    def _model_tables(self) -> list[Table]:
        found, level = self.model.means, f"{self.options.confidence * 100:g} %"
        if found is None:
            return []
        by_name = {mean.name: mean for mean in found.means}
        ordered = [by_name[name] for name in self.order if name in by_name]
        means = [(mean.name, math.exp(mean.estimate), *map(math.exp, mean.ci), mean.df) for mean in ordered]
        pairs = [
            (pair.first, pair.second, *map(math.exp, (pair.difference, *pair.ci)), pair.test_value, pair.df, pair.p)
            for pair in found.pairs
        ]
        return [
            Table(
                "model-means",
                "Time a unit of each system in the mixed model",
                ("System", "Geometric mean", "Low", "High", "df"),
                tuple(means),
                note=f"Milliseconds; {level} confidence intervals, which hold for other participants and other items.",
            ),
            Table(
                "model-pairs",
                "All pairs of systems in the mixed model",
                ("System", "Other system", "Ratio", "Low", "High", "t", "df", "p"),
                tuple(pairs),
                note="How many times as long System takes as Other system. p and intervals are Tukey's: those of all "
                f"pairs hold together at {level}.",
            ),
        ]


def compared(measured: ReadingMeasures, order: Sequence[str], options: AnalysisOptions) -> TimeComparison:
    """F1, F2, min F′ and Tukey's pairs of times and residual times; a mixed model of log times."""
    scales = {TIME: "rt_ms", RESIDUAL_TIME: RESIDUAL}
    parts = tuple(
        subjects_items(measured.units, column, of=of, alpha=options.alpha, better="lower")
        for of, column in scales.items()
        if column in measured.units
    )
    model = crossed_model(
        measured.trials,
        LOG,
        of=TIME,
        better="lower",
        alpha=options.alpha,
        confidence=options.confidence,
        settings=LOGARITHMS,
    )
    return TimeComparison(parts, model, order, options)
