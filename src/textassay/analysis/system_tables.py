"""The tables of the System–Text–Evaluator recipe, laid out as papers print them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textassay.results import Table

if TYPE_CHECKING:
    from textassay.analysis.system_text_evaluator import OfCriterion


def tables(parts: Sequence[OfCriterion], confidence: float) -> tuple[Table, ...]:
    """All tables, one row a criterion and whatever the table is about."""
    return means(parts, confidence), variance(parts), significance(parts), pairs(parts), agreement(parts)


def means(parts: Sequence[OfCriterion], confidence: float) -> Table:
    """Mean of each system with its interval."""
    rows = [(part.criterion, mean.by, mean.n, mean.mean, mean.sd, *mean.ci) for part in parts for mean in part.means]
    return Table(
        "means",
        "Means of the systems",
        ("Criterion", "System", "n", "Mean", "SD", "Low", "High"),
        tuple(rows),
        note=f"Low and High are the ends of the {confidence * 100:g} % confidence interval of the mean.",
    )


def variance(parts: Sequence[OfCriterion]) -> Table:
    """F ratios of System, Text, Evaluator and properties of items."""
    rows = [
        (part.criterion, result.by, result.f, *result.df, result.p, result.eta2, result.omega2)
        for part in parts
        for result in part.variance
    ]
    return Table(
        "variance",
        "What the answers depend on",
        ("Criterion", "Factor", "F", "df 1", "df 2", "p", "eta squared", "omega squared"),
        tuple(rows),
        note="One-way analyses of variance over single answers, as in Belz & Kow (2010). Of a good experiment one "
        "wants much variance due to System, and little due to Text and Evaluator.",
    )


def significance(parts: Sequence[OfCriterion]) -> Table:
    """How many pairs of systems differ."""
    rows = [
        (part.criterion, part.pairs.n_significant, len(part.pairs.pairs), part.pairs.pairs.alpha, part.pairs.hsd)
        for part in parts
    ]
    return Table(
        "significant-pairs",
        "Pairs of systems that differ significantly",
        ("Criterion", "Significant pairs", "All pairs", "alpha", "HSD"),
        tuple(rows),
        note="Tukey's test; HSD is the least difference of two means that is significant.",
    )


def pairs(parts: Sequence[OfCriterion]) -> Table:
    """Every pair of systems."""
    rows = [
        (part.criterion, pair.first, pair.second, pair.difference, *pair.ci, pair.p, pair.significant)
        for part in parts
        for pair in part.pairs.pairs
    ]
    return Table(
        "pairs",
        "All pairs of systems",
        ("Criterion", "System", "Other system", "Difference", "Low", "High", "p", "Significant"),
        tuple(rows),
        note="Mean of System less mean of Other system, with Tukey's simultaneous intervals and adjusted p.",
    )


def agreement(parts: Sequence[OfCriterion]) -> Table:
    """Kendall's W between and within evaluators, and answers to repeated trials."""
    rows = [
        (
            part.criterion,
            part.between.w,
            part.between.f,
            *part.between.f_df,
            part.between.f_p,
            part.between.raters,
            part.within.mean_w,
            len(part.within.per_evaluator),
            part.repeats.n,
            part.repeats.mean_absolute_difference,
            part.repeats.share_equal,
        )
        for part in parts
    ]
    return Table(
        "agreement",
        "Agreement between and within evaluators",
        (
            "Criterion",
            "W between",
            "F",
            "df 1",
            "df 2",
            "p",
            "Evaluators",
            "Mean W within",
            "Evaluators within",
            "Repeats",
            "Mean absolute difference",
            "Share equal",
        ),
        tuple(rows),
        note="W between: Kendall's W on each evaluator's mean for each system, with its F test. W within: on each "
        "evaluator's rounds through the systems. The last columns compare two answers to the same trial.",
    )
