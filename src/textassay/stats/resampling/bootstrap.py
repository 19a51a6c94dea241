"""The bootstrap: how well a statistic is known, by drawing the sample again from itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.results import Record
from textassay.stats.labels import Column
from textassay.stats.resampling.bootstrap_interval import acceleration_of, bca_interval, percentile_interval
from textassay.stats.resampling.bootstrap_statistic import read_observations, resolved
from textassay.stats.resampling.resampled_units import Resampling, Units, read_units
from textassay.stats.resampling.resamples import check_draws
from textassay.stats.resampling.weighted_statistics import Sums, WeightedFunction
from textassay.stats.samples import FloatArray, check_share
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
    """Resamples in which the statistic is undefined; they are left out."""
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

    Percentile: the middle of the draws (Efron 1979). BCa: the shares α become Φ(z₀ + (z₀ + z)/(1 - a(z₀ + z))) with
    z = Φ⁻¹(α), z₀ from the share of draws below the value and a from leaving out each unit once (Efron 1987). Where
    observations hang together, as those of one participant or of one item, whole clusters are drawn; with two kinds, as
    participants and items, both are drawn at once (Owen 2007), which errs on the safe side.

    R: `boot::boot.ci(boot::boot(values, statistic, R = draws), type = c("perc", "bca"))`.

    Example:
        >>> result = bootstrap([1, 2, 3, 4, 5, 6, 7, 8, 9, 20], None, seed=1)
        >>> result.value, round(result.se, 1)  # √(Σ(x - 6.5)²/n / n) = 1.62 by theory
        (6.5, 1.6)

    Args:
        values: One number an observation; for `pearson` two, shape (observations, 2).
        groups: One label an observation for `difference`, `f` and `eta2`; else None.
        statistic: `mean`, `median`, `sd`, `pearson`; `difference` (first group less second), `f`, `eta2`; or a function
            of (values, weights of shape (draws, observations)) that gives one number a draw; or `Sums`.
        clusters: One label an observation of what is drawn as a whole, or by name one or two such columns, for example
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
    found = _found(units, data, computed, draws, seed)
    return _result(name, found, units, {"confidence": confidence, "draws": draws, "seed": seed, "n": len(data)})


@dataclass(frozen=True)
class _Found:
    """What the resamples gave."""

    value: float
    ordered: FloatArray
    """Of the resamples in which the statistic is defined."""
    jackknife: FloatArray | None


def _found(units: Units, data: FloatArray, statistic: Sums | WeightedFunction, draws: int, seed: int) -> _Found:
    resampling = Resampling.of(units, data, statistic)
    value = resampling.observed() if len(data) else math.nan
    if math.isnan(value) or min(units.sizes) < 2:
        return _Found(value, np.empty(0), None)
    samples = resampling.drawn(draws, seed)
    return _Found(value, np.sort(samples[~np.isnan(samples)]), resampling.left_out())


def _result(name: str, found: _Found, units: Units, options: Mapping[str, Any]) -> Bootstrap:
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


def _intervals(found: _Found, confidence: float) -> tuple[str, tuple[float, float], tuple[float, float]]:
    """Which interval is the one to show, and both."""
    percentile = percentile_interval(found.ordered, confidence)
    acceleration = math.nan if found.jackknife is None else acceleration_of(found.jackknife)
    bca = bca_interval(found.ordered, found.value, acceleration, confidence)
    return "percentile" if math.isnan(bca[0]) else "BCa", percentile, bca


def _warnings(found: _Found, units: Units, interval: str, draws: int) -> tuple[str, ...]:
    kinds = " and ".join(f"{size} {name}s" for size, name in zip(units.sizes, units.names, strict=True))
    if math.isnan(found.value):
        return ("the statistic is undefined for these values, and so are its intervals",)
    if min(units.sizes) < 2:
        return (f"the intervals are undefined: they need at least 2 units to draw from, got {kinds}",)
    said = []
    undefined = draws - found.ordered.size
    if undefined:
        said.append(f"the statistic is undefined in {undefined} of {draws} resamples, which are left out")
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
