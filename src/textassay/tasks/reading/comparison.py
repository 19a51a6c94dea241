"""Whether the times of systems differ: by subjects and by items as Lapata (2006) published it, and a mixed model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from textassay.analysis.compare_systems import SystemComparison, compare_crossed, pairs_table, system_tests_table
from textassay.analysis.crossed_model import CrossedModel, crossed_model
from textassay.analysis.headlines import Evidence, Wording, system_headline
from textassay.analysis.options import RecipeOptions
from textassay.analysis.subjects_items import SubjectsItems, ratios_table, subjects_items, tukey_pairs_table
from textassay.analysis.wording import named_warnings, per_cent
from textassay.headline import Headline
from textassay.report.numbers import NumberFormat
from textassay.results import Analysis, Table
from textassay.tasks.reading.measures import LOG, RESIDUAL, RESIDUAL_TIME, TIME, ReadingMeasures

_TESTS = "Mixed model: logarithms of times, one mean a trial, with participants and items as random."
_PAIRS = (
    "Ratio: how many times as long First takes as Second, in the mixed model. p and intervals are Tukey's: those of "
    "all pairs hold together at {level}."
)
LOGARITHMS = {"values": "logarithms of times, one mean a trial"}
"""What the mixed model says of its values."""


@dataclass(frozen=True)
class TimeComparison:
    """Times of systems compared."""

    parts: tuple[SubjectsItems, ...]
    """Times, and residual times where lengths are known."""
    model: CrossedModel
    options: RecipeOptions

    @cached_property
    def systems(self) -> list[SystemComparison]:
        """Times by the mixed model of their logarithms and by subjects and items; residual times by the latter."""
        times, *residual = self.parts
        without = CrossedModel(RESIDUAL_TIME, None, None, ())
        return [
            compare_crossed(times.of, self.model, times, logarithms=True),
            *(compare_crossed(part.of, without, part) for part in residual),
        ]

    def headline(self, trials: pd.DataFrame) -> Headline:
        """Which system was read fastest."""
        words = Wording(
            best="was read fastest",
            worst="slowest",
            beats="was read faster than",
            value="{} ms a unit",
            better="lower",
            better_than=("faster", "than"),
            kind=NumberFormat.WHOLE,
            ratio="which took {} times as long",
        )
        logs = self.systems[0].estimates
        model = {name: (math.exp(mean), math.exp(low), math.exp(high)) for name, (mean, low, high) in logs.items()}
        plain = trials.groupby("system", sort=False)["rt_ms"].mean()
        evidence = Evidence(
            values=model or {str(name): (float(mean), math.nan, math.nan) for name, mean in plain.items()},
            participants=trials["participant"].nunique(),
            items=trials["item"].nunique(),
            confidence=self.options.confidence,
            alpha=self.options.alpha,
            caveat=self.model.caveat,
            figure="times",
        )
        return system_headline(self.systems[0], words, evidence)

    def analysis(self) -> Analysis:
        """The mixed model first, which is valid for participants and items at once."""
        results = *self.model.results, *(result for part in self.parts for result in part.results)
        said = [*((part.of, part.warnings) for part in self.parts), (self.model.of, self.model.warnings)]
        return Analysis(
            "compared", "Systems compared", results, tuple(self._tables()), warnings=tuple(named_warnings(said))
        )

    def _tables(self) -> list[Table]:
        """Tests, means and pairs of the mixed model, then by subjects and by items."""
        level, times = per_cent(self.options.confidence), self.systems[:1]
        return [
            system_tests_table(self.systems, of="Measure", note=_TESTS),
            *([self._means_table(level)] if times[0].estimates else []),
            *([pairs_table(times, of="Measure", note=_PAIRS.format(level=level))] if times[0].pairs else []),
            ratios_table(self.parts),
            *([tukey_pairs_table(self.parts[:1], self.options.alpha)] if self.parts[0].pairs else []),
        ]

    def _means_table(self, level: str) -> Table:
        found = self.systems[0].estimates
        rows = tuple((name, *map(math.exp, found[name])) for name in self.options.systems if name in found)
        return Table(
            "model-means",
            "Time a unit of each system in the mixed model",
            ("System", "Geometric mean", "Low", "High"),
            rows,
            note=f"Milliseconds; {level} confidence intervals, which hold for other participants and other items.",
        )


def compare_times(measured: ReadingMeasures, options: RecipeOptions) -> TimeComparison:
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
    return TimeComparison(parts, model, options)
