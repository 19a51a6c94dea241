"""Pearson's r and Spearman's rho, with exact p where n allows and with intervals; the two variables checked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.distributions import correlation_upper, normal_quantile, normal_upper
from textassay.stats.samples import FloatArray, check_share, finite_vector, midranks, same_length
from textassay.stats.statistic import Statistic

PValue = Literal["auto", "t", "permutation"]
"""`auto`: as R's `cor.test`; `t`: the t approximation; `permutation`: exact, over all orders of up to 9 values."""
_METHODS = {"pearson": "Pearson's product-moment correlation", "spearman": "Spearman's rank correlation"}
EXACT_LIMIT = 12
"""The largest n whose n! permutations are counted (by subsets, not one by one: a tenth of a second, then kept)."""
SERIES_LIMIT = 1290
"""The largest n for which the series is used, as in R; beyond it the t approximation is as good."""
_SERIES = (0.2274, 0.2531, 0.1745, 0.0758, 0.1033, 0.3932, 0.0879, 0.0151, 0.0072, 0.0831, 0.0131, 0.00046)
"""Coefficients of the Edgeworth series, Best & Roberts (1975), algorithm AS 89."""
PERMUTATION_LIMIT = 9
"""The largest n whose n! orders are all gone through (9! = 362,880)."""


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

    Purpose: measure how closely two variables follow a straight line, such as a metric and human scores.

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
        test = _CorrelationTest(permutation_p(pair.x, pair.y), "exact permutation", exact=True)
    else:
        test = _CorrelationTest(correlation_upper(r, pair.n), "t", df=pair.n - 2)
    return _result("pearson", r, pair, test, confidence)


def spearman(x: npt.ArrayLike, y: npt.ArrayLike, *, confidence: float = 0.95, p: PValue = "auto") -> Correlation:
    """Spearman's rank correlation of two lists of numbers; ties get mid-ranks.

    Purpose: measure how far two variables rise together, by ranks.

    rho is Pearson's r of the ranks; without ties rho = 1 - 6 Σd² / (n³ - n). Two-sided p without ties: counted over
    all n! orders up to n = 12, by the Edgeworth series of Best & Roberts (1975) up to 1290, by t beyond. With ties:
    t on n-2 degrees of freedom. Interval with the standard error √((1 + rho²/2)/(n-3)) of Bonett & Wright (2000).

    R: `cor.test(x, y, method = "spearman")`, which counts up to n = 9 and uses the series from 10 on.

    Example:
        >>> result = spearman([1, 2, 3], [10, 20, 40])
        >>> round(result.r, 4), round(result.p, 4), result.exact  # 2 of the 3! orders are as extreme
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


@dataclass(frozen=True)
class VariablePair:
    """Two variables that were checked."""

    x: FloatArray
    y: FloatArray
    undefined: str = ""
    """Why they have no correlation; empty where they have one."""
    warnings: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of pairs."""
        return self.x.size


def read_pair(x: npt.ArrayLike, y: npt.ArrayLike) -> VariablePair:
    """Two variables as vectors.

    Raises:
        DataError: unequal lengths, or a value that is missing or infinite.
    """
    x, y = finite_vector(x, "x"), finite_vector(y, "y")
    same_length(("x", x), ("y", y))
    if x.size < 2:
        return VariablePair(x, y, f"a correlation needs at least 2 pairs, got {x.size}")
    warnings = []
    for name, values in (("x", x), ("y", y)):
        if np.all(values == values[0]):
            return VariablePair(x, y, f"{name} is constant (always {values[0]:g}), so there is no correlation")
        if np.ptp(values / np.max(np.abs(values))) < 1e-12:
            warnings.append(f"{name} is almost constant: the correlation rests on the last digits")
    return VariablePair(x, y, warnings=tuple(warnings))


def product_moment(x: FloatArray, y: FloatArray) -> float:
    """Pearson's r of two variables that are not constant."""
    r = float(standardised(x) @ standardised(y))
    # A perfect correlation that rounding made imperfect would get a meaningless p.
    return float(np.sign(r)) if abs(r) > 1 - 16 * np.finfo(float).eps else r


def standardised(values: FloatArray) -> FloatArray:
    """The values of a variable that is not constant, with mean 0 and sum of squares 1.

    Scaled before it is squared, so that neither very large nor very small numbers leave the range of floats.
    """
    scaled = values / np.max(np.abs(values))
    centred = scaled - scaled.mean()
    return np.asarray(centred / np.linalg.norm(centred))


@dataclass(frozen=True)
class _CorrelationTest:
    """A p-value and where it comes from."""

    p: float
    how: str
    exact: bool = False
    df: int | None = None
    warning: str = ""


def _checked(x: npt.ArrayLike, y: npt.ArrayLike, confidence: float, p: PValue) -> VariablePair:
    check_share("confidence", confidence)
    check_choice("p", p, get_args(PValue))
    pair = read_pair(x, y)
    if p == "permutation" and pair.n > PERMUTATION_LIMIT:
        raise DataError(
            f"an exact permutation p goes through all orders and takes up to {PERMUTATION_LIMIT} pairs, "
            f"got {pair.n}; use p='auto'"
        )
    return pair


def _without_value(coefficient: str, pair: VariablePair, confidence: float) -> Correlation:
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


def _result(coefficient: str, r: float, pair: VariablePair, test: _CorrelationTest, confidence: float) -> Correlation:
    warnings = [*pair.warnings, *filter(None, [test.warning])]
    if math.isnan(test.p):
        warnings.append(f"p is undefined: Student's t needs at least 3 pairs, got {pair.n}")
    low, high = _interval(r, pair.n, confidence, ranks=coefficient == "spearman")
    if math.isnan(low):
        warnings.append(f"the interval is undefined: it needs at least 4 pairs, got {pair.n}")
    elif low == high:
        warnings.append("the correlation is perfect: its interval has zero width and is uninformative")
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


def _rank_test(ranks_x: FloatArray, ranks_y: FloatArray, r: float, p: PValue) -> _CorrelationTest:
    n = ranks_x.size
    if p == "permutation":
        return _CorrelationTest(permutation_p(ranks_x, ranks_y), "exact permutation", exact=True)
    tied = any(np.unique(ranks).size < n for ranks in (ranks_x, ranks_y))
    if p == "t" or tied or n > SERIES_LIMIT:
        remedy = "; p='permutation' gives the exact one" if n <= PERMUTATION_LIMIT else ""
        warning = f"there are ties: p is the t approximation{remedy}" if tied and p == "auto" else ""
        return _CorrelationTest(correlation_upper(r, n), "t approximation", df=n - 2, warning=warning)
    s = float(np.sum((ranks_x - ranks_y) ** 2))
    if n <= EXACT_LIMIT:
        return _CorrelationTest(exact_p(round(s), n), "exact", exact=True)
    return _CorrelationTest(series_p(s, n), "Edgeworth series")


def _interval(r: float, n: int, confidence: float, *, ranks: bool) -> tuple[float, float]:
    """Fisher's interval; for rank correlations with Bonett and Wright's wider standard error."""
    if n < 4:
        return math.nan, math.nan
    if abs(r) == 1:
        return r, r
    half = normal_quantile((1 + confidence) / 2) * math.sqrt((1 + r * r / 2 if ranks else 1) / (n - 3))
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def exact_p(s: int, n: int) -> float:
    """Two-sided p of the sum S of squared rank differences: twice the smaller tail, at most 1.

    >>> exact_p(0, 3) == 1 / 3  # perfect agreement of three: 2 of 3! = 6 orders are as extreme
    True
    """
    counts = null_counts(n)
    lower, upper = int(counts[: s // 2 + 1].sum()), int(counts[s // 2 :].sum())
    return min(1.0, 2 * min(lower, upper) / math.factorial(n))


@lru_cache(maxsize=EXACT_LIMIT)
def null_counts(n: int) -> npt.NDArray[np.int64]:
    """How many of the n! permutations have S = 0, 2, 4 and so on.

    Rank i takes one of the ranks not yet taken; what matters is which are taken, not in what order, so n! paths
    shrink to 2^n subsets.

    >>> null_counts(3).tolist()  # S = 0: 1, S = 2: 2, S = 4: 0, S = 6: 2, S = 8: 1
    [1, 2, 0, 2, 1]
    """
    width = (n**3 - n) // 3 + 1
    table = np.zeros((1 << n, width), dtype=np.int64)
    table[0, 0] = 1
    subsets = np.arange(1 << n)
    taken = np.array([int(subset).bit_count() for subset in subsets])
    for i in range(n):
        layer = subsets[taken == i]
        for j in range(n):
            free = layer[(layer >> j) & 1 == 0]
            cost = (i - j) ** 2
            table[free | (1 << j), cost:] += table[free, : width - cost]
    counts = table[-1, ::2].copy()
    counts.flags.writeable = False
    return counts


def series_p(s: float, n: int) -> float:
    """Two-sided p of S by the Edgeworth series, with S moved half a step (1) towards the middle.

    Never below 2/n!, the least that any test of n values can give.
    """
    c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12 = _SERIES
    middle = (n**3 - n) / 6
    b = 1 / n
    x = max(0.0, abs(s - middle) - 1) / middle * math.sqrt(n - 1)
    y = x * x
    inner = c9 - c10 * b + y * b * (c11 - c12 * y)
    series = c1 + b * (c2 + c3 * b) + y * (-c4 + b * (c5 + c6 * b) - y * b * (c7 + c8 * b - y * inner))
    tail = x * b * series * math.exp(-y / 2) + normal_upper(x)
    return min(1.0, max(2 * tail, 2 * math.exp(-math.lgamma(n + 1))))


def permutation_p(x: FloatArray, y: FloatArray) -> float:
    """Two-sided p of the correlation of x and y over all n! pairings: twice the smaller tail, at most 1.

    Twice the smaller tail, as for Spearman's rho in R, so that three systems never give less than 1/3.

    >>> permutation_p(np.array([1.0, 2.0, 4.0]), np.array([10.0, 20.0, 40.0])) == 1 / 3
    True
    """
    x, y = standardised(x), standardised(y)
    products = x[all_orders(x.size)] @ y
    observed = float(x @ y)
    slack = 1e-10  # pairings that tie with the observed one differ from it by rounding only
    upper = int(np.count_nonzero(products >= observed - slack))
    lower = int(np.count_nonzero(products <= observed + slack))
    return min(1.0, 2 * min(lower, upper) / math.factorial(x.size))


@lru_cache(maxsize=PERMUTATION_LIMIT)
def all_orders(n: int) -> npt.NDArray[np.int8]:
    """All orders of 0 … n-1, one per row: each order of n-1 with the last number put into each place."""
    orders = np.zeros((1, 1), dtype=np.int8)
    for size in range(1, n):
        grown = np.empty((len(orders) * (size + 1), size + 1), dtype=np.int8)
        for place in range(size + 1):
            rows = grown[place :: size + 1]
            rows[:, :place], rows[:, place], rows[:, place + 1 :] = orders[:, :place], size, orders[:, place:]
        orders = grown
    orders.flags.writeable = False
    return orders
