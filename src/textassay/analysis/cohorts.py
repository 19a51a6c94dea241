"""Cohorts compared, such as experts and lay people: do they put the systems where the others do?

Every task's answers can be seen as judgements, and a cohort stands in the participants table, so that one recipe serves
all. Each participant counts once, with the mean of the judgements of a system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import pandas as pd

from textassay.analysis import cohort_tables
from textassay.analysis.agreement import between_evaluators
from textassay.analysis.judgements import Judgements, in_order, read_judgements
from textassay.analysis.named_warnings import named_warnings
from textassay.analysis.selection import excluded
from textassay.analysis.system_correlation import system_correlation
from textassay.errors import DataError
from textassay.results import Analysis, Result
from textassay.stats import Correlation, KendallW, MeanInterval, RmAnova, mean_interval, rm_anova

NAME = "cohorts"


@dataclass(frozen=True)
class OfCohort:
    """One cohort on one criterion."""

    cohort: str
    participants: int
    means: tuple[MeanInterval, ...]
    """One a system, over participants' means."""
    test: RmAnova | None
    """Whether the systems differ, by participants."""
    agreement: KendallW


@dataclass(frozen=True)
class CohortsOn:
    """All cohorts on one criterion."""

    criterion: str
    cohorts: tuple[OfCohort, ...]
    interaction: RmAnova | None
    """System, cohort, and system × cohort."""
    correlations: Mapping[tuple[str, str], tuple[Correlation, Correlation]]
    """Of each pair of cohorts: Pearson's and Spearman's, over the means of systems."""
    warnings: tuple[str, ...]

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of the tables."""
        own: list[Result | None] = [x for each in self.cohorts for x in (*each.means, each.test, each.agreement)]
        both = [result for pair in self.correlations.values() for result in pair]
        return tuple(result for result in (self.interaction, *both, *own) if result is not None)


def cohorts(
    judgements: pd.DataFrame, participants: pd.DataFrame, *, confidence: float = 0.95, systems: Sequence[str] = ()
) -> Analysis | None:
    """Means, tests and agreement of each cohort, their correlation, and whether they see the systems differently.

    Args:
        judgements: Columns `participant, item, system, criterion, value`; those of participants whom `participants`
            excludes are left out.
        participants: Columns `participant` and `cohort`; where known `verdict`.
        confidence: Of the intervals.
        systems: The order in which systems are shown; those not named follow by name.

    Returns:
        Nothing where fewer than two cohorts have judged.
    """
    if "cohort" not in participants:
        return None
    kept = participants[~participants["participant"].isin(excluded(participants))]
    known = kept[kept["cohort"].notna() & (kept["cohort"].astype(str) != "")]
    whose = dict(zip(known["participant"].astype(str), known["cohort"].astype(str), strict=True))
    judged = read_judgements(judgements[judgements["participant"].astype(str).isin(list(whose))])
    named = judged.main.assign(cohort=judged.main["participant"].map(whose))
    order = in_order(set(named["cohort"]), list(dict.fromkeys(whose.values())))
    if len(order) < 2:
        return None
    parts = [_on(named[named["criterion"] == name], name, order, systems, confidence) for name in judged.criteria]
    return Analysis(
        NAME,
        "Cohorts compared",
        results=tuple(result for part in parts for result in part.results),
        tables=cohort_tables.tables(parts, confidence),
        figures=cohort_tables.figures(parts),
        warnings=tuple(named_warnings([(part.criterion, part.warnings) for part in parts])),
    )


def _on(main: pd.DataFrame, criterion: str, order: Sequence[str], systems: Sequence[str], level: float) -> CohortsOn:
    """One criterion."""
    columns = ["participant", "cohort", "system"]
    means = main.groupby(columns, sort=False)["value"].mean().reset_index()
    shown = in_order(set(means["system"]), systems)
    warnings: list[str] = []
    parts = []
    for cohort in order:
        own = main[main["cohort"] == cohort]
        if len(own):
            parts.append(_of_cohort(own, means[means["cohort"] == cohort], (criterion, cohort), shown, level, warnings))
    both = _tested(means, f"{criterion}, all cohorts", warnings, between=True)
    of_systems = {part.cohort: {mean.by: mean.mean for mean in part.means if mean.n} for part in parts}
    pairs = {
        (one, other): system_correlation(of_systems[one], of_systems[other], one, f"{other} ({criterion})")
        for one, other in combinations(of_systems, 2)
    }
    said = [text for correlated in pairs.values() for result in correlated for text in result.warnings]
    return CohortsOn(criterion, tuple(parts), both, pairs, tuple(dict.fromkeys([*warnings, *said])))


def _of_cohort(
    main: pd.DataFrame,
    means: pd.DataFrame,
    name: tuple[str, str],
    systems: Sequence[str],
    level: float,
    warnings: list[str],
) -> OfCohort:
    criterion, cohort = name
    of = f"{criterion}, {cohort}"
    by_system = {system: means.loc[means["system"] == system, "value"].to_numpy(dtype=float) for system in systems}
    agreement = between_evaluators(Judgements(main, main.iloc[:0], ())).about(of)
    warnings += [f"{cohort}: {text}" for text in agreement.warnings]
    unit = {"unit": "mean of a participant"}
    intervals = [(system, mean_interval(values, confidence=level)) for system, values in by_system.items()]
    return OfCohort(
        cohort,
        int(main["participant"].nunique()),
        tuple(replace(each, settings={**each.settings, **unit}).about(of, system) for system, each in intervals),
        _tested(means, of, warnings, between=False),
        agreement,
    )


def _tested(means: pd.DataFrame, of: str, warnings: list[str], *, between: bool) -> RmAnova | None:
    """Repeated measures over participants' means; participants who lack a system are left out and counted."""
    levels = means["system"].nunique()
    complete = means[means.groupby("participant")["system"].transform("nunique") == levels]
    people = means["participant"].nunique()
    lost = people - complete["participant"].nunique()
    if lost:
        warnings.append(f"{of}: tests leave out {lost} of {people} participants, who have not judged every system")
    factors = {"cohort": complete["cohort"].to_numpy()} if between else None
    values, whose = complete["value"].to_numpy(dtype=float), complete["participant"].to_numpy()
    try:
        found = rm_anova(values, whose, {"system": complete["system"].to_numpy()}, between=factors)
    except DataError as error:
        warnings.append(f"{of}: no test: {error}")
        return None
    warnings += [f"{of}: {text}" for text in found.warnings]
    return found.about(of)
