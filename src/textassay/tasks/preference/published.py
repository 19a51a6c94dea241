"""The published analysis of preferences (Belz & Kow 2010): scores of single systems, one-way analyses of variance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from textassay.analysis import system_tables
from textassay.analysis.agreement import between_evaluators, repeat_consistency, within_evaluators
from textassay.analysis.judgements import Judgements, in_order
from textassay.analysis.system_text_evaluator import FACTORS, NOT_INDEPENDENT, OfCriterion
from textassay.results import Analysis, Figure, Table
from textassay.stats import Anova, anova, mean_interval, tukey
from textassay.tasks.preference.answers import Scored, scored

DEPENDENT = (
    "this is the published analysis: every answer counts twice, +x for one system and -x for the other. The two depend "
    "on each other, which makes F for System and Tukey's test liberal: at .05 about .09 of studies with 8 systems and "
    ".17 of those with 2 find a difference where there is none. Valid beside it are the tests of pairs, in which each "
    "participant counts once"
)


def published(
    judged: Judgements,
    *,
    alpha: float,
    confidence: float,
    scales: Mapping[str, tuple[float, float]],
    systems: Sequence[str] = (),
) -> Analysis:
    """For each criterion: means, F for System, Text and Evaluator, Tukey's HSD, Kendall's W between and within.

    Args:
        judged: As `read_preferences` gives it.
        alpha: Level of Tukey's comparisons.
        confidence: Level of the intervals of the means.
        scales: Ends of the scale of each criterion, for the figures.
        systems: The order in which systems are shown; those not named follow by name.
    """
    by_criterion = {name: (judged.of(name), scored(judged.of(name).main)) for name in judged.criteria}
    parts = [_analyse(name, own, scores, alpha, confidence, systems) for name, (own, scores) in by_criterion.items()]
    warnings = [NOT_INDEPENDENT] if parts else ["there are no answers to analyse"]
    if any(scores.topline is None for _, scores in by_criterion.values()):
        warnings.insert(0, DEPENDENT)
    left_out = sum(scores.left_out for _, scores in by_criterion.values())
    if left_out:
        warnings.append(f"{left_out} answer(s) compare a system with itself and score nothing; they are left out")
    shown = [f"{part.criterion}: {text}" for part in parts for result in part.results for text in result.warnings]
    return Analysis(
        name="published",
        title="Scores of systems, as published (Belz & Kow 2010)",
        results=tuple(result for part in parts for result in part.results),
        tables=tuple(map(_noted, system_tables.tables(parts, confidence))) if parts else (),
        figures=tuple(_figure(part, scales.get(part.criterion), confidence) for part in parts),
        warnings=(*warnings, *dict.fromkeys(shown)),
    )


def _analyse(
    criterion: str, judged: Judgements, found: Scored, alpha: float, confidence: float, systems: Sequence[str]
) -> OfCriterion:
    scores = found.scores
    values, labels = scores["value"].to_numpy(dtype=float), scores["system"].to_numpy()
    mode = {
        "mode": "published (Belz & Kow 2010)",
        "scores": "+x and -x from each answer" if found.topline is None else f"beside the topline {found.topline}",
        "answers": "taken as independent",
    }
    # Text and Evaluator have one signed value an answer: its pair's, or where there is a topline the score itself.
    single = judged.main if found.topline is None else scores
    factors = [(scores if column == "system" else single, factor, column) for factor, column in FACTORS.items()]
    variance = [_variance(table, factor, column).about(criterion) for table, factor, column in factors]
    of_systems = Judgements(scores, scores.iloc[:0], ())
    return OfCriterion(
        criterion=criterion,
        means=tuple(
            mean_interval(values[labels == system], confidence=confidence).about(criterion, system)
            for system in in_order(set(labels), systems)
        ),
        variance=tuple(replace(result, settings={**result.settings, **mode}) for result in variance),
        pairs=tukey(values, labels, alpha=alpha, factor="System").about(criterion),
        between=between_evaluators(of_systems).about(criterion),
        within=within_evaluators(of_systems).about(criterion),
        repeats=repeat_consistency(judged).about(criterion),
    )


def _noted(table: Table) -> Table:
    """The table of variance, with what its factors are taken of."""
    if table.name != "variance":
        return table
    note = (
        "System is taken of the scores of systems. Text and Evaluator have one value an answer: positive where the "
        "second system of its pair is preferred (where there is a topline: the other system)."
    )
    return replace(table, note=f"{table.note} {note}")


def _variance(table: pd.DataFrame, factor: str, column: str) -> Anova:
    return anova(table["value"].to_numpy(dtype=float), table[column].to_numpy(), factor=factor)


def _figure(part: OfCriterion, scale: tuple[float, float] | None, confidence: float) -> Figure:
    low, high = scale or (None, None)
    groups = [
        {"system": mean.by, "mean": mean.mean, "low": mean.ci[0], "high": mean.ci[1], "n": mean.n}
        for mean in part.means
    ]
    return Figure(
        name=f"scores-{system_tables.slug(part.criterion)}",
        title=f"Mean score of each system on {part.criterion}",
        kind="means",
        data={"criterion": part.criterion, "scale_from": low, "scale_to": high, "groups": groups},
        note=f"With {confidence * 100:g} % intervals, which take all scores as independent.",
    )
