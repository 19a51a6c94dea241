"""Pearson's r and Spearman's rho, with exact p where n allows and with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.results import Record
from textassay.stats.correlations import spearman_null
from textassay.stats.correlations.pair import Pair, product_moment, read_pair
from textassay.stats.correlations.permutation import PERMUTATION_LIMIT, permutation_p
from textassay.stats.distributions import correlation_upper, normal_quantile
from textassay.stats.ranks import midranks
from textassay.stats.samples import FloatArray, check_share
from textassay.stats.statistic import Statistic

PValue = Literal["auto", "t", "permutation"]
"""`auto`: as R's `cor.test`; `t`: the t approximation; `permutation`: exact, over all orders of up to 9 values."""


@dataclass(frozen=True, kw_only=True)
class Correlation(Statistic):
    """A correlation coefficient of two variables."""

    coefficient: str
    """`pearson` or `spearman`."""
    r: float
    p: float
    """Two-sided."""
    ci: tuple[float, float]
    n: int
    """Pairs used."""
    exact: bool
    """Whether p comes from counting all orders and not from an approximation."""
    df: int | None = None
    """Degrees of freedom where p comes from Student's t."""

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(self.coefficient, self.r, df=self.df, p=self.p, ci=self.ci, n=self.n, exact=self.exact),
        ]


def pearson(x: npt.ArrayLike, y: npt.ArrayLike, *, confidence: float = 0.95, p: PValue = "auto") -> Correlation:
    """Pearson's product-moment correlation of two lists of numbers.

    r = Σ(x-x̄)(y-ȳ) / √(Σ(x-x̄)² Σ(y-ȳ)²); t = r √((n-2)/(1-r²)) on n-2 degrees of freedom;
    interval tanh(artanh r ± z/√(n-3)) (Fisher 1921).

    R: `cor.test(x, y)`. `p="permutation"` counts all n! pairings instead (n up to 9) and doubles the smaller tail:
    with three pairs p is never below 1/3, whatever t says.

    Example:
        >>> result = pearson([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
        >>> round(result.r, 4), round(result.p, 4), result.df  # Σ products 8, Σ squares 10 and 10
        (0.8, 0.1041, 3)
        >>> round(pearson([1, 2, 3], [2, 4, 6.5], p="permutation").p, 4)
        0.3333

    Raises:
        DataError: unequal lengths, missing or infinite values, or too many values for `permutation`.
    """
    pair = _checked(x, y, confidence, p)
    if pair.undefined:
        return _without_value("pearson", pair, confidence)
    r = product_moment(pair.x, pair.y)
    if p == "permutation":
        test = _Test(permutation_p(pair.x, pair.y), "exact permutation", exact=True)
    else:
        test = _Test(correlation_upper(r, pair.n), "t", df=pair.n - 2)
    return _result("pearson", r, pair, test, confidence)


def spearman(x: npt.ArrayLike, y: npt.ArrayLike, *, confidence: float = 0.95, p: PValue = "auto") -> Correlation:
    """Spearman's rank correlation of two lists of numbers; ties get mid-ranks.

    rho is Pearson's r of the ranks; without ties rho = 1 - 6 Σd² / (n³ - n). Two-sided p without ties: counted over
    all n! orders up to n = 12, by the Edgeworth series of Best & Roberts (1975) up to 1290, by t beyond. With ties:
    t on n-2 degrees of freedom. Interval with the standard error √((1 + rho²/2)/(n-3)) of Bonett & Wright (2000).

    R: `cor.test(x, y, method = "spearman")`, which counts up to n = 9 and uses the series from 10 on.

    Example:
        >>> result = spearman([1, 2, 3], [10, 20, 40])
        >>> result.r, round(result.p, 4), result.exact  # 2 of the 3! orders are as extreme
        (1.0, 0.3333, True)

    Raises:
        DataError: unequal lengths, missing or infinite values, or too many values for `permutation`.
    """
    pair = _checked(x, y, confidence, p)
    if pair.undefined:
        return _without_value("spearman", pair, confidence)
    ranks_x, ranks_y = midranks(pair.x), midranks(pair.y)
    r = product_moment(ranks_x, ranks_y)
    return _result("spearman", r, pair, _rank_test(ranks_x, ranks_y, r, p), confidence)


_METHODS = {"pearson": "Pearson's product-moment correlation", "spearman": "Spearman's rank correlation"}


@dataclass(frozen=True)
class _Test:
    """A p-value and where it comes from."""

    p: float
    how: str
    exact: bool = False
    df: int | None = None
    warning: str = ""


def _checked(x: npt.ArrayLike, y: npt.ArrayLike, confidence: float, p: PValue) -> Pair:
    check_share("confidence", confidence)
    if p not in get_args(PValue):
        raise UsageError(f"p must be one of {', '.join(get_args(PValue))}; got {p!r}")
    pair = read_pair(x, y)
    if p == "permutation" and pair.n > PERMUTATION_LIMIT:
        raise DataError(
            f"an exact permutation p goes through all orders and takes up to {PERMUTATION_LIMIT} pairs, "
            f"got {pair.n}; use p='auto'"
        )
    return pair


def _without_value(coefficient: str, pair: Pair, confidence: float) -> Correlation:
    return Correlation(
        coefficient=coefficient,
        r=math.nan,
        p=math.nan,
        ci=(math.nan, math.nan),
        n=pair.n,
        exact=False,
        method=_METHODS[coefficient],
        settings={"n": pair.n, "confidence": confidence},
        warnings=(pair.undefined,),
    )


def _result(coefficient: str, r: float, pair: Pair, test: _Test, confidence: float) -> Correlation:
    warnings = [*pair.warnings, *filter(None, [test.warning])]
    if math.isnan(test.p):
        warnings.append(f"p is undefined: Student's t needs at least 3 pairs, got {pair.n}")
    low, high = _interval(r, pair.n, confidence, ranks=coefficient == "spearman")
    if math.isnan(low):
        warnings.append(f"the interval is undefined: it needs at least 4 pairs, got {pair.n}")
    elif low == high:
        warnings.append("the correlation is perfect: its interval has no width and says nothing")
    settings = {
        "p": test.how,
        "alternative": "two-sided",
        "n": pair.n,
        "ci": "Bonett-Wright" if coefficient == "spearman" else "Fisher z",
        "confidence": confidence,
    }
    return Correlation(
        coefficient=coefficient,
        r=r,
        p=test.p,
        ci=(low, high),
        n=pair.n,
        exact=test.exact,
        df=test.df,
        method=_METHODS[coefficient],
        settings=settings,
        warnings=tuple(warnings),
    )


def _rank_test(ranks_x: FloatArray, ranks_y: FloatArray, r: float, p: PValue) -> _Test:
    n = ranks_x.size
    if p == "permutation":
        return _Test(permutation_p(ranks_x, ranks_y), "exact permutation", exact=True)
    tied = any(np.unique(ranks).size < n for ranks in (ranks_x, ranks_y))
    if p == "t" or tied or n > spearman_null.SERIES_LIMIT:
        remedy = "; p='permutation' gives the exact one" if n <= PERMUTATION_LIMIT else ""
        warning = f"there are ties: p is the t approximation{remedy}" if tied and p == "auto" else ""
        return _Test(correlation_upper(r, n), "t approximation", df=n - 2, warning=warning)
    s = float(np.sum((ranks_x - ranks_y) ** 2))
    if n <= spearman_null.EXACT_LIMIT:
        return _Test(spearman_null.exact_p(round(s), n), "exact", exact=True)
    return _Test(spearman_null.series_p(s, n), "Edgeworth series")


def _interval(r: float, n: int, confidence: float, *, ranks: bool) -> tuple[float, float]:
    """Fisher's interval; for rank correlations with Bonett and Wright's wider standard error."""
    if n < 4:
        return math.nan, math.nan
    if abs(r) == 1:
        return r, r
    half = normal_quantile((1 + confidence) / 2) * math.sqrt((1 + r * r / 2 if ranks else 1) / (n - 3))
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
