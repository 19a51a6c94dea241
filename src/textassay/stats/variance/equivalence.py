"""Equivalence of two means: two one-sided tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy.typing as npt

from textassay.errors import UsageError
from textassay.results import Record
from textassay.stats.distributions import t_quantile, t_upper
from textassay.stats.samples import FloatArray, all_equal, as_floats, check_share, finite_vector, same_length
from textassay.stats.statistic import Statistic
from textassay.stats.variance.welch import welch_df


@dataclass(frozen=True, kw_only=True)
class Equivalence(Statistic):
    """Whether the difference of two means lies within bounds."""

    difference: float
    """Mean of the first less that of the second."""
    bounds: tuple[float, float]
    t: tuple[float, float]
    """Against the lower and against the upper bound."""
    df: float
    p: float
    """The larger of the two one-sided p: small where the difference lies within the bounds."""
    ci: tuple[float, float]
    """At 1 - 2 alpha: the means are equivalent where it lies within the bounds."""
    equivalent: bool
    n: int

    def records(self) -> list[Record]:
        """One record."""
        more: Record = {"bounds": self.bounds, "t": self.t, "equivalent": self.equivalent}
        return [self.record("difference", self.difference, df=self.df, p=self.p, ci=self.ci, n=self.n, **more)]


def equivalence(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    bounds: tuple[float, float],
    *,
    paired: bool = False,
    alpha: float = 0.05,
) -> Equivalence:
    """Two one-sided tests: is the difference of two means smaller than what matters?

    Purpose: show that two systems differ by less than what matters, which a test that finds no difference cannot show.

    With d = x̄ - ȳ and its standard error s: t_low = (d - low)/s, t_high = (d - high)/s; p = max(P(T > t_low),
    P(T < t_high)) (Schuirmann 1987). Unpaired with Welch's standard error and degrees of freedom. A difference that is
    not significant does not show that two systems are equally good; this test can.

    R: `t.test(x, y, mu = low, alternative = "greater")` and `t.test(x, y, mu = high, alternative = "less")`, with
    `paired = TRUE` for pairs.

    Example:
        >>> result = equivalence([5.1, 4.9, 5.0, 5.2], [5.0, 5.0, 4.9, 5.3], (-0.5, 0.5), paired=True)
        >>> round(result.difference, 6), result.df, result.equivalent
        (0.0, 3, True)

    Args:
        x: One number per observation.
        y: The same for the other; with `paired`, in the same order.
        bounds: The largest differences, down and up, that do not matter: decide before you look at the data.
        paired: Whether each value of x belongs to one of y.
        alpha: Level of the test.

    Raises:
        DataError: values that are missing or infinite, or unequal lengths of paired values.
        UsageError: the bounds do not enclose a range.
    """
    check_share("alpha", alpha)
    low, high = _read_bounds(bounds)
    first, second = finite_vector(x, "x"), finite_vector(y, "y")
    if paired:
        same_length(("x", first), ("y", second))
    d, error, df = _paired(first, second) if paired else _welch(first, second)
    n = first.size if paired else first.size + second.size
    reason = "" if error > 0 and df > 0 else "the test is undefined: it needs at least two values that vary"
    t, p = two_one_sided(d, error, df, (low, high))
    half = math.nan if reason else t_quantile(1 - alpha, df) * error
    return Equivalence(
        method="two one-sided t tests",
        settings={"paired": paired, "alpha": alpha, "bounds": f"{low:g} to {high:g}", "n": n},
        warnings=(reason,) if reason else (),
        difference=d,
        bounds=(low, high),
        t=t,
        df=df,
        p=p,
        ci=(d - half, d + half),
        equivalent=p < alpha,
        n=n,
    )


def two_one_sided(
    difference: float, se: float, df: float, bounds: tuple[float, float]
) -> tuple[tuple[float, float], float]:
    """T against each bound, and the larger of the two one-sided p; nan without a standard error.

    >>> t, p = two_one_sided(0.1, 0.2, 10, (-0.5, 0.5))
    >>> [round(each, 6) for each in t], round(p, 6)  # R: pt(-2, 10)
    ([3.0, -2.0], 0.036694)
    """
    if not se > 0 or not df > 0:
        return (math.nan, math.nan), math.nan
    t = ((difference - bounds[0]) / se, (difference - bounds[1]) / se)
    return t, max(t_upper(t[0], df), t_upper(-t[1], df))


def _read_bounds(bounds: tuple[float, float]) -> tuple[float, float]:
    ends = as_floats(bounds, "bounds")
    if ends.shape != (2,) or not ends[0] < ends[1]:
        raise UsageError(f"bounds must be (low, high) with low < high, for example (-0.5, 0.5); got {bounds}")
    return float(ends[0]), float(ends[1])


def _paired(x: FloatArray, y: FloatArray) -> tuple[float, float, float]:
    differences = x - y
    n = differences.size
    if n < 2:
        return (float(differences.mean()) if n else math.nan), 0.0, 0
    error = 0.0 if all_equal(differences, x, y) else float(differences.std(ddof=1)) / math.sqrt(n)
    return float(differences.mean()), error, n - 1


def _welch(x: FloatArray, y: FloatArray) -> tuple[float, float, float]:
    if min(x.size, y.size) < 2:
        return (float(x.mean() - y.mean()) if min(x.size, y.size) else math.nan), 0.0, 0
    a, b = (0.0 if all_equal(group) else float(group.var(ddof=1)) / group.size for group in (x, y))
    d = float(x.mean() - y.mean())
    if a + b == 0:
        return d, 0.0, 0
    return d, math.sqrt(a + b), welch_df(a, b, x.size, y.size)
