"""All pairs of treatments or groups compared by their mean ranks: Nemenyi's test and Conover's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record
from textassay.stats.adjust_p import CORRECTION_NAMES, Correction, adjust_p
from textassay.stats.distributions import normal_p, student_p, studentized_range_quantile, studentized_range_upper
from textassay.stats.group_comparisons import GroupComparisons
from textassay.stats.rank_tests.friedman import Blocks, read_blocks
from textassay.stats.rank_tests.kruskal_wallis import undefined_ranks
from textassay.stats.samples import Column, FloatArray, check_share, grouped, midranks


@dataclass(frozen=True, kw_only=True)
class RankComparisons(GroupComparisons):
    """All pairs of groups compared by their mean ranks."""

    mean_ranks: tuple[float, ...]
    n: int
    """Blocks, or values."""

    @property
    def centres(self) -> tuple[float, ...]:
        """The mean ranks."""
        return self.mean_ranks

    def records(self) -> list[Record]:
        """One record per pair, then the count of significant pairs."""
        pairs = self.pairs
        return [
            *super().records(),
            self.record("significant pairs", self.n_significant, n=self.n, pairs=len(pairs), alpha=pairs.alpha),
        ]


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
    first, second = np.triu_indices(k, 1)
    differences = data.mean_ranks[first] - data.mean_ranks[second]
    q = differences / unit
    p = np.full(q.shape, math.nan) if data.undefined else studentized_range_upper(np.abs(q), k, math.inf)
    p_raw = np.array([normal_p(value / math.sqrt(2), "two-sided") for value in q.tolist()])
    method = "Nemenyi's test"
    settings = {"alpha": alpha, "p": "studentized range", "blocks": n, "treatments": k}
    return Nemenyi(
        method=method,
        settings=settings,
        warnings=_nemenyi_warnings(data),
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


@dataclass(frozen=True, kw_only=True)
class Conover(RankComparisons):
    """All pairs compared by their mean ranks; the statistic of a pair is Student's t."""

    df: int


def conover_friedman(
    ratings: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    correction: Correction = "holm",
    blocks: Sequence[str] | None = None,
    treatments: Sequence[str] | None = None,
) -> Conover:
    """Conover's comparison of all pairs of k treatments after Friedman's test over n blocks.

    Purpose: find out which of several systems differ when the same participants or items were ranked or rated under all
    of them.

    t = (Rᵢ - Rⱼ) / √(2(nA - ΣR²) / ((n-1)(k-1))) on (n-1)(k-1) degrees of freedom, R being the sums of ranks within
    blocks and A the sum of all squared ranks (Conover 1999): the least significant difference on ranks. It takes
    ties as they are and has more power than Nemenyi's test. p are corrected (Holm 1979 by default).

    R: `PMCMRplus::frdAllPairsConoverTest(ratings, p.adjust.method = "holm")`, or from
    `lm(rank ~ treatment + block)`, whose contrasts of treatments have the same t.

    Example:
        >>> result = conover_friedman([[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3]])
        >>> [round(pair.test_value, 4) for pair in result.pairs], result.df  # sums 4, 9, 11: -5 / √(2·(224 - 218)/6)
        ([-3.5355, -4.9497, -1.4142], 6)

    Args:
        ratings: Shape (blocks, treatments), complete; for example one row per participant and one column per system.
        alpha: Level of all comparisons together.
        correction: Of p for the number of pairs.
        blocks: Names for messages; numbered from 1 if not given.
        treatments: Names for the records; numbered from 1 if not given.

    Raises:
        DataError: not a table of numbers, or cells are missing or infinite; the message names them.
    """
    check_share("alpha", alpha)
    data = read_blocks(ratings, blocks, treatments)
    n, k = data.n, data.k
    undefined = data.undefined
    if not undefined and np.all(data.ranks == data.ranks[0]):
        undefined = "treatments cannot be compared: all blocks agree fully, so the error cannot be estimated"
    df = max((n - 1) * (k - 1), 0)
    first, second = np.triu_indices(k, 1)
    t = np.full(first.shape, math.nan)
    if not undefined:
        # The deviations from the mean of a block keep the digits that nA - ΣR² would lose.
        left = data.ranks - data.mean_ranks
        t = (data.mean_ranks[first] - data.mean_ranks[second]) / math.sqrt(2 * float(np.sum(left**2)) / (n * df))
    pairs = _conover_pairs(
        data.treatments, data.mean_ranks, t, (n, df),
        method="Conover's test after Friedman's",
        settings={"alpha": alpha, "correction": correction, "blocks": n, "treatments": k},
    )  # fmt: skip
    return Conover(
        method=pairs.method,
        settings=pairs.settings,
        warnings=(undefined,) if undefined else data.warnings,
        groups=data.treatments,
        mean_ranks=tuple(data.mean_ranks.tolist()),
        pairs=pairs,
        n=n,
        df=df,
    )


def conover_kruskal_wallis(
    values: npt.ArrayLike,
    groups: Column,
    *,
    alpha: float = 0.05,
    correction: Correction = "holm",
    factor: str = "group",
) -> Conover:
    """Conover & Iman's comparison of all pairs of k independent groups after Kruskal & Wallis's test.

    Purpose: find out which of several independent groups differ, by ranks.

    t = (r̄ᵢ - r̄ⱼ) / √(S² (N-1-H)/(N-k) (1/nᵢ + 1/nⱼ)) on N-k degrees of freedom, r̄ being mean ranks among all N values,
    S² their variance and H Kruskal & Wallis's (Conover & Iman 1979): the least significant difference on ranks. p are
    corrected (Holm 1979 by default).

    R: `pairwise.t.test(rank(values), groups, p.adjust.method = "holm")`.

    Example:
        >>> result = conover_kruskal_wallis([1, 3, 2, 4, 5, 6], ["a", "a", "b", "b", "c", "c"])
        >>> [round(pair.test_value, 4) for pair in result.pairs], result.df  # mean ranks 2, 3, 5.5; variance within 1.5
        ([-0.8165, -2.8577, -2.0412], 3)

    Args:
        values: One number per observation.
        groups: One label per observation.
        alpha: Level of all comparisons together.
        correction: Of p for the number of pairs.
        factor: What the labels are, for the records.

    Raises:
        DataError: unequal lengths, a missing label, or a value that is missing or infinite.
    """
    check_share("alpha", alpha)
    data = grouped(values, groups, factor)
    undefined = undefined_ranks(data, factor)
    if not undefined and not data.varies_within:
        undefined = f"groups cannot be compared: the values do not vary within the groups of {factor}"
    k, df = len(data.labels), max(data.values.size - len(data.labels), 0)
    ranks = midranks(data.values)
    means = np.bincount(data.codes, weights=ranks, minlength=k) / np.maximum(data.sizes, 1)
    first, second = np.triu_indices(k, 1)
    t = np.full(first.shape, math.nan)
    if not undefined:
        within = float(np.sum((ranks - means[data.codes]) ** 2)) / df
        t = (means[first] - means[second]) / np.sqrt(within * (1 / data.sizes[first] + 1 / data.sizes[second]))
    pairs = _conover_pairs(
        data.labels, means, t, (data.values.size, df),
        method="Conover–Iman test after Kruskal–Wallis",
        settings={"factor": factor, "alpha": alpha, "correction": correction, "groups": k, "n": data.values.size},
    )  # fmt: skip
    return Conover(
        method=pairs.method,
        settings=pairs.settings,
        warnings=(undefined,) if undefined else (),
        by=factor,
        groups=data.labels,
        mean_ranks=tuple(means.tolist()),
        pairs=pairs,
        n=data.values.size,
        df=df,
    )


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
    """The comparisons, from one number per pair in the order of `np.triu_indices`."""
    first, second = np.triu_indices(len(names), 1)
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


def _nemenyi_warnings(data: Blocks) -> tuple[str, ...]:
    if data.undefined:
        return (data.undefined,)
    ties = ("there are ties, which the test does not use: its p are too large",) if data.ties else ()
    return (*data.warnings, *ties)


def _conover_pairs(
    groups: Sequence[str],
    mean_ranks: FloatArray,
    t: FloatArray,
    n_df: tuple[int, int],
    *,
    method: str,
    settings: Mapping[str, Any],
) -> PairwiseComparisons:
    """All pairs from their t."""
    first, second = np.triu_indices(len(groups), 1)
    n, df = n_df
    p = np.array([student_p(value, df, "two-sided") for value in t.tolist()])
    adjusted = np.array(adjust_p(p, method=settings["correction"]).adjusted)
    return PairwiseComparisons(
        method=method,
        settings=settings,
        pairs=rank_pairs(groups, mean_ranks[first] - mean_ranks[second], t, adjusted, p, n=n, df=df),
        by=settings.get("factor", ""),
        unit="mean rank",
        adjustment=CORRECTION_NAMES[settings["correction"]],
        alpha=settings["alpha"],
        test="t",
    )
