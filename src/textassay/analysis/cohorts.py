"""Cohorts compared, such as experts and lay people: do they put the systems where the others do?

Every task's answers can be seen as judgements, and the cohort is in the participants table, so that one recipe serves
all. Each participant counts once, with the mean of the judgements of a system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import pandas as pd

from textassay.analysis.agreement import OF_GAPS, Concordance, between_evaluators, concordance_columns
from textassay.analysis.compare_systems import SystemTest
from textassay.analysis.exclusions import excluded
from textassay.analysis.headlines import in_words
from textassay.analysis.judgements import Judgements, in_order, read_judgements
from textassay.analysis.system_means import system_correlation, systems_scatter
from textassay.analysis.table_builder import CORRELATIONS, Columns, TableColumn, build_table, f_columns, mean_columns
from textassay.analysis.wording import named_warnings, per_cent, slug
from textassay.errors import DataError
from textassay.headline import Headline
from textassay.results import Analysis, Figure, Result, Table
from textassay.stats import Correlation, MeanInterval, RmAnova, mean_interval, rm_anova
from textassay.stats.variance.split_plot import WithinEffect

NAME = "cohorts"


@dataclass(frozen=True)
class CohortResult:
    """One cohort on one criterion."""

    cohort: str
    participants: int
    means: tuple[MeanInterval, ...]
    """One per system, over participants' means."""
    test: RmAnova | None
    """Whether the systems differ, by participants."""
    agreement: Concordance


@dataclass(frozen=True)
class CriterionByCohort:
    """All cohorts on one criterion."""

    criterion: str
    cohorts: tuple[CohortResult, ...]
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


def compare_cohorts(
    judgements: pd.DataFrame,
    participants: pd.DataFrame,
    *,
    alpha: float = 0.05,
    confidence: float = 0.95,
    systems: Sequence[str] = (),
) -> Analysis | None:
    """Means, tests and agreement of each cohort, their correlation, and whether they see the systems differently.

    Args:
        judgements: Columns `participant, item, system, criterion, value`; those of participants whom `participants`
            excludes are omitted.
        participants: Columns `participant` and `cohort`; where known `verdict`.
        alpha: Level at which cohorts count as different.
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
        tables=cohort_tables(parts, confidence),
        figures=tuple(_figure(part, *names) for part in parts for names in part.correlations),
        warnings=tuple(named_warnings([(part.criterion, part.warnings) for part in parts])),
        headlines=(Headline("Cohorts compared", tuple((_said(part, order, alpha),) for part in parts)),),
    )


def _said(part: CriterionByCohort, cohorts: Sequence[str], alpha: float) -> str:
    """Whether cohorts see the differences between systems differently, by the interaction of the two."""
    who = " and ".join(cohorts) if len(cohorts) == 2 else f"the {len(cohorts)} cohorts"
    if part.interaction is None:
        return f"On {part.criterion}, no test of a difference between {who} was possible."
    found = part.interaction["system:cohort"]
    p = found.p if found.sphericity is None else found.p_gg
    name = "System × cohort, by participants"
    test = in_words(SystemTest(name, "F", found.f, (found.df, found.error.df), p, ""))
    if p < alpha:
        return f"On {part.criterion}, {who} see the differences between systems differently: {test}."
    return f"On {part.criterion}, it is not clear that {who} see the differences between systems differently: {test}."


def _on(
    main: pd.DataFrame, criterion: str, order: Sequence[str], systems: Sequence[str], level: float
) -> CriterionByCohort:
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
    both = _tested(means, (criterion, "all cohorts"), warnings, between=True)
    of_systems = {part.cohort: {mean.by: mean.mean for mean in part.means if mean.n} for part in parts}
    pairs = {
        (one, other): system_correlation(of_systems[one], of_systems[other], one, f"{other} ({criterion})")
        for one, other in combinations(of_systems, 2)
    }
    said = [text for correlated in pairs.values() for result in correlated for text in result.warnings]
    return CriterionByCohort(criterion, tuple(parts), both, pairs, tuple(dict.fromkeys([*warnings, *said])))


def _of_cohort(
    main: pd.DataFrame,
    means: pd.DataFrame,
    name: tuple[str, str],
    systems: Sequence[str],
    level: float,
    warnings: list[str],
) -> CohortResult:
    criterion, cohort = name
    of = f"{criterion}, {cohort}"
    by_system = {system: means.loc[means["system"] == system, "value"].to_numpy(dtype=float) for system in systems}
    agreement = between_evaluators(Judgements(main, main.iloc[:0], ())).about(of)
    warnings += [f"{cohort}: {text}" for text in agreement.warnings]
    unit = {"unit": "mean of a participant"}
    intervals = [(system, mean_interval(values, confidence=level)) for system, values in by_system.items()]
    return CohortResult(
        cohort,
        int(main["participant"].nunique()),
        tuple(replace(each, settings={**each.settings, **unit}).about(of, system) for system, each in intervals),
        _tested(means, name, warnings, between=False),
        agreement,
    )


def _tested(means: pd.DataFrame, name: tuple[str, str], warnings: list[str], *, between: bool) -> RmAnova | None:
    """Repeated measures over participants' means; participants who lack a system are excluded and counted."""
    criterion, cohort = name
    levels = means["system"].nunique()
    complete = means[means.groupby("participant")["system"].transform("nunique") == levels]
    people = means["participant"].nunique()
    lost = people - complete["participant"].nunique()
    if lost:
        warnings.append(f"{cohort}: tests leave out {lost} of {people} participants, who have not judged every system")
    factors = {"cohort": complete["cohort"].to_numpy()} if between else None
    values, whose = complete["value"].to_numpy(dtype=float), complete["participant"].to_numpy()
    try:
        found = rm_anova(values, whose, {"system": complete["system"].to_numpy()}, between=factors)
    except DataError as error:
        warnings.append(f"{cohort}: no test: {error}")
        return None
    warnings += [f"{cohort}: {text}" for text in found.warnings]
    return found.about(f"{criterion}, {cohort}")


EFFECTS = {"system:cohort": "System × cohort", "cohort": "Cohort", "system": "System"}
"""In the order of the table: what is asked here comes first."""


def cohort_tables(parts: Sequence[CriterionByCohort], confidence: float) -> tuple[Table, ...]:
    """Whether cohorts differ, how they correlate, each by itself, and all means."""
    return _tests_table(parts), _correlations_table(parts), _each_cohort_table(parts), _means_table(parts, confidence)


def _tests_table(parts: Sequence[CriterionByCohort]) -> Table:
    columns: Columns[WithinEffect] = (
        *f_columns(lambda x: (x.f, x.df, x.error.df, x.p)),
        TableColumn("p GG", lambda x: x.p_gg if x.sphericity is not None else None),
        TableColumn("partial eta squared", lambda x: x.partial_eta2),
    )
    return build_table(
        "cohort-tests",
        "Do the cohorts see the systems differently?",
        columns,
        [
            (part.criterion, shown, part.interaction[name])
            for part in parts
            if part.interaction is not None
            for name, shown in EFFECTS.items()
        ],
        labels=("Criterion", "Effect"),
        note="System × cohort asks whether the differences between systems are the same in all cohorts; Cohort, "
        "whether one of them judges higher throughout. Repeated measures over participants' means; p GG: with the "
        "degrees of freedom of Greenhouse and Geisser.",
    )


def _correlations_table(parts: Sequence[CriterionByCohort]) -> Table:
    return build_table(
        "cohort-correlations",
        "Means of systems in one cohort and in another",
        CORRELATIONS,
        [(part.criterion, *names, both) for part in parts for names, both in part.correlations.items()],
        labels=("Criterion", "Cohort", "Other cohort"),
        note="r: Pearson's, rho: Spearman's correlation over the systems (n); p counts all orders where there are few.",
    )


def _each_cohort_table(parts: Sequence[CriterionByCohort]) -> Table:
    def ratio(own: CohortResult) -> tuple[float, float, float, float] | None:
        found = own.test.effect if own.test is not None else None
        return None if found is None else (found.f, found.df, found.error.df, found.p)

    columns: Columns[CohortResult] = (
        TableColumn("Cohort", lambda own: own.cohort),
        TableColumn("Participants", lambda own: own.participants),
        *f_columns(ratio),
        *concordance_columns(lambda own: own.agreement, [own for part in parts for own in part.cohorts]),
    )
    return build_table(
        "cohort-systems",
        "Do the systems differ in each cohort?",
        columns,
        [(part.criterion, own) for part in parts for own in part.cohorts],
        labels=("Criterion",),
        note=f"F by participants; W: Kendall's, between the participants of the cohort; {OF_GAPS}. That one cohort "
        "finds a difference and another none does not tell that they differ: System × cohort does.",
    )


def _means_table(parts: Sequence[CriterionByCohort], confidence: float) -> Table:
    rows = [
        (part.criterion, mean.by, own.cohort, mean)
        for part in parts
        for place in range(len(part.cohorts[0].means))
        for own in part.cohorts
        for mean in own.means[place : place + 1]
    ]
    return build_table(
        "cohort-means",
        "Means of the systems in each cohort",
        mean_columns("Participants", sd=False),
        rows,
        labels=("Criterion", "System", "Cohort"),
        note=f"Over participants' means, with {per_cent(confidence)} intervals.",
    )


def _figure(part: CriterionByCohort, one: str, other: str) -> Figure:
    """The means of systems in one cohort against those in the other."""
    means = {own.cohort: {mean.by: mean.mean for mean in own.means if mean.n} for own in part.cohorts}
    return systems_scatter(
        f"cohorts-{slug(f'{part.criterion} {one} {other}')}",
        f"Mean {part.criterion} of each system: {one} and {other}",
        {one: means[one], other: means[other]},
        part.correlations[one, other][0],
    )
