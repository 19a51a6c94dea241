"""Tail probabilities and quantiles, from scipy's special functions (scipy is imported when first asked)."""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

import math


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
