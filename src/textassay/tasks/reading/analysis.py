"""The statistics of a reading block: times of systems, what else times depend on, and how well texts were understood.

The times are analysed as Lapata (2006, experiment 2) did, by subjects and by items, and by mixed models beside that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from textassay.analysis.crossed_logistic import crossed_logistic, odds_table
from textassay.analysis.exclusions import with_and_without_exclusions
from textassay.analysis.judgements import in_order, need_columns
from textassay.analysis.leading_test import leading_p
from textassay.analysis.options import RecipeOptions, study_options, table_options
from textassay.analysis.subjects_items import UNITS
from textassay.analysis.table_builder import SYSTEM_OF_MEAN, build_table, mean_columns
from textassay.analysis.wording import named_warnings, per_cent
from textassay.results import Analysis, Figure, Table
from textassay.stats import MeanInterval, mean_interval
from textassay.study.model import AnalysisOptions
from textassay.study.study import Study
from textassay.tables.frames import rows_of_block
from textassay.tables.schema import READING_TIMES
from textassay.tasks.contract import Task
from textassay.tasks.reading.comparison import compare_times, leading_times
from textassay.tasks.reading.measures import LOG, SUBJECTS, TIME, WORD_TIME, ReadingMeasures, leading_logs, measured
from textassay.tasks.reading.predictor import predictor_values
from textassay.tasks.reading.preparation import CUTOFF_SD, TRIAL, USED, PreparedTimes, prepare
from textassay.tasks.reading.regression import regression
from textassay.tasks.reading.settings import ReadingSettings
from textassay.tasks.reading.time_limit import time_limit

_LONGER = 1.05
"""Units of one system that are so much longer than those of another make their times hard to compare."""


def analyse(task: Task[ReadingSettings], table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """Times and comprehension."""
    settings, options = task.settings, _with_logarithms(study_options(task.study))
    return with_and_without_exclusions(
        _with_predictor(rows_of_block(table, task.block.name), settings.predictor, task.study),
        participants,
        lambda times: [reading_times(times, options, k=settings.cutoff_sd, predictor=settings.predictor)],
        tests=lambda times: [_leading_tests(times, options, settings.cutoff_sd)],
        alpha=options.alpha,
    )


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study, with the cut-off of Lapata (2006)."""
    return [reading_times(table, _with_logarithms(table_options(table, options, READING_TIMES)))]


def _with_logarithms(options: RecipeOptions) -> RecipeOptions:
    """A smallest difference of reading time, in per cent, is one of the logarithms of times."""
    if "reading time" not in options.smallest:
        return options
    bound = math.log1p(options.smallest["reading time"] / 100)
    return replace(options, smallest={WORD_TIME: bound, TIME: bound})


def system_test(task: Task[ReadingSettings], table: pd.DataFrame) -> Mapping[str, float]:
    """The leading test of the times that the report leads with: per word where words are known, else per unit."""
    own = rows_of_block(table, task.block.name)
    own = own[[column for column in USED if column in own]]
    units = prepare(own, task.settings.cutoff_sd).units
    of, logs = leading_logs(units)
    if units.empty:
        return {of: math.nan}
    trials = units.assign(**{LOG: logs}).groupby(TRIAL, sort=False)[LOG].mean().dropna().reset_index()
    return {of: leading_p(trials, LOG)}


def _leading_tests(table: pd.DataFrame, options: RecipeOptions, k: float) -> Analysis:
    units = prepare(table, k).units
    tests = leading_times(measured(units, options.confidence), options).values() if len(units) else ()
    return Analysis("tests", "Tests", results=tuple(result for each in tests for result in each.results))


def reading_times(
    table: pd.DataFrame, options: RecipeOptions, *, k: float = CUTOFF_SD, predictor: str | None = None
) -> Analysis:
    """Times of systems by subjects, by items and by a mixed model; regression on a predictor; comprehension.

    Args:
        table: Columns `participant, item, system, rt_ms`; where known `question, correct, length, position,
            unit_position, restarts, kind`, and that of the predictor.
        options: Levels of tests and intervals, and the order of systems.
        k: Times further from the participant's mean than this many standard deviations are replaced.
        predictor: A column with a number for each text, such as tau, on which times are regressed.

    Raises:
        DataError: a column is missing.
    """
    ready = prepare(table, k)
    names = ("reading-times", "Reading times")
    if ready.units.empty:
        return Analysis(*names, warnings=(*ready.warnings, "there are no reading times to analyse"))
    order = in_order({*ready.units["system"], *ready.answers["system"]}, options.systems)
    options = replace(options, systems=order)
    times = measured(ready.units, options.confidence)
    counts = Analysis(*names, (ready.counts,), (ready.counts.as_table(),), warnings=ready.warnings)
    compared = compare_times(times, options)
    parts = [
        _times(ready.units, options, TIME if TIME in times.scales else WORD_TIME),
        compared.analysis(),
        _regression(times, predictor, options),
        time_limit(ready, options),
        _understood(ready, options),
        times.analysis(),
        counts,
    ]
    return Analysis(
        *names,
        results=tuple(result for part in parts for result in part.results),
        tables=tuple(table for part in parts for table in part.tables),
        figures=(compared.figure(times.trials), *(figure for part in parts for figure in part.figures)),
        headlines=(*(headline for part in parts for headline in part.headlines), compared.headline(times.trials)),
        subjects=SUBJECTS,
        cautions=tuple(text for part in parts for text in part.cautions),
        warnings=tuple(dict.fromkeys(text for part in [counts, *parts] for text in part.warnings)),
    )


def _with_predictor(table: pd.DataFrame, predictor: str | None, study: Study) -> pd.DataFrame:
    """The table with the number of each text; one that was collected with it keeps its own."""
    if predictor is None or predictor in table:
        return table
    numbers = predictor_values(predictor, study)
    texts = zip(table["item"].astype(str), table["system"].astype(str), strict=True)
    return table.assign(**{predictor: [numbers.get(text, math.nan) for text in texts]})


def _times(units: pd.DataFrame, options: RecipeOptions, measure: str) -> Analysis:
    """Mean times by subjects and by items; `measure` is what a time per unit is called in the comparisons."""
    confidence = options.confidence
    means = {over: _means(units, column, over, options.systems, confidence) for over, column in UNITS.items()}
    flat = tuple(mean for of_kind in means.values() for mean in of_kind)
    return Analysis(
        "times",
        "Time per unit",
        flat,
        (replace(times_table(means, confidence), subject=measure),),
        courses_figures(units, options),
        (*_lengths(units), *_named(flat)),
    )


def _means(
    units: pd.DataFrame, column: str, over: str, order: Sequence[str], confidence: float
) -> tuple[MeanInterval, ...]:
    """One mean a system, over the means of its subjects or items."""
    cells = units.groupby([column, "system"], sort=False)["rt_ms"].mean().reset_index()
    found = [mean_interval(cells[cells["system"] == system]["rt_ms"], confidence=confidence) for system in order]
    return tuple(mean.about(time_by(over), system) for mean, system in zip(found, order, strict=True))


def _regression(times: ReadingMeasures, predictor: str | None, options: RecipeOptions) -> Analysis:
    if predictor is None:
        return Analysis("regression", "Regression")
    need_columns(times.units, [predictor], "regressions of reading times")
    numbers = pd.to_numeric(times.units[predictor], errors="coerce").astype(float)
    own = times.units.assign(**{predictor: numbers}).groupby(TRIAL, sort=False)[predictor].mean().reset_index()
    return regression(times.trials.merge(own, on=TRIAL), predictor, options.confidence)


def _understood(ready: PreparedTimes, options: RecipeOptions) -> Analysis:
    """Share of texts with all questions answered rightly: the mean over subjects, and the odds of systems."""
    names, confidence = ("comprehension", "Comprehension"), options.confidence
    if ready.answers.empty:
        return Analysis(*names)
    shares = ready.answers.assign(correct=ready.answers["correct"].astype(float))
    cells = shares.groupby(["participant", "system"], sort=False)["correct"].mean().reset_index()
    means = tuple(
        mean_interval(cells[cells["system"] == system]["correct"], confidence=confidence, bounds=(0, 1)).about(
            "correct", system
        )
        for system in options.systems
    )
    odds = crossed_logistic(
        shares, "correct", of="correct", better="higher", alpha=options.alpha, confidence=confidence
    )
    what = "Odds that all questions about a text are answered rightly."
    compared_odds = (
        [odds_table("comprehension-odds", "Comprehension: odds of systems", [odds], what)] if odds.rows else []
    )
    return Analysis(
        *names,
        (*means, *odds.results),
        tuple(
            replace(table, subject=names[0])
            for table in (comprehension_table(means, ready, confidence), *compared_odds)
        ),
        warnings=(*_named(means), *named_warnings([(odds.of, odds.warnings)])),
    )


def _named(means: Sequence[MeanInterval]) -> list[str]:
    return [f"{mean.of}, {mean.by}: {warning}" for mean in means for warning in mean.warnings]


def _lengths(units: pd.DataFrame) -> list[str]:
    """Whether longer units may be why one system takes longer."""
    if "length" not in units or units["length"].isna().any():
        return []
    lengths = units.assign(length=units["length"].astype(float)).groupby("system")["length"].mean()
    ordered = sorted(lengths.items(), key=lambda each: each[1])
    (short, least), (long, most) = ordered[0], ordered[-1]
    if most <= _LONGER * least:
        return []
    between = f"from {least:.1f} characters on average ({short}) to {most:.1f} ({long})"
    return [f"units differ in length, {between}; longer units take longer to read: see residual times"]


def time_by(over: str) -> str:
    """What the means are of, in records."""
    return f"{TIME}, by {over}"


def times_table(means: Mapping[str, tuple[MeanInterval, ...]], confidence: float) -> Table:
    """Mean times, by subjects and by items."""
    rows = [(over, mean) for over, of_kind in means.items() for mean in of_kind]
    note = "Milliseconds a unit; n is the number of subjects or items, each of which gives one mean a system."
    columns = (SYSTEM_OF_MEAN, *mean_columns(outermost=True))
    table = build_table("times", "Time per unit", columns, rows, labels=("By",), note=f"{note} {_ends(confidence)}")
    return replace(table, detail=True)


def comprehension_table(right: Sequence[MeanInterval], ready: PreparedTimes, confidence: float) -> Table:
    """Shares of texts understood."""
    texts = ready.answers.groupby("system")["correct"].agg(["sum", "count"]).astype(int)
    counts = {str(name): (right_ones, asked) for name, right_ones, asked in texts.itertuples()}
    rows = [(mean.by, *counts.get(mean.by, (0, 0)), mean.mean, *mean.ci) for mean in right]
    columns = ("System", "Right", "Texts asked about", "Mean share right", "Low", "High")
    note = f"A text is right when all its questions are. The mean is over subjects. {_ends(confidence)}"
    return Table("comprehension", "Comprehension", columns, tuple(rows), note)


def _ends(confidence: float) -> str:
    return f"Low and High are the ends of the {confidence * 100:g} % confidence interval of the mean."


def courses_figures(units: pd.DataFrame, options: RecipeOptions) -> tuple[Figure, ...]:
    """Mean time by the place of a unit in its text, one line per system; nothing where places are not known."""
    if "unit_position" not in units:
        return ()
    known = units.assign(place=pd.to_numeric(units["unit_position"], errors="coerce")).dropna(subset=["place"])
    if known["place"].nunique() < 2:
        return ()
    own = known.groupby(["system", "place", "participant"], sort=False)["rt_ms"].mean().reset_index()
    series = [
        {"system": system, "points": _course(own[own["system"] == system], options.confidence)}
        for system in options.systems
    ]
    data = {"x_label": "place of the unit in its text", "y_label": "mean time in ms", "series": series}
    level = per_cent(options.confidence)
    note = f"Means over participants' own means, with {level} intervals over participants."
    return (Figure("times-by-place", "Mean time by place in the text", "courses", data, note),)


def _course(own: pd.DataFrame, confidence: float) -> list[dict[str, float]]:
    points = []
    for place, rows in own.groupby("place"):
        found = mean_interval(rows["rt_ms"].to_numpy(dtype=float), confidence=confidence)
        points.append({"x": float(str(place)), "mean": found.mean, "low": found.ci[0], "high": found.ci[1]})
    return points
