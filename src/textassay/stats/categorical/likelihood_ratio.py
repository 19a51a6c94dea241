"""Two nested models compared by their likelihoods."""

from __future__ import annotations

import math
from dataclasses import dataclass

from textassay.results import Record
from textassay.stats.distributions import chi2_upper
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class LikelihoodRatio(Statistic):
    """χ² = 2 (log L of the larger model - log L of the smaller), on as many degrees of freedom as parameters differ.

    Wilks (1938). A variance that the smaller model sets to 0 lies on the edge of what is possible; there the p is too
    large, up to twice (Self & Liang 1987), and the warnings say so.
    """

    chi2: float
    df: int
    p: float
    logliks: tuple[float, float]
    """Of the smaller and of the larger model."""
    n: int

    def records(self) -> list[Record]:
        """One record."""
        smaller, larger = self.logliks
        return [
            self.record(
                "likelihood ratio χ²", self.chi2, df=self.df, p=self.p, n=self.n, loglik=larger, loglik_smaller=smaller
            )
        ]


def ratio_chi2(smaller: float, larger: float, df: int) -> tuple[float, float]:
    """χ² and p from two log-likelihoods; rounding never makes χ² negative.

    >>> chi2, p = ratio_chi2(-12.0, -10.0, 1)
    >>> chi2, round(p, 4)
    (4.0, 0.0455)
    """
    chi2 = 2 * (larger - smaller)
    if -1e-6 * max(1.0, abs(larger)) < chi2 < 0:
        chi2 = 0.0
    return chi2, chi2_upper(chi2, df) if df > 0 and chi2 >= 0 else math.nan
