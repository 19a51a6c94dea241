"""Student's t: one sample, paired, and two samples (Welch or Student), with Cohen's d."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.distributions import t_quantile, t_upper
from textassay.stats.samples import Column, FloatArray, all_equal, check_share, finite_vector, same_length
from textassay.stats.statistic import Statistic
from textassay.stats.variance.cell_means import unaggregated
from textassay.stats.variance.welch import welch_df

Variances = Literal["unequal", "equal"]
"""`unequal`: Welch's test, which needs no equal variances; `equal`: Student's."""


@dataclass(frozen=True, kw_only=True)
class TTest(Statistic):
    """A mean, or a difference of two means, measured by its standard error."""

    t: float
    df: float
    p: float
    """Two-sided."""
    difference: float
    """The mean less the mean of the null hypothesis; of two samples the first less the second."""
    se: float
    ci: tuple[float, float]
    """Of the difference."""
    d: float
    """Cohen's d: the difference in standard deviations (of the differences where they are paired: d_z)."""
    d_ci: tuple[float, float]
    """From the noncentral t distribution."""
    n: int
    """Values, or pairs."""

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                "t",
                self.t,
                df=self.df,
                p=self.p,
                ci=self.ci,
                n=self.n,
                difference=self.difference,
                se=self.se,
                d=self.d,
                d_ci=self.d_ci,
            )
        ]


@dataclass(frozen=True)
class _Estimate:
    """The parts of a t statistic."""

    difference: float
    se: float
    df: float
    sd: float
    """What the difference is divided by to give d."""
    n: int
    undefined: str = ""


def one_sample_t(
    values: npt.ArrayLike, *, mean: float = 0.0, confidence: float = 0.95, subjects: Column | None = None
) -> TTest:
    """One-sample t test: is the mean of the population `mean`?

    Purpose: find out whether a mean differs from a fixed value, such as the middle of a scale.

    t = (x̄ - mean) / (s/√n) on n-1 degrees of freedom (Student 1908); d = (x̄ - mean) / s.

    R: `t.test(values, mu = mean)`.

    Example:
        >>> result = one_sample_t([1, 2, 3, 4, 5])
        >>> round(result.t, 4), result.df, round(result.p, 4), round(result.d, 4)  # 3 / (1.5811/√5)
        (4.2426, 4, 0.0132, 1.8974)

    Args:
        values: One number per subject.
        mean: That of the null hypothesis.
        confidence: Of both intervals.
        subjects: One label per value; a warning follows where one has several.

    Raises:
        DataError: a value is missing or infinite.
    """
    vector = finite_vector(values, "values")
    label = {"mean": mean, "d": "standard deviation of the sample"}
    found = _one_sample(vector, mean, "values")
    return _tested("one-sample t test", found, label, confidence, _repeats(subjects, found, "values"))


def paired_t(x: npt.ArrayLike, y: npt.ArrayLike, *, confidence: float = 0.95, subjects: Column | None = None) -> TTest:
    """Paired t test: do two measurements of the same subjects differ?

    Purpose: find out whether two systems differ in their means on the same items or for the same participants.

    With the differences x - y: t = mean / (s/√n) on n-1 degrees of freedom (Student 1908); d_z = mean / s.

    R: `t.test(x, y, paired = TRUE)`.

    Example:
        >>> result = paired_t([5, 6, 7, 9], [4, 6, 5, 6])
        >>> round(result.t, 4), result.df, round(result.p, 4)  # differences 1, 0, 2, 3: 1.5 / (1.291/√4)
        (2.3238, 3, 0.1027)

    Args:
        x: One number per subject.
        y: The other number of the same subject.
        confidence: Of both intervals.
        subjects: One label per pair; a warning follows where one has several.

    Raises:
        DataError: unequal lengths, or a value that is missing or infinite.
    """
    first, second = finite_vector(x, "x"), finite_vector(y, "y")
    same_length(("x", first), ("y", second))
    label = {"d": "d_z, standard deviation of the differences"}
    found = _one_sample(first - second, 0.0, "differences", first, second)
    return _tested("paired t test", found, label, confidence, _repeats(subjects, found, "pairs"))


def two_sample_t(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    variances: Variances = "unequal",
    confidence: float = 0.95,
    subjects: tuple[Column, Column] | None = None,
) -> TTest:
    """Two-sample t test: do two groups of different subjects differ?

    Purpose: find out whether two independent groups differ in their means.

    Welch (1947): t = (x̄ - ȳ) / √(s²x/m + s²y/n) on (s²x/m + s²y/n)² / ((s²x/m)²/(m-1) + (s²y/n)²/(n-1)) degrees of
    freedom, d = (x̄ - ȳ) / √((s²x + s²y)/2). With equal variances (Student 1908): the pooled standard deviation s in
    t = (x̄ - ȳ) / (s √(1/m + 1/n)) on m+n-2 degrees of freedom and in d.

    R: `t.test(x, y, var.equal = FALSE)`.

    Example:
        >>> result = two_sample_t([1, 2, 3, 4], [3, 4, 8])
        >>> round(result.t, 4), round(result.df, 4), round(result.p, 4)
        (-1.5076, 2.7202, 0.2378)

    Args:
        x: One number per subject of the first group.
        y: One number per subject of the second group.
        variances: `unequal` (Welch) or `equal` (Student).
        confidence: Of both intervals.
        subjects: One label per value of x, and one per value of y; a warning follows where one has several.

    Raises:
        DataError: a value is missing or infinite.
        UsageError: `variances` is something else.
    """
    check_choice("variances", variances, get_args(Variances))
    first, second = finite_vector(x, "x"), finite_vector(y, "y")
    equal = variances == "equal"
    label = {"variances": variances, "d": "pooled standard deviation" if equal else "root of the mean variance"}
    name = "Student's two-sample t test" if equal else "Welch's t test"
    repeats = () if subjects is None else _repeats_of_two(subjects, first, second)
    return _tested(name, _two_samples(first, second, equal=equal), label, confidence, repeats)


def _one_sample(values: FloatArray, mean: float, what: str, *made_of: FloatArray) -> _Estimate:
    n = values.size
    if n < 2:
        reason = f"it needs at least 2 {what}, got {n}"
        return _Estimate(float(values[0]) - mean if n else math.nan, math.nan, math.nan, math.nan, n, reason)
    difference = float(np.mean(values)) - mean
    if all_equal(values, *made_of):
        return _Estimate(float(values[0]) - mean, 0.0, n - 1, 0.0, n, f"the {what} do not vary (all {values[0]:g})")
    sd = float(np.std(values, ddof=1))
    return _Estimate(difference, sd / math.sqrt(n), n - 1, sd, n)


def _two_samples(x: FloatArray, y: FloatArray, *, equal: bool) -> _Estimate:
    m, n = x.size, y.size
    if m < 2 or n < 2:
        reason = f"each group needs at least 2 values, got {m} and {n}"
        means = [float(np.mean(group)) if group.size else math.nan for group in (x, y)]
        return _Estimate(means[0] - means[1], math.nan, math.nan, math.nan, m + n, reason)
    difference = float(np.mean(x) - np.mean(y))
    if all_equal(x) and all_equal(y):
        return _Estimate(difference, 0.0, m + n - 2, 0.0, m + n, "the values do not vary within the groups")
    first, second = (0.0 if all_equal(group) else float(np.var(group, ddof=1)) for group in (x, y))
    if equal:
        sd = math.sqrt(((m - 1) * first + (n - 1) * second) / (m + n - 2))
        return _Estimate(difference, sd * math.sqrt(1 / m + 1 / n), m + n - 2, sd, m + n)
    square = first / m + second / n
    df = welch_df(first / m, second / n, m, n)
    return _Estimate(difference, math.sqrt(square), df, math.sqrt((first + second) / 2), m + n)


def _repeats(subjects: Column | None, found: _Estimate, of: str) -> tuple[str, ...]:
    if subjects is not None and len(subjects) != found.n:
        raise DataError(f"the lengths must be equal: subjects has {len(subjects)}, there are {found.n} {of}")
    return unaggregated(subjects, test=f"t({found.df:g})", of=of)


def _repeats_of_two(subjects: tuple[Column, Column], x: FloatArray, y: FloatArray) -> tuple[str, ...]:
    same_length(("x", x), ("subjects of x", subjects[0]))
    same_length(("y", y), ("subjects of y", subjects[1]))
    return unaggregated([*subjects[0], *subjects[1]], ["x"] * x.size + ["y"] * y.size, test="t")


def _tested(method: str, found: _Estimate, label: dict[str, Any], confidence: float, repeats: tuple[str, ...]) -> TTest:
    check_share("confidence", confidence)
    warnings = [f"t is undefined: {found.undefined}"] if found.undefined else []
    t = math.nan if found.undefined else found.difference / found.se
    low, high = noncentrality_interval(t, found.df, confidence)
    if not found.undefined and math.isnan(low + high):
        warnings.append("the interval of d is undefined: t is too large for the noncentral distribution")
    scale = found.se / found.sd if t == t else math.nan  # noqa: PLR0124 -- nan
    half = t_quantile((1 + confidence) / 2, found.df) * found.se
    return TTest(
        method=method,
        settings={**label, "alternative": "two-sided", "confidence": confidence, "n": found.n},
        warnings=(*warnings, *repeats),
        t=t,
        df=found.df,
        p=2 * t_upper(abs(t), found.df),
        difference=found.difference,
        se=found.se,
        ci=(found.difference - half, found.difference + half),
        d=t * scale,
        d_ci=(low * scale, high * scale),
        n=found.n,
    )


_SMALLEST = 1e-40
"""A t nearer to 0 gives the ends of 0 to the last digit, and the distribution function has no values for some."""


def noncentrality_interval(t: float, df: float, confidence: float) -> tuple[float, float]:
    """The noncentralities under which t lies at the upper and at the lower end of what is expected.

    The ends δ with P(T ≥ t | δ) and P(T ≤ t | δ) = (1 - confidence)/2 (Steiger & Fouladi 1997); nan where t is
    undefined, or beyond the reach of the distribution function.

    >>> [round(end, 4) for end in noncentrality_interval(2.0, 10, 0.95)]
    [-0.1835, 4.1011]
    """
    if not math.isfinite(t):
        return math.nan, math.nan
    if abs(t) < _SMALLEST:
        t = 0.0
    tail = (1 - confidence) / 2
    return _end(t, df, 1 - tail), _end(t, df, tail)


def _end(t: float, df: float, share: float) -> float:
    """The δ with P(T ≤ t | δ) = share; that share falls as δ grows."""
    from scipy.optimize import brentq
    from scipy.special import nctdtr

    def excess(delta: float) -> float:
        below = float(nctdtr(df, delta, t))
        # Far out in the tail scipy gives no value; it is then practically 0 or 1.
        return (float(delta < t) if math.isnan(below) else below) - share

    step = 1.0
    while not excess(t - step) > 0 > excess(t + step):
        step *= 2
        if step > 1e3 + 4 * abs(t):
            return math.nan
    end = float(brentq(excess, t - step, t + step, xtol=1e-12, rtol=1e-14))
    return end if abs(excess(end)) < 1e-6 else math.nan
