"""Tail probabilities and quantiles: from scipy's special functions, and of the studentized range.

The studentized range is the spread of k normal means in units of their estimated standard error.
P(Q > q) = ∫ f(s) R(q s) ds, where R(w) is the chance that k standard normal values spread by more than w and f the
density of s = √(χ²/df). Both integrals are taken by the trapezoidal rule, which converges faster than any power of
the step for functions that are smooth and fade at both ends. The outer one runs over log s: then w = q s = e^t lies
on one grid of t for all q together, R is computed once per node, and each q costs one scalar product.
"""
# ruff: noqa: PLC0415 -- scipy takes a third of a second to load and most commands need none of it

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.stats.samples import FloatArray, check_share


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


_Z_STEP = 0.1
_Z_LOW = -9.0
_W_MAX = 76.0
"""Beyond this R(w), about exp(-w²/4), is smaller than any float."""
_LOG_MAX = math.log(float(np.finfo(float).max))
_Q_AT_ONCE = 4096
_W_AT_ONCE = 256
"""How many values are worked on together: bounds memory and time, not the result."""
_NODES_TOGETHER = 32


def studentized_range_upper(q: npt.ArrayLike, k: int, df: float) -> FloatArray:
    """P(Q > q) for k means and df degrees of freedom (`math.inf`: known variance).

    R: `ptukey(q, k, df, lower.tail = FALSE)`, whose absolute error is about 1e-10; here the error is relative, so
    that very small p keep their digits.

    >>> float(studentized_range_upper(3.5, 3, 27).round(10))
    0.0504906806
    """
    _check(k, df)
    array = np.asarray(q, dtype=float)
    upper = np.where(np.isnan(array), np.nan, np.where(array <= 0, 1.0, 0.0))
    inside = np.flatnonzero((array > 0) & np.isfinite(array))
    for start in range(0, inside.size, _Q_AT_ONCE):
        part = inside[start : start + _Q_AT_ONCE]
        some = array.flat[part]
        upper.flat[part] = _range_upper(some, k) if math.isinf(df) else _mixed_over_s(some, k, df)
    return np.minimum(upper, 1.0)  # near 0 rounding could carry it above


def studentized_range_quantile(alpha: float, k: int, df: float) -> float:
    """The q with P(Q > q) = alpha: regula falsi on log P, which is nearly a line in log q far out, after Illinois.

    R: `qtukey(1 - alpha, k, df)`, which stops at an error of up to 1e-4 in q; here it is about 1e-13.

    >>> round(studentized_range_quantile(0.05, 3, 27), 6)
    3.506426
    """
    check_share("alpha", alpha)
    low, above, high, below = _bracket(alpha, k, df)
    moved = 0
    while high - low > 1e-14 * max(1.0, abs(high)):
        middle = (low + high) / 2 if math.isinf(below) else (low * below - high * above) / (below - above)
        if not low < middle < high:  # the bracket is down to rounding
            break
        excess = _log_excess(middle, alpha, k, df)
        if abs(excess) < 1e-13:
            return math.exp(middle)
        if excess > 0:
            low, above = middle, excess
            below = below / 2 if moved > 0 else below  # an end that stays twice counts half, so that it does not stay
        else:
            high, below = middle, excess
            above = above / 2 if moved < 0 else above
        moved = 1 if excess > 0 else -1
    return math.exp((low + high) / 2)


def _bracket(alpha: float, k: int, df: float) -> tuple[float, float, float, float]:
    """Two log q, one on each side of the quantile, each with its excess; most quantiles lie between 2.7 and 4.5."""
    low = high = 1.0
    above = below = _log_excess(1.0, alpha, k, df)
    step = 0.5
    while above <= 0:
        high, below, low = low, above, low - step
        above, step = _log_excess(low, alpha, k, df), 2 * step
    while below > 0:
        low, above, high = high, below, high + step
        below, step = _log_excess(high, alpha, k, df), 2 * step
    return low, above, high, below


def _log_excess(log_q: float, alpha: float, k: int, df: float) -> float:
    """How far P(Q > q) lies above alpha, in logarithms; a q that no float holds is larger than all."""
    if log_q > _LOG_MAX:
        return -math.inf
    upper = float(studentized_range_upper(math.exp(log_q), k, df))
    return math.log(upper / alpha) if upper > 0 else -math.inf


def _mixed_over_s(q: FloatArray, k: int, df: float) -> FloatArray:
    """P(Q > q): R averaged over the distribution of log s, on a grid of t = log q + log s that all q share."""
    fade = 37 / df  # the integrand is left where it has fallen by e^-37 from its peak
    step = min(0.1, 0.4 / math.sqrt(2 * df))
    # The peak lies between log s = -½ log(1 + q²/2df), where R fades as exp(-w²/4), and log s = 0, where it is flat.
    reach = fade / 2 + math.sqrt(fade**2 / 4 + fade)
    log_q = np.log(q)
    left = -0.5 * np.logaddexp(0, 2 * log_q - math.log(2 * df)) - reach  # q² may be more than a float holds
    right = min(math.sqrt(fade), 0.5 * math.log1p(2 * fade) + 0.5)
    first = np.floor((log_q + left) / step).astype(np.int64)
    last = np.ceil(np.minimum(log_q + right, math.log(_W_MAX)) / step).astype(np.int64)
    if np.all(last < first):  # so far out that even a small s leaves nothing
        return np.zeros(len(q))
    nodes = first[:, None] + np.arange(int(np.max(last - first)) + 1)
    blocks, place = np.unique(nodes // _NODES_TOGETHER, return_inverse=True)
    known = np.stack([_range_upper_at_nodes(int(block), step, k) for block in blocks])
    tails = known[place.reshape(nodes.shape), nodes % _NODES_TOGETHER]
    density = _density(np.subtract(nodes * step, log_q[:, None], dtype=float), df)
    # The constant of the density from the same rule: its closed form loses digits when df is large.
    whole = np.arange(-math.ceil(reach / step), math.ceil(right / step) + 1, dtype=float)
    total = float(np.sum(_density(whole * step, df)))
    return np.asarray(np.sum(density * tails, axis=1) / total)


@lru_cache(maxsize=2048)
def _range_upper_at_nodes(block: int, step: float, k: int) -> FloatArray:
    """R at neighbouring nodes of the grid, kept: a quantile is found by many probabilities on the same grid."""
    nodes = np.arange(block * _NODES_TOGETHER, (block + 1) * _NODES_TOGETHER)
    return _range_upper(np.exp(np.minimum(nodes * step, math.log(_W_MAX))), k)


def _density(log_s: FloatArray, df: float) -> FloatArray:
    """Density of log s, up to a constant: s^df exp(-df s²/2), 1 at its peak s = 1."""
    return np.asarray(np.exp(-df / 2 * (np.expm1(2 * log_s) - 2 * log_s)))


def _range_upper(w: FloatArray, k: int) -> FloatArray:
    """R(w) = k ∫ φ(z) {Φ(z)^(k-1) - [Φ(z) - Φ(z-w)]^(k-1)} dz: the range of k standard normals exceeds w."""
    # In small parts: w comes sorted, and the reach of z depends on the largest w of the part.
    parts = [_range_upper_part(w[start : start + _W_AT_ONCE], k) for start in range(0, w.size, _W_AT_ONCE)]
    return np.concatenate(parts)


def _range_upper_part(w: FloatArray, k: int) -> FloatArray:
    from scipy.special import ndtr

    w = np.minimum(w, _W_MAX)
    z_high = max(9.0, float(w.max()) / 2 + 7)
    z = np.arange(_Z_LOW, z_high + _Z_STEP, _Z_STEP)
    below = ndtr(z)
    weight = k * _Z_STEP / math.sqrt(2 * math.pi) * np.exp(-(z**2) / 2) * below ** (k - 1)
    # 1 - (1 - share)^(k-1) without loss of digits where share is small.
    share = ndtr(z[None, :] - w[:, None]) / below
    with np.errstate(divide="ignore"):  # share = 1 where w = 0 to rounding: log1p(-1) = -inf is meant
        return np.asarray(-np.expm1((k - 1) * np.log1p(-np.minimum(share, 1.0))) @ weight)


def _check(k: int, df: float) -> None:
    if k < 2:
        raise DataError(f"a range needs at least 2 means, got {k}")
    if not df > 0:
        raise DataError(f"the studentized range needs degrees of freedom above 0, got {df}")
