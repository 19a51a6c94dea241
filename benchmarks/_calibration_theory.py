"""What theory says: sizes and coverages that follow from distributions, without drawing anything.

Nothing here uses `textassay`, so that a check compares two ways to the same figure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.integrate import quad
from scipy.special import gammaln, hyp2f1
from scipy.stats import f as fisher
from scipy.stats import norm
from scipy.stats import t as student

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int_]
Spread = Sequence[tuple[float, float]]
"""A sum of independent w · χ²: pairs of a weight w and degrees of freedom."""

ALPHA = 0.05
Z = float(norm.ppf(1 - ALPHA / 2))


def exceeds(numerator: Spread, denominator: Spread, critical: float) -> float:
    """P(Σ w χ² > critical · Σ v χ²) for independent χ², by the integral of Imhof (1961)."""
    terms = [(w, df) for w, df in numerator if df] + [(-critical * v, df) for v, df in denominator if df]
    weights, dfs = np.array(terms).T
    weights = weights / np.abs(weights).max()

    def integrand(u: float) -> float:
        angle = 0.5 * float(dfs @ np.arctan(weights * u))
        log_size = 0.25 * float(dfs @ np.log1p((weights * u) ** 2))
        return math.sin(angle) / u * math.exp(-log_size)

    parts = [quad(integrand, low, high, limit=200)[0] for low, high in ((0, 1), (1, 10), (10, np.inf))]
    return 0.5 + float(sum(parts)) / math.pi


def f_size(numerator: Spread, denominator: Spread) -> float:
    """How often an F test at .05 rejects where its sums of squares are not σ²χ² but these sums."""
    df, error_df = (sum(each for _, each in spread) for spread in (numerator, denominator))
    return exceeds(numerator, denominator, float(fisher.isf(ALPHA, df, error_df)) * df / error_df)


def t_size(variance_ratio: float, df: float) -> float:
    """How often a t test at .05 rejects where the variance of its numerator is so many times what it takes it for."""
    return 2 * float(student.sf(student.isf(ALPHA / 2, df) / math.sqrt(variance_ratio), df))


def z_size(variance_ratio: float) -> float:
    """The same for a test by the normal distribution."""
    return 2 * float(norm.sf(Z / math.sqrt(variance_ratio)))


def between_groups(variances: Sequence[float], sizes: Sequence[int]) -> Spread:
    """Distribution of the sum of squares between groups with the same mean and such variances (Box 1954)."""
    share = np.sqrt(np.array(sizes) / sum(sizes))
    root = np.diag(np.sqrt(variances))
    found = np.linalg.eigvalsh(root @ (np.eye(len(sizes)) - np.outer(share, share)) @ root)
    return [(float(weight), 1.0) for weight in found[1:]]  # the first is that of the grand mean, 0


def within_contrasts(covariance: FloatArray) -> FloatArray:
    """Eigenvalues of the covariance of a subject's values after its own mean is taken off (Box 1954)."""
    k = len(covariance)
    centre = np.eye(k) - 1 / k
    return np.asarray(np.linalg.eigvalsh(centre @ covariance @ centre)[1:], dtype=float)


def pearson_coverage(rho: float, n: int) -> float:
    """How often Fisher's interval holds rho, from the density of r (Hotelling 1953)."""
    log_constant = (
        math.log(n - 2) + gammaln(n - 1) + (n - 1) / 2 * math.log1p(-rho * rho)
        - math.log(2 * math.pi) / 2 - gammaln(n - 0.5)
    )  # fmt: skip

    def density(r: float) -> float:
        logs = log_constant + (n - 4) / 2 * math.log1p(-r * r) - (n - 1.5) * math.log1p(-rho * r)
        return float(math.exp(logs) * hyp2f1(0.5, 0.5, n - 0.5, (rho * r + 1) / 2))

    half = Z / math.sqrt(n - 3)
    return float(quad(density, math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half))[0])


def mean_above_zero(df: int, error_df: int) -> float:
    """Mean of max(0, MS - MS_error) where both mean squares estimate 1.

    With X = MS and Y = MS_error: the mean of X where X > Y is P(χ²(df+2)/df > Y), that of Y likewise.
    """
    ours = fisher.sf(df / (df + 2), df + 2, error_df)
    theirs = fisher.sf((error_df + 2) / error_df, df, error_df + 2)
    return float(ours - theirs)
