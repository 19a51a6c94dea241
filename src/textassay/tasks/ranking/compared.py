"""Systems compared by their ranks on one criterion, in every way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from textassay.analysis.agreement import RepeatConsistency, repeat_consistency
from textassay.analysis.contrast_models import ContrastSystems, contrast_systems
from textassay.analysis.judgements import Judgements, in_order
from textassay.errors import DataError
from textassay.results import Result
from textassay.stats import MeanInterval, PlackettLuce, plackett_luce
from textassay.study.model import AnalysisOptions
from textassay.tasks.ranking.concordance import ItemConcordance, by_item
from textassay.tasks.ranking.mean_ranks import Counts, counts_of, mean_ranks
from textassay.tasks.ranking.over_means import OverMeans, of_means
from textassay.tasks.ranking.rank_contrasts import rank_contrasts, rank_table
from textassay.tasks.ranking.wins import PairWins, pair_wins


@dataclass(frozen=True)
class RankingResults:
    """All results for one criterion."""

    criterion: str
    k: float
    """How many texts were ranked together; their mean where that differs."""
    means: tuple[MeanInterval, ...]
    """Mean rank of each system, whose name is in `by`."""
    mixed: ContrastSystems
    luce: PlackettLuce | None
    """Nothing where it cannot be fitted."""
    over_means: OverMeans
    wins: PairWins
    items: ItemConcordance
    repeats: RepeatConsistency
    counts: Counts
    of_luce: tuple[str, ...]
    """What is to be said of that model."""

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of a report."""
        luce = () if self.luce is None else (self.luce,)
        statistics = (*luce, self.wins, self.items, self.repeats)
        named = (each.about(self.criterion) for each in (*self.over_means.results, *statistics))
        return *self.means, *self.mixed.results, *named

    @property
    def warnings(self) -> tuple[str, ...]:
        """All that is to be said, without the criterion's name."""
        of_systems = [f"{mean.by}: {text}" for mean in self.means for text in mean.warnings]
        others = [text for each in (self.wins, self.items, self.repeats) for text in each.warnings]
        return tuple(
            dict.fromkeys(
                [*self.mixed.warnings, *self.over_means.warnings, *self.of_luce, *of_systems, *others],
            )
        )


def of_criterion(
    ranked: Judgements, criterion: str, options: AnalysisOptions, systems: Sequence[str]
) -> RankingResults:
    """Everything about one criterion.

    Args:
        ranked: Rankings on it, as `read_rankings` gives them.
        criterion: Its name.
        options: Levels of tests and intervals.
        systems: The order in which systems are shown; those not named follow by name.
    """
    main = ranked.main
    order = in_order(set(main["system"]), systems)
    ranks = rank_table(main, order)
    luce, of_luce = _luce(ranks, options.confidence)
    return RankingResults(
        criterion=criterion,
        k=float(main["k"].mean()),
        means=mean_ranks(main, criterion, order, options.confidence),
        mixed=contrast_systems(
            rank_contrasts(ranks), of=criterion, better="lower", alpha=options.alpha, confidence=options.confidence
        ),
        luce=luce,
        over_means=of_means(main, order, alpha=options.alpha),
        wins=pair_wins(main, order, alpha=options.alpha, confidence=options.confidence),
        items=by_item(main),
        repeats=repeat_consistency(ranked),
        counts=counts_of(main, order),
        of_luce=of_luce,
    )


def _luce(ranks: pd.DataFrame, confidence: float) -> tuple[PlackettLuce | None, tuple[str, ...]]:
    try:
        model = plackett_luce(ranks.to_numpy(dtype=float), systems=list(ranks.columns), confidence=confidence)
    except (DataError, np.linalg.LinAlgError) as error:
        return None, (f"Plackett–Luce: there is none ({error})",)
    return model, tuple(f"Plackett–Luce: {text}" for text in model.warnings)
