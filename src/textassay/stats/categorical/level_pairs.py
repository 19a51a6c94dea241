"""All pairs of levels of a factor compared, by the coefficients of a fitted model."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from textassay.results import Record
from textassay.stats.adjust_p import adjust_p
from textassay.stats.distributions import normal_quantile, normal_upper
from textassay.stats.samples import FloatArray
from textassay.stats.statistic import Statistic


@dataclass(frozen=True)
class LevelPair:
    """One comparison: `second` less `first`, on the scale of the linear predictor."""

    first: str
    second: str
    difference: float
    se: float
    z: float
    p: float
    """Two-sided, of this pair by itself (Wald)."""
    p_adjusted: float
    """Corrected for all pairs (Holm)."""
    ci: tuple[float, float]
    """Of this pair by itself."""


@dataclass(frozen=True, kw_only=True)
class LevelPairs(Statistic):
    """All pairs of levels, each averaged over the levels of the other factors, with equal weights."""

    pairs: tuple[LevelPair, ...]
    n: int

    def records(self) -> list[Record]:
        """One record a pair."""
        return [
            self.record(
                "difference",
                pair.difference,
                p=pair.p,
                ci=pair.ci,
                n=self.n,
                first=pair.first,
                second=pair.second,
                se=pair.se,
                z=pair.z,
                p_adjusted=pair.p_adjusted,
            )
            for pair in self.pairs
        ]


def level_pairs(
    levels: tuple[str, ...], rows: FloatArray, estimates: FloatArray, covariance: FloatArray, confidence: float
) -> tuple[LevelPair, ...]:
    """Every pair once; `rows` hold one row of the model matrix for each level, nan where the data cannot tell it."""
    found = []
    width = normal_quantile((1 + confidence) / 2)
    for first, second in combinations(range(len(levels)), 2):
        contrast = rows[second] - rows[first]
        used = contrast != 0  # an infinite estimate elsewhere must not spoil this pair
        difference = float(contrast[used] @ estimates[used])
        se = float(np.sqrt(contrast[used] @ covariance[np.ix_(used, used)] @ contrast[used]))
        z = difference / se
        found.append((levels[first], levels[second], difference, se, z, 2 * normal_upper(abs(z))))
    adjusted = adjust_p([pair[-1] for pair in found]).adjusted
    return tuple(
        LevelPair(*pair, corrected, (pair[2] - width * pair[3], pair[2] + width * pair[3]))
        for pair, corrected in zip(found, adjusted, strict=True)
    )
