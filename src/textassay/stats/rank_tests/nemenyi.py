"""All pairs of treatments after Friedman's test: Nemenyi."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.pairwise import PairwiseComparisons
from textassay.results import Record
from textassay.stats.distributions import normal_p
from textassay.stats.rank_tests.friedman import Blocks, read_blocks
from textassay.stats.rank_tests.rank_pairs import RankComparisons, pair_places, rank_pairs
from textassay.stats.samples import check_share
from textassay.stats.variance.studentized_range import studentized_range_quantile, studentized_range_upper


@dataclass(frozen=True, kw_only=True)
class Nemenyi(RankComparisons):
    """All pairs of treatments compared by their mean ranks within blocks; the statistic of a pair is q."""

    critical_difference: float
    """Mean ranks further apart than this differ."""
    q_critical: float
    """Quantile of the studentized range at 1 - alpha."""

    def records(self) -> list[Record]:
        """One record per pair, the count of significant pairs, and the critical difference."""
        return [
            *super().records(),
            self.record("critical difference", self.critical_difference, n=self.n, q_critical=self.q_critical),
        ]


def nemenyi(
    ratings: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    blocks: Sequence[str] | None = None,
    treatments: Sequence[str] | None = None,
) -> Nemenyi:
    """Nemenyi's comparison of all pairs of k treatments ranked in n blocks.

    Purpose: find out which of several systems differ in their mean ranks over the same participants or items.

    q = |r̄ᵢ - r̄ⱼ| / √(k(k+1)/(12n)), compared with the studentized range of k means with known variance (Nemenyi 1963);
    critical difference = q_critical √(k(k+1)/(12n)) (Demšar 2006, whose q is this one divided by √2). It holds the
    error of all pairs together and needs no Friedman test before it; ties make it conservative.

    R: `PMCMRplus::frdAllPairsNemenyiTest(ratings)`, or by `ptukey(q, k, Inf, lower.tail = FALSE)`.

    Example:
        >>> result = nemenyi([[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3]])
        >>> round(result.critical_difference, 4)  # 3.3145 · √(12 / 48)
        1.6572
        >>> [(pair.second, pair.difference, round(pair.p, 4)) for pair in result.pairs[:2]]
        [('treatment 2', -1.25, 0.1805), ('treatment 3', -1.75, 0.0356)]

    Args:
        ratings: Shape (blocks, treatments), complete; for example one row per participant and one column per system.
        alpha: Level of all comparisons together.
        blocks: Names for messages; numbered from 1 if not given.
        treatments: Names for the records; numbered from 1 if not given.

    Raises:
        DataError: not a table of numbers, or cells are missing or infinite; the message names them.
    """
    check_share("alpha", alpha)
    data = read_blocks(ratings, blocks, treatments)
    n, k = data.n, data.k
    unit = math.nan if data.undefined else math.sqrt(k * (k + 1) / (12 * n))
    q_critical = math.nan if data.undefined else studentized_range_quantile(alpha, k, math.inf)
    first, second = pair_places(k)
    differences = data.mean_ranks[first] - data.mean_ranks[second]
    q = differences / unit
    p = np.full(q.shape, math.nan) if data.undefined else studentized_range_upper(np.abs(q), k, math.inf)
    p_raw = np.array([normal_p(value / math.sqrt(2), "two-sided") for value in q.tolist()])
    method = "Nemenyi's test"
    settings = {"alpha": alpha, "p": "studentized range", "blocks": n, "treatments": k}
    return Nemenyi(
        method=method,
        settings=settings,
        warnings=_warnings(data),
        groups=data.treatments,
        mean_ranks=tuple(data.mean_ranks.tolist()),
        pairs=PairwiseComparisons(
            method=method,
            settings=settings,
            pairs=rank_pairs(data.treatments, differences, q, p, p_raw, n=n),
            unit="mean rank",
            adjustment="Tukey",
            family=k * (k - 1) // 2,
            alpha=alpha,
            test="q",
        ),
        n=n,
        critical_difference=q_critical * unit,
        q_critical=q_critical,
    )


def _warnings(data: Blocks) -> tuple[str, ...]:
    if data.undefined:
        return (data.undefined,)
    ties = ("there are ties, which the test does not use: its p are too large",) if data.ties else ()
    return (*data.warnings, *ties)
