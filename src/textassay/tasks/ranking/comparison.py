"""Systems compared by their ranks on one criterion, in every way; as tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from textassay.analysis.agreement import OF_GAPS, RepeatConsistency, concordance_columns, repeat_consistency
from textassay.analysis.compare_systems import (
    SystemComparison,
    SystemTest,
    pairs_table,
    system_tests_table,
)
from textassay.analysis.contrast_models import ContrastSystems, contrast_systems
from textassay.analysis.headlines import Evidence, Wording, system_headline
from textassay.analysis.judgements import Judgements, in_order
from textassay.analysis.leading_test import ABOUT_LEADING, ABOUT_PAIRS, LeadingTest, for_whom, leading_contrasts
from textassay.analysis.options import RecipeOptions
from textassay.analysis.order_effects import OrderEffects, order_effects_of_contrasts, order_table, shown_before
from textassay.analysis.page_positions import PositionEffect
from textassay.analysis.table_builder import Columns, TableColumn, build_table
from textassay.analysis.trial_contrasts import trial_contrasts, trial_table
from textassay.analysis.variance_table import variance_table
from textassay.analysis.wording import per_cent, slug
from textassay.errors import DataError
from textassay.headline import Headline
from textassay.results import Figure, Result, Table
from textassay.stats import MeanInterval, PlackettLuce, plackett_luce
from textassay.stats.mean_interval import cut_interval
from textassay.tasks.ranking.mean_ranks import (
    Counts,
    ItemConcordance,
    MeanRankTests,
    counts_of,
    item_concordance,
    mean_rank_tests,
    mean_ranks,
)
from textassay.tasks.ranking.start_positions import start_position_table, start_positions
from textassay.tasks.ranking.wins import PairWins, pair_wins

PREFER = {
    "mixed model": "beside it: takes the variances of all systems as equal",
    "Friedman, F form": "where ranks are hardly numbers; items are taken as they are",
    "Friedman": "the same beside published work; rough with few participants",
    "Plackett–Luce": "for its scale; its p is right only where everybody ranks once",
}
"""Test → when to prefer it."""


@dataclass(frozen=True)
class RankingComparison:
    """All results for one criterion."""

    criterion: str
    k: float
    """How many texts were ranked together; their mean where that differs."""
    means: tuple[MeanInterval, ...]
    """Mean rank of each system, whose name is in `by`."""
    leading: LeadingTest
    mixed: ContrastSystems
    luce: PlackettLuce | None
    """Nothing where it cannot be fitted."""
    mean_rank_tests: MeanRankTests
    wins: PairWins
    items: ItemConcordance
    repeats: RepeatConsistency
    counts: Counts
    participants: int
    n_items: int
    of_luce: tuple[str, ...]
    """What is to be said of that model."""
    order: OrderEffects | None = None
    """Of having been in the trial before, where places are known."""
    positions: PositionEffect | None = None
    """Of the position in which a text was shown first, where that is known."""

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of a report."""
        luce = () if self.luce is None else (self.luce,)
        statistics = (*luce, self.wins, self.items, self.repeats)
        named = (each.about(self.criterion) for each in (*self.mean_rank_tests.results, *statistics))
        shown = (each for each in (self.order, self.positions) if each is not None)
        return *self.means, *self.leading.results, *self.mixed.results, *named, *shown

    @property
    def warnings(self) -> tuple[str, ...]:
        """All that is to be said, without the criterion's name."""
        of_systems = [f"{mean.by}: {text}" for mean in self.means for text in mean.warnings]
        others = [text for each in (self.wins, self.items, self.repeats) for text in each.warnings]
        return tuple(
            dict.fromkeys(
                [
                    *self.leading.warnings,
                    *self.mixed.warnings,
                    *self.mean_rank_tests.warnings,
                    *self.of_luce,
                    *of_systems,
                    *others,
                ],
            )
        )

    @cached_property
    def systems(self) -> SystemComparison:
        """Tests, places and pairs."""
        over = self.mean_rank_tests
        after = {"p Nemenyi": over.nemenyi.pairs, "p Conover": over.conover.pairs}
        return SystemComparison(
            measure=self.criterion,
            tests=tuple(self._tests()),
            estimates=self.leading.estimates(),
            pairs=self.leading.pairs,
            equivalence=self.leading.equivalence,
            further_pairs=after if over.friedman.n else dict.fromkeys(after),
            direct={
                (pair.first, pair.second): (wins.above, wins.below, wins.tied, wins.win_share, pair.p)
                for pair, wins in zip(self.wins.pairs, self.wins.wins, strict=True)
            },
        )

    def _tests(self) -> Iterator[SystemTest]:
        yield from self.leading.tests
        if self.mixed.model is not None:
            test = self.mixed.model.test
            yield SystemTest("mixed model", "F", test.f, test.df, test.p, PREFER["mixed model"])
        found = self.mean_rank_tests.friedman
        if found.n:
            name = "Friedman, F form"
            yield SystemTest(name, "F", found.f, found.f_df, found.f_p, PREFER[name])
            yield SystemTest("Friedman", "χ²", found.chi2, (found.df, None), found.p, PREFER["Friedman"])
        if self.luce is not None:
            name, luce = "Plackett–Luce", self.luce
            yield SystemTest(name, "χ²", luce.chi2, (luce.df, None), luce.p, PREFER[name])


def compare_rankings(ranked: Judgements, criterion: str, options: RecipeOptions) -> RankingComparison:
    """Everything about one criterion.

    Args:
        ranked: Rankings on it, as `read_rankings` gives them.
        criterion: Its name.
        options: Levels of tests and intervals, and the order of systems.
    """
    main = ranked.main
    order = in_order(set(main["system"]), options.systems)
    ranks = trial_table(main, order)
    given = trial_contrasts(ranks)
    luce, of_luce = _luce(ranks, options.confidence)
    leading = leading_contrasts(given, of=criterion, options=options, better="lower")
    mixed = contrast_systems(given, of=criterion, better="lower", alpha=options.alpha, confidence=options.confidence)
    return RankingComparison(
        criterion=criterion,
        k=float(main["k"].mean()),
        means=mean_ranks(main, criterion, order, options.confidence),
        leading=leading.standardised(mixed.answer_sd),
        mixed=mixed,
        luce=luce,
        mean_rank_tests=mean_rank_tests(main, order, alpha=options.alpha),
        wins=pair_wins(main, order, alpha=options.alpha, confidence=options.confidence),
        items=item_concordance(main),
        repeats=repeat_consistency(ranked),
        counts=counts_of(main, order),
        participants=main["participant"].nunique(),
        n_items=main["item"].nunique(),
        of_luce=of_luce,
        order=_order(main, ranks, leading, options),
        positions=start_positions(main, ranks, leading, options),
    )


def _order(
    main: pd.DataFrame, ranks: pd.DataFrame, leading: LeadingTest, options: RecipeOptions
) -> OrderEffects | None:
    """Whether systems fare otherwise where they were in the trial before."""
    given = trial_contrasts(ranks)
    if "position" not in main or given.trials is None:
        return None
    places = main.groupby(list(ranks.index.names), sort=False)["position"].first().reindex(ranks.index)
    trials = ranks.index.to_frame(index=False).assign(position=places.to_numpy())
    before = shown_before(trials, ranks.notna().to_numpy(dtype=float))[given.trials]
    return order_effects_of_contrasts(given, before, leading, of=leading.found.of, options=options)


def _luce(ranks: pd.DataFrame, confidence: float) -> tuple[PlackettLuce | None, tuple[str, ...]]:
    try:
        model = plackett_luce(ranks.to_numpy(dtype=float), systems=list(ranks.columns), confidence=confidence)
    except (DataError, np.linalg.LinAlgError) as error:
        return None, (f"Plackett–Luce: there is none ({error})",)
    return model, tuple(f"Plackett–Luce: {text}" for text in model.warnings)


def ranking_tables(parts: Sequence[RankingComparison], confidence: float) -> tuple[Table, ...]:
    """All of them, the most important first."""
    found, level = [part.systems for part in parts], per_cent(confidence)
    spread = variance_table([part.mixed for part in parts])
    return (
        _means_table(parts, level),
        system_tests_table(found, note=_TESTS),
        pairs_table(found, title="Which system is ranked above which", direct=_COUNTS, note=_PAIRS.format(level=level)),
        _agreement_table(parts),
        *(table for table in _of_orders(parts, confidence) if table is not None),
        *map(_distribution_table, parts),
        *([] if spread is None else [replace(spread, detail=True)]),
    )


def _of_orders(parts: Sequence[RankingComparison], confidence: float) -> Iterator[Table | None]:
    """Of the order of trials, and of texts within a trial."""
    yield order_table([part.order for part in parts])
    yield start_position_table([part.positions for part in parts], confidence)


def ranking_figures(parts: Sequence[RankingComparison], confidence: float) -> tuple[Figure, ...]:
    """Mean ranks, and how often each system got each rank."""
    return tuple(figure for part in parts for figure in (_means_figure(part, confidence), _distribution_figure(part)))


def ranking_headline(
    part: RankingComparison, options: RecipeOptions, corrected: Mapping[str, float] | None = None
) -> Headline:
    """Who was ranked best on the criterion; `corrected` has the p of all criteria, corrected over them."""
    intervals = _intervals(part)
    words = Wording(
        best="was ranked best",
        worst="worst",
        beats="was ranked above",
        on=f" on {part.criterion}",
        value="mean rank {}",
        scale=f" (1 = best of {part.k:g})",
        better="lower",
        unit=" ranks",
        bounds=(1.0, part.k),
    )
    evidence = Evidence(
        values={mean.by: (mean.mean, *intervals[mean.by]) for mean in part.means},
        participants=part.participants,
        items=part.n_items,
        confidence=options.confidence,
        alpha=options.alpha,
        caveat=part.leading.caveat,
        corrected=corrected or {},
    )
    return system_headline(part.systems, words, evidence)


_COUNTS = ("Above", "Below", "Tied", "Win share", "p sign test")
_TESTS = (
    f"{ABOUT_LEADING} It and the mixed model are of the ranks within each trial; in the latter "
    "each participant and each item has tastes of its own. "
    "Friedman's test is of participants' mean ranks, with participants as blocks. Plackett–Luce takes all rankings as "
    "independent."
)
_PAIRS = (
    "Above, Below and Tied count rankings of First against Second; in the win share a tie counts half. p sign test: a "
    "participant counts once, for the system ranked above the other more often (exact, corrected after Holm). "
    f"Difference: of the mean ranks, below 0 where First is better. {ABOUT_PAIRS} p Nemenyi "
    "and p Conover (after Holm): of participants' mean ranks, after Friedman."
)


def _means_table(parts: Sequence[RankingComparison], level: str) -> Table:
    """Mean rank of each system, the best first: the order in which people put the systems (Cahill 2009)."""
    return Table(
        "mean-ranks",
        "Mean ranks of the systems",
        ("Criterion", "Place", "System", "Participants", "Mean rank", "SD", "Low", "High", "Nemenyi group", "Worth"),
        tuple(row for part in parts for row in _means(part)),
        note="The best first; 1 is best, and tied texts share the mean of their places. Means and SD are over "
        f"participants' own mean ranks. The {level} interval is that of the ANOVA-type test, which holds for "
        f"{for_whom(part.leading for part in parts)}; where there is none, or trials show some systems only, it is "
        "over participants. Systems that share a letter do not differ after Nemenyi. Worth: the probability of being "
        "ranked first of all (Plackett–Luce).",
    )


def _means(part: RankingComparison) -> Iterator[tuple[object, ...]]:
    intervals, letters = _intervals(part), part.mean_rank_tests.letters
    worth = dict(zip(part.luce.systems, part.luce.worth, strict=True)) if part.luce is not None else {}
    ordered = sorted(part.means, key=lambda each: each.mean)
    for place, mean in enumerate(ordered, 1):
        own = (mean.n, mean.mean, mean.sd, *intervals[mean.by])
        yield part.criterion, place, mean.by, *own, letters.get(mean.by), worth.get(mean.by)


def _intervals(part: RankingComparison) -> Mapping[str, tuple[float, float]]:
    """Of each system's mean rank: that of the leading test, moved to the middle of the ranks; without one, Student's.

    So too where trials show some systems only: then a mean rank depends on the company, and the test's does not.
    """
    if not part.systems.estimates or not part.mean_rank_tests.friedman.n:
        return {mean.by: mean.ci for mean in part.means}
    middle = (part.k + 1) / 2
    bounds = (1.0, max(_ranks(part)))
    known = part.systems.estimates.items()
    return {name: cut_interval((middle + low, middle + high), bounds) for name, (_, low, high) in known}


def _agreement_table(parts: Sequence[RankingComparison]) -> Table:
    """Kendall's W between participants, over mean ranks and within items, and repeated trials."""
    columns: Columns[RankingComparison] = (
        TableColumn("Criterion", lambda part: part.criterion),
        *concordance_columns(lambda part: part.mean_rank_tests.between, parts),
        TableColumn("Participants", lambda part: part.mean_rank_tests.between.raters),
        TableColumn("Share with the order of all", lambda part: part.mean_rank_tests.same_order),
        TableColumn("Mean W within items", lambda part: part.items.mean_w),
        TableColumn("Items", lambda part: len(part.items.per_item)),
        TableColumn("Rankings of them", lambda part: sum(raters for _, _, raters in part.items.per_item)),
        TableColumn("Repeated texts", lambda part: part.repeats.n),
        TableColumn("Mean absolute difference", lambda part: part.repeats.mean_absolute_difference),
        TableColumn("Share equal", lambda part: part.repeats.share_equal),
    )
    note = (
        "W: Kendall's W on each participant's mean rank of each system; Friedman's test is its test, and Participants "
        f"says how many it rests on. It needs every system of everyone: {OF_GAPS}. Share with the order of all: "
        "participants whose own mean ranks put the systems into the order of the mean ranks above. W within items: "
        "between those who ranked the same texts of one item. The last columns compare the ranks of texts that were "
        "ranked twice."
    )
    return build_table("agreement", "Agreement between participants", columns, parts, note=note)


def _distribution_table(part: RankingComparison) -> Table:
    """How often each system got each rank."""
    ranks = _ranks(part)
    rows = tuple((system, *(dict(counts).get(rank, 0) for rank in ranks)) for system, counts in part.counts)
    title = f"Ranks on {part.criterion}"
    columns = ("System", *(f"{rank:g}" for rank in ranks))
    return Table(
        f"distribution-{slug(part.criterion)}",
        title,
        columns,
        rows,
        "Number of rankings; 1 is best.",
        part.criterion,
        detail=True,
    )


def _ranks(part: RankingComparison) -> list[float]:
    return sorted({rank for _, counts in part.counts for rank, _ in counts})


def _distribution_figure(part: RankingComparison) -> Figure:
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
        subject=part.criterion,
    )


def _means_figure(part: RankingComparison, confidence: float) -> Figure:
    intervals = _intervals(part)
    groups = [
        {"system": mean.by, "mean": mean.mean, "low": intervals[mean.by][0], "high": intervals[mean.by][1], "n": mean.n}
        for mean in part.means
    ]
    return Figure(
        name=f"mean-ranks-{slug(part.criterion)}",
        title=f"Mean ranks on {part.criterion}",
        kind="means",
        data={
            "criterion": f"rank on {part.criterion}",
            "scale_from": 1,
            "scale_to": max(_ranks(part)),
            "better": "lower",
            "groups": groups,
        },
        note=f"1 is best; with {per_cent(confidence)} intervals.",
        subject=part.criterion,
    )
