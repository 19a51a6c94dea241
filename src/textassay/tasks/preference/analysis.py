"""The statistics of a preference block: what the answers look like, what is preferred, and the published analysis."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import cast

import pandas as pd

from textassay.analysis import compare_exclusions, describe
from textassay.analysis.selection import excluded, rows_of_block
from textassay.results import Analysis
from textassay.study.model import AnalysisOptions
from textassay.study.study import Block, Study
from textassay.tasks.preference.answers import in_one_order, label, pairs_in, read_preferences
from textassay.tasks.preference.by_pair import by_pair
from textassay.tasks.preference.published import published
from textassay.tasks.preference.settings import PreferenceSettings

Scales = Mapping[str, tuple[float, float]]


def analyse(block: Block, study: Study, table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """Description, preferences by pair, the published analysis, and both with and without exclusions.

    Args:
        block: The block.
        study: Its study.
        table: Preferences of everybody; those of other blocks, which columns `block` and `criterion` tell, are ignored.
        participants: Whose column `verdict`, if there is one, says `excluded` is left out of the results.
    """
    settings = cast("PreferenceSettings", block.settings)
    scales = {each.name: (-float(settings.furthest), float(settings.furthest)) for each in settings.criteria}
    out = excluded(participants)
    everyone = rows_of_block(table, block.name, scales)
    kept = everyone[~everyone["participant"].isin(out)]
    options = study.file.analysis
    found = _tested(kept, options, scales, study.systems)
    described = _described(everyone, scales, out)
    if len(kept) == len(everyone):
        return [described, *found]
    side_by_side = compare_exclusions(_together(_tested(everyone, options, scales, study.systems)), _together(found))
    return [described, *found, Analysis("exclusions", "With and without exclusions", tables=(side_by_side,))]


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study; the scales are as wide as the values seen, to both sides alike."""
    judged = read_preferences(table)
    widest = judged.main.groupby("criterion")["value"].agg(lambda values: float(values.abs().max()))
    scales = {str(name): (-reach, reach) for name, reach in widest.items()}
    return [_described(table, scales, ()), *_tested(table, options, scales, ())]


def _described(table: pd.DataFrame, scales: Scales, out: Collection[str]) -> Analysis:
    pairs = [label(*pair) for pair in pairs_in(read_preferences(table).main)]
    found = describe(in_one_order(table), scales=scales, systems=pairs, excluded=out)
    tables = [
        replace(each, columns=("Pair", *each.columns[1:]), note=f"{each.note} Negative prefers the system named first.")
        if each.columns[0] == "System"
        else each
        for each in found.tables
    ]
    return replace(found, tables=tuple(tables))


def _tested(
    table: pd.DataFrame, options: AnalysisOptions, scales: Scales, systems: Sequence[str]
) -> tuple[Analysis, Analysis]:
    judged = read_preferences(table)
    levels = {"alpha": options.alpha, "confidence": options.confidence}
    return (
        by_pair(judged, **levels, scales=scales),
        published(judged, **levels, scales=scales, systems=systems),
    )


def _together(analyses: Sequence[Analysis]) -> Analysis:
    return Analysis("all", "All", results=tuple(result for analysis in analyses for result in analysis.results))
