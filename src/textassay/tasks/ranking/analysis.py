"""The statistics of a ranking block: mean ranks, who is ranked above whom, and how far participants agree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from textassay.analysis.compare_systems import corrected_over
from textassay.analysis.exclusions import with_and_without_exclusions
from textassay.analysis.judgements import in_order
from textassay.analysis.leading_test import LeadingTest, leading_contrasts
from textassay.analysis.options import RecipeOptions, study_options, table_options
from textassay.analysis.order_effects import order_cautions
from textassay.analysis.page_positions import position_cautions
from textassay.analysis.trial_contrasts import trial_contrasts, trial_table
from textassay.analysis.wording import named_warnings
from textassay.results import Analysis
from textassay.study.model import AnalysisOptions
from textassay.tables.frames import rows_of_block
from textassay.tables.schema import RANKINGS
from textassay.tasks.contract import Task
from textassay.tasks.ranking.answers import read_rankings
from textassay.tasks.ranking.comparison import compare_rankings, ranking_figures, ranking_headline, ranking_tables
from textassay.tasks.ranking.settings import RankingSettings

__all__ = ["analyse", "analyse_table", "system_test"]


def analyse(task: Task[RankingSettings], table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """Mean ranks, tests, pairs and agreement; column `criterion` tells blocks apart too."""
    options = study_options(task.study)
    rankings = rows_of_block(table, task.block.name, criteria=_criteria(task))
    return with_and_without_exclusions(
        rankings,
        participants,
        lambda rows: [_recipe(rows, options)],
        tests=lambda rows: [_leading_tests(rows, options)],
        alpha=options.alpha,
    )


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study."""
    return [_recipe(table, table_options(table, options, RANKINGS))]


def system_test(task: Task[RankingSettings], table: pd.DataFrame) -> Mapping[str, float]:
    """The leading test of each criterion."""
    tests = _tested(rows_of_block(table, task.block.name, criteria=_criteria(task)), study_options(task.study))
    return {name: tests[name].found.p if name in tests else math.nan for name in _criteria(task)}


def _tested(table: pd.DataFrame, options: RecipeOptions) -> dict[str, LeadingTest]:
    """The leading test of each criterion that has answers."""
    rankings = read_rankings(table)
    found = {}
    for name in rankings.criteria:
        main = rankings.of(name).main
        given = trial_contrasts(trial_table(main, in_order(set(main["system"]), options.systems)))
        found[name] = leading_contrasts(given, of=name, options=options, better="lower")
    return found


def _leading_tests(table: pd.DataFrame, options: RecipeOptions) -> Analysis:
    tests = _tested(table, options).values()
    return Analysis("tests", "Tests", results=tuple(result for each in tests for result in each.results))


def _criteria(task: Task[RankingSettings]) -> list[str]:
    return [criterion.name for criterion in task.settings.criteria]


def _recipe(table: pd.DataFrame, options: RecipeOptions) -> Analysis:
    rankings = read_rankings(table)
    if rankings.main.empty:
        warnings = (*rankings.warnings, "there are no rankings to analyse")
        return Analysis("rankings", "Rankings", warnings=warnings)
    parts = [compare_rankings(rankings.of(name), name, options) for name in rankings.criteria]
    corrected = corrected_over([part.systems for part in parts])
    return Analysis(
        name="rankings",
        title="Rankings",
        results=tuple(result for part in parts for result in part.results),
        tables=ranking_tables(parts, options.confidence),
        figures=ranking_figures(parts, options.confidence),
        headlines=tuple(ranking_headline(part, options, corrected) for part in parts),
        cautions=(
            *order_cautions([part.order for part in parts]),
            *position_cautions([part.positions for part in parts]),
        ),
        warnings=(*rankings.warnings, *named_warnings([(part.criterion, part.warnings) for part in parts])),
    )
