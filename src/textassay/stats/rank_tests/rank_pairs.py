"""All pairs of treatments or groups compared by their mean ranks: the form that such comparisons share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats.samples import FloatArray, IntArray
from textassay.stats.statistic import Statistic
from textassay.stats.variance.letters import letters_of


@dataclass(frozen=True, kw_only=True)
class RankComparisons(Statistic):
    """All pairs of groups compared by their mean ranks."""

    groups: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    pairs: PairwiseComparisons
    """Each group with all later ones: differences of mean ranks."""
    n: int
    """Blocks, or values."""

    @property
    def n_significant(self) -> int:
        """Pairs that differ significantly, out of `len(pairs)`."""
        return self.pairs.n_significant

    @property
    def p(self) -> tuple[float, ...]:
        """The adjusted p of each pair."""
        return tuple(pair.p for pair in self.pairs)

    @property
    def letters(self) -> tuple[str, ...]:
        """Compact letter display: groups that share a letter do not differ; the largest mean rank has an a."""
        return letters_of(self.groups, self.mean_ranks, self.pairs)

    def records(self) -> list[Record]:
        """One record per pair, then the count of significant pairs."""
        pairs = self.pairs
        return [
            *pairs.records(self),
            self.record("significant pairs", self.n_significant, n=self.n, pairs=len(pairs), alpha=pairs.alpha),
        ]


def pair_places(k: int) -> tuple[IntArray, IntArray]:
    """The first and the second of each pair, by index, each group with all later ones.

    >>> [place.tolist() for place in pair_places(3)]
    [[0, 0, 1], [1, 2, 2]]
    """
    first, second = np.triu_indices(k, 1)
    return first, second


def rank_pairs(
    names: Sequence[str],
    differences: FloatArray,
    values: FloatArray,
    p: FloatArray,
    p_raw: FloatArray,
    *,
    n: int,
    df: float = math.nan,
) -> tuple[PairwiseComparison, ...]:
    """The comparisons, from one number per pair in the order of `pair_places`."""
    first, second = pair_places(len(names))
    columns = (first, second, differences, values, p, p_raw)
    return tuple(
        PairwiseComparison(
            first=names[i],
            second=names[j],
            difference=difference,
            p=adjusted,
            p_raw=raw,
            n=n,
            test_value=value,
            df=df,
        )
        for i, j, difference, value, adjusted, raw in zip(*(column.tolist() for column in columns), strict=True)
    )
