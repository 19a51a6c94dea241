"""The statistics of a rating block: what the answers look like, and what they depend on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pandas as pd

from textassay.analysis import compare_exclusions, describe, system_text_evaluator
from textassay.results import Analysis
from textassay.study.model import AnalysisOptions
from textassay.study.study import Block, Study
from textassay.tasks.rating.settings import RatingSettings


def analyse(block: Block, study: Study, table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """Description, then System, Text and Evaluator of those kept, then the same with and without exclusions.

    Args:
        block: The block.
        study: Its study.
        table: Judgements of everybody; those of other blocks, which columns `block` and `criterion` tell, are ignored.
        participants: Whose column `verdict`, if there is one, says `excluded` is left out of the results.
    """
    criteria = cast("RatingSettings", block.settings).criteria
    scales = {criterion.name: (float(criterion.scale.low), float(criterion.scale.high)) for criterion in criteria}
    excluded = _excluded(participants)
    everyone = _of_block(table, block, list(scales))
    kept = everyone[~everyone["participant"].isin(excluded)]
    options = study.file.analysis

    def recipe(judgements: pd.DataFrame) -> Analysis:
        return system_text_evaluator(
            judgements, alpha=options.alpha, confidence=options.confidence, scales=scales, systems=study.systems
        )

    found = [describe(everyone, scales=scales, systems=study.systems, excluded=excluded), recipe(kept)]
    if len(kept) < len(everyone):
        side_by_side = compare_exclusions(recipe(everyone), found[1])
        found.append(Analysis("exclusions", "With and without exclusions", tables=(side_by_side,)))
    return found


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study; the scales are those of the values seen."""
    return [describe(table), system_text_evaluator(table, alpha=options.alpha, confidence=options.confidence)]


def _excluded(participants: pd.DataFrame) -> list[str]:
    if "verdict" not in participants:
        return []
    return [str(name) for name in participants.loc[participants["verdict"] == "excluded", "participant"]]


def _of_block(table: pd.DataFrame, block: Block, criteria: Sequence[str]) -> pd.DataFrame:
    """The block's rows; a table collected elsewhere names no block, and then its criteria tell."""
    own = table["criterion"].isin(criteria)
    if "block" in table:
        named = table["block"].fillna("").astype(str)
        own &= named.isin(["", block.name])
    return table[own]
