"""Kendall's tau: tau-a, -b and -c of two lists, with exact p where n allows; and of very many short lists at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.results import Record
from textassay.stats.correlations.correlation import PERMUTATION_LIMIT, VariablePair, read_pair
from textassay.stats.correlations.pair_counts import (
    EXACT_LIMIT,
    PairCounts,
    count_pairs,
    exact_tails,
    permutation_tails,
    s_variance,
)
from textassay.stats.distributions import ExactP, how_p, normal_p, normal_quantile, p_of_tails
from textassay.stats.samples import FloatArray, as_floats, check_share
from textassay.stats.statistic import Statistic

Variant = Literal["a", "b", "c"]
"""How ties are counted: not at all, for square tables, for tables of any shape."""
Numbers = npt.NDArray[np.floating] | npt.NDArray[np.integer]
Counts = npt.NDArray[np.signedinteger]
_AT_ONCE = 1 << 18
"""Values worked on together: they stay in the processor's cache."""
_EXACT_IN_32 = 1 << 24
"""The largest whole number up to which 32 bits hold each exactly."""


@dataclass(frozen=True, kw_only=True)
class KendallTau(Statistic):
    """Kendall's rank correlation of two variables."""

    variant: Variant
    tau: float
    p: float
    """Two-sided; of S, so that it is the same for all variants."""
    z: float
    """Of the normal approximation; nan where p is exact."""
    ci: tuple[float, float]
    n: int
    """Pairs of values used."""
    exact: bool
    """Whether p comes from counting all orders and not from an approximation."""
    counts: PairCounts | None
    """Concordant, discordant and tied pairs of observations, with gamma and Somers' d; None where undefined."""

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                f"tau-{self.variant}",
                self.tau,
                p=self.p,
                ci=self.ci,
                n=self.n,
                exact=self.exact,
                z=self.z,
                gamma=self.counts.gamma if self.counts else math.nan,
                somers_d=self.counts.somers_d if self.counts else math.nan,
            )
        ]


def kendall_tau(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    variant: Variant = "b",
    confidence: float = 0.95,
    p: ExactP = "auto",
    continuity: bool = False,
) -> KendallTau:
    """Kendall's tau of two lists of numbers.

    Purpose: measure how far two lists put the same things in the same order.

    S = concordant less discordant pairs of observations, out of n₀ = n(n-1)/2. tau-a = S/n₀; tau-b =
    S/√((n₀ - ties on x)(n₀ - ties on y)); tau-c = 2mS/(n²(m-1)) with m the smaller number of different values
    (Kendall 1938, 1945; Stuart 1953). Two-sided p of S: without ties counted over all n! orders up to n = 170, with
    ties up to n = 9; otherwise z = S/√var(S), the variance corrected for ties (Kendall 1970). Interval
    tanh(artanh tau ± z √(0.437/(n-4))) (Fieller, Hartley & Pearson 1957), rough where there are many ties.

    R: `cor.test(x, y, method = "kendall")`, which is exact without ties below n = 50 and never with ties. Both leave
    the continuity correction off.

    Example:
        >>> result = kendall_tau([1, 2, 3, 4], [1, 3, 2, 4])
        >>> round(result.tau, 4), round(result.p, 4), result.exact  # 5 of 6 pairs agree; 4 of 4! orders do as well
        (0.6667, 0.3333, True)
        >>> kendall_tau([1, 2, 3], [10, 20, 40]).p == 1 / 3  # 2 of the 3! orders are as extreme
        True

    Args:
        x: One number per observation.
        y: The other number of the same observation.
        variant: Which tau.
        confidence: Of the interval.
        p: Exact where n allows, exact or refused, or asymptotic.
        continuity: Whether the asymptotic form moves S by 1 towards 0.

    Raises:
        DataError: unequal lengths, missing or infinite values, or too many values for `exact`.
        UsageError: an unknown setting.
    """
    check_share("confidence", confidence)
    check_choice("variant", variant, get_args(Variant))
    check_choice("p", p, get_args(ExactP))
    pair = read_pair(x, y)
    if pair.undefined:
        return _result(variant, math.nan, pair, _TauTest(math.nan), confidence)
    counts = count_pairs(pair.x, pair.y)
    tau = {"a": counts.tau_a, "b": counts.tau_b, "c": counts.tau_c}[variant]
    return _result(variant, tau, pair, _tested(pair, counts, p, continuity=continuity), confidence, counts)


@dataclass(frozen=True, kw_only=True)
class KendallTauBatch(Statistic):
    """Kendall's tau of many pairs of vectors."""

    variant: Variant
    tau: FloatArray
    """One per pair of vectors; nan where one of the two is constant."""
    n: int
    """Length of the vectors."""

    @property
    def undefined(self) -> int:
        """Pairs of vectors without a tau."""
        return int(np.count_nonzero(np.isnan(self.tau)))

    @property
    def mean(self) -> float:
        """Over the pairs of vectors that have a tau."""
        known = self.tau[~np.isnan(self.tau)]
        return float(known.mean()) if known.size else math.nan

    def records(self) -> list[Record]:
        """One record: the mean."""
        return [
            self.record(
                f"mean tau-{self.variant}",
                self.mean,
                n=self.n,
                vectors=self.tau.size,
                undefined=self.undefined,
            )
        ]


def kendall_tau_batch(x: npt.ArrayLike, y: npt.ArrayLike, *, variant: Variant = "b") -> KendallTauBatch:
    """Kendall's tau of each of m vectors with its partner, or with one partner of all, in one pass.

    Purpose: compute Kendall's tau of thousands of pairs of lists quickly, without p and intervals.

    tau-a = S/n₀, tau-b = S/√((n₀ - ties on x)(n₀ - ties on y)), tau-c = 2kS/(n²(k-1)), as in `kendall_tau` (Kendall
    1938, 1945; Stuart 1953), without p. All n(n-1)/2 comparisons of all vectors are made by whole arrays, which for
    short vectors is thousands of times faster than one call per vector: for resampling, and for one tau per item.

    R: `mapply(function(a, b) cor(a, b, method = "kendall"), asplit(x, 1), asplit(y, 1))`.

    Example:
        >>> result = kendall_tau_batch([[1, 2, 3], [3, 2, 1], [1, 1, 2]], [1, 2, 3])
        >>> [round(tau, 4) for tau in result.tau.tolist()]
        [1.0, -1.0, 0.8165]

    Args:
        x: Shape (vectors, n).
        y: The same shape, or (n,) where all vectors have the same partner.
        variant: Which tau.

    Raises:
        DataError: shapes that do not fit, vectors of fewer than 2 values, or missing or infinite values.
        UsageError: an unknown variant.
    """
    check_choice("variant", variant, get_args(Variant))
    one, other = _numbers(x, "x"), _numbers(y, "y")
    if one.ndim != 2 or other.shape not in {one.shape, one.shape[1:]}:
        raise DataError(f"x must have the shape (vectors, n) and y the same or (n,), got {one.shape} and {other.shape}")
    m, n = one.shape
    if n < 2:
        raise DataError(f"a vector needs at least 2 values, got {n}")
    tau = np.empty(m)
    size = max(_AT_ONCE // n, 1)
    for start in range(0, m, size):
        part = slice(start, start + size)
        tau[part] = _tau_of_block(one[part], other[part] if other.ndim == 2 else other[None], variant, start)
    tau.flags.writeable = False
    undefined = int(np.count_nonzero(np.isnan(tau)))
    return KendallTauBatch(
        method="Kendall's rank correlation of many vectors",
        settings={"variant": f"tau-{variant}", "n": n, "vectors": m},
        warnings=(f"{undefined} of {m} have no tau: one of the two vectors is constant",) if undefined else (),
        variant=variant,
        tau=tau,
        n=n,
    )


@dataclass(frozen=True)
class _TauTest:
    """A p-value and where it comes from."""

    p: float
    z: float = math.nan
    how: str = "none"
    exact: bool = False


def _tested(pair: VariablePair, counts: PairCounts, p: ExactP, *, continuity: bool) -> _TauTest:
    tied = counts.tied_x + counts.tied_y > 0
    limit = PERMUTATION_LIMIT if tied else EXACT_LIMIT
    if p == "exact" and pair.n > limit:
        raise DataError(
            f"an exact p takes up to {limit} pairs {'with' if tied else 'without'} ties, got {pair.n}; use p='auto'"
        )
    if p != "asymptotic" and pair.n <= limit:
        tails = permutation_tails(pair.x, pair.y) if tied else exact_tails(counts)
        return _TauTest(p_of_tails(*tails, "two-sided"), how="exact permutation" if tied else "exact", exact=True)
    moved = math.copysign(max(abs(counts.s) - continuity, 0), counts.s)
    z = moved / math.sqrt(s_variance(counts))
    return _TauTest(normal_p(z, "two-sided"), z, how_p(exact=False, continuity=continuity))


def _result(
    variant: Variant,
    tau: float,
    pair: VariablePair,
    test: _TauTest,
    confidence: float,
    counts: PairCounts | None = None,
) -> KendallTau:
    ci = fisher_interval(tau, pair.n, confidence)
    warnings = [pair.undefined] if pair.undefined else list(pair.warnings)
    if not pair.undefined and pair.n < 5:
        warnings.append(f"the interval is undefined: it needs at least 5 pairs, got {pair.n}")
    elif ci[0] == ci[1]:
        warnings.append("the correlation is perfect: its interval has zero width and is uninformative")
    return KendallTau(
        method="Kendall's rank correlation",
        settings={
            "variant": f"tau-{variant}",
            "p": test.how,
            "alternative": "two-sided",
            "n": pair.n,
            "ci": "Fieller-Hartley-Pearson",
            "confidence": confidence,
        },
        warnings=tuple(warnings),
        variant=variant,
        tau=tau,
        p=test.p,
        z=test.z,
        ci=ci,
        n=pair.n,
        exact=test.exact,
        counts=counts,
    )


def fisher_interval(tau: float, n: int, confidence: float) -> tuple[float, float]:
    """Fisher's interval with the variance that Fieller, Hartley & Pearson found for tau; nan below n = 5.

    >>> [round(end, 4) for end in fisher_interval(0.5, 30, 0.95)]
    [0.2869, 0.6659]
    """
    if n < 5 or math.isnan(tau):
        return math.nan, math.nan
    if abs(tau) >= 1:
        return tau, tau
    half = normal_quantile((1 + confidence) / 2) * math.sqrt(0.437 / (n - 4))
    return math.tanh(math.atanh(tau) - half), math.tanh(math.atanh(tau) + half)


def _numbers(values: npt.ArrayLike, name: str) -> Numbers:
    """The values as they are where they are an array of numbers: a copy would cost more than the work."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise DataError(f"{name} must hold vectors of one length: {error}") from None
    return array if array.dtype.kind in "iuf" and array.dtype.itemsize <= 8 else as_floats(values, name)


def _tau_of_block(x: Numbers, y: Numbers, variant: Variant, start: int) -> FloatArray:
    one, other = _columns(x, "x", start), _columns(y, "y", start)
    s, untied_x, untied_y = _counted(one, other)
    n = x.shape[1]
    # Rounding to 32 bits never turns an order round but can tie what was not: such vectors are counted again.
    doubtful = np.flatnonzero(_doubtful(untied_x, x, one) | _doubtful(untied_y, y, other))
    if doubtful.size:
        partners = y if len(y) == 1 else y[doubtful]
        s[doubtful], untied_x[doubtful], again = _counted(x[doubtful].T, partners.T)
        untied_y[doubtful if len(y) > 1 else slice(None)] = again
    match variant:
        case "a":
            scale = np.where((untied_x > 0) & (untied_y > 0), n * (n - 1) / 2, 0.0)
        case "b":
            scale = np.sqrt(untied_x.astype(float) * untied_y)
        case "c":
            values = np.minimum(_distinct(x), _distinct(y))
            scale = n * n * (values - 1) / (2 * values)
    return np.asarray(np.divide(s, scale, out=np.full(s.shape, math.nan), where=scale > 0))


def _columns(block: Numbers, name: str, start: int) -> Numbers:
    """The block in 32 bits (small whole numbers: in 8) with one row per place, so that whole rows can be compared."""
    if block.dtype.kind != "f" and block.min() >= -128 and block.max() <= 127:
        narrow: Numbers = block.astype(np.int8)
    else:
        with np.errstate(over="ignore"):  # what overflows is tied with what overflows, and counted again
            narrow = block.astype(np.float32)
        if not np.isfinite(narrow).all():
            _refuse_missing(block, name, start)
    rows: Numbers = np.empty_like(narrow, shape=narrow.shape[::-1])
    for place in range(len(rows)):  # half the time of a transposed copy
        rows[place] = narrow[:, place]
    return rows


def _counted(x: Numbers, y: Numbers) -> tuple[Counts, Counts, Counts]:
    """S, and the pairs untied on x and on y, of vectors that are columns."""
    n = len(x)
    kind = np.min_scalar_type(-n * (n - 1) // 2)  # the narrower, the quicker: 8 bits up to n = 16
    s, untied_x, untied_y = (np.zeros(size, dtype=kind) for size in (x.shape[1], x.shape[1], y.shape[1]))
    for place in range(n - 1):
        of_x, of_y = _signs(x, place), _signs(y, place)
        s += np.sum(of_x * of_y, axis=0, dtype=kind)
        untied_x += _untied(of_x, kind, rated=x.dtype == np.int8)
        untied_y += _untied(of_y, kind, rated=y.dtype == np.int8)
    return s, untied_x, untied_y


def _signs(rows: Numbers, place: int) -> npt.NDArray[np.int8]:
    """Whether the values of all later rows are larger (1), smaller (-1) or the same (0)."""
    later, here = rows[place + 1 :], rows[place]
    return np.asarray((later > here).view(np.int8) - (later < here).view(np.int8))


def _untied(signs: npt.NDArray[np.int8], kind: np.dtype[Any], *, rated: bool) -> Counts | int:
    """How many signs of each vector are not 0."""
    # Without ties the sums need not be taken; ratings have some, so that looking for them would be time lost.
    if not rated and np.count_nonzero(signs) == signs.size:
        return len(signs)
    return np.asarray(np.sum(np.abs(signs), axis=0, dtype=kind))


def _doubtful(untied: Counts, block: Numbers, rows: Numbers) -> npt.NDArray[np.bool_]:
    """Which vectors have ties that 64 bits may not have; `rows` are those of the block that were compared."""
    n = block.shape[1]
    tied: npt.NDArray[np.bool_] = untied < n * (n - 1) // 2
    if rows.dtype == np.int8:  # which hold whole numbers as they are
        return np.zeros_like(tied)
    if not tied.any():
        return tied
    if block.dtype.kind == "f":
        with np.errstate(over="ignore"):
            same = np.array_equal(block.astype(np.float32), block)
    else:
        same = bool(block.min() >= -_EXACT_IN_32 and block.max() <= _EXACT_IN_32)
    return np.zeros_like(tied) if same else tied


def _distinct(block: Numbers) -> npt.NDArray[np.int64]:
    """How many different values each vector has."""
    return np.asarray(1 + np.count_nonzero(np.diff(np.sort(block, axis=1), axis=1), axis=1))


def _refuse_missing(block: Numbers, name: str, start: int) -> None:
    bad = np.argwhere(~np.isfinite(block))
    if bad.size:
        row, place = bad[0].tolist()
        raise DataError(
            f"{name} has a missing or infinite value ({block[row, place]}) in vector {start + row} at index {place}; "
            "remove such vectors, and report how many, before computing"
        )
