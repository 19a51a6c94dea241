"""Partial correlation: two variables with the linear effect of others taken out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.correlations.correlation import product_moment, read_pair, standardised
from textassay.stats.distributions import correlation_upper, normal_quantile
from textassay.stats.samples import FloatArray, as_floats, check_share, midranks
from textassay.stats.statistic import Statistic

Coefficient = Literal["pearson", "spearman"]
_NOTHING_LEFT = 1e-10
"""Residuals smaller than this share of the variable are rounding."""


@dataclass(frozen=True, kw_only=True)
class PartialCorrelation(Statistic):
    """A correlation of two variables, given others."""

    coefficient: Coefficient
    r: float
    p: float
    """Two-sided, from Student's t; an approximation for `spearman`."""
    ci: tuple[float, float]
    n: int
    """Observations used."""
    df: int
    covariates: int
    """Variables taken out, those not counted that add nothing to the others."""

    def records(self) -> list[Record]:
        """One record."""
        name = f"partial {self.coefficient}"
        return [
            self.record(name, self.r, df=self.df, p=self.p, ci=self.ci, n=self.n, covariates=self.covariates),
        ]


def partial_correlation(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    covariates: npt.ArrayLike,
    *,
    coefficient: Coefficient = "pearson",
    confidence: float = 0.95,
) -> PartialCorrelation:
    """The correlation of x and y given k covariates.

    Purpose: measure how closely two variables are correlated when others, such as text length, are held constant.

    r = the correlation of the residuals of x and of y from linear regressions on the covariates; with one covariate
    r = (r_xy - r_xz r_yz) / √((1 - r_xz²)(1 - r_yz²)) (Yule 1907). t = r √(df/(1-r²)) on df = n-2-k; interval
    tanh(artanh r ± z/√(n-k-3)) (Fisher 1924); for normal values p is exact. `spearman` does the same with ranks (ties
    at their mean) and approximates: p by the same t, as if ranks were normal (`docs/calibration.md` shows its level),
    the interval by Bonett & Wright's (2000) standard error √((1 + r²/2)/(n-3)) with n-k for n.

    R: `cor.test(resid(lm(x ~ covariates)), resid(lm(y ~ covariates)))` for r, or `ppcor::pcor.test(x, y, covariates)`.

    Example:
        >>> result = partial_correlation([1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 6], [1, 2, 2, 3, 4, 4])
        >>> round(result.r, 4), result.df, round(result.p, 4)  # r_xy .8857, r_xz .9710, r_yz .8827
        (0.2544, 3, 0.6796)

    Args:
        x: One number per observation.
        y: The other number of the same observation.
        covariates: Shape (n,) or (n, k).
        coefficient: `pearson` of the values or `spearman` of their ranks.
        confidence: Of the interval.

    Raises:
        DataError: unequal lengths, or missing or infinite values.
        UsageError: an unknown setting.
    """
    check_share("confidence", confidence)
    check_choice("coefficient", coefficient, get_args(Coefficient))
    pair = read_pair(x, y)
    taken_out = _read_covariates(covariates, pair.n)
    one, other = pair.x, pair.y
    if coefficient == "spearman" and pair.n:
        one, other, taken_out = midranks(one), midranks(other), midranks(taken_out.T).T
    basis = _basis(taken_out)
    k = max(basis.shape[1] - 1, 0)
    undefined, r = pair.undefined, math.nan
    if not undefined:
        undefined, r = _residual_correlation(one, other, basis)
    warnings = [undefined] if undefined else [*pair.warnings, *_small(pair.n, k)]
    if not undefined and k < taken_out.shape[1]:
        warnings.append(f"{taken_out.shape[1] - k} of {taken_out.shape[1]} covariates add nothing to the others")
    return PartialCorrelation(
        method="partial correlation",
        settings={
            "coefficient": coefficient,
            "p": "t",
            "covariates": k,
            "n": pair.n,
            "ci": "Bonett-Wright" if coefficient == "spearman" else "Fisher z",
            "confidence": confidence,
        },
        warnings=tuple(warnings),
        coefficient=coefficient,
        r=r,
        p=math.nan if math.isnan(r) else correlation_upper(r, pair.n - k),
        ci=_interval(r, pair.n - k, confidence, ranks=coefficient == "spearman"),
        n=pair.n,
        df=max(pair.n - 2 - k, 0),
        covariates=k,
    )


def _read_covariates(covariates: npt.ArrayLike, n: int) -> FloatArray:
    table = as_floats(covariates, "covariates")
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or len(table) != n:
        raise DataError(f"covariates must have the shape ({n},) or ({n}, k) for {n} observations, got {table.shape}")
    bad = np.argwhere(~np.isfinite(table))
    if bad.size:
        raise DataError(
            f"covariates have {len(bad)} missing or infinite value(s), the first in row {bad[0, 0]}, "
            f"column {bad[0, 1]}; leave those observations out, and report how many, before computing"
        )
    return table


def _basis(covariates: FloatArray) -> FloatArray:
    """Orthonormal columns that span the constant and the covariates; as many as are not redundant."""
    n = len(covariates)
    varying = [standardised(column) for column in covariates.T if n and np.any(column != column[0])]
    matrix = np.column_stack([np.full(n, 1 / math.sqrt(n) if n else 1.0), *varying])
    left, sizes, _ = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray(left[:, sizes > _NOTHING_LEFT * max(sizes.max(initial=0.0), 1.0)])


def _residual_correlation(x: FloatArray, y: FloatArray, basis: FloatArray) -> tuple[str, float]:
    """The reason why there is none, or the correlation."""
    if x.size - basis.shape[1] < 1:
        few = f"{x.size} observations leave no residual degrees of freedom after the covariates"
        return f"the correlation is undefined: {few}", math.nan
    residuals = []
    for name, values in (("x", standardised(x)), ("y", standardised(y))):
        left = values - basis @ (basis.T @ values)
        left -= basis @ (basis.T @ left)  # once more, for the digits that the first pass lost
        if np.linalg.norm(left) < _NOTHING_LEFT:
            return f"the correlation is undefined: {name} is a linear function of the covariates", math.nan
        residuals.append(left)
    return "", product_moment(residuals[0], residuals[1])


def _small(n: int, k: int) -> list[str]:
    warnings = []
    if n - k < 3:
        warnings.append(f"p is undefined: Student's t needs at least {k + 3} observations, got {n}")
    if n - k < 4:
        warnings.append(f"the interval is undefined: it needs at least {k + 4} observations, got {n}")
    return warnings


def _interval(r: float, n: int, confidence: float, *, ranks: bool) -> tuple[float, float]:
    if n < 4 or math.isnan(r):
        return math.nan, math.nan
    if abs(r) == 1:
        return r, r
    half = normal_quantile((1 + confidence) / 2) * math.sqrt((1 + r * r / 2 if ranks else 1) / (n - 3))
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
