"""Whether the times of systems differ: by subjects and by items as Lapata (2006) published it, and a mixed model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from textassay.analysis.compare_systems import (
    Interval,
    SystemComparison,
    compare_crossed,
    pairs_table,
    system_tests_table,
)
from textassay.analysis.crossed_model import ABOUT_MIXED, CrossedModel, crossed_model
from textassay.analysis.headlines import Evidence, Wording, system_headline
from textassay.analysis.leading_test import ABOUT_LEADING, ABOUT_PAIRS, LeadingTest, for_whom, leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.order_effects import OrderEffects, order_cautions, order_effects, order_table
from textassay.analysis.subjects_items import SubjectsItems, ratios_table, subjects_items, tukey_pairs_table
from textassay.analysis.system_means import groups_figure
from textassay.analysis.variance_table import variance_table
from textassay.analysis.wording import named_warnings, per_cent
from textassay.headline import Headline
from textassay.report.numbers import NumberFormat
from textassay.results import Analysis, Figure, Table
from textassay.tasks.reading.measures import (
    LOG,
    RESIDUAL_TIME,
    TIME,
    WORD,
    WORD_LOG,
    WORD_TIME,
    ReadingMeasures,
)

_TESTS = f"{ABOUT_LEADING} It and the mixed model are of logarithms of times, one mean a trial. {ABOUT_MIXED}."
_PAIRS = (
    "Ratio: how many times as long First takes as Second, participants and items taken out. "
    f"{ABOUT_PAIRS.replace('Difference', 'Ratio')}"
)
_OF_LOGARITHMS = "All of it is of logarithms of times: a change of .1 is one of about 10 %."
LOGARITHMS = {"values": "logarithms of times, one mean a trial"}
"""What the mixed model says of its values."""


@dataclass(frozen=True)
class TimeComparison:
    """Times of systems compared."""

    parts: tuple[SubjectsItems, ...]
    """Times per word where words are known, times per unit, and residual times where lengths are known."""
    models: Mapping[str, CrossedModel]
    """Those of logarithms, by what the times are called."""
    leading: Mapping[str, LeadingTest]
    """The leading tests: of logarithms too, but of residual times as they are."""
    options: RecipeOptions
    order: tuple[OrderEffects | None, ...] = ()
    """Of place and previous system on logarithms of times."""

    @cached_property
    def systems(self) -> list[SystemComparison]:
        """Times by the mixed model of their logarithms and by subjects and items; residual times by the latter."""
        without = CrossedModel(RESIDUAL_TIME, None, None, ())
        return [
            compare_crossed(
                part.of,
                self.leading[part.of],
                self.models.get(part.of, without),
                part,
                logarithms=part.of in self.models,
            )
            for part in self.parts
        ]

    @property
    def leads(self) -> SystemComparison:
        """That of the measure which a reader is told of first."""
        return self.systems[0]

    def means(self, trials: pd.DataFrame) -> dict[str, Interval]:
        """By system the geometric mean in milliseconds, adjusted as the leading test does; else the plain mean."""
        logs = self.leads.estimates
        if logs:
            return {name: (math.exp(mean), math.exp(low), math.exp(high)) for name, (mean, low, high) in logs.items()}
        column = WORD if self.leads.measure == WORD_TIME else "rt_ms"
        plain = trials.groupby("system", sort=False)[column].mean()
        return {str(name): (float(mean), math.nan, math.nan) for name, mean in plain.items()}

    def figure(self, trials: pd.DataFrame) -> Figure:
        """The times that the headline tells."""
        found, level = self.means(trials), per_cent(self.options.confidence)
        groups = [
            {"system": name, "mean": found[name][0], "low": found[name][1], "high": found[name][2], "n": None}
            for name in self.options.systems
            if name in found
        ]
        figure = groups_figure(
            "times",
            self.leads.measure.capitalize(),
            self.leads.measure,
            groups,
            (None, None),
            self.leading[self.leads.measure].about_means(level, "Geometric means")
            if self.leads.estimates
            else "Plain means.",
        )
        return replace(figure, data={**figure.data, "better": "lower"})

    def headline(self, trials: pd.DataFrame) -> Headline:
        """Which system was read fastest."""
        words = Wording(
            best="was read fastest",
            worst="slowest",
            beats="was read faster than",
            value="{} ms per word" if self.leads.measure == WORD_TIME else "{} ms per unit",
            better="lower",
            better_than=("faster", "than"),
            kind=NumberFormat.WHOLE,
            ratio="which took {} times as long",
        )
        evidence = Evidence(
            values=self.means(trials),
            participants=trials["participant"].nunique(),
            items=trials["item"].nunique(),
            confidence=self.options.confidence,
            alpha=self.options.alpha,
            caveat=self.leading[self.leads.measure].caveat,
        )
        return system_headline(self.leads, words, evidence)

    def analysis(self) -> Analysis:
        """The leading test first, which is valid for participants and items at once."""
        parts: list[CrossedModel | SubjectsItems] = [*self.models.values(), *self.parts]
        results = [result for part in (*self.leading.values(), *parts) for result in part.results]
        results += [effects for effects in self.order if effects is not None]
        said = [(of, part.warnings) for of, part in self.leading.items()] + [(part.of, part.warnings) for part in parts]
        return Analysis(
            "compared",
            "Systems compared",
            tuple(results),
            tuple(self._tables()),
            warnings=tuple(named_warnings(said)),
            cautions=tuple(order_cautions(self.order)),
        )

    def _tables(self) -> list[Table]:
        """Tests, means and pairs, then by subjects and by items."""
        level, times = per_cent(self.options.confidence), [part for part in self.systems if part.ratios]
        order = order_table(self.order, of="Measure")
        spread = variance_table(list(self.models.values()), of="Measure")
        return [
            system_tests_table(self.systems, of="Measure", note=_TESTS),
            *([self._means_table(times, level)] if times[0].estimates else []),
            *([pairs_table(times, of="Measure", note=_PAIRS.format(level=level))] if times[0].pairs else []),
            *([] if spread is None else [replace(spread, detail=True)]),
            *([] if order is None else [replace(order, note=f"{order.note} {_OF_LOGARITHMS}")]),
            replace(ratios_table(self.parts), detail=True),
            *self._pairs_by_units(),
        ]

    def _pairs_by_units(self) -> list[Table]:
        plain = TIME if TIME in self.models else WORD_TIME
        parts = [part for part in self.parts if part.of == plain and part.pairs]
        found = [tukey_pairs_table(parts, self.options.alpha)] if parts else []
        return [replace(table, detail=True) for table in found]

    def _means_table(self, times: Sequence[SystemComparison], level: str) -> Table:
        rows = tuple(
            (part.measure, name, *map(math.exp, part.estimates[name]))
            for part in times
            for name in self.options.systems
            if name in part.estimates
        )
        return Table(
            "model-means",
            "Times of each system",
            ("Measure", "System", "Geometric mean", "Low", "High"),
            rows,
            note=f"Milliseconds, participants and items taken out; {level} intervals, which hold for "
            f"{for_whom(self.leading[part.measure] for part in times)}.",
        )


def compare_times(measured: ReadingMeasures, options: RecipeOptions) -> TimeComparison:
    """F1, F2, min F′ and Tukey's pairs of times and residual times; mixed models of log times."""
    scales = measured.scales
    parts = tuple(
        subjects_items(measured.units, column, of=of, alpha=options.alpha, better="lower")
        for of, column in scales.items()
    )
    models = {
        of: crossed_model(
            measured.trials,
            column,
            of=of,
            better="lower",
            alpha=options.alpha,
            confidence=options.confidence,
            settings=LOGARITHMS,
        )
        for of, column in _LOGS.items()
        if of in scales
    }
    leading = leading_times(measured, options)
    leading = {of: test.standardised(models[of].answer_sd) if of in models else test for of, test in leading.items()}
    order = tuple(
        order_effects(measured.trials, column, leading[of], of=of, options=options)
        for of, column in _LOGS.items()
        if of in leading
    )
    return TimeComparison(parts, models, leading, options, order)


_LOGS = {WORD_TIME: WORD_LOG, TIME: LOG}
"""Times → the column of their logarithms."""


def leading_times(measured: ReadingMeasures, options: RecipeOptions) -> dict[str, LeadingTest]:
    """The leading tests, the one that a reader is told of first: of logarithms, but of residual times as they are."""
    return {
        of: leading_test(measured.trials, _LOGS.get(of, column), of=of, options=options, better="lower")
        for of, column in measured.scales.items()
        if column in measured.units
    }
