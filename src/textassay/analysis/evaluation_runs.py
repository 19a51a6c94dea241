"""Runs of one evaluation, as a replication compares them: answers where they are known, or published scores only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from textassay.analysis.evaluation_summary import Winners
from textassay.analysis.judgements import CELL, read_judgements
from textassay.analysis.leading_test import leading_test
from textassay.analysis.options import RecipeOptions
from textassay.errors import DataError, UsageError
from textassay.tables.frames import read_frame
from textassay.tables.schema import Column, TableSchema

if TYPE_CHECKING:
    from textassay.analysis.evaluation_summary import EvaluationSummary
    from textassay.study.study import Study

PUBLISHED = TableSchema(
    "published scores",
    "scores as a paper prints them: one row per system and criterion",
    (
        Column("system", "text", "the system", required=True),
        Column("criterion", "text", "what was measured", required=True),
        Column("score", "number", "the system's score, such as its mean rating", required=True),
        Column("n", "number", "answers that it rests on"),
        Column("sd", "number", "their standard deviation"),
    ),
    key=("system", "criterion"),
)
"""What is compared where no answers are known; n and sd are carried along."""


@dataclass(frozen=True, eq=False)
class EvaluationRun:
    """One run."""

    name: str
    scores: Mapping[str, Mapping[str, float]]
    """By criterion the score of each system."""
    answers: pd.DataFrame | None = None
    """First answers: `participant, item, system, criterion, value`; nothing where only scores are known."""
    pairs: Mapping[str, Winners] = field(default_factory=dict)
    """By criterion the better of each pair of systems; empty where the two do not differ significantly."""
    begins: Mapping[str, float] = field(default_factory=dict)
    """By criterion the least value of the scale, as far as it is known."""
    scales: Mapping[str, str] = field(default_factory=dict)
    """By criterion the scale in words, as far as it is known."""
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """What was judged, by item and system, where it is known."""
    simulated: bool = False
    """Whether its participants are simulated, so that it says nothing about the texts."""


def published_run(path: Path) -> EvaluationRun:
    """A run of which a paper prints the scores.

    Raises:
        TableError: the table is not such a table.
    """
    table = read_frame(path, PUBLISHED)
    scores: dict[str, dict[str, float]] = {}
    for criterion, system, score in zip(table["criterion"], table["system"], table["score"], strict=True):
        scores.setdefault(str(criterion), {})[str(system)] = float(score)
    return EvaluationRun(path.stem, scores)


def answered_run(name: str, judgements: pd.DataFrame, **known: Any) -> EvaluationRun:
    """A run of which the answers are known.

    Args:
        name: What it is called.
        judgements: Its answers as judgements.
        known: Further fields of `EvaluationRun`; pairs are those of the leading test unless given.
    """
    answers = read_judgements(judgements).main[[*CELL, "value"]].astype(dict.fromkeys(CELL, str))
    scores = {
        str(criterion): {str(system): float(mean) for system, mean in own.groupby("system")["value"].mean().items()}
        for criterion, own in answers.groupby("criterion", sort=False)
    }
    if "pairs" not in known:
        known["pairs"] = {criterion: _winners(answers[answers["criterion"] == criterion]) for criterion in scores}
    return EvaluationRun(name, scores, answers, **known)


def study_runs(
    study: Study, summaries: Sequence[EvaluationSummary], judged: Sequence[pd.DataFrame], *, simulated: bool
) -> list[EvaluationRun]:
    """Each block of a study as a run; pairs of systems are those of its own analysis."""
    found = []
    for block, summary, own in zip(study.blocks, summaries, judged, strict=True):
        asked = {question.name: question.elicitation for question in block.task.questions()}
        known = {name: each for name, each in asked.items() if each is not None}
        begins = {name: each.begins for name, each in known.items() if each.begins is not None}
        scales = {name: f"{each.size} values, {each.values}" for name, each in known.items() if each.values}
        given = {"pairs": summary.pairs, "begins": begins, "scales": scales, "texts": study.texts}
        found.append(answered_run(summary.name, own, **given, simulated=simulated))
    return found


def _winners(own: pd.DataFrame) -> Winners:
    found = leading_test(own, "value", of="value", options=RecipeOptions(), better="higher").pairs
    records = [] if found is None else found.records()
    return {
        frozenset((str(each["first"]), str(each["second"]))): str(each["favours"]) if each["significant"] else ""
        for each in records
    }


def shared_parts(runs: Sequence[EvaluationRun]) -> dict[str, list[str]]:
    """By criterion that all runs have the systems that all runs have.

    Raises:
        UsageError: there is none, a run is there twice, or the scales differ.
    """
    for one, other in combinations(runs, 2):
        _refuse_the_same(one, other)
    first, *others = runs
    criteria = [name for name in first.scores if all(name in run.scores for run in others)]
    if not criteria:
        seen = "; ".join(f"{run.name}: {', '.join(run.scores)}" for run in runs)
        raise UsageError(f"the runs have no criterion in common ({seen}); rename the criteria in one of them")
    found = {
        criterion: [
            system for system in first.scores[criterion] if all(system in run.scores[criterion] for run in runs)
        ]
        for criterion in criteria
    }
    without = [criterion for criterion, systems in found.items() if not systems]
    if without:
        seen = "; ".join(f"{run.name}: {', '.join(run.scores[without[0]])}" for run in runs)
        raise UsageError(
            f"the runs have no system in common on {without[0]} ({seen}); rename the systems in one of them"
        )
    for criterion in criteria:
        scales = {run.name: run.scales[criterion] for run in runs if criterion in run.scales}
        if len(set(scales.values())) > 1:
            seen = "; ".join(f"{name}: {scale}" for name, scale in scales.items())
            raise UsageError(f"the scales of {criterion} differ ({seen}): its scores cannot be compared")
    return found


def _refuse_the_same(one: EvaluationRun, other: EvaluationRun) -> None:
    if one.name == other.name:
        raise UsageError(f"two runs are called {one.name!r}; rename one of the directories or files")
    if one.answers is None or other.answers is None:
        return
    order = [*CELL, "value"]
    # As objects: how pandas stores texts may differ from table to table.
    both = [
        run.answers.sort_values(order).reset_index(drop=True).astype(object)
        for run in (one, other)
        if run.answers is not None
    ]
    if both[0].equals(both[1]):
        raise DataError(
            f"{one.name} and {other.name} hold the same answers of the same people: this is one run, not two"
        )


def paired_answers(
    one: EvaluationRun, other: EvaluationRun, criterion: str, systems: Sequence[str]
) -> tuple[pd.DataFrame, bool]:
    """The answers of both runs to shared systems with a column `run`, and whether items of one name are the same texts.

    Where texts of the same item and system read differently, items are told apart by their run.
    """
    parts = []
    for run in (one, other):
        answers = run.answers
        if answers is None:
            raise ValueError(f"no answers of {run.name} are known")
        own = answers[(answers["criterion"] == criterion) & answers["system"].isin(systems)]
        parts.append(own.assign(run=run.name))
    table = pd.concat(parts, ignore_index=True)
    differing = [key for key, text in one.texts.items() if key in other.texts and other.texts[key] != text]
    if differing:
        table["item"] = table["item"].astype(str) + " in " + table["run"]
    return table, not differing
