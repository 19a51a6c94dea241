"""The tables and figures of decisions, laid out as papers print them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from textassay.analysis.subjects_items import ratios_table
from textassay.analysis.system_means import means_figure
from textassay.results import Figure, Table
from textassay.study.model import AnalysisOptions
from textassay.tasks.decision.compared import ALL, SOME, ComparedScore

_RANGES = {"P": (-1.0, 1.0), "P_AP": (0.0, 1.0), "P_INAP": (0.0, 1.0), "SP_AP": (0.0, 1.0)}


def tables(found: Sequence[ComparedScore], options: AnalysisOptions) -> list[Table]:
    """Means, tests over all items, pairs, tests without items that need no action, Friedman's test."""
    few = _tests([each for each in found if each.items == SOME])
    return [
        _means(found, options),
        _tests([each for each in found if each.items == ALL]),
        _pairs(found, options),
        *([replace(few, name="tests-without-no-action", title=f"{few.title} ({SOME})")] if few.rows else []),
        _agreement(found),
    ]


def _means(found: Sequence[ComparedScore], options: AnalysisOptions) -> Table:
    rows = [(x.items, x.score, mean.by, mean.n, mean.mean, mean.sd, *mean.ci) for x in found for mean in x.means]
    return Table(
        "scores",
        "How well what was chosen suits",
        ("Items", "Score", "System", "Participants", "Mean", "SD", "Low", "High"),
        tuple(rows),
        note="P_AP and P_INAP: share of the appropriate and of the inappropriate actions that were chosen. "
        "P = P_AP - P_INAP. SP_AP: share of what was chosen that is appropriate. Means over participants' means, with "
        f"{options.confidence * 100:g} % confidence intervals.",
    )


def _tests(found: Sequence[ComparedScore]) -> Table:
    note = "Gatt & Portet (2010) report F1. Mixed model: single answers, with participants and items as random."
    ratios = [replace(each.ratios, of=each.score) for each in found]
    return ratios_table(ratios, [row for each in found for row in each.model.rows(of=each.score)], note)


def _pairs(found: Sequence[ComparedScore], options: AnalysisOptions) -> Table:
    rows = [
        (each.items, each.score, x.first, x.second, x.n, x.difference, *x.ci, x.test_value, x.df, x.p, x.p_raw,
         x.significant, x.favours)
        for each in found
        for x in each.pairs.pairs
    ]  # fmt: skip
    heads = ("Items", "Score", "First", "Second", "Participants", "Difference", "Low", "High", "t", "df", "p", "p raw")
    return Table(
        "paired-differences",
        "Differences between systems within participants",
        (*heads, "Significant", "Favours"),
        tuple(rows),
        note="Paired t-tests of participants' means, First − Second. p: after Holm's correction for the pairs of one "
        f"score, significant below {options.alpha:g}; p raw: of the pair alone. The intervals of one score hold "
        f"together at {100 * (1 - options.alpha):g} % (Bonferroni). They say nothing about other items: prefer the "
        "mixed model for that.",
    )


def _agreement(found: Sequence[ComparedScore]) -> Table:
    return Table(
        "by-participants",
        "Systems put in order by participants",
        ("Items", "Score", "W", "p", "Participants"),
        tuple((x.items, x.score, x.agreement.w, x.agreement.p, x.agreement.raters) for x in found),
        note="Kendall's W on participants' means for each system; its test is Friedman's, which takes ranks only.",
    )


def figures(found: Sequence[ComparedScore], options: AnalysisOptions) -> list[Figure]:
    """The means of each score over all items."""
    note = f"Over participants' means, with {options.confidence * 100:g} % confidence intervals."
    return [
        means_figure(
            f"means-{each.score.lower().replace('_', '-')}",
            f"Mean {each.score} of each system",
            each.score,
            each.means,
            _RANGES[each.score],
            note,
        )
        for each in found
        if each.items == ALL
    ]
