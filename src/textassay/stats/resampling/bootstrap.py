"""The bootstrap: how well a statistic is known, by drawing the sample again from itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.known_names import did_you_mean
from textassay.results import Record
from textassay.stats.distributions import normal_quantile, normal_upper
from textassay.stats.resampling.resamples import Resampling, Units, check_draws, read_units
from textassay.stats.resampling.weighted_statistics import (
    Sums,
    WeightedFunction,
    check_column_count,
    difference_sums,
    eta2_sums,
    f_sums,
    mean_sums,
    pearson_sums,
    sd_sums,
    weighted_median,
)
from textassay.stats.samples import Column, FloatArray, as_floats, check_share, code_labels, same_length
from textassay.stats.statistic import Statistic

_FEW = 10
"""With fewer units than this, intervals come with a warning."""


@dataclass(frozen=True, kw_only=True)
class Bootstrap(Statistic):
    """A statistic with standard error and intervals from resamples."""

    statistic: str
    value: float
    """Of the sample itself."""
    se: float
    """Standard deviation over the resamples."""
    bias: float
    """Mean over the resamples less the value."""
    ci: tuple[float, float]
    """BCa where there is one, else percentile; `settings` says which."""
    percentile: tuple[float, float]
    bca: tuple[float, float]
    """Bias-corrected and accelerated; nan for crossed clusters and where the draws do not allow it."""
    n: int
    """Observations."""
    units: tuple[int, ...]
    """How many units were drawn in each resample; two numbers for crossed clusters."""
    draws: int
    undefined: int
    """Resamples in which the statistic is undefined; they are excluded."""
    samples: tuple[float, ...] = field(repr=False)
    """The statistic of each resample in which it is defined, ordered."""

    def records(self) -> list[Record]:
        """One record."""
        return [
            self.record(
                self.statistic,
                self.value,
                ci=self.ci,
                n=self.n,
                se=self.se,
                bias=self.bias,
                percentile=self.percentile,
                bca=self.bca,
                draws=self.draws,
                undefined=self.undefined,
            )
        ]


def bootstrap(
    values: npt.ArrayLike,
    groups: Column | None,
    *,
    statistic: str | WeightedFunction | Sums = "mean",
    clusters: Column | Mapping[str, Column] | None = None,
    draws: int = 1999,
    confidence: float = 0.95,
    seed: int = 0,
) -> Bootstrap:
    """Standard error and intervals of a statistic from resamples of observations or of whole clusters.

    Purpose: say how well a statistic is known when no formula for its interval is at hand, or when values come in
    clusters such as participants.

    Percentile: the middle of the draws (Efron 1979). BCa: the shares α become Φ(z₀ + (z₀ + z)/(1 - a(z₀ + z))) with
    z = Φ⁻¹(α), z₀ from the share of draws below the value and a from leaving out each unit once (Efron 1987). Where
    observations hang together, as those of one participant or of one item, whole clusters are drawn; with two kinds, as
    participants and items, both are drawn at once (Owen 2007), which errs on the safe side.

    R: `boot::boot.ci(boot::boot(values, statistic, R = draws), type = c("perc", "bca"))`.

    Example:
        >>> result = bootstrap([1, 2, 3, 4, 5, 6, 7, 8, 9, 20], None, seed=1)
        >>> round(result.value, 4), round(result.se, 1)  # √(Σ(x - 6.5)²/n / n) = 1.62 by theory
        (6.5, 1.6)

    Args:
        values: One number per observation; for `pearson` two, shape (observations, 2).
        groups: One label per observation for `difference`, `f` and `eta2`; else None.
        statistic: `mean`, `median`, `sd`, `pearson`; `difference` (first group less second), `f`, `eta2`; or a function
            of (values, weights of shape (draws, observations)) that gives one number per draw; or `Sums`.
        clusters: One label per observation of what is drawn as a whole, or by name one or two such columns, for example
            {"participant": …, "item": …}; None draws single observations.
        draws: Number of resamples.
        confidence: Of the intervals.
        seed: Of the stream of draws: the same seed gives the same interval anywhere.

    Raises:
        DataError: unequal lengths, a missing label, missing or infinite values, or a shape that does not fit.
        UsageError: an unknown or impossible setting.
    """
    check_share("confidence", confidence)
    check_draws(draws)
    data = read_observations(values)
    name, computed = resolved(statistic, data, groups)
    units = read_units(clusters, len(data))
    found = _resampled(units, data, computed, draws, seed)
    return _result(name, found, units, {"confidence": confidence, "draws": draws, "seed": seed, "n": len(data)})


@dataclass(frozen=True)
class _ResampledStatistic:
    """What the resamples gave."""

    value: float
    ordered: FloatArray
    """Of the resamples in which the statistic is defined."""
    jackknife: FloatArray | None


def _resampled(
    units: Units, data: FloatArray, statistic: Sums | WeightedFunction, draws: int, seed: int
) -> _ResampledStatistic:
    resampling = Resampling.of(units, data, statistic)
    value = resampling.observed() if len(data) else math.nan
    if math.isnan(value) or min(units.sizes) < 2:
        return _ResampledStatistic(value, np.empty(0), None)
    samples = resampling.drawn(draws, seed)
    return _ResampledStatistic(value, np.sort(samples[~np.isnan(samples)]), resampling.left_out())


def _result(name: str, found: _ResampledStatistic, units: Units, options: Mapping[str, Any]) -> Bootstrap:
    interval, percentile, bca = _intervals(found, options["confidence"])
    defined = found.ordered
    return Bootstrap(
        method=f"bootstrap of {name}",
        settings={"statistic": name, "resampled": " × ".join(units.names), "interval": interval, **options},
        warnings=_warnings(found, units, interval, options["draws"]),
        statistic=name,
        value=found.value,
        se=float(np.std(defined, ddof=1)) if defined.size > 1 else math.nan,
        bias=float(np.mean(defined)) - found.value if defined.size else math.nan,
        ci=bca if interval == "BCa" else percentile,
        percentile=percentile,
        bca=bca,
        n=units.n,
        units=units.sizes,
        draws=options["draws"],
        undefined=options["draws"] - defined.size,
        samples=tuple(defined.tolist()),
    )


def _intervals(found: _ResampledStatistic, confidence: float) -> tuple[str, tuple[float, float], tuple[float, float]]:
    """Which interval is the one to show, and both."""
    percentile = percentile_interval(found.ordered, confidence)
    acceleration = math.nan if found.jackknife is None else acceleration_of(found.jackknife)
    bca = bca_interval(found.ordered, found.value, acceleration, confidence)
    return "percentile" if math.isnan(bca[0]) else "BCa", percentile, bca


def _warnings(found: _ResampledStatistic, units: Units, interval: str, draws: int) -> tuple[str, ...]:
    kinds = " and ".join(f"{size} {name}s" for size, name in zip(units.sizes, units.names, strict=True))
    if math.isnan(found.value):
        return ("the statistic is undefined for these values, and so are its intervals",)
    if min(units.sizes) < 2:
        return (f"the intervals are undefined: they need at least 2 units to draw from, got {kinds}",)
    said = []
    undefined = draws - found.ordered.size
    if undefined:
        said.append(f"the statistic is undefined in {undefined} of {draws} resamples, which are omitted")
    if min(units.sizes) < _FEW:
        said.append(f"with {kinds} to draw from, intervals are too narrow")
    if interval == "percentile":
        why = (
            "is not defined for crossed clusters"
            if units.crossed
            else "is undefined here (no spread, draws on one side only, or no value without one of the units)"
        )
        said.append(f"the BCa interval {why}: ci is the percentile interval")
    return tuple(said)


def order_quantile(ordered: FloatArray, share: float) -> float:
    """The quantile of ordered draws: the (R+1)·share-th, interpolated on the scale of normal deviates.

    As Davison & Hinkley (1997, section 5.2) have it and R's `boot.ci` does it; beyond the first and the last draw it is
    that draw.

    >>> order_quantile(np.arange(1.0, 20.0), 0.25)  # 19 draws: the fifth
    5.0
    """
    size = ordered.size
    if not size or math.isnan(share):
        return math.nan
    place = (size + 1) * share
    below = math.floor(round(place, 9))  # what should be whole is whole
    if below < 1 or below >= size:
        return float(ordered[0] if below < 1 else ordered[-1])
    low, high = float(ordered[below - 1]), float(ordered[below])
    if abs(place - below) < 1e-9 or low == high:
        return low
    at, start, end = (normal_quantile(part) for part in (share, below / (size + 1), (below + 1) / (size + 1)))
    return low + (at - start) / (end - start) * (high - low)


def percentile_interval(ordered: FloatArray, confidence: float) -> tuple[float, float]:
    """The middle share of the draws (Efron 1979)."""
    tail = (1 - confidence) / 2
    return order_quantile(ordered, tail), order_quantile(ordered, 1 - tail)


def bca_interval(ordered: FloatArray, value: float, acceleration: float, confidence: float) -> tuple[float, float]:
    """The interval corrected for bias and for a standard error that changes with the value (Efron 1987).

    nan where all draws lie on one side of the value, or the acceleration is undefined.
    """
    below = float(np.mean(ordered < value)) if ordered.size else math.nan
    if not 0 < below < 1 or math.isnan(acceleration):
        return math.nan, math.nan
    bias = normal_quantile(below)
    ends = []
    for share in ((1 - confidence) / 2, (1 + confidence) / 2):
        moved = bias + normal_quantile(share)
        ends.append(order_quantile(ordered, 1 - normal_upper(bias + moved / (1 - acceleration * moved))))
    return ends[0], ends[1]


def acceleration_of(left_out: FloatArray) -> float:
    """That of BCa: Σ L³ / (6 (Σ L²)^1.5), L the mean of the values without one unit less each of them; nan if flat."""
    influence = left_out.mean() - left_out if left_out.size else left_out
    largest = float(np.abs(influence).max(initial=0.0))
    if not largest > 1e-12 * float(np.abs(left_out).max(initial=0.0)):
        return math.nan
    scaled = influence / largest
    return float((scaled**3).sum() / (6 * (scaled**2).sum() ** 1.5))


def read_observations(values: npt.ArrayLike) -> FloatArray:
    """Numbers, or rows of numbers, one per observation.

    Raises:
        DataError: another shape, or values that are missing or infinite.
    """
    data = as_floats(values, "values")
    if data.ndim not in (1, 2):
        raise DataError(f"values must be a list of numbers, or of rows of numbers; their shape is {data.shape}")
    bad = np.argwhere(~np.isfinite(data))
    if bad.size:
        raise DataError(
            f"values has {len(bad)} missing or infinite value(s), the first at index {bad[0][0]}; leave those "
            "observations out, and report how many, before computing"
        )
    return data


def resolved(
    statistic: str | WeightedFunction | Sums, data: FloatArray, groups: Column | None
) -> tuple[str, Sums | WeightedFunction]:
    """The name of a statistic, and how it is computed from weights.

    Raises:
        DataError: values or groups that it cannot take.
        UsageError: there is no such statistic, or groups are missing or not wanted.
    """
    if isinstance(statistic, str) and statistic in _OF_GROUPS:
        check_column_count(data, statistic, 1)
        if groups is None:
            raise UsageError(f"the statistic {statistic!r} compares groups: pass their labels after the values")
        same_length(("values", data), ("groups", groups))
        labels, (codes,) = code_labels(("groups", groups))
        if statistic == "difference" and len(data) and len(labels) != 2:
            raise DataError(f"the statistic 'difference' compares two groups; groups has {len(labels)}")
        return statistic, _OF_GROUPS[statistic](data, codes)
    if groups is not None:
        raise UsageError(f"groups is for the statistics {', '.join(_OF_GROUPS)}; pass None")
    if isinstance(statistic, str):
        if statistic not in _OF_VALUES:
            known = [*_OF_VALUES, *_OF_GROUPS]
            seen = f"got {statistic!r}{did_you_mean(statistic, known)}"
            raise UsageError(f"statistic must be a function or one of {', '.join(known)}; {seen}")
        make, columns = _OF_VALUES[statistic]
        check_column_count(data, statistic, columns)
        return statistic, make(data)
    if isinstance(statistic, Sums):
        same_length(("values", data), ("terms", statistic.terms))
        return getattr(statistic.of, "__name__", "statistic"), statistic
    return getattr(statistic, "__name__", "statistic"), statistic


_OF_VALUES: Mapping[str, tuple[Callable[[FloatArray], Sums | WeightedFunction], int]] = {
    "mean": (mean_sums, 1),
    "median": (lambda _: weighted_median, 1),
    "sd": (sd_sums, 1),
    "pearson": (pearson_sums, 2),
}
_OF_GROUPS = {"difference": difference_sums, "f": f_sums, "eta2": eta2_sums}
