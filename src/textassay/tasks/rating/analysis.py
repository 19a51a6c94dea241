"""The statistics of a rating block: whether systems differ, what that rests on, and what the answers look like."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd

from textassay.analysis.answer_distribution import describe_answers
from textassay.analysis.exclusions import excluded, with_and_without_exclusions
from textassay.analysis.judgements import read_judgements
from textassay.analysis.leading_test import leading_p
from textassay.analysis.missing_answers import with_unjudged
from textassay.analysis.options import study_options, table_options
from textassay.analysis.ratings import ratings, ratings_in_brief
from textassay.analysis.reasons import reasons_given
from textassay.results import Analysis
from textassay.study.model import AnalysisOptions
from textassay.tables.frames import rows_of_block
from textassay.tables.schema import JUDGEMENTS
from textassay.tasks.contract import Task
from textassay.tasks.rating.settings import RatingSettings


def analyse(task: Task[RatingSettings], table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """Systems compared, as published, agreement, by subjects and items, then the answers.

    Column `criterion` tells blocks apart too.
    """
    scales = {each.name: (float(each.scale.low), float(each.scale.high)) for each in task.settings.criteria}
    options = study_options(task.study, scales)
    everyone = rows_of_block(table, task.block.name, criteria=options.scales)
    tested = with_and_without_exclusions(
        everyone,
        participants,
        partial(ratings, options=options),
        of_everyone=partial(ratings_in_brief, options=options),
        alpha=options.alpha,
    )
    out = excluded(participants)
    described = describe_answers(everyone, scales=options.scales, systems=task.study.systems, excluded=out)
    counted = everyone[~everyone["participant"].isin(out)]
    return [*with_unjudged([*tested, described], counted, options), *reasons_given(counted, options)]


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study; the scales are those of the values seen."""
    seen = read_judgements(table).main.groupby("criterion")["value"].agg(["min", "max"])
    scales = {str(name): (float(low), float(high)) for name, low, high in seen.itertuples()}
    known = table_options(table, options, JUDGEMENTS, scales)
    found = [*ratings(table, known), describe_answers(table)]
    return [*with_unjudged(found, table, known), *reasons_given(table, known)]


def system_test(task: Task[RatingSettings], table: pd.DataFrame) -> Mapping[str, float]:
    """The leading test of each criterion."""
    criteria = task.settings.criteria
    judged = read_judgements(rows_of_block(table, task.block.name, criteria=[each.name for each in criteria]))
    given = {name: judged.of(name).main for name in judged.criteria}
    return {each.name: leading_p(given[each.name], "value") if each.name in given else math.nan for each in criteria}
