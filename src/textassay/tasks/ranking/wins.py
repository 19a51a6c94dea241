"""Which of two systems is ranked above the other: counts of rankings, and a sign test over participants."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from textassay.results import Record
from textassay.stats import adjust_p, sign_test
from textassay.stats.statistic import Statistic
from textassay.tasks.ranking.answers import trial_columns


@dataclass(frozen=True)
class Wins:
    """Two systems."""

    system: str
    other: str
    above: int
    """Rankings in which `system` is above `other`."""
    below: int
    tied: int
    for_system: int
    """Participants who ranked `system` above `other` more often than below."""
    for_other: int
    for_neither: int
    share: float
    """`for_system` among those who are for one of the two."""
    ci: tuple[float, float]
    """Exact interval of the share (Clopper & Pearson)."""
    p: float
    """Exact two-sided sign test."""
    p_adjusted: float
    """Corrected for all pairs."""

    @property
    def win_share(self) -> float:
        """Share of rankings in which `system` is above `other`; a tie counts half for each."""
        n = self.above + self.below + self.tied
        return (self.above + self.tied / 2) / n if n else math.nan


@dataclass(frozen=True, kw_only=True)
class PairWins(Statistic):
    """All pairs of systems on one criterion."""

    pairs: tuple[Wins, ...]
    alpha: float

    @property
    def significant(self) -> int:
        """How many pairs differ."""
        return sum(pair.p_adjusted < self.alpha for pair in self.pairs)

    def records(self) -> list[Record]:
        """The number of pairs that differ, then one record a pair, its p the corrected one."""
        summary = self.record("significant pairs", self.significant, by="System", n=len(self.pairs))
        return [summary, *map(self._record, self.pairs)]

    def _record(self, pair: Wins) -> Record:
        return self.record(
            "share of participants",
            pair.share,
            by=f"{pair.system} above {pair.other}",
            p=pair.p_adjusted,
            ci=pair.ci,
            n=pair.for_system + pair.for_other,
            p_uncorrected=pair.p,
            for_neither=pair.for_neither,
            win_share=pair.win_share,
            above=pair.above,
            below=pair.below,
            tied=pair.tied,
        )


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
    found = [_wins(ranks, one, other, confidence) for one, other in combinations(systems, 2)]
    adjusted = adjust_p([pair.p for pair in found]).adjusted
    pairs = tuple(replace(pair, p_adjusted=p) for pair, p in zip(found, adjusted, strict=True))
    undefined = [f"{pair.system} and {pair.other}" for pair in pairs if math.isnan(pair.p)]
    return PairWins(
        method="sign test over participants, exact",
        settings={"alternative": "two-sided", "correction": "Holm", "pairs": len(pairs), "confidence": confidence},
        warnings=(f"nobody is for one of the two, so the sign test is undefined: {', '.join(undefined)}",)
        if undefined
        else (),
        pairs=pairs,
        alpha=alpha,
    )


def _wins(ranks: pd.DataFrame, one: str, other: str, confidence: float) -> Wins:
    both = (ranks[one] - ranks[other]).dropna() if {one, other} <= set(ranks.columns) else pd.Series(dtype=float)
    signs = np.sign(both.to_numpy(dtype=float))
    by_person = np.zeros(0)
    if len(both):
        by_person = pd.Series(signs, index=both.index).groupby(level="participant").sum().to_numpy()
    test = sign_test(-by_person, confidence=confidence)
    return Wins(
        system=one,
        other=other,
        above=int(np.sum(signs < 0)),
        below=int(np.sum(signs > 0)),
        tied=int(np.sum(signs == 0)),
        for_system=test.above,
        for_other=test.below,
        for_neither=test.ties,
        share=test.share,
        ci=test.ci,
        p=test.p,
        p_adjusted=test.p,
    )
