"""Rankings as tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from textassay.analysis.wording import slug
from textassay.results import Figure, Table

if TYPE_CHECKING:
    from textassay.tasks.ranking.compared import RankingResults

Row = tuple[object, ...]
PREFER = {
    "mixed model": "first choice: holds for other participants and other items",
    "Friedman, F form": "where ranks are hardly numbers; items are taken as they are",
    "Friedman": "the same beside published work; rough with few participants",
    "Plackett–Luce": "for its scale; its p is right only where everybody ranks once",
}
"""Test → when to prefer it."""
_NOTHING: Row = (None, None, None, None, None)


def tables(parts: Sequence[RankingResults], confidence: float) -> tuple[Table, ...]:
    """All of them, the most important first."""
    shown = mean_ranks(parts, confidence), tests(parts), pairs(parts, confidence), agreement(parts)
    return *shown, *map(distribution, parts)


def figures(parts: Sequence[RankingResults], confidence: float) -> tuple[Figure, ...]:
    """Mean ranks, and how often each system got each rank."""
    return tuple(figure for part in parts for figure in (_means_figure(part, confidence), _distribution_figure(part)))


def mean_ranks(parts: Sequence[RankingResults], confidence: float) -> Table:
    """Mean rank of each system, the best first: the order in which people put the systems (Cahill 2009)."""
    return Table(
        "mean-ranks",
        "Mean ranks of the systems",
        ("Criterion", "Place", "System", "Participants", "Mean rank", "SD", "Low", "High", "Nemenyi group", "Worth"),
        tuple(row for part in parts for row in _means(part)),
        note="The best first; 1 is best, and tied texts share the mean of their places. Means and SD are over "
        f"participants' own mean ranks. The {confidence * 100:g} % interval is that of the mixed model, which holds "
        "for other participants and other items; where there is none, or trials show some systems only, it is over "
        "participants. Systems that share a letter do not differ after Nemenyi. Worth: the probability of being ranked "
        "first of all (Plackett–Luce).",
    )


def _means(part: RankingResults) -> Iterator[Row]:
    intervals, letters = _intervals(part), part.over_means.letters
    worth = dict(zip(part.luce.systems, part.luce.worth, strict=True)) if part.luce is not None else {}
    ordered = sorted(part.means, key=lambda each: each.mean)
    for place, mean in enumerate(ordered, 1):
        own = (mean.n, mean.mean, mean.sd, *intervals[mean.by])
        yield part.criterion, place, mean.by, *own, letters.get(mean.by), worth.get(mean.by)


def _intervals(part: RankingResults) -> Mapping[str, tuple[float, float]]:
    """Of each system's mean rank: that of the mixed model, moved to the middle of the ranks; without one, Student's.

    So too where trials show some systems only: then a mean rank depends on the company, and the model's does not.
    """
    model = part.mixed.model
    if model is None or not model.converged or not part.over_means.friedman.n:
        return {mean.by: mean.ci for mean in part.means}
    middle = (part.k + 1) / 2
    return {each.name: (middle + each.ci[0], middle + each.ci[1]) for each in model.places}


def tests(parts: Sequence[RankingResults]) -> Table:
    """Every test that systems differ."""
    return Table(
        "tests",
        "Do the systems differ?",
        ("Criterion", "Test", "Statistic", "Value", "df 1", "df 2", "p", "When to prefer it"),
        tuple((part.criterion, *row, PREFER[str(row[0])]) for part in parts for row in _tests(part)),
        note="The mixed model is of the ranks within each trial; each participant and each item has tastes of its own. "
        "Friedman's test is of participants' mean ranks, with participants as blocks. Plackett–Luce takes all rankings "
        "as independent.",
    )


def _tests(part: RankingResults) -> Iterator[Row]:
    if part.mixed.model is not None:
        test = part.mixed.model.test
        yield "mixed model", "F", test.f, *test.df, test.p
    found = part.over_means.friedman
    if found.n:
        yield "Friedman, F form", "F", found.f, *found.f_df, found.f_p
        yield "Friedman", "χ²", found.chi2, found.df, None, found.p
    if part.luce is not None:
        yield "Plackett–Luce", "χ²", part.luce.chi2, part.luce.df, None, part.luce.p


def pairs(parts: Sequence[RankingResults], confidence: float) -> Table:
    """Every pair of systems, by each method."""
    counts = ("Criterion", "System", "Other system", "Above", "Below", "Tied", "Win share", "p sign test")
    return Table(
        "pairs",
        "Which system is ranked above which",
        (*counts, "Difference", "Low", "High", "p", "Significant", "p Nemenyi", "p Conover"),
        tuple(row for part in parts for row in _pairs(part)),
        note="Above, Below and Tied count rankings; in the win share a tie counts half. p sign test: a participant "
        "counts once, for the system ranked above the other more often (exact, corrected after Holm). Difference: of "
        "the mean ranks in the mixed model, below 0 where System is better; its interval, p and Significant hold for "
        f"all pairs together (Tukey, {confidence * 100:g} %). p Nemenyi and p Conover (after Holm): of participants' "
        "mean ranks, after Friedman.",
    )


def _pairs(part: RankingResults) -> Iterator[Row]:
    model, over = part.mixed.model, part.over_means
    after = zip(over.nemenyi.pairs, over.conover.pairs, strict=True) if over.friedman.n else ()
    ranked = {frozenset((one.first, one.second)): (one.p, other.p) for one, other in after}
    for pair, wins in zip(part.wins.pairs, part.wins.wins, strict=True):
        found, row = None if model is None else model.pairs.get(pair.first, pair.second), _NOTHING
        if found is not None:
            row = (found.difference, *found.ci, found.p, found.significant)
        counts = (wins.above, wins.below, wins.tied, wins.win_share, pair.p)
        both = frozenset((pair.first, pair.second))
        yield part.criterion, pair.first, pair.second, *counts, *row, *ranked.get(both, (None, None))


def agreement(parts: Sequence[RankingResults]) -> Table:
    """Kendall's W between participants, over mean ranks and within items, and repeated trials."""
    rows = [
        (
            part.criterion,
            part.over_means.between.w,
            part.over_means.between.raters,
            part.over_means.same_order,
            part.items.mean_w,
            len(part.items.per_item),
            part.repeats.n,
            part.repeats.mean_absolute_difference,
            part.repeats.share_equal,
        )
        for part in parts
    ]
    columns = ("Criterion", "W", "Participants", "Share with the order of all", "Mean W within items", "Items")
    return Table(
        "agreement",
        "Agreement between participants",
        (*columns, "Repeated texts", "Mean absolute difference", "Share equal"),
        tuple(rows),
        note="W: Kendall's W on each participant's mean rank of each system; Friedman's test is its test. Share with "
        "the order of all: participants whose own mean ranks put the systems into the order of the mean ranks above. W "
        "within items: between those who ranked the texts of one item. The last columns compare the ranks of texts "
        "that were ranked twice.",
    )


def distribution(part: RankingResults) -> Table:
    """How often each system got each rank."""
    ranks = _ranks(part)
    rows = tuple((system, *(dict(counts).get(rank, 0) for rank in ranks)) for system, counts in part.counts)
    title = f"Ranks on {part.criterion}"
    columns = ("System", *(f"{rank:g}" for rank in ranks))
    return Table(f"distribution-{slug(part.criterion)}", title, columns, rows, note="Number of rankings; 1 is best.")


def _ranks(part: RankingResults) -> list[float]:
    return sorted({rank for _, counts in part.counts for rank, _ in counts})


def _distribution_figure(part: RankingResults) -> Figure:
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


def _means_figure(part: RankingResults, confidence: float) -> Figure:
    """Turned round, so that the best system is on top and furthest out, as in every other figure of means."""
    turn, intervals = max(rank for rank in _ranks(part)) + 1, _intervals(part)
    groups = [
        {
            "system": mean.by,
            "mean": turn - mean.mean,
            "low": turn - intervals[mean.by][1],
            "high": turn - intervals[mean.by][0],
            "n": mean.n,
        }
        for mean in part.means
    ]
    return Figure(
        name=f"mean-ranks-{slug(part.criterion)}",
        title=f"Mean ranks on {part.criterion}, turned round",
        kind="means",
        data={"criterion": part.criterion, "scale_from": 1, "scale_to": turn - 1, "groups": groups},
        note=f"{turn:g} less the rank, so that more is better, with {confidence * 100:g} % intervals.",
    )
