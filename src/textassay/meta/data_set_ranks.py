"""Metrics ranked in each of several data sets, and their mean ranks compared by Friedman's and Nemenyi's tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.meta.system_permutation import random_orders
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.seeds import Stream
from textassay.stats.correlations.correlation import all_orders
from textassay.stats.rank_tests.friedman import Blocks, read_blocks
from textassay.stats.resampling.resamples import check_draws
from textassay.stats.samples import FloatArray, as_floats, check_share

_ENUMERATED = 50_000
"""All orders of the metrics in all data sets are counted where there are no more of them."""
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class DataSetRanks:
    """The ranks of metrics in data sets; rank 1 is the closest to people."""

    data_sets: tuple[str, ...]
    metrics: tuple[str, ...]
    ranks: FloatArray
    """Shape (data sets, metrics); ties at their mean."""
    w: float
    """Kendall's W: 1 where all data sets have the same order of metrics."""
    p: float
    """Of Friedman's statistic, if in each data set every order of the metrics were as likely."""
    least_p: float
    """The smallest p that there can be with so many metrics and data sets."""
    exact: bool
    """Whether all orders were counted; else they were drawn."""
    orders: int
    pairs: PairwiseComparisons
    """All pairs by their mean ranks; p is that of Nemenyi, counted over the same orders, and holds for all pairs."""
    reason: str = ""
    """Why there is no p."""

    @property
    def mean_ranks(self) -> FloatArray:
        """Of each metric."""
        return np.asarray(self.ranks.mean(axis=0))


def rank_over_data_sets(
    agreements: npt.ArrayLike,
    data_sets: Sequence[str],
    metrics: Sequence[str],
    *,
    alpha: float = 0.05,
    draws: int = 9999,
    seed: int = 0,
) -> DataSetRanks:
    """Rank metrics in each data set by their agreement with people, and test whether their mean ranks differ.

    Friedman's (1937) statistic, and for pairs the difference of mean ranks against the largest difference of any two
    (Nemenyi 1963), both by their own distribution: all orders of the metrics in every data set are counted where there
    are up to 50,000 of them, else drawn. Data sets have to be independent: where they share people, systems or texts,
    p is too small. A pair's p depends on which other metrics are ranked with it.

    >>> found = rank_over_data_sets([[0.6, 0.4, 0.1], [0.5, 0.4, 0.3], [0.7, 0.5, 0.2]], "ABC", ["x", "y", "z"])
    >>> found.mean_ranks.tolist(), found.orders, round(found.p * 36), round(found.pairs["x", "z"].p * 36)
    ([1.0, 2.0, 3.0], 36, 1, 1)

    Args:
        agreements: Shape (data sets, metrics), without gaps; more is better.
        data_sets: Their names.
        metrics: Their names.
        alpha: Level of all pairs together.
        draws: Orders that are drawn where they are not counted.
        seed: Of the draws.

    Raises:
        DataError: a shape that does not fit the names, or a missing value.
        UsageError: an impossible setting.
    """
    check_share("alpha", alpha)
    check_draws(draws)
    ranked = read_blocks(-as_floats(agreements, "agreements"), data_sets, metrics)
    n, k = ranked.n, ranked.k
    exact = not ranked.undefined and math.lgamma(k + 1) * (n - 1) <= math.log(_ENUMERATED)
    sums = _sums(ranked.ranks, draws, seed, exact=exact) if not ranked.undefined else np.zeros((1, k))
    spread = ((sums - sums.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    own = ranked.ranks.sum(axis=0)
    settings = {"data sets": n, "metrics": k, "orders": len(sums), "p": "counted" if exact else "drawn"}
    return DataSetRanks(
        tuple(map(str, data_sets)),
        ranked.treatments,
        ranked.ranks,
        math.nan if ranked.undefined else ranked.concordance,
        math.nan if ranked.undefined else _share(spread, float(((own - own.mean()) ** 2).sum())),
        math.nan if ranked.undefined else _share(spread, _most(ranked.ranks)),
        exact,
        len(sums),
        PairwiseComparisons(
            method="metrics compared by mean ranks over data sets",
            settings=settings,
            pairs=tuple(_pairs(ranked, sums)),
            by="metric",
            unit="mean rank",
            better="lower",
            adjustment="Nemenyi",
            alpha=alpha,
        ),
        ranked.undefined.replace("treatments", "metrics").replace("blocks", "data sets"),
    )


def _pairs(ranked: Blocks, sums: FloatArray) -> Iterator[PairwiseComparison]:
    names, own, n = ranked.treatments, ranked.ranks.sum(axis=0), ranked.n
    first, second = np.triu_indices(ranked.k, 1)
    widest = np.ptp(sums, axis=1)
    every = np.abs(sums[:, first] - sums[:, second]).reshape(-1)  # a pair alone: any two, as names make no difference
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        gap = float(own[a] - own[b])
        p, p_raw = (math.nan, math.nan) if ranked.undefined else (_share(widest, abs(gap)), _share(every, abs(gap)))
        difference = gap / n if n else math.nan
        yield PairwiseComparison(first=names[a], second=names[b], difference=difference, p=p, p_raw=p_raw, n=n)


def _sums(ranks: FloatArray, draws: int, seed: int, *, exact: bool) -> FloatArray:
    """Shape (orders, metrics): sums of ranks; the first data set stays, for names of metrics make no difference.

    Drawn ones come with the observed one.
    """
    n, k = ranks.shape
    total = ranks[:1].copy()
    if exact:
        every = all_orders(k).astype(np.intp)
        for own in ranks[1:]:
            total = (total[:, None, :] + own[every][None]).reshape(-1, k)
        return np.asarray(total)
    total = np.repeat(total, draws, axis=0)
    for place in range(1, n):
        stream = Stream(seed, "data set ranks", place)
        total += ranks[place][random_orders(stream, k, draws)]
    return np.concatenate([ranks.sum(axis=0, keepdims=True), total])


def _most(ranks: FloatArray) -> float:
    """The largest statistic that these ranks can have: all data sets in the same order."""
    sums = np.sort(ranks, axis=1).sum(axis=0)
    return float(((sums - sums.mean()) ** 2).sum())


def _share(drawn: FloatArray, own: float) -> float:
    return max(int(np.count_nonzero(drawn >= own - _SAME)), 1) / len(drawn)
