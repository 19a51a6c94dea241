"""The sign test: how many lie on one side of 0, how many on the other, and whether chance would do that."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.results import Record
from textassay.stats.distributions import Alternative, check_alternative, p_of_tails
from textassay.stats.samples import check_share, finite_vector
from textassay.stats.statistic import Statistic


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
    """Exact two-sided interval of the share (Clopper & Pearson)."""
    p: float
    """Exact."""

    @property
    def n(self) -> int:
        """Values that are not tied."""
        return self.below + self.above

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                "share above 0",
                self.share,
                p=self.p,
                ci=self.ci,
                n=self.n,
                below=self.below,
                ties=self.ties,
                above=self.above,
            )
        ]


def sign_test(
    values: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
    tolerance: float = 1e-9,
) -> SignTest:
    """Exact sign test of independent values, for example the differences of pairs.

    Purpose: find out whether one of two systems is preferred more often, whatever the size of the differences.

    Without a difference, of n values that are not 0 the number above is binomial: P(K = k) = C(n, k) / 2ⁿ (Arbuthnott
    1710; Dixon & Mood 1946). Values of 0 are excluded and counted. The interval is that of Clopper & Pearson (1934).

    R: `binom.test(sum(values > 0), sum(values != 0))`.

    Example:
        >>> result = sign_test([1, 2, 3, 4, 5, -1, 0])
        >>> result.below, result.ties, result.above, round(result.p, 5)  # 2 · (C(6, 0) + C(6, 1)) / 2⁶
        (1, 1, 5, 0.21875)

    Args:
        values: One number per independent unit, for example a participant's mean.
        alternative: `greater`: most values lie above 0.
        confidence: Of the interval, which is two-sided in any case.
        tolerance: Values this close to 0 count as 0, so that the rounding of means does not break ties.

    Raises:
        DataError: a value is missing or infinite.
        UsageError: a setting is out of range.
    """
    if not tolerance >= 0:
        raise UsageError(f"tolerance must be 0 or more, got {tolerance}")
    vector = finite_vector(values, "values")
    below = int(np.count_nonzero(vector < -tolerance))
    above = int(np.count_nonzero(vector > tolerance))
    return sign_test_of(below, vector.size - below - above, above, alternative=alternative, confidence=confidence)


def sign_test_of(
    below: int, ties: int, above: int, *, alternative: Alternative = "two-sided", confidence: float = 0.95
) -> SignTest:
    """The sign test of values that are counted already.

    >>> sign_test_of(1, 1, 5).share
    0.8333333333333334

    Raises:
        DataError: a count is below 0.
        UsageError: a setting is out of range.
    """
    check_share("confidence", confidence)
    check_alternative(alternative)
    if min(below, ties, above) < 0:
        raise DataError(f"counts cannot be negative, got {below} below, {ties} tied, {above} above")
    n = below + above
    return SignTest(
        method="sign test, exact",
        settings={"alternative": alternative, "ties": "left out", "confidence": confidence, "n": n},
        warnings=() if n else ("the sign test is undefined: all values are 0, or there are none",),
        below=below,
        ties=ties,
        above=above,
        share=above / n if n else math.nan,
        ci=clopper_pearson(above, n, confidence),
        p=_p(above, n, alternative),
    )


def _p(above: int, n: int, alternative: Alternative) -> float:
    from scipy.special import bdtr  # noqa: PLC0415 -- slow to load

    if not n:
        return math.nan
    # P(K ≥ k) = P(K ≤ n-k), which keeps the digits that 1 - P(K < k) would lose.
    return p_of_tails(float(bdtr(above, n, 0.5)), float(bdtr(n - above, n, 0.5)), alternative)


def clopper_pearson(successes: int, n: int, confidence: float) -> tuple[float, float]:
    """Exact interval of a share: those shares under which neither tail is below (1 - confidence)/2.

    >>> [round(end, 4) for end in clopper_pearson(5, 6, 0.95)]
    [0.3588, 0.9958]
    """
    from scipy.special import betaincinv  # noqa: PLC0415 -- slow to load

    if not n:
        return math.nan, math.nan
    tail = (1 - confidence) / 2
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return low, high
