"""All pairs of treatments or groups compared by their mean ranks: the form that such comparisons share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textassay.results import Record
from textassay.stats.samples import FloatArray, IntArray
from textassay.stats.statistic import Statistic
from textassay.stats.variance.letters import letters_of


@dataclass(frozen=True)
class RankPair:
    """One comparison: `second` less `first`."""

    first: str
    second: str
    difference: float
    """Of the mean ranks."""
    value: float
    """The test's statistic: q or t, with the sign of the difference."""
    p: float
    """Adjusted for all pairs."""
    p_uncorrected: float | None
    """None where the test has no other than the adjusted p."""
    significant: bool


@dataclass(frozen=True, kw_only=True)
class RankComparisons(Statistic):
    """All pairs of groups compared by their mean ranks."""

    groups: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    pairs: tuple[RankPair, ...]
    """In the order of R: each group with all earlier ones."""
    alpha: float
    n: int
    """Blocks, or values."""

    @property
    def n_significant(self) -> int:
        """Pairs that differ significantly, out of `len(pairs)`."""
        return sum(pair.significant for pair in self.pairs)

    @property
    def p(self) -> tuple[float, ...]:
        """The adjusted p of each pair."""
        return tuple(pair.p for pair in self.pairs)

    @property
    def letters(self) -> tuple[str, ...]:
        """Compact letter display: groups that share a letter do not differ; the largest mean rank has an a."""
        return letters_of(self.groups, self.mean_ranks, self.pairs)

    def records(self) -> list[Record]:
        """One record a pair, then the count of significant pairs."""
        return [
            *map(self._pair_record, self.pairs),
            self.record("significant pairs", self.n_significant, n=self.n, pairs=len(self.pairs), alpha=self.alpha),
        ]

    def _pair_record(self, pair: RankPair) -> Record:
        return self.record(
            "difference of mean ranks",
            pair.difference,
            p=pair.p,
            n=self.n,
            first=pair.first,
            second=pair.second,
            test=pair.value,
            p_uncorrected=pair.p_uncorrected,
            significant=pair.significant,
        )


def pair_places(k: int) -> tuple[IntArray, IntArray]:
    """The first and the second of each pair, by index, in the order of R.

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
    uncorrected: FloatArray | None,
    alpha: float,
) -> tuple[RankPair, ...]:
    """The comparisons, from one number a pair in the order of `pair_places`."""
    first, second = pair_places(len(names))
    raw = [None] * len(p) if uncorrected is None else uncorrected.tolist()
    columns = (first.tolist(), second.tolist(), differences.tolist(), values.tolist(), p.tolist(), raw)
    return tuple(
        RankPair(names[i], names[j], difference, value, adjusted, before, adjusted < alpha)
        for i, j, difference, value, adjusted, before in zip(*columns, strict=True)
    )
