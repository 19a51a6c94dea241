"""A mean with its confidence interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from textassay.results import Record
from textassay.stats.distributions import t_quantile
from textassay.stats.samples import check_share, finite_vector
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class MeanInterval(Statistic):
    """The mean of a sample and how well it is known."""

    mean: float
    sd: float
    """Standard deviation of the sample (divisor n-1)."""
    se: float
    """Standard error of the mean."""
    ci: tuple[float, float]
    n: int
    least: float = field(default=math.nan, repr=False)
    most: float = field(default=math.nan, repr=False)
    """The outermost values."""

    def records(self) -> list[Record]:
        """One record."""
        df = self.n - 1 if self.n > 1 else None
        return [self.record("mean", self.mean, df=df, ci=self.ci, n=self.n, sd=self.sd, se=self.se)]


Bounds = tuple[float, float]
NO_BOUNDS: Bounds = (-math.inf, math.inf)


def cut_interval(ends: tuple[float, float], bounds: Bounds) -> tuple[float, float]:
    """The part of an interval that lies within the bounds of what it is about, which costs it no coverage.

    >>> cut_interval((-0.07, 0.4), (0, 1)), cut_interval((math.nan, math.nan), (0, 1))
    ((0.0, 0.4), (nan, nan))
    """
    low, high = ends
    # comparisons with nan are false, so that an undefined end stays so
    return float(bounds[0] if low < bounds[0] else low), float(bounds[1] if high > bounds[1] else high)


def mean_interval(values: npt.ArrayLike, *, confidence: float = 0.95, bounds: Bounds = NO_BOUNDS) -> MeanInterval:
    """The mean of a sample with Student's t interval.

    Purpose: report a mean with its uncertainty.

    x̄ ± t · s/√n, t the quantile of Student's distribution (1908) on n-1 degrees of freedom at (1 + confidence)/2. It
    takes the values as independent of each other. Of a bounded measure, such as a share, the interval ends where the
    measure does.

    R: `t.test(values, conf.level = confidence)`.

    Example:
        >>> result = mean_interval([1, 2, 3, 4, 5])
        >>> round(result.mean, 4), round(result.sd, 4), [round(end, 4) for end in result.ci]  # t = 2.7764, s/√n = .7071
        (3.0, 1.5811, [1.0368, 4.9632])

    Raises:
        DataError: a value is missing or infinite.
    """
    check_share("confidence", confidence)
    vector = finite_vector(values, "values")
    n = vector.size
    mean = float(np.mean(vector)) if n else math.nan
    sd = se = half = math.nan
    if n > 1:
        sd = float(np.std(vector, ddof=1)) if np.any(vector != vector[0]) else 0.0
        se = sd / math.sqrt(n)
        half = t_quantile((1 + confidence) / 2, n - 1) * se
    bounded = {} if bounds == NO_BOUNDS else {"bounds": f"{bounds[0]:g} to {bounds[1]:g}"}
    warnings = {0: ("the mean is undefined: there are no values",), 1: ("one value only: it has no interval",)}
    return MeanInterval(
        method="mean with t interval",
        settings={"confidence": confidence, **bounded, "n": n},
        warnings=warnings.get(n, ()),
        mean=mean,
        sd=sd,
        se=se,
        ci=cut_interval((mean - half, mean + half), bounds),
        n=n,
        least=float(vector.min()) if n else math.nan,
        most=float(vector.max()) if n else math.nan,
    )
