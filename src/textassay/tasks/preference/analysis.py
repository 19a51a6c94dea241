"""The statistics of a preference block: what is preferred, the published analysis, and what the answers look like."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from textassay.analysis.answer_distribution import describe_answers
from textassay.analysis.exclusions import excluded, with_and_without_exclusions
from textassay.analysis.leading_test import leading_contrasts
from textassay.analysis.missing_answers import with_unjudged
from textassay.analysis.options import RecipeOptions, study_options, table_options
from textassay.analysis.reasons import reasons_given
from textassay.results import Analysis
from textassay.study.model import AnalysisOptions
from textassay.tables.frames import rows_of_block
from textassay.tables.schema import PREFERENCES
from textassay.tasks.contract import Task
from textassay.tasks.preference.answers import in_one_order, label, pairs_in, preference_arrays, read_preferences
from textassay.tasks.preference.comparison import preferences, preferences_in_brief
from textassay.tasks.preference.published import published, published_preferences
from textassay.tasks.preference.settings import PreferenceSettings


def analyse(task: Task[PreferenceSettings], table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """Preferences on one scale and by pair, the published analysis, description.

    Column `criterion` tells blocks apart too.
    """
    furthest = float(task.settings.furthest)
    options = study_options(task.study, {each.name: (-furthest, furthest) for each in task.settings.criteria})
    everyone = rows_of_block(table, task.block.name, criteria=options.scales)
    tested = with_and_without_exclusions(
        everyone,
        participants,
        lambda rows: _tested(rows, options),
        of_everyone=lambda rows: _in_brief(rows, options),
        alpha=options.alpha,
    )
    out = excluded(participants)
    counted = everyone[~everyone["participant"].isin(out)]
    return _with_counts([*tested, _described(everyone, options, out)], counted, options)


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study; the scales are as wide as the values seen, to both sides alike."""
    judged = read_preferences(table)
    widest = judged.main.groupby("criterion")["value"].agg(lambda values: float(values.abs().max()))
    scales = {str(name): (-reach, reach) for name, reach in widest.items()}
    known = table_options(table, options, PREFERENCES, scales)
    return _with_counts([*_tested(table, known), _described(table, known, ())], table, known)


def system_test(task: Task[PreferenceSettings], table: pd.DataFrame) -> Mapping[str, float]:
    """The leading test of each criterion."""
    criteria = task.settings.criteria
    judged = read_preferences(rows_of_block(table, task.block.name, criteria=[each.name for each in criteria]))
    found = dict.fromkeys((each.name for each in criteria), math.nan)
    for name in judged.criteria:
        given = preference_arrays(judged.of(name).main, task.study.systems).contrasts
        found[name] = leading_contrasts(given, of=name, options=RecipeOptions()).found.p
    return found


def _tested(table: pd.DataFrame, options: RecipeOptions) -> list[Analysis]:
    judged = read_preferences(table)
    parts = published_preferences(judged, options)
    return [preferences(judged, parts, options), published(judged, parts)]


def _in_brief(table: pd.DataFrame, options: RecipeOptions) -> list[Analysis]:
    judged = read_preferences(table)
    results = (result for part in published_preferences(judged, options) for result in part.results)
    return [preferences_in_brief(judged, options), Analysis("published", "Published", results=tuple(results))]


def _with_counts(found: Sequence[Analysis], table: pd.DataFrame, options: RecipeOptions) -> list[Analysis]:
    """How often participants could not say, and how often they said why; an answer counts for both systems."""
    given, pair = in_one_order(table), ("system_a", "system_b")
    return [*with_unjudged(found, given, options, pair), *reasons_given(given, options, pair)]


def _described(table: pd.DataFrame, options: RecipeOptions, out: Collection[str]) -> Analysis:
    pairs = [label(*pair) for pair in pairs_in(read_preferences(table).main)]
    found = describe_answers(in_one_order(table), scales=options.scales, systems=pairs, excluded=out)
    tables = [
        replace(each, columns=("Pair", *each.columns[1:]), note=f"{each.note} Negative prefers the system named first.")
        if each.columns[0] == "System"
        else each
        for each in found.tables
    ]
    return replace(found, tables=tuple(tables))
