"""Rankings as tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textassay.analysis.system_tables import slug
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from textassay.tasks.ranking.analysis import OfCriterion


def tables(parts: Sequence[OfCriterion], confidence: float) -> tuple[Table, ...]:
    """All tables, one row a criterion and whatever the table is about."""
    return mean_ranks(parts, confidence), pairs(parts, confidence), agreement(parts), *map(distribution, parts)


def figures(parts: Sequence[OfCriterion]) -> tuple[Figure, ...]:
    """Mean ranks, and how often each system got each rank."""
    return tuple(figure for part in parts for figure in (_means_figure(part), _distribution_figure(part)))


def mean_ranks(parts: Sequence[OfCriterion], confidence: float) -> Table:
    """Mean rank of each system, the best first."""
    rows = [
        (part.criterion, mean.by, mean.n, mean.mean, mean.sd, *mean.ci)
        for part in parts
        for mean in sorted(part.means, key=lambda each: each.mean)
    ]
    return Table(
        "mean-ranks",
        "Mean ranks of the systems",
        ("Criterion", "System", "Participants", "Mean rank", "SD", "Low", "High"),
        tuple(rows),
        note="1 is best; tied texts share the mean of their places. Means, SD and the "
        f"{confidence * 100:g} % intervals are over participants' own mean ranks.",
    )


def pairs(parts: Sequence[OfCriterion], confidence: float) -> Table:
    """Every pair of systems."""
    rows = [
        (
            part.criterion,
            pair.system,
            pair.other,
            pair.above,
            pair.below,
            pair.tied,
            pair.win_share,
            pair.for_system,
            pair.for_other,
            pair.for_neither,
            pair.p,
            pair.p_adjusted,
            pair.p_adjusted < part.wins.alpha,
        )
        for part in parts
        for pair in part.wins.pairs
    ]
    columns = ("Criterion", "System", "Other system", "Above", "Below", "Tied", "Win share")
    return Table(
        "pairs",
        "Which system is ranked above which",
        (*columns, "For system", "For other", "For neither", "p uncorrected", "p", "Significant"),
        tuple(rows),
        note="Above, Below and Tied count rankings; in the win share a tie counts half. A participant is for the "
        "system that he or she ranked above the other more often; p is of the exact two-sided sign test over "
        f"participants, corrected over the pairs of a criterion (Holm). Intervals at {confidence * 100:g} % stand "
        "in the records.",
    )


def agreement(parts: Sequence[OfCriterion]) -> Table:
    """Kendall's W between participants, over mean ranks and within items, and repeated trials."""
    rows = [
        (
            part.criterion,
            part.between.w,
            part.between.chi2,
            part.between.df,
            part.between.p,
            part.between.raters,
            part.items.mean_w,
            len(part.items.per_item),
            part.repeats.n,
            part.repeats.mean_absolute_difference,
            part.repeats.share_equal,
        )
        for part in parts
    ]
    columns = ("Criterion", "W", "chi-squared", "df", "p", "Participants", "Mean W within items", "Items")
    return Table(
        "agreement",
        "Agreement between participants",
        (*columns, "Repeated texts", "Mean absolute difference", "Share equal"),
        tuple(rows),
        note="W: Kendall's W on each participant's mean rank of each system; its chi-squared is Friedman's test of "
        "whether the systems differ. W within items: between those who ranked the texts of one item. The last columns "
        "compare the ranks of texts that were ranked twice.",
    )


def distribution(part: OfCriterion) -> Table:
    """How often each system got each rank."""
    ranks = _ranks(part)
    rows = tuple((system, *(dict(counts).get(rank, 0) for rank in ranks)) for system, counts in part.counts)
    title = f"Ranks on {part.criterion}"
    columns = ("System", *(f"{rank:g}" for rank in ranks))
    return Table(f"distribution-{slug(part.criterion)}", title, columns, rows, note="Number of rankings; 1 is best.")


def _ranks(part: OfCriterion) -> list[float]:
    return sorted({rank for _, counts in part.counts for rank, _ in counts})


def _distribution_figure(part: OfCriterion) -> Figure:
    ranks = _ranks(part)
    return Figure(
        name=f"distribution-{slug(part.criterion)}",
        title=f"Ranks on {part.criterion}",
        kind="distribution",
        data={
            "criterion": part.criterion,
            "values": [f"{rank:g}" for rank in ranks],
            "systems": [system for system, _ in part.counts],
            "counts": [[dict(counts).get(rank, 0) for rank in ranks] for _, counts in part.counts],
        },
        note="1 is best.",
    )


def _means_figure(part: OfCriterion) -> Figure:
    """Turned round, so that the best system stands on top and furthest out, as in every other figure of means."""
    groups = [
        {
            "system": mean.by,
            "mean": part.k + 1 - mean.mean,
            "low": part.k + 1 - mean.ci[1],
            "high": part.k + 1 - mean.ci[0],
            "n": mean.n,
        }
        for mean in part.means
    ]
    return Figure(
        name=f"mean-ranks-{slug(part.criterion)}",
        title=f"Mean ranks on {part.criterion}",
        kind="means",
        data={"criterion": f"{part.k + 1} less the rank", "scale_from": 1, "scale_to": part.k, "groups": groups},
        note="More is better. Intervals over participants' own means.",
    )
