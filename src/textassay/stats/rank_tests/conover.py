"""All pairs after Friedman's or Kruskal and Wallis's test: Conover's t on ranks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.pairwise import PairwiseComparisons
from textassay.stats.adjust_p import CORRECTION_NAMES, Correction, adjust_p
from textassay.stats.distributions import student_p
from textassay.stats.labels import Column
from textassay.stats.rank_tests.friedman import read_blocks
from textassay.stats.rank_tests.kruskal_wallis import undefined_ranks
from textassay.stats.rank_tests.rank_pairs import RankComparisons, pair_places, rank_pairs
from textassay.stats.samples import FloatArray, check_share, grouped, midranks


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
    first, second = pair_places(k)
    t = np.full(first.shape, math.nan)
    if not undefined:
        # The deviations from the mean of a block keep the digits that nA - ΣR² would lose.
        left = data.ranks - data.mean_ranks
        t = (data.mean_ranks[first] - data.mean_ranks[second]) / math.sqrt(2 * float(np.sum(left**2)) / (n * df))
    pairs = _pairs(
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
    first, second = pair_places(k)
    t = np.full(first.shape, math.nan)
    if not undefined:
        within = float(np.sum((ranks - means[data.codes]) ** 2)) / df
        t = (means[first] - means[second]) / np.sqrt(within * (1 / data.sizes[first] + 1 / data.sizes[second]))
    pairs = _pairs(
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


def _pairs(
    groups: Sequence[str],
    mean_ranks: FloatArray,
    t: FloatArray,
    n_df: tuple[int, int],
    *,
    method: str,
    settings: Mapping[str, Any],
) -> PairwiseComparisons:
    """All pairs from their t."""
    first, second = pair_places(len(groups))
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
