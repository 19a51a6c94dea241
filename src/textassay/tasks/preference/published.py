"""The published analysis of preferences (Belz & Kow 2010): scores of single systems, one-way analyses of variance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from textassay.analysis.agreement import (
    WithinEvaluators,
    between_evaluators,
    repeat_consistency,
    within_evaluators,
)
from textassay.analysis.judgements import Judgements, in_order
from textassay.analysis.options import ItemFactors, RecipeOptions
from textassay.analysis.published_analysis import (
    FACTORS,
    NOT_INDEPENDENT,
    PublishedResults,
    agreement_table,
    published_pairs_table,
    significance_table,
    variance_table,
)
from textassay.analysis.wording import named_warnings
from textassay.results import Analysis, Table
from textassay.stats import Anova, anova, mean_interval, tukey
from textassay.tasks.preference.answers import SystemScores, system_scores

DEPENDENT = (
    "this is the published analysis: every answer counts twice, +x for one system and -x for the other. The two depend "
    "on each other, which makes F for System and Tukey's test liberal: at .05 about .09 of studies with 8 systems and "
    ".17 of those with 2 find a difference where there is none. Valid beside it are the mixed model, the cumulative "
    "link (or logistic) model with tastes, and the sign tests of pairs"
)
ORIENTATION = (
    "System is taken of the scores of systems. Text, Evaluator and properties of items have one value per answer: "
    "positive where the second system of its pair, in the order of the tables, is preferred (where there is a topline: "
    "the other system)."
)


OTHER_OPPONENTS = (
    "W within evaluators is undefined: a system is compared with another one each time, so that an evaluator's scores "
    "of it need not be alike"
)


def published_preferences(judged: Judgements, options: RecipeOptions) -> tuple[PublishedResults, ...]:
    """For each criterion: means, F for System, Text and Evaluator, Tukey's HSD, Kendall's W between and within.

    Args:
        judged: As `read_preferences` gives it.
        options: Levels, order of systems, properties of items.
    """
    return tuple(_of_criterion(judged.of(name), name, options) for name in judged.criteria)


def published(judged: Judgements, parts: Sequence[PublishedResults]) -> Analysis:
    """The analysis as it was published, with what is wrong about it.

    Args:
        judged: As `read_preferences` gives it.
        parts: The results of each criterion.
    """
    scores = [system_scores(judged.of(part.criterion).main) for part in parts]
    warnings = [DEPENDENT] if any(each.topline is None for each in scores) else []
    warnings += [NOT_INDEPENDENT] if parts else ["there are no answers to analyse"]
    left_out = sum(each.left_out for each in scores)
    if left_out:
        warnings.append(f"{left_out} answer(s) compare a system with itself and score nothing; they are omitted")
    results = [(part.criterion, (*part.of_variance, part.within, part.repeats)) for part in parts]
    said = [(name, [text for result in own for text in result.warnings]) for name, own in results]
    return Analysis(
        name="published",
        title="Scores of systems, as published (Belz & Kow 2010)",
        results=tuple(result for _, own in results for result in own),
        tables=_tables(parts) if parts else (),
        warnings=(*warnings, *named_warnings(said)),
        place="published",
    )


def _tables(parts: Sequence[PublishedResults]) -> tuple[Table, ...]:
    variance = variance_table(parts)
    return (
        replace(variance, note=f"{variance.note} {ORIENTATION}"),
        significance_table(parts),
        published_pairs_table(parts),
        agreement_table(parts),
    )


def _of_criterion(judged: Judgements, criterion: str, options: RecipeOptions) -> PublishedResults:
    found = system_scores(judged.main)
    scores = found.scores
    values, labels = scores["value"].to_numpy(dtype=float), scores["system"].to_numpy()
    of_systems = Judgements(scores, scores.iloc[:0], ())
    mode = _mode(found)
    variance = _variance(judged, found, options.item_factors)
    pairs = tukey(values, labels, alpha=options.alpha, factor="System").about(criterion, better="higher")
    return PublishedResults(
        criterion=criterion,
        means=tuple(
            mean_interval(values[labels == system], confidence=options.confidence).about(criterion, system)
            for system in in_order(set(labels), options.systems)
        ),
        variance=tuple(replace(result, of=criterion, settings={**result.settings, **mode}) for result in variance),
        pairs=replace(pairs, settings={**pairs.settings, **mode}),
        between=between_evaluators(of_systems).about(criterion),
        within=_within(judged, found).about(criterion),
        repeats=repeat_consistency(judged).about(criterion),
    )


def _within(judged: Judgements, found: SystemScores) -> WithinEvaluators:
    """Scores of a system repeat each other only where it meets the same opponent: a topline, or the other of two."""
    result = within_evaluators(Judgements(found.scores, found.scores.iloc[:0], ()))
    if found.topline is not None or judged.main["system"].nunique() < 2:
        return result
    return replace(result, mean_w=math.nan, per_evaluator=(), repetitions=0, warnings=(OTHER_OPPONENTS,))


def _mode(found: SystemScores) -> dict[str, Any]:
    return {
        "mode": "published (Belz & Kow 2010)",
        "scores": "+x and -x from each answer" if found.topline is None else f"beside the topline {found.topline}",
        "answers": "taken as independent",
    }


def _variance(judged: Judgements, found: SystemScores, item_factors: ItemFactors) -> list[Anova]:
    """System of the scores; all else of one signed value an answer: its pair's, or with a topline the score itself."""
    single = judged.main if found.topline is None else found.scores
    variance = [
        _one_way(found.scores if column == "system" else single, single[column] if column != "system" else None, factor)
        for factor, column in FACTORS.items()
    ]
    return variance + [
        _one_way(single[single["item"].isin(list(levels))], _levels(single, levels), name)
        for name, levels in item_factors.items()
    ]


def _levels(single: pd.DataFrame, levels: Mapping[str, str]) -> pd.Series[str]:
    return single.loc[single["item"].isin(list(levels)), "item"].map(dict(levels))


def _one_way(table: pd.DataFrame, labels: pd.Series[str] | None, factor: str) -> Anova:
    of = table["system"] if labels is None else labels
    return anova(table["value"].to_numpy(dtype=float), of.to_numpy(), factor=factor)
