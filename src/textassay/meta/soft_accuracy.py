"""Soft pairwise accuracy: does the metric tell systems apart as surely as people do (Thompson et al. 2024)?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from textassay.known_names import check_choice
from textassay.meta.coefficients import paired_grids
from textassay.seeds import Stream
from textassay.stats.resampling.randomisation import sign_flip_tails
from textassay.stats.resampling.resamples import check_draws, in_parts, random_signs
from textassay.stats.samples import FloatArray

Form = Literal["mid-p", "published"]
"""`mid-p`: half of the chance of an equal difference counts, so that the order of the systems does not matter.

`published`: all of it counts (P(difference ≥ the observed one)); the figure then depends on the systems' order.
"""
_ENUMERATED = 16
"""Up to so many items all exchanges are counted."""


@dataclass(frozen=True, eq=False)
class SoftAccuracy:
    """1 less the mean distance of the p-values by which people and metric tell two systems apart."""

    form: Form
    value: float
    p_people: FloatArray
    """Shape (systems, systems): one-sided p that the row's system is better than the column's; nan without texts."""
    p_scores: FloatArray
    pairs: int
    """Pairs of systems that share a judged and scored item."""
    exact: bool
    """Whether all exchanges were counted, for every pair and on both sides."""
    draws: int
    """Random exchanges where they were not counted."""
    reason: str = ""


def soft_accuracy(
    people: npt.ArrayLike, scores: npt.ArrayLike, *, form: Form = "mid-p", draws: int = 1999, seed: int = 0
) -> SoftAccuracy:
    """Soft pairwise accuracy: 1 - mean |p of people - p of the metric| over all pairs of systems.

    Both p-values are one-sided, from exchanging the two systems' values item by item. They are exact for up to 16 items
    and where differences are whole numbers in some unit; otherwise from the same random exchanges on both sides.

    >>> soft_accuracy([[3, 1], [4, 2], [5, 4]], [[9, 1], [8, 2], [7, 3]]).value
    1.0

    Args:
        people: Shape (items, systems); nan where a text was not judged.
        scores: Shape (items, systems); nan where it has no score.
        form: `mid-p` or `published`.
        draws: Random exchanges where not all are counted.
        seed: Of the exchanges.

    Raises:
        DataError: shapes that differ, or an infinite value.
        UsageError: an unknown form or an impossible number of draws.
    """
    check_choice("form", form, get_args(Form))
    check_draws(draws)
    x, y = paired_grids(people, scores)
    first, second = np.triu_indices(x.shape[1], 1)
    sides = [_one_sided(grid[:, first] - grid[:, second], form, draws, seed) for grid in (x, y)]
    distance = np.abs(sides[0].p - sides[1].p)
    pairs = int(np.count_nonzero(~np.isnan(distance)))
    return SoftAccuracy(
        form,
        1 - float(np.nanmean(distance)) if pairs else math.nan,
        _matrix(sides[0], first, second, x.shape[1]),
        _matrix(sides[1], first, second, x.shape[1]),
        pairs=pairs,
        exact=bool(pairs) and all(side.exact for side in sides),
        draws=draws,
        reason="" if pairs else "no two systems share an item with a judgement and a score",
    )


@dataclass(frozen=True, eq=False)
class _PairP:
    p: FloatArray
    """One per pair of systems."""
    turned: FloatArray
    """The same with the two systems exchanged."""
    exact: bool


def _one_sided(differences: FloatArray, form: Form, draws: int, seed: int) -> _PairP:
    """The p of each column of differences (items × pairs), nan where an item lacks one of the two."""
    lower, upper = np.full(differences.shape[1], np.nan), np.full(differences.shape[1], np.nan)
    drawn = []
    for pair, column in enumerate(differences.T):
        there = column[~np.isnan(column)]
        if not there.size:
            continue
        tails = _counted(there)
        if tails is None:
            drawn.append(pair)
        else:
            lower[pair], upper[pair] = tails
    if drawn:
        lower[drawn], upper[drawn] = _drawn(np.nan_to_num(differences[:, drawn]), draws, seed)
    if form == "published":
        return _PairP(upper, lower, not drawn)
    mid = (upper + 1 - lower) / 2  # P(equal) = lower + upper - 1, half of which is left out
    return _PairP(mid, 1 - mid, not drawn)


def _counted(differences: FloatArray) -> tuple[float, float] | None:
    # Differences of decimal scores: 0.3 - 0.1 and 0.4 - 0.2 are the same, but for their last digits.
    if differences.size > _ENUMERATED and np.unique(np.abs(differences)).size > _ENUMERATED**2:
        return None
    return sign_flip_tails(differences)


def _drawn(differences: FloatArray, draws: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """P(≤) and P(≥) of each column's sum; the observed sum is one of those that chance can make."""
    stream = Stream(seed, "soft pairwise accuracy")
    observed = differences.sum(axis=0)
    slack = 1e-10 * np.abs(differences).sum(axis=0)
    lower, upper = np.ones(observed.size), np.ones(observed.size)
    for part in in_parts(draws, len(differences)):
        sums = random_signs(stream, len(differences), part) @ differences
        lower += np.count_nonzero(sums <= observed + slack, axis=0)
        upper += np.count_nonzero(sums >= observed - slack, axis=0)
    return lower / (draws + 1), upper / (draws + 1)


def _matrix(side: _PairP, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp], systems: int) -> FloatArray:
    matrix = np.full((systems, systems), np.nan)
    matrix[first, second], matrix[second, first] = side.p, side.turned
    return matrix
