"""An evaluation in the figures by which two of them are compared: what was found, and what it cost.

Nothing here asks for a task: factors and agreement are taken from the records of its analyses, or from its answers seen
as judgements where it has no such records; trials and time are those of its table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from textassay.analysis.judgements import read_judgements
from textassay.analysis.leading_test import leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.published_analysis import FACTORS, system_text_evaluator
from textassay.results import Analysis, Record

_MINUTE = 60_000


Winners = Mapping[frozenset[str], str]
"""Pair of systems → the one that is significantly better; empty where the two do not differ."""


@dataclass(frozen=True)
class Cost:
    """What the answers took."""

    participants: int
    trials: int | None
    """Main trials; nothing where the table does not tell trials apart."""
    minutes: float
    """At work on them, of all participants together; nan where times are not known."""
    seconds_a_trial: float
    """Median."""


@dataclass(frozen=True)
class EvaluationSummary:
    """One evaluation, such as one with rating scales."""

    name: str
    records: Mapping[str, Sequence[Record]]
    """By criterion."""
    means: Mapping[str, Mapping[str, float]]
    """By criterion the mean of each system."""
    cost: Cost
    pairs: Mapping[str, Winners] = field(default_factory=dict)
    """By criterion what the preferred analysis says of each pair of systems."""

    @property
    def criteria(self) -> list[str]:
        """In the order in which they first appear."""
        return list(self.means)

    def find(self, criterion: str, statistic: str, by: str | None = None, method: str | None = None) -> Record | None:
        """The first such record."""
        fitting = (record for record in self.records[criterion] if record["statistic"] == statistic)
        wanted = (record for record in fitting if by in (None, record["by"]))
        return next((record for record in wanted if method in (None, record["method"])), None)

    def factors(self, criterion: str) -> list[Record]:
        """F of System, Text, Evaluator and properties of items, from one-way analyses of variance."""
        return [record for record in self.records[criterion] if record["statistic"] == "F" and "omega2" in record]


def summarise_evaluation(
    name: str, analyses: Iterable[Analysis], judgements: pd.DataFrame, table: pd.DataFrame, time_column: str
) -> EvaluationSummary:
    """What there is to compare of an evaluation.

    Args:
        name: What it is called.
        analyses: What its task found.
        judgements: Its answers as judgements (`participant, item, system, criterion, value`).
        table: Its answers as they are.
        time_column: The column with the milliseconds that a trial took.
    """
    found = [record for analysis in analyses for record in analysis.records()]
    main = read_judgements(judgements).main
    by_criterion = {
        str(criterion): {str(system): float(mean) for system, mean in own.groupby("system")["value"].mean().items()}
        for criterion, own in main.groupby("criterion", sort=False)
    }
    records = {name: [record for record in found if record["of"] == name] for name in by_criterion}
    lacking = [name for name, own in records.items() if not _factors_in(own)]
    if lacking:
        more = system_text_evaluator(main[main["criterion"].isin(lacking)]).records()
        records |= {name: [*records[name], *(r for r in more if r["of"] == name)] for name in lacking}
    pairs = {name: _pairs(records[name], main[main["criterion"] == name]) for name in records}
    return EvaluationSummary(name, records, by_criterion, evaluation_cost(table, time_column), pairs)


def _pairs(records: Sequence[Record], own: pd.DataFrame) -> Winners:
    """Of each pair of systems the better one: by the evaluation's own first analysis, or by the leading test.

    The published analyses do not count here, since they take all answers as independent.
    """
    found = [r for r in records if r["statistic"] == "difference" and r["by"] != "System"]
    if not found:
        pairs = leading_test(own, "value", of="value", options=RecipeOptions(), better="higher").pairs
        found = [] if pairs is None else pairs.records()
    first = [record for record in found if record["method"] == found[0]["method"]]
    return {
        frozenset((str(each["first"]), str(each["second"]))): str(each["favours"]) if each["significant"] else ""
        for each in first
    }


def _factors_in(records: Sequence[Record]) -> bool:
    return set(FACTORS) <= {record["by"] for record in records if record["statistic"] == "F"}


def evaluation_cost(table: pd.DataFrame, time_column: str) -> Cost:
    """Participants, main trials and time; a trial with several rows counts once."""
    main = table[table["kind"].fillna("main").isin(["", "main"])] if "kind" in table else table
    people = main["participant"].nunique()
    if "trial" not in main or main["trial"].isna().any():
        return Cost(people, None, math.nan, math.nan)
    columns = [name for name in ("participant", "block", "trial") if name in main]
    trials = main.drop_duplicates(columns)
    if time_column not in trials:
        return Cost(people, len(trials), math.nan, math.nan)
    times = pd.to_numeric(trials[time_column], errors="coerce").astype(float).dropna()
    known = len(times) > 0
    total = float(times.sum()) / _MINUTE if known else math.nan
    return Cost(people, len(trials), total, float(times.median()) / 1000 if known else math.nan)
