"""All pairs of systems compared within participants: paired t-tests with Holm's correction (Gatt & Portet 2010)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import pandas as pd

from textassay.pairwise import Better, PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats import TTest, paired_t
from textassay.stats.adjust_p import adjust_pairs
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class PairedTests(Statistic):
    """The differences of all pairs of systems."""

    pairs: PairwiseComparisons

    def records(self) -> list[Record]:
        """One record per pair, then how many differ."""
        pairs, n = self.pairs, max((pair.n for pair in self.pairs), default=0)
        count = self.record("significant pairs", pairs.n_significant, n=n, pairs=len(pairs), alpha=pairs.alpha)
        return [*pairs.records(self), count]


def paired_tests(
    part: pd.DataFrame, score: str, *, order: Sequence[str], alpha: float, of: str, better: Better = "none"
) -> PairedTests:
    """The means of each participant with two systems, for all pairs of systems.

    Args:
        part: Columns `participant, system` and that of the score.
        score: Its column.
        order: The systems; of a pair, the earlier one is the first.
        alpha: Level of all comparisons of the score together.
        of: What the score is called in results.
        better: Which values of the score are the better ones.
    """
    means = part.pivot_table(index="participant", columns="system", values=score, aggfunc="mean")
    named = [pair for pair in combinations(order, 2) if set(pair) <= set(means.columns)]
    # Bonferroni's level: all intervals hold together. Holm's p are sharper, but have no intervals.
    level = 1 - alpha / max(len(named), 1)
    tests = {names: _paired(means, *names, level) for names in named}
    method, said = (
        "paired t-tests, Holm",
        [f"{first} − {second}: {text}" for (first, second), test in tests.items() for text in test.warnings],
    )
    settings = {"over": "participants' means", "correction": "holm", "intervals": "bonferroni", "pairs": len(tests)}
    pairs = PairwiseComparisons(
        method=method,
        settings=settings,
        pairs=adjust_pairs([_comparison(*names, test) for names, test in tests.items()]),
        of=of,
        by="system",
        better=better,
        adjustment="Holm",
        alpha=alpha,
        confidence=1 - alpha,
        interval="simultaneous",
        test="t",
        effect_size="Cohen's d_z",
    )
    return PairedTests(method=method, settings=settings, warnings=tuple(said), of=of, by="system", pairs=pairs)


def _paired(means: pd.DataFrame, first: str, second: str, level: float) -> TTest:
    both = means[[first, second]].dropna().astype(float)
    return paired_t(both[first].to_numpy(), both[second].to_numpy(), confidence=level)


def _comparison(first: str, second: str, test: TTest) -> PairwiseComparison:
    return PairwiseComparison(
        first=first,
        second=second,
        difference=test.difference,
        ci=test.ci,
        p=test.p,
        p_raw=test.p,
        n=test.n,
        se=test.se,
        test_value=test.t,
        df=test.df,
        effect_size=test.d,
        effect_size_ci=test.d_ci,
    )
