"""Which of two systems is ranked above the other: counts of rankings, and a sign test over participants."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from textassay.analysis.trial_contrasts import trial_columns
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats import SignTest, sign_test
from textassay.stats.adjust_p import adjust_pairs
from textassay.stats.statistic import Statistic


@dataclass(frozen=True)
class WinCounts:
    """How often one of two systems was ranked above the other."""

    above: int
    """Rankings in which the first is above the second."""
    below: int
    tied: int
    for_first: int
    """Participants who ranked the first above the second more often than below."""
    for_second: int
    for_neither: int

    @property
    def win_share(self) -> float:
        """Share of rankings in which the first is above the second; a tie counts half for each."""
        n = self.above + self.below + self.tied
        return (self.above + self.tied / 2) / n if n else math.nan


@dataclass(frozen=True, kw_only=True)
class PairWins(Statistic):
    """All pairs of systems on one criterion."""

    pairs: PairwiseComparisons
    """Share of the participants who are for the first − that of those who are for the second."""
    wins: tuple[WinCounts, ...]
    """Counts of each pair."""

    def records(self) -> list[Record]:
        """The number of pairs that differ, then one record per pair."""
        summary = self.record("significant pairs", self.pairs.n_significant, by="System", n=len(self.pairs))
        counts = ({**asdict(each), "win_share": each.win_share} for each in self.wins)
        return [summary, *(record | more for record, more in zip(self.pairs.records(self), counts, strict=True))]


def pair_wins(main: pd.DataFrame, systems: Sequence[str], *, alpha: float, confidence: float) -> PairWins:
    """Win shares of all pairs of systems, with a sign test over participants.

    One person's rankings are not independent of each other, so a person counts once: for the system that he or she
    ranked above the other more often. Without a difference, of n persons who are for one of the two, the number for
    either is binomial with n and 1/2 (the sign test). p are corrected over all pairs (Holm 1979).

    Args:
        main: Rows of one criterion: `participant, item, system, value` (the rank) and, where known, `trial`.
        systems: In the order in which pairs name them.
        alpha: Level at which pairs count as different.
        confidence: Of the intervals.
    """
    ranks = main.pivot_table(index=trial_columns(main), columns="system", values="value")
    found = [_compared(ranks, first, second, confidence) for first, second in combinations(systems, 2)]
    method = "sign test over participants, exact"
    settings = {"alternative": "two-sided", "correction": "Holm", "pairs": len(found), "confidence": confidence}
    pairs = PairwiseComparisons(
        method=method,
        settings=settings,
        pairs=adjust_pairs([pair for pair, _ in found]),
        by="system",
        unit="share of participants",
        better="higher",
        adjustment="Holm",
        alpha=alpha,
        confidence=confidence,
        interval="single",
        effect_size="share of participants for the first",
    )
    undefined = [f"{pair.first} and {pair.second}" for pair in pairs if math.isnan(pair.p)]
    return PairWins(
        method=method,
        settings=settings,
        warnings=(f"nobody is for one of the two, so the sign test is undefined: {', '.join(undefined)}",)
        if undefined
        else (),
        pairs=pairs,
        wins=tuple(wins for _, wins in found),
    )


def _compared(ranks: pd.DataFrame, first: str, second: str, confidence: float) -> tuple[PairwiseComparison, WinCounts]:
    both = (ranks[first] - ranks[second]).dropna() if {first, second} <= set(ranks.columns) else pd.Series(dtype=float)
    signs = np.sign(both.to_numpy(dtype=float))
    by_person = np.zeros(0)
    if len(both):
        by_person = pd.Series(signs, index=both.index).groupby(level="participant").sum().to_numpy()
    test = sign_test(-by_person, confidence=confidence)
    wins = WinCounts(
        above=int(np.sum(signs < 0)),
        below=int(np.sum(signs > 0)),
        tied=int(np.sum(signs == 0)),
        for_first=test.above,
        for_second=test.below,
        for_neither=test.ties,
    )
    return sign_comparison(first, second, test), wins


def sign_comparison(first: str, second: str, test: SignTest) -> PairwiseComparison:
    """The sign test of two systems: of those who are for one of the two, the share for either."""
    return PairwiseComparison(
        first=first,
        second=second,
        difference=2 * test.share - 1,
        ci=(2 * test.ci[0] - 1, 2 * test.ci[1] - 1),
        p=test.p,
        p_raw=test.p,
        n=test.n,
        effect_size=test.share,
        effect_size_ci=test.ci,
        no_effect=0.5,
    )
