"""The statistics of all blocks of a study, and whose answers count in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textassay.analysis.cohorts import compare_cohorts
from textassay.analysis.missing_answers import missing_in_block
from textassay.results import Analysis
from textassay.screening.incomplete import Incomplete
from textassay.screening.verdicts import SIMULATED, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from textassay.answers.dataset import Dataset
    from textassay.design.plan import Plan
    from textassay.study.study import Block, Study


def analyse_blocks(
    study: Study,
    plan: Callable[[Study], Plan],
    data: Dataset,
    verdicts: Sequence[Verdict],
    stage: Callable[[str], None],
) -> dict[str, Sequence[Analysis]]:
    """The statistics of each block, by its name, with and without excluded participants."""
    people = data.frame("participants")
    excluded = _excluded(verdicts)
    people["verdict"] = ["excluded" if person in excluded else "valid" for person in people["participant"]]
    in_no_result = _withdrew(people) | _simulated(verdicts)
    unfinished = _unfinished(verdicts)
    people["unfinished"] = people["participant"].isin(unfinished)
    found: dict[str, Sequence[Analysis]] = {}
    for block in study.blocks:
        stage(f"analysing {block.name}")
        table = data.frame(block.task.schema.name)
        analyses = block.task.analyse(table[~table["participant"].isin(in_no_result)], people)
        compared = _cohorts(study, block, data.of_block(block, without=in_no_result), people)
        missing = missing_in_block(study, plan, block, data.cases, data.participants, without=excluded - unfinished)
        found[block.name] = [named(analysis, block, study) for analysis in (*analyses, *missing, *compared)]
    return found


def not_counted(data: Dataset, verdicts: Sequence[Verdict]) -> set[str]:
    """Participants whose answers are not in the main results: excluded by screening, or withdrawn."""
    return _excluded(verdicts) | _withdrew(data.frame("participants"))


def named(analysis: Analysis, block: Block, study: Study) -> Analysis:
    """The analysis under the name of its block, if there are several blocks."""
    return analysis.within(block.name) if len(study.blocks) > 1 else analysis


def of_everyone(found: Sequence[Analysis], table: pd.DataFrame) -> list[Analysis]:
    """The analyses, of which the first says that nobody was excluded: a bare table does not tell who finished."""
    if "participant" not in table or not found:
        return list(found)
    people = table["participant"].nunique()
    note = f"all {people} participants of the table count: it does not say who finished, and nobody is screened"
    return [replace(found[0], warnings=(note, *found[0].warnings)), *found[1:]]


def _excluded(verdicts: Sequence[Verdict]) -> set[str]:
    """Participants whom screening excludes."""
    return {verdict.participant for verdict in verdicts if not verdict.valid}


def _unfinished(verdicts: Sequence[Verdict]) -> set[str]:
    """Participants who are excluded for nothing but that they did not finish."""
    return {each.participant for each in verdicts if {reason.rule for reason in each.reasons} == {Incomplete.name}}


def _withdrew(people: pd.DataFrame) -> set[str]:
    """Participants who withdrew: their answers are in no result, not even in those of all participants."""
    return set(people.loc[people["status"] == "withdrawn", "participant"]) if "status" in people else set()


def _simulated(verdicts: Sequence[Verdict]) -> set[str]:
    """Simulated participants of a study that real people have completed: in no result either."""
    return {each.participant for each in verdicts if any(reason.rule == SIMULATED for reason in each.reasons)}


def _cohorts(study: Study, block: Block, table: pd.DataFrame, people: pd.DataFrame) -> list[Analysis]:
    """The block's cohorts compared, without excluded participants; empty if there are fewer than two."""
    if len(study.cohorts) < 2 or table.empty:
        return []
    options = study.file.analysis
    levels = {"alpha": options.alpha, "confidence": options.confidence}
    found = compare_cohorts(block.task.block_judgements(table), people, systems=study.systems, **levels)
    return [found] if found is not None else []
