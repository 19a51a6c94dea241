"""All pairs of levels of a factor compared, by the coefficients of a fitted model."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.stats.adjust_p import adjust_pairs
from textassay.stats.distributions import normal_quantile, normal_upper
from textassay.stats.samples import FloatArray


def level_pairs(
    levels: tuple[str, ...],
    rows: FloatArray,
    estimates: FloatArray,
    covariance: FloatArray,
    *,
    confidence: float,
    n: int,
    **named: Any,
) -> PairwiseComparisons:
    """Every pair once: Wald tests on the scale of the linear predictor, adjusted after Holm.

    Each level is averaged over the levels of the other factors, with equal weights.

    Args:
        levels: Names of the levels.
        rows: One row of the model matrix for each level, nan where the data cannot tell it.
        estimates: Of the coefficients.
        covariance: Of the coefficients.
        confidence: Of the interval of each pair.
        n: Observations.
        named: Further fields of the result: method, settings, what was measured.
    """
    found = []
    width = normal_quantile((1 + confidence) / 2)
    for first, second in combinations(range(len(levels)), 2):
        contrast = rows[first] - rows[second]
        used = contrast != 0  # an infinite estimate elsewhere must not spoil this pair
        difference = float(contrast[used] @ estimates[used])
        se = float(np.sqrt(contrast[used] @ covariance[np.ix_(used, used)] @ contrast[used]))
        z = difference / se
        p = 2 * normal_upper(abs(z))
        found.append(
            PairwiseComparison(
                first=levels[first],
                second=levels[second],
                difference=difference,
                ci=(difference - width * se, difference + width * se),
                p=p,
                p_raw=p,
                n=n,
                se=se,
                test_value=z,
            )
        )
    return PairwiseComparisons(
        pairs=adjust_pairs(found),
        adjustment="Holm",
        confidence=confidence,
        interval="single",
        test="z",
        **named,
    )
