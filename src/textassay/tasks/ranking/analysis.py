"""The statistics of a ranking block: mean ranks, who is ranked above whom, and how far participants agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import pandas as pd

from textassay.analysis import compare_exclusions
from textassay.analysis.agreement import RepeatConsistency, repeat_consistency
from textassay.analysis.judgements import in_order
from textassay.analysis.selection import excluded, rows_of_block
from textassay.results import Analysis, Result
from textassay.stats import KendallW, MeanInterval, mean_interval
from textassay.study.model import AnalysisOptions
from textassay.study.study import Block, Study
from textassay.tasks.ranking import rank_tables
from textassay.tasks.ranking.answers import Rankings, judgements, read_rankings
from textassay.tasks.ranking.concordance import ItemConcordance, by_item, over_means
from textassay.tasks.ranking.settings import RankingSettings
from textassay.tasks.ranking.wins import PairWins, pair_wins

__all__ = ["analyse", "analyse_table", "judgements"]

LATER = (
    "participants are the only source of variation that these tests know; models with participants and items as "
    "random, and worths of the systems (Plackett-Luce), come with a later release"
)


@dataclass(frozen=True)
class OfCriterion:
    """All results for one criterion."""

    criterion: str
    k: int
    """The most texts that were ranked together."""
    means: tuple[MeanInterval, ...]
    """Mean rank of each system, whose name is in `by`."""
    wins: PairWins
    between: KendallW
    items: ItemConcordance
    repeats: RepeatConsistency
    counts: tuple[tuple[str, tuple[tuple[float, int], ...]], ...]
    """For each system how often it got which rank."""

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of a report."""
        named = (each.about(self.criterion) for each in (self.wins, self.between, self.items, self.repeats))
        return *self.means, *named


def analyse(block: Block, study: Study, table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """The rankings of those kept, then the same with and without exclusions.

    Args:
        block: The block.
        study: Its study.
        table: Rankings of everybody; those of other blocks, which columns `block` and `criterion` tell, are ignored.
        participants: Whose column `verdict`, if there is one, says `excluded` is left out of the results.
    """
    criteria = [criterion.name for criterion in cast("RankingSettings", block.settings).criteria]
    everyone = rows_of_block(table, block.name, criteria)
    kept = everyone[~everyone["participant"].isin(excluded(participants))]
    found = _recipe(kept, study.file.analysis, study.systems)
    if len(kept) == len(everyone):
        return [found]
    side_by_side = compare_exclusions(_recipe(everyone, study.file.analysis, study.systems), found)
    return [found, Analysis("exclusions", "With and without exclusions", tables=(side_by_side,))]


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study."""
    return [_recipe(table, options, ())]


def _recipe(table: pd.DataFrame, options: AnalysisOptions, systems: Sequence[str]) -> Analysis:
    rankings = read_rankings(table)
    if rankings.main.empty:
        warnings = (*rankings.warnings, "there are no rankings to analyse")
        return Analysis("rankings", "Rankings", warnings=warnings)
    parts = [_of_criterion(rankings.of(name), name, options, systems) for name in rankings.criteria]
    results = tuple(result for part in parts for result in part.results)
    said = dict.fromkeys(
        f"{part.criterion}: {warning}" for part in parts for result in part.results for warning in result.warnings
    )
    return Analysis(
        name="rankings",
        title="Rankings",
        results=results,
        tables=rank_tables.tables(parts, options.confidence),
        figures=rank_tables.figures(parts),
        warnings=(*rankings.warnings, *said, LATER),
    )


def _of_criterion(rankings: Rankings, criterion: str, options: AnalysisOptions, systems: Sequence[str]) -> OfCriterion:
    main = rankings.main
    order = in_order(set(main["system"]), systems)
    return OfCriterion(
        criterion=criterion,
        k=int(main["k"].max()),
        means=tuple(_mean_rank(main, criterion, system, options.confidence) for system in order),
        wins=pair_wins(main, order, alpha=options.alpha, confidence=options.confidence),
        between=over_means(main),
        items=by_item(main),
        repeats=repeat_consistency(rankings.as_judgements()),
        counts=tuple((system, _counts(main[main["system"] == system])) for system in order),
    )


def _counts(rows: pd.DataFrame) -> tuple[tuple[float, int], ...]:
    return tuple(sorted((float(rank), int(n)) for rank, n in Counter(rows["value"]).items()))


def _mean_rank(main: pd.DataFrame, criterion: str, system: str, confidence: float) -> MeanInterval:
    """Mean over participants of their own mean ranks: single ranks of one person are not independent."""
    own = main[main["system"] == system].groupby("participant")["value"].mean()
    found = mean_interval(own.to_numpy(dtype=float), confidence=confidence)
    settings = {"of": "each participant's mean rank", **found.settings}
    return replace(found, method="mean rank with t interval", settings=settings, of=criterion, by=system)
