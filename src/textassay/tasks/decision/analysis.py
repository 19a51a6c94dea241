"""The statistics of a decision block: how well what was chosen suits, by system, and how the time was used."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import cast

import pandas as pd

from textassay.analysis import compare_exclusions
from textassay.analysis.agreement import between_evaluators
from textassay.analysis.judgements import Judgements, in_order, read_judgements
from textassay.analysis.selection import excluded
from textassay.results import Analysis, Figure, Result, Table
from textassay.stats import KendallW, MeanInterval, mean_interval
from textassay.study.model import AnalysisOptions
from textassay.study.study import Block, Study
from textassay.tasks.decision.conduct import conduct
from textassay.tasks.decision.scores import SCORES, with_scores
from textassay.tasks.decision.settings import DecisionSettings
from textassay.tasks.decision.tables import ids

_ALL, _SOME = "all items", "without items whose target is no action"
_RANGES = {"P": (-1.0, 1.0), "P_AP": (0.0, 1.0), "P_INAP": (0.0, 1.0), "SP_AP": (0.0, 1.0)}
OVER_PEOPLE = (
    "intervals and comparisons take participants as a sample and the items as fixed: they say nothing about other "
    "items; by-items analyses and mixed models, which do, come with a later release"
)
UNKNOWN_NO_ACTION = (
    "which action means doing nothing is not known, so results are not shown without the items that need no action; "
    "a study says it in 'no_action'"
)


def analyse(block: Block, study: Study, table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """Scores by system over participants' means, paired comparisons, use of the time; with and without exclusions.

    Args:
        block: The block.
        study: Its study.
        table: Decisions of everybody; those of other blocks, which column `block` tells, are ignored.
        participants: Whose column `verdict`, if there is one, says `excluded` is left out of the results.
    """
    no_action = cast("DecisionSettings", block.settings).no_action
    own = table
    if "block" in table:
        own = table[table["block"].fillna("").astype(str).isin(["", block.name])]
    own = _with_targets(own, block)
    kept = own[~own["participant"].isin(excluded(participants))]
    found = [_decisions(kept, study.file.analysis, no_action, study.systems)]
    if len(kept) < len(own):
        everyone = _decisions(own, study.file.analysis, no_action, study.systems)
        side_by_side = compare_exclusions(everyone, found[0])
        found.append(Analysis("exclusions", "With and without exclusions", tables=(side_by_side,)))
    return found


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study.

    Raises:
        DataError: a column is missing.
    """
    return [_decisions(table, options, None, ())]


def _decisions(
    table: pd.DataFrame, options: AnalysisOptions, no_action: str | None, systems: Sequence[str]
) -> Analysis:
    answered = read_judgements(with_scores(table).assign(criterion="answer", value=1.0))
    first = answered.main
    warnings = list(answered.warnings)
    if first.empty:
        warnings.append("there are no answers to analyse")
        return Analysis("decisions", "Decisions", warnings=tuple(warnings))
    warnings += [OVER_PEOPLE] if no_action is not None else [OVER_PEOPLE, UNKNOWN_NO_ACTION]
    order = in_order(set(first["system"]), systems)
    used = conduct(first, order, options.confidence)
    means, pairs, agreement = [], [], []
    for items, part in _parts(first, no_action).items():
        for score in SCORES:
            name = score if items == _ALL else f"{score} {items}"
            per_person = part.pivot_table(index="participant", columns="system", values=score, aggfunc="mean")
            means += [(items, score, _mean(per_person, system, options).about(name, system)) for system in order]
            pairs += [(items, score, each) for each in _differences(per_person, name, order, options)]
            agreement.append((items, score, _friedman(part, score).about(name)))
    results: list[Result] = [each for _, _, each in [*means, *pairs]]
    results += [each for _, _, each in agreement]
    undefined = [f"{each.of}, {each.by}: {note}" for _, _, each in means for note in each.warnings]
    undefined += [f"{each.of}: {note}" for _, _, each in agreement for note in each.warnings]
    return Analysis(
        name="decisions",
        title="Decisions",
        results=(*results, used),
        tables=(_means_table(means, options), _pairs_table(pairs, options), _friedman_table(agreement), used.table()),
        figures=tuple(_figure(score, means, options) for score in SCORES),
        warnings=tuple(dict.fromkeys([*warnings, *used.warnings, *undefined])),
    )


def _with_targets(table: pd.DataFrame, block: Block) -> pd.DataFrame:
    """The table with the sets that the study gives to each item; one collected elsewhere need not have them."""
    sets = {row["item"]: row for row in block.tables["targets"]}
    items = table["item"].astype(str)
    found = {
        name: [sets[item].get(name) if item in sets else "" for item in items]
        for name in ("appropriate", "inappropriate", "target")
    }
    return table.assign(**{name: pd.Series(cells, index=table.index, dtype=object) for name, cells in found.items()})


def _parts(first: pd.DataFrame, no_action: str | None) -> dict[str, pd.DataFrame]:
    """All items, and those for which something has to be done, where there are others."""
    if no_action is None or "target" not in first:
        return {_ALL: first}
    idle = first["target"].map(lambda cell: set(ids(cell)) == {no_action}).astype(bool)
    return {_ALL: first, _SOME: first[~idle]} if idle.any() and not idle.all() else {_ALL: first}


def _mean(per_person: pd.DataFrame, system: str, options: AnalysisOptions) -> MeanInterval:
    values = per_person[system].dropna() if system in per_person else pd.Series(dtype=float)
    return mean_interval(values.to_numpy(dtype=float), confidence=options.confidence)


def _differences(
    per_person: pd.DataFrame, name: str, order: Sequence[str], options: AnalysisOptions
) -> list[MeanInterval]:
    """Each pair of systems within participants; Bonferroni's levels make all intervals hold together."""
    pairs = [pair for pair in combinations(order, 2) if set(pair) <= set(per_person.columns)]
    level = 1 - (1 - options.confidence) / max(len(pairs), 1)
    return [
        mean_interval((per_person[second] - per_person[one]).dropna().to_numpy(dtype=float), confidence=level).about(
            f"difference of {name}", f"{second} - {one}"
        )
        for one, second in pairs
    ]


def _friedman(part: pd.DataFrame, score: str) -> KendallW:
    """Kendall's W over participants' means; the test of W is Friedman's."""
    known = part[part[score].notna()]
    return between_evaluators(Judgements(known.assign(value=known[score]), known.iloc[:0], ()))


_Means = Sequence[tuple[str, str, MeanInterval]]


def _means_table(means: _Means, options: AnalysisOptions) -> Table:
    return Table(
        "scores",
        "How well what was chosen suits",
        ("Items", "Score", "System", "Participants", "Mean", "SD", "Low", "High"),
        tuple((items, score, each.by, each.n, each.mean, each.sd, *each.ci) for items, score, each in means),
        note="P_AP and P_INAP: share of the appropriate and of the inappropriate actions that were chosen. "
        "P = P_AP - P_INAP. SP_AP: share of what was chosen that is appropriate. Means over participants' means, with "
        f"{options.confidence * 100:g} % confidence intervals.",
    )


def _pairs_table(pairs: _Means, options: AnalysisOptions) -> Table:
    return Table(
        "paired-differences",
        "Differences between systems within participants",
        ("Items", "Score", "Systems", "Participants", "Difference", "Low", "High", "Excludes 0"),
        tuple(
            (items, score, each.by, each.n, each.mean, *each.ci, each.ci[0] > 0 or each.ci[1] < 0)
            for items, score, each in pairs
        ),
        note=f"Paired t intervals of participants' means; those of one score hold together at "
        f"{options.confidence * 100:g} % (Bonferroni).",
    )


def _friedman_table(agreement: Sequence[tuple[str, str, KendallW]]) -> Table:
    return Table(
        "by-participants",
        "Systems compared by participants",
        ("Items", "Score", "W", "p", "Participants"),
        tuple((items, score, each.w, each.p, each.raters) for items, score, each in agreement),
        note="Kendall's W on participants' means for each system; its test is Friedman's.",
    )


def _figure(score: str, means: _Means, options: AnalysisOptions) -> Figure:
    groups = [
        {"system": each.by, "mean": each.mean, "low": each.ci[0], "high": each.ci[1], "n": each.n}
        for items, of, each in means
        if of == score and items == _ALL
    ]
    low, high = _RANGES[score]
    return Figure(
        name=f"means-{score.lower().replace('_', '-')}",
        title=f"Mean {score} of each system",
        kind="means",
        data={"criterion": score, "scale_from": low, "scale_to": high, "groups": groups},
        note=f"Over participants' means, with {options.confidence * 100:g} % confidence intervals.",
    )
