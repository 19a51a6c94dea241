"""Kendall's tau of two lists of values: tau-a, -b and -c, with exact p where n allows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy.typing as npt

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.correlations.pair_counts import (
    EXACT_LIMIT,
    PairCounts,
    count_pairs,
    exact_tails,
    permutation_tails,
    s_variance,
)
from textassay.stats.correlations.variable_pair import PERMUTATION_LIMIT, VariablePair, read_pair
from textassay.stats.distributions import ExactP, check_choice, how_p, normal_p, normal_quantile, p_of_tails
from textassay.stats.samples import check_share
from textassay.stats.statistic import Statistic

Variant = Literal["a", "b", "c"]
"""How ties are reckoned with: not at all, for square tables, for tables of any shape."""


@dataclass(frozen=True, kw_only=True)
class KendallTau(Statistic):
    """Kendall's rank correlation of two variables."""

    variant: Variant
    tau: float
    p: float
    """Two-sided; of S, so that it is the same for all variants."""
    z: float
    """Of the normal approximation; nan where p is exact."""
    ci: tuple[float, float]
    n: int
    """Pairs of values used."""
    exact: bool
    """Whether p comes from counting all orders and not from an approximation."""
    counts: PairCounts | None
    """Concordant, discordant and tied pairs of observations, with gamma and Somers' d; None where undefined."""

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                f"tau-{self.variant}",
                self.tau,
                p=self.p,
                ci=self.ci,
                n=self.n,
                exact=self.exact,
                z=self.z,
                gamma=self.counts.gamma if self.counts else math.nan,
                somers_d=self.counts.somers_d if self.counts else math.nan,
            )
        ]


def kendall_tau(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    variant: Variant = "b",
    confidence: float = 0.95,
    p: ExactP = "auto",
    continuity: bool = False,
) -> KendallTau:
    """Kendall's tau of two lists of numbers.

    Purpose: measure how far two lists put the same things in the same order.

    S = concordant less discordant pairs of observations, out of n₀ = n(n-1)/2. tau-a = S/n₀; tau-b =
    S/√((n₀ - ties on x)(n₀ - ties on y)); tau-c = 2mS/(n²(m-1)) with m the smaller number of different values
    (Kendall 1938, 1945; Stuart 1953). Two-sided p of S: without ties counted over all n! orders up to n = 170, with
    ties up to n = 9; otherwise z = S/√var(S), the variance corrected for ties (Kendall 1970). Interval
    tanh(artanh tau ± z √(0.437/(n-4))) (Fieller, Hartley & Pearson 1957), rough where there are many ties.

    R: `cor.test(x, y, method = "kendall")`, which is exact without ties below n = 50 and never with ties. Both leave
    the continuity correction off.

    Example:
        >>> result = kendall_tau([1, 2, 3, 4], [1, 3, 2, 4])
        >>> round(result.tau, 4), round(result.p, 4), result.exact  # 5 of 6 pairs agree; 4 of 4! orders do as well
        (0.6667, 0.3333, True)
        >>> kendall_tau([1, 2, 3], [10, 20, 40]).p == 1 / 3  # 2 of the 3! orders are as extreme
        True

    Args:
        x: One number per observation.
        y: The other number of the same observation.
        variant: Which tau.
        confidence: Of the interval.
        p: Exact where n allows, exact or refused, or asymptotic.
        continuity: Whether the asymptotic form moves S by 1 towards 0.

    Raises:
        DataError: unequal lengths, missing or infinite values, or too many values for `exact`.
        UsageError: an unknown setting.
    """
    check_share("confidence", confidence)
    check_choice("variant", variant, get_args(Variant))
    check_choice("p", p, get_args(ExactP))
    pair = read_pair(x, y)
    if pair.undefined:
        return _result(variant, math.nan, pair, _TauTest(math.nan), confidence)
    counts = count_pairs(pair.x, pair.y)
    tau = {"a": counts.tau_a, "b": counts.tau_b, "c": counts.tau_c}[variant]
    return _result(variant, tau, pair, _tested(pair, counts, p, continuity=continuity), confidence, counts)


@dataclass(frozen=True)
class _TauTest:
    """A p-value and where it comes from."""

    p: float
    z: float = math.nan
    how: str = "none"
    exact: bool = False


def _tested(pair: VariablePair, counts: PairCounts, p: ExactP, *, continuity: bool) -> _TauTest:
    tied = counts.tied_x + counts.tied_y > 0
    limit = PERMUTATION_LIMIT if tied else EXACT_LIMIT
    if p == "exact" and pair.n > limit:
        raise DataError(
            f"an exact p takes up to {limit} pairs {'with' if tied else 'without'} ties, got {pair.n}; use p='auto'"
        )
    if p != "asymptotic" and pair.n <= limit:
        tails = permutation_tails(pair.x, pair.y) if tied else exact_tails(counts)
        return _TauTest(p_of_tails(*tails, "two-sided"), how="exact permutation" if tied else "exact", exact=True)
    moved = math.copysign(max(abs(counts.s) - continuity, 0), counts.s)
    z = moved / math.sqrt(s_variance(counts))
    return _TauTest(normal_p(z, "two-sided"), z, how_p(exact=False, continuity=continuity))


def _result(
    variant: Variant,
    tau: float,
    pair: VariablePair,
    test: _TauTest,
    confidence: float,
    counts: PairCounts | None = None,
) -> KendallTau:
    ci = fisher_interval(tau, pair.n, confidence)
    warnings = [pair.undefined] if pair.undefined else list(pair.warnings)
    if not pair.undefined and pair.n < 5:
        warnings.append(f"the interval is undefined: it needs at least 5 pairs, got {pair.n}")
    elif ci[0] == ci[1]:
        warnings.append("the correlation is perfect: its interval has no width and says nothing")
    return KendallTau(
        method="Kendall's rank correlation",
        settings={
            "variant": f"tau-{variant}",
            "p": test.how,
            "alternative": "two-sided",
            "n": pair.n,
            "ci": "Fieller-Hartley-Pearson",
            "confidence": confidence,
        },
        warnings=tuple(warnings),
        variant=variant,
        tau=tau,
        p=test.p,
        z=test.z,
        ci=ci,
        n=pair.n,
        exact=test.exact,
        counts=counts,
    )


def fisher_interval(tau: float, n: int, confidence: float) -> tuple[float, float]:
    """Fisher's interval with the variance that Fieller, Hartley & Pearson found for tau; nan below n = 5.

    >>> [round(end, 4) for end in fisher_interval(0.5, 30, 0.95)]
    [0.2869, 0.6659]
    """
    if n < 5 or math.isnan(tau):
        return math.nan, math.nan
    if abs(tau) >= 1:
        return tau, tau
    half = normal_quantile((1 + confidence) / 2) * math.sqrt(0.437 / (n - 4))
    return math.tanh(math.atanh(tau) - half), math.tanh(math.atanh(tau) + half)
