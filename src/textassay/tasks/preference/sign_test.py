"""The sign test: how many lie on one side, how many on the other, and whether chance would do that."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.results import Record
from textassay.stats.samples import check_share, finite_vector
from textassay.stats.statistic import Statistic

_TIE_DIGITS = 9
"""Means are compared to so many decimals, so that rounding does not break ties."""


@dataclass(frozen=True, kw_only=True)
class SignTest(Statistic):
    """How many values lie below and above 0."""

    below: int
    ties: int
    """Values of 0, which the test leaves out."""
    above: int
    share: float
    """Of those above, among those that are not tied."""
    ci: tuple[float, float]
    """Exact interval of the share (Clopper & Pearson)."""
    p: float
    """Exact two-sided p."""
    p_adjusted: float
    """The same, corrected for all tests made together."""

    def records(self) -> list[Record]:
        """One record; its p is the corrected one."""
        n = self.below + self.above
        return [
            self.record(
                "share above 0",
                self.share,
                p=self.p_adjusted,
                ci=self.ci,
                n=n,
                p_uncorrected=self.p,
                below=self.below,
                ties=self.ties,
                above=self.above,
            )
        ]


def sign_test(values: npt.ArrayLike, *, confidence: float = 0.95) -> SignTest:
    """Exact two-sided sign test of independent values (Arbuthnott 1710; Dixon & Mood 1946).

    Without a difference, of n values that are not 0 the number above is binomial with n and 1/2. Values of 0 are left
    out and counted.

    R: `binom.test(sum(values > 0), sum(values != 0))`.

    Example:
        >>> result = sign_test([1, 2, 3, 4, 5, -1, 0])
        >>> result.below, result.ties, result.above, result.p  # 2 · (C(6, 0) + C(6, 1)) / 2⁶
        (1, 1, 5, 0.21875)

    Raises:
        DataError: a value is missing or infinite.
    """
    from scipy.stats import binomtest  # noqa: PLC0415 -- slow to load

    check_share("confidence", confidence)
    vector = np.round(finite_vector(values, "values"), _TIE_DIGITS)
    below, above = int(np.count_nonzero(vector < 0)), int(np.count_nonzero(vector > 0))
    n = below + above
    share, ci, p = math.nan, (math.nan, math.nan), math.nan
    if n:
        found = binomtest(above, n)
        interval = found.proportion_ci(confidence, method="exact")
        share, ci, p = above / n, (float(interval.low), float(interval.high)), float(found.pvalue)
    return SignTest(
        method="sign test, exact",
        settings={"sides": 2, "ties": "left out", "confidence": confidence, "n": n},
        warnings=() if n else ("the sign test is undefined: all values are 0, or there are none",),
        below=below,
        ties=vector.size - n,
        above=above,
        share=share,
        ci=ci,
        p=p,
        p_adjusted=p,
    )
