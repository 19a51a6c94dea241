"""Rank tests: of pairs, of two samples, of several groups or blocks."""

from __future__ import annotations

import numpy as np
from _calibration import Check
from _calibration_claims import (
    ANY_REJECTED,
    coverage,
    covers,
    rejects,
    rejects_any,
    size,
    size_near,
    size_within,
)
from _calibration_nulls import (
    BlockedTests,
    GroupedTests,
    attained,
    blocked_sums,
    clopper_pearson_coverage,
    grouped_sums,
    rank_sum_counts,
    sign_counts,
    signed_rank_counts,
)
from _calibration_theory import ALPHA

from textassay.stats import (
    conover_friedman,
    conover_kruskal_wallis,
    friedman,
    kendall_w,
    kruskal_wallis,
    nemenyi,
    sign_test,
    wilcoxon_rank_sum,
    wilcoxon_signed_rank,
)

_BLOCKS, _TREATMENTS = 8, 4
_SIZES = (5, 6, 7)
_COUNTED = "exact: its attainable level, counted"
_AT_MOST = "exact: at or below .05"
_NULL = "the exact distribution of sums of ranks, counted, beyond the approximate critical value"


def checks() -> tuple[Check, ...]:
    """All of this family."""
    return (*_of_two(), *_of_several())


def _of_two() -> tuple[Check, ...]:
    return (
        Check("15 values, median 0", _signs, (
            size("sign_test", is_=attained(sign_counts(15)), why=_COUNTED),
        )),
        Check("20 values, 7 of 10 above 0", _shares, (
            coverage("sign_test", is_=clopper_pearson_coverage(20, 0.7), why="Clopper & Pearson: exact, counted"),
        )),
        Check("10 pairs of normal values", _signed_ranks, (
            size("wilcoxon_signed_rank", is_=attained(signed_rank_counts(10)), why=_COUNTED),
        )),
        Check("15 pairs of ratings 1 to 5, with ties and zeros", _tied_pairs, (
            size_within("wilcoxon_signed_rank", "exact, zeros dropped", high=ALPHA, why=_AT_MOST),
            size_within("wilcoxon_signed_rank", "exact, Pratt", high=ALPHA, why=_AT_MOST),
            size_near("wilcoxon_signed_rank", "asymptotic"),
        )),
        Check("6 and 8 normal values", _rank_sums, (
            size("wilcoxon_rank_sum", is_=attained(rank_sum_counts(6, 8)), why=_COUNTED),
        )),
        Check("12 and 15 ratings 1 to 5", _tied_samples, (
            size_within("wilcoxon_rank_sum", "exact", high=ALPHA, why=_AT_MOST),
            size_near("wilcoxon_rank_sum", "asymptotic"),
        )),
    )  # fmt: skip


def _of_several() -> tuple[Check, ...]:
    sums, tests = blocked_sums(_BLOCKS, _TREATMENTS), BlockedTests(_BLOCKS, _TREATMENTS)
    grouped, of_groups = grouped_sums(_SIZES), GroupedTests(_SIZES)
    return (
        Check("8 blocks × 4 treatments", _blocks, (
            size("friedman", "χ²", is_=sums.size(tests.friedman), why=_NULL),
            size("friedman", "F", is_=sums.size(tests.iman_davenport), why=_NULL),
            size("kendall_w", "χ²", is_=sums.size(tests.friedman), why=_NULL),
            size("kendall_w", "F", is_=sums.size(tests.kendall_f), why=_NULL),
            size("conover_friedman", "Holm", is_=sums.size(tests.conover), why=_NULL, what=ANY_REJECTED),
        )),
        Check("8 blocks × 4 treatments, all pairs", _nemenyi, (
            size("nemenyi", is_=sums.size(tests.nemenyi), why=_NULL, what=ANY_REJECTED),
        ), cost=3),
        Check("20 blocks × 4 treatments, ratings 1 to 5", _tied_blocks, (
            size_near("friedman", "χ²"),
            size_near("friedman", "F"),
            size_near("kendall_w", "F"),
            size_within("conover_friedman", "Holm", high=1.5 * ALPHA, what=ANY_REJECTED,
                        why="Holm is conservative; t on ranks as far off as Bradley's liberal criterion allows"),
        )),
        Check("3 groups of 5, 6, 7", _groups, (
            size("kruskal_wallis", is_=grouped.size(of_groups.kruskal_wallis), why=_NULL),
            size("conover_kruskal_wallis", "Holm", is_=grouped.size(of_groups.conover), why=_NULL, what=ANY_REJECTED),
        )),
        Check("3 groups of 20, ratings 1 to 5", _tied_groups, (
            size_near("kruskal_wallis"),
            size_within("conover_kruskal_wallis", "Holm", high=1.5 * ALPHA, what=ANY_REJECTED,
                        why="Holm is conservative; t on ranks as far off as Bradley's liberal criterion allows"),
        )),
    )  # fmt: skip


def _signs(random: np.random.Generator) -> list[float]:
    return [rejects(sign_test(random.normal(size=15)).p)]


def _shares(random: np.random.Generator) -> list[float]:
    return [covers(sign_test(np.where(random.random(20) < 0.7, 1, -1)).ci, 0.7)]


def _signed_ranks(random: np.random.Generator) -> list[float]:
    return [rejects(wilcoxon_signed_rank(random.normal(size=10), random.normal(size=10)).p)]


def _tied_pairs(random: np.random.Generator) -> list[float]:
    x, y = random.integers(1, 6, size=(2, 15))
    pratt = wilcoxon_signed_rank(x, y, p="exact", zeros="pratt")
    found = (wilcoxon_signed_rank(x, y, p="exact"), pratt, wilcoxon_signed_rank(x, y, p="asymptotic"))
    return [rejects(each.p) for each in found]


def _rank_sums(random: np.random.Generator) -> list[float]:
    return [rejects(wilcoxon_rank_sum(random.normal(size=6), random.normal(size=8)).p)]


def _tied_samples(random: np.random.Generator) -> list[float]:
    x, y = random.integers(1, 6, size=12), random.integers(1, 6, size=15)
    return [rejects(wilcoxon_rank_sum(x, y, p=how).p) for how in ("exact", "asymptotic")]


def _blocks(random: np.random.Generator) -> list[float]:
    ratings = random.normal(size=(_BLOCKS, _TREATMENTS))
    of_blocks, w, conover = friedman(ratings), kendall_w(ratings), conover_friedman(ratings)
    found = [of_blocks.p, of_blocks.f_p, w.p, w.f_p]
    return [*map(rejects, found), rejects_any(pair.p for pair in conover.pairs)]


def _nemenyi(random: np.random.Generator) -> list[float]:
    return [rejects_any(pair.p for pair in nemenyi(random.normal(size=(_BLOCKS, _TREATMENTS))).pairs)]


def _tied_blocks(random: np.random.Generator) -> list[float]:
    ratings = random.integers(1, 6, size=(20, _TREATMENTS))
    of_blocks, conover = friedman(ratings), conover_friedman(ratings)
    found = [of_blocks.p, of_blocks.f_p, kendall_w(ratings).f_p]
    return [*map(rejects, found), rejects_any(pair.p for pair in conover.pairs)]


def _groups(random: np.random.Generator) -> list[float]:
    values, groups = random.normal(size=18), np.repeat(["a", "b", "c"], _SIZES)
    pairs = conover_kruskal_wallis(values, groups).pairs
    return [rejects(kruskal_wallis(values, groups).p), rejects_any(pair.p for pair in pairs)]


def _tied_groups(random: np.random.Generator) -> list[float]:
    values, groups = random.integers(1, 6, size=60), np.repeat(["a", "b", "c"], 20)
    pairs = conover_kruskal_wallis(values, groups).pairs
    return [rejects(kruskal_wallis(values, groups).p), rejects_any(pair.p for pair in pairs)]
