"""Tail probabilities and quantiles, from scipy's special functions (scipy is imported when first asked)."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

from textassay.errors import UsageError


def normal_quantile(share: float) -> float:
    """The z below which `share` of the standard normal distribution lies."""
    from scipy.special import ndtri

    return float(ndtri(share))


def normal_upper(z: float) -> float:
    """P(Z > z)."""
    from scipy.special import ndtr

    return float(ndtr(-z))


def t_quantile(share: float, df: float) -> float:
    """The t below which `share` of Student's distribution lies; nan without degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(df, share)) if df > 0 else math.nan


def t_upper(t: float, df: float) -> float:
    """P(T > t) of Student's distribution; nan stays nan."""
    from scipy.special import stdtr

    return float(stdtr(df, -t))


def correlation_upper(r: float, n: int) -> float:
    """Two-sided P(|R| ≥ |r|) of a correlation of n pairs: Student's t on n-2 degrees of freedom.

    From the incomplete beta function of r² or of 1-r², whichever keeps more digits.
    """
    from scipy.special import betainc, betaincc

    if n < 3:
        return math.nan
    half = (n - 2) / 2
    return float(betaincc(0.5, half, r * r) if r * r < 0.5 else betainc(half, 0.5, (1 - r) * (1 + r)))


def f_upper(f: float, df1: float, df2: float) -> float:
    """P(F > f) with df1 and df2 degrees of freedom; nan stays nan."""
    from scipy.special import fdtrc

    return float(fdtrc(df1, df2, f))


def f_quantile(share: float, df1: float, df2: float) -> float:
    """The F below which `share` of the distribution with df1 and df2 degrees of freedom lies."""
    from scipy.special import fdtri

    return float(fdtri(df1, df2, share)) if df1 > 0 and df2 > 0 else math.nan


def chi2_upper(chi2: float, df: float) -> float:
    """P(χ² > chi2) with df degrees of freedom; nan stays nan."""
    from scipy.special import chdtrc

    return float(chdtrc(df, chi2))


Alternative = Literal["two-sided", "greater", "less"]
"""`greater`: the first is larger than the second (or than 0)."""

ExactP = Literal["auto", "exact", "asymptotic"]
"""`auto`: exact where counting is cheap; `asymptotic`: the normal approximation."""


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Refuse a setting that is none of its possible values.

    Raises:
        UsageError: with the value seen and the possible ones.
    """
    if value not in choices:
        raise UsageError(f"{name} must be one of {', '.join(choices)}; got {value!r}")


def check_alternative(alternative: Alternative) -> None:
    """Refuse an alternative that is none.

    Raises:
        UsageError: with the value seen and the possible ones.
    """
    check_choice("alternative", alternative, get_args(Alternative))


def p_of_tails(lower: float, upper: float, alternative: Alternative) -> float:
    """The p of P(T ≤ t) and P(T ≥ t); two-sided it is twice the smaller, at most 1; nan stays nan.

    >>> p_of_tails(0.98, 0.04, "two-sided"), p_of_tails(0.98, 0.04, "greater"), p_of_tails(0.6, 0.6, "two-sided")
    (0.08, 0.04, 1.0)
    """
    match alternative:
        case "greater":
            return min(upper, 1.0)
        case "less":
            return min(lower, 1.0)
    return min(2 * min(lower, upper), 1.0)


def normal_p(z: float, alternative: Alternative) -> float:
    """The p of a standard normal z.

    >>> round(normal_p(1.96, "two-sided"), 4), round(normal_p(1.96, "less"), 4)
    (0.05, 0.975)
    """
    return p_of_tails(normal_upper(-z), normal_upper(z), alternative)


def student_p(t: float, df: float, alternative: Alternative) -> float:
    """The p of Student's t.

    >>> round(student_p(2.086, 20, "two-sided"), 4)
    0.05
    """
    return p_of_tails(t_upper(-t, df), t_upper(t, df), alternative)


def continuity_corrected(deviation: float, alternative: Alternative, *, continuity: bool) -> float:
    """The deviation from the mean moved half a step towards it, as in R's `wilcox.test`.

    >>> [continuity_corrected(3.0, side, continuity=True) for side in ("two-sided", "greater", "less")]
    [2.5, 2.5, 3.5]
    """
    if not continuity:
        return deviation
    half = {"two-sided": 0.5 * math.copysign(1, deviation) if deviation else 0.0, "greater": 0.5, "less": -0.5}
    return deviation - half[alternative]


def how_p(*, exact: bool, continuity: bool) -> str:
    """Where a p comes from, for the signature."""
    if exact:
        return "exact"
    return "normal approximation, continuity corrected" if continuity else "normal approximation"
