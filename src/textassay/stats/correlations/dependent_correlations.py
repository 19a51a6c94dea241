"""Two correlations that share a variable compared: tests (Steiger, Meng, Hittner, Williams) and Zou's interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real

from textassay.errors import DataError
from textassay.results import Record
from textassay.stats.distributions import Alternative, check_alternative, normal_p, normal_quantile, student_p
from textassay.stats.samples import check_share
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class DependentCorrelations(Statistic):
    """Whether two correlations with the same variable differ."""

    r12: float
    r13: float
    r23: float
    statistic: str
    """`t` or `z`."""
    value: float
    df: int | None
    """Degrees of freedom of t."""
    p: float
    n: int
    """Observations."""

    @property
    def difference(self) -> float:
        """The first correlation less the second."""
        return self.r12 - self.r13

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                self.statistic,
                self.value,
                df=self.df,
                p=self.p,
                n=self.n,
                difference=self.difference,
                r12=self.r12,
                r13=self.r13,
                r23=self.r23,
            )
        ]


def steiger(
    r12: float, r13: float, r23: float, n: int, *, alternative: Alternative = "two-sided"
) -> DependentCorrelations:
    """Steiger's z: do variables 2 and 3 correlate with variable 1 to the same degree?

    Purpose: find out whether one of two metrics correlates more closely with the same human scores.

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


def meng(
    r12: float, r13: float, r23: float, n: int, *, alternative: Alternative = "two-sided"
) -> DependentCorrelations:
    """Meng, Rosenthal & Rubin's z: do variables 2 and 3 correlate with variable 1 to the same degree?

    Purpose: find out whether one of two metrics correlates more closely with the same human scores.

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


def hittner(
    r12: float, r13: float, r23: float, n: int, *, alternative: Alternative = "two-sided"
) -> DependentCorrelations:
    """Hittner, May & Silver's z: Steiger's with the mean of the two correlations taken over their Fisher z.

    Purpose: find out whether one of two metrics correlates more closely with the same human scores.

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


def williams(
    r12: float, r13: float, r23: float, n: int, *, alternative: Alternative = "two-sided"
) -> DependentCorrelations:
    """Williams's test: do variables 2 and 3 correlate with variable 1 to the same degree?

    Purpose: find out whether one of two metrics correlates more closely with the same human scores; the usual test for
    it.

    t = (r12 - r13) √((n-1)(1 + r23) / (2 (n-1)/(n-3) |R| + r̄²(1 - r23)³)) on n-3 degrees of freedom, with r̄ the mean of
    r12 and r13 and |R| = 1 - r12² - r13² - r23² + 2 r12 r13 r23 (Williams 1959; Steiger 1980). The usual test of two
    metrics against the same human scores.

    R: `psych::r.test(n = n, r12 = r12, r13 = r13, r23 = r23)`, or
    `cocor::cocor.dep.groups.overlap(r12, r13, r23, n, test = "williams1959")`.

    Example:
        >>> result = williams(0.80, 0.65, 0.55, 20)
        >>> round(result.value, 4), result.df, round(result.p, 4)
        (1.1392, 17, 0.2704)

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
    check_alternative(alternative)
    triple = read_triple(r12, r13, r23, n)
    t, reason = math.nan, ""
    if n < 4:
        reason = f"the comparison is undefined: it needs at least 4 observations, got {n}"
    elif triple.r23 == 1:
        reason = "the comparison is undefined: the two variables are the same (r23 = 1)"
    else:
        mean = (triple.r12 + triple.r13) / 2
        spread = 2 * (n - 1) / (n - 3) * max(triple.determinant, 0.0) + mean**2 * (1 - triple.r23) ** 3
        if spread > 0:
            t = (triple.r12 - triple.r13) * math.sqrt((n - 1) * (1 + triple.r23) / spread)
        else:
            reason = "the comparison is undefined: the error cannot be estimated"
    return DependentCorrelations(
        method="Williams's test",
        settings={"alternative": alternative, "n": n},
        warnings=(reason,) if reason else (),
        r12=triple.r12,
        r13=triple.r13,
        r23=triple.r23,
        statistic="t",
        value=t,
        df=max(n - 3, 0),
        p=student_p(t, n - 3, alternative),
        n=n,
    )


@dataclass(frozen=True, kw_only=True)
class ZouInterval(Statistic):
    """How far two correlations with the same variable differ."""

    r12: float
    r13: float
    r23: float
    difference: float
    """The first correlation less the second."""
    ci: tuple[float, float]
    n: int
    """Observations."""

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                "difference of correlations",
                self.difference,
                ci=self.ci,
                n=self.n,
                r12=self.r12,
                r13=self.r13,
                r23=self.r23,
            )
        ]


def zou(r12: float, r13: float, r23: float, n: int, *, confidence: float = 0.95) -> ZouInterval:
    """Zou's interval for the difference of two correlations that share variable 1.

    Purpose: say by how much two metrics differ in their correlation with the same human scores.

    With Fisher's intervals (l₁, u₁) of r12 and (l₂, u₂) of r13 and the correlation c of the two estimates:
    low = r12 - r13 - √((r12-l₁)² + (u₂-r13)² - 2c(r12-l₁)(u₂-r13)), and high likewise with the other ends; c =
    ((r23 - r12 r13/2)(1 - r12² - r13² - r23²) + r23³) / ((1-r12²)(1-r13²)) (Zou 2007). Without 0 in it the two differ.

    R: `cocor::cocor.dep.groups.overlap(r12, r13, r23, n, test = "zou2007")`.

    Example:
        >>> [round(end, 4) for end in zou(0.80, 0.65, 0.55, 20).ci]
        [-0.1178, 0.4935]

    Args:
        r12: The first correlation, for example of a metric with human scores.
        r13: The second, of another metric with the same scores.
        r23: Of the two metrics with each other.
        n: Observations, the same for all three.
        confidence: Of the interval.

    Raises:
        DataError: not correlations of three variables on the same observations.
        UsageError: the confidence is out of range.
    """
    check_share("confidence", confidence)
    triple = read_triple(r12, r13, r23, n)
    return ZouInterval(
        method="Zou's interval for the difference of dependent correlations",
        settings={"confidence": confidence, "n": n},
        warnings=(triple.undefined,) if triple.undefined else (),
        r12=triple.r12,
        r13=triple.r13,
        r23=triple.r23,
        difference=triple.r12 - triple.r13,
        ci=(math.nan, math.nan) if triple.undefined else _interval(triple, confidence),
        n=n,
    )


@dataclass(frozen=True)
class Triple:
    """Three correlations that can be those of three variables."""

    r12: float
    r13: float
    r23: float
    n: int

    @property
    def determinant(self) -> float:
        """Of the matrix of correlations."""
        r12, r13, r23 = self.r12, self.r13, self.r23
        return 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23

    @property
    def undefined(self) -> str:
        """Why they cannot be compared by Fisher's z; empty where they can."""
        if self.n < 4:
            return f"the comparison is undefined: it needs at least 4 observations, got {self.n}"
        if max(abs(self.r12), abs(self.r13)) == 1:
            return "the comparison is undefined: a perfect correlation has no Fisher z"
        if self.r23 == 1:
            return "the comparison is undefined: the two variables are the same (r23 = 1)"
        return ""


def read_triple(r12: float, r13: float, r23: float, n: int) -> Triple:
    """The three correlations, checked.

    Raises:
        DataError: not correlations, not of the same three variables, or n is not a whole number.
    """
    for name, r in (("r12", r12), ("r13", r13), ("r23", r23)):
        if not (_is_number(r) and -1 <= r <= 1):
            raise DataError(f"{name} must be a correlation between -1 and 1, got {r!r}")
    if not _is_number(n, whole=True) or n < 0:
        raise DataError(f"n must be the number of observations, a whole number, got {n!r}")
    triple = Triple(float(r12), float(r13), float(r23), int(n))
    if triple.determinant < -1e-9:
        raise DataError(
            f"no three variables have the correlations {r12:g}, {r13:g} and {r23:g}; "
            "compute all three on the same observations"
        )
    return triple


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
        reason = "the comparison is undefined: the error cannot be estimated"
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


def _is_number(value: object, *, whole: bool = False) -> bool:
    """Whether it is one, NumPy's included."""
    return isinstance(value, Integral if whole else Real)


def covariance(r12: float, r13: float, r23: float) -> float:
    """The correlation of the Fisher z of two correlations that share a variable (Pearson & Filon 1898).

    >>> round(covariance(0.0, 0.0, 0.4), 4)  # without correlation with the first, that of the other two
    0.4
    """
    ratio = r23 * (1 - r12**2 - r13**2) - 0.5 * r12 * r13 * (1 - r12**2 - r13**2 - r23**2)
    return ratio / ((1 - r12**2) * (1 - r13**2))


def fisher_mean(first: float, second: float) -> float:
    """The mean of two correlations, taken over their Fisher z."""
    return math.tanh((math.atanh(first) + math.atanh(second)) / 2)


def _interval(triple: Triple, confidence: float) -> tuple[float, float]:
    r12, r13, r23 = triple.r12, triple.r13, triple.r23
    half = normal_quantile((1 + confidence) / 2) / math.sqrt(triple.n - 3)
    (low1, high1), (low2, high2) = (
        (math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)) for r in (r12, r13)
    )
    c = ((r23 - r12 * r13 / 2) * (1 - r12**2 - r13**2 - r23**2) + r23**3) / ((1 - r12**2) * (1 - r13**2))
    return r12 - r13 - _joint(r12 - low1, high2 - r13, c), r12 - r13 + _joint(high1 - r12, r13 - low2, c)


def _joint(one: float, other: float, c: float) -> float:
    """The length of the difference of two errors that correlate by c; rounding may carry it below 0."""
    return math.sqrt(max(one**2 + other**2 - 2 * c * one * other, 0.0))
