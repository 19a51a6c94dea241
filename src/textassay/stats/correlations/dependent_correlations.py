"""Two correlations that share a variable compared by Fisher's z: Steiger, Meng and Hittner."""

from __future__ import annotations

import math

from textassay.stats.correlations.correlation_triple import (
    DependentCorrelations,
    Triple,
    covariance,
    fisher_mean,
    read_triple,
)
from textassay.stats.tails import Alternative, check_alternative, normal_p


def steiger(
    r12: float, r13: float, r23: float, n: int, *, alternative: Alternative = "two-sided"
) -> DependentCorrelations:
    """Steiger's z: do variables 2 and 3 correlate with variable 1 to the same degree?

    z = (artanh r12 - artanh r13) √((n-3) / (2 - 2c)), where c is the correlation of the two Fisher z, computed with
    the mean of r12 and r13 in place of both (Dunn & Clark 1969; Steiger 1980).

    R: `cocor::cocor.dep.groups.overlap(r12, r13, r23, n, test = "steiger1980")`.

    Example:
        >>> result = steiger(0.80, 0.65, 0.55, 20)
        >>> round(result.value, 4), round(result.p, 4)
        (1.117, 0.264)

    Args:
        r12: The first correlation, for example of a metric with human scores.
        r13: The second, of another metric with the same scores.
        r23: Of the two metrics with each other.
        n: Observations, the same for all three.
        alternative: `greater`: r12 is larger.

    Raises:
        DataError: not correlations of three variables on the same observations.
        UsageError: an unknown alternative.
    """
    triple = read_triple(r12, r13, r23, n)
    mean = (triple.r12 + triple.r13) / 2
    return _compared("Steiger's z", triple, alternative, _dunn_clark(triple, mean))


def hittner(
    r12: float, r13: float, r23: float, n: int, *, alternative: Alternative = "two-sided"
) -> DependentCorrelations:
    """Hittner, May & Silver's z: Steiger's with the mean of the two correlations taken over their Fisher z.

    z = (artanh r12 - artanh r13) √((n-3) / (2 - 2c)), where c is the correlation of the two Fisher z, computed with
    tanh of the mean of artanh r12 and artanh r13 in place of both (Hittner, May & Silver 2003).

    R: `cocor::cocor.dep.groups.overlap(r12, r13, r23, n, test = "hittner2003")`.

    Example:
        >>> result = hittner(0.80, 0.65, 0.55, 20)
        >>> round(result.value, 4), round(result.p, 4)
        (1.1116, 0.2663)

    Args:
        r12: The first correlation, for example of a metric with human scores.
        r13: The second, of another metric with the same scores.
        r23: Of the two metrics with each other.
        n: Observations, the same for all three.
        alternative: `greater`: r12 is larger.

    Raises:
        DataError: not correlations of three variables on the same observations.
        UsageError: an unknown alternative.
    """
    triple = read_triple(r12, r13, r23, n)
    factor = math.nan if triple.undefined else _dunn_clark(triple, fisher_mean(triple.r12, triple.r13))
    return _compared("Hittner, May & Silver's z", triple, alternative, factor)


def meng(
    r12: float, r13: float, r23: float, n: int, *, alternative: Alternative = "two-sided"
) -> DependentCorrelations:
    """Meng, Rosenthal & Rubin's z: do variables 2 and 3 correlate with variable 1 to the same degree?

    z = (artanh r12 - artanh r13) √((n-3) / (2(1 - r23)h)), h = (1 - f m) / (1 - m), where m is the mean of r12² and
    r13² and f = (1 - r23) / (2(1 - m)), at most 1 (Meng, Rosenthal & Rubin 1992).

    R: `cocor::cocor.dep.groups.overlap(r12, r13, r23, n, test = "meng1992")`.

    Example:
        >>> result = meng(0.80, 0.65, 0.55, 20)
        >>> round(result.value, 4), round(result.p, 4)
        (1.1146, 0.265)

    Args:
        r12: The first correlation, for example of a metric with human scores.
        r13: The second, of another metric with the same scores.
        r23: Of the two metrics with each other.
        n: Observations, the same for all three.
        alternative: `greater`: r12 is larger.

    Raises:
        DataError: not correlations of three variables on the same observations.
        UsageError: an unknown alternative.
    """
    triple = read_triple(r12, r13, r23, n)
    factor = math.nan
    if not triple.undefined:
        square = (triple.r12**2 + triple.r13**2) / 2
        f = min((1 - triple.r23) / (2 * (1 - square)), 1.0)
        h = (1 - f * square) / (1 - square)
        factor = math.sqrt((n - 3) / (2 * (1 - triple.r23) * h))
    return _compared("Meng, Rosenthal & Rubin's z", triple, alternative, factor)


def _dunn_clark(triple: Triple, mean: float) -> float:
    """What the difference of the Fisher z is multiplied by, with one correlation in place of both."""
    if triple.undefined:
        return math.nan
    spread = 2 - 2 * covariance(mean, mean, triple.r23)
    return math.sqrt((triple.n - 3) / spread) if spread > 0 else math.nan


def _compared(method: str, triple: Triple, alternative: Alternative, factor: float) -> DependentCorrelations:
    check_alternative(alternative)
    reason = triple.undefined
    if not reason and math.isnan(factor):
        reason = "the comparison is undefined: nothing is left to measure error by"
    z = math.nan if reason else (math.atanh(triple.r12) - math.atanh(triple.r13)) * factor
    return DependentCorrelations(
        method=method,
        settings={"alternative": alternative, "n": triple.n},
        warnings=(reason,) if reason else (),
        r12=triple.r12,
        r13=triple.r13,
        r23=triple.r23,
        statistic="z",
        value=z,
        df=None,
        p=normal_p(z, alternative),
        n=triple.n,
    )
