"""How well an agreement is known: systems and items both drawn again, a system never compared with its own copy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.known_names import check_choice
from textassay.meta.coefficients import (
    NO_CHANCE_LEVEL,
    PRODUCT_MOMENT,
    By,
    Coefficient,
    grouped,
    paired_grids,
    ranked,
    read_grid,
    vector_coefficient,
)
from textassay.meta.long_groups import grid_coefficients, group_resamples
from textassay.meta.weighted_coefficients import (
    from_moments,
    mean_of_defined,
    row_coefficients_of_draws,
)
from textassay.seeds import Stream
from textassay.stats.resampling.bootstrap import percentile_interval
from textassay.stats.resampling.resamples import blocks, check_draws, in_parts, resample_counts
from textassay.stats.samples import FloatArray, check_share

LEAST_SYSTEMS = 6
"""With fewer systems these are not drawn: the interval then holds for these systems only."""

Counts = npt.NDArray[np.uint16]
Resampled = Literal["systems and items", "items", "systems", "nothing"]
Scope = Literal["for systems and items like these", "for these systems", "for these items", ""]
_SCOPES: dict[Resampled, Scope] = {
    "systems and items": "for systems and items like these",
    "items": "for these systems",
    "systems": "for these items",
    "nothing": "",
}


_AT_ONCE = 1 << 24
"""Draws × units that are held as floats at a time."""


@lru_cache(maxsize=4)
def _counts(seed: int, name: str, size: int, draws: int) -> Counts:
    """How often each unit is in each draw; kept, for metrics, criteria and coefficients have the same draws.

    In small whole numbers: 20,000 draws of 10,000 items would take 1.6 GB as floats.
    """
    stream = Stream(seed, "two-way bootstrap", name)
    parts = [resample_counts(stream, size, part).astype(np.uint16) for part in in_parts(draws, size)]
    counts = np.concatenate(parts)
    counts.flags.writeable = False
    return counts


@dataclass(frozen=True, eq=False)
class Resamples:
    """How often each system and each item is in each draw; the same for every metric, so that metrics are paired."""

    systems: Counts
    """Shape (draws, systems)."""
    items: Counts
    """Shape (draws, items)."""
    resampled: Resampled

    def parts(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """The draws of systems and of items, some at a time."""
        draws, items = self.items.shape
        step = max(_AT_ONCE // max(items, 1), 1)
        for start in range(0, draws, step):
            yield self.systems[start : start + step].astype(float), self.items[start : start + step].astype(float)

    @classmethod
    def drawn(cls, items: int, systems: int, draws: int, seed: int) -> Resamples:
        """Both drawn with replacement; systems from 6 on, items from 2 on.

        Raises:
            UsageError: an impossible number of draws.
        """
        check_draws(draws)
        both = (systems >= LEAST_SYSTEMS, items > 1)
        counts = [
            _counts(seed, name, size, draws) if use else np.ones((draws, size), dtype=np.uint16)
            for name, size, use in (("systems", systems, both[0]), ("items", items, both[1]))
        ]
        resampled: dict[tuple[bool, bool], Resampled] = {
            (True, True): "systems and items",
            (False, True): "items",
            (True, False): "systems",
            (False, False): "nothing",
        }
        return cls(counts[0], counts[1], resampled[both])


@dataclass(frozen=True, eq=False)
class BootstrapInterval:
    """A figure of agreement with its interval."""

    coefficient: Coefficient
    value: float
    ci: tuple[float, float]
    """Percentiles of the draws less their bias; nan where there is none."""
    se: float
    """Standard deviation over the draws."""
    confidence: float
    resampled: Resampled
    scope: Scope
    """What the interval holds for: `for these systems` where too few systems could be drawn."""
    systems: int
    items: int
    draws: int
    undefined: int
    """Draws without a value; they are omitted."""
    samples: FloatArray = field(repr=False)
    """The figure in each draw; nan where it is undefined."""
    reason: str = ""
    """Why there is no interval."""


def two_way_bootstrap(
    people: npt.ArrayLike,
    scores: npt.ArrayLike,
    coefficient: Coefficient,
    by: By | None = "item",
    *,
    draws: int = 1999,
    confidence: float = 0.95,
    seed: int = 0,
) -> BootstrapInterval:
    """The interval of an agreement of texts: as many systems and as many items are drawn again, with replacement.

    Pairs of a system with its own copy are left out, so that copies do not count as ties. With fewer than 6 systems
    only items are drawn, and the interval is one for these systems. Intervals are percentiles of the draws (Efron 1979;
    for two kinds of units Owen 2007), moved by the mean distance of the draws from the value: a draw has fewer
    different systems, in which Pearson's and Spearman's coefficients are lower. They err on the safe side.

    >>> people = np.arange(42).reshape(6, 7) % 5
    >>> found = two_way_bootstrap(people, people + np.arange(7) % 3, "tau-b", draws=199)
    >>> found.ci[0] < found.value < found.ci[1], found.scope
    (True, 'for systems and items like these')

    Args:
        people: Shape (items, systems); nan where a text was not judged.
        scores: Shape (items, systems); nan where it has no score.
        coefficient: Spearman's ranks are those of each draw within groups, and those of the sample for `by=None`.
        by: As for `grouped`.
        draws: Number of resamples.
        confidence: Of the interval.
        seed: The same seed draws the same systems and items for every metric.

    Raises:
        DataError: shapes that differ, or an infinite value.
        UsageError: an unknown or impossible setting.
    """
    check_choice("coefficient", coefficient, get_args(Coefficient))
    check_share("confidence", confidence)
    value = grouped(people, scores, by, coefficient).mean
    x, y = _used(people, scores)
    resamples = Resamples.drawn(x.shape[0], x.shape[1], draws, seed)
    reason = _without_interval(value, resamples)
    samples = np.full(draws, np.nan) if reason else bootstrap_samples(x, y, coefficient, by, resamples)
    return _interval(coefficient, value, samples, resamples, confidence, reason)


def bootstrap_system_level(
    people: npt.ArrayLike,
    scores: npt.ArrayLike,
    coefficient: Coefficient,
    *,
    draws: int = 1999,
    confidence: float = 0.95,
    seed: int = 0,
) -> BootstrapInterval:
    """The interval of the agreement of systems' means over items: systems and items are drawn again.

    Each side's means are over the texts that it has a value for; pass scores of judged texts only if these shall count.
    A single row is one value per system, of which only the systems can be drawn.
    """
    check_choice("coefficient", coefficient, get_args(Coefficient))
    check_share("confidence", confidence)
    x, y = read_grid(people, "people"), read_grid(scores, "scores")
    paired_grids(x, y)  # one shape
    used = ~(np.isnan(x).all(axis=0) | np.isnan(y).all(axis=0))
    x, y = x[:, used], y[:, used]
    value = vector_coefficient(np.nanmean(x, axis=0), np.nanmean(y, axis=0), coefficient) if used.any() else math.nan
    resamples = Resamples.drawn(x.shape[0], x.shape[1], draws, seed)
    reason = _without_interval(value, resamples)
    samples = np.full(draws, np.nan) if reason else system_level_samples(x, y, coefficient, resamples)
    return _interval(coefficient, value, samples, resamples, confidence, reason)


def bootstrap_samples(
    x: FloatArray, y: FloatArray, coefficient: Coefficient, by: By | None, resamples: Resamples
) -> FloatArray:
    """Shape (draws,): the figure in each draw; x and y have nan in both or in neither."""
    if by is None:
        return np.concatenate([_pooled_samples(x, y, coefficient, *part) for part in resamples.parts()])
    rows = (x, y) if by == "item" else (x.T, y.T)
    sums = group_resamples(*rows, coefficient)
    found = []
    for systems, items in resamples.parts():
        members, groups = (systems, items) if by == "item" else (items, systems)
        found += [
            mean_of_defined(sums.of(members[block]), groups[block])
            for block in blocks(len(members), 4 * len(rows[0]) + sums.width)
        ]
    return np.concatenate(found)


def _pooled_samples(
    x: FloatArray, y: FloatArray, coefficient: Coefficient, systems: FloatArray, items: FloatArray
) -> FloatArray:
    """All texts together: a text counts as often as its item and its system together."""
    if coefficient not in PRODUCT_MOMENT:
        return grid_coefficients(x, y, items, systems, coefficient)
    there = (~np.isnan(x)).astype(float)
    if coefficient == "spearman":
        x, y = (ranked(side.reshape(1, -1)).reshape(x.shape) for side in (x, y))
    a, b = (np.nan_to_num((side - np.nanmean(side)) / np.nanstd(side)) for side in (x, y))
    moments = [((items @ part) * systems).sum(axis=1) for part in (there, a, b, a * b, a * a, b * b)]
    return from_moments(*moments)


def system_level_samples(x: FloatArray, y: FloatArray, coefficient: Coefficient, resamples: Resamples) -> FloatArray:
    """Shape (draws,): the agreement of the means of the drawn systems over the drawn items."""
    found = []
    for systems, items in resamples.parts():
        means = []
        for side in (x, y):
            there = (~np.isnan(side)).astype(float)
            with np.errstate(invalid="ignore", divide="ignore"):
                means.append((items @ np.nan_to_num(side)) / (items @ there))
        missing = np.isnan(means[0]) | np.isnan(means[1])
        one, other = (np.where(missing, np.nan, side) for side in means)
        found.append(row_coefficients_of_draws(one, other, systems, coefficient))
    return np.concatenate(found)


def scope_of(resamples: Resamples) -> Scope:
    """What intervals from these draws hold for."""
    return _SCOPES[resamples.resampled]


def _used(people: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Without the items and systems that have no text with both values."""
    x, y = paired_grids(people, scores)
    there = ~np.isnan(x)
    items, systems = there.any(axis=1), there.any(axis=0)
    return x[items][:, systems], y[items][:, systems]


def _without_interval(value: float, resamples: Resamples) -> str:
    if math.isnan(value):
        return "the figure is undefined"
    if resamples.resampled == "nothing":
        return f"fewer than {LEAST_SYSTEMS} systems and no items to draw from"
    return ""


def _interval(
    coefficient: Coefficient, value: float, samples: FloatArray, resamples: Resamples, confidence: float, reason: str
) -> BootstrapInterval:
    defined = np.sort(samples[~np.isnan(samples)])
    if not reason and defined.size < samples.size / 2:
        reason = "the figure is undefined in more than half of the draws"
    known = not reason
    return BootstrapInterval(
        coefficient,
        value,
        _moved_percentiles(coefficient, value, defined, confidence) if known else (math.nan, math.nan),
        float(np.std(defined, ddof=1)) if known else math.nan,
        confidence,
        resamples.resampled,
        scope_of(resamples) if known else "",
        resamples.systems.shape[1],
        resamples.items.shape[1],
        samples.size,
        samples.size - defined.size,
        samples,
        reason,
    )


def _moved_percentiles(
    coefficient: Coefficient, value: float, ordered: FloatArray, confidence: float
) -> tuple[float, float]:
    """The middle share of the draws, moved so that their mean is the value, within what the coefficient can be."""
    bias = float(ordered.mean()) - value
    low, high = percentile_interval(ordered, confidence)
    least = 0.0 if coefficient in NO_CHANCE_LEVEL else -1.0
    low, high = (min(max(limit - bias, least), 1.0) for limit in (low, high))
    return low, high
