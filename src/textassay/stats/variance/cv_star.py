"""CV*: how precisely several measurements of the same thing agree."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.samples import check_share, finite_vector
from textassay.stats.statistic import Statistic
from textassay.stats.variance.t_test import one_sample_t


@dataclass(frozen=True, kw_only=True)
class CvStar(Statistic):
    """The coefficient of variation of a few measurements, corrected for their small number."""

    cv: float
    """CV*, in per cent of the mean; 0 where all measurements are the same."""
    ci: tuple[float, float]
    """Of the coefficient of variation, in per cent; the upper limit may be infinite."""
    mean: float
    """From where the scale begins."""
    sd: float
    """Standard deviation without its bias for small samples: s / c₄."""
    n: int

    def records(self) -> list[Record]:
        """One record."""
        return [self.record("CV*", self.cv, ci=self.ci, n=self.n, mean=self.mean, sd=self.sd)]


def cv_star(values: npt.ArrayLike, *, begins: float = 0.0, confidence: float = 0.95) -> CvStar:
    """The coefficient of variation of repeated measurements, corrected for small samples.

    Purpose: say how well an evaluation was reproduced: the same score measured again, in two or more runs.

    CV* = (1 + 1/(4n)) · 100 · (s / c₄(n)) / x̄ with c₄(n) = √(2/(n-1)) Γ(n/2) / Γ((n-1)/2), after Belz (2022). It needs
    a scale that begins at 0, so a scale that begins elsewhere is moved there. The interval is that of 100 · σ/μ: x̄√n/s
    has a noncentral t distribution. With two runs it is very wide, and its upper limit may be infinite.

    R: `(1 + 1/(4*n)) * 100 * sd(x) / (sqrt(2/(n-1)) * gamma(n/2) / gamma((n-1)/2)) / mean(x)`; `MBESS::ci.cv`.

    Example:
        >>> result = cv_star([30.65, 30.65, 29.13, 30.65, 29.96])
        >>> round(result.cv, 4), [round(end, 2) for end in result.ci]
        (2.4872, [1.33, 6.4])

    Args:
        values: The score in each run.
        begins: The least value of the scale, such as 1 for ratings from 1 to 7.
        confidence: Of the interval.

    Raises:
        DataError: a value is missing or infinite, fewer than two values, or a mean that is not above the beginning.
    """
    check_share("confidence", confidence)
    moved = finite_vector(values, "values") - begins
    n = moved.size
    if n < 2:
        raise DataError(f"CV* needs two measurements or more; got {n}")
    mean = float(moved.mean())
    if mean <= 0:
        raise DataError(
            f"CV* is a share of the mean, which must be above 0; from {begins:g} on it is {mean:g}: say in 'begins' "
            "where the scale begins"
        )
    s = float(np.std(moved, ddof=1)) if np.ptp(moved) > 0 else 0.0
    sd = s / (math.sqrt(2 / (n - 1)) * math.exp(math.lgamma(n / 2) - math.lgamma((n - 1) / 2)))
    return CvStar(
        method="CV*",
        settings={"begins": begins, "confidence": confidence, "n": n},
        warnings=_warnings(n, s),
        cv=(1 + 1 / (4 * n)) * 100 * sd / mean,
        ci=_interval(moved, s, confidence),
        mean=mean,
        sd=sd,
        n=n,
    )


def _interval(moved: npt.NDArray[np.float64], s: float, confidence: float) -> tuple[float, float]:
    if s == 0:
        return math.nan, math.nan
    low, high = one_sample_t(moved, confidence=confidence).d_ci  # of μ/σ
    return 100 / high, 100 / low if low > 0 else math.inf


def _warnings(n: int, s: float) -> tuple[str, ...]:
    if s == 0:
        return ("all measurements are the same, so CV* has no interval",)
    return ("two measurements tell next to nothing of their spread: read the interval",) if n == 2 else ()
