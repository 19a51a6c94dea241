"""A time limit for reading: which texts it ended, and how well texts were understood under it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pandas as pd

from textassay.analysis.compare_systems import Interval, SystemComparison, pairs_table, system_tests_table
from textassay.analysis.headlines import Evidence, Wording, system_headline
from textassay.analysis.leading_test import ABOUT_LEADING, ABOUT_PAIRS, LeadingTest, leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.system_means import groups_figure
from textassay.analysis.wording import named_warnings, per_cent
from textassay.headline import Headline
from textassay.report.numbers import NumberFormat
from textassay.results import Analysis, Figure, Table
from textassay.tasks.reading.preparation import CUTOFF_SD, TRIAL, PreparedTimes, prepare

UNDERSTOOD, FINISHED = "comprehension", "read to the end"
"""What is compared under a time limit: shares of texts."""
_BOUNDS = (0.0, 1.0)
_CARRIED = ("block", "kind", "practice", "repeat", "position")


@dataclass(frozen=True)
class _Measure:
    of: str
    frame: pd.DataFrame
    """Columns `participant, item, system, value`."""
    test: LeadingTest

    @property
    def comparison(self) -> SystemComparison:
        return SystemComparison(
            measure=self.of, tests=tuple(self.test.tests), estimates=self.test.estimates(_BOUNDS), pairs=self.test.pairs
        )


def time_limit(ready: PreparedTimes, options: RecipeOptions) -> Analysis:
    """How texts fared under a time limit: understood, read to the end; nothing where there was no limit."""
    name = ("time-limit", "Time limit")
    if ready.ended.empty:
        return Analysis(*name)
    measures = list(_measures(ready, options))
    parts = [each.comparison for each in measures]
    tests = system_tests_table(parts, title="Time limit: do the systems differ?", of="Measure", note=ABOUT_LEADING)
    pairs = pairs_table(
        parts,
        name="limit-pairs",
        title="Time limit: all pairs of systems",
        of="Measure",
        note=f"Shares of texts. Difference: adjusted share of First − that of Second. {ABOUT_PAIRS}",
    )
    return Analysis(
        *name,
        results=tuple(result for each in measures for result in each.test.results),
        tables=tuple(
            replace(table, subject=UNDERSTOOD)
            for table in (replace(tests, name="limit-tests"), pairs, _ended_table(ready, options))
        ),
        figures=tuple(_figure(each, options) for each in measures if each.of == UNDERSTOOD),
        headlines=tuple(_headline(each, options) for each in measures if each.of == UNDERSTOOD),
        warnings=tuple(named_warnings([(each.of, each.test.warnings) for each in measures])),
    )


def _measures(ready: PreparedTimes, options: RecipeOptions) -> Iterator[_Measure]:
    finished = ready.ended.assign(value=1.0 - ready.ended["timed_out"].astype(float))
    understood = ready.answers.assign(value=ready.answers["correct"].astype(float))
    for of, frame in ((UNDERSTOOD, understood), (FINISHED, finished)):
        if len(frame):
            yield _Measure(of, frame, leading_test(frame, "value", of=of, options=options, better="higher"))


def _ended_table(ready: PreparedTimes, options: RecipeOptions) -> Table:
    counts = ready.ended.assign(timed_out=ready.ended["timed_out"].astype(int)).groupby("system")["timed_out"]
    rows = [
        (system, int(counts.count()[system]), int(counts.sum()[system]), float(counts.mean()[system]))
        for system in options.systems
        if system in counts.groups
    ]
    note = "Ended by the limit: texts that disappeared before they were read to the end; their questions were asked."
    columns = ("System", "Texts", "Ended by the limit", "Share ended")
    return Table("time-limit", "Texts that the time limit ended", columns, tuple(rows), note)


def _figure(measure: _Measure, options: RecipeOptions) -> Figure:
    counts, level = measure.frame.groupby("system")["value"].count(), per_cent(options.confidence)
    groups = [
        {"system": system, "mean": mean, "low": low, "high": high, "n": int(counts[system])}
        for system, (mean, low, high) in _shares(measure).items()
    ]
    note = f"Share of texts with all questions right. {measure.test.about_means(level)}"
    return groups_figure("understood", "Comprehension under the time limit", UNDERSTOOD, groups, _BOUNDS, note)


def _shares(measure: _Measure) -> dict[str, Interval]:
    """By system the adjusted share with its interval; the plain one where there is none."""
    plain = measure.frame.groupby("system")["value"].mean()
    found = measure.test.estimates(_BOUNDS)
    return {str(system): found.get(str(system), (float(share), math.nan, math.nan)) for system, share in plain.items()}


def _headline(measure: _Measure, options: RecipeOptions) -> Headline:
    words = Wording(
        best="was understood best",
        worst="worst",
        beats="was understood better than",
        better_than=("better understood", "than"),
        value="share {}",
        scale=" (of texts read under the time limit, all questions right)",
        kind=NumberFormat.BOUNDED,
        bounds=_BOUNDS,
    )
    evidence = Evidence(
        values=_shares(measure),
        participants=measure.frame["participant"].nunique(),
        items=measure.frame["item"].nunique(),
        confidence=options.confidence,
        alpha=options.alpha,
        caveat=measure.test.caveat,
    )
    return system_headline(measure.comparison, words, evidence)


def comprehension(table: pd.DataFrame, cutoff_sd: float = CUTOFF_SD) -> pd.DataFrame:
    """One judgement per participant and text: 1 where all its questions were answered rightly, else 0."""
    answers = prepare(table, cutoff_sd).answers
    known = table.assign(**{column: table[column].fillna("").astype(str) for column in TRIAL}).drop_duplicates(TRIAL)
    carried = [column for column in _CARRIED if column in known]
    judged = answers[TRIAL].assign(criterion=UNDERSTOOD, value=answers["correct"].astype(float))
    return judged.merge(known[[*TRIAL, *carried]], on=TRIAL, how="left")
