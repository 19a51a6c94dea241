"""The statistics of a reading block: times by subjects and by items, and how well the texts were understood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pandas as pd

from textassay.analysis import compare_exclusions
from textassay.analysis.judgements import in_order
from textassay.analysis.selection import excluded
from textassay.results import Analysis
from textassay.stats import Anova, MeanInterval, anova, mean_interval
from textassay.study.model import AnalysisOptions
from textassay.study.study import Block, Study
from textassay.tasks.reading.preparation import Prepared, prepare
from textassay.tasks.reading.settings import ReadingSettings
from textassay.tasks.reading.tables import means_figure, tables, time_by

BY = {"subjects": "participant", "items": "item"}
"""What means are taken over → column."""
_CUTOFF_SD = 2.5
_LONGER = 1.05
"""Units of one system that are so much longer than those of another make their times hard to compare."""
NO_F = (
    "no F by {over}: the same {over} were seen with several systems, so their means are not independent and a one-way "
    "analysis of variance would not be valid; analyses for repeated measures come with a later release"
)


def analyse(block: Block, study: Study, table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """Times and comprehension of those kept, then the same with and without exclusions.

    Args:
        block: The block.
        study: Its study.
        table: Reading times of everybody; those of other blocks, which column `block` tells, are ignored.
        participants: Whose column `verdict`, if there is one, says `excluded` is left out of the results.
    """
    k = cast("ReadingSettings", block.settings).cutoff_sd
    own = table[table["block"].fillna("").astype(str).isin(["", block.name])] if "block" in table else table
    kept = own[~own["participant"].isin(excluded(participants))]
    found = [reading_times(kept, k=k, options=study.file.analysis, systems=study.systems)]
    if len(kept) < len(own):
        everyone = reading_times(own, k=k, options=study.file.analysis, systems=study.systems)
        side_by_side = compare_exclusions(everyone, found[0])
        found.append(Analysis("exclusions", "With and without exclusions", tables=(side_by_side,)))
    return found


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study, with the cut-off of Lapata (2006)."""
    return [reading_times(table, k=_CUTOFF_SD, options=options)]


def reading_times(table: pd.DataFrame, *, k: float, options: AnalysisOptions, systems: Sequence[str] = ()) -> Analysis:
    """Mean time a unit for each system by subjects and by items, F where it is valid, and comprehension.

    Args:
        table: Columns `participant, item, system, rt_ms`; where known `question, correct, length, restarts, kind`.
        k: Times further from the participant's mean than so many standard deviations are replaced.
        options: Level of the intervals.
        systems: The order in which systems are shown; those not named follow by name.

    Raises:
        DataError: a column is missing.
    """
    ready = prepare(table, k)
    names = ("reading-times", "Reading times")
    if ready.units.empty:
        return Analysis(*names, warnings=(*ready.warnings, "there are no reading times to analyse"))
    order = in_order({*ready.units["system"], *ready.answers["system"]}, systems)
    means = {over: _means(ready.units, column, over, order, options.confidence) for over, column in BY.items()}
    tests, doubts = _tests(ready.units)
    right = _understood(ready, order, options.confidence)
    flat = [mean for of_kind in (*means.values(), right) for mean in of_kind]
    named = [f"{mean.of}, {mean.by}: {warning}" for mean in flat for warning in mean.warnings]
    return Analysis(
        *names,
        results=(ready.counts, *flat, *tests),
        tables=(ready.counts.as_table(), *tables(means, right, tests, ready, options.confidence)),
        figures=tuple(means_figure(over, found, options.confidence) for over, found in means.items()),
        warnings=(*ready.warnings, *_lengths(ready.units), *doubts, *named),
    )


def _means(
    units: pd.DataFrame, column: str, over: str, order: Sequence[str], confidence: float
) -> tuple[MeanInterval, ...]:
    """One mean a system, over the means of its subjects or items."""
    cells = _cells(units, column)
    of = time_by(over)
    found = [mean_interval(cells[cells["system"] == system]["rt_ms"], confidence=confidence) for system in order]
    return tuple(mean.about(of, system) for mean, system in zip(found, order, strict=True))


def _cells(units: pd.DataFrame, column: str) -> pd.DataFrame:
    """The mean time of each subject or item with each system."""
    return units.groupby([column, "system"], sort=False)["rt_ms"].mean().reset_index()


def _tests(units: pd.DataFrame) -> tuple[tuple[Anova, ...], list[str]]:
    """F by subjects and by items where each was seen with one system only; why there is none elsewhere."""
    tests, doubts = [], []
    for over, column in BY.items():
        cells = _cells(units, column)
        if cells[column].duplicated().any():
            doubts.append(NO_F.format(over=over))
            continue
        found = anova(cells["rt_ms"].to_numpy(), cells["system"].to_numpy(), factor="System").about(time_by(over))
        doubts += [f"{found.of}: {warning}" for warning in found.warnings]
        tests.append(found)
    return tuple(tests), doubts


def _understood(ready: Prepared, order: Sequence[str], confidence: float) -> tuple[MeanInterval, ...]:
    """Share of texts with all questions answered rightly: the mean over subjects, for each system."""
    if ready.answers.empty:
        return ()
    shares = ready.answers.assign(correct=ready.answers["correct"].astype(float))
    cells = shares.groupby(["participant", "system"], sort=False)["correct"].mean().reset_index()
    return tuple(
        mean_interval(cells[cells["system"] == system]["correct"], confidence=confidence).about("correct", system)
        for system in order
    )


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
    return [f"units differ in length, {between}; longer units take longer to read, whatever else differs"]
